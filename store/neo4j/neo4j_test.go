package neo4j_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j"
	"tenure/store/storetest"
)

// address returns the address of the tests' database. The tests are never skipped: a run without a database
// would test nothing.
func address(t testing.TB) (string, neo4j.Config) {
	t.Helper()
	uri := os.Getenv("NEO4J_URI")
	if uri == "" {
		t.Fatal("NEO4J_URI is not set: these tests need a real Neo4j; run make test, which starts one")
	}
	return uri, neo4j.Config{
		Username: cmp.Or(os.Getenv("NEO4J_USERNAME"), "neo4j"),
		Password: cmp.Or(os.Getenv("NEO4J_PASSWORD"), "testpassword"),
		Now:      time.Now,
	}
}

// open opens a store that is closed at the end of the test.
func open(t testing.TB) *neo4j.Store {
	t.Helper()
	uri, cfg := address(t)
	s, err := neo4j.Open(context.Background(), uri, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStore(t *testing.T) {
	address(t) // fails here once, and not in each subtest
	storetest.Run(t, func(t *testing.T) store.Store { return open(t) }, storetest.Options{
		Reopen: func(t *testing.T, s store.Store) store.Store {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			return open(t)
		},
		Holds: holds, Confirms: confirms,
	})
}

// confirms reports whether the write set of an entry has the hash of a conflict key.
func confirms(t *testing.T, _ store.Store, tenant string, key tenure.ConflictKey) bool {
	t.Helper()
	const all = `MATCH (t:Tenant {name: $tenant}) MATCH (x:Entry) WHERE x.tenant = $tenant RETURN [t.salt, x.write_set] AS held`
	return slices.ContainsFunc(ask(t, all, tenant), func(held any) bool {
		list, _ := held.([]any)
		salt, _ := list[0].([]byte)
		hashes, _ := list[1].([]any)
		return slices.Contains(hashes, any(engine.Salting{Salt: salt}.Hash(key))) ||
			slices.Contains(hashes, any(engine.Salting{}.Hash(key)))
	})
}

// holds reports whether a property of any node or edge of a tenant has a text in it.
func holds(t *testing.T, _ store.Store, tenant, text string) bool {
	t.Helper()
	const all = `MATCH (n) WHERE n.tenant = $tenant RETURN properties(n) AS held
UNION ALL MATCH (n)-[x]->() WHERE n.tenant = $tenant RETURN properties(x) AS held`
	for _, held := range ask(t, all, tenant) {
		properties, ok := held.(map[string]any)
		if !ok {
			t.Fatalf("properties of type %T", held)
		}
		for _, v := range properties {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			if strings.Contains(fmt.Sprint(v), text) {
				return true
			}
		}
	}
	return false
}

// ask returns the column "held" of a query about a tenant.
func ask(t *testing.T, cypher, tenant string) (list []any) {
	t.Helper()
	uri, cfg := address(t)
	d, err := driver.NewDriverWithContext(uri, driver.BasicAuth(cfg.Username, cfg.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close(context.Background()) }()
	session := d.NewSession(context.Background(), driver.SessionConfig{AccessMode: driver.AccessModeRead})
	defer func() { _ = session.Close(context.Background()) }()
	rows, err := session.Run(context.Background(), cypher, map[string]any{"tenant": tenant})
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next(context.Background()) {
		held, _ := rows.Record().Get("held")
		list = append(list, held)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
