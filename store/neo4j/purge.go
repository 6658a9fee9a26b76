package neo4j

import (
	"context"

	"tenure"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

const (
	// forgetOutcomes removes the outcomes of the compilations ids.
	forgetOutcomes = `
CALL (ids) {
  UNWIND ids AS gone MATCH (o:Outcome {tenant: $tenant, id: gone}) DELETE o
}
CALL (ids) {
  UNWIND ids AS gone MATCH (u:Usage) USING INDEX u:Usage(tenant, compilation)
  WHERE u.tenant = $tenant AND u.compilation = gone DELETE u
}`
	emptyCompilations = `UNWIND $ids AS id
MATCH (c:Compilation {tenant: $tenant, id: id}) SET c.body = $empty, c.erased = true
WITH collect(id) AS ids` + forgetOutcomes
	dropCompilations = `MATCH (c:Compilation) USING INDEX c:Compilation(tenant, id)
WHERE c.tenant = $tenant AND c.id < $before
WITH c ORDER BY c.tenant, c.id LIMIT $limit
WITH c, c.id AS id DELETE c
WITH collect(id) AS ids` + forgetOutcomes + `
RETURN size(ids)`
)

// EraseCompilations implements [store.Store].
func (s *Store) EraseCompilations(
	ctx context.Context, tenant string, chosen func(tenure.Compilation) bool,
) (int, error) {
	list := func(after tenure.ID, limit int) ([]tenure.Compilation, error) {
		return s.Compilations(ctx, tenant, after, limit)
	}
	return engine.EraseCompilations(list, func(ids []tenure.ID) error {
		_, err := s.execute(ctx, emptyCompilations, args{"tenant": tenant, "ids": graph.Texts(ids), "empty": []byte{}})
		return err
	}, chosen)
}

// DropCompilations implements [store.Store].
func (s *Store) DropCompilations(ctx context.Context, tenant string, before tenure.ID, limit int) (int, error) {
	rows, err := s.execute(ctx, dropCompilations, args{"tenant": tenant, "before": string(before), "limit": max(limit, 0)})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return int(rows[0].number(0)), nil
}

// Purge implements [store.Store]: the files are the database's, which writes over what was deleted in its own time.
func (s *Store) Purge(context.Context) (bool, error) { return false, nil }

// Unpurged implements [store.Store].
func (s *Store) Unpurged(context.Context) (bool, error) { return false, nil }
