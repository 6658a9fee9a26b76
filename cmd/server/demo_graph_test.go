package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j" //nolint:depguard // analysts ask the graph beside the service, and so does this test

	"tenure"
	"tenure/auth"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/store/neo4j"
)

// TestGraphQueries loads the story of the demo into a Neo4j and runs the queries of docs/graph.md.
func TestGraphQueries(t *testing.T) {
	uri := os.Getenv("NEO4J_URI")
	if uri == "" {
		t.Fatal("NEO4J_URI is not set: this test needs a real Neo4j; run make test, which starts one")
	}
	username, password := cmp.Or(os.Getenv("NEO4J_USERNAME"), "neo4j"), cmp.Or(os.Getenv("NEO4J_PASSWORD"), "testpassword")
	s, err := neo4j.Open(t.Context(), uri, neo4j.Config{Username: username, Password: password, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	tenant := "graph-" + rand.Text()
	credential, key, err := auth.Issue(tenure.NewMint(time.Now()), rand.Reader, tenure.Credential{
		Tenant: tenant, Roles: tenure.Roles, Clearance: tenure.HighlyRestricted,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutCredential(t.Context(), credential); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.TempDir(), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	a, err := serving.HTTP(s, service.Config{Now: time.Now, Index: x}, serving.Options{CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	server := httptest.NewServer(a.Handler)
	defer server.Close()
	client := demoClient{url: server.URL, key: key, http: server.Client()}
	if err := tell(t.Context(), io.Discard, server.URL, key); err != nil {
		t.Fatal(err)
	}
	mergeAndUndo(t, client)
	d, err := driver.NewDriverWithContext(uri, driver.BasicAuth(username, password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close(context.Background()) }()
	var answer []byte
	for _, b := range blocksOf(t, "docs/graph.md") {
		switch {
		case b.is("cypher", "run"):
			answer = ask(t, d, b, tenant)
		case b.is("json", "observe"):
			for line := range strings.Lines(b.text) {
				post(t, client, "/v1/observations", line)
				if err := client.awaitReresolution(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		case b.is("json", "expect"):
			if fault := b.fault(answer); fault != nil {
				t.Errorf("%s: %v\n%s", b.at, fault, answer)
			}
		default:
			t.Errorf("%s: is not run", b.at)
		}
	}
}

// mergeAndUndo makes the calls that the demo leaves to the reader.
func mergeAndUndo(t *testing.T, c demoClient) {
	t.Helper()
	reviews, err := c.ask(t.Context(), "/v1/reviews", "")
	if err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{}
	get := func(name string, answer []byte, path string) {
		value, err := find(answer, path)
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, answer)
		}
		variables[name] = value
	}
	get("REVIEW", reviews, "items.0.review_id")
	get("LENA", reviews, "items.0.candidates.0.entity_id")
	for _, call := range calls[settle:] {
		expand := func(s string) string {
			return strings.ReplaceAll(os.Expand(s, func(name string) string { return variables[name] }), "'", "")
		}
		answer := post(t, c, expand(call.path), expand(call.body))
		if _, known := variables["MERGE"]; !known {
			get("MERGE", answer, "merge_id")
		}
	}
}

func post(t *testing.T, c demoClient, path, body string) []byte {
	t.Helper()
	answer, err := c.ask(t.Context(), path, body)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// ask returns the rows of a query as a JSON array.
func ask(t *testing.T, d driver.DriverWithContext, b block, tenant string) []byte {
	t.Helper()
	session := d.NewSession(t.Context(), driver.SessionConfig{AccessMode: driver.AccessModeRead})
	defer func() { _ = session.Close(t.Context()) }()
	result, err := session.Run(t.Context(), b.text, map[string]any{"tenant": tenant})
	if err != nil {
		t.Fatalf("%s: %v", b.at, err)
	}
	records, err := result.Collect(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", b.at, err)
	}
	rows := []map[string]any{}
	for _, r := range records {
		rows = append(rows, r.AsMap())
	}
	answer, err := json.Marshal(rows)
	if err != nil {
		t.Fatalf("%s: %v", b.at, err)
	}
	return answer
}
