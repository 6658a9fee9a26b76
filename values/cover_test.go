package values_test

import (
	"testing"

	"tenure/grain"
	"tenure/values"
)

// TestWhatIsFiner checks chains of values, each finer than all before it.
func TestWhatIsFiner(t *testing.T) {
	for _, chain := range [][]any{
		{"5-7", 6},
		{"5-7", "5"},
		{"1-10", "5 to 7", "6"},
		{"10-20%", "15%"},
		{"$1,000-$2,000", "$1.5k"},
		{"5-7 days", "6 days"},
		{"5-9 km", "6000 m"},
		{"2025", "Q3 2025", "September 2025", "2025-09-03", "2025-09-03 14:30", "2025-09-03T14:30:00+02:00"},
		{2025, "2025-H2", "Q3 2025"},
		{"2025", "2025-W36", "3 Sep 2025"},
		{"4 May", "1990-05-04"},
		{"2025-09-03", "2025-09-03T23:30:00-08:00"},
		{"Oslo", "Oslo, Norway", "Frogner, Oslo, Norway"},
		{"Norway", "Oslo, Norway"},
		{"norge", "Oslo, Norge"},
		{"Texas", "Austin, Texas", "Austin, Texas, USA"},
		{"Paris", "Paris, TX"},
		{"New York", "New York, NY"},
		{"Tbilisi", "Tbilisi, Georgia"},
	} {
		for i, a := range chain {
			for k, b := range chain {
				if got := parse(t, a).Grain().Covers(parse(t, b).Grain()); got != (i < k) {
					t.Errorf("%v covers %v: %v", a, b, got)
				}
			}
		}
	}
}

func TestWhatIsNotFiner(t *testing.T) {
	for _, pair := range [][2]any{
		{"5-7", 8},
		{"5-7", "6 days"},
		{"5-7 days", "6 hours"},
		{"5-7", "6-8"},
		{"$1,000-$2,000", "1500 EUR"},
		{"$5-$7", "$6/hour"},
		{6, 6},
		{"7-5", 6},
		{"2025", "2026-01-01"},
		{"Q3 2025", "2025-10-01"},
		{"2025-09", "2025-10-01T00:30:00+02:00"},
		{"4 May", "1990-05-05"},
		{"4 May", "2025"},
		{"$2,025", "2025-09-03"},
		{"red", "red, green"},
		{"Red", "Red, Green"},
		{"Ada", "Ada, Kofi"},
		{"Alice", "Alice, Bob, Carol"},
		{"Norway", "Norway, Sweden"},
		{"Texas", "Texas, California"},
		{"Oslo", "Bergen, Norway"},
		{"Room 4", "Room 4, Norway"},
		{"Oslo, Norway", "Oslo, Minnesota"},
		{"unknown", "Oslo"},
		{true, "Oslo, Norway"},
	} {
		a, b := parse(t, pair[0]), parse(t, pair[1])
		if grain.Compatible(a.Grain(), b.Grain()) {
			t.Errorf("%v and %v are compatible", pair[0], pair[1])
		}
	}
}

func TestTheSpellingThatSaysMoreOfTheGrain(t *testing.T) {
	oslo, plain := values.Of("Oslo, Norway"), values.Of("Norway Oslo")
	if oslo.Canonical() != plain.Canonical() {
		t.Fatalf("%s is not %s", oslo.Canonical(), plain.Canonical())
	}
	for _, g := range []*grain.Grain{grain.Finer(oslo.Grain(), plain.Grain()), grain.Finer(plain.Grain(), oslo.Grain())} {
		if !values.Of("Oslo").Grain().Covers(g) {
			t.Error("the parts are lost")
		}
	}
}

func TestNoValueOfWords(t *testing.T) {
	for s, want := range map[string]values.Kind{"": values.None, "TBD": values.None, "Oslo": values.Text, "15 %": values.Text} {
		if v := values.OfWords(s); v.Kind != want {
			t.Errorf("%q is %s", s, v.Kind)
		}
	}
}
