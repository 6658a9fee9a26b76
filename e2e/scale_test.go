package e2e

import (
	"path/filepath"
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
