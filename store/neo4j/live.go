package neo4j

import (
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

// standing returns a clause that keeps the beliefs b that stand somewhere in the window or, with not = "NOT
// ", the others. Keep names the variables to carry on, and what further is asked of the beliefs.
func standing(keep, not, and string) string {
	where := `v[0] > $at OR ` + not + standsNow
	if and != "" {
		where = and + " AND (" + where + ")"
	}
	return `WITH ` + keep + `, b.stands AS v WHERE ` + where + `
  ` + olderStanding + `
  WITH ` + keep + `, v, s WHERE v[0] <= $at OR s IS NULL OR ` + not + stoodThen
}

// placed returns a search for the newest beliefs of a label whose subject or object is the entity about:
// first the beliefs at their original place, then the beliefs that were moved there. Each half uses its index
// and stops at the limit. And is a further condition on the beliefs, column an extra column of each row.
func placed(label, key, not, and, column string) string {
	return fmt.Sprintf(`MATCH (b:%[1]s) USING INDEX b:%[1]s(tenant, %[2]s, tx_start, id)
  WHERE b.tenant = $tenant AND b.%[2]s = about AND b.tx_start <= $at AND b.id > '' AND `+unmoved+`
  %[3]s
  RETURN `+refColumns+`%[5]s
  ORDER BY b.tenant DESC, b.%[2]s DESC, b.tx_start DESC, b.id DESC LIMIT $limit
UNION ALL
  MATCH (b:%[1]s)-[:MOVED_TO]->(h:Relocation) USING INDEX h:Relocation(tenant, %[2]s, recorded, belief)
  WHERE h.tenant = $tenant AND h.%[2]s = about AND h.recorded <= $at AND h.belief > '' AND `+movedIn+`
  %[4]s
  RETURN `+refColumns+`%[5]s
  ORDER BY h.tenant DESC, h.%[2]s DESC, h.recorded DESC, h.belief DESC LIMIT $limit`,
		label, key, standing("b", not, and), standing("b, h", not, and), column)
}

// ofEach runs a search for each entity and aggregates its many small rows into one for each value of group.
func ofEach(search, group string) string {
	return `UNWIND $ids AS about
CALL (about) {
  ` + search + `
}
RETURN ` + group + `, collect(id), collect(recorded), collect(version), collect(until)`
}

var (
	liveBeliefs   = ofEach(placed("Belief", "subject", "", "", ""), "about")
	liveFacts     = ofEach(placed("Belief", "subject", "", "NOT b:Remark", ""), "about")
	fallenBeliefs = ofEach(placed("Belief", "subject", "NOT ", "", ""), "about")
	fallenFacts   = ofEach(placed("Belief", "subject", "NOT ", "NOT b:Remark", ""), "about")
	relationsOf   = ofEach(placed("Relation", "subject", "", "", ", true AS out")+`
UNION ALL
  `+placed("Relation", "object", "", "", ", false AS out"), "about, out")
)

// Live implements [store.Reader].
func (r *reader) Live(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	return r.about(ctx, liveBeliefs, entities, w, perEntity, func(refs [][]ref) []ref {
		return slices.Concat(refs...)
	})
}

// Facts implements [store.Reader].
func (r *reader) Facts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	return r.about(ctx, liveFacts, entities, w, perEntity, func(refs [][]ref) []ref { return slices.Concat(refs...) })
}

// Displaced implements [store.Reader].
func (r *reader) Displaced(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	return r.fallen(ctx, fallenBeliefs, entities, w, limit)
}

// DisplacedFacts implements [store.Reader].
func (r *reader) DisplacedFacts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	return r.fallen(ctx, fallenFacts, entities, w, limit)
}

// fallen returns the newest of all beliefs that a statement finds.
func (r *reader) fallen(
	ctx context.Context, cypher string, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	return r.about(ctx, cypher, entities, w, limit, func(refs [][]ref) []ref {
		return newest(slices.Concat(refs...), limit)
	})
}

