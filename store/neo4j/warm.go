package neo4j

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store"
	"tenure/store/neo4j/graph"
)

// rehearsal is the tenant of which Warm writes what it rolls back.
const rehearsal = "\x00rehearsal"

// Warm has the database plan the statements that observations need: a database that was just started takes up to a
// second for each, while a request waits. It writes nothing.
func (s *Store) Warm(ctx context.Context) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	return errors.Join(s.rehearseReads(ctx), s.rehearseWrites(ctx))
}

// rehearseWrites writes an observation and a later version of what it made, and rolls both back.
func (s *Store) rehearseWrites(ctx context.Context) error {
	session := s.session(ctx, driver.AccessModeWrite)
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	tx, err := session.BeginTransaction(ctx)
	if err != nil {
		return fault(err)
	}
	defer func() { _ = tx.Close(context.WithoutCancel(ctx)) }() // rolls back
	w := &txWriter{tx: tx, tenant: rehearsal}
	last, err := w.lock(ctx)
	if err != nil {
		return fault(err)
	}
	first, second := rehearsed(tenure.NewMint(time.Time{}))
	for _, cs := range []tenure.ChangeSet{first, second} {
		if err := w.check(ctx, last.Seq, last.Seq, []tenure.ChangeSet{cs}, tenure.At(s.now())); err != nil {
			return fault(err)
		}
		b := graph.NewBatch(rehearsal, w.salting)
		if _, last, err = b.Gather([]tenure.ChangeSet{cs}, last, tenure.At(s.now())); err != nil {
			return fault(err)
		}
		s.labels.Add(b.Entities.Rows)
		if err := w.write(ctx, b); err != nil {
			return fault(err)
		}
		if err := w.writeLog(ctx, b, last); err != nil {
			return fault(err)
		}
	}
	return nil
}

// rehearsed returns the change sets of an observation of an entity, and of a second one that displaces what the first
// one says.
func rehearsed(mint tenure.Mint) (first, second tenure.ChangeSet) {
	entity, other := mint.NewID(), mint.NewID()
	source := tenure.Source{Origin: "rehearsal", AuthorityLevel: 2, SourceAuthority: 0.5}
	window := tenure.Window{From: 1, Until: tenure.MaxTime}
	set := func(value tenure.Value, displaced ...tenure.Claim) (tenure.ChangeSet, tenure.Claim) {
		o := tenure.Observation{ID: mint.NewID(), Source: source, ObservedAt: 1, ReceivedAt: 1, Text: "x"}
		m := tenure.Mention{ID: mint.NewID(), Observation: o.ID, Name: "x"}
		key := tenure.AliasKey{Kind: tenure.NameAlias, Key: "x"}
		c := tenure.Claim{
			ID: mint.NewID(), Observation: o.ID, Subject: entity, Predicate: "p", Value: value, Key: string(o.ID),
			Scope: tenure.Scope{Kind: tenure.ScopeGlobal}, Layer: tenure.LayerFact, Source: source, Window: window,
			Basis: tenure.Observed, ObservedAt: 1,
		}
		cs := tenure.ChangeSet{
			ID: mint.NewID(), Operation: "observe", Actor: "rehearsal",
			Key: &tenure.IdempotencyKey{Scope: string(o.ID), Hash: "x"},
			Changes: []tenure.Change{
				tenure.ObservationAdded{Observation: o}, tenure.MentionAdded{Mention: m},
				tenure.EntityPut{Entity: tenure.Entity{ID: entity, Status: tenure.EntityCanonical, Name: string(o.ID)}},
				tenure.EntityPut{Entity: tenure.Entity{ID: other, Status: tenure.EntityCanonical, Name: "y"}},
				tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: m.ID, Entity: entity, Outcome: tenure.NewEntity}},
				tenure.AliasAdded{Alias: tenure.Alias{Key: key, Entity: entity, Spelling: "x", Mention: m.ID}},
				tenure.ClaimAdded{Claim: c}, tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{
					Belief: c.ID, Segments: []tenure.Segment{{Window: window, Cause: tenure.Stands}}, LastConfirmed: 1,
				}},
			},
		}
		for _, d := range displaced {
			cs.Changes = append(cs.Changes, tenure.StandingPut{Slot: d.Slot(), Standing: tenure.Standing{
				Belief: d.ID, Segments: []tenure.Segment{{Window: window, Cause: tenure.BySuccession, By: c.ID}}, LastConfirmed: 1,
			}})
		}
		return cs, c
	}
	text := tenure.Value{JSON: json.RawMessage(`"x"`), Canonical: `"x"`}
	first, said := set(text)
	second, _ = set(tenure.Value{Entity: other}, said)
	return first, second
}

