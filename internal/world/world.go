// Package world provides the write path over an SQLite store in a temporary folder for tests: a counted clock
// and counted ids, so that the same requests in the same order yield the same bytes, and shorthands for
// observations.
package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"tenure"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"

	"tenure/similarity"
	"tenure/store"
	"tenure/store/sqlite"
)

// Tenant is the tenant of every request.
const Tenant = "t"

// Begin is the start of the clock, which advances by a second with each request.
var Begin = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// World is a store with a writer. Caller makes the requests.
type World struct {
	Store  store.Store
	Writer *ledger.Writer
	Caller tenure.Caller
}

// New returns a world whose writer applies groups of at most groupSize commands (0: the default of the
// server), and closes it when the test ends.
func New(t *testing.T, groupSize int) *World {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"),
		sqlite.Config{Now: func() time.Time { return Begin }})
	if err != nil {
		t.Fatal(err)
	}
	mints, ids := 0, 0
	mint := func() tenure.Mint {
		mints++
		return tenure.Mint{Now: tenure.At(Begin.Add(time.Duration(mints) * time.Second)), NewID: func() tenure.ID {
			ids++
			return tenure.ID(fmt.Sprintf("00000000-0000-7000-8000-%012d", ids))
		}}
	}
	policies := registry.Policies(similarity.DefaultModel(), ledger.Unobserved)
	// Without an index, only requests of one group would meet similar names, and an answer would depend on
	// the grouping.
	policies.BlockingKeys = func(tenure.Alias) []string { return nil }
	writer, err := ledger.NewWriter(s, mint, policies, ledger.Config{GroupSize: groupSize})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{
		Store: s, Writer: writer,
		Caller: tenure.Caller{Tenant: Tenant, Actor: "tester", Clearance: tenure.HighlyRestricted, MaxAuthority: 0},
	}
	t.Cleanup(func() {
		w.Writer.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Do carries out commands, in one group if they fit.
func (w *World) Do(t *testing.T, commands ...ledger.Command) []ledger.Result {
	t.Helper()
	requests := make([]ledger.Request, len(commands))
	for i, c := range commands {
		requests[i] = ledger.Request{Command: c, Operation: "test", Actor: w.Caller.Actor}
	}
	return w.Writer.Do(t.Context(), Tenant, requests...)
}

// Command returns the command that writes an observation.
func (w *World) Command(in ingest.Input) *ingest.Command {
	return &ingest.Command{Caller: w.Caller, Input: in, Matcher: registry.Matcher{Model: similarity.DefaultModel()}}
}

// Observe writes an observation that must be accepted.
func (w *World) Observe(t *testing.T, in ingest.Input) ingest.Answer {
	t.Helper()
	return Answer[ingest.Answer](t, w.Do(t, w.Command(in))[0])
}

// Refused checks that a command is refused with the code, and with the pointer unless it is "", and writes
// nothing.
func (w *World) Refused(t *testing.T, c ledger.Command, code tenure.Code, pointer string) {
	t.Helper()
	before, _ := w.View(t).State()
	err := w.Do(t, c)[0].Err
	var e *tenure.Error
	switch {
	case !errors.As(err, &e) || e.Code != code:
		t.Errorf("got %v, want %s", err, code)
	case pointer != "" && (len(e.Fields) == 0 || e.Fields[0].Pointer != pointer):
		t.Errorf("got %v, want it to point at %s", err, pointer)
	}
	if after, _ := w.View(t).State(); after != before {
		t.Errorf("what was refused was written: %d entries more", after-before)
	}
}

// View opens the present state.
func (w *World) View(t *testing.T) store.Reader {
	t.Helper()
	r, err := w.Store.View(t.Context(), Tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Belief returns a belief that must exist.
func (w *World) Belief(t *testing.T, id tenure.ID) tenure.Belief {
	t.Helper()
	list, err := w.View(t).Beliefs(t.Context(), []tenure.ID{id})
	if err != nil || len(list) != 1 {
		t.Fatalf("belief %s: %d found, %v", id, len(list), err)
	}
	return list[0]
}

// Status returns the status of a belief on a day; "" outside its window.
func (w *World) Status(t *testing.T, id tenure.ID, day int) tenure.Status {
	t.Helper()
	g, ok := w.Belief(t, id).Standing.At(*Day(day))
	if !ok {
		return ""
	}
	return g.Cause.Status()
}

// Answer returns the answer of a result that must be a success, as the log would return it to a replay: the
// answer of a request that has a key is read from there.
func Answer[A any](t *testing.T, res ledger.Result) A {
	t.Helper()
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	kept := res.Receipt.Answer
	if res.Answer != nil {
		var err error
		if kept, err = json.Marshal(res.Answer); err != nil {
			t.Fatal(err)
		}
	}
	var a A
	if err := json.Unmarshal(kept, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// Ptr returns a pointer to a value.
func Ptr[T any](v T) *T { return &v }

// Day returns the instant that many days after Begin.
func Day(d int) *tenure.Instant { return Ptr(tenure.At(Begin.AddDate(0, 0, d))) }

// Said returns an observation with one claim about one person, on level 2.
func Said(name, predicate, value string, change func(*ingest.Claim)) ingest.Input {
	c := ingest.Claim{
		Subject: ingest.Ref{Mention: Ptr(0)}, Predicate: predicate,
		Value: ingest.Value{JSON: json.RawMessage(fmt.Sprintf("%q", value))},
	}
	if change != nil {
		change(&c)
	}
	return ingest.Input{
		Source:   ingest.Source{Origin: "conversation://s1/1", AuthorityLevel: Ptr(2)},
		Mentions: []ingest.Mention{{Name: name, Type: "person"}}, Claims: []ingest.Claim{c},
	}
}
