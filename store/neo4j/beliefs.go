package neo4j

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

// cacheBytes bounds the JSON text of the beliefs in each half of the cache.
const cacheBytes = 24 << 20

// ref identifies one version of a belief by the transaction time of its standing.
type ref struct {
	id       tenure.ID
	recorded int64 // the transaction time of the claim
	version  int64
	until    int64 // the end of the standing
}

// Parts of the statements that find beliefs. A belief's stands lists the time of its standing and then the
// segments in which it stands: see [stands]. Version is -1 for a belief between two versions. (range(1, size
// - 1, 2) is wrong: Neo4j returns [1] for range(1, 0, 2).)
const (
	olderStanding = `OPTIONAL MATCH (b)-[:STOOD]->(s:Standing) WHERE v[0] > $at AND s.tx_start <= $at AND s.tx_end > $at`
	refColumns    = `b.id AS id, b.tx_start AS recorded,
  CASE WHEN v[0] <= $at THEN v[0] ELSE coalesce(s.tx_start, -1) END AS version,
  CASE WHEN v[0] <= $at THEN $forever ELSE coalesce(s.tx_end, $forever) END AS until`
	standsNow = `any(i IN range(1, size(v) - 2, 2) WHERE v[i] < $until AND v[i + 1] > $from)`
	stoodThen = `any(i IN range(1, size(s.stands) - 2, 2) WHERE s.stands[i] < $until AND s.stands[i + 1] > $from)`

	// A belief is at the place of its claim until it is moved, and then at its homes. Neither is ever
	// removed, so a write cannot hide a moved belief from readers of the state before. The label saves all
	// other beliefs the look-up of a property that they lack.
	unmoved = `(NOT b:Moved OR coalesce(b.moved_tx, $forever) > $at)`
	movedIn = `h.tx_start <= $at AND h.tx_end > $at`

	asRefs = `WITH b, b.stands AS v
` + olderStanding + `
RETURN ` + refColumns
)

const beliefsByID = `UNWIND $ids AS id
MATCH (b:Belief {tenant: $tenant, id: id}) WHERE b.tx_start <= $at
` + asRefs

// Beliefs implements [store.Reader].
func (r *reader) Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return r.find(ctx, beliefsByID, "ids", graph.Texts(ids))
}

const beliefsByKey = `UNWIND $keys AS key
MATCH (b:Belief) USING INDEX b:Belief(tenant, key)
WHERE b.tenant = $tenant AND b.key = key AND b.tx_start <= $at
` + asRefs

// BeliefsByKey implements [store.Reader].
func (r *reader) BeliefsByKey(ctx context.Context, keys []string) ([]tenure.Belief, error) {
	var list []string
	for _, k := range keys {
		if k != "" {
			list = append(list, graph.Indexable(k))
		}
	}
	return r.find(ctx, beliefsByKey, "keys", graph.Texts(list))
}

const (
	dependentsOf = `UNWIND $ids AS id
MATCH (:Belief {tenant: $tenant, id: id})<-[:DEPENDS_ON]-(b:Belief) WHERE b.tx_start <= $at
` + asRefs
	supersedersOf = `UNWIND $ids AS id
MATCH (:Belief {tenant: $tenant, id: id})<-[:NAMES]-(b:Belief) WHERE b.tx_start <= $at
` + asRefs
)

// Dependents implements [store.Reader].
func (r *reader) Dependents(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return r.find(ctx, dependentsOf, "ids", graph.Texts(ids))
}

// Superseders implements [store.Reader].
func (r *reader) Superseders(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return r.find(ctx, supersedersOf, "ids", graph.Texts(ids))
}

const referringTo = `UNWIND $ids AS about
CALL (about) {
  MATCH (b:Relation) USING INDEX b:Relation(tenant, object, tx_start, id)
  WHERE b.tenant = $tenant AND b.object = about AND b.tx_start <= $at AND b.id > '' AND ` + unmoved + `
  RETURN b
UNION ALL
  MATCH (b:Relation)-[:MOVED_TO]->(h:Relocation) USING INDEX h:Relocation(tenant, object, recorded, belief)
  WHERE h.tenant = $tenant AND h.object = about AND h.recorded <= $at AND h.belief > '' AND ` + movedIn + `
  RETURN b
}
` + asRefs

// Referring implements [store.Reader].
func (r *reader) Referring(ctx context.Context, entities []tenure.ID) ([]tenure.Belief, error) {
	return r.find(ctx, referringTo, "ids", graph.Texts(entities))
}

// The order is that of the index, so that only the beliefs of one change set are sorted.
const sayingTexts = `UNWIND $texts AS text
CALL (text) {
  MATCH (b:Belief) USING INDEX b:Belief(tenant, said, tx_start)
  WHERE b.tenant = $tenant AND b.said = text AND b.tx_start <= $at
  RETURN b ORDER BY b.tenant DESC, b.said DESC, b.tx_start DESC, b.id DESC LIMIT $limit
}
` + asRefs

