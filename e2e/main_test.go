package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tenure/internal/run"
)

// binary is the server program, built once with the race detector.
var binary run.Binary

func TestMain(m *testing.M) {
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
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		if binary, err = run.Build(ctx, dir, true); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
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

// onEachEngine runs a test on every engine.
func onEachEngine(t *testing.T, test func(t *testing.T, e engine)) {
	t.Helper()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) { test(t, e) })
	}
}

// starting bounds how long a program may take to start or to make a key.
const starting = time.Minute

// server is a server program over a store. It can be killed and started again;
// then it has another address.
type server struct {
	store string
	flags []string

	mu  sync.Mutex
	run *run.Server
}

// serve starts a server, which stops with the test. The store has a key of
// nobody's, since there is no server without one.
func serve(t *testing.T, store string, flags ...string) *server {
	t.Helper()
	newKey(t, store, newTenant())
	s := &server{store: store, flags: flags}
	s.start(t)
	t.Cleanup(func() { s.stop(t) })
	return s
}

func (s *server) start(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), starting)
	defer cancel()
	r, err := binary.Start(ctx, s.store, s.flags...)
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

func (s *server) kill() { s.run.Kill() }

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
	ctx, cancel := context.WithTimeout(context.Background(), starting)
	defer cancel()
	key, err := binary.Key(ctx, store, tenant, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// verify has the server program check the tenant's data against itself.
func verify(t *testing.T, store, tenant string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := binary.Command(ctx, "verify", "--store", store, "--tenant", tenant)
	if err != nil || !strings.Contains(out, " 0 findings") {
		t.Errorf("server verify: %v\n%s", err, out)
	}
}
