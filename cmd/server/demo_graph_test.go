package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j" //nolint:depguard // analysts ask the graph beside the service, and so does this test

	"tenure"
	"tenure/auth"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/queries"
	"tenure/service"
	"tenure/store"
	"tenure/store/neo4j"
)

// TestGraphQueries tells a Neo4j the story of docs/queries.md, and asks it the queries of that document over HTTP and
// in Cypher, and those of docs/graph.md.
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
	t.Cleanup(func() { _ = s.Close() })
	tenant := "graph-" + rand.Text()
	run := tellQueries(t, "neo4j", s, tenant)
	if *update {
		run.writeQueries()
	}
	run.check()
	d, err := driver.NewDriverWithContext(uri, driver.BasicAuth(username, password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close(context.Background()) }()
	for _, q := range queries.Table {
		checkCypher(t, d, run, q, tenant)
	}
	var answer []byte
	for _, b := range blocksOf(t, "docs/graph.md") {
		switch {
		case b.is("cypher", "run"):
			answer = ask(t, d, b.at, b.text, map[string]any{"tenant": tenant})
		case b.is("json", "expect"):
			if fault := b.fault(answer); fault != nil {
				t.Errorf("%s: %v\n%s", b.at, fault, answer)
			}
		default:
			t.Errorf("%s: is not run", b.at)
		}
	}
}

// checkCypher asks a query in Cypher, as an analyst would, and compares the number of its rows and their columns with
// what the service answers. The plan must not scan what other tenants have.
func checkCypher(t *testing.T, d driver.DriverWithContext, run queryRun, q queries.Query, tenant string) {
	t.Helper()
	params, err := q.Bind(run.example(q), tenure.At(time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	params["tenant"], params["limit"] = tenant, 1000
	var rows []map[string]any
	if err := json.Unmarshal(ask(t, d, q.Name, q.Cypher, params), &rows); err != nil {
		t.Fatal(err)
	}
	if want := run.rows(q); len(rows) != len(want) {
		t.Errorf("%s: %d rows in Cypher, %d over HTTP", q.Name, len(rows), len(want))
	}
	for _, row := range rows {
		for _, c := range q.Columns {
			if _, ok := row[c.Name]; !ok || len(row) != len(q.Columns) {
				t.Errorf("%s: the columns %v are not %v", q.Name, row, q.Columns)
			}
		}
	}
	session := d.NewSession(t.Context(), driver.SessionConfig{AccessMode: driver.AccessModeRead})
	defer func() { _ = session.Close(t.Context()) }()
	result, err := session.Run(t.Context(), "EXPLAIN "+q.Cypher, params)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := result.Consume(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := summary.Plan().Arguments()["string-representation"].(string)
	for _, scan := range []string{"NodeByLabelScan", "AllNodesScan", "RelationshipTypeScan", "RelationshipsScan", "NodeIndexScan"} {
		if plan == "" || strings.Contains(plan, scan) {
			t.Errorf("%s: the plan has a %s:\n%s", q.Name, scan, plan)
		}
	}
}

// toldDemo serves a store, tells the server the story of the demo as a tenant's administrator, and makes the calls
// that the demo leaves to the reader.
func toldDemo(t *testing.T, s store.Store, tenant string) demoClient {
	t.Helper()
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
	t.Cleanup(func() { _ = x.Close() })
	a, err := serving.HTTP(s, service.Config{Now: time.Now, Index: x}, serving.Options{CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	server := httptest.NewServer(a.Handler)
	t.Cleanup(server.Close)
	client := demoClient{url: server.URL, key: key, http: server.Client()}
	if err := tell(t.Context(), io.Discard, server.URL, key); err != nil {
		t.Fatal(err)
	}
	mergeAndUndo(t, client)
	return client
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
func ask(t *testing.T, d driver.DriverWithContext, at, cypher string, params map[string]any) []byte {
	t.Helper()
	session := d.NewSession(t.Context(), driver.SessionConfig{AccessMode: driver.AccessModeRead})
	defer func() { _ = session.Close(t.Context()) }()
	result, err := session.Run(t.Context(), cypher, params)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	records, err := result.Collect(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	rows := []map[string]any{}
	for _, r := range records {
		rows = append(rows, r.AsMap())
	}
	answer, err := json.Marshal(rows)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	return answer
}

// The demo leaves its story in a Neo4j, in a tenant that nobody can write to any more.
func TestGraphDemo(t *testing.T) {
	uri := os.Getenv("NEO4J_URI")
	if uri == "" {
		t.Fatal("NEO4J_URI is not set: this test needs a real Neo4j; run make test, which starts one")
	}
	var out screen
	password := cmp.Or(os.Getenv("NEO4J_PASSWORD"), "testpassword")
	t.Setenv("NEO4J_PASSWORD", password)
	demo := &demoCmd{
		Listen: "127.0.0.1:0", Once: true, Store: uri,
		neo4jFlags: neo4jFlags{Neo4jUsername: cmp.Or(os.Getenv("NEO4J_USERNAME"), "neo4j")},
	}
	if err := demo.Run(demoWorld(t.Context(), &out)); err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`:param tenant => '([^']+)'`).FindStringSubmatch(out.String())
	if named == nil {
		t.Fatalf("the tenant is not named:\n%s", out.String())
	}
	s, err := neo4j.Open(t.Context(), uri, neo4j.Config{
		Username: demo.Neo4jUsername, Password: password, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	q, _ := queries.Find("superseded")
	rows, err := s.Ask(t.Context(), named[1], store.Question{Cypher: q.Cypher, Limit: 10, Timeout: time.Minute})
	if err != nil || len(rows) != 4 {
		t.Errorf("%d displacements in the graph: %v", len(rows), err)
	}
	keys, err := s.Credentials(t.Context(), named[1])
	if err != nil || len(keys) != 1 || keys[0].RevokedAt == 0 {
		t.Errorf("the key of the demo: %v, %v", keys, err)
	}
	demo.Store = "sqlite:demo.db"
	if err := demo.Run(demoWorld(t.Context(), &out)); err == nil {
		t.Error("the demo wrote into a file that it was given")
	}
}
