package measure_test

import (
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
	} else if mapped := measure.Mapped(os.Getpid()); mapped <= 0 || mapped > now {
		t.Errorf("%d of %d bytes in RAM are of files", mapped, now)
	}
}

func TestClient(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer k" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		w.Header().Set("Content-Type", "application/json")
		if body, _ := io.ReadAll(r.Body); len(body) > 0 {
			_, _ = w.Write(body)
			return
		}
		_, _ = w.Write([]byte(`{"status":"ok"}`))
	}))
	defer api.Close()
	ctx := t.Context()
	mine, err := measure.NewClient(api.URL, "k")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := mine.Send(ctx, http.MethodPost, "/", []byte(`{"a":1}`)); err != nil || string(got) != `{"a":1}` {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := mine.GetHealthWithResponse(ctx); err != nil || got.JSON200 == nil || got.JSON200.Status != "ok" {
		t.Errorf("got %+v, %v", got, err)
	}
	other, err := measure.NewClient(api.URL, "other")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.GetHealthWithResponse(ctx); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a refusal: %v", err)
	}
}
