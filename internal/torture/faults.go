package torture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Fault is a kind of fault.
type Fault struct {
	Name string
	// Engine is the only engine that it is of; "" for both.
	Engine string
	// Own is set where it needs a Neo4j server that may be killed.
	Own  bool
	play func(ctx context.Context, r *Round) error
}

// All are all kinds of faults.
var All = []Fault{
	{Name: "server-killed", play: serverKilled},
	{Name: "server-stopped", play: serverStopped},
	{Name: "two-servers", play: twoServers},
	{Name: "disk-full", play: diskFull}, // of the server: its index, and on SQLite the database
	{Name: "index-damaged", play: indexDamaged},
	{Name: "clock-jump", play: clockJump},
	{Name: "migration-killed", Own: true, play: migrationKilled},
	{Name: "torn-wal", Engine: SQLite, play: tornWAL},
	{Name: "neo4j-killed", Engine: Neo4j, Own: true, play: neo4jKilled},
	{Name: "neo4j-disk-full", Engine: Neo4j, Own: true, play: neo4jDiskFull},
	{Name: "network-slow", Engine: Neo4j, play: networkSlow},
	{Name: "network-cut", Engine: Neo4j, play: networkCut},
}

// Of returns those faults that can be played against a target.
func (t Target) Of(faults []Fault) []Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f Fault) bool {
		return f.Engine != "" && f.Engine != t.Engine || f.Own && t.Engine == Neo4j && t.Own == nil
	})
}

// A usual load.
const (
	writers   = 8
	breathing = 5 * time.Millisecond
)

// begin starts server 0 and a usual load, and waits for its first answers.
func (r *Round) begin(ctx context.Context) error {
	if _, err := r.start(ctx, 0); err != nil {
		return err
	}
	r.startLoad(ctx, writers, breathing)
	return r.some(ctx)
}

// some waits until some observations are acknowledged, and for a moment more.
func (r *Round) some(ctx context.Context) error {
	if err := r.load.wait(ctx, 10+r.random.IntN(40)); err != nil {
		return err
	}
	time.Sleep(r.between(0, 20*time.Millisecond))
	return nil
}

// serverKilled kills the server several times, at any moment.
func serverKilled(ctx context.Context, r *Round) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	for range 3 + r.random.IntN(4) {
		r.servers[0].Kill()
		if _, err := r.start(ctx, 0); err != nil {
			return err
		}
		if err := r.some(ctx); err != nil {
			return err
		}
	}
	return nil
}

// many are the writers of a load under which a server is stopped: some of them wait in the queue.
const many = 64

// serverStopped asks the server to end while many requests are under way.
func serverStopped(ctx context.Context, r *Round) error {
	grace := r.between(50*time.Millisecond, 3*time.Second).Round(time.Millisecond)
	flags := []string{"--grace", grace.String()}
	s, err := r.start(ctx, 0, flags...)
	if err != nil {
		return err
	}
	r.startLoad(ctx, many, 0)
	for range 2 {
		if err := r.some(ctx); err != nil {
			return err
		}
		began := time.Now()
		err := s.Stop()
		took := time.Since(began)
		r.Stops = append(r.Stops, took)
		if took > grace+r.Slack {
			r.Late++
		}
		r.stopped(err, s.Log())
		if s, err = r.start(ctx, 0, flags...); err != nil {
			return err
		}
	}
	return nil
}

// stopped checks that a server that ended says what it dropped: with status 1, and a line for each kind.
func (r *Round) stopped(err error, log string) {
	said := strings.Contains(log, "were not carried out") || strings.Contains(log, "requests were still under way")
	if (err != nil) != said {
		r.wrong("the server ended with %v, and its log says:\n%s", err, log)
	}
	for _, p := range r.load.all() {
		p.mu.Lock()
		if p.refused && err == nil {
			r.wrong("%s was refused by a server that says that it has dropped nothing", p.key)
		}
		p.mu.Unlock()
	}
}

// twoServers has two servers on one store, of which one is killed now and then.
func twoServers(ctx context.Context, r *Round) error {
	for i := range 2 {
		if _, err := r.start(ctx, i); err != nil {
			return err
		}
	}
	r.startLoad(ctx, writers, 0)
	for range 2 + r.random.IntN(3) {
		if err := r.some(ctx); err != nil {
			return err
		}
		i := r.random.IntN(2)
		r.servers[i].Kill()
		if _, err := r.start(ctx, i); err != nil {
			return err
		}
	}
	return r.some(ctx)
}

