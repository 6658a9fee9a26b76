package similarity

import (
	"slices"
	"strings"

	"tenure"
	"tenure/attribute"
	"tenure/text"
)

// preparedAttribute holds the values of a profile under one attribute key, prepared for comparison.
type preparedAttribute struct {
	key    string
	kind   attribute.Kind
	own    string // the tenant's definitions in one string, which the profile's key includes; "" if there are none
	values []value
}

type value struct {
	text   string // as written, truncated
	norm   string // normal form; equal values have equal norms
	date   attribute.Date
	words  []token
	number int
	amount float64
	shared bool // a shared mailbox, such as info@
	listed bool // a country that is known by its code, which norm is
}

func (m *Model) prepareAttributes(given map[string][]string, own []tenure.IdentifierKind) []preparedAttribute {
	byKey := map[string]*preparedAttribute{}
	for _, written := range attribute.Names(given) {
		key := attribute.Key(written)
		spec, known := attribute.Lookup(key, own)
		if !known {
			spec = attribute.Spec{Key: key}
			if allNumbers(given[written]) {
				spec.Kind = attribute.NumberKind
			}
		}
		if spec.Kind == attribute.NamePartKind {
			continue
		}
		a := byKey[spec.Key]
		if a == nil {
			a = &preparedAttribute{key: spec.Key, kind: spec.Kind}
			byKey[spec.Key] = a
		}
		a.own += spec.Identifier.Definition()
		a.values = append(a.values, m.prepareValues(spec, given[written])...)
	}
	var list []preparedAttribute
	for _, key := range attribute.Names(byKey) {
		a := byKey[key]
		slices.SortFunc(a.values, func(x, y value) int { return strings.Compare(x.text, y.text) })
		a.values = slices.CompactFunc(a.values, func(x, y value) bool { return x.text == y.text })
		a.values = a.values[:min(len(a.values), attribute.MaxValues)]
		if len(a.values) > 0 {
			list = append(list, *a)
		}
	}
	return list[:min(len(list), maxAttributes)]
}

func allNumbers(values []string) bool {
	for _, s := range values {
		if _, ok := attribute.ParseNumber(s); !ok {
			return false
		}
	}
	return len(values) > 0
}

func (m *Model) prepareValues(spec attribute.Spec, written []string) []value {
	sorted := slices.Clone(written)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	var list []value
	for _, s := range sorted[:min(len(sorted), attribute.MaxValues)] {
		if v, ok := m.prepareValue(spec, strings.ToValidUTF8(s, "\uFFFD")); ok {
			list = append(list, v)
		}
	}
	return list
}

func (m *Model) prepareValue(spec attribute.Spec, s string) (value, bool) {
	head, rest := text.Cut(s, attribute.MaxValueRunes)
	v := value{text: head}
	if rest != "" {
		v.norm = rest // values that differ only past the bound stay different
	}
	var ok bool
	switch spec.Kind {
	case attribute.DateKind:
		v.date, ok = attribute.ParseDate(head)
	case attribute.IDKind, attribute.WeakIDKind:
		key, _ := spec.Identifier.Comparable(head)
		v.norm += key
		ok = v.norm != ""
	case attribute.EmailKind:
		v.norm, ok = spec.Identifier.Comparable(head)
		v.shared = ok && !spec.Identifier.Exclusive(v.norm)
	case attribute.PhoneKind:
		v.norm, ok = spec.Identifier.Comparable(head)
	case attribute.PostcodeKind:
		v.norm += text.Plain(head)
		ok = v.norm != ""
	case attribute.GenderKind:
		v.norm, ok = attribute.ParseGender(head)
	case attribute.CountryKind:
		if v.norm, v.listed = attribute.ParseCountry(head); !v.listed {
			v.norm = text.Plain(head) + rest
		}
		ok = v.norm != ""
	case attribute.NumberKind:
		v.number, ok = attribute.ParseNumber(head)
	case attribute.AmountKind:
		v.amount, ok = attribute.ParseAmount(head)
	default:
		v.norm += text.Plain(head)
		v.words = m.wordsOf(head, spec.Kind == attribute.AddressKind || spec.Kind == attribute.AddressPartKind)
		ok = len(v.words) > 0
	}
	return v, ok
}

// wordsOf returns the words of a text in order: without stop words, or with street words abbreviated in an
// address.
func (m *Model) wordsOf(s string, address bool) []token {
	var list []token
	for _, w := range splitWords(s, things) {
		if w.text == "" && w.native == "" || !address && IsStopWord(w.text) {
			continue
		}
		if short, ok := streetWords[w.text]; address && ok {
			w.text = short
		}
		m.finish(&w, things)
		list = append(list, w)
		if len(list) == maxTokens {
			break
		}
	}
	return list
}

