package view

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tenure"
	"tenure/ingest"
	"tenure/text"

	"tenure/store"
	"tenure/vocabulary"
)

// Belief is a belief as it stands at an instant.
type Belief struct {
	tenure.Belief
	// RootIDs are the roots of the subject and of an entity that is the value.
	RootIDs []tenure.ID
	// Key, Content and Normalized come from the claim; where the claim states none, they are derived from it.
	Key, Content, Normalized string
	// Status is the status of the segment at the instant, or of the nearest segment.
	Status tenure.Status
	// SupersededBy is the belief that displaced this one in that segment; "" if none did.
	SupersededBy tenure.ID
	// Withheld reports whether the belief is kept from models at the instant.
	Withheld bool
	// LastUsed is when the newest compilation was made of which it was reported that the answer used the belief, of those
	// that the caller may read; 0 for none. It is no part of the state, and only Beliefs and Belief tell it.
	LastUsed tenure.Instant
}

// BeliefFilter selects beliefs. A zero field does not filter, except Status: "" selects clean beliefs, and
// AnyStatus selects all.
type BeliefFilter struct {
	Entity    tenure.ID
	Predicate string
	Status    tenure.Status
	// Text matches a part of the value, of the content or of the name of an entity that is the value, whatever its case.
	Text string
	// Source is a speaker or an origin.
	Source      string
	Layer       tenure.Layer
	NeedsReview *bool
}

// chooses reports whether the filter selects a belief by what needs no reads.
func (f BeliefFilter) chooses(b tenure.Belief) bool {
	c := b.Claim
	return (f.Source == "" || f.Source == c.Source.Speaker || f.Source == c.Source.Origin) &&
		(f.Layer == "" || f.Layer == c.Layer) && (f.NeedsReview == nil || *f.NeedsReview == b.Standing.NeedsReview)
}

// says reports whether the text of the filter is in a belief whose value, if an entity, has a name.
func (f BeliefFilter) says(b tenure.Belief, name string) bool {
	var said string
	if json.Unmarshal(b.Claim.Value.JSON, &said) != nil {
		said = string(b.Claim.Value.JSON)
	}
	part := text.Plain(f.Text)
	return slices.ContainsFunc([]string{said, name, b.Claim.Content, b.Claim.NormalizedClaim}, func(s string) bool {
		return strings.Contains(text.Plain(s), part)
	})
}

// AnyStatus selects beliefs of every status.
const AnyStatus tenure.Status = "any"

// Beliefs lists the beliefs about any member of the entity's root whose window covers the instant of the
// view.
func (v *View) Beliefs(ctx context.Context, f BeliefFilter, p Page) (Listing[Belief], error) {
	page, err := v.listed(ctx, f, p)
	if err == nil {
		err = v.addUses(ctx, page.Items)
	}
	return page, err
}

func (v *View) listed(ctx context.Context, f BeliefFilter, p Page) (Listing[Belief], error) {
	status := cmp.Or(f.Status, tenure.Clean)
	chosen := func(b tenure.Belief) bool {
		g, covered := b.Standing.At(v.validAt)
		return covered && (status == AnyStatus || g.Cause.Status() == status) && f.chooses(b)
	}
	q := store.BeliefQuery{Predicate: f.Predicate}
	if f.Text == "" {
		return v.beliefPage(ctx, f.Entity, q, p, chosen)
	}
	return v.beliefPages(ctx, f.Entity, q, p, func(list []tenure.Belief) ([]bool, error) {
		var values []tenure.ID
		for _, b := range list {
			if b.Claim.Value.Entity != "" {
				values = append(values, b.Claim.Value.Entity)
			}
		}
		named, err := v.entities(ctx, values)
		kept := make([]bool, len(list))
		for i, b := range list {
			kept[i] = chosen(b) && f.says(b, named[b.Claim.Value.Entity].Name)
		}
		return kept, err
	})
}

// beliefPage returns a page of the visible beliefs that keep accepts.
func (v *View) beliefPage(
	ctx context.Context, entity tenure.ID, q store.BeliefQuery, p Page, keep func(tenure.Belief) bool,
) (Listing[Belief], error) {
	return v.beliefPages(ctx, entity, q, p, func(list []tenure.Belief) ([]bool, error) {
		kept := make([]bool, len(list))
		for i, b := range list {
			kept[i] = keep(b)
		}
		return kept, nil
	})
}

