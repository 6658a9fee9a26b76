package e2e

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j" //nolint:depguard // the store is altered without the engine
)

// alteration is a change of a store behind the program's back. Verify then prints a finding with says.
type alteration struct{ name, sql, cypher, says string }

var alterations = []alteration{
	{"who said something", `UPDATE observation SET body = replace(body, 'Dana', 'Vera')`,
		`MATCH (n:Observation {tenant: $tenant}) SET n.body = replace(n.body, 'Dana', 'Vera')`, "was altered"},
	{"whom a mention names", `UPDATE mention SET body = replace(body, 'Jon Smith', 'Jan Smith')`,
		`MATCH (n:Mention {tenant: $tenant}) SET n.body = replace(n.body, 'Jon Smith', 'Jan Smith')`, "was altered"},
	{"how far a source is trusted", `UPDATE claim SET body = replace(body, '"source_authority":0.625', '"source_authority":0.875')`,
		`MATCH (n:Belief {tenant: $tenant}) SET n.body = replace(n.body, '"source_authority":0.625', '"source_authority":0.875')`,
		"was altered"},
	{"an observation that is gone", `DELETE FROM observation`, `MATCH (n:Observation {tenant: $tenant}) DETACH DELETE n`,
		"names what is not in the store"},
	{"a salt that is gone", `UPDATE log SET salt = NULL`, `MATCH (n:Entry {tenant: $tenant}) REMOVE n.salt`, "has no salt"},
	{"a digest that is gone", `UPDATE log SET body = json_remove(body, '$.digest')`,
		`MATCH (n:Entry {tenant: $tenant}) SET n.body = replace(n.body, '"digest"', '"gone"')`, "hash of what it says"},
}

// alter applies the alteration to a store.
func (a alteration) alter(t *testing.T, e engine, store, tenant string) {
	t.Helper()
	ctx := context.Background()
	if e.name == sqlite.name {
		db, err := sql.Open("sqlite", strings.TrimPrefix(store, "sqlite:"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		if _, err := db.ExecContext(ctx, a.sql); err != nil {
			t.Fatal(err)
		}
		return
	}
	d := database(t, store)
	if _, err := driver.ExecuteQuery(ctx, d, a.cypher, obj{"tenant": tenant}, driver.EagerResultTransformer); err != nil {
		t.Fatal(err)
	}
}

// TestAlteredEvidence checks that verify finds evidence that was altered, or taken away, behind the program's back, and
// finds nothing before.
func TestAlteredEvidence(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		for _, a := range alterations {
			t.Run(a.name, func(t *testing.T) {
				t.Parallel()
				store := e.store(t)
				s := serve(t, store)
				w := newWorld(t, e, s)
				w.record(stating("Jon Smith", "office", "Boston", by("Dana"), trust(.625)))
				w.say("Ann Lee", "office", "Oslo")
				s.stop(t)
				verify(t, store, w.tenant)
				a.alter(t, e, store, w.tenant)
				out, err := verified(store, w.tenant)
				if err == nil || !strings.Contains(out, a.says) {
					t.Errorf("verify: %v\n%s", err, out)
				}
			})
		}
	})
}
