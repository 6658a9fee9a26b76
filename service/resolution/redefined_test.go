package resolution

import (
	"testing"

	"tenure"
	"tenure/amend"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/similarity"
	"tenure/store"
)

// TestAQuestionThatADefinitionRaisedIsClosed checks that a review is closed, and its entities are one, once the kind of
// identifier that contradicted is defined no longer, and not for other names.
func TestAQuestionThatADefinitionRaisedIsClosed(t *testing.T) {
	for other, want := range map[string]int{"Petra Lang": 0, "Petra Long": 1} {
		s, x := world.NewState(t), newIndex(t)
		term := tenure.Term{Vocabulary: tenure.IdentifierKinds, Name: "badge_number", Exclusive: true}
		s.Put(tenant, tenure.VocabularyPut{Vocabulary: tenure.Vocabulary{Name: tenure.IdentifierKinds, Version: 1}}, tenure.TermPut{Term: term})
		for i, name := range []string{"Petra Lang", other} {
			e := tenure.Entity{
				ID: id(i), Type: "person", Status: tenure.EntityCanonical, Name: name, CreatedAt: tenure.Instant(i),
				Attributes:      map[string][]string{"Badge Number": {[]string{"B-1", "B-2"}[i]}},
				IdentifierKinds: []tenure.IdentifierKind{{Attribute: "badge_number", Kind: "badge_number", Exclusive: true}},
			}
			if i > 0 {
				e.Status, e.Reason = tenure.EntityPending, similarity.VetoIdentifier
			}
			s.Put(tenant, tenure.EntityPut{Entity: e}, tenure.AliasAdded{Alias: tenure.Alias{
				Key: similarity.NameAliasKey(e.Name), Entity: e.ID, Type: e.Type, Spelling: e.Name, Mention: e.ID,
			}})
		}
		s.Put(tenant, tenure.ReviewPut{Review: tenure.Review{
			ID: id(9), State: tenure.ReviewOpen, Entity: id(1), Candidates: []tenure.Candidate{{Entity: id(0)}},
			Reason: similarity.VetoIdentifier, Version: 1,
		}})
		w := newWorker(t, s, x)
		open := func() int {
			t.Helper()
			if err := w.CatchUp(t.Context(), tenant); err != nil {
				t.Fatal(err)
			}
			r, err := s.View(t.Context(), tenant, tenure.Present)
			if err != nil {
				t.Fatal(err)
			}
			list, err := r.ListReviews(t.Context(), store.ReviewQuery{State: tenure.ReviewOpen})
			if err != nil {
				t.Fatal(err)
			}
			return len(list)
		}
		if n := open(); n != 1 {
			t.Errorf("%s: %d open reviews while it is defined", other, n)
		}
		term.Removed = true
		s.Put(tenant, tenure.TermPut{Term: term})
		if n := open(); n != want {
			t.Errorf("%s: %d open reviews, want %d", other, n, want)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestADefinitionThatComesAndGoes checks that what was one entity is asked about while a kind of identifier is defined by
// which it contradicts itself, each time, and is one again in between.
func TestADefinitionThatComesAndGoes(t *testing.T) {
	o, x := world.New(t, 0), newIndex(t)
	defer func() { _ = x.Close() }()
	w := newWorker(t, o.Store, x)
	open := func() int {
		t.Helper()
		if err := w.CatchUp(t.Context(), world.Tenant); err != nil {
			t.Fatal(err)
		}
		list, err := o.View(t).ListReviews(t.Context(), store.ReviewQuery{State: tenure.ReviewOpen})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for _, badge := range []string{"B-1", "B-2", "b 1"} {
		o.Observe(t, ingest.Input{Source: ingest.Source{Origin: "test://hall"}, Mentions: []ingest.Mention{
			{Name: "Petra Lang", Type: "person", Attributes: map[string][]string{"Badge Number": {badge}}},
		}})
	}
	for version, removed := range []bool{false, true, false, true} {
		term := tenure.Term{Name: "badge_number", Exclusive: !removed, Removed: removed}
		if err := o.Do(t, amend.PutVocabulary{Name: tenure.IdentifierKinds, Version: version, Terms: []tenure.Term{term}})[0].Err; err != nil {
			t.Fatal(err)
		}
		if n := open(); n != 1 && !removed || n != 0 && removed {
			t.Errorf("change %d: %d open reviews, removed is %v", version, n, removed)
		}
	}
}