// beliefPages is beliefPage with a keep of many beliefs at once.
func (v *View) beliefPages(
	ctx context.Context, entity tenure.ID, q store.BeliefQuery, p Page, keep func([]tenure.Belief) ([]bool, error),
) (Listing[Belief], error) {
	sources, err := v.sources(ctx, entity, q)
	if err != nil {
		return Listing[Belief]{}, err
	}
	id := func(b tenure.Belief) string { return string(b.Claim.ID) }
	fetch := func(after string, n int) ([]tenure.Belief, error) {
		return mergePages(sources, n, id, func(s source) ([]tenure.Belief, error) {
			s.After, s.Limit = tenure.ID(after), n
			return v.page(ctx, s)
		})
	}
	found, err := scan(p.WithDefaults(), fetch, id, func(list []tenure.Belief) ([]*tenure.Belief, error) {
		chosen, err := keep(list)
		if err != nil {
			return nil, err
		}
		kept := make([]*tenure.Belief, len(list))
		for i := range list {
			if v.sees.Sees(list[i].Claim.Label()) && chosen[i] {
				kept[i] = &list[i]
			}
		}
		return kept, nil
	})
	if err != nil {
		return Listing[Belief]{}, err
	}
	items, err := v.describe(ctx, found.Items)
	return Listing[Belief]{Items: items, Last: found.Last, More: found.More}, err
}

// source is a search for beliefs. With Value, they are those whose value is that entity and which were said of it,
// or which are held under Predicate.
type source struct {
	store.BeliefQuery
	Value tenure.ID
}

// sources lists the searches for the beliefs about any member of an entity's root under a predicate as written, also
// where they are held from the other side.
func (v *View) sources(ctx context.Context, entity tenure.ID, q store.BeliefQuery) ([]source, error) {
	members, err := v.subjects(ctx, entity)
	if err != nil {
		return nil, err
	}
	converse, apart := "", ""
	if q.Predicate != "" {
		terms := store.NewTerms(v.reader)
		t, err := vocabulary.Resolve(ctx, terms, q.Predicate)
		if err != nil {
			return nil, err
		}
		held, inverted, err := vocabulary.Held(ctx, terms, t)
		if err != nil {
			return nil, err
		}
		if apart, err = vocabulary.Apart(ctx, terms, q.Predicate); err != nil {
			return nil, err
		}
		if q.Predicate = t.Name; inverted {
			converse = held.Name
		}
	}
	var list []source
	for _, id := range members {
		s := source{BeliefQuery: q}
		s.Subject = id
		list = append(list, s)
		if apart != "" {
			other := s
			other.Predicate = apart
			list = append(list, other)
		}
		switch {
		case converse != "" && id == "":
			s.Predicate = converse
			list = append(list, s)
		case converse != "" || q.Predicate == "" && id != "":
			s.Subject, s.Predicate, s.Value = "", converse, id
			list = append(list, s)
		}
	}
	return list, nil
}

// page returns a page of a source, in ascending order of ids.
func (v *View) page(ctx context.Context, s source) ([]tenure.Belief, error) {
	if s.Value == "" {
		return v.reader.List(ctx, s.BeliefQuery)
	}
	list, err := v.reader.Referring(ctx, []tenure.ID{s.Value})
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		meant := b.Claim.Predicate == s.Predicate || s.Predicate == "" && b.Claim.Inverted
		return !meant || b.Claim.ID <= s.After || s.Contested && !b.Standing.Contested()
	})
	slices.SortFunc(list, func(a, b tenure.Belief) int { return cmp.Compare(a.Claim.ID, b.Claim.ID) })
	return list[:min(len(list), s.Limit)], nil
}

// Belief returns a belief by its id.
func (v *View) Belief(ctx context.Context, id tenure.ID) (Belief, error) {
	b, err := v.visibleBelief(ctx, id)
	if err != nil {
		return Belief{}, err
	}
	list, err := v.describe(ctx, []tenure.Belief{b})
	if err == nil {
		err = v.addUses(ctx, list)
	}
	if err != nil {
		return Belief{}, err
	}
	return list[0], nil
}

