// Package torture plays faults against the real server while clients write to it, and checks afterwards that
// everything that was acknowledged is there exactly once, that the store agrees with itself, and how long the server
// took to be ready again.
//
// A round is one fault, in a tenant of its own. What it does is drawn from its seed; how the processes run beside each
// other is not, so a seed repeats the fault and not each moment.
package torture

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tenure/internal/run"
)

// Engines of a target.
const (
	SQLite = "sqlite"
	Neo4j  = "neo4j"
)

// Target is what faults are played against.
type Target struct {
	Engine string
	Binary run.Binary
	Dir    string // for the files of rounds
	// URI is the address of a Neo4j server, and the others are who reaches it; programs have the password from their
	// environment. A SQLite file is made for each round.
	URI, Username, Password string
	// Own is the Neo4j server at URI where it may be killed, nil where it may not.
	Own *run.Neo4j
	// Patience is how long the server may take to be ready, or a writer to be answered.
	Patience time.Duration
	// Slack is how much longer than its time of grace a server may take to stop.
	Slack time.Duration
}

// Result is what came of a round.
type Result struct {
	Fault         string
	Seed          uint64
	Acknowledged  int
	Again         int // how often a write was sent again
	Lost, Doubled int
	Torn          int // acknowledged writes that were in the part of the log that the fault took away
	Ready, Stops  []time.Duration
	Late          int      // stops that took longer than the time of grace
	Wrong         []string // what else is not as it should be
}

// Good reports whether a round ended as it should.
func (r Result) Good() bool { return r.Lost == 0 && r.Doubled == 0 && len(r.Wrong) == 0 }

// Round is a round that is being played.
type Round struct {
	Target
	Result

	random *mathrand.Rand
	dir    string
	store  string
	tenant string
	key    string
	load   *load

	mu      sync.Mutex
	urls    []string
	turn    atomic.Int64
	servers []server
	undo    []func() error
}

// server is a server under torture: a process, or one in this process whose clock can be set.
type server interface {
	Stop() error
	Kill()
	Log() string
}

// Play plays a round. The error is of what could not be played; what the server does wrong is in the result.
func Play(ctx context.Context, t Target, f Fault, seed uint64) (result Result, err error) {
	r := &Round{
		Target: t, Result: Result{Fault: f.Name, Seed: seed},
		random: mathrand.New(mathrand.NewPCG(seed, 1)), //nolint:gosec // no secret
		tenant: "torture-" + strings.ToLower(rand.Text()[:16]),
	}
	if r.dir, err = os.MkdirTemp(t.Dir, f.Name+"-"); err != nil {
		return r.Result, err
	}
	defer func() {
		if r.load != nil {
			r.load.end()
		}
		r.stopAll()
		for _, undo := range r.undo {
			err = errors.Join(err, undo())
		}
		err = errors.Join(err, os.RemoveAll(r.dir))
		result = r.Result
	}()
	if r.store = t.URI; t.Engine == SQLite {
		r.store = "sqlite:" + r.file()
	}
	if r.key, err = t.Binary.Key(ctx, r.store, r.tenant, t.login()...); err != nil {
		return r.Result, err
	}
	err = f.play(ctx, r)
	if err == nil {
		err = r.settle(ctx)
	}
	if ctx.Err() != nil { // it was interrupted, and so was what it started
		return r.Result, ctx.Err()
	}
	if err != nil {
		r.wrong("%v", err)
	}
	return r.Result, nil
}

// login are the flags with which programs reach the store.
func (t Target) login() []string {
	if t.Engine == SQLite {
		return nil
	}
	return []string{"--neo4j-username", t.Username}
}

// file is the SQLite file of the round, index the directory of its index.
func (r *Round) file() string  { return filepath.Join(r.dir, "tenure.db") }
func (r *Round) index() string { return filepath.Join(r.dir, "index") }

// wrong notes what is not as it should be.
func (r *Round) wrong(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	const most = 20
	if len(r.Wrong) < most {
		r.Wrong = append(r.Wrong, fmt.Sprintf(format, args...))
	}
}

// url returns the address of a server, of several by turns.
func (r *Round) url() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.urls[int(r.turn.Add(1))%len(r.urls)]
}

// start starts server i, at first or in place of one that ended, and notes how long it takes to be ready.
func (r *Round) start(ctx context.Context, i int, flags ...string) (*run.Server, error) {
	began := time.Now()
	bounded, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	s, err := r.Binary.Start(bounded, r.store, slices.Concat([]string{"--index", r.index()}, r.login(), flags)...)
	if err != nil {
		return nil, fmt.Errorf("the server does not start: %w", err)
	}
	r.place(i, s, s.URL)
	return s, r.awaitReady(ctx, i, began)
}

func (r *Round) place(i int, s server, url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i == len(r.servers) {
		r.servers, r.urls = append(r.servers, s), append(r.urls, url)
		return
	}
	r.servers[i], r.urls[i] = s, url
}

// awaitReady waits until server i is ready, and notes how long that took since a time.
func (r *Round) awaitReady(ctx context.Context, i int, since time.Time) error {
	r.mu.Lock()
	url := r.urls[i]
	r.mu.Unlock()
	var last answer
	err := r.eventually(ctx, "the server is ready", func() bool {
		a, err := r.ask(ctx, url, "GET", "/readyz", "", nil)
		last = a
		return err == nil && a.status == 200
	})
	if err != nil {
		return fmt.Errorf("%w: %s\n%s", err, short(last.body), r.servers[i].Log())
	}
	r.Ready = append(r.Ready, time.Since(since))
	return nil
}

// eventually waits for what holds some time after a fault.
func (r *Round) eventually(ctx context.Context, what string, holds func() bool) error {
	pause := 5 * time.Millisecond
	for end := time.Now().Add(r.Patience); !holds(); time.Sleep(pause) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: not within %s", what, r.Patience)
		}
		pause = min(2*pause, 160*time.Millisecond)
	}
	return nil
}

// stopAll ends the servers of a round that was not played to its end.
func (r *Round) stopAll() {
	for _, s := range r.servers {
		s.Kill()
	}
}

// between draws a duration.
func (r *Round) between(least, most time.Duration) time.Duration {
	return least + time.Duration(r.random.Int64N(int64(most-least)))
}

// cleanly stops all servers, which have to say that nothing was wrong.
func (r *Round) cleanly() {
	for i, s := range r.servers {
		if err := s.Stop(); err != nil {
			r.wrong("server %d ended: %v: %s", i, err, s.Log())
		}
	}
	r.servers, r.urls = nil, nil
}

// counts returns what a load has come to.
func (l *load) counts() (acknowledged, again int) {
	for _, p := range l.all() {
		p.mu.Lock()
		if p.answer != nil {
			acknowledged++
		}
		again += max(0, p.tries-1)
		p.mu.Unlock()
	}
	return acknowledged, again
}

// Draw returns the fault of a round that a seed chooses.
func Draw(faults []Fault, seed uint64) Fault {
	return faults[mathrand.New(mathrand.NewPCG(seed, 2)).IntN(len(faults))] //nolint:gosec // no secret
}