// Saying implements [store.Reader].
func (r *reader) Saying(ctx context.Context, said []string, perText int) ([]tenure.Belief, error) {
	keys := engine.Said(said)
	if len(keys) == 0 || perText <= 0 {
		return nil, nil
	}
	return steady(ctx, func() ([]tenure.Belief, error) {
		rows, err := r.query(ctx, sayingTexts, args{"texts": graph.Texts(keys), "limit": perText})
		if err != nil {
			return nil, err
		}
		refs := refsOf(rows)
		oldestFirst(refs)
		return r.hydrate(ctx, slices.Compact(refs))
	})
}

// find returns the beliefs that a statement over keys finds, oldest first.
func (r *reader) find(ctx context.Context, cypher, name string, keys []any) ([]tenure.Belief, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return steady(ctx, func() ([]tenure.Belief, error) {
		rows, err := r.query(ctx, cypher, args{name: keys})
		if err != nil {
			return nil, err
		}
		refs := refsOf(rows)
		oldestFirst(refs)
		return r.hydrate(ctx, slices.Compact(refs))
	})
}

func refsOf(rows []row) []ref {
	refs := make([]ref, len(rows))
	for i, row := range rows {
		refs[i] = ref{tenure.ID(row.text(0)), row.number(1), row.number(2), row.number(3)}
	}
	return refs
}

func oldestFirst(refs []ref) {
	slices.SortFunc(refs, byAge)
}

func byAge(a, b ref) int {
	return cmp.Or(cmp.Compare(a.recorded, b.recorded), cmp.Compare(a.id, b.id))
}

const beliefTexts = `UNWIND $ids AS id
MATCH (b:Belief {tenant: $tenant, id: id})
WITH b, b.standing AS standing
OPTIONAL MATCH (b)-[:STOOD]->(s:Standing) WHERE s.tx_start <= $at AND s.tx_end > $at
RETURN b.id, b.tx_start, b.body, b.value_json, standing, s.standing`

