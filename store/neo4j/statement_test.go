package neo4j

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAStatementTakesItsParametersInOneMap(t *testing.T) {
	t.Parallel()
	const cypher = `UNWIND $rows AS r MATCH (n {tenant: $tenant, id: r.id}) RETURN n LIMIT $limit`
	params := args{"tenant": "t", "rows": []any{}, "limit": 3, "forever": 9}
	for range 2 { // the second is read from what is kept of the first
		text, all, err := asOneMap(cypher, params)
		const want = `UNWIND $p.rows AS r MATCH (n {tenant: $p.tenant, id: r.id}) RETURN n LIMIT $p.limit`
		if err != nil || text != want {
			t.Fatalf("%q, %v", text, err)
		}
		if diff := cmp.Diff(args{"p": params}, all); diff != "" {
			t.Error(diff)
		}
	}
	for name := range map[string]bool{"tenant": true, "rows": true, "limit": true} {
		some := maps.Clone(params)
		delete(some, name)
		if _, _, err := asOneMap(cypher, some); err == nil {
			t.Errorf("no error without the parameter %s, which would be null", name)
		}
	}
}
