package httpapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
	"tenure/index"
	"tenure/internal/world"
	"tenure/service"
	"tenure/store"
)

// start is the time of every request. Tests put states a minute earlier.
var start = time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)

// The ids of the tests.
const (
	jon     = tenure.ID("0198c1f0-0000-7000-8000-000000000001")
	acme    = tenure.ID("0198c1f0-0000-7000-8000-000000000002")
	unknown = tenure.ID("0198c1f0-0000-7000-8000-00000000dead")
)

func beliefID(n int) tenure.ID { return tenure.ID(fmt.Sprintf("0198c1f0-0000-7000-9000-%012d", n)) }

// harness is the real handler over the real service and an SQLite store. Tokens are the names of the callers;
// the token "panics" provokes a panic.
type harness struct {
	t       *testing.T
	handler http.Handler
	service *service.Service
	index   *index.Index
	state   *state
	callers map[string]tenure.Caller
	log     *safeBuffer
}

// safeBuffer is a buffer that the service may write to while a test reads it.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func newHarness(t *testing.T, cfg httpapi.Config) *harness {
	t.Helper()
	h := &harness{t: t, state: &state{State: world.NewState(t)}, log: &safeBuffer{}, callers: callers()}
	h.state.SetClock(start)
	var err error
	if h.index, err = index.Open(t.TempDir(), index.Config{}); err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewJSONHandler(h.log, nil))
	now := func() time.Time { return start }
	h.service, err = service.New(h.state, service.Config{Now: now, Index: h.index, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.service.Close()
		if err := h.index.Close(); err != nil {
			t.Error(err)
		}
	})
	metrics := prometheus.NewRegistry()
	h.handler, err = httpapi.New(httpapi.Deps{
		Service: h.service, Authenticator: h, Mint: func() tenure.Mint { return tenure.NewMint(start) },
		Random: rand.Reader, CursorKey: []byte(strings.Repeat("k", 32)), Logger: logger,
		Registerer: metrics, Gatherer: metrics,
	}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// callers returns one caller of each role, and some with less.
func callers() map[string]tenure.Caller {
	all := tenure.Caller{Tenant: "acme", Clearance: tenure.HighlyRestricted}
	list := map[string]tenure.Caller{}
	for _, r := range tenure.Roles {
		c := all
		c.Actor, c.Roles, c.MaxAuthority = string(r), []tenure.Role{r}, 2
		if r == tenure.RoleAdmin {
			c.MaxAuthority = 0
		}
		list[string(r)] = c
	}
	low := list["agent"]
	low.Actor, low.Clearance = "low", tenure.Public
	list["low"] = low
	bound := list["agent"]
	bound.Actor, bound.Bound = "bound", tenure.Scope{ProjectID: "nova"}
	list["bound"] = bound
	foreign := list["admin"]
	foreign.Actor, foreign.Tenant = "foreign", "other"
	list["foreign"] = foreign
	return list
}

func (h *harness) Authenticate(_ context.Context, key, client string) (tenure.Caller, error) {
	if key == "panics" {
		panic("a secret of the code")
	}
	c, ok := h.callers[key]
	if !ok {
		return c, tenure.Errorf(tenure.Unauthenticated, "a valid key is needed")
	}
	c.Client = client
	return c, nil
}

// do sends a request as a caller; header lists names and values alternately.
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

// problem decodes a problem and checks the properties common to all problems.
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

// seq returns the sequence number of the tenant's last entry.
func (h *harness) seq() tenure.Seq { return h.state.Seq("acme") }

// processed waits until the index has processed the log and no further entries follow.
func (h *harness) processed() {
	h.t.Helper()
	for range 10 {
		before := h.seq()
		if err := h.service.Worker().CatchUp(h.t.Context(), "acme"); err != nil {
			h.t.Fatal(err)
		}
		if h.seq() == before {
			return
		}
	}
	h.t.Fatal("re-resolution does not end")
}

// watermark waits until every consumer has processed the log, including the dictionary.
func (h *harness) watermark() {
	h.t.Helper()
	h.processed()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		switch seq, err := h.service.Worker().Watermark("acme"); {
		case err != nil:
			h.t.Fatal(err)
		case seq == h.seq():
			return
		case time.Now().After(end):
			h.t.Fatalf("processed up to %d of %d", seq, h.seq())
		}
	}
}

// state puts states into the tenant "acme" by hand. Slow is how long it takes to answer; while it is poisoned, reads of
// the entities of "acme" panic. The gate, if there is one, is called before a view is opened.
type state struct {
	*world.State

	slow     atomic.Int64
	poisoned atomic.Bool
	gate     atomic.Pointer[func(context.Context)]
	hold     atomic.Pointer[func()]
}

// holds has the next Apply call f first.
func (s *state) holds(f func()) { s.hold.Store(&f) }

func (s *state) Apply(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	if f := s.hold.Swap(nil); f != nil {
		(*f)()
	}
	return s.State.Apply(ctx, tenant, base, sets)
}

// poisonedReader panics as code does on a state that it has not reckoned with.
type poisonedReader struct{ store.Reader }

func (poisonedReader) Entities(context.Context, []tenure.ID) ([]tenure.Entity, error) {
	panic("Ottilie Verne, whom only the log knows")
}

func (s *state) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	time.Sleep(time.Duration(s.slow.Load()))
	if pass := s.gate.Load(); pass != nil {
		(*pass)(ctx)
	}
	r, err := s.State.View(ctx, tenant, at)
	if err == nil && tenant == "acme" && s.poisoned.Load() {
		return poisonedReader{r}, nil
	}
	return r, err
}

func (s *state) put(changes ...tenure.Change) {
	s.SetClock(start.Add(-time.Minute))
	defer s.SetClock(start)
	s.Put("acme", changes...)
}

func (s *state) entity(id tenure.ID, name, project string) {
	s.put(world.Person(id, name, project)...)
}

// belief adds a belief about Jon; change may alter it.
func (s *state) belief(n int, change func(*tenure.Belief)) tenure.ID {
	id := beliefID(n)
	w := tenure.Window{From: tenure.At(start.Add(-time.Hour)), Until: tenure.MaxTime}
	b := tenure.Belief{
		Claim: tenure.Claim{
			ID: id, Subject: jon, Predicate: "office", Value: tenure.Value{JSON: json.RawMessage(`"Chicago"`), Canonical: `"chicago"`},
			Key: "office", Layer: tenure.LayerFact, Source: tenure.Source{Origin: "conversation://1", AuthorityLevel: 2, SourceAuthority: .9},
			Confidence: .9, Window: w, Basis: tenure.Stated, Description: tenure.Description{ObjectType: tenure.IdentityFact, Classification: tenure.Restricted},
		},
		Standing: tenure.Standing{
			Belief: id, Segments: []tenure.Segment{{Window: w, Cause: tenure.Stands}}, LastConfirmed: tenure.At(start),
		},
	}
	if change != nil {
		change(&b)
	}
	s.put(world.Believed(b)...)
	return id
}

// observation puts an observation with its mentions, each assigned to an entity.
func (s *state) observation(o tenure.Observation, assigned ...tenure.Assignment) {
	changes := []tenure.Change{tenure.ObservationAdded{Observation: o}}
	for i, a := range assigned {
		changes = append(changes,
			tenure.MentionAdded{Mention: tenure.Mention{ID: a.Mention, Observation: o.ID, Index: i, Name: "Jon Smith"}},
			tenure.MentionAssigned{Assignment: a})
	}
	s.put(changes...)
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
