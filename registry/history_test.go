package registry_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tenure"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"

	"tenure/amend"
	"tenure/similarity"
	"tenure/store"
	"tenure/store/neo4j"
	"tenure/store/sqlite"
	"tenure/verify"
)

// The histories of this file are random sequences of observations, merges, undos, splits, reviews and
// retractions. An id depends only on the step and the command that minted it, however often an engine makes the
// writer decide it, so that a history with a step left out has the same ids.

func TestHistoriesOnSQLite(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	play(t, s, 16, 250)
}

// TestHistoriesOnNeo4j plays fewer and shorter histories than on SQLite: the decisions are the same on both engines, so that only
// faults of the engine are left to find, and the contract tests of the engine find most of those.
func TestHistoriesOnNeo4j(t *testing.T) {
	t.Parallel()
	uri := os.Getenv("NEO4J_URI")
	if uri == "" {
		t.Fatal(`NEO4J_URI is not set, and this test needs a real Neo4j: run "make test"`)
	}
	s, err := neo4j.Open(t.Context(), uri, neo4j.Config{
		Now: time.Now, Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	play(t, s, 4, 100)
}

// play runs n histories of so many steps (4 in a short run) concurrently, each in its own tenants.
func play(t *testing.T, s store.Store, n, steps int) {
	t.Helper()
	if testing.Short() {
		n = 4
	}
	t.Run("all", func(t *testing.T) { // returns when all subtests have ended
		for i := range n {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				seed := uint64(i + 1)
				if i%4 == 3 {
					leftOut(t, s, seed)
					return
				}
				h := newHistory(t, s, seed)
				for h.number < steps {
					h.step()
				}
				h.check()
			})
		}
	})
}

// history is a tenant together with the state that the test tracks.
type history struct {
	*testing.T
	r         *rand.Rand
	store     store.Store
	writer    *ledger.Writer
	tenant    string
	number    int // of the step
	minted    int // ids, by the command
	command   int // of the step, that is decided
	written   int // groups of commands
	entities  []tenure.ID
	beliefs   []tenure.ID
	mentions  []tenure.ID
	decisions []tenure.IdentityDecision // identity decisions: merges and splits
}

func newHistory(t *testing.T, s store.Store, seed uint64) *history {
	h := &history{
		T: t, r: rand.New(rand.NewPCG(seed, 7)), store: s,
		tenant: "history-" + strings.ToLower(string(tenure.NewMint(time.Now()).NewID())),
	}
	policies := registry.Policies(similarity.DefaultModel(), ledger.Unobserved)
	policies.BlockingKeys = func(tenure.Alias) []string { return nil }
	var err error
	h.writer, err = ledger.NewWriter(s, func() tenure.Mint {
		step := h.number
		return tenure.Mint{Now: tenure.At(world.Begin.Add(time.Duration(step) * time.Minute)), NewID: func() tenure.ID {
			h.minted++
			return tenure.ID(fmt.Sprintf("00000000-0000-7%03d-8%03d-%06d%06d", seed%1000, step%1000, h.command, h.minted))
		}}
	}, policies, ledger.Config{Timeout: time.Hour}) // however slow the machine is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.writer.Close)
	return h
}

func (h *history) caller() tenure.Caller {
	return tenure.Caller{Tenant: h.tenant, Actor: "tester", Clearance: tenure.HighlyRestricted}
}

func (h *history) view() store.Reader {
	h.Helper()
	r, err := h.store.View(h.Context(), h.tenant, tenure.Present)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// do runs a command and reports whether it succeeded; a refusal is a valid outcome, any other error fails the
// test.
func (h *history) do(c ledger.Command, answer any) bool {
	h.Helper()
	return h.answer(h.write(c)[0], answer)
}

// attempts is how often a write is sent that a busy machine does not answer in time.
const attempts = 20

// numbered is a command of a step: each decision of it begins its ids anew.
type numbered struct {
	ledger.Command
	history *history
	number  int
}

func (c numbered) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	c.history.command, c.history.minted = c.number, 0
	return c.Command.Decide(ctx, txn, m)
}

