package neo4j

import (
	"context"

	"tenure/store/neo4j/graph"
)

// moveClaims puts the next homes of claims and moves their edges there. The original place of the belief
// stays, since views of earlier states search by it; held is its predicate now. A claim must occur once in the rows.
const moveClaims = `UNWIND $rows AS r
MATCH (b:Belief {tenant: $tenant, id: r.id})
CALL (b, r) {
  MATCH (b)-[:MOVED_TO]->(h:Relocation) WHERE h.tx_end = $forever SET h.tx_end = r.set.tx_start
}
CREATE (b)-[:MOVED_TO]->(h:Relocation)
SET b:Moved, h = r.set, h.recorded = b.tx_start, b.moved_tx = coalesce(b.moved_tx, r.set.tx_start),
  b.held = r.set.predicate
WITH b, r
CALL (b) {
  MATCH (b)-[x:ABOUT|VALUE]->(:Entity) DELETE x
}
CALL (b, r) {
  MATCH (e:Entity {tenant: $tenant, id: r.set.subject})
  CREATE (b)-[:ABOUT]->(e)
}
CALL (b, r) {
  MATCH (e:Entity {tenant: $tenant, id: r.set.object})
  CREATE (b)-[:VALUE]->(e)
  SET b.value = ` + nameOf + `
}`

func (w *txWriter) writeMoves(ctx context.Context, b *graph.Batch) error {
	for _, rows := range rounds(b.Moves) {
		if err := w.add(ctx, moveClaims, rows, len(rows), 0); err != nil {
			return err
		}
		if err := w.relink(ctx, rows); err != nil {
			return err
		}
	}
	return nil
}
