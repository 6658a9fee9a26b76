package httpapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/api"
	"tenure/compile"
	"tenure/httpapi"
	"tenure/ingest"
	"tenure/registry"
	"tenure/review"
	"tenure/store"
)

var start = time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)

// The ids of the tests.
const (
	jon     = tenure.ID("0198c1f0-0000-7000-8000-000000000001")
	acme    = tenure.ID("0198c1f0-0000-7000-8000-000000000002")
	unknown = tenure.ID("0198c1f0-0000-7000-8000-00000000dead")
)

func beliefID(n int) tenure.ID {
	const digits = "0123456789"
	return tenure.ID("0198c1f0-0000-7000-9000-0000000000" + string(digits[n/10]) + string(digits[n%10]))
}

// harness is the real handler over fakes. Tokens are the names of the callers.
type harness struct {
	t        *testing.T
	handler  http.Handler
	state    *fakeState
	domain   *fakeDomain
	callers  map[string]tenure.Caller
	log      *bytes.Buffer
	registry *prometheus.Registry
}

func newHarness(t *testing.T, cfg httpapi.Config) *harness {
	t.Helper()
	h := &harness{t: t, state: newState(), domain: &fakeDomain{}, log: &bytes.Buffer{}, registry: prometheus.NewRegistry()}
	h.domain.state = h.state
	all := tenure.Caller{Tenant: "acme", Clearance: tenure.HighlyRestricted}
	h.callers = map[string]tenure.Caller{}
	for _, r := range tenure.Roles {
		c := all
		c.Actor, c.Roles, c.MaxAuthority = string(r), []tenure.Role{r}, 2
		if r == tenure.RoleAdmin {
			c.MaxAuthority = 0
		}
		h.callers[string(r)] = c
	}
	low := h.callers["agent"]
	low.Actor, low.Clearance = "low", tenure.Public
	h.callers["low"] = low
	bound := h.callers["agent"]
	bound.Actor, bound.Bound = "bound", tenure.Scope{ProjectID: "nova"}
	h.callers["bound"] = bound
	foreign := h.callers["admin"]
	foreign.Actor, foreign.Tenant = "foreign", "other"
	h.callers["foreign"] = foreign
	handler, err := httpapi.New(httpapi.Deps{
		Store: &fakeStore{state: h.state}, Authenticator: h,
		Observer: h.domain, Amender: h.domain, Settler: h.domain, Vocabularist: h.domain, Compiler: h.domain,
		Arbiter: h.domain, Judge: registry.Judge{Model: registry.DefaultModel()}, Proposer: h.state, Indexed: h.state.indexed,
		Mint:   func() tenure.Mint { return tenure.NewMint(start) },
		Random: rand.Reader, CursorKey: []byte(strings.Repeat("k", 32)),
		Logger:     slog.New(slog.NewJSONHandler(h.log, nil)),
		Registerer: h.registry, Gatherer: h.registry,
	}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	h.handler = handler
	return h
}

func (h *harness) Authenticate(_ context.Context, key string) (tenure.Caller, error) {
	c, ok := h.callers[key]
	if !ok {
		return c, tenure.Errorf(tenure.Unauthenticated, "a valid key is needed")
	}
	return c, nil
}

func (h *harness) Forget(tenure.ID) {}

// do makes a request as a caller; header is name, value, name, value.
func (h *harness) do(as, method, path, body string, header ...string) *httptest.ResponseRecorder {
	h.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	if as != "" {
		req.Header.Set("Authorization", "Bearer "+as)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	h.handler.ServeHTTP(rec, req)
	return rec
}

// problem reads a problem and checks what all problems have in common.
func problem(t *testing.T, rec *httptest.ResponseRecorder) api.Problem {
	t.Helper()
	var p api.Problem
	if err := json.Unmarshal(rec.Body.Bytes(), &p); err != nil {
		t.Fatalf("%d is no problem: %s", rec.Code, rec.Body)
	}
	if got := rec.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("Content-Type %q", got)
	}
	if p.Status != rec.Code || p.Type != "urn:tenure:problem:"+string(p.Code) || p.Title == "" || p.Detail == "" {
		t.Errorf("status %d, problem %+v", rec.Code, p)
	}
	return p
}

func (h *harness) wantProblem(rec *httptest.ResponseRecorder, status int, code tenure.Code, pointers ...string) {
	h.t.Helper()
	p := problem(h.t, rec)
	var got []string
	for _, e := range p.Errors {
		got = append(got, e.Pointer)
		if e.Reason == "" {
			h.t.Errorf("%s has no reason", e.Pointer)
		}
	}
	slices.Sort(got)
	slices.Sort(pointers)
	if rec.Code != status || p.Code != code || !slices.Equal(got, pointers) {
		h.t.Errorf("got %d %s at %q, want %d %s at %q\n%s", rec.Code, p.Code, got, status, code, pointers, rec.Body)
	}
}

func decodeInto[T any](t *testing.T, rec *httptest.ResponseRecorder, status int) T {
	t.Helper()
	var v T
	if rec.Code != status {
		t.Fatalf("status %d, want %d: %s", rec.Code, status, rec.Body)
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v: %s", err, rec.Body)
	}
	return v
}

// fakeState is one tenant's state, held in maps. The tenant is "acme".
type fakeState struct {
	seq          tenure.Seq
	entities     map[tenure.ID]tenure.Entity
	owners       []tenure.Owner
	beliefs      map[tenure.ID]tenure.Belief
	cases        map[tenure.ID]tenure.Case
	observations map[tenure.ID]store.ObservationRecord
	mentions     map[tenure.ID][]tenure.Mention // by entity
	reviews      map[tenure.ID]tenure.Review
	verdicts     map[tenure.ID]tenure.Verdict
	proposals    []tenure.ID
	terms        map[string]tenure.Term
	policies     map[string]tenure.Vocabulary
	log          []tenure.Entry
	credentials  []tenure.Credential
	looking      bool
	down         bool
	panics       bool
	views        []tenure.AsOf
}

func newState() *fakeState {
	return &fakeState{
		seq: 7, entities: map[tenure.ID]tenure.Entity{}, beliefs: map[tenure.ID]tenure.Belief{},
		cases: map[tenure.ID]tenure.Case{}, observations: map[tenure.ID]store.ObservationRecord{},
		terms: map[string]tenure.Term{}, policies: map[string]tenure.Vocabulary{},
		mentions: map[tenure.ID][]tenure.Mention{}, reviews: map[tenure.ID]tenure.Review{}, verdicts: map[tenure.ID]tenure.Verdict{},
	}
}

// Propose proposes what the test says.
func (s *fakeState) Propose(context.Context, string, tenure.Mention, tenure.Scope, int) []tenure.ID {
	return s.proposals
}

// indexed is an index that has not seen the last two entries; or one whose second
// look at the last entry ends right now, and has written another.
func (s *fakeState) indexed(string) (tenure.Seq, error) {
	if s.looking {
		s.seq++
		return s.seq - 1, nil
	}
	return s.seq - 2, nil
}

func (s *fakeState) entity(id tenure.ID, name, project string) {
	s.entities[id] = tenure.Entity{
		ID: id, Type: "person", Status: tenure.EntityCanonical, Name: name, Project: project, CreatedAt: tenure.At(start),
	}
	s.owners = append(s.owners, tenure.Owner{
		Form: registry.NameForm(name), Entity: id, Type: "person",
		Project: project, Spelling: name, Mention: id,
	})
}

// belief adds a belief about Jon; change may alter it.
func (s *fakeState) belief(n int, change func(*tenure.Belief)) tenure.ID {
	id := beliefID(n)
	w := tenure.Window{From: tenure.At(start.Add(-time.Hour)), Until: tenure.Forever}
	b := tenure.Belief{
		Claim: tenure.Claim{
			ID: id, Subject: jon, Predicate: "office", Value: tenure.Value{JSON: json.RawMessage(`"Chicago"`), Canonical: `"chicago"`},
			Key: "office", Layer: tenure.LayerFact, Source: tenure.Source{Origin: "conversation://1", AuthorityLevel: 2, SourceAuthority: .9},
			Confidence: .9, Window: w, Basis: tenure.Stated, Description: tenure.Description{ObjectType: tenure.IdentityFact, Classification: tenure.Restricted},
		},
		Standing: tenure.Standing{
			Belief: id, Segments: []tenure.Segment{{Window: w, Cause: tenure.Stands}}, LastConfirmed: tenure.At(start),
		},
		RecordedAt: tenure.At(start).Add(time.Duration(n) * time.Second),
		StandingTx: tenure.Window{From: tenure.At(start), Until: tenure.Forever},
	}
	if change != nil {
		change(&b)
	}
	s.beliefs[id] = b
	return id
}

type fakeStore struct {
	store.Store
	state *fakeState
}

func (s *fakeStore) View(_ context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	if s.state.panics {
		panic("a secret of the code")
	}
	if at.Seq > s.state.seq || at.Known > tenure.At(start) {
		return nil, tenure.Errorf(tenure.Unprocessable, "not yet")
	}
	s.state.views = append(s.state.views, at)
	if tenant != "acme" {
		return &fakeReader{state: newState()}, nil
	}
	seq := s.state.seq
	if at.Seq != 0 {
		seq = at.Seq
	}
	return &fakeReader{state: s.state, seq: seq}, nil
}

func (s *fakeStore) Log(_ context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	var out []tenure.Entry
	for _, e := range s.state.log {
		if tenant == "acme" && e.Seq > after && len(out) < limit {
			out = append(out, e)
		}
	}
	return out, nil
}

func (s *fakeStore) Ping(context.Context) error {
	if s.state.down {
		return tenure.Errorf(tenure.Unavailable, "bolt://secret-host refused")
	}
	return nil
}

func (s *fakeStore) PutCredential(_ context.Context, c tenure.Credential) error {
	s.state.credentials = slices.DeleteFunc(s.state.credentials, func(o tenure.Credential) bool { return o.ID == c.ID })
	s.state.credentials = append(s.state.credentials, c)
	return nil
}

func (s *fakeStore) Credential(_ context.Context, id tenure.ID) (tenure.Credential, error) {
	for _, c := range s.state.credentials {
		if c.ID == id {
			return c, nil
		}
	}
	return tenure.Credential{}, tenure.Errorf(tenure.NotFound, "none")
}

func (s *fakeStore) Credentials(_ context.Context, tenant string) ([]tenure.Credential, error) {
	var out []tenure.Credential
	for _, c := range s.state.credentials {
		if c.Tenant == tenant {
			out = append(out, c)
		}
	}
	return out, nil
}

type fakeReader struct {
	store.Reader
	state *fakeState
	seq   tenure.Seq
}

func (r *fakeReader) State() (tenure.Seq, tenure.Instant) { return r.seq, tenure.At(start) }

func pick[K comparable, V any](m map[K]V, keys []K) []V {
	var out []V
	for _, k := range keys {
		if v, ok := m[k]; ok {
			out = append(out, v)
		}
	}
	return out
}

func (r *fakeReader) Entities(_ context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	return pick(r.state.entities, ids), nil
}

func (r *fakeReader) Owners(_ context.Context, forms []tenure.Form) ([]tenure.Owner, error) {
	return slices.DeleteFunc(slices.Clone(r.state.owners), func(o tenure.Owner) bool { return !slices.Contains(forms, o.Form) }), nil
}

func (r *fakeReader) OwnedBy(_ context.Context, ids []tenure.ID) ([]tenure.Owner, error) {
	return slices.DeleteFunc(slices.Clone(r.state.owners), func(o tenure.Owner) bool { return !slices.Contains(ids, o.Entity) }), nil
}

func (r *fakeReader) Beliefs(_ context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return pick(r.state.beliefs, ids), nil
}

func (r *fakeReader) sorted() []tenure.Belief {
	return pick(r.state.beliefs, slices.Sorted(maps.Keys(r.state.beliefs)))
}

func (r *fakeReader) List(_ context.Context, q store.BeliefQuery) ([]tenure.Belief, error) {
	var out []tenure.Belief
	for _, b := range r.sorted() {
		if b.Claim.ID > q.After && len(out) < q.Limit && (q.Subject == "" || q.Subject == b.Claim.Subject) &&
			(q.Predicate == "" || q.Predicate == b.Claim.Predicate) && (!q.Contested || store.Contested(b.Standing)) {
			out = append(out, b)
		}
	}
	return out, nil
}

func (r *fakeReader) Superseders(_ context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	var out []tenure.Belief
	for _, b := range r.sorted() {
		if slices.ContainsFunc(b.Claim.Supersedes, func(id tenure.ID) bool { return slices.Contains(ids, id) }) {
			out = append(out, b)
		}
	}
	return out, nil
}

func (r *fakeReader) Slots(_ context.Context, slots []tenure.Slot) ([]store.SlotState, error) {
	var out []store.SlotState
	for _, slot := range slots {
		st := store.SlotState{Slot: slot}
		for _, b := range r.sorted() {
			if b.Claim.Slot() == slot {
				st.Beliefs = append(st.Beliefs, b)
			}
		}
		out = append(out, st)
	}
	return out, nil
}

func (r *fakeReader) Relations(_ context.Context, ids []tenure.ID, _ tenure.Window, perEntity int) ([]tenure.Belief, error) {
	var out []tenure.Belief
	for _, b := range r.sorted() {
		if v := b.Claim.Value.Entity; v != "" && (slices.Contains(ids, v) || slices.Contains(ids, b.Claim.Subject)) && len(out) < perEntity {
			out = append(out, b)
		}
	}
	return out, nil
}

func (r *fakeReader) Observation(_ context.Context, id tenure.ID) (store.ObservationRecord, error) {
	rec, ok := r.state.observations[id]
	if !ok {
		return rec, tenure.Errorf(tenure.NotFound, "no observation %s", id)
	}
	return rec, nil
}

func (r *fakeReader) Observations(_ context.Context, ids []tenure.ID) ([]tenure.Observation, error) {
	var out []tenure.Observation
	for _, rec := range pick(r.state.observations, ids) {
		out = append(out, rec.Observation)
	}
	return out, nil
}

func (r *fakeReader) MentionsOf(_ context.Context, id, after tenure.ID, limit int) ([]tenure.Mention, error) {
	var out []tenure.Mention
	for _, m := range r.state.mentions[id] {
		if m.ID > after && len(out) < limit {
			out = append(out, m)
		}
	}
	return out, nil
}

func (r *fakeReader) Verdicts(_ context.Context, ids []tenure.ID) ([]tenure.Verdict, error) {
	return pick(r.state.verdicts, ids), nil
}

func (r *fakeReader) VerdictsOn(_ context.Context, ids []tenure.ID) ([]tenure.Verdict, error) {
	var out []tenure.Verdict
	for _, v := range pick(r.state.verdicts, slices.Sorted(maps.Keys(r.state.verdicts))) {
		if slices.Contains(ids, v.From) || slices.Contains(ids, v.Into) {
			out = append(out, v)
		}
	}
	return out, nil
}

func (r *fakeReader) Reviews(_ context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	return pick(r.state.reviews, ids), nil
}

func (r *fakeReader) ListReviews(_ context.Context, q store.ReviewQuery) ([]tenure.Review, error) {
	var out []tenure.Review
	for _, v := range pick(r.state.reviews, slices.Sorted(maps.Keys(r.state.reviews))) {
		if q.Key(v) > q.After && (q.Limit == 0 || len(out) < q.Limit) && q.Chooses(v) {
			out = append(out, v)
		}
	}
	return out, nil
}

func (r *fakeReader) Cases(_ context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	return pick(r.state.cases, ids), nil
}

func (r *fakeReader) ListCases(_ context.Context, q store.CaseQuery) ([]tenure.Case, error) {
	var out []tenure.Case
	for _, c := range pick(r.state.cases, slices.Sorted(maps.Keys(r.state.cases))) {
		if c.ID > q.After && len(out) < q.Limit && (q.State == "" || q.State == c.State) && (q.Subject == "" || q.Subject == c.Subject) {
			out = append(out, c)
		}
	}
	return out, nil
}

func (r *fakeReader) Vocabularies(_ context.Context, names []string) ([]tenure.Vocabulary, error) {
	return pick(r.state.policies, names), nil
}

func (r *fakeReader) Terms(_ context.Context, ids []string) ([]tenure.Term, error) {
	return pick(r.state.terms, ids), nil
}

func (r *fakeReader) ListTerms(_ context.Context, vocabulary, after string, limit int) ([]tenure.Term, error) {
	var out []tenure.Term
	for _, t := range pick(r.state.terms, slices.Sorted(maps.Keys(r.state.terms))) {
		if t.Vocabulary == vocabulary && t.Name > after && len(out) < limit {
			out = append(out, t)
		}
	}
	return out, nil
}

func (r *fakeReader) History(_ context.Context, entity tenure.ID, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	var out []tenure.Entry
	for _, e := range r.state.log {
		if e.Seq > after && len(out) < limit && slices.ContainsFunc(e.Changes, func(c tenure.EntryChange) bool { return c.Entity == entity }) {
			out = append(out, e)
		}
	}
	return out, nil
}

// fakeDomain keeps what it was asked for.
type fakeDomain struct {
	state       *fakeState
	inputs      []ingest.Input
	keys        []*tenure.IdempotencyKey
	groups      []int
	amendments  []httpapi.Amendment
	settlements []httpapi.Settlement
	terms       []tenure.Term
	verdicts    []any // commands about who is who
	requests    []compile.Request
	fail        error
	replayed    bool
}

func (d *fakeDomain) receipt() tenure.Receipt {
	return tenure.Receipt{Seq: d.state.seq, Tx: tenure.At(start), Replayed: d.replayed}
}

func (d *fakeDomain) Observe(_ context.Context, _ tenure.Caller, key *tenure.IdempotencyKey, in ingest.Input) (ingest.Answer, tenure.Receipt, error) {
	d.inputs, d.keys = append(d.inputs, in), append(d.keys, key)
	return ingest.Answer{ObservationID: unknown}, d.receipt(), d.fail
}

func (d *fakeDomain) ObserveAll(ctx context.Context, c tenure.Caller, items []httpapi.ObserveItem) []httpapi.ObserveResult {
	d.groups = append(d.groups, len(items))
	out := make([]httpapi.ObserveResult, len(items))
	for i, it := range items {
		out[i].Answer, out[i].Receipt, out[i].Err = d.Observe(ctx, c, it.Key, it.Input)
	}
	return out
}

func (d *fakeDomain) Amend(_ context.Context, _ tenure.Caller, key *tenure.IdempotencyKey, a httpapi.Amendment) ([]tenure.ID, tenure.Receipt, error) {
	d.amendments, d.keys = append(d.amendments, a), append(d.keys, key)
	return nil, d.receipt(), d.fail
}

func (d *fakeDomain) Settle(_ context.Context, _ tenure.Caller, key *tenure.IdempotencyKey, s httpapi.Settlement) ([]tenure.ID, tenure.Receipt, error) {
	d.settlements, d.keys = append(d.settlements, s), append(d.keys, key)
	return nil, d.receipt(), d.fail
}

func (d *fakeDomain) judged(key *tenure.IdempotencyKey, command any) (tenure.Receipt, error) {
	d.verdicts, d.keys = append(d.verdicts, command), append(d.keys, key)
	return d.receipt(), d.fail
}

func (d *fakeDomain) DecideReview(_ context.Context, key *tenure.IdempotencyKey, c review.Decide) (review.DecideAnswer, tenure.Receipt, error) {
	r, err := d.judged(key, c)
	return review.DecideAnswer{ReviewID: c.Review, State: tenure.ReviewSettled, EntityID: jon, CanonicalID: acme, MergeID: unknown}, r, err
}

func (d *fakeDomain) Merge(_ context.Context, key *tenure.IdempotencyKey, c review.Merge) (review.MergeAnswer, tenure.Receipt, error) {
	r, err := d.judged(key, c)
	return review.MergeAnswer{MergeID: unknown, EntityID: c.From, CanonicalID: c.Into}, r, err
}

func (d *fakeDomain) Split(_ context.Context, key *tenure.IdempotencyKey, c review.Split) (review.SplitAnswer, tenure.Receipt, error) {
	r, err := d.judged(key, c)
	return review.SplitAnswer{SplitID: unknown, EntityID: c.Entity, NewEntityID: acme, Mentions: c.Mentions}, r, err
}

func (d *fakeDomain) Undo(_ context.Context, key *tenure.IdempotencyKey, c review.Undo) (review.UndoAnswer, tenure.Receipt, error) {
	r, err := d.judged(key, c)
	return review.UndoAnswer{Undone: []tenure.ID{c.Verdict}, EntityID: jon, CanonicalID: jon}, r, err
}

func (d *fakeDomain) Reopen(_ context.Context, key *tenure.IdempotencyKey, c review.Reopen) (review.UndoAnswer, tenure.Receipt, error) {
	r, err := d.judged(key, c)
	return review.UndoAnswer{Reviews: []tenure.ID{c.Review}, EntityID: jon, CanonicalID: jon}, r, err
}

func (d *fakeDomain) Lease(_ context.Context, key *tenure.IdempotencyKey, c review.Lease) (review.LeaseAnswer, tenure.Receipt, error) {
	r, err := d.judged(key, c)
	return review.LeaseAnswer{ReviewID: c.Review, Version: 1, LeasedBy: c.Caller.Actor}, r, err
}

func (d *fakeDomain) DecideReviews(ctx context.Context, _ tenure.Caller, items []httpapi.DecideItem) []httpapi.DecideResult {
	results := make([]httpapi.DecideResult, len(items))
	for i, it := range items {
		results[i].Answer, results[i].Receipt, results[i].Err = d.DecideReview(ctx, it.Key, it.Decide)
	}
	return results
}

func (d *fakeDomain) PutVocabulary(_ context.Context, _ tenure.Caller, v tenure.Vocabulary, terms []tenure.Term) (tenure.Receipt, error) {
	v.Version++
	d.state.policies[v.Name] = v
	for _, t := range terms {
		d.state.terms[t.ID()] = t
	}
	d.terms = terms
	return d.receipt(), d.fail
}

func (d *fakeDomain) Compile(_ context.Context, _ tenure.Caller, requestID string, r compile.Request) ([]byte, error) {
	d.requests = append(d.requests, r)
	return []byte(`{"envelope":{"zones":[],"text":"<b>","messages":[]},"trace":{},"run":{"request_id":"` + requestID + `"}}`), d.fail
}

func (d *fakeDomain) Compilation(_ context.Context, _ tenure.Caller, id string) ([]byte, error) {
	if id == string(unknown) {
		return nil, tenure.Errorf(tenure.NotFound, "no compilation %s", id)
	}
	return []byte(`{"kept": 1}`), nil
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
