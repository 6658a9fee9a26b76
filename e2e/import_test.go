package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImport takes a file of rows in, twice, and once more with a row that has
// changed; a file with a bad line leaves nothing half done.
func TestImport(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store, tenant := e.store(t), newTenant()
		key := newKey(t, store, tenant)
		rows := []string{
			`{"id": "1", "name": "Katharina Lindqvist", "attributes": {"email": ["k.lindqvist@acme.example"], "dob": ["1981-04-02"]}, "note": "x"}`,
			`{"id": "2", "name": "K. Lindqvist", "attrs": {"email": ["k.lindqvist@acme.example"], "dob": ["02/04/1981"]}, "note": "y"}`,
			`{"id": "3", "name": "Bo Okafor", "attributes": {"context": ["night porter"]}}`,
			`{"id": "4", "name": " ", "attributes": {"gender": ["female"]}}`,
		}
		load := func(want string, lines ...string) (entities map[string]string, log string) {
			t.Helper()
			file := filepath.Join(t.TempDir(), "rows.jsonl")
			if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			out, log, err := quick.Run(ctx, "import", "--store", store, "--tenant", tenant, "--source", "crm", "--type", "person", "--ignore", "note", file)
			if failed := strings.HasPrefix(want, "!"); failed != (err != nil) || !strings.Contains(log, strings.TrimPrefix(want, "!")) {
				t.Fatalf("import: %v\n%s%s\nwant %s", err, out, log, want)
			}
			entities = map[string]string{}
			for line := range strings.Lines(out) {
				var m struct {
					Record struct{ ID string } `json:"record"`
					Entity string              `json:"entity_id"`
				}
				if json.Unmarshal([]byte(line), &m) == nil && m.Record.ID != "" {
					entities[m.Record.ID] = m.Entity
				}
			}
			return entities, log
		}
		first, out := load("3 rows: 2 new entities, 1 merged, 0 in review, 0 unchanged", rows...)
		if !strings.Contains(out, "the row 4 of crm is left out") || len(first) != 3 || first["1"] != first["2"] || first["1"] == first["3"] {
			t.Errorf("the rows mean %v\n%s", first, out)
		}
		again, _ := load("3 rows: 0 new entities, 0 merged, 0 in review, 3 unchanged", rows...)
		same(t, "the same again", fmt.Sprint(again), fmt.Sprint(first))
		changed, _ := load("1 merged, 0 in review, 2 unchanged", rows[0], rows[1], strings.Replace(rows[2], "Bo Okafor", "Bo Okafor-Lund", 1))
		same(t, "after a change", fmt.Sprint(changed), fmt.Sprint(first))
		load("!has no id", rows[0], `{"name": "Nobody"}`)
		load(`!:1:`, `{"id": "9", "name": "Nobody", "colour": "red"}`)

		w := &world{t, client{serve(t, store).url, key}, e, nil, tenant}
		same(t, "what the changed row was called", len(w.get("/v1/entities?name=bo+okafor").is(200).items("/items")), 0)
		same(t, "what it is called", w.get("/v1/entities?name=bo+okafor-lund").is(200).text("/items/0/entity_id"), first["3"])
		verify(t, store, tenant)
	})
}

// TestReindex builds the index of a running server anew: it goes over to it, and
// finds what it found before.
func TestReindex(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store, dir := e.store(t), t.TempDir()
		w := newWorld(t, e, serve(t, store, "--index", dir))
		w.say("Katharina Lindqvist", "office", "Oslo")
		w.settled()
		candidates := func() int {
			return len(w.resolve(obj{"name": "Katharina Lindquist"}).items("/mentions/0/candidates"))
		}
		same(t, "candidates before", candidates(), 1)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		before, err := os.ReadFile(filepath.Join(dir, "CURRENT"))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := quick.Command(ctx, "reindex", "--store", store, "--index", dir); err != nil {
			t.Fatalf("reindex: %v\n%s", err, out)
		}
		after, err := os.ReadFile(filepath.Join(dir, "CURRENT"))
		if err != nil || string(after) == string(before) {
			t.Errorf("the index is the one before: %s, %v", after, err)
		}
		eventually(t, "the server has gone over", func() bool {
			_, err := os.Stat(filepath.Join(dir, strings.TrimSpace(string(before))))
			return os.IsNotExist(err)
		})
		same(t, "candidates after", candidates(), 1)
		w.say("Ragnar Tjensvoll", "office", "Bergen")
		w.settled()
		same(t, "what came since", len(w.resolve(obj{"name": "Ragnar Tjensvold"}).items("/mentions/0/candidates")), 1)
	})
}