// write sends commands as one group, again while the store does not answer: the keys of the requests keep what was
// committed from being done twice.
func (h *history) write(commands ...ledger.Command) []ledger.Result {
	h.Helper()
	h.written++
	requests := make([]ledger.Request, len(commands))
	for i, c := range commands {
		key := &tenure.IdempotencyKey{Scope: fmt.Sprintf("%d/%d", h.written, i), Hash: "-"}
		requests[i] = ledger.Request{Command: numbered{c, h, i}, Operation: "test", Actor: "tester", Key: key}
	}
	var results []ledger.Result
	for range attempts {
		results = h.writer.Do(h.Context(), h.tenant, requests...)
		if !slices.ContainsFunc(results, func(r ledger.Result) bool {
			var failed *tenure.Error
			return errors.As(r.Err, &failed) && failed.Code == tenure.Unavailable
		}) {
			break
		}
	}
	return results
}

func (h *history) answer(res ledger.Result, answer any) bool {
	h.Helper()
	var refused *tenure.Error
	switch {
	case res.Err == nil:
		if err := json.Unmarshal(res.Receipt.Answer, answer); err != nil {
			h.Fatal(err)
		}
		return true
	case errors.As(res.Err, &refused) && refused.Code != tenure.Internal && refused.Code != tenure.Unavailable:
		return false
	}
	h.Fatalf("step %d: %v", h.number, res.Err)
	return false
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// step takes one random step.
func (h *history) step() {
	h.number++
	kind := h.r.IntN(20)
	if len(h.entities) < 4 {
		kind = 0
	}
	switch {
	case kind < 9:
		h.observe(several(h.r, randomObservation)...)
	case kind < 12:
		h.undone(h.mergeOf(pick(h.r, h.entities), pick(h.r, h.entities)))
	case kind < 14:
		h.undone(h.randomSplit())
	case kind < 16 && len(h.decisions) > 0:
		h.undo(pick(h.r, h.decisions))
	case kind < 18:
		h.decide()
	case len(h.beliefs) > 0:
		h.amend(pick(h.r, h.beliefs))
	}
}

// several returns a few observations, which are decided in one group.
func several(r *rand.Rand, one func(*rand.Rand) ingest.Input) []ingest.Input {
	list := make([]ingest.Input, 1+r.IntN(8))
	for i := range list {
		list[i] = one(r)
	}
	return list
}

var people = []string{
	"Ada Park", "Ben Holt", "Cleo Marsh", "Dov Lindt", "Ewa Nowak", "Finn Oake", "Gus Perry", "Hana Mori", "Ida Berg", "Jon Vale",
}

// randomObservation names one or two people and makes claims about them.
func randomObservation(r *rand.Rand) ingest.Input {
	in := world.Said(pick(r, people), pick(r, []string{"office", "team", "status"}), pick(r, []string{"red", "blue", "green"}), func(c *ingest.Claim) {
		if r.IntN(2) == 0 {
			c.ValidFrom = world.Day(r.IntN(6))
		}
		if r.IntN(4) == 0 {
			c.ValidUntil = world.Day(7 + r.IntN(6))
		}
	})
	if r.IntN(3) == 0 {
		in.Mentions = append(in.Mentions, ingest.Mention{Name: pick(r, people), Type: "person"})
		in.Claims = append(in.Claims, ingest.Claim{
			Subject: ingest.Ref{Mention: world.Ptr(0)}, Predicate: "manager", Value: ingest.Value{Entity: &ingest.Ref{Mention: world.Ptr(1)}},
		})
	}
	if r.IntN(4) == 0 {
		in.Mentions[0].Attributes = map[string][]string{"email": {fmt.Sprintf("box%d@x.example", r.IntN(8))}}
	}
	if r.IntN(6) == 0 {
		in.Mentions[0].Aliases = []string{pick(r, people)}
	}
	in.Source.Speaker = pick(r, people)
	in.Source.SourceAuthority = world.Ptr(float64(r.IntN(3)) / 2)
	in.ObservedAt = world.Day(r.IntN(6))
	return in
}

func (h *history) observe(list ...ingest.Input) {
	h.Helper()
	commands := make([]ledger.Command, len(list))
	for i, in := range list {
		commands[i] = &ingest.Command{Caller: h.caller(), Input: in, Matcher: registry.Matcher{Model: similarity.DefaultModel()}}
	}
	for _, res := range h.write(commands...) {
		var a ingest.Answer
		if !h.answer(res, &a) {
			continue
		}
		for _, m := range a.Mentions {
			h.know(m.EntityID)
			h.mentions = append(h.mentions, m.MentionID)
		}
		for _, b := range a.Beliefs {
			h.beliefs = append(h.beliefs, b.BeliefID)
		}
	}
	h.number += len(list) - 1
}

func (h *history) know(id tenure.ID) {
	if !slices.Contains(h.entities, id) {
		h.entities = append(h.entities, id)
	}
}

// change is a merge or a split to be carried out.
type change struct {
	kind    tenure.IdentityDecisionKind
	command ledger.Command
}

func (h *history) mergeOf(a, b tenure.ID) change {
	return change{tenure.Merge, registry.Merge{Caller: h.caller(), From: a, Into: b}}
}

func (h *history) randomSplit() change {
	id := pick(h.r, h.entities)
	list, err := h.view().MentionsOf(h.Context(), id, "", 100)
	if err != nil {
		h.Fatal(err)
	}
	var some []tenure.ID
	for _, m := range list {
		if h.r.IntN(2) == 0 {
			some = append(some, m.ID)
		}
	}
	return change{tenure.Split, registry.Split{Caller: h.caller(), Entity: id, Mentions: some}}
}

// carryOut runs the change and returns its identity decision; it returns false if the change is refused.
func (h *history) carryOut(c change) (tenure.IdentityDecision, bool) {
	var a struct {
		MergeID     tenure.ID `json:"merge_id"`
		SplitID     tenure.ID `json:"split_id"`
		NewEntityID tenure.ID `json:"new_entity_id"`
	}
	if !h.do(c.command, &a) {
		return tenure.IdentityDecision{}, false
	}
	if a.NewEntityID != "" {
		h.know(a.NewEntityID)
	}
	return tenure.IdentityDecision{ID: cmp.Or(a.MergeID, a.SplitID), Kind: c.kind}, true
}

// undone runs a change and half of the time undoes it, and checks that undoing restores the former state.
func (h *history) undone(c change) {
	if h.r.IntN(2) == 0 {
		if v, ok := h.carryOut(c); ok {
			h.decisions = append(h.decisions, v)
		}
		return
	}
	known := slices.Clone(h.entities)
	before := h.snapshot(known)
	v, ok := h.carryOut(c)
	if !ok {
		h.same("a refused "+string(c.kind), before, h.snapshot(known))
		return
	}
	h.number++ // an undo mints ids too
	h.undo(v)
	h.same("an undone "+string(c.kind), before, h.snapshot(known))
}

func (h *history) undo(v tenure.IdentityDecision) {
	var a registry.UndoAnswer
	h.do(registry.UndoDecision{Caller: h.caller(), Kind: v.Kind, Decision: v.ID}, &a)
}

// decide answers a random open review.
func (h *history) decide() {
	open, err := h.view().ListReviews(h.Context(), store.ReviewQuery{State: tenure.ReviewOpen})
	if err != nil || len(open) == 0 {
		return
	}
	v := pick(h.r, open)
	d := registry.DecideReview{
		Caller: h.caller(), Review: v.ID, Version: v.Version, Decision: pick(h.r, []string{registry.DecideMerge, registry.DecideNew, registry.DecideDefer}),
	}
	if d.Decision == registry.DecideMerge && len(v.Candidates) > 0 {
		d.Into = pick(h.r, v.Candidates).Entity
	}
	if h.r.IntN(2) == 0 {
		waiting, err := h.view().MentionsOf(h.Context(), v.Entity, "", 100)
		if err != nil {
			h.Fatal(err)
		}
		for _, m := range waiting {
			if h.r.IntN(2) == 0 {
				d.Mentions = append(d.Mentions, m.ID)
			}
		}
	}
	known := slices.Clone(h.entities)
	before := h.snapshot(known)
	var a registry.DecideReviewAnswer
	if !h.do(d, &a) {
		h.same("a refused answer", before, h.snapshot(known))
		return
	}
	h.know(a.EntityID)
	if d.Decision != registry.DecideDefer && h.r.IntN(2) == 0 {
		h.takeBack(v, a, known, before)
		return
	}
	if a.MergeID != "" {
		h.decisions = append(h.decisions, tenure.IdentityDecision{ID: a.MergeID, Kind: tenure.Merge})
	}
	for _, id := range a.CannotLinks {
		h.decisions = append(h.decisions, tenure.IdentityDecision{ID: id, Kind: tenure.CannotLink})
	}
}

// takeBack undoes an answer that was just given and checks that the former state is restored. Mentions that
// the answer split off are joined again by undoing the split.
func (h *history) takeBack(v tenure.Review, a registry.DecideReviewAnswer, known []tenure.ID, before snapshot) {
	h.Helper()
	if a.SplitID != "" {
		parted, err := h.view().ListReviews(h.Context(), store.ReviewQuery{Entity: a.EntityID})
		if err != nil || len(parted) == 0 {
			h.Fatalf("step %d: there is no review of what was parted: %v", h.number, err)
		}
		v = parted[len(parted)-1]
	}
	h.number++
	var u registry.UndoAnswer
	if !h.do(registry.UndoReview{Caller: h.caller(), Review: v.ID}, &u) || !slices.Contains(u.Reviews, v.ID) {
		h.Fatalf("step %d: the answer was not taken back: %+v", h.number, u)
	}
	if a.SplitID != "" {
		h.number++
		h.undo(tenure.IdentityDecision{ID: a.SplitID, Kind: tenure.Split})
	}
	h.same("an answer that was taken back", before, h.snapshot(known))
}

func (h *history) amend(id tenure.ID) {
	kind := pick(h.r, []tenure.AmendmentKind{tenure.Retract, tenure.End, tenure.Confirm})
	var a amend.Answer
	h.do(amend.Belief{Caller: h.caller(), Belief: id, Kind: kind, At: world.Day(6)}, &a)
}

// snapshot holds the content of all views, restricted to known entities.
type snapshot struct {
	Entities []tenure.Entity
	Aliases  []tenure.Alias
	Beliefs  []tenure.Belief
	Assigned map[tenure.ID]tenure.Assignment
	Open     []tenure.Case
	Reviews  []tenure.Review
}

func (h *history) snapshot(entities []tenure.ID) snapshot {
	h.Helper()
	ctx := context.WithoutCancel(h.Context())
	r := h.view()
	s := snapshot{Assigned: map[tenure.ID]tenure.Assignment{}}
	var errs [5]error
	s.Entities, errs[0] = r.Entities(ctx, entities)
	s.Aliases, errs[1] = r.AliasesOf(ctx, entities)
	s.Beliefs, errs[2] = r.List(ctx, store.BeliefQuery{})
	s.Open, errs[3] = r.ListCases(ctx, store.CaseQuery{State: tenure.CaseOpen})
	s.Reviews, errs[4] = r.ListReviews(ctx, store.ReviewQuery{State: tenure.ReviewOpen})
	if err := errors.Join(errs[:]...); err != nil {
		h.Fatal(err)
	}
	records, err := r.Mentions(ctx, h.mentions)
	if err != nil {
		h.Fatal(err)
	}
	for _, m := range records {
		s.Assigned[m.Mention.ID] = m.Assignment
	}
	s.timeless()
	return s
}

// timeless drops versions and times of changes.
func (s *snapshot) timeless() {
	byID := func(a, b tenure.Entity) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(s.Entities, byID)
	slices.SortFunc(s.Aliases, func(a, b tenure.Alias) int {
		return cmp.Or(cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Key.Kind, b.Key.Kind), cmp.Compare(a.Key.Key, b.Key.Key), cmp.Compare(a.Mention, b.Mention))
	})
	for i := range s.Beliefs {
		b := &s.Beliefs[i]
		b.StandingTx, b.RecordedAt = tenure.Window{}, 0
		b.Standing.Subject, b.Standing.Object = "", "" // the claim's own, which a move changes
	}
	for i := range s.Open {
		s.Open[i].Version, s.Open[i].OpenedAt = 0, 0
	}
	for i := range s.Reviews {
		s.Reviews[i].Version, s.Reviews[i].Events = 0, nil
	}
}

