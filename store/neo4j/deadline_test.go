package neo4j

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tenure"
)

// TestWhatNobodyWaitsForEndsInTheDatabase checks that a statement ends in the database, and its locks are free, when
// the time of its caller is over.
func TestWhatNobodyWaitsForEndsInTheDatabase(t *testing.T) {
	s := internal(t)
	mark := "nobody waits " + string(newID())
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	endless := fmt.Sprintf(`UNWIND range(1, 100000000000) AS n WITH n, '%s' AS mark WHERE n < 0 RETURN count(mark)`, mark)
	if _, err := s.query(short, endless, args{}); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("the statement ended with %v", err)
	}
	const running = `SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS $mark
AND NOT currentQuery STARTS WITH 'SHOW' RETURN currentQuery`
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		rows, err := s.query(t.Context(), running, args{"mark": mark})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("it still runs: %v", rows)
		}
	}
}
