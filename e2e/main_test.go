package e2e

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tenure/internal/run"
)

// quick is the server program, and watched the same with the race detector, which
// makes it take five times the CPU: the servers over SQLite of tests in which many
// clients write at once run it. The packages' own tests run with the race detector.
var quick, watched run.Binary

// narrow leaves out Neo4j and the race detector, for an answer that is soon there.
// Tests of Neo4j alone cannot run then: whoever narrows names them with -skip.
var narrow = flag.Bool("narrow", false, "SQLite alone, and no race detector")

// contract is api/openapi.yaml, which every exchange is held to.
var contract *document

// beside is how many tests run at once, unless -parallel says otherwise: most of
// the time they wait for a disk or for another process.
const beside = 4

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "tenure-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		// A data race ends the program that has it, and no program waits a second to end.
		if err := os.Setenv("GORACE", "halt_on_error=1 atexit_sleep_ms=0"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
		defer cancel()
		if err := build(ctx, dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if *narrow {
			engines = []engine{sqlite}
		}
		if err := flag.Set("test.parallel", fmt.Sprint(beside)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if contract, err = newDocument(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		status := m.Run()
		if err := contract.departures(); err != nil && status == 0 {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return status
	}())
}

func build(ctx context.Context, dir string) (err error) {
	if quick, err = run.Build(ctx, dir, false); err != nil || *narrow {
		watched = quick
		return err
	}
	watched, err = run.Build(ctx, dir, true)
	return err
}

// engine is where a server keeps its data. store names a fresh place for the
// test: a file of its own, or the shared Neo4j, in which tenants are apart.
type engine struct {
	name  string
	store func(t *testing.T) string
}

var (
	sqlite = engine{"sqlite", func(t *testing.T) string {
		t.Helper()
		return "sqlite:" + filepath.Join(t.TempDir(), "tenure.db")
	}}
	neo4j = engine{"neo4j", func(t *testing.T) string {
		t.Helper()
		uri := os.Getenv("NEO4J_URI")
		if uri == "" {
			t.Fatal("NEO4J_URI is not set, and these tests need a real Neo4j: run \"make test\", " +
				"or set NEO4J_URI=$(scripts/neo4j start) with NEO4J_USERNAME=neo4j and NEO4J_PASSWORD=testpassword")
		}
		return uri
	}}
	engines = []engine{sqlite, neo4j}
)

// onEachEngine runs a test on every engine, beside other tests.
func onEachEngine(t *testing.T, test func(t *testing.T, e engine)) {
	t.Helper()
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			test(t, e)
		})
	}
}

// patience is far longer than anything takes that does happen, on whatever machine.
const patience = 5 * time.Minute

// server is a server program over a store. It can be stopped and started again;
// then it has another address. Login are the flags with which every program
// reaches the store, flags those of the server.
type server struct {
	program      run.Binary
	store        string
	login, flags []string

	mu  sync.Mutex
	run *run.Server
}

// serve starts a server, which stops with the test. The store has a key of
// nobody's, since there is no server without one.
func serve(t *testing.T, store string, flags ...string) *server {
	t.Helper()
	s := &server{program: quick, store: store, flags: flags}
	s.begin(t)
	return s
}

// serveWatched is serve with the race detector, where the store is SQLite.
func serveWatched(t *testing.T, e engine, store string, flags ...string) *server {
	t.Helper()
	s := &server{program: quick, store: store, flags: flags}
	if e.name == sqlite.name {
		s.program = watched
	}
	s.begin(t)
	return s
}

func (s *server) begin(t *testing.T) {
	t.Helper()
	newKey(t, s.store, newTenant(), s.login...)
	s.start(t)
	t.Cleanup(func() { s.stop(t) })
}

func (s *server) start(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := s.program.Start(ctx, s.store, slices.Concat(s.login, s.flags)...)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = r
}

func (s *server) url() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run.URL
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	err := s.run.Stop()
	if log := s.run.Log(); err != nil || strings.Contains(log, "DATA RACE") || t.Failed() && log != "" {
		const most = 4000
		t.Errorf("the server ended: %v; its log ends:\n%s", err, log[max(0, len(log)-most):])
	}
}

func newTenant() string { return "t-" + strings.ToLower(rand.Text()[:16]) }

// newKey makes a key that may do everything, less what flags take away.
func newKey(t *testing.T, store, tenant string, flags ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		key, err := quick.Key(ctx, store, tenant, flags...)
		switch {
		case err == nil:
			return key
		case ctx.Err() != nil || !strings.Contains(err.Error(), "the store is busy"): // an erasure rewrites the file
			t.Fatal(err)
		}
	}
}

// verify has the server program check the tenant's data against itself.
func verify(t *testing.T, store, tenant string, flags ...string) {
	t.Helper()
	if out, err := verified(store, tenant, flags...); err != nil || !strings.Contains(out, " 0 findings") {
		t.Errorf("server verify: %v\n%s", err, out)
	}
}

// verifyAll checks all tenants of a store.
func verifyAll(t *testing.T, store string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := quick.Command(ctx, "verify", "--store", store)
	if err == nil {
		return
	}
	t.Errorf("server verify: %v", err)
	for line := range strings.Lines(out) {
		if !strings.Contains(line, " 0 findings") {
			t.Error(line)
		}
	}
}

// verified returns what the server program says of the tenant's data.
func verified(store, tenant string, flags ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return quick.Command(ctx, append([]string{"verify", "--store", store, "--tenant", tenant}, flags...)...)
}
