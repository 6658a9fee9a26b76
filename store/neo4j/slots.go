package neo4j

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// slotEvidence finds the beliefs of slots and the claims that supersede one of them by name (own is false),
// each with its amendments.
const slotEvidence = `UNWIND range(0, size($slots) - 1) AS slot
CALL (slot) {
  MATCH (b:Belief) USING INDEX b:Belief(tenant, slot)
  WHERE b.tenant = $tenant AND b.slot = $slots[slot] AND b.tx_start <= $at AND ` + unmoved + `
  RETURN b AS o
UNION ALL
  MATCH (b:Belief)-[:MOVED_TO]->(h:Relocation) USING INDEX h:Relocation(tenant, slot)
  WHERE h.tenant = $tenant AND h.slot = $slots[slot] AND ` + movedIn + `
  RETURN b AS o
}
CALL (o) {
  RETURN o AS b, true AS own
UNION ALL
  MATCH (b:Belief)-[:NAMES]->(o) WHERE b.tx_start <= $at
  RETURN b, false AS own
}
WITH slot, own, b, b.stands AS v
` + olderStanding + `
RETURN ` + refColumns + `, slot, own,
  [(a:Amendment)-[:AMENDS]->(b) WHERE a.tx_start <= $at | [a.tx_start, a.body]] AS amendments`

const slotCases = `UNWIND range(0, size($slots) - 1) AS slot
MATCH (n:QuarantineCase) USING INDEX n:QuarantineCase(tenant, slot)
WHERE n.tenant = $tenant AND n.slot = $slots[slot] AND n.tx_start <= $at
OPTIONAL MATCH (n)-[:WAS]->(w:QuarantineCaseVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
RETURN slot, n.body, w.body`

// evidence is what was found for one slot.
type evidence struct {
	beliefs, superseders []ref
	amendments           map[tenure.ID]stamped[tenure.Amendment]
}

// Slots implements [store.Reader]. The list is in the order of the given slots, each once.
func (r *reader) Slots(ctx context.Context, slots []tenure.Slot) ([]store.SlotState, error) {
	seen := map[string]bool{}
	var states []store.SlotState
	keys := []any{}
	for _, s := range slots {
		if key := s.Key(); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
			states = append(states, store.SlotState{Slot: s})
		}
	}
	if len(states) == 0 {
		return nil, nil
	}
	return steady(ctx, func() ([]store.SlotState, error) {
		list := slices.Clone(states)
		if err := r.fillEvidence(ctx, keys, list); err != nil {
			return nil, err
		}
		return list, r.fillCases(ctx, keys, list)
	})
}

func (r *reader) fillEvidence(ctx context.Context, keys []any, states []store.SlotState) error {
	rows, err := r.query(ctx, slotEvidence, args{"slots": keys})
	if err != nil || len(rows) == 0 {
		return err
	}
	found := make([]evidence, len(states))
	var all []ref
	for _, row := range rows {
		e := &found[row.number(4)]
		f := ref{tenure.ID(row.text(0)), row.number(1), row.number(2), row.number(3)}
		all = append(all, f)
		if own, _ := row[5].(bool); own {
			e.beliefs = append(e.beliefs, f)
		} else {
			e.superseders = append(e.superseders, f)
		}
		if err := e.amended(row.list(6)); err != nil {
			return err
		}
	}
	oldestFirst(all)
	all = slices.Compact(all)
	beliefs, err := r.hydrate(ctx, all)
	if err != nil {
		return err
	}
	by := make(map[tenure.ID]tenure.Belief, len(beliefs))
	for _, b := range beliefs {
		by[b.Claim.ID] = b
	}
	for i := range found {
		found[i].into(&states[i], by)
	}
	return nil
}

