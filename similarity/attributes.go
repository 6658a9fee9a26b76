package similarity

import (
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// preparedAttribute holds the values of a profile under one key, prepared for comparison.
type preparedAttribute struct {
	key    string
	kind   attrKind
	own    string // the tenant's definitions in one string, which the profile's key includes; "" if there are none
	values []value
}

type value struct {
	text   string // as written, truncated
	norm   string // normal form; equal values have equal norms
	date   date
	words  []token
	number int
	shared bool // a shared mailbox, such as info@
}

func (m *Model) prepareAttributes(given map[string][]string, own []tenure.IdentifierKind) []preparedAttribute {
	byKey := map[string]*preparedAttribute{}
	for _, written := range SortedKeys(given) {
		key := AttributeKey(written)
		spec, known := specOf(key, own)
		if !known {
			spec = attributeSpec{key: key}
			if allNumbers(given[written]) {
				spec.kind = numberKind
			}
		}
		if spec.kind == partOfName {
			continue
		}
		a := byKey[spec.key]
		if a == nil {
			a = &preparedAttribute{key: spec.key, kind: spec.kind}
			byKey[spec.key] = a
		}
		a.own += spec.identifier.definition()
		a.values = append(a.values, m.prepareValues(spec, given[written])...)
	}
	var list []preparedAttribute
	for _, key := range SortedKeys(byKey) {
		a := byKey[key]
		slices.SortFunc(a.values, func(x, y value) int { return strings.Compare(x.text, y.text) })
		a.values = slices.CompactFunc(a.values, func(x, y value) bool { return x.text == y.text })
		a.values = a.values[:min(len(a.values), maxValues)]
		if len(a.values) > 0 {
			list = append(list, *a)
		}
	}
	return list[:min(len(list), maxAttributes)]
}

func allNumbers(values []string) bool {
	for _, s := range values {
		if _, ok := number(s); !ok {
			return false
		}
	}
	return len(values) > 0
}

func (m *Model) prepareValues(spec attributeSpec, written []string) []value {
	sorted := slices.Clone(written)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	var list []value
	for _, s := range sorted[:min(len(sorted), maxValues)] {
		if v, ok := m.prepareValue(spec, strings.ToValidUTF8(s, "\uFFFD")); ok {
			list = append(list, v)
		}
	}
	return list
}

func (m *Model) prepareValue(spec attributeSpec, s string) (value, bool) {
	head, rest := text.Cut(s, maxValueRunes)
	v := value{text: head}
	if rest != "" {
		v.norm = rest // values that differ only past the bound stay different
	}
	var ok bool
	switch spec.kind {
	case dateKind:
		v.date, ok = parseDate(head)
	case idKind, weakIDKind:
		key, _ := spec.identifier.comparable(head)
		v.norm += key
		ok = v.norm != ""
	case emailKind:
		v.norm, ok = spec.identifier.comparable(head)
		v.shared = ok && !spec.identifier.exclusive(v.norm)
	case phoneKind:
		v.norm, ok = spec.identifier.comparable(head)
	case postcodeKind:
		v.norm += text.Plain(head)
		ok = v.norm != ""
	case genderKind:
		v.norm, ok = gender(head)
	case numberKind:
		v.number, ok = number(head)
	default:
		v.norm += text.Plain(head)
		v.words = m.wordsOf(head, spec.kind == addressKind || spec.kind == addressPartKind)
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
// It returns the key of the first exclusive identifier that contradicts, "" if none does.
func compareAttributes(e *evidence, l, r *Prepared) (contradiction string) {
	whole := has(l, addressKind) && has(r, addressKind)
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
		if a.kind != b.kind || a.kind == addressPartKind && whole {
			continue
		}
		if compareValues(e, a, b) && contradiction == "" {
			contradiction = a.key
		}
	}
	return contradiction
}

func has(p *Prepared, k attrKind) bool {
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
}

// compareValues compares two attributes by their best pair of values and reports whether they are exclusive
// identifiers without a value in common.
func compareValues(e *evidence, a, b *preparedAttribute) bool {
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
		return false
	}
	e.add(best.feature, best.by, x.text, y.text)
	if best.info > 0 {
		e.add(textInfo, best.info/6, x.text, y.text)
	}
	// An identifier that differs in one character contradicts too: relatives often have consecutive numbers.
	return (best.feature == idDiffers || best.feature == idClose) && a.kind == idKind
}

func compareValue(kind attrKind, x, y *value) found {
	switch kind {
	case dateKind:
		return compareDates(x.date, y.date)
	case idKind:
		return compareIDs(x.norm, y.norm, idDiffers)
	case weakIDKind:
		return compareIDs(x.norm, y.norm, idOther)
	case emailKind:
		return compareEmails(x, y)
	case phoneKind:
		return comparePhones(x.norm, y.norm)
	case addressKind:
		return compareAddresses(x, y)
	case postcodeKind:
		return comparePostcodes(x.norm, y.norm)
	case genderKind:
		return either(x.norm == y.norm, genderEqual, genderDiffers)
	case countryKind:
		if x.norm != y.norm && (len(x.norm) <= 3) != (len(y.norm) <= 3) {
			return found{none: true} // a country code cannot be compared with a country name
		}
		return either(x.norm == y.norm, countryEqual, countryDiffers)
	case numberKind:
		return compareNumbers(x.number, y.number)
	}
	return compareTexts(x, y)
}

func either(equal bool, yes, no attrFeature) found {
	if equal {
		return found{feature: yes, rank: 1, by: 1}
	}
	return found{feature: no, by: 1}
}