// equal compares texts, which is many times faster than computing a difference. A difference between nil and
// an empty list is ignored.
func (s snapshot) equal(o snapshot) bool {
	a, errA := json.Marshal(s)
	b, errB := json.Marshal(o)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func (h *history) same(what string, want, got snapshot) {
	h.Helper()
	if want.equal(got) {
		return
	}
	if d := gocmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		h.Fatalf("step %d: %s left a trace: -before +after\n%s", h.number, what, d)
	}
}

// check verifies the invariants of the tenant: package verify finds no error, and each id resolves to a root.
func (h *history) check() {
	h.Helper()
	report, err := verify.Tenant(h.Context(), h.store, h.tenant)
	if err != nil || len(report.Findings) > 0 {
		h.Fatalf("step %d: verify finds %v %v", h.number, report.Findings, err)
	}
	entities, err := h.view().Entities(h.Context(), h.entities)
	if err != nil || len(entities) != len(h.entities) {
		h.Fatalf("step %d: %d of %d ids answer: %v", h.number, len(entities), len(h.entities), err)
	}
	for _, e := range entities {
		roots, err := h.view().Entities(h.Context(), []tenure.ID{e.Root()})
		if err != nil || len(roots) != 1 || roots[0].MergedInto != "" || roots[0].Status == tenure.EntityMerged {
			h.Fatalf("step %d: the root of %s is %+v: %v", h.number, e.ID, roots, err)
		}
	}
}

