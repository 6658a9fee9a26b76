package neo4j

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store"
)

var newID = tenure.NewMint(tenure.Instant(0).Time()).NewID

func put(name string) tenure.ChangeSet {
	return tenure.ChangeSet{ID: newID(), Operation: "test", Actor: "test", Changes: []tenure.Change{
		tenure.EntityPut{Entity: tenure.Entity{ID: newID(), Type: "person", Status: tenure.EntityCanonical, Name: name}},
	}}
}

// lostReply is the driver's error for a lost connection.
var lostReply = &driver.ConnectivityError{Inner: io.EOF}

func TestApplyFindsOutWhatBecameOfACommit(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name    string
		commit  func(ctx context.Context, tx driver.ExplicitTransaction) error
		commits int // tries until it is over
	}{
		{"committed-and-the-reply-lost", func(ctx context.Context, tx driver.ExplicitTransaction) error {
			return errors.Join(tx.Commit(ctx), lostReply)
		}, 1},
		{"not-committed-and-tried-again", func(ctx context.Context, tx driver.ExplicitTransaction) error {
			return errors.Join(tx.Rollback(ctx), lostReply)
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, tenant := internal(t), "t-"+string(newID())
			commit, tried := s.commit, 0
			s.commit = func(ctx context.Context, tx driver.ExplicitTransaction) error {
				if tried++; tried > 1 {
					return commit(ctx, tx)
				}
				return c.commit(ctx, tx)
			}
			sets := []tenure.ChangeSet{put("a"), put("b")}
			sets[1].Key, sets[1].Answer = &tenure.IdempotencyKey{Scope: "k", Hash: "h"}, []byte("x")
			receipts, err := s.Apply(ctx, tenant, 0, sets)
			if err != nil || len(receipts) != 2 {
				t.Fatalf("got %v, %v", receipts, err)
			}
			if tried != c.commits {
				t.Errorf("tried %d commits, want %d", tried, c.commits)
			}
			log, err := s.Log(ctx, tenant, 0, 10)
			if err != nil || len(log) != 2 {
				t.Fatalf("the log has %v, %v", log, err)
			}
			for i, r := range receipts {
				if r.Seq != log[i].Seq || r.Tx != log[i].Tx || sets[i].ID != log[i].ID ||
					string(r.Answer) != string(sets[i].Answer) {
					t.Errorf("receipt %+v of entry %+v", r, log[i])
				}
			}
		})
	}
}

