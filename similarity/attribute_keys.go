package similarity

import (
	"fmt"
	"strings"

	"tenure"
	"tenure/text"
)

// BlockingAttributeKeys lists lossy forms of attributes under which two that are the
// same meet even where their names do not: identifiers of any strength, dates of
// birth, telephones, the number and street of an address. They propose
// candidates and decide nothing. Own are the kinds that the tenant has defined.
func BlockingAttributeKeys(attributes map[string][]string, own []tenure.IdentifierKind) []tenure.AliasKey {
	var forms []tenure.AliasKey
	for _, name := range SortedKeys(attributes) {
		spec, known := specOf(AttributeKey(name), own)
		if !known {
			continue
		}
		for _, v := range attributes[name][:min(len(attributes[name]), maxValues)] {
			head, _ := text.Cut(strings.ToValidUTF8(v, "\uFFFD"), maxRunes)
			if key := blockingValue(spec, head); key != "" {
				forms = append(forms, tenure.AliasKey{Kind: "attribute." + spec.key, Key: key})
			}
		}
	}
	return forms
}

// blockingValue is the key of a value, "" for one that too many share.
func blockingValue(spec attributeSpec, s string) string {
	switch spec.kind {
	case idKind, weakIDKind:
		return spec.identifier.comparable(s)
	case emailKind:
		k, _ := email(s)
		return k
	case phoneKind:
		k, _ := phoneDigits(s, spec.identifier.region)
		return k
	case dateKind:
		d, ok := parseDate(s)
		if !ok || spec.key != "dob" || d.month == 0 || d.day == 0 {
			return ""
		}
		return fmt.Sprintf("%d-%d-%d", d.year, min(d.month, d.day), max(d.month, d.day)) // whichever is the month
	case addressKind:
		return houseAndStreet(s)
	}
	return ""
}

// houseAndStreet is the first number of an address with the word after it.
func houseAndStreet(s string) string {
	fields := strings.FieldsFunc(plainText(s), func(r rune) bool { return r == ' ' || r == ',' })
	for i, f := range fields[:max(len(fields)-1, 0)] {
		if digits(f) {
			return f + " " + fields[i+1]
		}
	}
	return ""
}
