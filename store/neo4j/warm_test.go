package neo4j

import (
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
)

// Warming up runs what observations run, and leaves nothing behind.
func TestWarmWritesNothing(t *testing.T) {
	s := internal(t)
	for range 2 {
		if err := s.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := s.auto(t.Context(), driver.AccessModeRead,
		`OPTIONAL MATCH (n) WHERE n.tenant = $tenant OR n.name = $tenant RETURN count(n)`, args{"tenant": rehearsal})
	if err != nil || rows[0].number(0) != 0 {
		t.Errorf("%v nodes are left: %v", rows, err)
	}
	view, err := s.View(t.Context(), rehearsal, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	if seq, _ := view.State(); seq != 0 {
		t.Errorf("the rehearsal is at %d", seq)
	}
}
