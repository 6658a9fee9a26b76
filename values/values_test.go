package values_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenure/values"
)

// spellings are values, each in its spellings: those of one line are equal, those of two lines are not.
var spellings = [][]any{
	{1500, 1500.0, "1500", "1,500", "1 500", "1'500", "1.5k", "1,500.00", "+1500", "1.5e3"},
	{15, "15", "fifteen", "15.0"},
	{0.15, "15%", "15 %", "15 percent", "0,15", "15 Prozent", "150‰", "1500 bps", ".15"},
	{-0.15, "-15%", "−15 %"},
	{1234567.89, "1,234,567.89", "1.234.567,89", "1 234 567,89", "12,34,567.89"},
	{"$1,500", "$1500", "1500 USD", "US$ 1,500.00", "1.5k dollars", "$1.5K", "USD 1500"},
	{"-$1,500", "($1,500)", "$-1500"},
	{"€1.500,00", "1500 EUR", "1.500,00 €", "EUR 1500"},
	{"CA$1500", "C$1,500", "$1,500 CAD"},
	{"$5m", "5 million dollars", "$5,000,000", "USD 5M"},
	{"$5 per month", "$5/mo", "5 USD monthly", "$5 a month"},
	{"50 cents", "$0.50"},
	{"5 km", "5000 m", "5 kilometres", "5,000 meters"},
	{"5 ft 11 in", `5'11"`, "71 inches"},
	{"5 m2", "5 m²", "5 sqm"},
	{"20 °C", "68 °F", "20 degrees Celsius", "20°C"},
	{"100 GB", "100GB", "100 gigabytes", "0.1 TB"},
	{"100 GiB", "102400 MiB"},
	{"90 min", "1.5 h", "1h 30m", "1 hour and 30 minutes", "PT1H30M", "5400 seconds"},
	{"2 years", "24 months", "P2Y"},
	{"14 days", "2 weeks", "P14D"},
	{"1,500 users", "1500 user"},
	{"2025-09-03", "3 Sep 2025", "September 3rd, 2025", "3.9.2025", "Wed, 3 September 2025", "2025/9/3", "3 septembre 2025", "2025年9月3日", "3rd of September 2025"},
	{"2025-04-13", "13/04/2025", "04/13/2025"},
	{"03/04/2025"},
	{"04/03/2025"},
	{"2025-03-04"},
	{"2025-09", "September 2025", "Sept. 2025", "09/2025"},
	{"Q3 2025", "2025-Q3", "third quarter of 2025"},
	{"4 May", "May 4th", "--05-04"},
	{"14:30", "2:30 pm", "2:30PM", "14h30", "14.30 Uhr", "14:30:00"},
	{"2:30", "2:30 am"},
	{"noon", "12:00", "12 pm"},
	{"2025-09-03 14:30", "3 Sep 2025 at 2:30 pm", "2025-09-03T14:30:00"},
	{"2025-09-03T14:30:00+02:00", "2025-09-03T12:30:00Z", "Wed, 03 Sep 2025 12:30:00 GMT", "2025-09-03 14:30 CEST"},
	{true, "true", "yes", "Ja", "oui"},
	{false, "false", "no", "NEIN"},
	{"+49 30 123456", "+4930123456", "0049 30 123456", "tel:+49-30-123456", "+49 (0)30 123456"},
	{"(555) 123-4567", "+1 555 123 4567", "555-123-4567"},
	{"ada@example.org", "Ada@Example.org", "mailto:ada@example.org", "Ada Novak <ada@example.org>"},
	{"https://www.example.com/", "example.com", "http://example.com", "https://EXAMPLE.com"},
	{"https://example.com/Path?q=1", "example.com/Path?q=1"},
	{"https://example.com/path?q=1"},
	{"5-7", "5 to 7", "between 5 and 7", "5 – 7"},
	{"5-8"},
	{"the Annex", "The Annex.", "  the  ANNEX "},
	{"Acme, Inc.", "Acme Inc", "ACME Incorporated"},
	{"Novak, Ada", "Ada Novak"},
	{"Smith & Sons", "Smith and Sons"},
	{"U.S.A.", "USA"},
	{"007"}, {"7"},
	{"v1.10"}, {"v1.1"},
	{"Zürich", "Zu\u0308rich"}, {"Zurich"},
	{"10.0.0.1"}, {"10.0.0.10"},
	{"Studio 9", "studio 9"},
	{"none"},
	{nil, "", "unknown", "TBD", "n/a", "N/A", "-", "?", "to be determined", "unbekannt"},
}

func parse(t testing.TB, v any) values.Value {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	p, err := values.Parse(raw)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return p
}

func TestSpellingsOfOneValueAreEqual(t *testing.T) {
	line := map[string]int{}
	for i, list := range spellings {
		for _, s := range list {
			form := parse(t, s).Canonical()
			if first := parse(t, list[0]).Canonical(); form != first {
				t.Errorf("%v is %s, and %v is %s", list[0], first, s, form)
			}
			if at, ok := line[form]; ok && at != i {
				t.Errorf("%v is the same as %v: %s", s, spellings[at][0], form)
			}
			line[form] = i
		}
	}
}

func TestWhatIsAmbiguousIsNotGuessed(t *testing.T) {
	v := values.Of("03/04/2025")
	if v.Kind != values.Text || !strings.Contains(v.Ambiguous, "2025-04-03") || !strings.Contains(v.Ambiguous, "2025-03-04") {
		t.Errorf("03/04/2025 is %s, %q", v.Canonical(), v.Ambiguous)
	}
	for _, s := range []string{"13/04/2025", "3 Sep 2025", "Oslo"} {
		if v := values.Of(s); v.Ambiguous != "" {
			t.Errorf("%s is ambiguous: %s", s, v.Ambiguous)
		}
	}
}

func TestWordsAreComparedAsWords(t *testing.T) {
	if a, b := values.OfText("15 %"), values.OfText("0.15"); a.Canonical() == b.Canonical() {
		t.Error("as text 15 % is 0.15")
	}
	if a, b := values.OfText("The Annex."), values.OfText("the  annex"); a.Canonical() != b.Canonical() {
		t.Errorf("%s and %s", a.Canonical(), b.Canonical())
	}
}

func TestJSONThatIsRefused(t *testing.T) {
	for _, raw := range []string{``, `{`, `1e9999`, "1" + strings.Repeat("0", 500)} {
		if v, err := values.Parse(json.RawMessage(raw)); err == nil {
			t.Errorf("%.20s is read as %.20s", raw, v.Canonical())
		}
	}
}

// FuzzOf checks that no text is too odd, and that space around it and a full stop after it make no difference.
func FuzzOf(f *testing.F) {
	for _, list := range spellings {
		for _, s := range list {
			if s, ok := s.(string); ok {
				f.Add(s)
			}
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		form := values.Of(s).Canonical()
		if again := values.Of(s).Canonical(); again != form {
			t.Errorf("%q is %s, then %s", s, form, again)
		}
		if len(s) < 100 {
			if spaced := values.Of("  " + s + " ").Canonical(); spaced != form {
				t.Errorf("%q is %s, and with space around it %s", s, form, spaced)
			}
		}
	})
}
