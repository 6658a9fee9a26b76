package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/ner"
	"tenure/ner/alias"
	"tenure/ner/remote"
)

const text = "Zoë asked Korvex, twice"

// answering returns an extractor whose service responds with a status and a body.
func answering(t *testing.T, status int, body string) *remote.Extractor {
	t.Helper()
	return served(t, remote.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func served(t *testing.T, cfg remote.Config, h http.HandlerFunc) *remote.Extractor {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	x, err := remote.New(s.URL, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func registry() ner.Aliases {
	d := alias.NewDictionary()
	d.Set("k1", "organization", "", "Korvex")
	d.Set("k2", "person", "", "korvex")
	d.Set("z", "person", "other", "Zoë")
	return d.In("")
}

func TestAnswer(t *testing.T) {
	var asked string
	x := served(t, remote.Config{}, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		asked = r.Method + " " + r.Header.Get("Content-Type") + " " + string(raw)
		_, _ = io.WriteString(w, `{"mentions":[{"start":11,"end":17,"type":"organization"},{"start":0,"end":4,"type":"person","chain":"a"},{"start":19,"end":24,"type":"role","chain":"a"}]}`)
	})
	got, err := x.Extract(context.Background(), text, registry())
	if err != nil {
		t.Fatal(err)
	}
	want := []ner.Mention{
		{Start: 0, End: 4, RuneStart: 0, RuneEnd: 3, Text: "Zoë", Type: "person", Chain: 1, Rule: "remote"},
		{Start: 11, End: 17, RuneStart: 10, RuneEnd: 16, Text: "Korvex", Type: "organization", Chain: 2, Rule: "remote", Entities: []tenure.ID{"k1", "k2"}},
		{Start: 19, End: 24, RuneStart: 18, RuneEnd: 23, Text: "twice", Type: "role", Chain: 1, Rule: "remote"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var q struct {
		Text  string              `json:"text"`
		Known []map[string]string `json:"known_aliases"`
	}
	body, ok := strings.CutPrefix(asked, "POST application/json ")
	if err := json.Unmarshal([]byte(body), &q); !ok || err != nil || q.Text != text || len(q.Known) != 2 || q.Known[0]["alias"] != "Korvex" {
		t.Errorf("asked %s (%v)", asked, err)
	}
}

func TestAnswersThatAreRefusedAsAWhole(t *testing.T) {
	one := func(m string) string {
		return `{"mentions":[{"start":11,"end":17,"type":"organization"},` + m + `]}`
	}
	for _, c := range []struct {
		name   string
		status int
		body   string
	}{
		{"another-status", 500, `{"mentions":[]}`},
		{"redirect", 302, ""},
		{"empty-body", 200, ""},
		{"no-json", 200, "<html>"},
		{"no-mentions", 200, `{"spans":[]}`},
		{"null-mentions", 200, `{"mentions":null}`},
		{"two-values", 200, `{"mentions":[]} {"mentions":[]}`},
		{"no-start", 200, one(`{"end":3,"type":"person"}`)},
		{"negative", 200, one(`{"start":-1,"end":3,"type":"person"}`)},
		{"empty-span", 200, one(`{"start":3,"end":3,"type":"person"}`)},
		{"after-the-end", 200, one(`{"start":18,"end":99,"type":"person"}`)},
		{"inside-a-character", 200, one(`{"start":0,"end":3,"type":"person"}`)},
		{"fraction", 200, one(`{"start":0.5,"end":4,"type":"person"}`)},
		{"unknown-type", 200, one(`{"start":0,"end":4,"type":"animal"}`)},
		{"overlap", 200, one(`{"start":13,"end":19,"type":"person"}`)},
		{"endless", 200, `{"mentions":[` + strings.Repeat(" ", 1<<20) + `]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := answering(t, c.status, c.body).Extract(context.Background(), text, nil)
			if tenure.CodeOf(err) != tenure.Unavailable || got != nil {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

func TestEmptyAnswer(t *testing.T) {
	got, err := answering(t, 200, `{"mentions":[]}`).Extract(context.Background(), text, nil)
	if err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestKnownAliases checks that a request lists each alias once for each sense, and
// at most 1,000 of them.
func TestKnownAliases(t *testing.T) {
	d := alias.NewDictionary()
	var long strings.Builder
	for i := range 1100 {
		name := fmt.Sprintf("korvex%d", i)
		d.Set(tenure.ID(name), ner.System, "", name)
		long.WriteString(name + " ")
	}
	d.Set("other", ner.Person, "", "korvex1")
	var known []any
	x := served(t, remote.Config{}, func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Known []any `json:"known_aliases"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		known = q.Known
		_, _ = io.WriteString(w, `{"mentions":[]}`)
	})
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"repeated-alias-of-two-senses", "korvex1, korvex2, korvex1", 3},
		{"none", "nothing", 0},
		{"bounded", long.String(), 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := x.Extract(context.Background(), c.text, d.In("")); err != nil {
				t.Fatal(err)
			}
			if known == nil || len(known) != c.want {
				t.Errorf("%d aliases, want %d", len(known), c.want)
			}
		})
	}
}

func TestChains(t *testing.T) {
	body := `{"mentions":[{"start":0,"end":4,"type":"person","chain":null},{"start":5,"end":10,"type":"role","chain":{"a":1}},` +
		`{"start":11,"end":17,"type":"person"},{"start":19,"end":24,"type":"role","chain": {"a":1} }]}`
	found, err := answering(t, 200, body).Extract(context.Background(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var chains []int
	for _, m := range found {
		chains = append(chains, m.Chain)
	}
	if diff := cmp.Diff([]int{1, 2, 3, 2}, chains); diff != "" {
		t.Error(diff)
	}
}

func TestSlowService(t *testing.T) {
	stop := make(chan struct{})
	slow := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	}
	x := served(t, remote.Config{Timeout: 20 * time.Millisecond}, slow)
	t.Cleanup(func() { close(stop) })
	if _, err := x.Extract(context.Background(), text, nil); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Extract(ctx, text, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gave up gets %v", err)
	}
}

func TestTextThatIsNotUTF8IsNotSent(t *testing.T) {
	x := served(t, remote.Config{}, func(http.ResponseWriter, *http.Request) { t.Error("it was asked") })
	if _, err := x.Extract(context.Background(), "a\xff", nil); !errors.Is(err, ner.ErrNotUTF8) {
		t.Errorf("got %v", err)
	}
}

func TestNew(t *testing.T) {
	for _, u := range []string{"", "localhost:9", "ftp://x.example/", "http://", "http://%zz", "/path"} {
		if x, err := remote.New(u, remote.Config{}); err == nil {
			t.Errorf("%q makes %v", u, x)
		}
	}
	if _, err := remote.New("http://x.example/", remote.Config{Timeout: -1}); err == nil {
		t.Error("a negative timeout is taken")
	}
}

// FuzzAnswer checks that any response is refused or keeps the contract of
// Extractor.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{`{"mentions":[]}`, `{"mentions":[{"start":0,"end":4,"type":"person","chain":7}]}`, `{`, `{"mentions":[{"start":1,"end":2,"type":"person"}]}`} {
		f.Add(body)
	}
	var body string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
	f.Cleanup(s.Close)
	x, err := remote.New(s.URL, remote.Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, said string) {
		body = said
		found, err := x.Extract(context.Background(), text, nil)
		if err != nil && (found != nil || tenure.CodeOf(err) != tenure.Unavailable) {
			t.Fatalf("%v, %v", found, err)
		}
		end := 0
		for _, m := range found {
			if m.Start < end || m.End <= m.Start || m.Text != text[m.Start:m.End] || !utf8.ValidString(m.Text) || m.Chain < 1 || m.Type == "" {
				t.Fatalf("%+v", m)
			}
			end = m.End
		}
	})
}
