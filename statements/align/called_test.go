package align_test

import (
	"context"
	"slices"
	"testing"

	"tenure"
	"tenure/ner"
	"tenure/ner/alias"
	"tenure/statements"
	"tenure/statements/align"
	"tenure/statements/clauses"
)

// What a clause calls the property is not another one, however well its value would do there and though nothing else is
// known of the subject.
func TestAnotherPropertyIsNotChanged(t *testing.T) {
	for _, c := range []struct {
		text, subject, predicate, value string
		another                         bool
	}{
		{"The age of Ebba Lindahl is 41.", "Ebba Lindahl", "cabin", "12", true},
		{"Ebba Lindahl's age is 41.", "Ebba Lindahl", "cabin", "12", true},
		{"The cabin of Ebba Lindahl is 41.", "Ebba Lindahl", "cabin", "12", false},
		{"Rosa Fink's mentor is Paul Vane.", "Rosa Fink", "manager", "Ann Lee", true},
		{"Paul Vane is the mentor of Rosa Fink.", "Rosa Fink", "manager", "Ann Lee", true},
		{"Paul Vane is the manager of Rosa Fink.", "Rosa Fink", "manager", "Ann Lee", false},
		{"The sponsor of Redmarsh Rovers is Norsk Skade.", "Redmarsh Rovers", "insurer", "Halden Mutual", true},
		{"The print run of Winter Accounts is 4,000.", "Winter Accounts", "word_count", "82,000", true},
		{"Project Alder has 12 members.", "Project Alder", "budget", "40,000", true},
		{"The review of Project Alder is on 9 June 2027.", "Project Alder", "start_date", "3 March 2027", true},
		{"The start of Project Alder is on 9 June 2027.", "Project Alder", "start_date", "3 March 2027", false},
	} {
		mentions, err := ner.New().Extract(context.Background(), c.text, alias.NewDictionary().In(""))
		if err != nil {
			t.Fatal(err)
		}
		list := statements.Read(statements.Turn{Speaker: "Greta", At: 1, Text: c.text, Mentions: mentions}, nil)
		slot := align.Slot{Names: []string{c.subject}, Predicate: c.predicate, Values: []string{c.value},
			Kinds: []string{clauses.KindOf(c.value)}, Named: true}
		changes := align.Statements(list, []align.Slot{slot})
		changed := slices.ContainsFunc(changes, func(g align.Change) bool {
			return g.Slot == 0 && (g.Effect == tenure.Set || g.Effect == tenure.Unsure)
		})
		if changed == c.another {
			t.Errorf("%q beside %s %q: %+v", c.text, c.predicate, c.value, changes)
		}
	}
}
