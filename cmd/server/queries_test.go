package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenure/api"
	"tenure/queries"
	"tenure/store"
	"tenure/store/sqlite"
)

var update = flag.Bool("update", false, "write the table and the answers of the graph into docs/queries.md")

const queriesDoc = "docs/queries.md"

// queryRun asks every query of the table of a server over one engine.
type queryRun struct {
	demoClient
	*testing.T
	name   string // of the engine
	ground string // the id of the belief that the example of rests_on names
}

// tellQueries tells a server the story that docs/queries.md asks about.
func tellQueries(t *testing.T, engine string, s store.Store, tenant string) queryRun {
	t.Helper()
	r := queryRun{demoClient: toldDemo(t, s, tenant), T: t, name: engine}
	for _, b := range blocksOf(t, queriesDoc) {
		if !b.is("json", "observe") {
			continue
		}
		for line := range strings.Lines(b.text) {
			post(t, r.demoClient, "/v1/observations", line)
			if err := r.awaitReresolution(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.ground = r.belief("flour_supplier", "Mill Nord")
	post(t, r.demoClient, "/v1/beliefs/"+r.belief("mascot", "a heron")+"/retract", `{"reason": "It was a joke."}`)
	return r
}

// belief returns the id of a belief.
func (r queryRun) belief(predicate, value string) string {
	r.Helper()
	answer, err := r.ask(r.Context(), "/v1/beliefs?status=any&predicate="+predicate, "")
	if err != nil {
		r.Fatal(err)
	}
	var list struct {
		Items []struct {
			ObjectID string `json:"object_id"`
			Value    any    `json:"value"`
		} `json:"items"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		r.Fatal(err)
	}
	for _, b := range list.Items {
		if b.Value == value {
			return b.ObjectID
		}
	}
	r.Fatalf("there is no %s %s: %s", predicate, value, answer)
	return ""
}

// example returns the parameters of the example, with an id that the document cannot know.
func (r queryRun) example(q queries.Query) map[string]any {
	given := map[string]any{}
	for name, value := range q.Example {
		given[name] = value
		if n, ok := value.(int); ok {
			given[name] = float64(n) // as JSON is decoded
		}
		if name == "belief" {
			given[name] = r.ground
		}
	}
	return given
}

// rows asks a query by its example, and returns its rows as objects.
func (r queryRun) rows(q queries.Query) []map[string]any {
	r.Helper()
	body, err := json.Marshal(map[string]any{"parameters": r.example(q)})
	if err != nil {
		r.Fatal(err)
	}
	var answer api.QueryAnswer
	if err := json.Unmarshal(r.patiently("/v1/queries/"+q.Name, string(body)), &answer); err != nil {
		r.Fatal(err)
	}
	if answer.Name != q.Name || answer.More {
		r.Errorf("%s: %v", q.Name, answer)
	}
	list := []map[string]any{}
	for _, cells := range answer.Rows {
		row := map[string]any{}
		for i, c := range answer.Columns {
			row[c.Name] = cells[i]
		}
		list = append(list, row)
	}
	return list
}

// patiently asks again what the server says to ask again later: the store of a busy machine may not answer in time.
func (r queryRun) patiently(path, body string) []byte {
	r.Helper()
	for tries := 0; ; tries++ {
		answer, err := r.ask(r.Context(), path, body)
		if err == nil {
			return answer
		}
		if tries == 20 || !strings.Contains(err.Error(), "503 Service Unavailable") {
			r.Fatal(err)
		}
		time.Sleep(time.Second)
	}
}

// check asks every query that the engine can answer, and compares the answers with the document.
func (r queryRun) check() {
	r.Helper()
	expected := expectations(r.T)
	for _, q := range queries.Table {
		if r.name == "sqlite" && q.SQL == "" {
			if _, err := r.ask(r.Context(), "/v1/queries/"+q.Name, `{"parameters": {}}`); err == nil {
				r.Errorf("%s: SQLite answers what it cannot be asked", q.Name)
			}
			continue
		}
		answer, err := json.Marshal(r.rows(q))
		if err != nil {
			r.Fatal(err)
		}
		if fault := expected[q.Name].fault(answer); fault != nil {
			r.Errorf("%s on %s: %v\n%s", q.Name, r.name, fault, answer)
		}
		if string(answer) == "[]" {
			r.Errorf("%s on %s: the example has no rows, and shows nothing", q.Name, r.name)
		}
	}
}

// expectations returns the expected answers of the document by query.
func expectations(t *testing.T) map[string]block {
	t.Helper()
	found := map[string]block{}
	name := ""
	for _, b := range blocksOf(t, queriesDoc) {
		switch {
		case b.is("cypher", "query"):
			name = b.info[1]
		case b.is("json", "expect"):
			found[name] = b
		}
	}
	return found
}

// The document says of each query what the table does.
func TestTheQueriesAreDocumented(t *testing.T) {
	if *update {
		return
	}
	answers := map[string]string{}
	for name, b := range expectations(t) {
		answers[name] = b.text
	}
	if have := text(t, queriesDoc); have != queriesPage(have, answers) {
		t.Error("docs/queries.md is not what the table says: run go test ./cmd/server -run TestGraphQueries -update, and read it")
	}
}

// queriesPage returns the document: its head as it is, and what the table says of each query.
func queriesPage(have string, answers map[string]string) string {
	const heading = "\n## The queries\n"
	head, _, _ := strings.Cut(have, heading)
	var b strings.Builder
	b.WriteString(head + heading)
	for _, q := range queries.Table {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s", q.Name, q.Description)
		if q.SQL == "" {
			b.WriteString(" Neo4j only.")
		}
		b.WriteString("\n\n")
		if len(q.Parameters) > 0 {
			b.WriteString("| parameter | kind | |\n| --- | --- | --- |\n")
			for _, p := range q.Parameters {
				kind := string(p.Kind)
				if p.Required {
					kind += ", required"
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, kind, p.Description)
			}
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "```cypher query %s\n%s\n```\n\n", q.Name, q.Cypher)
		if len(q.Example) > 0 {
			fmt.Fprintf(&b, "```json ask\n%s\n```\n\n", oneLine(q.Example))
		}
		fmt.Fprintf(&b, "```json expect\n%s```\n", answers[q.Name])
	}
	return b.String()
}

func oneLine(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(strings.TrimSpace(b.String()))
}

// masked returns the rows as the document shows them, with "…" for what is another in each run.
func masked(q queries.Query, rows []map[string]any) string {
	var lines []string
	for _, row := range rows {
		var cells []string
		for _, c := range q.Columns {
			value := row[c.Name]
			said, _ := value.(string)
			recorded := c.Kind == queries.Time && strings.HasPrefix(said, time.Now().UTC().Format("2006-"))
			if value != nil && (c.Kind == queries.ID || c.Kind == queries.Number || recorded) {
				value = anything
			}
			cells = append(cells, oneLine(c.Name)+": "+oneLine(value))
		}
		lines = append(lines, "  {"+strings.Join(cells, ", ")+"}")
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]\n"
}

// writeQueries writes the document anew.
func (r queryRun) writeQueries() {
	r.Helper()
	answers := map[string]string{}
	for _, q := range queries.Table {
		answers[q.Name] = masked(q, r.rows(q))
	}
	file := filepath.Join(top, filepath.FromSlash(queriesDoc))
	if err := os.WriteFile(file, []byte(queriesPage(text(r.T, queriesDoc), answers)), 0o644); err != nil {
		r.Fatal(err)
	}
}

// TestQueries asks SQLite the queries of docs/queries.md.
func TestQueries(t *testing.T) {
	if *update {
		return
	}
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tenure.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	tellQueries(t, "sqlite", s, "queries").check()
}