// Relations implements [store.Reader].
func (r *reader) Relations(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	return r.about(ctx, relationsOf, entities, w, perEntity, func(refs [][]ref) []ref {
		all := slices.Concat(refs...)
		oldestFirst(all)
		return slices.Compact(all)
	})
}

// recent returns a search for the newest beliefs of a label in each place, of which it looks at $reach, that stand in
// the window or, with not = "NOT ", the others.
func recent(label, not string) string {
	return fmt.Sprintf(`UNWIND $places AS place
CALL (place) {
  MATCH (b:%[1]s) USING INDEX b:%[1]s(tenant, place, tx_start, id)
  WHERE b.tenant = $tenant AND b.place = place AND b.tx_start <= $at AND b.id > ''
  RETURN b ORDER BY b.tenant DESC, b.place DESC, b.tx_start DESC, b.id DESC LIMIT $reach
}
%[2]s
RETURN `+refColumns, label, standing("b", not, ""))
}

// recentQueries are the searches for what stands, and for the rest.
var recentQueries = map[store.Selection][2]string{
	store.AllClaims:  {recent("Belief", ""), recent("Belief", "NOT ")},
	store.Remarks:    {recent("Remark", ""), recent("Remark", "NOT ")},
	store.Directives: {recent("Directive", ""), recent("Directive", "NOT ")},
}

// Recent implements [store.Reader].
func (r *reader) Recent(ctx context.Context, q store.RecentQuery) ([]tenure.Belief, error) {
	if q.Limit <= 0 || q.Window.Empty() {
		return nil, nil
	}
	both := recentQueries[q.Of]
	searches := both[:]
	if !q.Fallen {
		searches = searches[:1]
	}
	return steady(ctx, func() ([]tenure.Belief, error) {
		var refs []ref
		for _, cypher := range searches {
			rows, err := r.query(ctx, cypher, args{
				"places": graph.Texts(engine.PlacesIn(q.In)), "from": int64(q.Window.From), "until": int64(q.Window.Until),
				"reach": q.Limit * store.RecentReach,
			})
			if err != nil {
				return nil, err
			}
			refs = append(refs, refsOf(rows)...)
		}
		return r.hydrate(ctx, newest(refs, q.Limit))
	})
}

// about returns the beliefs about entities that a statement finds, entity by entity in the given order; join
// merges the rows of one entity.
func (r *reader) about(
	ctx context.Context, cypher string, entities []tenure.ID, w tenure.Window, limit int, join func([][]ref) []ref,
) ([]tenure.Belief, error) {
	ids := graph.Texts(entities)
	if len(ids) == 0 || limit <= 0 {
		return nil, nil
	}
	if w.Empty() {
		w = tenure.Window{From: tenure.MaxTime, Until: tenure.MinTime} // a window in which nothing stands
	}
	return steady(ctx, func() ([]tenure.Belief, error) {
		rows, err := r.query(ctx, cypher, args{
			"ids": ids, "from": int64(w.From), "until": int64(w.Until), "limit": limit,
		})
		if err != nil {
			return nil, err
		}
		found := map[any][]ref{}
		for _, row := range rows {
			found[row[0]] = append(found[row[0]], newest(unpack(row), limit)...)
		}
		lists := make([][]ref, len(ids))
		for i, id := range ids {
			lists[i] = found[id]
		}
		return r.hydrate(ctx, join(lists))
	})
}

// unpack returns the refs in the lists at the end of a row of [ofEach].
func unpack(r row) []ref {
	r = r[len(r)-4:]
	ids, recorded, versions, until := r.list(0), r.list(1), r.list(2), r.list(3)
	refs := make([]ref, len(ids))
	for i := range ids {
		refs[i] = ref{tenure.ID(ids[i].(string)), recorded[i].(int64), versions[i].(int64), until[i].(int64)}
	}
	return refs
}

// newest sorts refs, newest first, and truncates them to a limit.
func newest(refs []ref, limit int) []ref {
	slices.SortFunc(refs, func(a, b ref) int { return byAge(b, a) })
	return refs[:min(len(refs), limit)]
}
