package compile_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"tenure"
	"tenure/compile"

	"tenure/similarity"
	"tenure/store"
)

// day is an instant of June 2026.
func day(n int) tenure.Instant { return tenure.Instant(1780272000+86400*int64(n-1)) * 1_000_000 }

// id makes a readable id that parses.
func id(n int) tenure.ID { return tenure.ID(fmt.Sprintf("00000000-0000-7000-8000-%012d", n)) }

// world is a reader of a state that a test writes down.
type world struct {
	store.Reader // what is not written here is not to be called
	entities     []tenure.Entity
	aliases      []tenure.Alias
	beliefs      []tenure.Belief
	terms        []tenure.Term
	cases        []tenure.Case
	reviews      []tenure.Review
	proposing    []store.ObservationRecord
	observations []tenure.Observation // answers, and texts that were read again
	shuffle      *rand.Rand
	mu           sync.Mutex // guards shuffle and calls
	calls        map[string]int
	documents    []tenure.Document
	passages     []tenure.Passage
}

func (w *world) called(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]int{}
	}
	w.calls[name]++
}

func mixed[T any](w *world, list []T) []T {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shuffle != nil {
		w.shuffle.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

func filter[T any](w *world, list []T, keep func(T) bool) []T {
	var out []T
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return mixed(w, out)
}

func (w *world) State() (tenure.Seq, tenure.Instant) { return 7, day(20) }

func (w *world) Entities(_ context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	w.called("Entities")
	return filter(w, w.entities, func(e tenure.Entity) bool { return slices.Contains(ids, e.ID) }), nil
}

func (w *world) AliasesByKey(_ context.Context, forms []tenure.AliasKey) ([]tenure.Alias, error) {
	w.called("Aliases")
	return filter(w, w.aliases, func(o tenure.Alias) bool { return slices.Contains(forms, o.Key) }), nil
}

func standsIn(b tenure.Belief, in tenure.Window) bool {
	return slices.ContainsFunc(b.Standing.Segments, func(g tenure.Segment) bool {
		return g.Cause == tenure.Stands && g.Overlaps(in)
	})
}

func (w *world) OpenReviews(_ context.Context, ids []tenure.ID, _ int) ([]tenure.Review, error) {
	w.called("OpenReviews")
	return filter(w, w.reviews, func(v tenure.Review) bool {
		return slices.ContainsFunc(v.Candidates, func(c tenure.Candidate) bool { return slices.Contains(ids, c.Entity) })
	}), nil
}

func (w *world) ProposalsOn(
	_ context.Context, ids []tenure.ID, in tenure.Scope, perEntity int,
) ([]store.ObservationRecord, error) {
	w.called("ProposalsOn")
	of := map[tenure.ID]int{}
	return mixed(w, slices.DeleteFunc(slices.Clone(w.proposing), func(r store.ObservationRecord) bool {
		return !r.Observation.Scope.VisibleIn(in) || !slices.ContainsFunc(r.Observation.ProposesOf(), func(id tenure.ID) bool {
			of[id]++
			return slices.Contains(ids, id) && of[id] <= perEntity
		})
	})), nil
}

func (w *world) Observations(_ context.Context, ids []tenure.ID) ([]tenure.Observation, error) {
	w.called("Observations")
	return filter(w, w.observations, func(o tenure.Observation) bool { return slices.Contains(ids, o.ID) }), nil
}

func (w *world) Beliefs(_ context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	w.called("Beliefs")
	return filter(w, w.beliefs, func(b tenure.Belief) bool { return slices.Contains(ids, b.Claim.ID) }), nil
}

func (w *world) Facts(_ context.Context, ids []tenure.ID, in tenure.Window, _ int) ([]tenure.Belief, error) {
	w.called("Facts")
	return filter(w, w.beliefs, func(b tenure.Belief) bool {
		return slices.Contains(ids, b.Claim.Subject) && standsIn(b, in)
	}), nil
}

func (w *world) Live(_ context.Context, ids []tenure.ID, in tenure.Window, _ int) ([]tenure.Belief, error) {
	w.called("Live")
	return filter(w, w.beliefs, func(b tenure.Belief) bool {
		return slices.Contains(ids, b.Claim.Subject) && standsIn(b, in)
	}), nil
}

func (w *world) Displaced(_ context.Context, ids []tenure.ID, in tenure.Window, _ int) ([]tenure.Belief, error) {
	w.called("Displaced")
	return filter(w, w.beliefs, func(b tenure.Belief) bool {
		return slices.Contains(ids, b.Claim.Subject) && !standsIn(b, in)
	}), nil
}

func (w *world) Saying(_ context.Context, texts []string, _ int) ([]tenure.Belief, error) {
	w.called("Saying")
	return filter(w, w.beliefs, func(b tenure.Belief) bool {
		var said string
		return b.Claim.Value.Entity == "" && json.Unmarshal(b.Claim.Value.JSON, &said) == nil &&
			slices.ContainsFunc(texts, func(t string) bool { return strings.EqualFold(t, said) })
	}), nil
}

func (w *world) Recent(_ context.Context, q store.RecentQuery) ([]tenure.Belief, error) {
	w.called("Recent")
	list := filter(w, w.beliefs, func(b tenure.Belief) bool {
		return b.Claim.Scope.VisibleIn(q.In) && standsIn(b, q.Window) &&
			(q.Of != store.Remarks || b.Claim.Predicate == tenure.Remark) && (q.Of != store.Directives || b.Claim.Directs())
	})
	slices.SortStableFunc(list, func(a, b tenure.Belief) int { return strings.Compare(string(b.Claim.ID), string(a.Claim.ID)) })
	return list[:min(len(list), q.Limit)], nil
}

func (w *world) Relations(_ context.Context, ids []tenure.ID, in tenure.Window, _ int) ([]tenure.Belief, error) {
	w.called("Relations")
	return filter(w, w.beliefs, func(b tenure.Belief) bool {
		return b.Claim.Value.Entity != "" && standsIn(b, in) &&
			(slices.Contains(ids, b.Claim.Subject) || slices.Contains(ids, b.Claim.Value.Entity))
	}), nil
}

func (w *world) Terms(_ context.Context, ids []string) ([]tenure.Term, error) {
	w.called("Terms")
	return filter(w, w.terms, func(t tenure.Term) bool { return slices.Contains(ids, t.ID()) }), nil
}

func (w *world) Cases(_ context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	w.called("Cases")
	return filter(w, w.cases, func(c tenure.Case) bool { return slices.Contains(ids, c.ID) }), nil
}

// entity adds an entity that is known by its name; options change it first.
func (w *world) entity(n int, name string, options ...func(*tenure.Entity)) tenure.ID {
	e := tenure.Entity{ID: id(n), Type: "person", Status: tenure.EntityCanonical, Name: name, CreatedAt: day(1) + tenure.Instant(n)}
	for _, o := range options {
		o(&e)
	}
	w.entities = append(w.entities, e)
	w.alias(e, name)
	return e.ID
}

func (w *world) alias(e tenure.Entity, name string) {
	w.aliases = append(w.aliases, tenure.Alias{
		Key: similarity.NameAliasKey(name), Entity: e.ID, Type: e.Type, Project: e.Project, Spelling: name,
	})
}

// claim adds a belief that stands from day 2 on; options change it first.
func (w *world) claim(n int, about tenure.ID, predicate, value string, options ...func(*tenure.Belief)) tenure.ID {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	b := tenure.Belief{Claim: tenure.Claim{
		ID: id(n), Subject: about, Predicate: predicate, Key: predicate,
		Value: tenure.Value{JSON: text, Canonical: "text:" + value}, Layer: tenure.LayerFact,
		Source:     tenure.Source{Origin: "conversation://s1/7", AuthorityLevel: 2, SourceAuthority: .9},
		Confidence: .9, Window: tenure.Window{From: day(2), Until: tenure.MaxTime}, Basis: tenure.Stated,
		Description: tenure.Description{ObjectType: tenure.IdentityFact, Classification: tenure.Public},
	}}
	b.Standing = tenure.Standing{Belief: id(n), LastConfirmed: day(2)}
	for _, o := range options {
		o(&b)
	}
	if b.Standing.Segments == nil {
		b.Standing.Segments = []tenure.Segment{{Window: b.Claim.Window, Cause: tenure.Stands}}
	}
	w.beliefs = append(w.beliefs, b)
	return b.Claim.ID
}

// propose adds words of day 10, recorded with the number n, that propose a value of a slot in the place of some beliefs;
// options change them first.
func (w *world) propose(
	n int, about tenure.ID, predicate, value string, stands []tenure.ID, options ...func(*tenure.Observation),
) tenure.ID {
	o := tenure.Observation{ID: id(n), Text: "perhaps " + value, ObservedAt: day(10), Statements: []tenure.Said{
		{Effect: tenure.Unsure, Entity: about, Predicate: predicate, Proposal: &tenure.Proposal{
			Effect: tenure.Set, Value: value, Stands: stands,
		}},
	}}
	for _, change := range options {
		change(&o)
	}
	w.proposing = append(w.proposing, store.ObservationRecord{Observation: o, RecordedAt: day(10)})
	return tenure.ProposalID(o.ID, 1)
}

// The options of claims.
func lost(c tenure.Cause, by tenure.ID) func(*tenure.Belief) {
	return func(b *tenure.Belief) {
		b.Standing.Segments = []tenure.Segment{{Window: b.Claim.Window, Cause: c, By: by}}
	}
}
func from(n int) func(*tenure.Belief) { return func(b *tenure.Belief) { b.Claim.Window.From = day(n) } }
func until(n int) func(*tenure.Belief) {
	return func(b *tenure.Belief) { b.Claim.Window.Until = day(n) }
}
func level(n int) func(*tenure.Belief) {
	return func(b *tenure.Belief) { b.Claim.Source.AuthorityLevel = n }
}
func trusted(x float64) func(*tenure.Belief) {
	return func(b *tenure.Belief) { b.Claim.Source.SourceAuthority = x }
}
func scoped(s tenure.Scope) func(*tenure.Belief) {
	return func(b *tenure.Belief) { b.Claim.Scope = s }
}
func layer(l tenure.Layer) func(*tenure.Belief) { return func(b *tenure.Belief) { b.Claim.Layer = l } }
func toEntity(e tenure.ID) func(*tenure.Belief) {
	return func(b *tenure.Belief) { b.Claim.Value = tenure.Value{Entity: e, Canonical: "entity:" + string(e)} }
}
func with(f func(*tenure.Claim)) func(*tenure.Belief) { return func(b *tenure.Belief) { f(&b.Claim) } }
func constraint() func(*tenure.Belief) {
	return with(func(c *tenure.Claim) { c.IsConstraint = true; c.ObjectType = tenure.PolicyRule })
}

var tokens = compile.NewTokens()

func agent() tenure.Caller {
	return tenure.Caller{Tenant: "t", Actor: "k", Roles: []tenure.Role{tenure.RoleAgent}, Clearance: tenure.Restricted, ActFor: true}
}

func ask(query string) compile.Request { return compile.Request{Query: query} }

// compiled runs a request of the agent and fails the test on an error.
func (w *world) compiled(t testing.TB, req compile.Request) compile.Result {
	t.Helper()
	return w.compiledFor(t, agent(), req)
}

func (w *world) compiledFor(t testing.TB, caller tenure.Caller, req compile.Request) compile.Result {
	t.Helper()
	c, err := compile.New(tokens, compile.Config{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Compile(context.Background(), w, caller, req, day(15))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// leastOf returns the budget of a request, or, where that is refused as too small, the one that the refusal names.
func (w *world) leastOf(t testing.TB, req compile.Request) int {
	t.Helper()
	c, err := compile.New(tokens, compile.Config{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Compile(context.Background(), w, agent(), req, day(15))
	var e *tenure.Error
	if !errors.As(err, &e) || len(e.Fields) == 0 || e.Fields[0].Pointer != "/budget_tokens" {
		return req.BudgetTokens
	}
	var least int
	if _, err := fmt.Sscanf(e.Fields[0].Reason, "must be at least %d:", &least); err != nil || least <= req.BudgetTokens {
		t.Fatalf("a budget of %d is refused: %s", req.BudgetTokens, e.Fields[0].Reason)
	}
	return least
}

// lines are those of the zones without the marks.
func lines(res compile.Result, zone string) []string {
	for _, z := range res.Envelope.Zones {
		if z.Name == zone {
			return strings.Split(z.Text, "\n")[1:]
		}
	}
	return nil
}

func reasonOf(res compile.Result, object tenure.ID) string {
	for _, o := range res.Trace.State.OmittedObjects {
		if o.ObjectID == object {
			return o.Reason
		}
	}
	for _, o := range res.Trace.State.QuarantinedObjects {
		if o.ObjectID == object {
			return o.Reason
		}
	}
	for _, o := range res.Trace.State.CompiledObjects {
		if o.ObjectID == object {
			return "compiled"
		}
	}
	return ""
}

// bytesOf is all that leaves the service, as JSON.
func bytesOf(t testing.TB, res compile.Result) string {
	t.Helper()
	b, err := json.Marshal(struct {
		E compile.Envelope
		T compile.Trace
	}{res.Envelope, res.Trace})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (w *world) PassagesIn(_ context.Context, _ tenure.Scope, _ tenure.ID, _ int) ([]tenure.Passage, error) {
	w.called("PassagesIn")
	return mixed(w, slices.Clone(w.passages)), nil
}

func (w *world) Passages(_ context.Context, ids []tenure.ID) ([]tenure.Passage, error) {
	w.called("Passages")
	return slices.DeleteFunc(slices.Clone(w.passages), func(p tenure.Passage) bool { return !slices.Contains(ids, p.ID) }), nil
}

func (w *world) Documents(_ context.Context, ids []tenure.ID) ([]tenure.Document, error) {
	w.called("Documents")
	return filter(w, w.documents, func(d tenure.Document) bool { return slices.Contains(ids, d.ID) }), nil
}