func TestApplyIsUnavailableWhereItCannotFindOut(t *testing.T) {
	s, tenant := internal(t), "t-"+string(newID())
	s.commit = func(ctx context.Context, tx driver.ExplicitTransaction) error {
		err := errors.Join(tx.Commit(ctx), lostReply)
		_ = s.driver.Close(ctx) // nothing answers from here on
		return err
	}
	_, err := s.Apply(context.Background(), tenant, 0, []tenure.ChangeSet{put("a")})
	if tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestAContextThatEndsInTheCommitLosesNothing(t *testing.T) {
	s, tenant := internal(t), "t-"+string(newID())
	ctx, cancel := context.WithCancel(context.Background())
	s.commit = func(_ context.Context, tx driver.ExplicitTransaction) error {
		err := tx.Commit(context.Background())
		cancel()
		return errors.Join(err, ctx.Err())
	}
	receipts, err := s.Apply(ctx, tenant, 0, []tenure.ChangeSet{put("a")})
	if err != nil || len(receipts) != 1 || receipts[0].Seq != 1 {
		t.Errorf("got %v, %v", receipts, err)
	}
}

func TestKeysAreForgottenAfterAWeek(t *testing.T) {
	ctx := context.Background()
	s, tenant := internal(t), "t-"+string(newID())
	keyed := func() tenure.ChangeSet {
		cs := put("a")
		cs.Key = &tenure.IdempotencyKey{Scope: "k", Hash: "h"}
		return cs
	}
	if _, err := s.Apply(ctx, tenant, 0, []tenure.ChangeSet{keyed()}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(ctx, tenant, 1, []tenure.ChangeSet{keyed()}); tenure.CodeOf(err) != tenure.Conflicting {
		t.Errorf("the second use: %v", err)
	}
	now := s.now
	s.now = func() time.Time { return now().Add(store.KeyAge + time.Second) }
	view, err := s.View(ctx, tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := view.Receipts(ctx, []string{"k"}); err != nil || len(found) != 0 {
		t.Errorf("after a week: %v, %v", found, err)
	}
	if _, err := s.Apply(ctx, tenant, 1, []tenure.ChangeSet{keyed()}); err != nil {
		t.Errorf("the use after a week: %v", err)
	}
}

func TestFaultsHaveCodes(t *testing.T) {
	for _, c := range []struct {
		err       error
		code      tenure.Code
		transient bool
	}{
		{&driver.Neo4jError{Code: "Neo.TransientError.Transaction.DeadlockDetected"}, tenure.Unavailable, true},
		{&driver.Neo4jError{Code: "Neo.TransientError.Transaction.LockAcquisitionTimeout"}, tenure.Unavailable, true},
		{&driver.Neo4jError{Code: "Neo.ClientError.Schema.ConstraintValidationFailed"}, tenure.Conflicting, false},
		{&driver.Neo4jError{Code: "Neo.TransientError.General.OutOfMemoryError"}, tenure.TooLarge, false},
		{&driver.Neo4jError{Code: "Neo.TransientError.General.MemoryPoolOutOfMemoryError"}, tenure.TooLarge, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration"}, tenure.Unavailable, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Transaction.LockClientStopped"}, tenure.Unavailable, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Transaction.Terminated"}, tenure.Unavailable, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Security.Unauthorized"}, tenure.Unavailable, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Database.DatabaseNotFound"}, tenure.Unavailable, false},
		{&driver.Neo4jError{Code: "Neo.DatabaseError.Transaction.TransactionLogError"}, tenure.Unavailable, false},
		{&driver.Neo4jError{Code: "Neo.DatabaseError.Statement.ExecutionFailed"}, tenure.Internal, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Statement.SyntaxError"}, tenure.Internal, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Statement.TypeError"}, tenure.Internal, false},
		{&driver.Neo4jError{Code: "Neo.ClientError.Request.Invalid"}, tenure.Internal, false},
		{lostReply, tenure.Unavailable, false},
		{context.DeadlineExceeded, tenure.Unavailable, false},
		{fmt.Errorf("wrapped: %w", tenure.Errorf(tenure.NotFound, "none")), tenure.NotFound, false},
		{errors.New("foreign"), tenure.Internal, false},
	} {
		if got := fault(c.err); tenure.CodeOf(got) != c.code || transient(c.err) != c.transient {
			t.Errorf("%v: got %v, transient %v", c.err, got, transient(c.err))
		}
	}
	if fault(nil) != nil {
		t.Error("no error became one")
	}
}

func TestAKeyTooLongForAnIndexIsTooLarge(t *testing.T) {
	s, tenant := internal(t), "t-"+string(newID())
	long := make([]byte, 20_000)
	for i := range long {
		long[i] = 'a' + byte(i%26)
	}
	c := tenure.Claim{ID: newID(), Subject: newID(), Predicate: string(long)}
	_, err := s.Apply(context.Background(), tenant, 0, []tenure.ChangeSet{{
		ID: newID(), Changes: []tenure.Change{tenure.ClaimAdded{Claim: c}},
	}})
	if tenure.CodeOf(err) != tenure.TooLarge {
		t.Errorf("got %v", err)
	}
	// Alias keys and claim keys of any length are kept.
	form := tenure.AliasKey{Kind: tenure.NameAlias, Key: string(long)}
	e := newID()
	cs := put("a")
	cs.Key = &tenure.IdempotencyKey{Scope: string(long), Hash: "h"}
	cs.Changes = append(cs.Changes, tenure.AliasAdded{Alias: tenure.Alias{Key: form, Entity: e, Mention: newID()}},
		tenure.EntityPut{Entity: tenure.Entity{ID: e}})
	if _, err := s.Apply(context.Background(), tenant, 0, []tenure.ChangeSet{cs}); err != nil {
		t.Fatal(err)
	}
	view, err := s.View(context.Background(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	aliases, err := view.AliasesByKey(context.Background(), []tenure.AliasKey{form})
	if err != nil || len(aliases) != 1 || aliases[0].Key != form {
		t.Errorf("%d aliases, %v", len(aliases), err)
	}
}
