package similarity

import (
	"fmt"
	"strings"

	"tenure"
	"tenure/text"
)

// BlockingAttributeKeys lists the blocking keys of attributes, under which candidates are found whose names
// share no key: identifiers of any strength, dates of birth, telephone numbers, house number and street. The
// keys are lossy: they propose candidates and decide nothing. own lists the kinds that the tenant has
// defined.
func BlockingAttributeKeys(attributes map[string][]string, own []tenure.IdentifierKind) []tenure.AliasKey {
	var forms []tenure.AliasKey
	for _, name := range SortedKeys(attributes) {
		spec, known := specOf(AttributeKey(name), own)
		if !known {
			continue
		}
		for _, v := range attributes[name][:min(len(attributes[name]), maxValues)] {
			head, _ := text.Cut(strings.ToValidUTF8(v, "\uFFFD"), maxValueRunes)
			if key := blockingValue(spec, head); key != "" {
				forms = append(forms, tenure.AliasKey{Kind: "attribute." + spec.key, Key: key})
			}
		}
	}
	return forms
}

// blockingValue returns the blocking key of a value, "" if too many entities would share the key.
func blockingValue(spec attributeSpec, s string) string {
	switch spec.kind {
	case idKind, weakIDKind, emailKind, phoneKind:
		key, _ := spec.identifier.comparable(s)
		return key
	case dateKind:
		d, ok := parseDate(s)
		if !ok || spec.key != "dob" || d.month == 0 || d.day == 0 {
			return ""
		}
		return fmt.Sprintf("%d-%d-%d", d.year, min(d.month, d.day), max(d.month, d.day)) // sorted, so that day-first and month-first dates share a key
	case addressKind:
		return houseAndStreet(s)
	}
	return ""
}

// houseAndStreet returns the first number of an address and the word after it.
func houseAndStreet(s string) string {
	fields := strings.FieldsFunc(text.Plain(s), func(r rune) bool { return r == ' ' || r == ',' })
	for i, f := range fields[:max(len(fields)-1, 0)] {
		if text.AllDigits(f) {
			return f + " " + fields[i+1]
		}
	}
	return ""
}