// addUses adds when beliefs were last used, by what was reported of the compilations that the caller may read.
func (v *View) addUses(ctx context.Context, list []Belief) error {
	ids := make([]tenure.ID, len(list))
	for i, b := range list {
		ids[i] = b.Claim.ID
	}
	last, err := v.store.LastUsed(ctx, v.caller.Tenant, ids, Requesters(v.caller))
	for i := range list {
		list[i].LastUsed = last[ids[i]]
	}
	return err
}

// Requesters chooses the compilations that a caller may read, with what was reported of them: its own and, for an
// administrator who is bound to nothing, those of whoever was cleared for as much or less.
func Requesters(c tenure.Caller) store.Requesters {
	r := store.Requesters{Actor: c.Actor}
	if c.Has(tenure.RoleAdmin) && c.Bound == (tenure.Scope{}) {
		r.Clearances = c.Clearance.AndBelow()
	}
	return r
}

func (v *View) visibleBelief(ctx context.Context, id tenure.ID) (tenure.Belief, error) {
	list, err := v.reader.Beliefs(ctx, []tenure.ID{id})
	if err != nil {
		return tenure.Belief{}, err
	}
	if list = v.visible(list); len(list) != 1 {
		return tenure.Belief{}, Absent()
	}
	return list[0], nil
}

// describe resolves the status, roots and displacement of beliefs at the instant of the view.
func (v *View) describe(ctx context.Context, list []tenure.Belief) ([]Belief, error) {
	var ids []tenure.ID
	for _, b := range list {
		ids = append(ids, b.Claim.Subject)
		if b.Claim.Value.Entity != "" {
			ids = append(ids, b.Claim.Value.Entity)
		}
	}
	roots, err := v.rootIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	described := make([]Belief, 0, len(list))
	for _, b := range list {
		described = append(described, describe(b, roots, v.validAt))
	}
	return described, nil
}

func describe(b tenure.Belief, roots map[tenure.ID]tenure.ID, at tenure.Instant) Belief {
	c, s := b.Claim, b.Standing
	_, covered := s.At(at)
	decisive := ingest.Decisive(s, at)
	status := tenure.Clean
	if len(s.Segments) > 0 {
		status = decisive.Cause.Status()
	}
	return Belief{
		Belief: b, RootIDs: rootIDs(c, roots),
		Key: cmp.Or(c.Key, c.Predicate), Content: cmp.Or(c.Content, normalized(c)), Normalized: normalized(c),
		Status: status, SupersededBy: displacedBy(decisive),
		Withheld: !covered || status != tenure.Clean,
	}
}

