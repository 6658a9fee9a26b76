package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"tenure/encode/encodetest"
)

// models is an endpoint for embeddings and rankings. Texts are similar where they share words, or words of one meaning;
// it ranks a text the higher the longer it is.
type models struct {
	*httptest.Server
	bag    encodetest.Bag
	broken atomic.Bool
}

func newModels(t *testing.T) *models {
	t.Helper()
	m := &models{bag: encodetest.Bag{Meaning: [][]string{
		{"courier", "carries"}, {"parcels", "letters"}, {"telephone", "call"}, {"landlord", "rents"},
	}}}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Input, Documents []string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || m.broken.Load() {
			w.WriteHeader(http.StatusNotFound) // which is not tried again
			return
		}
		if got := r.Header.Get("Authorization"); got != "Bearer sesame" {
			t.Errorf("the key is %q", got)
		}
		data, results := list{}, list{}
		vectors, err := m.bag.Embed(r.Context(), in.Input)
		if err != nil {
			t.Error(err)
		}
		for i, v := range vectors {
			data = append(data, obj{"index": i, "embedding": v})
		}
		for i, d := range in.Documents {
			results = append(results, obj{"index": i, "relevance_score": len(d)})
		}
		_ = json.NewEncoder(w).Encode(obj{"data": data, "results": results})
	}))
	t.Cleanup(m.Close)
	return m
}

func keyFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(name, []byte("sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// number returns a number of an answer, 0 if there is none.
func number(a answer, pointer string) float64 {
	n, _ := strconv.ParseFloat(a.text(pointer), 64)
	return n
}

// embedding returns a world whose server has the embedder of an endpoint.
func (m *models) embedding(t *testing.T, e engine, flags ...string) *world {
	t.Helper()
	key := keyFile(t)
	return newWorld(t, e, serveWatched(t, e, e.store(t), append(flags,
		"--embedder", m.URL+"/v1", "--embedder-model", "bag", "--embedder-key-file", key, "--encoder-timeout", "60s")...))
}

// TestWhatIsSaidInOtherWordsIsFound by similarity, and says so.
func TestWhatIsSaidInOtherWordsIsFound(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		m := newModels(t)
		w := m.embedding(t, e)
		b := w.say("Heron", "courier_parcels", "Swift")
		w.say("Heron", "office_location", "Quarry Street 4")
		w.say("Heron", "budget", "4000", claims("security_classification", "confidential"))
		query := obj{"query": "Who carries letters?"}
		var a answer
		eventually(t, "the beliefs have vectors", func() bool {
			a = w.post("/v1/recall", query)
			return a.status == 200 && a.text("/degraded") == ""
		})
		same(t, "what is found", a.text("/items/0/text"), "Heron / courier_parcels: Swift")
		if s := number(a, "/items/0/similarity"); s < .3 || s > 1 {
			t.Errorf("the similarity is %f", s)
		}
		same(t, "the words that it has", len(a.texts("/items/0/why", "/word")), 0)
		c := w.post("/v1/compile", query).is(200)
		if got := c.text("/envelope/text"); !strings.Contains(got, "Heron / courier_parcels: Swift") || strings.Contains(got, "Quarry") {
			t.Errorf("the context is %q", got)
		}
		const state = "/trace/state_compilation_metadata"
		same(t, "the object", c.text(state+"/compiled_objects/0/object_id"), b.belief)
		if number(c, state+"/compiled_objects/0/similarity") < .3 || c.text(state+"/retrieval_metadata/degraded") != "" {
			t.Errorf("the trace is %s", c.raw)
		}
		same(t, "how it was found", c.text(state+"/resolved_entities/0/found_by"), "similarity")
		again := w.post("/v1/compile", obj{"query": "Who carries letters?", "known_at": strconv.Itoa(b.seq)}).is(200)
		same(t, "as it was known then", again.text(state+"/compiled_objects/0/object_id"), b.belief)
		if !slices.Contains(m.bag.Asked(), "Heron / courier parcels: Swift") {
			t.Error("what was embedded is not what was said")
		}
	})
}

// TestAnEmbedderThatIsDown: writes go on, words find, and the answers say what they are without.
func TestAnEmbedderThatIsDown(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		m := newModels(t)
		m.broken.Store(true)
		w := m.embedding(t, e)
		w.say("Heron", "courier_parcels", "Swift")
		w.say("Heron", "office_location", "Quarry Street 4")
		a, lines := w.recall(obj{"query": "Where is Quarry Street?"})
		same(t, "by its words", lines, []string{"Heron / office_location: Quarry Street 4"})
		if a.text("/degraded") == "" {
			t.Errorf("it does not say what it is without: %s", a.raw)
		}
		c := w.post("/v1/compile", obj{"query": "Who carries letters?"}).is(200)
		if c.text("/trace/state_compilation_metadata/retrieval_metadata/degraded") == "" {
			t.Errorf("the trace does not say what it is without: %s", c.raw)
		}
		m.broken.Store(false)
		eventually(t, "the beliefs have vectors", func() bool {
			a := w.post("/v1/recall", obj{"query": "Who carries letters?"})
			return a.status == 200 && a.text("/degraded") == "" && a.text("/items/0/text") == "Heron / courier_parcels: Swift"
		})
	})
}

// TestWhatIsErasedIsNotSimilarAnyMore: its vector goes with it.
func TestWhatIsErasedIsNotSimilarAnyMore(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		m := newModels(t)
		w := m.embedding(t, e)
		b := w.say("Heron", "courier_parcels", "Swift")
		query := obj{"query": "Who carries letters?"}
		eventually(t, "it is found", func() bool {
			a := w.post("/v1/recall", query)
			return a.status == 200 && len(a.texts("/items", "/text")) == 1
		})
		w.erase("/v1/observations/" + b.id + "/content")
		eventually(t, "it is found no more", func() bool {
			a := w.post("/v1/recall", query)
			return a.status == 200 && a.text("/degraded") == "" && len(a.texts("/items", "/text")) == 0
		})
	})
}

// TestAReranker orders what recall has found; without it the order is as before.
func TestAReranker(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		m := newModels(t)
		key := keyFile(t)
		w := newWorld(t, e, serve(t, e.store(t), "--reranker", m.URL, "--reranker-model", "long", "--reranker-key-file", key))
		w.say("Heron", "office_location", "Quarry Street")
		w.say("Plover", "office_location", "Quarry Street, the yellow house behind the mill")
		a, lines := w.recall(obj{"query": "Heron quarry"})
		slices.Reverse(lines)
		same(t, "the longer text first", lines, []string{"Heron / office_location: Quarry Street", "Plover / office_location: Quarry Street, the yellow house behind the mill"})
		if a.text("/degraded") != "" {
			t.Errorf("it is degraded: %s", a.raw)
		}
		m.broken.Store(true)
		a, lines = w.recall(obj{"query": "heron quarry"})
		same(t, "without the reranker", lines[0], "Heron / office_location: Quarry Street")
		same(t, "what it is without", a.text("/degraded"), "the reranker does not answer")
	})
}