// hydrate loads the referenced beliefs, in their order.
func (r *reader) hydrate(ctx context.Context, refs []ref) ([]tenure.Belief, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	for _, f := range refs {
		if f.version < 0 {
			return nil, errTorn
		}
	}
	list := make([]tenure.Belief, len(refs))
	var missing []int
	for i, f := range refs {
		var ok bool
		if list[i], ok = r.cache.Get(r.tenant, f.id, f.version); !ok {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		read, err := r.readTexts(ctx, refs, missing)
		if err != nil {
			return nil, err
		}
		for _, i := range missing {
			b := read[refs[i].id]
			if b == nil {
				return nil, errTorn
			}
			list[i] = engine.Share(b)
		}
	}
	for i := range list {
		if list[i].Standing.Belief == "" {
			continue // a claim without a standing yet
		}
		list[i].StandingTx.Until = tenure.MaxTime
		if until := tenure.Instant(refs[i].until); until <= r.head {
			list[i].StandingTx.Until = until
		}
	}
	return list, nil
}

// readTexts reads the beliefs at the given positions of refs and caches them.
func (r *reader) readTexts(ctx context.Context, refs []ref, places []int) (map[tenure.ID]*tenure.Belief, error) {
	ids := make([]any, 0, len(places))
	for _, i := range places {
		ids = append(ids, string(refs[i].id))
	}
	rows, err := r.query(ctx, beliefTexts, args{"ids": ids})
	if err != nil {
		return nil, err
	}
	read := make(map[tenure.ID]*tenure.Belief, len(rows))
	for _, row := range rows {
		b, version, err := r.belief(row[1:])
		if err != nil {
			return nil, err
		}
		read[tenure.ID(row.text(0))] = b
		r.cache.Put(r.tenant, version, b, len(row.text(2))+len(row.text(4)))
	}
	return read, nil
}

func (r *reader) belief(row row) (*tenure.Belief, int64, error) {
	version, standing, err := versionAt(int64(r.tx), row.text(3), row.text(4))
	if err != nil {
		return nil, 0, err
	}
	b := &tenure.Belief{RecordedAt: tenure.Instant(row.number(0))}
	if b.Claim, err = graph.DecodeClaim(row.text(1), row.text(2)); err != nil {
		return nil, 0, err
	}
	if standing != "null" {
		if err := engine.Decode(standing, &b.Standing); err != nil {
			return nil, 0, err
		}
		b.StandingTx.From = tenure.Instant(version)
	}
	b.Relocate()
	return b, version, nil
}

// Three ways to page through beliefs.
const (
	listEnd = ` AND b.id > $after AND b.tx_start <= $at AND ($predicate = '' OR b:Moved OR b.predicate = $predicate)
`
	listAll = `MATCH (b:Belief) USING INDEX b:Belief(tenant, id)
WHERE b.tenant = $tenant` + listEnd +
		`WITH b, b.stands AS v ORDER BY b.tenant, b.id LIMIT $limit
` + olderStanding + `
RETURN ` + refColumns
	listContested = `MATCH (b:WasContested) USING INDEX b:WasContested(tenant, id)
WHERE b.tenant = $tenant` + listEnd +
		`WITH b, b.stands AS v ORDER BY b.tenant, b.id LIMIT $limit
` + olderStanding + `
RETURN ` + refColumns
	listSubject = `CALL () {
  MATCH (b:Belief) USING INDEX b:Belief(tenant, subject, id)
  WHERE b.tenant = $tenant AND b.subject = $subject AND ` + unmoved + listEnd +
		`  RETURN b ORDER BY b.tenant, b.subject, b.id LIMIT $limit
UNION ALL
  MATCH (b:Belief)-[:MOVED_TO]->(h:Relocation) USING INDEX h:Relocation(tenant, subject, belief)
  WHERE h.tenant = $tenant AND h.subject = $subject AND h.belief > $after AND ` + movedIn + `
    AND ($predicate = '' OR h.predicate = $predicate)
  RETURN b ORDER BY h.tenant, h.subject, h.belief LIMIT $limit
}
` + asRefs
	listPredicate = `CALL () {
  MATCH (b:Belief) USING INDEX b:Belief(tenant, predicate, id)
  WHERE b.tenant = $tenant AND b.predicate = $predicate AND ` + unmoved + listEnd +
		`  RETURN b ORDER BY b.tenant, b.predicate, b.id LIMIT $limit
UNION ALL
  MATCH (b:Belief)-[:MOVED_TO]->(h:Relocation) USING INDEX h:Relocation(tenant, predicate, belief)
  WHERE h.tenant = $tenant AND h.predicate = $predicate AND h.belief > $after AND ` + movedIn + `
  RETURN b ORDER BY h.tenant, h.predicate, h.belief LIMIT $limit
}
` + asRefs
)

// List implements [store.Reader].
func (r *reader) List(ctx context.Context, q store.BeliefQuery) ([]tenure.Belief, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = math.MaxInt32
	}
	cypher := listAll
	switch {
	case q.Subject != "":
		cypher = listSubject
	case q.Contested:
		cypher = listContested
	case q.Predicate != "":
		cypher = listPredicate
	}
	return steady(ctx, func() (list []tenure.Belief, err error) {
		for after := q.After; ; {
			rows, err := r.query(ctx, cypher, args{
				"subject": string(q.Subject), "predicate": q.Predicate, "after": string(after), "limit": limit,
			})
			if err != nil {
				return nil, err
			}
			refs := refsOf(rows)
			slices.SortFunc(refs, func(a, b ref) int { return cmp.Compare(a.id, b.id) })
			refs = refs[:min(len(refs), limit)]
			page, err := r.hydrate(ctx, refs)
			if err != nil {
				return nil, err
			}
			for _, b := range page {
				if (!q.Contested || b.Standing.Contested()) && (q.Predicate == "" || b.Claim.Predicate == q.Predicate) {
					list = append(list, b)
				}
			}
			if len(list) >= limit || len(refs) < limit {
				return list[:min(len(list), limit)], nil
			}
			after = refs[len(refs)-1].id
		}
	})
}

const amendmentsOf = `UNWIND $ids AS id
MATCH (a:Amendment) USING INDEX a:Amendment(tenant, belief)
WHERE a.tenant = $tenant AND a.belief = id AND a.tx_start <= $at
RETURN a.tx_start, a.body`

const amendmentsByID = `UNWIND $ids AS id
MATCH (a:Amendment) USING INDEX a:Amendment(tenant, id)
WHERE a.tenant = $tenant AND a.id = id AND a.tx_start <= $at
RETURN a.tx_start, a.body`

// Amendments implements [store.Reader].
func (r *reader) Amendments(ctx context.Context, beliefs []tenure.ID) ([]tenure.Amendment, error) {
	return r.amendments(ctx, amendmentsOf, beliefs)
}

// AmendmentsByID implements [store.Reader].
func (r *reader) AmendmentsByID(ctx context.Context, ids []tenure.ID) ([]tenure.Amendment, error) {
	return r.amendments(ctx, amendmentsByID, ids)
}

func (r *reader) amendments(ctx context.Context, text string, ids []tenure.ID) ([]tenure.Amendment, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, text, args{"ids": graph.Texts(ids)})
	if err != nil {
		return nil, err
	}
	found, err := amendmentsIn(rows)
	return things(found), err
}

func amendmentsIn(rows []row) ([]stamped[tenure.Amendment], error) {
	found := make([]stamped[tenure.Amendment], len(rows))
	for i, row := range rows {
		found[i].tx = row.number(0)
		if err := engine.Decode(row.text(1), &found[i].thing); err != nil {
			return nil, fault(err)
		}
	}
	slices.SortFunc(found, func(a, b stamped[tenure.Amendment]) int {
		return cmp.Or(cmp.Compare(a.tx, b.tx), cmp.Compare(a.thing.ID, b.thing.ID))
	})
	return found, nil
}