func rootIDs(c tenure.Claim, roots map[tenure.ID]tenure.ID) []tenure.ID {
	ids := []tenure.ID{}
	for _, id := range []tenure.ID{c.Subject, c.Value.Entity} {
		if id = cmp.Or(roots[id], id); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// displacedBy returns the belief that displaced another in the segment, "" where an amendment did.
func displacedBy(g tenure.Segment) tenure.ID {
	switch g.Cause {
	case tenure.ByAuthority, tenure.BySuccession, tenure.ByName:
		return g.By
	}
	return ""
}

// normalized returns the normalized fact that a claim states, or else derives one (Context Architecture,
// Fact-to-Instruction Conversion Ladder, level 1).
func normalized(c tenure.Claim) string {
	switch {
	case c.NormalizedClaim != "", c.Erased:
		return c.NormalizedClaim
	case c.Value.Entity != "":
		return c.Predicate + " == " + string(c.Value.Entity)
	default:
		return c.Predicate + " == " + string(c.Value.JSON)
	}
}

// maxChain bounds how many beliefs a chain shows.
const maxChain = 200

// Chain lists the beliefs that displaced a belief and the beliefs that it displaced, directly or
// transitively, oldest first. The second result reports whether the chain was truncated.
func (v *View) Chain(ctx context.Context, id tenure.ID) ([]Belief, bool, error) {
	first, err := v.visibleBelief(ctx, id)
	if err != nil {
		return nil, false, err
	}
	found, truncated, err := v.chain(ctx, first)
	if err != nil {
		return nil, false, err
	}
	list, err := v.describe(ctx, found)
	return list, truncated, err
}

// chain runs a breadth-first search in both directions, through visible beliefs only.
func (v *View) chain(ctx context.Context, first tenure.Belief) (found []tenure.Belief, truncated bool, err error) {
	seen := map[tenure.ID]bool{first.Claim.ID: true}
	found = []tenure.Belief{first}
	for next := found; len(next) > 0; {
		linked, err := v.links(ctx, next)
		if err != nil {
			return nil, false, err
		}
		next = nil
		for _, b := range v.visible(linked) {
			if seen[b.Claim.ID] {
				continue
			}
			if len(found) == maxChain {
				truncated = true
				break
			}
			seen[b.Claim.ID] = true
			found, next = append(found, b), append(next, b)
		}
	}
	slices.SortFunc(found, func(a, b tenure.Belief) int {
		return cmp.Or(cmp.Compare(a.RecordedAt, b.RecordedAt), cmp.Compare(a.Claim.ID, b.Claim.ID))
	})
	return found, truncated, nil
}

// links lists the beliefs that displaced a listed belief or were displaced by one, by name or in their slot.
func (v *View) links(ctx context.Context, list []tenure.Belief) ([]tenure.Belief, error) {
	var ids, others []tenure.ID
	slots := map[string]tenure.Slot{}
	for _, b := range list {
		ids = append(ids, b.Claim.ID)
		others = append(others, b.Claim.Supersedes...)
		others = append(others, displacers(b)...)
		slots[b.Claim.Slot().Key()] = b.Claim.Slot()
	}
	linked, err := v.reader.Superseders(ctx, ids)
	if err != nil {
		return nil, err
	}
	named, err := v.reader.Beliefs(ctx, others)
	if err != nil {
		return nil, err
	}
	linked = append(linked, named...)
	var wanted []tenure.Slot
	for _, slot := range slots {
		wanted = append(wanted, slot)
	}
	states, err := v.reader.Slots(ctx, wanted)
	if err != nil {
		return nil, err
	}
	for _, st := range states {
		for _, b := range st.Beliefs {
			if slices.ContainsFunc(displacers(b), func(by tenure.ID) bool { return slices.Contains(ids, by) }) {
				linked = append(linked, b)
			}
		}
	}
	return linked, nil
}

func displacers(b tenure.Belief) []tenure.ID {
	var ids []tenure.ID
	for _, g := range b.Standing.Segments {
		if g.By != "" && g.Cause.Status() == tenure.Overridden {
			ids = append(ids, g.By)
		}
	}
	return ids
}

// AmendmentRecord is an amendment as it is told of its belief. UndoneBy is the amendment that undid it, if one did.
type AmendmentRecord struct {
	tenure.Amendment
	UndoneBy tenure.ID
}

// Amendments lists a page of what was amended of a belief, oldest first, undone amendments and their undos too.
func (v *View) Amendments(ctx context.Context, belief tenure.ID, p Page) (Listing[AmendmentRecord], error) {
	list, err := v.amendments(ctx, belief)
	if err != nil {
		return Listing[AmendmentRecord]{}, err
	}
	return paged(list, p)
}

func (v *View) amendments(ctx context.Context, belief tenure.ID) ([]AmendmentRecord, error) {
	if _, err := v.visibleBelief(ctx, belief); err != nil {
		return nil, err
	}
	list, err := v.reader.Amendments(ctx, []tenure.ID{belief})
	if err != nil {
		return nil, err
	}
	undone := map[tenure.ID]tenure.ID{}
	for _, a := range list {
		if a.Undoes != "" {
			undone[a.Undoes] = a.ID
		}
	}
	records := make([]AmendmentRecord, 0, len(list))
	for _, a := range list {
		records = append(records, AmendmentRecord{a, undone[a.ID]})
	}
	return records, nil
}

// Amendment returns an amendment of a belief that the caller sees.
func (v *View) Amendment(ctx context.Context, id tenure.ID) (AmendmentRecord, error) {
	found, err := v.reader.AmendmentsByID(ctx, []tenure.ID{id})
	if err != nil {
		return AmendmentRecord{}, err
	}
	if len(found) != 1 {
		return AmendmentRecord{}, Absent()
	}
	list, err := v.amendments(ctx, found[0].Belief)
	if err != nil {
		return AmendmentRecord{}, err
	}
	i := slices.IndexFunc(list, func(a AmendmentRecord) bool { return a.ID == id })
	if i < 0 {
		return AmendmentRecord{}, Absent()
	}
	return list[i], nil
}
