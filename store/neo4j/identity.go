package neo4j

import (
	"context"
	"maps"
	"slices"

	"tenure"
)

// This file writes what says who is who.

// linkMerged keeps the edge to what an entity was merged into, with the window
// in which it held.
const linkMerged = `UNWIND $rows AS r
MATCH (e:Entity {tenant: $tenant, id: r.id})
CALL (e, r) {
  MATCH (e)-[m:MERGED_INTO]->(:Entity) WHERE m.tx_end = $forever SET m.tx_end = r.tx
}
CALL (e, r) {
  MATCH (o:Entity {tenant: $tenant, id: r.set.merged_into})
  CREATE (e)-[:MERGED_INTO {tx_start: r.tx, tx_end: $forever}]->(o)
}`

// addOwners, and what assigns mentions, makes a bare node for an entity that is
// not there yet; it is not seen before the entity is put.
const addOwners = `UNWIND $rows AS r
MERGE (e:Entity {tenant: $tenant, id: r.entity})
MERGE (a:Alias {tenant: $tenant, form: r.form})
ON CREATE SET a.kind = r.kind, a.key = r.key
CREATE (e)-[h:HAS_ALIAS]->(a)
SET h = r.set`

const closeOwners = `UNWIND $rows AS r
MATCH (:Entity {tenant: $tenant, id: r.entity})-[h:HAS_ALIAS]->(:Alias {tenant: $tenant, form: r.form})
WHERE h.mention = r.mention AND coalesce(h.tx_end, $forever) = $forever
SET h.tx_end = r.tx`

// linkJudged makes the edges by which the verdicts on an entity are found, too.
const linkJudged = `UNWIND $rows AS r
MATCH (n:Verdict {tenant: $tenant, id: r.id})
MERGE (f:Entity {tenant: $tenant, id: r.set.from})
MERGE (i:Entity {tenant: $tenant, id: r.set.into})
MERGE (n)-[:JUDGES {role: 'from'}]->(f)
MERGE (n)-[:JUDGES {role: 'into'}]->(i)`

// linkAsked closes the edges of a review's version before and makes those of
// the next. A review is in the rows once.
const linkAsked = `UNWIND $rows AS r
MATCH (n:Review {tenant: $tenant, id: r.id})
CALL (n, r) {
  MATCH (n)-[x:ASKS_ABOUT]->(:Entity) WHERE x.tx_end = $forever SET x.tx_end = r.tx
}
UNWIND r.asks AS ask
MERGE (e:Entity {tenant: $tenant, id: ask.entity})
CREATE (n)-[x:ASKS_ABOUT]->(e) SET x = ask.set`

func (b *batch) putEntity(e tenure.Entity, tx int64) error {
	body, err := encode(e)
	b.entities.put(string(e.ID), tx, args{
		"body": stamp(tx, body),
		"type": e.Type, "status": string(e.Status), "name": e.Name, "project_id": orNull(e.Project),
		"merged_into": orNull(e.MergedInto), "attributes": pairs(e.Attributes),
	})
	return err
}

// pairs lists attributes for analysts, as Neo4j keeps no maps.
func pairs(attributes map[string][]string) any {
	var list []any
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		for _, value := range attributes[name] {
			list = append(list, name+": "+value)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

func (b *batch) addOwner(o tenure.Owner, tx int64, tenant string) {
	set := args{
		"tenant": tenant, "type": o.Type, "project_id": orNull(o.Project), "spelling": o.Spelling,
		"exclusive": o.Exclusive, "mention": string(o.Mention), "tx_start": tx, "tx_end": forever,
	}
	k := owned{o.Form, o.Entity, o.Mention}
	b.owned[k] = append(b.owned[k], set)
	b.owners = append(b.owners, args{
		"entity": string(o.Entity), "form": formKey(o.Form), "kind": o.Form.Kind, "key": o.Form.Key, "set": set,
	})
}

// closeOwner ends the edges of an owner, those that the batch adds and those
// that were there before.
func (b *batch) closeOwner(o tenure.Owner, tx int64) {
	k := owned{o.Form, o.Entity, o.Mention}
	for _, set := range b.owned[k] {
		set["tx_end"] = tx
	}
	delete(b.owned, k)
	if b.ending[k] {
		return
	}
	b.ending[k] = true
	b.disowned = append(b.disowned, args{
		"entity": string(o.Entity), "form": formKey(o.Form), "mention": string(o.Mention), "tx": tx,
	})
}

func (b *batch) putVerdict(v tenure.Verdict, tx int64) error {
	body, err := encode(v)
	b.verdicts.put(string(v.ID), tx, args{
		"body": stamp(tx, body), "kind": string(v.Kind), "from": string(v.From), "into": string(v.Into),
		"automatic": v.Automatic, "score": v.Score, "reason": orNull(v.Reason), "actor": v.Actor, "at": int64(v.At),
		"undone": v.Undone,
	})
	return err
}

func (b *batch) putReview(v tenure.Review, tx int64, tenant string) error {
	body, err := encode(v)
	b.reviews.put(string(v.ID), tx, args{
		"body": stamp(tx, body), "state": string(v.State), "reason": v.Reason, "name": v.Name, "type": orNull(v.Type),
		"project_id": orNull(v.Project), "opened_at": int64(v.OpenedAt), "decision": orNull(v.Decision),
		"rank": v.Rank(), "value": v.Value,
		"decided_by": orNull(v.DecidedBy),
	})
	edge := func(entity tenure.ID, role string, score any) args {
		return args{"entity": string(entity), "set": args{
			"tenant": tenant, "review": string(v.ID), "entity": string(entity), "role": role, "score": score,
			"tx_start": tx, "tx_end": forever,
		}}
	}
	asks := []any{edge(v.Entity, "entity", nil)}
	for _, c := range v.Candidates {
		asks = append(asks, edge(c.Entity, "candidate", c.Score))
	}
	b.asked = append(b.asked, args{"id": string(v.ID), "tx": tx, "asks": asks})
	return err
}

func (w *txWriter) writeEntities(ctx context.Context, b *batch) error {
	before, err := w.each(ctx, putEntities, b.entities.rows)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, r := range before {
		known[r.text(0)] = true
	}
	var merged []any
	for _, r := range b.entities.rows {
		if r := r.(args); known[r["id"].(string)] || r["set"].(args)["merged_into"] != nil {
			merged = append(merged, r)
		}
	}
	if _, err := w.each(ctx, linkMerged, merged); err != nil {
		return err
	}
	if _, err := w.each(ctx, closeOwners, b.disowned); err != nil {
		return err
	}
	return w.add(ctx, addOwners, b.owners, 0, len(b.owners))
}

func (w *txWriter) writeVerdicts(ctx context.Context, b *batch) error {
	if _, err := w.each(ctx, putVerdicts, b.verdicts.rows); err != nil {
		return err
	}
	if _, err := w.each(ctx, linkJudged, b.verdicts.rows); err != nil {
		return err
	}
	if _, err := w.each(ctx, putReviews, b.reviews.rows); err != nil {
		return err
	}
	for _, rows := range rounds(b.asked) {
		if _, err := w.each(ctx, linkAsked, rows); err != nil {
			return err
		}
	}
	return nil
}
