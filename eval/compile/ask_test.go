package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tenure/internal/measure"
)

// The baselines rank by names, as whoever would build them does; a belief carries ids alone.
func TestBaselineReadsNames(t *testing.T) {
	names := map[string]string{"e1": "Heron", "e2": "Lena Vos", "e3": "Plover"}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		answer := map[string]any{"name": names[strings.TrimPrefix(r.URL.Path, "/v1/entities/")]}
		if r.URL.Path == "/v1/beliefs" {
			answer = map[string]any{"items": []map[string]any{
				{"object_id": "b1", "predicate": "owner", "value": map[string]string{"entity_id": "e2"},
					"canonical_entity_ids": []string{"e1", "e2"}},
				{"object_id": "b2", "predicate": "port", "value": 8080, "canonical_entity_ids": []string{"e3"}},
				{"object_id": "b3", "predicate": "store", "value": "PostgreSQL", "canonical_entity_ids": []string{"e3"}},
			}}
		}
		if err := json.NewEncoder(out).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	client, err := measure.NewClient(server.URL, "key")
	if err != nil {
		t.Fatal(err)
	}
	teller := &teller{ctx: t.Context(), clients: map[string]*measure.Client{"restricted": client, "highly_restricted": client}}
	w := &world{claims: map[string]id{"heron": "b1", "port": "b2", "store": "b3"}, names: map[id]string{}}
	for _, c := range []struct {
		query string
		found []string
	}{{"Heron", []string{"heron"}}, {"Lena", []string{"heron"}}, {"Plover 8080", []string{"port", "store"}},
		{"PostgreSQL", []string{"store"}}} {
		got, err := baseline(teller, w, question{Query: c.query})
		if err != nil || !slices.Equal(got.Compiled, c.found) {
			t.Errorf("%q found %v, want %v: %v", c.query, got.Compiled, c.found, err)
		}
	}
}
