package measure_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"tenure/internal/measure"
)

func TestQuantile(t *testing.T) {
	var list []time.Duration
	for i := range 100 {
		list = append(list, time.Duration(100-i))
	}
	for q, want := range map[float64]time.Duration{.5: 50, .99: 99, 1: 100} {
		if got := measure.Quantile(list, q); got != want {
			t.Errorf("quantile %g: %d, want %d", q, got, want)
		}
	}
	if got := measure.Quantile(nil, .5); got != 0 {
		t.Errorf("of nothing: %d", got)
	}
}

func TestMemory(t *testing.T) {
	if now, peak := measure.Memory(os.Getpid()); now < 1<<20 || peak < now {
		t.Errorf("this process has %d bytes in RAM, %d at the most", now, peak)
	}
}

func TestClient(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer k" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = w.Write([]byte(`{"method":"` + r.Method + `","sent":` + string(body) + `}`))
	}))
	defer api.Close()
	var answer struct {
		Method string
		Sent   map[string]int
	}
	ctx := context.Background()
	if err := measure.NewClient(api.URL, "k").Ask(ctx, http.MethodPost, "/", map[string]int{"a": 1}, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Method != http.MethodPost || answer.Sent["a"] != 1 {
		t.Errorf("got %+v", answer)
	}
	err := measure.NewClient(api.URL, "other").Ask(ctx, http.MethodPost, "/", 1, nil)
	if err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a refusal: %v", err)
	}
}
