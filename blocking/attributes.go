package blocking

import (
	"fmt"
	"strings"

	"tenure"
	"tenure/attribute"
	"tenure/text"
)

// AttributeKeys lists the blocking keys of attributes, under which candidates are found whose names
// share no key: identifiers of any strength, dates of birth, telephone numbers, house number and street. The
// keys are lossy: they propose candidates and decide nothing. own lists the kinds that the tenant has
// defined.
func AttributeKeys(attributes map[string][]string, own []tenure.IdentifierKind) []tenure.AliasKey {
	var keys []tenure.AliasKey
	for _, name := range attribute.Names(attributes) {
		spec, known := attribute.Lookup(attribute.Key(name), own)
		if !known {
			continue
		}
		for _, v := range attributes[name][:min(len(attributes[name]), attribute.MaxValues)] {
			head, _ := text.Cut(strings.ToValidUTF8(v, "\uFFFD"), attribute.MaxValueRunes)
			if key := blockingValue(spec, head); key != "" {
				keys = append(keys, tenure.AliasKey{Kind: "attribute." + spec.Key, Key: key})
			}
		}
	}
	return keys
}

// blockingValue returns the blocking key of a value, "" if too many entities would share the key.
func blockingValue(spec attribute.Spec, s string) string {
	switch spec.Kind {
	case attribute.IDKind, attribute.WeakIDKind, attribute.EmailKind, attribute.PhoneKind:
		key, _ := spec.Identifier.Comparable(s)
		return key
	case attribute.DateKind:
		d, ok := attribute.ParseDate(s)
		if !ok || spec.Key != "dob" || d.Month == 0 || d.Day == 0 {
			return ""
		}
		// sorted, so that day-first and month-first dates share a key
		return fmt.Sprintf("%d-%d-%d", d.Year, min(d.Month, d.Day), max(d.Month, d.Day))
	case attribute.AddressKind:
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
