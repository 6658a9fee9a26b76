package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

const writers = 64

// TestManyWriters has many write at once, through one server process and
// through two on one store, and looks for what a single writer would have
// left.
func TestManyWriters(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store := e.store(t)
		one, two := serveWatched(t, e, store), serveWatched(t, e, store)
		for _, c := range []struct {
			name    string
			servers []*server
		}{{"one-process", []*server{one}}, {"two-processes", []*server{one, two}}} {
			t.Run(c.name+"-one-name-is-one-entity", func(t *testing.T) { oneName(newWorld(t, e, one), c.servers) })
			t.Run(c.name+"-one-slot-as-one-after-the-other", func(t *testing.T) { oneSlot(newWorld(t, e, one), c.servers) })
		}
		t.Run("a-batch-beside-single-writers", func(t *testing.T) { batchBeside(newWorld(t, e, one)) })
	})
}

// at once sends observations, each by a writer of its own and spread over the
// servers, and gives the answers in the order of the observations.
func (w *world) atOnce(servers []*server, observations []obj) []answer {
	w.Helper()
	answers := make([]answer, len(observations))
	start := make(chan struct{})
	var work sync.WaitGroup
	for i, o := range observations {
		work.Go(func() {
			<-start
			c := client{servers[i%len(servers)].url, w.key}
			a, err := c.insist(w.Context(), o)
			if err != nil || a.status != 201 {
				w.Errorf("writer %d: %v: %d %s", i, err, a.status, short(a.raw))
			}
			a.t = w.T
			answers[i] = a
		})
	}
	close(start)
	work.Wait()
	if w.Failed() {
		w.FailNow()
	}
	return answers
}

func oneName(w *world, servers []*server) {
	spellings := []string{"Zoë Müller", "ZOË MÜLLER", "zoe\u0308 mu\u0308ller", " Zoë  Müller"}
	var observations []obj
	for i := range writers {
		observations = append(observations, stating(spellings[i%len(spellings)], fmt.Sprint("fact_", i), i))
	}
	ids, seqs := map[string]bool{}, []int{}
	for _, a := range w.atOnce(servers, observations) {
		ids[a.text("/mentions/0/entity_id")] = true
		seqs = append(seqs, a.seq("/seq"))
	}
	same(w.T, "entities in the answers", len(ids), 1)
	same(w.T, "entities of the name", len(w.get("/v1/entities?name=zo%C3%AB+m%C3%BCller").is(200).items("/items")), 1)
	slices.Sort(seqs)
	for i, seq := range seqs {
		if seq != i+1 {
			w.Fatalf("the answers' numbers: %v", seqs)
		}
	}
	same(w.T, "entries", len(w.entries()), writers)
	same(w.T, "beliefs", len(w.page("limit=500", "entity_id="+slices.Collect(keys(ids))[0]).items("/items")), writers)
	verify(w.T, w.srv.store, w.tenant)
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// oneSlot: values of different stated times, on different authority, in any
// order, leave the standing that they leave in order.
func oneSlot(w *world, servers []*server) {
	var observations []obj
	for i := range writers {
		observations = append(observations, stating("Jon Smith", "office", fmt.Sprint("city ", i%48),
			seen("2021-03-01T00:00:00Z"), by(fmt.Sprint("speaker ", i%5)), level(2+i%7/6), trust(float64(i%3)/2),
			from(fmt.Sprintf("2021-01-01T%02d:00:%02dZ", i*37%writers/4, i%60))))
	}
	shuffled := slices.Clone(observations)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	w.atOnce(servers, shuffled)

	serial := newWorld(w.T, w.engine, w.srv)
	for _, o := range observations {
		serial.record(o)
	}
	same(w.T, "the standing", w.standing("Jon Smith", "office"), serial.standing("Jon Smith", "office"))
	verify(w.T, w.srv.store, w.tenant)
}

// standing writes out what became of all that was said of someone's predicate,
// without a single id.
func (w *world) standing(name, predicate string) []string {
	w.Helper()
	found := w.get("/v1/entities?" + query([]string{"name=" + name})).is(200)
	beliefs := w.page("limit=500", "status=any", "predicate="+predicate, "entity_id="+found.text("/items/0/entity_id")).items("/items")
	names := map[string]string{"": "-"}
	for _, b := range beliefs {
		names[text(b, "/object_id")] = text(b, "/value") + "@" + text(b, "/valid_from") + "/" + text(b, "/speaker")
	}
	var lines []string
	for _, b := range beliefs {
		var line strings.Builder
		fmt.Fprint(&line, names[text(b, "/object_id")], " ", text(b, "/contradiction_status"), " ", text(b, "/last_confirmed"))
		segments, _ := at(b, "/segments").(list)
		for _, g := range segments {
			by, ok := names[text(g, "/by")]
			if !ok {
				by = "something else"
			}
			fmt.Fprint(&line, " [", text(g, "/valid_from"), " ", text(g, "/valid_until"), " ", text(g, "/cause"), " ", by, "]")
		}
		lines = append(lines, line.String())
	}
	slices.Sort(lines)
	return lines
}

// batchBeside: a batch and single writers get all of theirs done, each batch
// in the order of its lines.
func batchBeside(w *world) {
	var work sync.WaitGroup
	const batches, lines, singles = 4, 100, 50
	for b := range batches {
		work.Go(func() {
			var text []string
			for i := range lines {
				text = append(text, line(fmt.Sprint(b, "-", i), stating("Jon Smith", fmt.Sprint("fact_", i%10), fmt.Sprint(b, " ", i),
					from(fmt.Sprintf("2021-01-01T00:%02d:%02dZ", b, i%60)))))
			}
			for {
				a, err := w.try(w.Context(), "POST", "/v1/observations:batch", strings.Join(text, "\n"), "Content-Type: application/x-ndjson")
				if err == nil && strings.Contains(string(a.raw), `"status":503`) && w.Context().Err() == nil {
					continue
				}
				if n := strings.Count(string(a.raw), `"status":201`); err != nil || n != lines {
					w.Errorf("batch %d: %v, %d of %d lines: %s", b, err, n, lines, short(a.raw))
				}
				return
			}
		})
	}
	for i := range singles {
		work.Go(func() {
			a, err := w.insist(w.Context(), stating("Jon Smith", "single", i, from("2021-01-01T00:00:00Z")))
			if err != nil || a.status != 201 {
				w.Errorf("single %d: %v: %d %s", i, err, a.status, short(a.raw))
			}
		})
	}
	work.Wait()
	same(w.T, "entries", len(w.entries()), batches*lines+singles)
	same(w.T, "entities", len(w.get("/v1/entities?name=jon+smith").is(200).items("/items")), 1)
	verify(w.T, w.srv.store, w.tenant)
}
