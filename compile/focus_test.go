package compile_test

import (
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/compile"
)

// asker returns a world with facts about a person who asks and about other entities, and the ID of that person.
func asker() (*world, tenure.ID) {
	w := &world{}
	noor := w.entity(1, "Noor Haddad")
	w.claim(11, noor, "job_title", "prompt engineer")
	w.claim(12, noor, "note_1", "the locker has code 8812")
	w.claim(13, noor, "budget", "140,000 euros")
	w.claim(14, noor, "allergies", "peanuts")
	ben := w.entity(2, "Ben Haddad")
	w.claim(15, ben, "room", "12")
	heron := w.entity(3, "Heron", func(e *tenure.Entity) { e.Type = "project" })
	w.claim(16, heron, "owner", "Ben Haddad")
	vendor := w.entity(4, "Vendor", func(e *tenure.Entity) { e.Type = "" })
	w.claim(17, vendor, "location", "Oslo")
	cafe := w.entity(5, "Cafe Roma", func(e *tenure.Entity) { e.Type = "place" })
	w.claim(18, cafe, "booking_table", "the terrace table on Friday")
	return w, noor
}

// TestWhichFactsOfWhoAsksCome checks which facts about the person who asks a request brings along: those that it may ask
// for, in other words too, and for a task those that decide how it is done.
func TestWhichFactsOfWhoAsksCome(t *testing.T) {
	const locker, budget, title, allergy = "8812", "140,000", "job_title", "peanuts"
	all := []string{locker, budget, title, allergy}
	w, noor := asker()
	for query, want := range map[string][]string{
		"Can it be signed?":                     {locker, budget, allergy}, // what people have needs a word
		"is it signed":                          {locker, budget, allergy},
		"Which vendor do we select?":            {locker, budget, allergy}, // an ordinary word in small letters
		"Which Vendor do we select?":            {allergy},
		"Is heron over the limit?":              {allergy}, // a project is named, in small letters too
		"Which room has Ben Haddad?":            nil,       // a part of the asker's name says nothing of the facts
		"What is my job title?":                 {title},
		"What are my debts?":                    all,
		"Write my CV":                           all,
		"Who wrote Hamlet?":                     {allergy},
		"Which hotels are good in Los Angeles?": {allergy}, // a name, no pronoun
		"Write a poem for my kitchen":           {allergy},
		"Could you write about the sea?":        {allergy},
		"How do I get rid of the wasps?":        {allergy},
		"Book a table for Friday":               {allergy}, // though another fact has the words
	} {
		res := w.compiledIn(t, space{fail: tenure.Errorf(tenure.Unavailable, "no vectors")}, query, func(r *compile.Request) {
			r.Identity = &compile.Identity{EntityID: noor}
		})
		var got []string
		for _, what := range all {
			if slices.ContainsFunc(lines(res, "facts"), func(l string) bool {
				return strings.HasPrefix(l, "Noor") && strings.Contains(l, what)
			}) {
				got = append(got, what)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
}

// TestWhatRelatesToWhoAsksNeedsItsName checks that the name of what relates to the person who asks is a word of what is
// known of it, and that the own name is none, wherever it stands.
func TestWhatRelatesToWhoAsksNeedsItsName(t *testing.T) {
	w := &world{}
	noor, ben := w.entity(1, "Noor Haddad"), w.entity(2, "Ben Haddad")
	kitchen := w.entity(3, "Kitchen renovation", func(e *tenure.Entity) { e.Type = "project" })
	w.claim(11, noor, "works_on", "", toEntity(kitchen))
	w.claim(12, kitchen, "supplier", "Nordholz")
	w.claim(13, noor, "note_1", "the locker has code 8812", with(func(c *tenure.Claim) {
		c.Evidence = &tenure.Evidence{Span: "Noor Haddad: the locker has code 8812"}
	}))
	w.claim(14, ben, "room", "12")
	for query, want := range map[string]string{
		"Write a mail about the kitchen tiles": "supplier",
		"Which room has my cousin Ben Haddad?": "room",
	} {
		req := ask(query)
		req.Identity = &compile.Identity{EntityID: noor}
		text := strings.Join(lines(w.compiled(t, req), "facts"), "\n")
		if !strings.Contains(text, want) || strings.Contains(text, "8812") {
			t.Errorf("%s: %s", query, text)
		}
	}
}

// TestThisProjectIsNothingElse checks that a question that names no more than the project that it is asked in may be about
// the person who asks.
func TestThisProjectIsNothingElse(t *testing.T) {
	w := &world{}
	in := scoped(tenure.Scope{ProjectID: "heron"})
	noor := w.entity(1, "Noor Haddad")
	w.entity(2, "Heron", func(e *tenure.Entity) { e.Type = "project" })
	w.claim(11, noor, "note_1", "the board cut spending by a third", in)
	req := ask("Can it be signed in this project?")
	req.Scope.ProjectID, req.Identity = "heron", &compile.Identity{EntityID: noor}
	if got := lines(w.compiled(t, req), "facts"); len(got) != 1 {
		t.Error(got)
	}
}

// TestATaskKeepsWhatDecidesHowItIsDone checks that what similarity leaves out of the facts about the person who asks is
// nothing that decides how a task is done.
func TestATaskKeepsWhatDecidesHowItIsDone(t *testing.T) {
	w, noor := asker()
	res := w.compiledIn(t, space{of: similarities(.1, .1, .1, .1)}, "Book a table for Friday", func(r *compile.Request) {
		r.Identity = &compile.Identity{EntityID: noor}
	})
	if got := lines(res, "facts"); !slices.Contains(got, "Noor Haddad / allergies: peanuts") {
		t.Error(got)
	}
}
