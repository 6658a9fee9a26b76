package remote_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tenure/encode/remote"
	"tenure/endpoint"
)

// fake is a server of models that answers as a test says, and counts what it was asked.
type fake struct {
	*httptest.Server
	asked atomic.Int64
}

type asked struct {
	Model     string
	Input     []string
	Query     string
	Documents []string
	Path, Key string `json:"-"`
}

func serve(t *testing.T, answer func(w http.ResponseWriter, n int, in asked)) *fake {
	t.Helper()
	e := &fake{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in asked
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		in.Path, in.Key = r.URL.Path, r.Header.Get("Authorization")
		answer(w, int(e.asked.Add(1)), in)
	}))
	t.Cleanup(e.Close)
	return e
}

// vectors answers with a vector for each text, in the reverse order: its length, and 1.
func vectors(w http.ResponseWriter, in asked) {
	var list []string
	for i, s := range slices.Backward(in.Input) {
		list = append(list, fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(s)))
	}
	_, _ = fmt.Fprintf(w, `{"object":"list","data":[%s],"model":"m","usage":{}}`, strings.Join(list, ","))
}

func config(url string) remote.Config {
	return remote.Config{Config: endpoint.Config{URL: url, Model: "small", Pause: time.Millisecond}}
}

func embedder(t *testing.T, cfg remote.Config) *remote.Embedder {
	t.Helper()
	e, err := remote.NewEmbedder(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestVectorsAreInTheOrderOfTheTexts(t *testing.T) {
	var sizes []int
	server := serve(t, func(w http.ResponseWriter, _ int, in asked) {
		if in.Path != "/v1/embeddings" || in.Model != "small" || in.Key != "Bearer sesame" {
			t.Errorf("it was asked %+v", in)
		}
		sizes = append(sizes, len(in.Input))
		vectors(w, in)
	})
	cfg := config(server.URL + "/v1/")
	cfg.Key, cfg.Batch = "sesame", 2
	e := embedder(t, cfg)
	got, err := e.Embed(t.Context(), []string{"a", "bbb", "cc"})
	if err != nil {
		t.Fatal(err)
	}
	for i, length := range []float32{1, 3, 2} {
		if ratio := got[i][0] / got[i][1]; ratio < length-.001 || ratio > length+.001 {
			t.Errorf("text %d has the vector %v", i, got[i])
		}
		if sum := got[i][0]*got[i][0] + got[i][1]*got[i][1]; sum < .999 || sum > 1.001 {
			t.Errorf("text %d has a vector of length %f", i, sum)
		}
	}
	if !slices.Equal(sizes, []int{2, 1}) || e.Dimension() != 2 || e.Name() != "small" {
		t.Errorf("batches %v, dimension %d of %s", sizes, e.Dimension(), e.Name())
	}
	if none, err := e.Embed(t.Context(), nil); len(none) != 0 || err != nil {
		t.Errorf("no texts: %v, %v", none, err)
	}
}

func TestBadAnswersAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"no-json":          {`<html>`, "no list of vectors"},
		"nothing":          {`{}`, "0 vectors for 2 texts"},
		"too-few":          {`{"data":[{"index":0,"embedding":[1]}]}`, "1 vectors for 2 texts"},
		"twice":            {`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "not those of the texts"},
		"no-index":         {`{"data":[{"embedding":[1]},{"embedding":[1]}]}`, "not those of the texts"},
		"out-of-range":     {`{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`, "not those of the texts"},
		"two-dimensions":   {`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`, "2 components and not 1"},
		"no-component":     {`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, "0 components"},
		"not-a-number":     {`{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}`, "no list of vectors"},
		"no-float32":       {`{"data":[{"index":0,"embedding":[1e39]},{"index":1,"embedding":[1]}]}`, "no list of vectors"},
		"null-for-numbers": {`{"data":[{"index":0,"embedding":null},{"index":1,"embedding":[1]}]}`, "0 components"},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, _ int, _ asked) { _, _ = fmt.Fprint(w, c.answer) })
			e := embedder(t, config(server.URL))
			if _, err := e.Embed(t.Context(), []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v", err)
			}
			if n := server.asked.Load(); n != 1 {
				t.Errorf("it was asked %d times: it would not say anything else", n)
			}
		})
	}
}

// TestADimensionThatChangesIsAnError, also between two calls.
func TestADimensionThatChangesIsAnError(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, n int, _ asked) {
		_, _ = fmt.Fprintf(w, `{"data":[{"index":0,"embedding":[%s]}]}`, strings.TrimSuffix(strings.Repeat("1,", n+1), ","))
	})
	e := embedder(t, config(server.URL))
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "3 components and not 2") {
		t.Errorf("the error is %v", err)
	}
	if e.Dimension() != 2 {
		t.Errorf("the dimension is now %d", e.Dimension())
	}
}

func TestFaultsOfAConfiguration(t *testing.T) {
	for _, cfg := range []remote.Config{
		{Config: endpoint.Config{Model: "m"}}, {Config: endpoint.Config{URL: "http://x"}},
		{Config: endpoint.Config{URL: "http://x", Model: "m"}, Batch: -1},
	} {
		if _, err := remote.NewEmbedder(cfg); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
		if _, err := remote.NewReranker(cfg); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
}

func TestRerank(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ int, in asked) {
		if in.Path != "/v1/rerank" || in.Query != "which?" || !slices.Equal(in.Documents, []string{"a", "b", "c"}) {
			t.Errorf("it was asked %+v", in)
		}
		_, _ = fmt.Fprint(w, `{"results":[{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":-3}]}`)
	})
	r, err := remote.NewReranker(config(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := r.Rerank(t.Context(), "which?", []string{"a", "b", "c"})
	if err != nil || !slices.Equal(got, []float64{.5, -3, .9}) || r.Name() != "small" {
		t.Errorf("it is %v, %v", got, err)
	}
	if none, err := r.Rerank(t.Context(), "which?", nil); len(none) != 0 || err != nil || server.asked.Load() != 1 {
		t.Errorf("no texts: %v, %v", none, err)
	}
}

func TestBadScoresAreRefused(t *testing.T) {
	for name, answer := range map[string]string{
		"no-json": `x`, "too-few": `{"results":[{"index":0,"relevance_score":1}]}`,
		"twice":    `{"results":[{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}]}`,
		"no-score": `{"results":[{"index":0,"relevance_score":1},{"index":1}]}`,
		"no-index": `{"results":[{"index":0,"relevance_score":1},{"relevance_score":1}]}`,
		"infinite": `{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1e999}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, _ int, _ asked) { _, _ = fmt.Fprint(w, answer) })
			r, err := remote.NewReranker(config(server.URL))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if got, err := r.Rerank(t.Context(), "which?", []string{"a", "b"}); err == nil {
				t.Errorf("it is %v", got)
			}
		})
	}
}
