package transfer

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"

	"tenure"
	"tenure/store"
)

// perEntity bounds the beliefs of one entity that are compared as a reader of what is live sees them.
const perEntity = 1000

// slotsAtOnce is the number of slots that are compared together.
const slotsAtOnce = 200

// Compare asks both stores what they hold of a tenant up to the newest entry of the copy, and returns in words what
// differs. It ends with the first page that has a difference. Each thing is asked for in the state after the page of
// the log that changes it, and each slot in the newest state.
func Compare(ctx context.Context, from, to store.Archive, tenant string, told func(Stats)) ([]string, error) {
	view, err := to.View(ctx, tenant, tenure.Present)
	if err != nil {
		return nil, err
	}
	c := &comparer{from: from, to: to, tenant: tenant}
	c.stats.Of, _ = view.State()
	for c.stats.Entries < c.stats.Of && len(c.found) == 0 {
		if err := c.page(ctx); err != nil {
			return nil, err
		}
		told(c.stats)
	}
	for _, part := range []func(context.Context) error{c.newest, c.credentials, c.audit, c.compilations} {
		if len(c.found) > 0 {
			break
		}
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	return c.found, nil
}

type comparer struct {
	from, to store.Archive
	tenant   string
	stats    Stats
	found    []string
}

func (c *comparer) differs(what string, at tenure.Seq) {
	c.found = append(c.found, fmt.Sprintf("%s differ in state %d", what, at))
}

// page compares a page of the log, and what its entries name in the state after it.
func (c *comparer) page(ctx context.Context) error {
	here, err := c.from.Log(ctx, c.tenant, c.stats.Entries, entriesAtOnce)
	if err != nil {
		return err
	}
	there, err := c.to.Log(ctx, c.tenant, c.stats.Entries, entriesAtOnce)
	if err != nil {
		return err
	}
	here = here[:min(len(here), len(there))] // the source may go on
	if len(there) == 0 || !reflect.DeepEqual(here, there) {
		c.differs("the logs", c.stats.Entries)
		return nil
	}
	last := there[len(there)-1]
	var n names
	entities := map[tenure.ID]bool{}
	for _, e := range there {
		for _, change := range e.Changes {
			n.add(change)
		}
		for _, id := range e.Entities() {
			entities[id] = true
		}
	}
	for id := range entities {
		n.entities = append(n.entities, id)
	}
	keyed, err := c.from.Keyed(ctx, c.tenant, there[0].Tx, last.Tx)
	if err != nil {
		return err
	}
	var scopes []string
	for _, k := range keyed {
		scopes = append(scopes, k.Key.Scope)
	}
	c.stats.Entries = last.Seq
	return c.ask(ctx, last.Seq, questions(n, scopes))
}

// question is a read whose answer is the same in a store and its copy.
type question struct {
	of  string
	ask func(ctx context.Context, r store.Reader) (any, error)
}

// ask asks both stores in one state.
func (c *comparer) ask(ctx context.Context, at tenure.Seq, list []question) error {
	here, err := c.from.View(ctx, c.tenant, tenure.AsOf{Seq: at})
	if err != nil {
		return err
	}
	there, err := c.to.View(ctx, c.tenant, tenure.AsOf{Seq: at})
	if err != nil {
		return err
	}
	seq, tx := here.State()
	if n, t := there.State(); n != seq || t != tx {
		c.differs("the numbers and times", at)
	}
	for _, q := range list {
		a, err := q.ask(ctx, here)
		if err != nil {
			return err
		}
		b, err := q.ask(ctx, there)
		if err != nil {
			return err
		}
		if !same(a, b, tx) {
			c.differs("the "+q.of, at)
		}
	}
	return nil
}

// same compares two answers about a state. A standing that ended after the state may be told as open or not: the
// source may have gone on.
func same(a, b any, tx tenure.Instant) bool {
	for _, list := range []any{a, b} {
		switch list := list.(type) {
		case []tenure.Belief:
			open(list, tx)
		case []store.SlotState:
			for _, s := range list {
				open(s.Beliefs, tx)
			}
		}
	}
	return reflect.DeepEqual(a, b) || isEmpty(a) && isEmpty(b)
}

func open(list []tenure.Belief, tx tenure.Instant) {
	for i := range list {
		if list[i].StandingTx.Until > tx {
			list[i].StandingTx.Until = tenure.MaxTime
		}
	}
}

func isEmpty(list any) bool { return reflect.ValueOf(list).Len() == 0 }

// about makes a question of a read by ids.
func about[K, T any](of string, ids []K, read func(store.Reader, context.Context, []K) ([]T, error)) question {
	return question{of, func(ctx context.Context, r store.Reader) (any, error) { return read(r, ctx, ids) }}
}

// questions are those about the things of a page.
func questions(n names, scopes []string) []question {
	window := tenure.Window{From: tenure.MinTime, Until: tenure.MaxTime}
	within := func(of string, read reader) question {
		return question{of, func(ctx context.Context, r store.Reader) (any, error) {
			return read(r, ctx, n.entities, window, perEntity)
		}}
	}
	return []question{
		about("observations", n.observations, store.Reader.Observations),
		about("mentions", n.mentions, store.Reader.Mentions),
		about("entities", n.entities, store.Reader.Entities),
		about("aliases", n.entities, store.Reader.AliasesOf),
		about("identity decisions of entities", n.entities, store.Reader.IdentityDecisionsOn),
		about("identity decisions", n.decisions, store.Reader.IdentityDecisions),
		about("reviews", n.reviews, store.Reader.Reviews),
		about("beliefs", n.beliefs, store.Reader.Beliefs),
		about("amendments", n.beliefs, store.Reader.Amendments),
		about("superseders", n.beliefs, store.Reader.Superseders),
		about("dependents", n.beliefs, store.Reader.Dependents),
		about("beliefs that refer to entities", n.entities, store.Reader.Referring),
		within("live beliefs", store.Reader.Live),
		within("relations", store.Reader.Relations),
		about("cases", n.cases, store.Reader.Cases),
		about("vocabularies", n.vocabularies, store.Reader.Vocabularies),
		about("terms", n.terms, store.Reader.Terms),
		about("documents", n.documents, store.Reader.Documents),
		about("passages", n.documents, store.Reader.PassagesOf),
		{"idempotency keys", func(ctx context.Context, r store.Reader) (any, error) { return r.Receipts(ctx, scopes) }},
	}
}

// reader reads beliefs of entities in a window.
type reader = func(store.Reader, context.Context, []tenure.ID, tenure.Window, int) ([]tenure.Belief, error)

// newest compares the lists of the newest state: slots with all that their standings are made of, reviews and cases.
func (c *comparer) newest(ctx context.Context) error {
	at := c.stats.Of
	if at == 0 {
		return nil
	}
	for after := ""; ; {
		view, err := c.to.View(ctx, c.tenant, tenure.AsOf{Seq: at})
		if err != nil {
			return err
		}
		slots, err := view.SlotsAfter(ctx, after, slotsAtOnce)
		if err != nil {
			return err
		}
		err = c.ask(ctx, at, []question{
			{"lists of slots", func(ctx context.Context, r store.Reader) (any, error) {
				return r.SlotsAfter(ctx, after, slotsAtOnce)
			}},
			about("slots", slots, store.Reader.Slots),
		})
		if err != nil {
			return err
		}
		if len(slots) == 0 {
			break
		}
		after = slots[len(slots)-1].Key()
	}
	return c.ask(ctx, at, []question{
		{"lists of reviews", func(ctx context.Context, r store.Reader) (any, error) {
			return r.ListReviews(ctx, store.ReviewQuery{Ranked: true})
		}},
		{"lists of cases", func(ctx context.Context, r store.Reader) (any, error) {
			return r.ListCases(ctx, store.CaseQuery{})
		}},
		{"lists of contested beliefs", func(ctx context.Context, r store.Reader) (any, error) {
			return r.List(ctx, store.BeliefQuery{Contested: true})
		}},
	})
}

func (c *comparer) credentials(ctx context.Context) error {
	here, err := c.from.Credentials(ctx, c.tenant)
	if err != nil {
		return err
	}
	there, err := c.to.Credentials(ctx, c.tenant)
	for _, list := range [][]tenure.Credential{here, there} {
		for i := range list {
			list[i].LastUsedAt = 0 // the source may be in use
		}
	}
	if err == nil && !reflect.DeepEqual(here, there) {
		c.differs("the API keys", c.stats.Of)
	}
	return err
}

// audit compares the audit trails up to the newest event of the copy, which may also have been copied from since.
func (c *comparer) audit(ctx context.Context) error {
	newest, err := c.to.Audit(ctx, c.tenant, store.AuditQuery{Limit: 1})
	if err != nil || len(newest) == 0 {
		return err
	}
	var rest [2][]tenure.AuditEvent
	for i, s := range []store.Store{c.from, c.to} {
		err := eachAudited(ctx, s, c.tenant, newest[0].ID, func(events []tenure.AuditEvent) error {
			rest[i] = append(rest[i], events...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	there := map[tenure.AuditEvent]bool{}
	for _, e := range rest[1] {
		there[e] = true
	}
	if slices.ContainsFunc(rest[0], func(e tenure.AuditEvent) bool { return !there[e] }) {
		c.differs("the audit trails", c.stats.Of)
	}
	return nil
}

// compilations compares those that the copy has, byte for byte, with their outcomes.
func (c *comparer) compilations(ctx context.Context) error {
	for after := tenure.ID(""); ; {
		there, err := c.to.Compilations(ctx, c.tenant, after, keptAtOnce)
		if err != nil || len(there) == 0 {
			return err
		}
		for _, k := range there {
			kept, err := c.from.Compilation(ctx, c.tenant, k.ID)
			if err != nil {
				return err
			}
			if kept.CreatedAt != k.CreatedAt || !bytes.Equal(kept.Body, k.Body) || !follows(kept.Outcome, k.Outcome) {
				c.differs("the compilations "+string(k.ID), c.stats.Of)
			}
		}
		after = there[len(there)-1].ID
	}
}

// follows reports whether the outcome in the source is the one of the copy, or a later one: the source may go on.
func follows(source, copied *tenure.CompilationOutcome) bool {
	if copied == nil || source == nil {
		return copied == nil
	}
	return source.Version > copied.Version || reflect.DeepEqual(source, copied)
}
