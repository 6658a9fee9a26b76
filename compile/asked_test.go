package compile_test

import (
	"slices"
	"testing"

	"tenure"
	"tenure/compile"
)

// TestUnknownPropertyOfWhatIsNamed checks that a question for one property of a known entity says that it is unknown where
// nothing valid may say it, and only then: a model has nothing else to tell it from what was not looked for.
func TestUnknownPropertyOfWhatIsNamed(t *testing.T) {
	const phone, employer = "What is the phone number of Ada Novak?", "What is the employer of Ada Novak?"
	far := map[tenure.ID]float64{id(11): .1, id(12): .1}
	for name, c := range map[string]struct {
		query  string
		change func(w *world, ada tenure.ID)
		of     map[tenure.ID]float64 // similarity, where there is any
		want   string                // the predicate that is unknown
	}{
		"nothing says it":        {phone, nil, nil, "phone"},
		"possessive":             {"what is Ada Novak's telephone number?", nil, nil, "phone"},
		"another word for it":    {"Tell me the date of birth of Ada Novak", nil, nil, "birth_date"},
		"it is known":            {phone, func(w *world, ada tenure.ID) { w.claim(13, ada, "phone", "+47 22 00 11 22") }, nil, ""},
		"it was":                 {phone, func(w *world, ada tenure.ID) { w.claim(13, ada, "phone", "+47 22 00 11 22", until(3)) }, nil, "phone"},
		"another predicate says": {phone, func(w *world, ada tenure.ID) { w.claim(13, ada, "night_line", "+47 22 00 11 22") }, nil, ""},
		"a rule of something else": {phone, func(w *world, _ tenure.ID) {
			w.claim(13, w.entity(3, "Till"), "limit", "40000 euros", constraint(), level(1))
		}, nil, "phone"},
		"an amount":               {phone, func(w *world, ada tenure.ID) { w.claim(13, ada, "shoe_size", "39") }, nil, "phone"},
		"a sentence says it":      {phone, func(w *world, ada tenure.ID) { w.claim(13, ada, "note", "her number is with the porter") }, nil, ""},
		"it is contested":         {phone, func(w *world, ada tenure.ID) { w.claim(13, ada, "phone", "1234567", lost(tenure.ByTie, "")) }, nil, ""},
		"from the other side":     {"Who is the manager of Ada Novak?", func(w *world, ada tenure.ID) { w.claim(13, w.entity(2, "Bo Lund"), "manages", "", toEntity(ada)) }, nil, ""},
		"a passage may":           {phone, func(w *world, _ tenure.ID) { w.document(21, "Staff", "The phone number of Ada Novak is in the safe.") }, nil, ""},
		"more is asked":           {"What is the phone number of the bank of Ada Novak?", nil, nil, ""},
		"no property":             {"What does Ada Novak think of the sea?", nil, nil, ""},
		"no question":             {"Write the phone number of Ada Novak on the door", nil, nil, ""},
		"everything":              {"Give me an overview: the phone number of Ada Novak", nil, nil, ""},
		"two are named":           {"What is the phone number of Ada Novak, Bo Lund?", func(w *world, _ tenure.ID) { w.entity(2, "Bo Lund") }, nil, ""},
		"nobody is":               {"What is the phone number of Carla Dent?", nil, nil, ""},
		"a text may be it":        {employer, func(w *world, ada tenure.ID) { w.claim(12, ada, "paid_by", "Fjord Lines") }, nil, ""},
		"one that is not similar": {employer, func(w *world, ada tenure.ID) { w.claim(12, ada, "cat", "Fjord") }, far, "employer"},
		"one that is":             {employer, func(w *world, ada tenure.ID) { w.claim(12, ada, "paid_by", "Fjord Lines") }, map[tenure.ID]float64{id(11): .1, id(12): .5}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			ada := w.entity(1, "Ada Novak")
			w.claim(11, ada, "locker", "green")
			if c.change != nil {
				c.change(w, ada)
			}
			var res compile.Result
			if c.of != nil {
				res = w.compiledIn(t, space{of: c.of}, c.query, nil)
			} else {
				res = w.compiled(t, ask(c.query))
			}
			var want, line []string
			if c.want != "" {
				want = []string{"/query " + c.want + " " + string(ada)}
				line = []string{"Ada Novak / " + c.want + `: unknown (nothing valid is known; answer "unknown")`}
			}
			var got []string
			for _, u := range res.Trace.State.UnknownSlots {
				got = append(got, u.Pointer+" "+u.Predicate+" "+string(u.EntityID))
			}
			if !slices.Equal(got, want) || !slices.Equal(lines(res, "constraints"), line) {
				t.Errorf("unknown: %q, want %q\n%s", got, want, res.Envelope.Text)
			}
		})
	}
}

// TestUnknownOfWhoHasNoFact checks that a known entity without a single fact has the unknown property under its name.
func TestUnknownOfWhoHasNoFact(t *testing.T) {
	w := &world{}
	w.entity(1, "Ada Novak")
	got := lines(w.compiled(t, ask("What is the email of Ada Novak?")), "constraints")
	if want := `Ada Novak / email: unknown (nothing valid is known; answer "unknown")`; !slices.Equal(got, []string{want}) {
		t.Errorf("constraints: %q", got)
	}
}
