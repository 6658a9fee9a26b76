package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestServersShareAnIndex: a second server on the same host uses the index directory of the first, and finds at once
// what that one has read, and then what is written by the first. It goes on when the first one ends.
func TestServersShareAnIndex(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		shared := []string{"--index", filepath.Join(t.TempDir(), "index")}
		store := e.store(t)
		one := serveWatched(t, e, store, shared...)
		w := newWorld(t, e, one)
		w.record(stating("Katharina Lindqvist", "office", 1))
		w.settledOn(one)
		two := serveWatched(t, e, store, shared...)
		found := func(s *server, name string) func() bool {
			return func() bool {
				on := *w
				on.url = s.url
				return len(on.resolve(obj{"name": name, "type": "person"}).items("/mentions/0/candidates")) > 0
			}
		}
		eventually(t, "the second server finds what the first has read", found(two, "Katarina Lindqvist"))
		w.record(stating("Bogdan Okonkwo", "office", 2))
		eventually(t, "the second server finds what the first writes", found(two, "Bogdan Okonkwoo"))
		if err := one.run.Stop(); err != nil {
			t.Fatal(err)
		}
		w.url = two.url
		w.record(stating("Marguerite Duval", "office", 3))
		one.start(t)
		eventually(t, "the first server finds what the second wrote alone", found(one, "Margerite Duval"))
	})
}

// TestTheFirstBatchOfAColdNeo4j: a server that has just been started over a database that has just been started takes
// every line of a batch that is sent at once.
func TestTheFirstBatchOfAColdNeo4j(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "neo4j")
	script := func(command string) string {
		t.Helper()
		cmd := exec.Command("../scripts/neo4j", command, home)
		cmd.Env = append(os.Environ(), "NEO4J_BRIEF=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("scripts/neo4j %s: %v", command, err)
		}
		return strings.TrimSpace(string(out))
	}
	uri := script("start")
	t.Cleanup(func() { script("remove") })
	s := &server{program: quick, store: uri, login: []string{"--neo4j-username", "neo4j"}}
	s.begin(t)
	w := newWorld(t, neo4j, s)
	const lines = 300 // more than are decided together
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
