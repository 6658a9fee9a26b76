package align

import (
	"slices"
	"testing"

	"tenure/ner"
	"tenure/statements"
)

// TestPlainNotes: an ordinary sentence is about what it names, whatever is known of others.
func TestPlainNotes(t *testing.T) {
	herons := known("Herons", "coach", "Piotr Banas")
	for _, c := range []struct {
		name, text string
		slots      []Slot
		want       []string // of each change that adds or sets something: subject, predicate, value
	}{
		{
			"a person who has a post lives somewhere", "Zofia Wrona lives in Gdynia.",
			[]Slot{known("Lantern", "tech lead", "Zofia Wrona")}, []string{"Zofia Wrona / lives_in: Gdynia"},
		},
		{
			"and moves", "Piotr Banas has moved to Sopot.", []Slot{herons}, []string{"Piotr Banas / moved_to: Sopot"},
		},
		{
			"where somebody was born stays", "Ines Dahl lives in Oslo now.",
			[]Slot{known("Ines Dahl", "birth_place", "Bergen")}, []string{"Ines Dahl / lives_in: Oslo"},
		},
		{
			"two verbs of one subject", "Ottilie Frank lives in Graz and speaks Hungarian.", nil,
			[]string{"Ottilie Frank / lives_in: Graz", "Ottilie Frank / speaks: Hungarian"},
		},
		{
			"what I do is mine", "I teach Year 4.", []Slot{known("Fernleigh Primary", "head teacher", "Margaret Oyelaran")},
			[]string{" / teach: Year 4"},
		},
		{
			"what has a property is not its value", "The door code of the Hanley Street office is 7719.",
			[]Slot{known("Castell Print", "office manager", "Rufus Blane")}, []string{"Hanley Street office / door_code: 7719"},
		},
		{
			"a post is for persons", "Bluefin is on the Silver plan.", []Slot{known("Bluefin", "account manager", "Petra Novotna")},
			[]string{"Bluefin / is: Silver"},
		},
		{
			"the next sentence goes on", "The owner of Tidepool is Jasper Munro. Tidepool stores its events in Cassandra.", nil,
			[]string{"Tidepool / owner: Jasper Munro"},
		},
		{
			"its property", "Greystone Freight is based in Hull. Its finance director is Malcolm Avery.", nil,
			[]string{"Greystone Freight / based_in: Hull", "Greystone Freight / finance_director: Malcolm Avery"},
		},
		{
			"his is not the mill's", "The contact at Oberhof Mill is Martin Pless. His phone number is 555-0142.", nil,
			[]string{"Oberhof Mill / contact: Martin Pless", "Martin Pless / phone_number: 555-0142"},
		},
		{"a verb of its own", "My cat is called Pepper.", nil, []string{"cat / called: Pepper"}},
		{"my property", "My classroom is room 12.", nil, []string{" / classroom: room 12"}},
		{"an archive is no history", "The keeper of the archive is Ines Dahl.", nil, []string{"archive / keeper: Ines Dahl"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			mentions, err := ner.New().Extract(t.Context(), c.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range Statements(statements.Read(statements.Turn{Speaker: "Ann", Text: c.text, Mentions: mentions}, nil), c.slots) {
				if d.Effect == Adds || d.Effect == Set || d.Effect == Unsure {
					got = append(got, d.Subject+" / "+d.Predicate+": "+d.Value)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
