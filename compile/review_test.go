package compile_test

import (
	"slices"
	"strings"
	"testing"

	"tenure"
)

// TestOpenReviewIsSaid checks that an answer about somebody says that a review asks whether more is said of them: where
// the caller may see that something is, and only then.
func TestOpenReviewIsSaid(t *testing.T) {
	secret := with(func(c *tenure.Claim) { c.Classification = tenure.HighlyRestricted })
	for name, test := range map[string]struct {
		query  string
		belief func(*tenure.Belief)
		named  bool
		want   string
	}{
		"named":                 {"When is Tobias Krenn on call?", nil, true, "UNRESOLVED"},
		"another is named":      {"Where does Mei Tan live?", nil, true, "CLEAN"},
		"not for the caller":    {"When is Tobias Krenn on call?", secret, true, "CLEAN"},
		"in a session":          {"When is Tobias Krenn on call?", scoped(tenure.Scope{Kind: tenure.ScopeSession, SessionID: "s"}), true, "CLEAN"},
		"over":                  {"When is Tobias Krenn on call?", until(3), true, "CLEAN"},
		"nothing is said":       {"When is Tobias Krenn on call?", nil, false, "CLEAN"},
		"the name under review": {"When is T. Krenn on call?", nil, true, "UNRESOLVED"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			doctor, other := w.entity(1, "Tobias Krenn"), w.entity(2, "Mei Tan")
			pending := w.entity(3, "T. Krenn", func(e *tenure.Entity) { e.Status = tenure.EntityPending })
			w.claim(11, doctor, "on_call_on", "Tuesday")
			w.claim(12, other, "lives_in", "Oslo")
			if test.named {
				var options []func(*tenure.Belief)
				if test.belief != nil {
					options = append(options, test.belief)
				}
				w.claim(13, pending, "on_call_on", "Thursday", options...)
			}
			w.reviews = []tenure.Review{{
				ID: id(90), State: tenure.ReviewOpen, Entity: pending, Name: "T. Krenn",
				Candidates: []tenure.Candidate{{Entity: doctor, Score: .9}},
			}}
			got := w.compiledFor(t, agent(), ask(test.query))
			if got.Trace.ValidationStatus != test.want {
				t.Errorf("status %s, want %s:\n%s", got.Trace.ValidationStatus, test.want, got.Envelope.Text)
			}
			said := strings.Contains(got.Envelope.Text, "T. Krenn: under review, may be Tobias Krenn (more is known, not settled)")
			asked := strings.Contains(test.query, "Tobias")
			if said != (asked && test.want == "UNRESOLVED") {
				t.Errorf("said: %v\n%s", said, got.Envelope.Text)
			}
			if asked && strings.Contains(got.Envelope.Text, "Thursday") {
				t.Errorf("a value under review is shown:\n%s", got.Envelope.Text)
			}
			if said {
				u := got.Trace.State.UnresolvedEntities
				if len(u) != 1 || u[0].Review != id(90) || u[0].Name != "T. Krenn" || !slices.Equal(u[0].Candidates, []tenure.ID{doctor}) {
					t.Errorf("the trace says %+v", u)
				}
			}
		})
	}
}
