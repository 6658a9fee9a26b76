package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load is writers that send observations, each under a key of its own, and
// send what was not answered again until it is.
type load struct {
	w     *world
	pause time.Duration
	stop  chan struct{}
	work  sync.WaitGroup
	sent  [][]*parcel // by writer
	done  atomic.Int64
}

// parcel is an observation on its way: answered, if it was.
type parcel struct {
	key    string
	body   obj
	answer []byte
	tries  int
}

func startLoad(w *world, writers int, pause time.Duration) *load {
	l := &load{w: w, pause: pause, stop: make(chan struct{}), sent: make([][]*parcel, writers)}
	for i := range writers {
		l.work.Go(func() { l.write(i) })
	}
	return l
}

func (l *load) write(writer int) {
	random := rand.New(rand.NewPCG(7, uint64(writer)))
	for n := 0; ; n++ {
		p := &parcel{key: fmt.Sprint("w", writer, "-", n), body: stating(
			fmt.Sprint("Person ", random.IntN(10)), fmt.Sprint("fact_", random.IntN(3)), fmt.Sprint("value ", random.IntN(20)),
			by(fmt.Sprint("speaker ", writer)), level(2+random.IntN(2)), from(fmt.Sprintf("2021-01-%02dT00:00:%02dZ", 1+random.IntN(28), writer)),
		)}
		l.sent[writer] = append(l.sent[writer], p)
		for !l.deliver(p) {
			select {
			case <-l.stop:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
		select {
		case <-l.stop:
			return
		case <-time.After(l.pause):
		}
	}
}

// deliver sends a parcel and tells whether it was answered. Only what a user
// should try again may stand in its way.
func (l *load) deliver(p *parcel) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	p.tries++
	a, err := l.w.try(ctx, "POST", "/v1/observations", p.body, idem+p.key)
	switch {
	case err != nil || a.status == 503:
		return false
	case a.status != 201:
		l.w.Errorf("%s: %d %s", p.key, a.status, short(a.raw))
	case slices.Contains(a.warnings(), "later_not_read "): // the answer asks to send it again
		return false
	}
	p.answer = a.raw
	l.done.Add(1)
	return true
}

// wait waits until so many more were answered, and a little longer.
func (l *load) wait(answers int, longer time.Duration) {
	l.w.Helper()
	until := l.done.Load() + int64(answers)
	eventually(l.w.T, fmt.Sprintf("%d more answers", answers), func() bool { return l.done.Load() >= until })
	time.Sleep(longer)
}

// settle ends the load, delivers what is still on its way, and checks that
// every parcel is in the log exactly once, and as it was acknowledged.
func (l *load) settle() {
	l.w.Helper()
	close(l.stop)
	l.work.Wait()
	parcels, again := 0, 0
	at := map[string]string{} // keys by the number of their entry
	for _, sent := range l.sent {
		for _, p := range sent {
			parcels++
			again += p.tries - 1
			a := l.w.post("/v1/observations", p.body, idem+p.key).is(201)
			if p.answer != nil && string(p.answer) != string(a.raw) {
				l.w.Errorf("%s was acknowledged as %s\nand is now %s", p.key, short(p.answer), short(a.raw))
			}
			if p.answer != nil && a.header.Get("Idempotency-Replayed") != "true" {
				l.w.Errorf("%s was acknowledged and lost", p.key)
			}
			if other, ok := at[a.text("/seq")]; ok {
				l.w.Errorf("%s and %s are one entry, %s", p.key, other, a.text("/seq"))
			}
			at[a.text("/seq")] = p.key
		}
	}
	entries := l.w.entries()
	for _, e := range entries {
		if _, ok := at[text(e, "/seq")]; !ok || text(e, "/operation") != "ingest" {
			l.w.Errorf("entry %s is nobody's: %v", text(e, "/seq"), e)
		}
	}
	same(l.w.T, "entries for all keys", len(entries), parcels)
	verify(l.w.T, l.w.srv.store, l.w.tenant, l.w.srv.login...)
	l.w.Logf("%d observations, %d sent again", parcels, again)
	if parcels < 50 || again == 0 {
		l.w.Errorf("too little happened: %d observations, %d sent again", parcels, again)
	}
}

// TestServerKilled kills the server again and again, at any moment. What is at
// stake is what is on disk, to which the race detector adds nothing but time.
func TestServerKilled(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		const kills = 20
		s := &server{program: quick, store: e.store(t)}
		s.begin(t)
		w := newWorld(t, e, s)
		l := startLoad(w, 8, 10*time.Millisecond)
		random := rand.New(rand.NewPCG(20, 26))
		for range kills {
			l.wait(1+random.IntN(40), time.Duration(random.IntN(20_000))*time.Microsecond)
			s.kill()
			s.start(t)
		}
		l.settle()
	})
}

// TestNeo4jKilled kills the database server under a server that stays.
func TestNeo4jKilled(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "neo4j")
	script := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("../scripts/neo4j", args...)
		cmd.Env = append(os.Environ(), "NEO4J_BRIEF=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("scripts/neo4j %s: %v", strings.Join(args, " "), err)
		}
		return strings.TrimSpace(string(out))
	}
	uri := script("start", home)
	t.Cleanup(func() { script("remove", home) })
	port := uri[strings.LastIndex(uri, ":")+1:]

	// Whoever the shared server knows, this one knows neo4j.
	s := &server{program: quick, store: uri, login: []string{"--neo4j-username", "neo4j"}}
	s.begin(t)
	w := newWorld(t, neo4j, s)
	l := startLoad(w, 8, 10*time.Millisecond)
	random := rand.New(rand.NewPCG(20, 27))
	l.wait(20+random.IntN(100), time.Duration(random.IntN(20_000))*time.Microsecond)
	script("kill", home)
	w.get("/healthz").is(200)
	w.get("/readyz").problem(503, "unavailable")
	script("start", home, port)
	eventually(t, "the server is ready again", func() bool { return w.get("/readyz").status == 200 })
	l.wait(20, 0)
	l.settle()
}

// TestServerStopped asks the server to end while requests are under way: each
// is answered, or its retry finds out.
func TestServerStopped(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		s := serve(t, e.store(t))
		w := newWorld(t, e, s)
		l := startLoad(w, 16, time.Millisecond)
		for range 3 {
			l.wait(50, 0)
			if err := s.run.Stop(); err != nil {
				t.Errorf("the server ended with %v:\n%s", err, s.run.Log())
			}
			s.start(t)
		}
		l.settle()
	})
}