// diskFull bounds the size of the files that the server may write: of the database and its log as of the index. The
// bound is anywhere about where the files end, so that writes fail in any part of a commit.
func diskFull(ctx context.Context, r *Round) error {
	s, err := r.start(ctx, 0)
	if err != nil {
		return err
	}
	r.startLoad(ctx, writers, breathing)
	for range 2 + r.random.IntN(2) {
		if err := r.some(ctx); err != nil {
			return err
		}
		if err := limitFiles(s.PID(), r.random.Int64N(2*largest(r.dir)+1)); err != nil {
			return err
		}
		time.Sleep(r.between(200*time.Millisecond, 2*time.Second))
		if err := limitFiles(s.PID(), -1); err != nil {
			return err
		}
		if err := r.awaitReady(ctx, 0, time.Now()); err != nil {
			return err
		}
	}
	return r.some(ctx)
}

// neo4jKilled kills the database server under a server that stays.
func neo4jKilled(ctx context.Context, r *Round) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.Own.Kill(ctx); err != nil {
		return err
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503} {
		if a, err := r.ask(ctx, r.url(), "GET", path, "", nil); err != nil || a.status != want {
			r.wrong("without Neo4j, %s answers %d, %v", path, a.status, err)
		}
	}
	return r.again(ctx)
}

// again starts Neo4j once more, and waits until the server takes writes.
func (r *Round) again(ctx context.Context) error {
	if err := r.Own.Restart(ctx); err != nil {
		return err
	}
	if err := r.awaitReady(ctx, 0, time.Now()); err != nil {
		return err
	}
	return r.some(ctx)
}

// neo4jDiskFull lets no file of the database server grow for a while. A database that could not write its log takes no
// more writes until its server has been started again.
func neo4jDiskFull(ctx context.Context, r *Round) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	pid, err := r.Own.PID(ctx)
	if err != nil {
		return err
	}
	if err := limitFiles(pid, 0); err != nil {
		return err
	}
	time.Sleep(r.between(500*time.Millisecond, 3*time.Second))
	if a, err := r.ask(ctx, r.url(), "GET", "/healthz", "", nil); err != nil || a.status != 200 {
		r.wrong("while Neo4j cannot write, /healthz answers %d, %v", a.status, err)
	}
	if err := r.Own.Kill(ctx); err != nil {
		return err
	}
	return r.again(ctx)
}

// behind has the servers of the round reach Neo4j through a network.
func (r *Round) behind(ctx context.Context) (*network, error) {
	scheme, address, ok := strings.Cut(r.URI, "://")
	if !ok {
		return nil, fmt.Errorf("%s is no address", r.URI)
	}
	n, err := newNetwork(ctx, address)
	if err != nil {
		return nil, err
	}
	r.undo = append(r.undo, n.close)
	r.store = scheme + "://" + n.address()
	return n, nil
}

// networkSlow delays what goes between server and Neo4j.
func networkSlow(ctx context.Context, r *Round) error {
	n, err := r.behind(ctx)
	if err != nil {
		return err
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	for range 2 {
		n.slow(r.between(time.Millisecond, 300*time.Millisecond))
		time.Sleep(r.between(500*time.Millisecond, 3*time.Second))
		n.heal(false)
		if err := r.awaitReady(ctx, 0, time.Now()); err != nil {
			return err
		}
		if err := r.some(ctx); err != nil {
			return err
		}
	}
	return nil
}

// networkCut takes Neo4j from the server: connections are reset and refused, or what is sent gets lost without a word,
// and afterwards the connections are reset or stay silent.
func networkCut(ctx context.Context, r *Round) error {
	n, err := r.behind(ctx)
	if err != nil {
		return err
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	forget := false
	switch r.random.IntN(3) {
	case 0:
		n.cut()
	case 1:
		n.hush()
	case 2:
		n.hush()
		forget = true
	}
	time.Sleep(r.between(100*time.Millisecond, 4*time.Second))
	n.heal(forget)
	if err := r.awaitReady(ctx, 0, time.Now()); err != nil {
		return err
	}
	return r.some(ctx)
}

// killed reports whether an error is that a program was killed, or ended well when it was about to be.
func killed(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	var exit interface{ Sys() any }
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
