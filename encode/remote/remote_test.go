package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tenure/encode/remote"
)

// endpoint is a server of models that answers as a test says, and counts what it was asked.
type endpoint struct {
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

func serve(t *testing.T, answer func(w http.ResponseWriter, n int, in asked)) *endpoint {
	t.Helper()
	e := &endpoint{}
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
	return remote.Config{URL: url, Model: "small", Pause: time.Millisecond}
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

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	for status, want := range map[int]int64{
		http.StatusTooManyRequests: 3, http.StatusBadGateway: 3, http.StatusInternalServerError: 3,
		http.StatusUnauthorized: 1, http.StatusNotFound: 1, http.StatusFound: 1, http.StatusBadRequest: 1,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, n int, in asked) {
				if n < 3 {
					w.Header().Set("Retry-After", "0")
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(status)
					return
				}
				vectors(w, in)
			})
			_, err := embedder(t, config(server.URL)).Embed(t.Context(), []string{"a"})
			if n := server.asked.Load(); n != want || (err == nil) != (want == 3) {
				t.Errorf("it was asked %d times; the error is %v", n, err)
			}
		})
	}
}

// TestAnEndpointThatIsDownIsLeftAlone after some failures, until it had a rest.
func TestAnEndpointThatIsDownIsLeftAlone(t *testing.T) {
	var up atomic.Bool
	server := serve(t, func(w http.ResponseWriter, _ int, in asked) {
		if !up.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		vectors(w, in)
	})
	cfg := config(server.URL)
	cfg.Attempts, cfg.Rest = 1, 50*time.Millisecond
	e := embedder(t, cfg)
	for range 20 {
		if _, err := e.Embed(t.Context(), []string{"a"}); err == nil {
			t.Fatal("it answered")
		}
	}
	if n := server.asked.Load(); n >= 20 {
		t.Errorf("it was asked %d times", n)
	}
	up.Store(true)
	for {
		if _, err := e.Embed(t.Context(), []string{"a"}); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestASlowEndpointIsNotWaitedFor(t *testing.T) {
	release := make(chan struct{})
	server := serve(t, func(http.ResponseWriter, int, asked) { <-release })
	defer close(release)
	cfg := config(server.URL)
	cfg.Timeout = 20 * time.Millisecond
	if _, err := embedder(t, cfg).Embed(t.Context(), []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := embedder(t, cfg).Embed(ctx, []string{"a"}); err == nil {
		t.Error("a caller that gave up has an answer")
	}
}

func TestFaultsOfAConfiguration(t *testing.T) {
	for _, cfg := range []remote.Config{
		{Model: "m"}, {URL: "ftp://x", Model: "m"}, {URL: "http://u:p@x", Model: "m"}, {URL: "http://x?key=1", Model: "m"},
		{URL: "http://x"}, {URL: "http://x", Model: "m", Key: "a b"}, {URL: "http://x", Model: "m", Timeout: -1},
		{URL: "http://x", Model: "m", Batch: -1},
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
