package neo4j_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure/store"
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
		Holds: holds,
	})
}

// holds reports whether a property of any node or edge of a tenant has a text in it.
func holds(t *testing.T, _ store.Store, tenant, text string) bool {
	t.Helper()
	uri, cfg := address(t)
	d, err := driver.NewDriverWithContext(uri, driver.BasicAuth(cfg.Username, cfg.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close(context.Background()) }()
	const all = `MATCH (n) WHERE n.tenant = $tenant RETURN properties(n) AS held
UNION ALL MATCH (n)-[x]->() WHERE n.tenant = $tenant RETURN properties(x) AS held`
	session := d.NewSession(context.Background(), driver.SessionConfig{AccessMode: driver.AccessModeRead})
	defer func() { _ = session.Close(context.Background()) }()
	rows, err := session.Run(context.Background(), all, map[string]any{"tenant": tenant})
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next(context.Background()) {
		held, _ := rows.Record().Get("held")
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
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return false
}