// rehearseReads reads what a decision on an observation, and re-resolution, read.
func (s *Store) rehearseReads(ctx context.Context) error {
	r := &reader{s: s, tenant: rehearsal, seq: 1, tx: 1, head: 1, cache: s.cache.Get()}
	ids, keys := []tenure.ID{"x"}, []string{"x"}
	now := tenure.Window{From: 1, Until: 2}
	// One after the other: planned at once, they would be planned together, each slowly.
	for _, read := range []func() error{
		func() error { _, err := s.View(ctx, rehearsal, tenure.Present); return err },
		func() error { _, err := s.barrier(ctx, rehearsal); return err },
		func() error {
			_, err := s.query(ctx, readLog, args{"tenant": rehearsal, "after": int64(0), "until": int64(1), "limit": 1})
			return err
		},
		func() error {
			_, _, err := s.Grown(ctx, store.Mark{At: int64(tenure.At(s.now())), Listed: 1})
			return err
		},
		func() error { _, err := r.Receipts(ctx, keys); return err },
		func() error { _, err := r.Entities(ctx, ids); return err },
		func() error { _, err := r.AliasesByKey(ctx, []tenure.AliasKey{{Kind: "x", Key: "x"}}); return err },
		func() error { _, err := r.AliasesOf(ctx, ids); return err },
		func() error { _, err := r.IdentityDecisionsOn(ctx, ids); return err },
		func() error { _, err := r.OpenReviews(ctx, ids, 1); return err },
		func() error { _, err := r.Slots(ctx, []tenure.Slot{{Subject: "x", Predicate: "p"}}); return err },
		func() error { _, err := r.Dependents(ctx, ids); return err },
		func() error { _, err := r.Superseders(ctx, ids); return err },
		func() error { _, err := r.Amendments(ctx, ids); return err },
		func() error { _, err := r.Beliefs(ctx, ids); return err },
		func() error { _, err := r.BeliefsByKey(ctx, keys); return err },
		func() error { _, err := r.Referring(ctx, ids); return err },
		func() error { _, err := r.Live(ctx, ids, now, 1); return err },
		func() error { _, err := r.Facts(ctx, ids, now, 1); return err },
		func() error { _, err := r.Mentions(ctx, ids); return err },
		func() error { _, err := r.MentionsOf(ctx, "x", "", 1); return err },
		func() error { _, err := r.Vocabularies(ctx, keys); return err },
		func() error { _, err := r.Terms(ctx, keys); return err },
		func() error { _, err := r.ListTerms(ctx, "x", "", 1); return err },
		func() error { _, err := r.Cases(ctx, ids); return err },
		func() error {
			_, err := r.ListObservations(ctx, store.ObservationQuery{By: store.BySession, Name: "x", Limit: 1})
			return err
		},
	} {
		if err := patiently(read); err != nil {
			return err
		}
	}
	return nil
}

// patiently repeats a read that did not end in its time: what was planned until then stays planned.
func patiently(read func() error) error {
	const often = 5
	for n := 1; ; n++ {
		if err := read(); n == often || tenure.CodeOf(err) != tenure.Unavailable {
			return err
		}
	}
}
