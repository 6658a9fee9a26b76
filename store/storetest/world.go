package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tenure"
	"tenure/store"
)

// world is a fresh tenant in a store.
type world struct {
	*testing.T
	s      store.Store
	tenant string
	opts   Options

	mu    sync.Mutex
	known map[tenure.ID]bool // entities, observations and mentions that were put
}

// newID makes a random id; none of its bits matter to a store.
var newID = tenure.NewMint(time.Time{}).NewID

func newWorld(t *testing.T, s store.Store, opts Options) *world {
	t.Helper()
	return &world{T: t, s: s, tenant: "t-" + string(newID()), opts: opts, known: map[tenure.ID]bool{}}
}

// other is another fresh tenant in the same store.
func (w *world) other() *world { return newWorld(w.T, w.s, w.opts) }

// ids makes n ids in ascending order.
func ids(n int) []tenure.ID {
	list := make([]tenure.ID, n)
	for i := range list {
		list[i] = newID()
	}
	slices.Sort(list)
	return list
}

// set is a change set of the changes.
func set(changes ...tenure.Change) tenure.ChangeSet {
	return tenure.ChangeSet{ID: newID(), Operation: "test", Actor: "storetest", Changes: changes}
}

// whole adds to a set what it refers to and was not put before: an engine may
// take it for granted that a claim's subject is there.
func (w *world) whole(cs tenure.ChangeSet) tenure.ChangeSet {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range cs.Changes {
		switch c := c.(type) {
		case tenure.EntityPut:
			w.known[c.Entity.ID] = true
		case tenure.ObservationAdded:
			w.known[c.Observation.ID] = true
		case tenure.MentionAdded:
			w.known[c.Mention.ID] = true
		}
	}
	var missing []tenure.Change
	need := func(id tenure.ID, add tenure.Change) {
		if id != "" && !w.known[id] {
			w.known[id] = true
			missing = append(missing, add)
		}
	}
	for _, c := range cs.Changes {
		for _, id := range entitiesOf(c) {
			need(id, tenure.EntityPut{Entity: entity(id, "whole")})
		}
		switch c := c.(type) {
		case tenure.ClaimAdded:
			need(c.Claim.Observation, tenure.ObservationAdded{Observation: tenure.Observation{ID: c.Claim.Observation}})
		case tenure.MentionAssigned:
			id := c.Assignment.Mention
			need(id, tenure.MentionAdded{Mention: tenure.Mention{ID: id, Observation: newID()}})
		}
	}
	cs.Changes = append(missing, cs.Changes...)
	return cs
}

// entitiesOf lists the entities that a change names, "" for one that it leaves out.
func entitiesOf(c tenure.Change) []tenure.ID {
	switch c := c.(type) {
	case tenure.ClaimAdded:
		return []tenure.ID{c.Claim.Subject, c.Claim.Value.Entity}
	case tenure.ClaimMoved:
		return []tenure.ID{c.To.Subject, c.Object}
	case tenure.AliasAdded:
		return []tenure.ID{c.Alias.Entity}
	case tenure.MentionAssigned:
		return []tenure.ID{c.Assignment.Entity}
	case tenure.IdentityDecisionPut:
		return []tenure.ID{c.Decision.From, c.Decision.Into}
	case tenure.ReviewPut:
		named := []tenure.ID{c.Review.Entity}
		for _, o := range c.Review.Candidates {
			named = append(named, o.Entity)
		}
		return named
	case tenure.CasePut:
		return []tenure.ID{c.Case.Subject}
	}
	return nil
}

// apply applies one set of the changes to the present state.
func (w *world) apply(changes ...tenure.Change) tenure.Receipt {
	w.Helper()
	return w.applySets(set(changes...))[0]
}

// applySets applies sets to the present state.
func (w *world) applySets(sets ...tenure.ChangeSet) []tenure.Receipt {
	w.Helper()
	base, _ := w.now().State()
	for i := range sets {
		sets[i] = w.whole(sets[i])
	}
	receipts, err := w.s.Apply(background(), w.tenant, base, sets)
	w.ok(err)
	if len(receipts) != len(sets) {
		w.Fatalf("got %d receipts for %d sets", len(receipts), len(sets))
	}
	return receipts
}

// now views the present state.
func (w *world) now() store.Reader {
	w.Helper()
	return w.view(tenure.Present)
}

func (w *world) view(at tenure.AsOf) store.Reader {
	w.Helper()
	r, err := w.s.View(background(), w.tenant, at)
	w.ok(err)
	return r
}

