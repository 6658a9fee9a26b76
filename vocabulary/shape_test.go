package vocabulary_test

import (
	"context"
	"testing"

	"tenure"
	"tenure/vocabulary"
)

// own are the terms of a tenant, by id.
type own map[string]tenure.Term

func (o own) Term(_ context.Context, id string) (*tenure.Term, error) {
	if t, ok := o[id]; ok {
		return &t, nil
	}
	return nil, nil
}

// TestASynonymMeansItsTermOfWhatFits: a word of the base vocabulary stays a word of its own where the value is of
// another shape than its term's; the name of a term, and what a tenant says, hold for every value.
func TestASynonymMeansItsTermOfWhatFits(t *testing.T) {
	tenants := own{}
	for name, parent := range map[string]string{"meets_at": "", "gathers_at": "meets_at"} {
		tenants[tenure.TermID(tenure.Predicates, name)] = tenure.Term{
			Vocabulary: tenure.Predicates, Name: name, Parent: parent, Cardinality: tenure.One, ValueType: tenure.TimeValue,
		}
	}
	for _, c := range []struct {
		predicate string
		shape     vocabulary.Shape
		held      string
	}{
		{"starts_at", vocabulary.When, "start_time"},
		{"starts_at", "", "start_time"},
		{"starts_at", vocabulary.Thing, "starts_at"},
		{"Starts at", vocabulary.Thing, "starts_at"},
		{"start_time", vocabulary.Thing, "start_time"},
		{"born_in", vocabulary.Thing, "birth_place"},
		{"born_in", "", "birth_place"},
		{"born_in", vocabulary.Year, "born_in"},
		{"was_born_in", vocabulary.Year, "was_born_in"},
		{"founded_in", vocabulary.Year, "founded"},
		{"founded_in", vocabulary.Thing, "founded_in"},
		{"stars", vocabulary.Thing, "stars"},
		{"stars", vocabulary.Amount, "rating"},
		{"held_in", vocabulary.When, "held_in"},
		{"job", vocabulary.Thing, "job_title"},
		{"gathers_at", vocabulary.Thing, "meets_at"},
	} {
		claim := tenure.Claim{Predicate: c.predicate, Subject: "a"}
		placed, term, err := vocabulary.Place(t.Context(), tenants, claim, func() vocabulary.Shape { return c.shape })
		if err != nil || placed.Predicate != c.held || term.Name != c.held {
			t.Errorf("%s of a %q is held under %s, %s: %v", c.predicate, c.shape, placed.Predicate, term.Name, err)
		}
		if of, err := vocabulary.Of(t.Context(), tenants, placed.Predicate); err != nil || of.Name != term.Name ||
			of.ValueType != term.ValueType || of.Cardinality != term.Cardinality {
			t.Errorf("%s of a %q is held under %+v, and read as %+v: %v", c.predicate, c.shape, term, of, err)
		}
	}
}

// TestWordsOfSeveralMeanings: what means another thing of another subject is a synonym of nothing.
func TestWordsOfSeveralMeanings(t *testing.T) {
	for word, not := range map[string]string{
		"produces": "products", "makes": "products", "product": "products", "belongs_to": "owner", "attending": "attended",
		"took_over": "acquisitions", "hosted_by": "runs_on", "covered_by": "substitute", "found_in": "located_in",
		"backed_by": "investors", "works_with": "colleagues", "secretary": "assistant", "seat": "desk", "trains": "coach_of",
	} {
		if got, ok := vocabulary.Lookup(word); ok && got.Name == not {
			t.Errorf("%q is %q", word, not)
		}
	}
}