// leftOut runs one history twice: once with a merge or a split and, much later, its undo, and once without
// both. The steps between make claims about the same entities by their ids, and about others.
func leftOut(t *testing.T, s store.Store, seed uint64) {
	t.Helper()
	var ends [2]snapshot
	var known []tenure.ID
	for i, with := range []bool{true, false} {
		h := newHistory(t, s, seed)
		for range 20 {
			h.number++
			h.observe(several(h.r, randomObservation)...)
		}
		if i == 0 {
			known = slices.Clone(h.entities)
		}
		kind := h.r.IntN(2)
		c := h.mergeOf(known[0], known[1])
		if kind == 1 {
			c = h.randomSplit()
		}
		h.number++
		var v tenure.IdentityDecision
		if with {
			v, with = h.carryOut(c)
		}
		claim := func(r *rand.Rand) ingest.Input { return aboutIDs(r, known) }
		for range 20 {
			h.number++
			if h.r.IntN(3) == 0 {
				h.amend(pick(h.r, h.beliefs))
			} else {
				h.observe(several(h.r, claim)...)
			}
		}
		h.number++
		if with {
			h.undo(v)
		}
		h.check()
		ends[i] = h.snapshot(known)
	}
	if ends[1].equal(ends[0]) {
		return
	}
	if d := gocmp.Diff(ends[1], ends[0], cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("a decision that was undone left a trace: -never +undone\n%s", d)
	}
}

// aboutIDs makes claims about entities by their ids.
func aboutIDs(r *rand.Rand, known []tenure.ID) ingest.Input {
	in := randomObservation(r)
	in.Mentions = nil
	for i := range in.Claims {
		in.Claims[i].Subject = ingest.Ref{EntityID: pick(r, known)}
		if in.Claims[i].Value.Entity != nil {
			in.Claims[i].Value.Entity = &ingest.Ref{EntityID: pick(r, known)}
		}
	}
	return in
}