func (w *world) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// code wants an error of the service with a code.
func (w *world) code(want tenure.Code, err error) {
	w.Helper()
	var e *tenure.Error
	if !errors.As(err, &e) || e.Code != want {
		w.Errorf("got error %v, want one of code %s", err, want)
	}
}

// same compares; a list that is empty is like none.
func (w *world) same(what string, want, got any) {
	w.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		w.Errorf("%s: -want +got\n%s", what, diff)
	}
}

// read makes a list of what a reader's method gives, and fails on its error.
func read[In, Out any](w *world, f func(context.Context, In) ([]Out, error), in In) []Out {
	w.Helper()
	list, err := f(background(), in)
	w.ok(err)
	return list
}

// idsOf lists the ids of beliefs in their order.
func idsOf(list []tenure.Belief) []tenure.ID {
	found := make([]tenure.ID, 0, len(list))
	for _, b := range list {
		found = append(found, b.Claim.ID)
	}
	return found
}

// entity is a plain entity.
func entity(id tenure.ID, name string) tenure.Entity {
	return tenure.Entity{ID: id, Type: "person", Status: tenure.EntityCanonical, Name: name, CreatedAt: 1}
}

func alias(f tenure.AliasKey, e, mention tenure.ID) tenure.Alias {
	return tenure.Alias{
		Key: f, Entity: e, Type: "person", Spelling: f.Key, Mention: mention,
	}
}

// claim is a claim with the least that one needs.
func claim(subject tenure.ID, predicate string) tenure.Claim {
	return tenure.Claim{
		ID: newID(), Observation: newID(), Subject: subject, Predicate: predicate,
		Value: tenure.Value{JSON: json.RawMessage(`"Chicago"`), Canonical: `"Chicago"`},
		Key:   predicate + "-key", Scope: tenure.Scope{Kind: tenure.ScopeGlobal}, Layer: tenure.LayerFact,
		Source:     tenure.Source{Origin: "test://1", AuthorityLevel: 2, SourceAuthority: 0.9},
		Confidence: 0.75, Window: tenure.Window{From: 100, Until: tenure.MaxTime}, Basis: tenure.Stated, ObservedAt: 100,
		Description: tenure.Description{ObjectType: tenure.IdentityFact, Classification: tenure.Public},
	}
}

// to makes the value of a claim an entity.
func to(c tenure.Claim, object tenure.ID) tenure.Claim {
	c.Value = tenure.Value{Entity: object, Canonical: string(object)}
	return c
}

func segment(cause tenure.Cause, from, until tenure.Instant) tenure.Segment {
	return tenure.Segment{Window: tenure.Window{From: from, Until: until}, Cause: cause}
}

func stands(from, until tenure.Instant) tenure.Segment { return segment(tenure.Stands, from, until) }

// standing puts the standing of a claim.
func standing(c tenure.Claim, segments ...tenure.Segment) tenure.StandingPut {
	return tenure.StandingPut{
		Slot:     c.Slot(),
		Standing: tenure.Standing{Belief: c.ID, Segments: segments, LastConfirmed: c.ObservedAt},
	}
}

// believed adds a claim with its standing; without segments it stands all
// through its window.
func believed(c tenure.Claim, segments ...tenure.Segment) []tenure.Change {
	if len(segments) == 0 {
		segments = []tenure.Segment{{Window: c.Window, Cause: tenure.Stands}}
	}
	return []tenure.Change{tenure.ClaimAdded{Claim: c}, standing(c, segments...)}
}

// believe applies a claim with its standing, as a set of its own.
func (w *world) believe(c tenure.Claim, segments ...tenure.Segment) tenure.Claim {
	w.Helper()
	w.apply(believed(c, segments...)...)
	return c
}

func quarantine(slot tenure.Slot, holds ...tenure.ID) tenure.Case {
	return tenure.Case{
		ID: newID(), Subject: slot.Subject, Predicate: slot.Predicate, Scope: slot.Scope, State: tenure.CaseOpen,
		Holds: holds, Resolver: tenure.Resolver{Kind: tenure.ResolverPerson, Task: "ask"}, OpenedAt: 5, Version: 1,
	}
}

func retract(c tenure.Claim) tenure.Amended {
	return tenure.Amended{Slot: c.Slot(), Amendment: tenure.Amendment{
		ID: newID(), Kind: tenure.Retract, Belief: c.ID, At: 7, AuthorityLevel: 1, Actor: "storetest", Reason: "wrong",
	}}
}
