package registry

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/similarity"
)

// ActorResolver is the actor of a decision that a row made when it was resolved.
const ActorResolver = "resolution"

// LatestFirst sorts the aliases of a record by when it said so: the first is of the entity that it is about.
func LatestFirst(aliases []tenure.Alias) []tenure.Alias {
	return slices.SortedStableFunc(slices.Values(aliases), func(a, b tenure.Alias) int {
		return cmp.Compare(b.Mention, a.Mention)
	})
}

// knownRecord finds the visible entity that the mention's record was resolved to before, by the record's identity
// alone: of several the one that it was about last. Where the mention is about something else than that, there is none,
// and the entity is the former one, which the mention is not compared with.
func (r *resolver) knownRecord(ctx context.Context) (*Scored, error) {
	if r.mention.Record == nil {
		return nil, nil
	}
	found, err := r.known.AliasesByKey(ctx, attribute.RecordAliasKey(*r.mention.Record))
	if err != nil {
		return nil, err
	}
	for _, o := range LatestFirst(slices.DeleteFunc(slices.Clone(found), func(o tenure.Alias) bool {
		return !r.ofProject(o)
	})) {
		e, err := r.known.Entity(ctx, o.Entity)
		if e == nil || err != nil {
			return nil, err
		}
		root, err := r.known.Entity(ctx, e.Root())
		if root == nil || err != nil {
			return nil, err
		}
		if root.Status == tenure.EntityRetired || root.Project != "" && root.Project != r.mention.Project {
			continue
		}
		row := &Scored{Root: *root, Member: e.ID, Identified: true, Comparison: similarity.Comparison{Score: scoreByRecord}}
		reused, err := r.reuses(ctx, o.Mention)
		if err != nil || !reused {
			return row, err
		}
		r.former = row
		r.forgetRecord()
		return nil, nil
	}
	return nil, nil
}

// isRecord reports whether an alias key is that of the mention's record.
func (r *resolver) isRecord(key tenure.AliasKey) bool {
	return r.mention.Record != nil && key == attribute.RecordAliasKey(*r.mention.Record)
}

// isOf returns a function that reports whether an alias is an entity's.
func isOf(entity tenure.ID) func(tenure.Alias) bool {
	return func(o tenure.Alias) bool { return o.Entity == entity }
}

// reuses reports whether the mention's record is about something else than when another mention had it.
func (r *resolver) reuses(ctx context.Context, before tenure.ID) (bool, error) {
	found, err := r.known.Mentions(ctx, []tenure.ID{before})
	if err != nil || len(found) == 0 {
		return false, err
	}
	was := r.matcher.Model.CachedProfile(similarity.ProfileOfMention(found[0].Mention))
	return r.matcher.Model.Reused(was, r.prepared), nil
}

// forgetRecord has the mention compared without its record, which identifies nothing any more.
func (r *resolver) forgetRecord() {
	key := attribute.RecordAliasKey(*r.mention.Record)
	r.ids = slices.DeleteFunc(r.ids, func(id attribute.Identifier) bool { return id.AliasKey == key })
	p := similarity.ProfileOfMention(uncorrecting(r.mention))
	p.Records, p.Neighbours = nil, r.hints.CoMentions
	r.prepared = r.matcher.Model.CachedProfile(p)
}

// partFromFormer records that the entity of a reused record and the former one are not the same: both have had the
// record, by which they would be merged again.
func (r *resolver) partFromFormer(ctx context.Context, d Decision, mint tenure.Mint) (Decision, error) {
	d.Reused = true
	apart, err := cannotLinkWith(ctx, r.known, []tenure.Entity{{ID: d.Entity}})
	if err != nil || apart[r.former.Member] {
		return d, err
	}
	d.Changes = append(d.Changes, tenure.IdentityDecisionPut{Decision: tenure.IdentityDecision{
		ID: mint.NewID(), Kind: tenure.CannotLink, From: d.Entity, Into: r.former.Member, Reason: RecordReused,
		Actor: ActorResolver, At: mint.Now,
	}})
	return d, nil
}
