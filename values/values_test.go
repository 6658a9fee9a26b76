package values_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenure/values"
)

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
		v := values.Of(s)
		form := v.Canonical()
		if v.Kind == values.Text { // a form is its own spelling
			words := values.OfText(s).Canonical()
			if again := values.OfText(strings.TrimPrefix(words, "text:")).Canonical(); again != words {
				t.Errorf("%q is %s, and that is %s", s, words, again)
			}
		}
		if v.Ambiguous != "" && v.Kind != values.Text {
			t.Errorf("%q is ambiguous, and %s", s, form)
		}
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

// TestHours checks that a part of a day is one value in both ways of writing the hours, and that hyphens between words
// tell nothing apart.
func TestHours(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2 pm - 6 pm", "14:00-18:00", true},
		{"2pm–6pm", "14:00 to 18:00", true},
		{"from 9 am to 12 pm", "09:00-12:00", true},
		{"between 9:30 and 11:00", "9.30 am - 11 am", true},
		{"2 pm - 6 pm", "14:00-17:00", false},
		{"2 pm - 6 pm", "2 am - 6 am", false},
		{"14:00-18:00", "14:00", false},
		{"14:00-05:00", "14:00 to 17:00", false},
		{"in progress", "In-Progress", true},
		{"Follow-up needed", "follow up needed", true},
		{"F-16", "F 16", false},
		{"re-sign", "resign", false},
	} {
		if got := values.Of(c.a).Canonical() == values.Of(c.b).Canonical(); got != c.same {
			t.Errorf("%q and %q: %v (%s, %s)", c.a, c.b, got, values.Of(c.a).Canonical(), values.Of(c.b).Canonical())
		}
	}
}
