package attribute_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"tenure"
	"tenure/attribute"
)

// FuzzParsers holds the parsers of dates and numbers to their ranges.
func FuzzParsers(f *testing.F) {
	for _, s := range []string{"1970-03-01", "3/1/70", "17-May-90", "19700301", "circa 1965", "1965t00", "99999999",
		"1,200.50 EUR", "1e309", "-", "٣/٣/٢٠٠٠", "+12"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		within := func(n, most int) bool { return 0 <= n && n <= most }
		if d, ok := attribute.ParseDate(s); ok && (!within(d.Year, 9999) || !within(d.Month, 12) || !within(d.Day, 31)) {
			t.Errorf("ParseDate(%q) = %+v", s, d)
		}
		if n, ok := attribute.ParseNumber(s); ok {
			if again, ok := attribute.ParseNumber(strconv.Itoa(n)); !ok || again != n || n < 0 {
				t.Errorf("ParseNumber(%q) = %d, and then %d", s, n, again)
			}
		}
		if a, ok := attribute.ParseAmount(s); ok && (math.IsNaN(a) || math.IsInf(a, 0)) {
			t.Errorf("ParseAmount(%q) = %g", s, a)
		}
	})
}

// FuzzIdentifiers holds that an identifier has no more keys than a value can have spellings, and none that is empty.
func FuzzIdentifiers(f *testing.F) {
	for i, kind := range attribute.BuiltinKinds() {
		f.Add(kind, []string{"X1234567", "lena@saltmarsh.example", "+49 30 901820", "DE89 3704 0044 0532 0130 00"}[i%4])
	}
	f.Add("e-mail", "(")
	f.Fuzz(func(t *testing.T, kind, value string) {
		m := tenure.Mention{Attributes: map[string][]string{kind: {value}}}
		list := attribute.Identifiers(m)
		if len(list) > 16 {
			t.Errorf("%s %q has %d keys", kind, value, len(list))
		}
		for _, id := range list {
			if id.AliasKey.Key == "" || id.AliasKey.Kind == "" {
				t.Errorf("%s %q has the key %+v", kind, value, id.AliasKey)
			}
		}
		twice := attribute.Identifiers(tenure.Mention{Attributes: map[string][]string{kind: {value, value}}})
		if !slices.Equal(list, twice) {
			t.Errorf("%s %q said twice is %+v, not %+v", kind, value, twice, list)
		}
	})
}