var streetWords = map[string]string{
	"street": "st", "strasse": "st", "str": "st", "road": "rd", "avenue": "ave", "av": "ave", "lane": "ln", "drive": "dr",
	"boulevard": "blvd", "court": "ct", "place": "pl", "square": "sq", "apartment": "apt", "suite": "ste",
	"building": "bld", "bldg": "bld", "number": "no", "north": "n", "south": "s", "east": "e", "west": "w", "ulitsa": "ul", "way": "wy",
}

// compareAttributes adds the evidence of attributes that both profiles have, by a merge of two sorted lists.
// It returns the veto of the first attribute whose values contradict each other, "" if none does.
func compareAttributes(e *evidence, l, r *Prepared) (veto string) {
	whole := has(l, attribute.AddressKind) && has(r, attribute.AddressKind)
	i, j := 0, 0
	for i < len(l.attributes) && j < len(r.attributes) {
		a, b := &l.attributes[i], &r.attributes[j]
		switch c := strings.Compare(a.key, b.key); {
		case c < 0:
			i++
			continue
		case c > 0:
			j++
			continue
		}
		i, j = i+1, j+1
		if a.kind != b.kind || a.kind == attribute.AddressPartKind && whole {
			continue
		}
		if v := compareValues(e, a, b); veto == "" {
			veto = v
		}
	}
	return veto
}

func has(p *Prepared, k attribute.Kind) bool {
	for i := range p.attributes {
		if p.attributes[i].kind == k {
			return true
		}
	}
	return false
}

// found is the result of comparing two values.
type found struct {
	feature attrFeature
	rank    int // the pair of values with the highest rank counts
	by      float64
	info    float64
	none    bool // the values cannot be compared
	// contrary: no entity has both values, where an entity has but one
	contrary bool
	// slip: years that differ in one digit
	slip bool
	// exact: contrary dates that are told to the day, and years apart or with nothing in common
	exact bool
}

// compareValues compares two attributes by their best pair of values. It returns a veto if an entity has but one such
// value and the two have none in common.
func compareValues(e *evidence, a, b *preparedAttribute) (veto string) {
	best := found{none: true}
	var x, y *value
	for i := range a.values {
		for j := range b.values {
			f := compareValue(a.kind, &a.values[i], &b.values[j])
			if !f.none && (best.none || f.rank > best.rank || f.rank == best.rank && f.info > best.info) {
				best, x, y = f, &a.values[i], &b.values[j]
			}
		}
	}
	if best.none {
		return ""
	}
	e.add(best.feature, best.by, x.text, y.text)
	if best.info > 0 {
		e.add(textInfo, best.info/6, x.text, y.text)
	}
	if best.feature == emailEqual || best.feature == idEqual && a.kind == attribute.IDKind {
		e.exclusive = true
	}
	if !best.contrary {
		return ""
	}
	if a.key == birthDate {
		e.born = best
	}
	return a.veto()
}

// veto returns the veto of contrary values of the attribute, "" if an entity may have several.
func (a *preparedAttribute) veto() string {
	switch {
	case a.kind == attribute.IDKind:
		return VetoIdentifier
	case a.key == birthDate:
		return VetoBirthDate
	}
	return ""
}

const birthDate = attribute.BirthDate

func compareValue(kind attribute.Kind, x, y *value) found {
	switch kind {
	case attribute.DateKind:
		return compareDates(x.date, y.date)
	case attribute.IDKind:
		return compareIDs(x.norm, y.norm, idDiffers)
	case attribute.WeakIDKind:
		return compareIDs(x.norm, y.norm, idOther)
	case attribute.EmailKind:
		return compareEmails(x, y)
	case attribute.PhoneKind:
		return comparePhones(x.norm, y.norm)
	case attribute.AddressKind:
		return compareAddresses(x, y)
	case attribute.PostcodeKind:
		return comparePostcodes(x.norm, y.norm)
	case attribute.GenderKind:
		return either(x.norm == y.norm, genderEqual, genderDiffers)
	case attribute.CountryKind:
		if x.listed != y.listed {
			return found{none: true} // what is no country may lie in one
		}
		return either(x.norm == y.norm, countryEqual, countryDiffers)
	case attribute.NumberKind:
		return compareNumbers(x.number, y.number)
	case attribute.AmountKind:
		return compareAmounts(x.amount, y.amount)
	}
	return compareTexts(x, y)
}

func either(equal bool, yes, no attrFeature) found {
	if equal {
		return found{feature: yes, rank: 1, by: 1}
	}
	return found{feature: no, by: 1}
}
