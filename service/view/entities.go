package view

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"tenure"

	"tenure/similarity"
)

// Entity is an entity with the combined data of all members of its root, as far as the caller sees them.
type Entity struct {
	Entity     tenure.Entity
	Aliases    []tenure.Alias
	Attributes map[string][]string
	Records    []tenure.Record
	// Members lists the entities merged into the root, without the root.
	Members []tenure.ID
	// Matched lists the members that matched a search, Match the alias that matched best, if it was by a part.
	Matched []tenure.ID
	Match   *Match
	// OpenReviews and IdentityDecisions are filled for a single entity only.
	OpenReviews       []tenure.ID
	IdentityDecisions []tenure.IdentityDecision
	// Cut tells which of the lists are not whole.
	Cut Cut
}

// EntityFilter selects entities by an exact name; a zero Type or Project does not filter.
type EntityFilter struct {
	Name    string
	Type    string
	Project string
}

// EntitiesNamed lists the roots that are known by a name, ordered by id.
func (v *View) EntitiesNamed(ctx context.Context, f EntityFilter, p Page) (Listing[Entity], error) {
	p = p.WithDefaults()
	matched, err := v.matched(ctx, f)
	if err != nil {
		return Listing[Entity]{}, err
	}
	ids := slices.Sorted(maps.Keys(matched))
	start, _ := slices.BinarySearch(ids, tenure.ID(p.After+"\x00"))
	page := Listed(ids[start:], p.Limit, func(id tenure.ID) string { return string(id) })
	g, err := v.gather(ctx, slices.Clone(page.Items))
	if err != nil {
		return Listing[Entity]{}, err
	}
	out := Listing[Entity]{Items: []Entity{}, Last: page.Last, More: page.More}
	for _, id := range page.Items {
		e := v.entity(g, id)
		e.Matched = matched[id]
		out.Items = append(out.Items, e)
	}
	return out, nil
}

// matched returns the entities that are known by a name, grouped by root.
func (v *View) matched(ctx context.Context, f EntityFilter) (map[tenure.ID][]tenure.ID, error) {
	aliases, err := v.reader.AliasesByKey(ctx, []tenure.AliasKey{similarity.NameAliasKey(f.Name)})
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, o := range aliases {
		switch {
		case !v.inProject(o.Project):
		case f.Type != "" && o.Type != f.Type:
		case f.Project != "" && o.Project != "" && o.Project != f.Project:
		default:
			ids = append(ids, o.Entity)
		}
	}
	seen, err := v.entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	var above []tenure.ID
	for _, e := range seen {
		above = append(above, e.Root())
	}
	roots, err := v.entities(ctx, above)
	found := map[tenure.ID][]tenure.ID{}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		e := seen[id]
		if _, ok := roots[e.Root()]; ok {
			id = e.Root()
		}
		found[id] = append(found[id], e.ID)
	}
	return found, err
}

// entity builds the answer for a gathered entity.
func (v *View) entity(g roots, id tenure.ID) Entity {
	whole := g.whole(id)
	e := Entity{Entity: g.entities[id].Shown(whole), Attributes: attributesOf(whole)}
	for _, m := range whole {
		e.Records = append(e.Records, m.Records...)
	}
	for _, m := range whole[1:] {
		e.Members = append(e.Members, m.ID)
	}
	e.Records = append(e.Records, g.narrowerRecords(whole)...)
	e.Aliases = CutTo(&e.Cut, "aliases", v.aliasesOf(g, id), MaxListed)
	e.Records = CutTo(&e.Cut, "records", e.Records, MaxListed)
	e.Members = CutTo(&e.Cut, "members", e.Members, MaxListed)
	for kind, values := range e.Attributes {
		e.Attributes[kind] = CutTo(&e.Cut, "attributes."+kind, values, MaxListed)
	}
	return e
}

// Entity returns an entity by its id, with the open reviews about its root and the identity decisions on it.
func (v *View) Entity(ctx context.Context, id tenure.ID) (Entity, error) {
	g, err := v.gather(ctx, []tenure.ID{id})
	if err != nil {
		return Entity{}, err
	}
	if !g.has(id) {
		return Entity{}, Absent()
	}
	e := v.entity(g, id)
	var members []tenure.ID
	for _, m := range g.whole(id) {
		members = append(members, m.ID)
	}
	if e.OpenReviews, err = v.openReviews(ctx, members); err != nil {
		return Entity{}, err
	}
	decisions, err := v.identityDecisionsOn(ctx, members)
	e.IdentityDecisions = CutTo(&e.Cut, "identity_decisions", decisions, MaxListed)
	return e, err
}

// identityDecisionsOn lists the identity decisions on entities whose both sides the caller sees, oldest first.
func (v *View) identityDecisionsOn(ctx context.Context, ids []tenure.ID) ([]tenure.IdentityDecision, error) {
	list, err := v.reader.IdentityDecisionsOn(ctx, ids)
	if err != nil {
		return nil, err
	}
	var sides []tenure.ID
	for _, d := range list {
		sides = append(sides, d.From, d.Into)
	}
	seen, err := v.entities(ctx, sides)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(d tenure.IdentityDecision) bool {
		_, from := seen[d.From]
		_, into := seen[d.Into]
		return !from || !into
	})
	slices.SortFunc(list, func(a, b tenure.IdentityDecision) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// History lists the log entries that changed a member of an entity's root, in order. The entries carry no
// hash: a hash chains entries that are not listed.
func (v *View) History(ctx context.Context, id tenure.ID, p Page) (Listing[tenure.Entry], error) {
	p = p.WithDefaults()
	if err := v.requireVisible(ctx, id); err != nil {
		return Listing[tenure.Entry]{}, err
	}
	members, err := v.membersOf(ctx, id)
	if err != nil {
		return Listing[tenure.Entry]{}, err
	}
	var after int64
	if p.After != "" {
		if after, err = strconv.ParseInt(p.After, 10, 64); err != nil {
			return Listing[tenure.Entry]{}, tenure.FieldError(tenure.StaleCursor, "cursor", "is not the number of an entry")
		}
	}
	seq := func(e tenure.Entry) tenure.Seq { return e.Seq }
	entries, err := mergePages(members, p.Limit+1, seq, func(id tenure.ID) ([]tenure.Entry, error) {
		return v.reader.History(ctx, id, tenure.Seq(after), p.Limit+1)
	})
	if err != nil {
		return Listing[tenure.Entry]{}, err
	}
	page := Listed(entries, p.Limit, func(e tenure.Entry) string { return strconv.FormatInt(int64(e.Seq), 10) })
	for i := range page.Items {
		page.Items[i].Hash, page.Items[i].Digest = "", ""
	}
	return page, nil
}
