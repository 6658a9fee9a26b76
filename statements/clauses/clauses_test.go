package clauses_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/statements/clauses"
	"tenure/statements/lex"
)

func divided(text, language string) []clauses.Clause {
	return clauses.Of(text, lex.Tokens(text), language)
}

func TestOf(t *testing.T) {
	for _, c := range []struct{ text, language, want string }{
		{"The price is 4 euros and the room is 12.", "en", "The price is 4 euros | and the room is 12"},
		{"Ask Dr. Weiss. Is it so?", "en", "Ask Dr. Weiss | Is it so"},
		{"um, the the code you know is 4711", "en", "the code is 4711"},
		{"- colour: black\n- size: 4", "en", "colour: black | size: 4"},
		{"room 12, no, room 14", "en", "room 12, no, room 14"},
		{"ja, das Treffen ist am Freitag", "de", "ja | das Treffen ist am Freitag"},
		{" ... ", "en", ""},
	} {
		var list []string
		for _, k := range divided(c.text, c.language) {
			list = append(list, k.Between(0, len(k.Tokens)))
		}
		if got := strings.Join(list, " | "); got != c.want {
			t.Errorf("%q is %q, not %q", c.text, got, c.want)
		}
	}
	list := divided("The limit is 4.\n- is it 5, or 6?", "en")
	if len(list) != 2 || list[0].Asked || list[0].Item || !list[1].Asked || !list[1].Item || !list[1].Opens ||
		list[0].Sentence == list[1].Sentence || list[0].Line == list[1].Line {
		t.Errorf("%+v", list)
	}
	if n := len(divided(strings.Repeat("It is 4. ", 2000), "en")); n != 500 {
		t.Errorf("%d clauses", n)
	}
}

func TestFindVerb(t *testing.T) {
	for text, want := range map[string]string{
		"the printer lives in room 204": "lives", "Anna's room is 12": "is", "send the report to Bo": "send", "desk 4C": "",
		"she wants to move": "wants", "a May day": "", "it may be Friday": "may", "the colour's teal": "'s",
	} {
		got := ""
		for _, c := range divided(text, "en") {
			if i := clauses.FindVerb(c.Tokens, 0); i >= 0 {
				got = c.Tokens[i].Low
			}
		}
		if got != want {
			t.Errorf("the verb of %q is %q, not %q", text, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"we met Ida Holm in room 204 on 5 June at 8:30", []string{"Ida Holm name", "room 204 name", "5 June date", "8:30 time"}},
		{"it costs 42 euros per month or $1,500", []string{"42 euros per month money", "$1,500 money"}},
		{"OPS-311 is on hold until Friday", []string{"OPS-311 code", "Friday weekday"}},
		{`she calls it "on hold" now`, []string{`"on hold" text`}},
		{"one of us may leave", nil},
	} {
		k := divided(c.text, "en")[0]
		var got []string
		for _, v := range k.Values(0, len(k.Tokens), nil) {
			if v.Empty() {
				t.Errorf("%q has the value %+v", c.text, v)
			}
			got = append(got, k.Between(v.Lo, v.Hi)+" "+v.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q has %q, not %q", c.text, got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	said := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC) // a Wednesday
	for _, c := range []struct {
		text                string
		day                 string
		starts, ends, since bool
	}{
		{"it is 40 euros from 1 May", "2026-05-01", true, false, false},
		{"it is closed until Monday", "2026-03-09", false, true, false},
		{"it has been 4 since 2 March", "2026-03-02", true, false, true},
		{"the April newsletter is late", "", false, false, false},
	} {
		k := divided(c.text, "en")[0]
		var first clauses.Time
		day := ""
		if list := k.Times(0, said); len(list) > 0 {
			first, day = list[0], list[0].At.Format(time.DateOnly)
		}
		if day != c.day || first.Starts != c.starts || first.Ends != c.ends || first.Since != c.since {
			t.Errorf("%q: %+v", c.text, first)
		}
	}
	k := divided("run log 2022: 4 runs", "en")[0]
	if h, ok := k.PastYear(2026); !ok || k.Between(h.From, h.To) != "2022" {
		t.Errorf("no year is over: %+v", h)
	}
	if _, ok := k.PastYear(2022); ok {
		t.Error("a year is over in itself")
	}
}

func TestKindOf(t *testing.T) {
	for text, kind := range map[string]string{"42 quid": "money", "Friday": "weekday", "5 June": "date", "rev-D4": "code",
		"Ida Holm": "name", "on hold": "text", "8:30": "time", "30 minutes": "quantity"} {
		if got := clauses.KindOf(text); got != kind {
			t.Errorf("KindOf(%q) = %s, want %s", text, got, kind)
		}
	}
}

func TestTimeOf(t *testing.T) {
	said := tenure.At(time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)) // a Wednesday
	for words, want := range map[string]string{
		"3 March 2027": "2027-03-03", "2026-05-01": "2026-05-01", "from 1 May": "2026-05-01", "from Monday": "2026-03-09",
		"tomorrow": "2026-03-05", "as of next week": "2026-03-09", "soon": "", "": "", "the budget": "",
	} {
		got := ""
		if at, ok := clauses.TimeOf(words, said); ok {
			got = at.Time().Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q is %q, not %q", words, got, want)
		}
	}
	if at, ok := clauses.TimeOf("tomorrow", 0); ok {
		t.Errorf("the day after no day is %v", at)
	}
}
