package neo4j

import (
	"context"

	"tenure/store/neo4j/graph"
)

// This file writes entities, their aliases, and the identity decisions on them.

// linkMerged replaces the edge from an entity to the root it was merged into, and keeps the window in which
// the edge held.
var linkMerged = `UNWIND $rows AS r
MATCH (e:Entity {tenant: $tenant, id: r.id})
CALL (e, r) {
  MATCH (e)-[m:MERGED_INTO]->(:Entity) WHERE m.tx_end = $forever
  SET m.tx_end = r.tx, m.tx_end_time = ` + graph.TimeOf("r.tx") + `
}
CALL (e, r) {
  MATCH (o:Entity {tenant: $tenant, id: r.set.merged_into})
  CREATE (e)-[m:MERGED_INTO {tx_start: r.tx, tx_end: $forever}]->(o)
  SET m.tx_start_time = ` + graph.TimeOf("r.tx") + `
}`

// nameOf is how an entity e is shown as a value.
const nameOf = `CASE WHEN coalesce(e.name, '') = '' THEN e.id ELSE e.name END`

// renameValues shows entities by their new names where they are values.
const renameValues = `UNWIND $rows AS r
MATCH (e:Entity {tenant: $tenant, id: r.id})
CALL (e) {
  MATCH (e)<-[:VALUE]-(b:Belief) SET b.value = ` + nameOf + `
}
CALL (e) {
  MATCH (e)<-[x:REL]-(:Entity) SET x.value = ` + nameOf + `
}`

// addAliases, like the statements that assign mentions, creates a bare node for an entity that does not exist
// yet; no reader sees the node before the entity is put.
const addAliases = `UNWIND $rows AS r
MERGE (e:Entity {tenant: $tenant, id: r.entity})
MERGE (a:Alias {tenant: $tenant, form: r.form})
ON CREATE SET a.kind = r.kind, a.key = r.key
CREATE (e)-[h:HAS_ALIAS]->(a)
SET h = r.set`

const closeAliases = `UNWIND $rows AS r
MATCH (:Entity {tenant: $tenant, id: r.entity})-[h:HAS_ALIAS]->(:Alias {tenant: $tenant, form: r.form})
WHERE h.mention = r.mention AND coalesce(h.tx_end, $forever) = $forever
SET h.tx_end = r.tx`

// linkDecisionSides creates the edges by which the identity decisions on an entity are also found.
const linkDecisionSides = `UNWIND $rows AS r
MATCH (n:IdentityDecision {tenant: $tenant, id: r.id})
MERGE (f:Entity {tenant: $tenant, id: r.set.from})
MERGE (i:Entity {tenant: $tenant, id: r.set.into})
MERGE (n)-[:CONCERNS {role: 'from'}]->(f)
MERGE (n)-[:CONCERNS {role: 'into'}]->(i)`

// linkAsked closes the edges of a review's previous version and creates those of the next. A review must
// occur once in the rows.
const linkAsked = `UNWIND $rows AS r
MATCH (n:Review {tenant: $tenant, id: r.id})
CALL (n, r) {
  MATCH (n)-[x:ASKS_ABOUT]->(:Entity) WHERE x.tx_end = $forever SET x.tx_end = r.tx
}
UNWIND r.asks AS ask
MERGE (e:Entity {tenant: $tenant, id: ask.entity})
CREATE (n)-[x:ASKS_ABOUT]->(e) SET x = ask.set`

func (w *txWriter) writeEntities(ctx context.Context, b *graph.Batch) error {
	before, err := w.each(ctx, putEntities, b.Entities.Rows)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	var renamed []any
	for _, r := range before {
		known[r.text(0)] = true
		if other, _ := r[1].(bool); other {
			renamed = append(renamed, args{"id": r[0]})
		}
	}
	if _, err := w.each(ctx, renameValues, renamed); err != nil {
		return err
	}
	var merged []any
	for _, r := range b.Entities.Rows {
		if r := r.(args); known[r["id"].(string)] || r["set"].(args)["merged_into"] != nil {
			merged = append(merged, r)
		}
	}
	if _, err := w.each(ctx, linkMerged, merged); err != nil {
		return err
	}
	if _, err := w.each(ctx, closeAliases, b.ClosedAliases); err != nil {
		return err
	}
	return w.add(ctx, addAliases, b.Aliases, 0, len(b.Aliases))
}

func (w *txWriter) writeIdentityDecisions(ctx context.Context, b *graph.Batch) error {
	if _, err := w.each(ctx, putIdentityDecisions, b.Decisions.Rows); err != nil {
		return err
	}
	if _, err := w.each(ctx, linkDecisionSides, b.Decisions.Rows); err != nil {
		return err
	}
	if _, err := w.each(ctx, putReviews, b.Reviews.Rows); err != nil {
		return err
	}
	for _, rows := range rounds(b.Asked) {
		if _, err := w.each(ctx, linkAsked, rows); err != nil {
			return err
		}
	}
	return nil
}
