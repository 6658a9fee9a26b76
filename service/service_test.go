package service

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tenure"
	"tenure/compile"
	"tenure/index"
	"tenure/internal/world"
	"tenure/statements"
)

const tenant = "t"

func TestNewReportsEveryFault(t *testing.T) {
	_, err := New(nil, Config{})
	if err == nil {
		t.Fatal("a service without a store")
	}
	for _, want := range []string{"store", "Now", "Index"} {
		if !strings.Contains(err.Error(), "no "+want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

// newService returns a service over a state that a test puts by hand.
func newService(t *testing.T) (*Service, *world.State) {
	t.Helper()
	s := world.NewState(t)
	x, err := index.Open(t.TempDir(), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	svc, err := New(s, Config{Now: func() time.Time { return world.Begin }, Index: x})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		svc.Close()
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return svc, s
}

func TestWhoMayReadACompilation(t *testing.T) {
	by := compile.Requester{Actor: "a", Clearance: tenure.Confidential}
	admin := tenure.Caller{Actor: "b", Roles: []tenure.Role{tenure.RoleAdmin}, Clearance: tenure.Confidential}
	for name, c := range map[string]struct {
		change func(*tenure.Caller)
		want   bool
	}{
		"an-administrator":              {func(*tenure.Caller) {}, true},
		"one-cleared-for-less":          {func(c *tenure.Caller) { c.Clearance = tenure.Restricted }, false},
		"one-bound-to-a-project":        {func(c *tenure.Caller) { c.Bound.ProjectID = "nova" }, false},
		"another-agent":                 {func(c *tenure.Caller) { c.Roles = []tenure.Role{tenure.RoleAgent} }, false},
		"the-requester-whatever-it-has": {func(c *tenure.Caller) { *c = tenure.Caller{Actor: "a"} }, true},
	} {
		caller := admin
		c.change(&caller)
		if got := mayRead(caller, by); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestARetractionHasNoTime checks that a retraction with a time is refused: a retracted belief never held.
func TestARetractionHasNoTime(t *testing.T) {
	svc, s := newService(t)
	c := Operator(tenant, "op")
	_, err := svc.Amend(t.Context(), c, nil, Amendment{Kind: tenure.Retract, Belief: "b", At: new(tenure.Instant(1))})
	if tenure.CodeOf(err) != tenure.Invalid || s.Seq(tenant) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestKeysAreRevokedInTheirTenant checks that an operator revokes keys of any tenant, and a caller only keys
// of its own.
func TestKeysAreRevokedInTheirTenant(t *testing.T) {
	svc, s := newService(t)
	k, err := NewKeys(s, svc.now, strings.NewReader(strings.Repeat("r", 32))).
		CreateKey(t.Context(), Operator(tenant, "op"), KeyRequest{Roles: []tenure.Role{tenure.RoleAgent}})
	if err != nil || k.Credential.MaxAuthority != tenure.UserLevel || k.Credential.Clearance != tenure.Restricted {
		t.Fatalf("%+v, %v", k, err)
	}
	if _, err := svc.Authenticate(t.Context(), k.Key, "203.0.113.7"); err != nil {
		t.Error(err)
	}
	if err := svc.RevokeKey(t.Context(), Operator("other", "op"), k.Credential.ID); tenure.CodeOf(err) != tenure.NotFound {
		t.Errorf("of another tenant: %v", err)
	}
	if err := svc.RevokeKey(t.Context(), Operator(tenant, "op"), k.Credential.ID); err != nil {
		t.Error(err)
	}
	if _, err := svc.Authenticate(t.Context(), k.Key, "203.0.113.7"); tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Errorf("a revoked key is taken: %v", err)
	}
}

// TestAReviewIsShownAsItIsNow checks that a review shows its current lease and the candidates visible to the
// caller.
func TestAReviewIsShownAsItIsNow(t *testing.T) {
	svc, s := newService(t)
	now := tenure.At(world.Begin)
	s.Put(tenant, slices.Concat(world.Person("a", "Jon", ""), world.Person("b", "Jon", ""), world.Person("c", "Jon", "zeta"))...)
	for id, until := range map[tenure.ID]tenure.Instant{"held": now + 1, "over": now} {
		s.Put(tenant, tenure.ReviewPut{Review: tenure.Review{
			ID: id, State: tenure.ReviewOpen, Entity: "a", Version: 1, Lease: tenure.Lease{LeasedBy: "key-1", LeasedFor: "Dana", LeasedUntil: until},
			Candidates: []tenure.Candidate{{Entity: "b", Score: .8}, {Entity: "c", Score: .9}},
		}})
	}
	c := Operator(tenant, "op")
	c.Bound.ProjectID = "nova"
	v, err := svc.View(t.Context(), c, AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[tenure.ID]string{"held": "key-1 Dana", "over": " "} {
		r, err := v.Review(t.Context(), id, Page{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.LeasedBy + " " + r.LeasedFor; got != want || (r.LeasedUntil != 0) != (id == "held") {
			t.Errorf("%s: leased by %q until %d", id, got, r.LeasedUntil)
		}
		if len(r.Candidates) != 1 || r.Candidates[0].Entity != "b" || len(r.Detail.Candidates) != 1 {
			t.Errorf("%s: candidates %+v", id, r.Candidates)
		}
	}
}

// repeating notes the turns before each text, and says nothing of any.
type repeating struct {
	mu     sync.Mutex
	before map[string][]string
}

func (r *repeating) Statements(
	_ context.Context, turn statements.Turn, before []statements.Turn,
) ([]tenure.Statement, error) {
	if turn.Text == "unreadable" {
		panic("a fault in a reader")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before[turn.Text] = []string{}
	for _, b := range before {
		r.before[turn.Text] = append(r.before[turn.Text], b.Text)
	}
	return nil, nil
}

// TestTextsOfABatchFollowEachOther checks that each text of a batch is read after those before it in its thread were
// written, that a refused one does not stop the others, and that the observations are in the order of the batch.
func TestTextsOfABatchFollowEachOther(t *testing.T) {
	svc, s := newService(t)
	reads := &repeating{before: map[string][]string{}}
	svc.stage.Statements = reads
	var items []BatchItem
	for i, text := range []string{"x1", "y1", "x2", "", "x3", "y2"} {
		at := tenure.At(world.Begin.Add(time.Duration(i) * time.Minute))
		items = append(items, BatchItem{Observation: Observation{
			Source: Source{Origin: "o", Thread: text[:min(len(text), 1)]}, Text: text, ObservedAt: &at,
		}})
	}
	results := svc.ObserveBatch(t.Context(), Operator(tenant, "op"), items)
	last := tenure.Seq(0)
	for i, r := range results {
		if empty := items[i].Observation.Text == ""; empty != (r.Err != nil) {
			t.Errorf("%q: %v", items[i].Observation.Text, r.Err)
		} else if !empty && r.Receipt.Seq <= last {
			t.Errorf("%q was written as number %d, after %d", items[i].Observation.Text, r.Receipt.Seq, last)
		}
		last = max(last, r.Receipt.Seq)
	}
	want := map[string][]string{"x1": {}, "y1": {}, "x2": {"x1"}, "x3": {"x1", "x2"}, "y2": {"y1"}}
	if !reflect.DeepEqual(reads.before, want) {
		t.Errorf("read after %v, want %v", reads.before, want)
	}
	if s.Seq(tenant) != last {
		t.Errorf("%d entries, want %d", s.Seq(tenant), last)
	}
}

// TestAFaultInAReaderIsOfItsRequest checks that a panic where a text of a batch is read comes back to who sent it.
func TestAFaultInAReaderIsOfItsRequest(t *testing.T) {
	svc, _ := newService(t)
	svc.stage.Statements = &repeating{before: map[string][]string{}}
	defer func() {
		if recover() == nil {
			t.Error("nothing was told of it")
		}
	}()
	var items []BatchItem
	for _, thread := range []string{"x", "y", "z"} {
		items = append(items, BatchItem{Observation: Observation{Source: Source{Origin: "o", Thread: thread}, Text: "unreadable"}})
	}
	svc.ObserveBatch(t.Context(), Operator(tenant, "op"), items)
}
