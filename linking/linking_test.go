package linking_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/audience"
	"tenure/internal/world"
	"tenure/linking"
	"tenure/store"
)

const tenant = "acme"

func id(n int) tenure.ID { return tenure.ID(fmt.Sprintf("01910000-0000-7000-8000-%012d", n)) }

// people have ids by their place, from 1 on: two share a first name, one belongs to another project.
var people = []struct{ name, project string }{
	{"Leon Adeyemi", ""}, {"Leon Fischer", ""}, {"Hana Kobayashi", ""}, {"Nova Lind", "other"}, {"Mary O'Brien", ""},
}

// everybody proposes all people for every name: what is proposed decides nothing.
type everybody struct{}

func (everybody) Named(context.Context, string, []string, string, *audience.Bounds, int) (ids []tenure.ID) {
	for i := range people {
		ids = append(ids, id(i+1))
	}
	return ids
}

func reader(t *testing.T) store.Reader {
	t.Helper()
	state := world.NewState(t)
	for i, p := range people {
		state.Put(tenant, world.Person(id(i+1), p.name, p.project)...)
	}
	r, err := state.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPlaces checks the places and the speaker that are found in an utterance.
func TestPlaces(t *testing.T) {
	r, linker := reader(t), linking.New(everybody{}, nil)
	for name, test := range map[string]struct {
		said    linking.Utterance
		places  []string
		speaker string
	}{
		"full-names-in-order": {
			said:   linking.Utterance{Text: "Hana Kobayashi told Leon Fischer."},
			places: []string{"Hana Kobayashi = Hana Kobayashi", "Leon Fischer = Leon Fischer"},
		},
		"a-first-name-of-one":  {said: linking.Utterance{Text: "Ask hana."}, places: []string{"hana = Hana Kobayashi"}},
		"a-first-name-of-two":  {said: linking.Utterance{Text: "Ask Leon."}},
		"the-one-spoken-of":    {said: linking.Utterance{Text: "Ask Leon.", Near: []tenure.ID{id(2)}}, places: []string{"Leon = Leon Fischer"}},
		"named-in-full-before": {said: linking.Utterance{Text: "Leon Adeyemi? Leon is out."}, places: []string{"Leon Adeyemi = Leon Adeyemi", "Leon = Leon Adeyemi"}},
		"marks-in-a-name":      {said: linking.Utterance{Text: "It is Mary O’Brien's."}, places: []string{"Mary O’Brien = Mary O'Brien"}},
		"letters-of-two-bytes": {said: linking.Utterance{Text: "Früher rief Hana Kobayashi an."}, places: []string{"Hana Kobayashi = Hana Kobayashi"}},
		"of-another-project":   {said: linking.Utterance{Text: "Nova Lind called.", Project: "this"}},
		"of-its-own-project":   {said: linking.Utterance{Text: "Nova Lind called.", Project: "other"}, places: []string{"Nova Lind = Nova Lind"}},
		"the-speaker":          {said: linking.Utterance{Text: "I am out.", Speaker: "Hana Kobayashi"}, speaker: "Hana Kobayashi"},
		"a-speaker-of-two":     {said: linking.Utterance{Text: "I am out.", Speaker: "Leon"}},
		"nobody":               {said: linking.Utterance{Text: ""}},
	} {
		t.Run(name, func(t *testing.T) {
			test.said.Tenant = tenant
			found, err := linker.Places(t.Context(), r, test.said)
			if err != nil {
				t.Fatal(err)
			}
			var places []string
			for _, p := range found.Places {
				places = append(places, test.said.Text[p.Start:p.End]+" = "+p.Root.Name)
			}
			if d := cmp.Diff(test.places, places); d != "" {
				t.Error("places", d)
			}
			speaker := ""
			if found.Speaker != nil {
				speaker = found.Speaker.Name
			}
			if speaker != test.speaker {
				t.Errorf("speaker %q, want %q", speaker, test.speaker)
			}
		})
	}
}

// TestRequestedEntities checks what becomes of the entities that a request lists, and of who asks.
func TestRequestedEntities(t *testing.T) {
	r, linker := reader(t), linking.New(nil, nil)
	for name, test := range map[string]struct {
		query   linking.Query
		topics  int
		pointer string // of the error, "" for none
	}{
		"listed":                    {query: linking.Query{Entities: []tenure.ID{id(1), id(3), id(1)}}, topics: 2},
		"listed-and-unknown":        {query: linking.Query{Entities: []tenure.ID{id(1), id(99)}}, pointer: "/entities/1"},
		"listed-of-another-project": {query: linking.Query{Project: "this", Entities: []tenure.ID{id(4)}}, pointer: "/entities/0"},
		"who-asks":                  {query: linking.Query{Requester: linking.Requester{EntityID: id(3)}}, topics: 1},
		"who-asks-is-unknown":       {query: linking.Query{Requester: linking.Requester{EntityID: id(99)}}, pointer: "/identity/entity_id"},
		"who-asks-by-name":          {query: linking.Query{Requester: linking.Requester{Name: "hana kobayashi"}}, topics: 1},
	} {
		t.Run(name, func(t *testing.T) {
			test.query.Tenant = tenant
			links, err := linker.Link(t.Context(), r, test.query)
			if test.pointer != "" {
				var refused *tenure.Error
				if !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Pointer != test.pointer {
					t.Errorf("error %v, want one of %s", err, test.pointer)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(links.Topics) != test.topics {
				t.Errorf("%d topics, want %d", len(links.Topics), test.topics)
			}
		})
	}
}

// FuzzPlaces checks of any text that what it names lies inside it, in order and without overlap.
func FuzzPlaces(f *testing.F) {
	for _, s := range []string{"Leon Fischer and hana", "O'Brien’s", "LEON\xff\x00 Léon", "a.b@c Hana-Kobayashi", "ſs İ Hana"} {
		f.Add(s)
	}
	linker := linking.New(everybody{}, nil)
	f.Fuzz(func(t *testing.T, s string) {
		found, err := linker.Places(t.Context(), reader(t), linking.Utterance{Tenant: tenant, Text: s})
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, p := range found.Places {
			if p.Start < last || p.End <= p.Start || p.End > len(s) {
				t.Fatalf("place %d to %d of %d bytes, after %d", p.Start, p.End, len(s), last)
			}
			last = p.End
		}
	})
}
