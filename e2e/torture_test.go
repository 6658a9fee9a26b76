package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenure/internal/run"
	"tenure/internal/torture"
)

// TestTorture plays one round of each kind of fault: "make torture" plays many. What is at stake is what is on disk, to
// which the race detector adds nothing but time.
func TestTorture(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		target := torture.Target{Engine: e.name, Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD")}
		if e.name == neo4j.name {
			target.URI = e.store(t)
		}
		for _, f := range target.Of(torture.All) {
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				endure(t, target, f)
			})
		}
	})
}

// TestTortureNeo4j is of a database of its own: what a server takes that has just been started over one that has just
// been started, and the faults for which the database server is killed. That a migration of Neo4j is killed, which takes
// minutes, is left to "make torture"; store/neo4j tests the migrations.
func TestTortureNeo4j(t *testing.T) {
	t.Parallel()
	db, err := run.StartNeo4j(t.Context(), filepath.Join(t.TempDir(), "neo4j"), "NEO4J_BRIEF=1", "NEO4J_HEAP=512m", "NEO4J_PAGECACHE=128m")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	t.Run("first-batch", func(t *testing.T) { firstBatch(t, db.URI) })
	target := torture.Target{
		Engine: neo4j.name, Own: db, URI: db.URI, Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD"),
	}
	for _, f := range target.Of(torture.All) {
		if f.Own && f.Engine == neo4j.name {
			t.Run(f.Name, func(t *testing.T) { endure(t, target, f) })
		}
	}
}

// firstBatch checks that every line is taken of a batch that is sent at once, more than are decided together.
func firstBatch(t *testing.T, uri string) {
	t.Helper()
	s := &server{program: quick, store: uri, login: []string{"--neo4j-username", "neo4j"}}
	s.begin(t)
	w := newWorld(t, neo4j, s)
	const lines = 300
	var body []string
	for i := range lines {
		line, err := json.Marshal(stating(fmt.Sprintf("Person Number%d", i), "office", i))
		if err != nil {
			t.Fatal(err)
		}
		body = append(body, string(line))
	}
	results := w.batch(body)
	if len(results) != lines {
		t.Errorf("%d results", len(results))
	}
	for _, r := range results {
		r.is(201)
	}
}

// endure plays a round of a fault. A test of it depends on no speed: how long a stop takes is measured and not judged.
func endure(t *testing.T, target torture.Target, f torture.Fault) {
	t.Helper()
	target.Binary, target.Dir, target.Patience = quick, t.TempDir(), patience
	r, err := torture.Play(t.Context(), target, f, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d observations, %d sent again, ready after %v", r.Acknowledged, r.Again, r.Ready)
	if !r.Good() {
		t.Errorf("seed %d: %d lost, %d doubled, and:\n%s", r.Seed, r.Lost, r.Doubled, strings.Join(r.Wrong, "\n"))
	}
	if r.Acknowledged == 0 || len(r.Ready) < 2 {
		t.Errorf("too little happened: %d observations, %d times ready", r.Acknowledged, len(r.Ready))
	}
}
