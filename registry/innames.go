package registry

import (
	"context"
	"maps"
	"slices"

	"tenure/attribute"
	"tenure/similarity"
)

// readName takes a name that is an exclusive identifier, of which a visible entity is the owner, for what it is: it is
// evidence as an attribute is, and as a name it is none. What no entity owns remains a name.
func (r *resolver) readName(ctx context.Context) error {
	attributes := maps.Clone(r.mention.Attributes)
	owned := false
	for _, id := range attribute.InName(r.mention.Name) {
		aliases, err := r.known.AliasesByKey(ctx, id.AliasKey)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(aliases, r.ofProject) {
			continue
		}
		owned = true
		if slices.ContainsFunc(r.ids, func(o attribute.Identifier) bool { return o.AliasKey == id.AliasKey }) {
			continue
		}
		if attributes == nil {
			attributes = map[string][]string{}
		}
		attributes[id.AliasKey.Kind] = append(slices.Clone(attributes[id.AliasKey.Kind]), id.Spelling)
		r.ids = append(r.ids, id)
	}
	if !owned {
		return nil
	}
	m := r.mention
	m.Attributes = attributes
	p := similarity.ProfileOfMention(uncorrecting(m))
	p.Names, p.Neighbours = p.Names[1:], r.hints.CoMentions
	r.prepared = r.matcher.Model.CachedProfile(p)
	return nil
}
