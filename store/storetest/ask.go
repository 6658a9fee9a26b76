package storetest

import (
	"time"

	"tenure"
	"tenure/store"
)

var askPromises = []promise{
	{"Ask answers a question about the tenant, as the newest state is, with at most q.Limit rows in the order of the question.", asks},
	{"It writes nothing.", asksWithoutWriting},
	{"A question that the engine has no text of is Unsupported, one that takes longer than its time Unavailable.", asksInVain},
}

// entitiesAfter asks for the ids of the entities of a tenant.
var entitiesAfter = store.Question{
	Cypher: `MATCH (e:Entity) WHERE e.tenant = $tenant AND e.id > $after RETURN e.id, e.name ORDER BY e.id LIMIT $limit`,
	SQL: `SELECT e.id, e.body ->> '$.name' FROM entity e
WHERE e.tenant = :tenant AND e.tx_end = 9223372036854775807 AND e.id > :after ORDER BY e.id LIMIT :limit`,
	Parameters: map[string]any{"after": ""}, Limit: 10, Timeout: time.Minute,
}

func asks(w *world) {
	list := ids(3)
	w.other().apply(tenure.EntityPut{Entity: entity(newID(), "theirs")})
	w.apply(tenure.EntityPut{Entity: entity(list[0], "a")}, tenure.EntityPut{Entity: entity(list[1], "b")})
	w.apply(tenure.EntityPut{Entity: entity(list[2], "c")}, tenure.EntityPut{Entity: entity(list[1], "B")})
	ask := func(limit int, after tenure.ID) [][]any {
		w.Helper()
		q := entitiesAfter
		q.Limit, q.Parameters = limit, map[string]any{"after": string(after)}
		rows, err := w.s.Ask(background(), w.tenant, q)
		w.ok(err)
		return rows
	}
	row := func(i int, name string) []any { return []any{string(list[i]), name} }
	w.same("all", [][]any{row(0, "a"), row(1, "B"), row(2, "c")}, ask(10, ""))
	w.same("two", [][]any{row(0, "a"), row(1, "B")}, ask(2, ""))
	w.same("after", [][]any{row(2, "c")}, ask(10, list[1]))
	w.same("none", 0, len(ask(10, list[2])))
	rows, err := w.s.Ask(background(), w.tenant+"-never", entitiesAfter)
	w.ok(err)
	w.same("of a tenant that never wrote", 0, len(rows))
}

func asksWithoutWriting(w *world) {
	w.apply(tenure.EntityPut{Entity: entity(newID(), "a")})
	for _, q := range []store.Question{
		{Cypher: `MATCH (e:Entity {tenant: $tenant}) SET e.name = 'b' RETURN e.id LIMIT $limit`, SQL: `DELETE FROM entity WHERE tenant = :tenant AND :limit > 0`},
		{Cypher: `CREATE (e:Entity {tenant: $tenant, id: 'b'}) RETURN e.id LIMIT $limit`, SQL: `DELETE FROM log WHERE tenant = :tenant AND :limit > 0`},
	} {
		q.Limit, q.Timeout = 10, time.Minute
		if rows, err := w.s.Ask(background(), w.tenant, q); err == nil {
			w.Errorf("a question wrote: %v", rows)
		}
	}
	rows, err := w.s.Ask(background(), w.tenant, entitiesAfter)
	w.ok(err)
	if len(rows) != 1 || rows[0][1] != "a" {
		w.Errorf("what was there is %v", rows)
	}
}

func asksInVain(w *world) {
	_, err := w.s.Ask(background(), w.tenant, store.Question{Limit: 1, Timeout: time.Minute})
	w.code(tenure.Unsupported, err)
	_, err = w.s.Ask(background(), w.tenant, store.Question{
		Cypher: `UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE $tenant = '' RETURN count(*) LIMIT $limit`,
		SQL:    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > 0) SELECT count(*) FROM n WHERE i < :tenant * 0 LIMIT :limit`,
		Limit:  1, Timeout: 100 * time.Millisecond,
	})
	w.code(tenure.Unavailable, err)
}
