package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	api "tenure/client"
	"tenure/internal/erdata"
)

func TestFloors(t *testing.T) {
	score := func(kind kind, f *floor, scores map[string]any) []result {
		return []result{{set: set{name: "s", kind: kind, figures: []figure{{key: "x", title: "x", floor: f}}}, scores: scores}}
	}
	for _, c := range []struct {
		name    string
		results []result
		engine  engine
		partial bool
		want    bool
	}{
		{"at-least", score(pairs, least(.8), map[string]any{"x": .8}), engine{}, false, true},
		{"too-little", score(pairs, least(.8), map[string]any{"x": .79}), engine{}, false, false},
		{"none-is-none", score(queries, most(0), map[string]any{"x": 0.0}), engine{}, false, true},
		{"one-is-too-many", score(queries, most(0), map[string]any{"x": 1.0}), engine{}, false, false},
		{"no-score-is-no-pass", score(pairs, most(0), map[string]any{"x": nil}), engine{}, false, false},
		{"part-of-a-set-is-not-judged", score(pairs, least(.8), map[string]any{"x": .1}), engine{}, true, true},
		{"no-floor", score(pairs, nil, map[string]any{"x": .1}), engine{}, false, true},
		{"time-is-judged-here", score(scale, most(3), map[string]any{"x": 4.0}), engine{judged: true}, false, false},
		{"time-is-not-judged-there", score(scale, most(3), map[string]any{"x": 4.0}), engine{}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(io.Discard, c.engine, c.results, c.partial); got != c.want {
				t.Errorf("met %v, want %v", got, c.want)
			}
		})
	}
}

func TestHistogram(t *testing.T) {
	const metrics = `# TYPE tenure_http_request_seconds histogram
tenure_http_request_seconds_bucket{method="GET",route="/v1/resolve",le="0.001"} 77
tenure_http_request_seconds_bucket{method="POST",route="/v1/resolve",le="0.001"} 10
tenure_http_request_seconds_bucket{method="POST",route="/v1/resolve",le="0.005"} 20
tenure_http_request_seconds_bucket{method="POST",route="/v1/resolve",le="+Inf"} 20
tenure_http_request_seconds_sum{method="POST",route="/v1/resolve"} 0.05
tenure_http_request_seconds_count{method="POST",route="/v1/resolve"} 20
`
	before, err := readHistogram(strings.NewReader(metrics))
	if err != nil {
		t.Fatal(err)
	}
	after, err := readHistogram(strings.NewReader(strings.NewReplacer("} 20", "} 30", "} 0.05", "} 0.09").Replace(metrics)))
	if err != nil {
		t.Fatal(err)
	}
	now := after.since(before)
	if diff := cmp.Diff([]float64{0, 10, 10}, now.count); diff != "" {
		t.Error(diff)
	}
	for q, want := range map[float64]time.Duration{.5: 3 * time.Millisecond, 1: 5 * time.Millisecond} {
		if got := now.quantile(q); got != want {
			t.Errorf("quantile %g: %s, want %s", q, got, want)
		}
	}
	if got := now.since(now).quantile(.5); got != 0 {
		t.Errorf("nothing was asked, and took %s", got)
	}
}

func TestMentionOf(t *testing.T) {
	got := observationOf(erdata.Record{
		ID: "1", Type: "org", Name: "Acme", Aliases: []string{"ACME"},
		Attrs: map[string][]string{"context": {"a firm", "of Oslo"}, "email": {"a@b.example"}},
	}, "registry")
	want := api.BatchLine{
		Source: api.SourceInput{Origin: "records://registry", AuthorityLevel: ptr(3), SourceAuthority: ptr(0.8)},
		Mentions: []api.MentionInput{{
			Name: "Acme", Type: "org", Aliases: []string{"ACME"}, Attributes: map[string][]string{"email": {"a@b.example"}},
			Context: "a firm\nof Oslo", Record: &api.Record{Source: "registry", Id: "1"},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := observationOf(erdata.Record{ID: "1", Source: "crm"}, "registry").Mentions[0].Record.Source; got != "crm" {
		t.Errorf("the row's own source is %q", got)
	}
}

func TestRanking(t *testing.T) {
	s := &service{records: map[string]string{"e1": "r1", "e2": "r2"}}
	var m api.ResolvedMention
	err := json.Unmarshal([]byte(`{"decision":"review","score":0.8,"candidates":[{"entity_id":"e2"},{"entity_id":"gone"},{"entity_id":"e1"}]}`), &m)
	if err != nil {
		t.Fatal(err)
	}
	want := prediction{"i": "q", "ranked": []string{"r2", "r1"}, "decision": "review", "score": 0.8}
	if diff := cmp.Diff(want, s.ranking("q", m)); diff != "" {
		t.Error(diff)
	}
}

func TestReadResults(t *testing.T) {
	const good = `{"line":1,"status":201,"observation":{"seq":7}}` + "\n"
	got, err := readResults(strings.NewReader(good + good))
	if err != nil || len(got) != 2 || got[0] != 7 {
		t.Errorf("got %v, error %v", got, err)
	}
	if _, err := readResults(strings.NewReader(good + `{"line":2,"status":400}`)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a refused line: error %v", err)
	}
}

func TestIdentified(t *testing.T) {
	list, without := identified([]erdata.Record{
		{ID: "1", Name: "Ann"}, {ID: "2", Name: " "}, {ID: "3", Attrs: map[string][]string{"gender": {"male"}}},
		{ID: "4", Attrs: map[string][]string{"dob": {"1950-03-07"}}},
	})
	if len(list) != 2 || list[0].ID != "1" || list[1].ID != "4" || without != 2 {
		t.Errorf("got %v and %d without", list, without)
	}
}

func TestInventor(t *testing.T) {
	a, b := newInventor(1), newInventor(1)
	seen := map[string]bool{}
	for range 1000 {
		n := a.name()
		if n != b.name() {
			t.Fatal("the same seed makes up other names")
		}
		if seen[n] {
			t.Fatalf("%q is made up twice", n)
		}
		seen[n] = true
		if wrong := a.typo(n); strings.Count(wrong, " ") != strings.Count(n, " ") || wrong != b.typo(n) {
			t.Fatalf("%q became %q", n, wrong)
		}
	}
}

func TestSetsOfARegistryAreBesideEachOther(t *testing.T) {
	var order []string
	for _, s := range sets() {
		order = append(order, s.registry)
	}
	order = slices.DeleteFunc(slices.Compact(order), func(r string) bool { return r == "" })
	seen := map[string]bool{}
	for _, r := range order {
		if seen[r] {
			t.Errorf("%s would be loaded twice", r)
		}
		seen[r] = true
	}
}