func (e *evidence) amended(list []any) error {
	for _, item := range list {
		pair := row(item.([]any))
		a := stamped[tenure.Amendment]{tx: pair.number(0)}
		if err := engine.Decode(pair.text(1), &a.thing); err != nil {
			return err
		}
		if e.amendments == nil {
			e.amendments = map[tenure.ID]stamped[tenure.Amendment]{}
		}
		e.amendments[a.thing.ID] = a
	}
	return nil
}

func (e *evidence) into(state *store.SlotState, by map[tenure.ID]tenure.Belief) {
	oldestFirst(e.beliefs)
	for _, f := range slices.Compact(e.beliefs) {
		state.Beliefs = append(state.Beliefs, by[f.id])
	}
	oldestFirst(e.superseders)
	for _, f := range slices.Compact(e.superseders) {
		state.Superseders = append(state.Superseders, by[f.id].Claim)
	}
	amendments := make([]stamped[tenure.Amendment], 0, len(e.amendments))
	for _, a := range e.amendments {
		amendments = append(amendments, a)
	}
	slices.SortFunc(amendments, func(a, b stamped[tenure.Amendment]) int {
		return cmp.Or(cmp.Compare(a.tx, b.tx), cmp.Compare(a.thing.ID, b.thing.ID))
	})
	if len(amendments) > 0 {
		state.Amendments = things(amendments)
	}
}

func (r *reader) fillCases(ctx context.Context, keys []any, states []store.SlotState) error {
	rows, err := r.query(ctx, slotCases, args{"slots": keys})
	if err != nil {
		return err
	}
	found := make([][]stamped[tenure.Case], len(states))
	for _, row := range rows {
		c, err := stampedOf[tenure.Case](r.tx, row.text(1), row.text(2))
		if err != nil {
			return err
		}
		found[row.number(0)] = append(found[row.number(0)], c)
	}
	for i, cases := range found {
		slices.SortFunc(cases, func(a, b stamped[tenure.Case]) int {
			return cmp.Or(cmp.Compare(a.tx, b.tx), cmp.Compare(a.thing.ID, b.thing.ID))
		})
		if len(cases) > 0 {
			states[i].Cases = things(cases)
		}
	}
	return nil
}

// slotsAfter finds a belief for each slot: the slots in which claims were made, and the slots to which claims
// were moved, which name their subject and predicate.
const slotsAfter = `CALL () {
  MATCH (b:Belief) USING INDEX b:Belief(tenant, slot)
  WHERE b.tenant = $tenant AND b.slot > $after AND b.tx_start <= $at
  WITH b.tenant AS tenant, b.slot AS slot, min(b.id) AS id ORDER BY tenant, slot LIMIT $limit
  RETURN slot, id, null AS subject, null AS predicate
UNION ALL
  MATCH (h:Relocation) USING INDEX h:Relocation(tenant, slot)
  WHERE h.tenant = $tenant AND h.slot > $after AND h.tx_start <= $at
  WITH h.tenant AS tenant, h.slot AS slot, min(h.belief) AS id, min(h.subject) AS subject,
    min(h.predicate) AS predicate
  ORDER BY tenant, slot LIMIT $limit
  RETURN slot, id, subject, predicate
}
MATCH (c:Belief {tenant: $tenant, id: id})
RETURN slot, c.body, subject, predicate`

// SlotsAfter implements [store.Reader].
func (r *reader) SlotsAfter(ctx context.Context, after string, limit int) ([]tenure.Slot, error) {
	if limit <= 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, slotsAfter, args{"after": after, "limit": limit})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.text(0), b.text(0)) })
	rows = slices.CompactFunc(rows, func(a, b row) bool { return a.text(0) == b.text(0) })
	rows = rows[:min(len(rows), limit)]
	claims, err := decodeAll[tenure.Claim](rows, 1)
	slots := make([]tenure.Slot, len(claims))
	for i, c := range claims {
		slots[i] = c.Slot()
		if subject := rows[i].text(2); subject != "" {
			slots[i].Subject, slots[i].Predicate = tenure.ID(subject), rows[i].text(3)
		}
	}
	return slots, err
}
