package ingest_test

import (
	"encoding/json"
	"testing"

	"tenure"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/statements/align"
)

// TestARefusalLeavesTheText checks that what a statement would have done and is refused leaves the text, the other
// statements and their effects, and says why.
func TestARefusalLeavesTheText(t *testing.T) {
	w := world.New(t, 0)
	a := w.Observe(t, world.Said("Plover", "owner", "Rita Sand", func(c *ingest.Claim) {}))
	strong := world.Said("Plover", "budget", "900", nil)
	strong.Source.AuthorityLevel = world.Ptr(0)
	b := w.Observe(t, strong)
	plover := a.Mentions[0].EntityID
	claim := func(statement int, predicate, value string, supersedes ...string) ingest.Claim {
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return ingest.Claim{
			Subject: ingest.Ref{EntityID: plover}, Predicate: predicate, Value: ingest.Value{JSON: raw}, Statement: statement,
			Supersedes: supersedes,
		}
	}
	said := func(text string, effect tenure.Effect) tenure.Said {
		return tenure.Said{Statement: tenure.Statement{Span: tenure.Span{Text: text}, Act: tenure.Corrects}, Effect: effect}
	}
	in := ingest.Input{
		Source: ingest.Source{Origin: "o", AuthorityLevel: world.Ptr(2)}, Text: "The text.", ObservedAt: world.Day(2),
		Claims: []ingest.Claim{
			claim(0, "budget", "800", string(b.Beliefs[0].BeliefID)), claim(1, "office", "Lisbon"),
		},
		Reading: &ingest.Reading{
			Statements: []tenure.Said{
				said("the budget is wrong", align.Set), said("the office", align.Set),
				said("the budget is no more", align.Ends), said("it never had an owner", align.Retracts),
			},
			Amendments: []ingest.Amendment{
				{Statement: 2, Kind: tenure.End, Belief: b.Beliefs[0].BeliefID},
				{Statement: 3, Kind: tenure.Retract, Belief: a.Beliefs[0].BeliefID},
			},
		},
	}
	got := w.Observe(t, in)
	rec, err := w.View(t).Observation(t.Context(), got.ObservationID)
	if err != nil {
		t.Fatal(err)
	}
	o := rec.Observation
	if o.Text != in.Text || len(o.Claims) != 1 || w.Belief(t, o.Claims[0]).Claim.Predicate != "office" {
		t.Errorf("%q was written with %d claims", o.Text, len(o.Claims))
	}
	for i, want := range []struct {
		effect tenure.Effect
		why    string
		does   bool
	}{
		{align.Keeps, "no authority", false}, {align.Set, "", true},
		{align.Keeps, "no authority", false}, {align.Retracts, "", true},
	} {
		if s := o.Statements[i]; s.Effect != want.effect || s.Why != want.why || (s.Belief != "") != want.does {
			t.Errorf("statement %d: %q, why %q, belief %q; want %+v", i, s.Effect, s.Why, s.Belief, want)
		}
	}
	if got := w.Status(t, b.Beliefs[0].BeliefID, 3); got != tenure.Stands.Status() {
		t.Errorf("the budget is %q", got)
	}
	if got := w.Status(t, a.Beliefs[0].BeliefID, 3); got == tenure.Stands.Status() {
		t.Error("the owner was not taken back")
	}
}
