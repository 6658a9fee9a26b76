package calibrate_test

import (
	"testing"
	"time"

	"tenure"
	"tenure/calibrate"
	"tenure/internal/world"
	"tenure/registry"
	"tenure/similarity"
)

// TestCollectLabels checks what becomes a label: answers about scores of the model, answers about another
// model's scores after scoring again, and merges by score. Everything else is at most counted.
func TestCollectLabels(t *testing.T) {
	w := world.New(t, 0)
	file, err := similarity.DefaultFile()
	if err != nil {
		t.Fatal(err)
	}
	model, curve := similarity.DefaultModel(), calibrate.Curve(file.Calibration)
	id := func(n int) tenure.ID { return tenure.DerivedID("gathered", string(rune('a'+n))) }
	person := func(n int, name string) tenure.Change {
		return tenure.EntityPut{Entity: tenure.Entity{ID: id(n), Type: "person", Name: name, Names: []string{name}, Status: tenure.EntityCanonical}}
	}
	answer := func(n int, change func(*tenure.Review)) tenure.Change {
		r := settledAt(0.8, true)
		r.ID, r.Entity, r.Model, r.OpenedAt = id(n), id(0), model.Version, 5
		r.Candidates[0].Entity, r.Into = id(1), id(1)
		change(&r)
		return tenure.ReviewPut{Review: r}
	}
	decision := func(n int, change func(*tenure.IdentityDecision)) tenure.Change {
		v := tenure.IdentityDecision{ID: id(n), Kind: tenure.Merge, From: id(0), Into: id(1), At: 10}
		change(&v)
		return tenure.IdentityDecisionPut{Decision: v}
	}
	changes := []tenure.Change{
		person(0, "Wojciech Kowalczyk"), person(1, "Wojciech Kowalczik"),
		answer(2, func(*tenure.Review) {}),
		answer(3, func(r *tenure.Review) { r.Model = "0" }),
		answer(4, func(r *tenure.Review) { r.Model, r.Reason = "0", registry.ByExactName }),
		answer(5, func(r *tenure.Review) { r.Reason = registry.AmbiguousName }),
		decision(6, func(v *tenure.IdentityDecision) { v.Automatic, v.Score = true, 0.97 }),
		decision(7, func(v *tenure.IdentityDecision) { v.Automatic, v.Score, v.Undone = true, 0.96, true }),
		decision(8, func(v *tenure.IdentityDecision) { v.Automatic, v.Score, v.At = true, 0.97, 1 }),
		decision(9, func(*tenure.IdentityDecision) {}),
		decision(10, func(v *tenure.IdentityDecision) { v.Kind = tenure.Split }),
		decision(11, func(v *tenure.IdentityDecision) { v.Undone = true }),
	}
	for _, c := range changes {
		seq, _ := w.View(t).State()
		if _, err := w.Store.Apply(t.Context(), world.Tenant, seq, []tenure.ChangeSet{{ID: tenure.NewMint(time.Now()).NewID(), Changes: []tenure.Change{c}}}); err != nil {
			t.Fatal(err)
		}
	}
	d, err := calibrate.CollectLabels(t.Context(), w.Store, world.Tenant, model, curve)
	if err != nil {
		t.Fatal(err)
	}
	if d.Automatic != 2 || d.Undone != 1 || d.Merges != 1 || d.Splits != 1 || d.OtherModel != 2 || len(d.Answers) != 2 || len(d.Labels) != 4 {
		t.Fatalf("got %+v", d)
	}
	same, undisputed := 0, 0
	for _, l := range d.Labels {
		if l.Same {
			same++
		}
		if l.Undisputed {
			undisputed++
		}
	}
	if same != 3 || undisputed != 1 {
		t.Errorf("the labels are %+v", d.Labels)
	}
	for _, a := range d.Answers { // the answer about the other model is scored again
		if a.Score < 0.7 || a.Score > 0.95 {
			t.Errorf("a score of %v", a.Score)
		}
	}
}
