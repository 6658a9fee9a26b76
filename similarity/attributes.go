package similarity

import (
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// attribute holds the values of a profile under one key, prepared for comparison.
type attribute struct {
	key    string
	kind   attrKind
	own    string // the tenant's definitions in one string, "" if there are none
	values []value
}

// define records a tenant's definition. The definition is part of the profile's key, because the same values
// compare differently under another definition.
func (a *attribute) define(k *identifierKind) {
	if k != nil && (k.own || k.region != "") {
		a.own += fmt.Sprint(k.compare, " ", k.normalizer, " ", k.region, ";")
	}
}

type value struct {
	text   string // as written, truncated
	norm   string // normal form; equal values have equal norms
	date   date
	words  []token
	number int
	shared bool // a shared mailbox, such as info@
}

// attrKind selects how the values of an attribute are compared.
type attrKind uint8

const (
	textKind attrKind = iota
	partOfName
	dateKind
	idKind
	weakIDKind
	emailKind
	phoneKind
	addressKind
	addressPartKind
	postcodeKind
	genderKind
	countryKind
	numberKind
)

// descriptions lists the attributes that describe and do not identify, each with its kind of comparison, its
// key and its spellings. Any other attribute that is not an identifier is compared as text, or as numbers if
// all its values are numbers.
var descriptions = []struct {
	key       string
	kind      attrKind
	spellings string
}{
	{"", partOfName, "first_name middle_name last_name given_name family_name surname name firstname middlename lastname"},
	{"dob", dateKind, "dob birth_date date_of_birth birthdate"},
	{"date", dateKind, "date"},
	{"founded", dateKind, "founded incorporated"},
	{"died", dateKind, "died"},
	{"address", addressKind, "address"},
	{"postcode", postcodeKind, "postcode zip postal_code"},
	{"address_1", addressPartKind, "address_1 street"},
	{"address_2", addressPartKind, "address_2"},
	{"street_number", addressPartKind, "street_number"},
	{"suburb", addressPartKind, "suburb city"},
	{"state", addressPartKind, "state"},
	{"gender", genderKind, "gender sex"},
	{"nationality", countryKind, "nationality citizen citizenship"},
	{"country", countryKind, "country"},
	{"year", numberKind, "year"},
}

func (m *Model) prepareAttributes(given map[string][]string, own []tenure.IdentifierKind) []attribute {
	byKey := map[string]*attribute{}
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
			a = &attribute{key: spec.key, kind: spec.kind}
			byKey[spec.key] = a
		}
		a.define(spec.identifier)
		a.values = append(a.values, m.prepareValues(spec, given[written])...)
	}
	var list []attribute
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
		if s = strings.TrimSpace(s); s == "" || len(s) > 9 || !digits(s) {
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
	head, rest := text.Cut(s, maxRunes)
	v := value{text: head}
	if rest != "" {
		v.norm = rest // values that differ only past the bound stay different
	}
	var ok bool
	switch spec.kind {
	case dateKind:
		v.date, ok = parseDate(head)
	case idKind, weakIDKind:
		v.norm += spec.identifier.comparable(head)
		ok = v.norm != ""
	case emailKind:
		key, valid := email(head)
		v.norm, ok = key, valid
		v.shared = valid && !personalMailbox(key)
	case phoneKind:
		v.norm, ok = phoneDigits(head, spec.identifier.region)
	case postcodeKind:
		v.norm += plainText(head)
		ok = v.norm != ""
	case genderKind:
		v.norm, ok = gender(head)
	case numberKind:
		v.number, ok = number(head)
	default:
		v.norm += plainText(head)
		v.words = m.wordsOf(head, spec.kind == addressKind || spec.kind == addressPartKind)
		ok = len(v.words) > 0
	}
	return v, ok
}

// comparable returns the normal form in which identifiers are compared: the alias key of a tenant's own kind;
// for other kinds the letters and digits of the alias key, so that identifiers with equal alias keys always
// compare as equal.
func (k *identifierKind) comparable(s string) string {
	key, ok := k.normalize(s)
	switch {
	case k.own:
		return key
	case ok:
		return identifierKey(key)
	}
	return identifierKey(s)
}

// identifierKey drops spaces, punctuation and a country in brackets at the end: "112233 (NV)" becomes
// "112233".
func identifierKey(s string) string {
	if i := strings.LastIndexByte(s, '('); i > 0 && strings.HasSuffix(strings.TrimSpace(s), ")") {
		s = s[:i]
	}
	return text.PlainASCII(text.Fold(s))
}

// plainText folds a value and collapses its white space.
func plainText(s string) string {
	return strings.Join(strings.Fields(text.Fold(s)), " ")
}

func gender(s string) (string, bool) {
	switch plainText(s) {
	case "m", "male", "man":
		return "m", true
	case "f", "female", "woman":
		return "f", true
	}
	return "", false
}

func number(s string) (int, bool) {
	n := 0
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 9 || !digits(s) {
		return 0, false
	}
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

// wordsOf returns the words of a text in order: without stop words, or with street words abbreviated in an
// address.
func (m *Model) wordsOf(s string, address bool) []token {
	var list []token
	for _, w := range splitWords(s, things) {
		if w.text == "" && w.native == "" || !address && stopWords[w.text] {
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
func compareValues(e *evidence, a, b *attribute) bool {
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
