package neo4j

import (
	"context"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
)

// A commit becomes visible gradually: the tenant's node some milliseconds before the indexes. (Measured: of
// 515 reads concurrent with 20 commits of 500 claims, 2 saw the new number and not all of its beliefs.) So a
// state that another process wrote is viewed only after the tenant's lock was free.
func TestAViewOfAForeignStateWaitsForTheLock(t *testing.T) {
	ctx, tenant := context.Background(), "t-"+string(newID())
	writer, other := internal(t), internal(t)
	if _, err := writer.Apply(ctx, tenant, 0, []tenure.ChangeSet{put("a")}); err != nil {
		t.Fatal(err)
	}
	session := writer.session(ctx, driver.AccessModeWrite)
	defer func() { _ = session.Close(ctx) }()
	tx, err := session.BeginTransaction(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&txWriter{tx: tx, tenant: tenant}).lock(ctx); err != nil {
		t.Fatal(err)
	}
	view := func(s *Store) error {
		short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		_, err := s.View(short, tenant, tenure.Present)
		return err
	}
	if err := view(writer); err != nil {
		t.Errorf("the writer waits for a state that it wrote itself: %v", err)
	}
	if err := view(other); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("another process did not wait: %v", err)
	}
	if err := tx.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time the state is known to be complete
		if _, err := other.View(ctx, tenant, tenure.Present); err != nil {
			t.Error(err)
		}
	}
}
