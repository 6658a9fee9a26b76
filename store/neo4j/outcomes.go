package neo4j

import (
	"cmp"
	"context"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

const (
	// putOutcome returns nothing if the outcome is of another version than base, or the compilation was erased. The first
	// SET takes the lock of the compilation, under which both are read.
	putOutcome = `MATCH (c:Compilation {tenant: $tenant, id: $id})
SET c.reported = true
WITH c
OPTIONAL MATCH (o:Outcome {tenant: $tenant, id: $id})
WITH c, o WHERE c.erased IS NULL AND coalesce(o.version, 0) = $base
WITH [c.id] AS ids` + forgetOutcomes + `
CREATE (:Outcome {tenant: $tenant, id: $id, actor: $actor, clearance: $clearance, version: $version, body: $body})
FOREACH (object IN $objects | CREATE (:Usage {tenant: $tenant, object: object, actor: $actor, clearance: $clearance,
  compiled_at: $compiled_at, compilation: $id}))
RETURN $id`

	outcomesOfActor = `MATCH (o:Outcome) USING INDEX o:Outcome(tenant, actor, id)
WHERE o.tenant = $tenant AND o.actor = $actor AND o.id >= $after AND o.id < $before_id
RETURN o.body ORDER BY o.tenant DESC, o.actor DESC, o.id DESC LIMIT $limit`
	outcomesOfAny = `MATCH (o:Outcome) USING INDEX o:Outcome(tenant, id)
WHERE o.tenant = $tenant AND o.id >= $after AND o.id < $before_id
WITH o ORDER BY o.tenant DESC, o.id DESC WHERE o.actor = $actor OR o.clearance IN $clearances
RETURN o.body LIMIT $limit`

	lastUsed = `UNWIND $ids AS id
CALL (id) {
  MATCH (u:Usage) USING INDEX u:Usage(tenant, object, actor, compiled_at)
  WHERE u.tenant = $tenant AND u.object = id AND u.actor = $actor AND u.compiled_at >= $dawn
  RETURN u.compiled_at AS at ORDER BY u.tenant DESC, u.object DESC, u.actor DESC, u.compiled_at DESC LIMIT 1
UNION ALL
  UNWIND $clearances AS clearance
  CALL (id, clearance) {
    MATCH (u:Usage) USING INDEX u:Usage(tenant, object, clearance, compiled_at)
    WHERE u.tenant = $tenant AND u.object = id AND u.clearance = clearance AND u.compiled_at >= $dawn
    RETURN u.compiled_at AS at ORDER BY u.tenant DESC, u.object DESC, u.clearance DESC, u.compiled_at DESC LIMIT 1
  }
  RETURN at
}
RETURN id, max(at)`
)

// PutOutcome implements [store.Store].
func (s *Store) PutOutcome(ctx context.Context, tenant string, o tenure.CompilationOutcome, base int) error {
	body, err := engine.Encode(o)
	if err != nil {
		return fault(err)
	}
	rows, err := s.execute(ctx, putOutcome, args{
		"tenant": tenant, "id": string(o.Compilation), "base": base, "actor": o.Actor, "clearance": string(o.Clearance),
		"version": o.Version, "body": body, "objects": graph.Texts(o.Report.Used), "compiled_at": int64(o.CompiledAt),
	})
	if err != nil || len(rows) > 0 {
		return err
	}
	kept, err := s.Compilation(ctx, tenant, o.Compilation)
	switch {
	case err != nil:
		return err
	case len(kept.Body) == 0:
		return engine.NoCompilation(o.Compilation)
	}
	return engine.ErrChanged
}

// Outcomes implements [store.Store].
func (s *Store) Outcomes(
	ctx context.Context, tenant string, q store.OutcomeQuery,
) ([]tenure.CompilationOutcome, error) {
	cypher := outcomesOfActor
	if len(q.Of.Clearances) > 0 {
		cypher = outcomesOfAny
	}
	rows, err := s.query(ctx, cypher, args{
		"tenant": tenant, "actor": q.Of.Actor, "clearances": graph.Texts(q.Of.Clearances), "after": string(q.From),
		"before_id": string(cmp.Or(q.Before, engine.AfterIDs)), "limit": max(q.Limit, 0),
	})
	if err != nil {
		return nil, err
	}
	list := make([]tenure.CompilationOutcome, len(rows))
	for i, r := range rows {
		if err := engine.Decode(r.text(0), &list[i]); err != nil {
			return nil, fault(err)
		}
	}
	return list, nil
}

// LastUsed implements [store.Store].
func (s *Store) LastUsed(
	ctx context.Context, tenant string, objects []tenure.ID, of store.Requesters,
) (map[tenure.ID]tenure.Instant, error) {
	rows, err := s.query(ctx, lastUsed, args{
		"tenant": tenant, "ids": graph.Texts(objects), "actor": of.Actor, "clearances": graph.Texts(of.Clearances),
		"dawn": int64(tenure.MinTime),
	})
	last := make(map[tenure.ID]tenure.Instant, len(rows))
	for _, r := range rows {
		if r[1] != nil {
			last[tenure.ID(r.text(0))] = tenure.Instant(r.number(1))
		}
	}
	return last, err
}
