package e2e

import "testing"

// scenario is something a user does, and what they notice.
type scenario struct {
	name string
	run  func(w *world)
}

// TestScenarios runs every scenario on every engine, each as a tenant of its
// own, all of them beside each other on one server.
func TestScenarios(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		s := serve(t, e.store(t))
		if e.name == sqlite.name { // a file with nothing else in it
			t.Cleanup(func() { verifyAll(t, s.store) })
		}
		for _, group := range [][]scenario{statebench, clocks, standings, scopes, entities, reading, retries, refusals, resolving, reviews, corrections, undoing, contested, identifying, nameless, honest, asking, slots, predicates, remembering, talking, late, labelled, sentences, forgetting, erasing, cases, worded, whoIsMeant, failureModes, compiling, recalls, ingesting, reporting} {
			for _, c := range group {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.run(newWorld(t, e, s))
				})
			}
		}
	})
}
