package world

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tenure"

	"tenure/similarity"
	"tenure/store"
	"tenure/store/sqlite"
)

// State is an SQLite store in a temporary folder into which a test puts states by hand, including states that
// no decision leads to. A test can inject engine faults.
type State struct {
	store.Store
	t *testing.T

	mu         sync.Mutex
	clock      time.Time
	fail, down error
	beforeView func()
}

// NewState opens a store whose clock stands at Begin, and closes it when the test ends.
func NewState(t *testing.T) *State {
	t.Helper()
	s := &State{clock: Begin, t: t}
	engine, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlite.Config{Now: func() time.Time {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.clock
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.Store = engine
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// SetClock sets the clock of the store.
func (s *State) SetClock(now time.Time) { s.set(func() { s.clock = now }) }

// Fail makes every Apply return the error; nil ends the fault.
func (s *State) Fail(err error) { s.set(func() { s.fail = err }) }

// Down makes every Ping return the error; nil ends the fault.
func (s *State) Down(err error) { s.set(func() { s.down = err }) }

// BeforeView schedules f to run once, before the next view is opened.
func (s *State) BeforeView(f func()) { s.set(func() { s.beforeView = f }) }

func (s *State) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *State) fault(which *error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *which
}

// Apply implements [store.Store].
func (s *State) Apply(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	if err := s.fault(&s.fail); err != nil {
		return nil, err
	}
	return s.Store.Apply(ctx, tenant, base, sets)
}

// Probe implements [store.Store].
func (s *State) Probe(ctx context.Context) error {
	if err := s.fault(&s.fail); err != nil {
		return err
	}
	return s.Store.Probe(ctx)
}

// View implements [store.Store].
func (s *State) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	s.mu.Lock()
	before := s.beforeView
	s.beforeView = nil
	s.mu.Unlock()
	if before != nil {
		before()
	}
	return s.Store.View(ctx, tenant, at)
}

// Ping implements [store.Store].
func (s *State) Ping(ctx context.Context) error {
	if err := s.fault(&s.down); err != nil {
		return err
	}
	return s.Store.Ping(ctx)
}

// Seq returns the sequence number of a tenant's last entry.
func (s *State) Seq(tenant string) tenure.Seq {
	s.t.Helper()
	r, err := s.Store.View(s.t.Context(), tenant, tenure.Present)
	if err != nil {
		s.t.Fatal(err)
	}
	seq, _ := r.State()
	return seq
}

// Put applies changes as one change set.
func (s *State) Put(tenant string, changes ...tenure.Change) {
	s.t.Helper()
	set := tenure.ChangeSet{ID: tenure.NewMint(Begin).NewID(), Operation: "by_hand", Actor: "test", Changes: changes}
	if _, err := s.Store.Apply(s.t.Context(), tenant, s.Seq(tenant), []tenure.ChangeSet{set}); err != nil {
		s.t.Fatal(err)
	}
}

// Person returns the changes that put a canonical entity with the alias of its name.
func Person(id tenure.ID, name, project string) []tenure.Change {
	return []tenure.Change{
		tenure.EntityPut{Entity: tenure.Entity{
			ID: id, Type: "person", Status: tenure.EntityCanonical, Name: name, Project: project, CreatedAt: tenure.At(Begin),
		}},
		tenure.AliasAdded{Alias: tenure.Alias{
			Key: similarity.NameAliasKey(name), Entity: id, Type: "person", Project: project, Spelling: name, Mention: id,
		}},
	}
}

// Believed returns the changes that put a belief: the claim and its standing.
func Believed(b tenure.Belief) []tenure.Change {
	return []tenure.Change{
		tenure.ClaimAdded{Claim: b.Claim}, tenure.StandingPut{Slot: b.Claim.Slot(), Standing: b.Standing},
	}
}
