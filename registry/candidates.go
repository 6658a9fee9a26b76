package registry

import (
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/attribute"
	"tenure/similarity"
)

// candidates builds the candidate set of the mention and scores it: entities known by the mention's exclusive
// identifiers or name, pending entities of that name, related candidates, and the proposals unless one
// identified candidate already scores over the merge threshold. The result is sorted by [inOrder].
func (r *resolver) candidates(ctx context.Context, proposals []tenure.ID) ([]Scored, error) {
	l := &candidateSet{resolver: r, at: map[tenure.ID]int{}, list: make([]Scored, 0, len(proposals)+1)}
	if err := l.identified(ctx); err != nil {
		return nil, err
	}
	if err := l.named(ctx); err != nil {
		return nil, err
	}
	if err := l.score(ctx); err != nil {
		return nil, err
	}
	if !r.thorough && len(l.list) == 1 && l.list[0].Identified && l.list[0].Comparison.Score >= similarity.MergeAt &&
		l.list[0].Comparison.Veto == "" {
		return l.list, nil
	}
	for _, id := range proposals {
		if _, err := l.add(ctx, id); err != nil {
			return nil, err
		}
	}
	if err := l.score(ctx); err != nil {
		return nil, err
	}
	if err := l.addRelated(ctx); err != nil {
		return nil, err
	}
	if err := l.score(ctx); err != nil {
		return nil, err
	}
	inOrder(l.list)
	return l.list, l.addSameTokens(ctx)
}

// addSameTokens marks the candidates whose name has the same folded words as the mention's name in any order.
// Such a name is shared by all of them, even if only one has the exact spelling. The names are compared only
// if a unique name is about to decide.
func (l *candidateSet) addSameTokens(ctx context.Context) error {
	if l.mention.Record != nil || !slices.ContainsFunc(l.list, func(c Scored) bool { return c.UniqueHolder }) {
		return nil
	}
	key := similarity.SortedTokens(l.mention.Name)
	if key == "" {
		return nil // only signs, or a script without words
	}
	for i := range l.list {
		if l.list[i].Comparison.Score <= 1-similarity.NewAt {
			continue // a candidate with the same words would score higher
		}
		members, err := l.members(ctx, l.list[i].Root)
		if err != nil {
			return err
		}
		l.list[i].SameTokens = slices.ContainsFunc(members, func(e tenure.Entity) bool {
			return similarity.SortedTokens(e.Name) == key ||
				slices.ContainsFunc(e.Names, func(n string) bool { return similarity.SortedTokens(n) == key })
		})
	}
	return nil
}

// candidateSet collects candidates, each root once.
type candidateSet struct {
	*resolver
	list   []Scored
	at     map[tenure.ID]int // index in list, by root
	scored int               // length of the scored prefix of list
}

// add adds the root of an entity if the mention may mean it, and returns its index in the list, or -1 if the
// root is excluded by status, project, type or a cannot-link.
func (l *candidateSet) add(ctx context.Context, id tenure.ID) (int, error) {
	e, err := l.known.Entity(ctx, id)
	if e == nil || err != nil {
		return -1, err
	}
	member := *e
	if e.Status == tenure.EntityMerged {
		if e, err = l.known.Entity(ctx, e.Root()); e == nil || err != nil {
			return -1, err
		}
	}
	if i, ok := l.at[e.ID]; ok {
		return i, nil
	}
	if e.Status != tenure.EntityCanonical && e.Status != tenure.EntityPending {
		return -1, nil
	}
	if e.Project != "" && e.Project != l.mention.Project {
		return -1, nil
	}
	ok, err := l.compatible(ctx, e.Type)
	if !ok || err != nil {
		return -1, err
	}
	if apart, err := l.cannotLink(ctx, *e); apart || err != nil {
		return -1, err
	}
	l.at[e.ID] = len(l.list)
	l.list = append(l.list, Scored{Root: *e, Member: member.ID})
	return l.at[e.ID], nil
}

// cannotLink reports whether the entity has a different record of the mention's source, where that source is
// deduplicated.
func (l *candidateSet) cannotLink(ctx context.Context, e tenure.Entity) (bool, error) {
	if l.mention.Record == nil {
		return false, nil
	}
	members, err := l.members(ctx, e)
	if err != nil {
		return false, err
	}
	return distinctRecords(ctx, l.known, []tenure.Entity{{Records: []tenure.Record{*l.mention.Record}}}, members)
}

func (l *candidateSet) members(ctx context.Context, root tenure.Entity) ([]tenure.Entity, error) {
	return Members(ctx, l.known, root)
}

// Members reads all members of a root, the root first.
func Members(ctx context.Context, k interface {
	Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error)
}, root tenure.Entity) ([]tenure.Entity, error) {
	list := []tenure.Entity{root}
	for _, id := range root.Members {
		e, err := k.Entity(ctx, id)
		if err != nil {
			return nil, err
		}
		if e != nil {
			list = append(list, *e)
		}
	}
	return list, nil
}

// identified adds the entities known by the mention's exclusive identifiers.
func (l *candidateSet) identified(ctx context.Context) error {
	for _, id := range l.ids {
		if !id.Exclusive {
			continue
		}
		aliases, err := l.known.AliasesByKey(ctx, id.AliasKey)
		if err != nil {
			return err
		}
		for _, o := range aliases {
			i, err := l.add(ctx, o.Entity)
			if err != nil {
				return err
			}
			if i >= 0 && l.list[i].Root.Status == tenure.EntityCanonical {
				l.list[i].Identified = true
			}
		}
	}
	return nil
}

// named adds the visible entities known by the mention's name or, if there are none, by one of its aliases.
// Entities of the mention's project precede global ones.
func (l *candidateSet) named(ctx context.Context) error {
	found, err := l.addKnownAs(ctx, similarity.NameAliasKey(l.mention.Name))
	if err != nil {
		return err
	}
	if found == 0 {
		for _, a := range l.mention.Aliases {
			n, err := l.addKnownAs(ctx, similarity.NameAliasKey(a))
			if err != nil {
				return err
			}
			found += n
		}
	}
	for i := range l.list {
		l.list[i].UniqueHolder = l.list[i].Exact && found == 1
	}
	return nil
}

// addKnownAs adds the entities known by an alias key and returns the number of canonical ones. Canonical
// entities are counted in the nearest scope only that has any.
func (l *candidateSet) addKnownAs(ctx context.Context, f tenure.AliasKey) (int, error) {
	aliases, err := l.known.AliasesByKey(ctx, f)
	if err != nil {
		return 0, err
	}
	projects := []string{l.mention.Project, ""}
	for _, project := range slices.Compact(projects) {
		n := 0
		for _, o := range aliases {
			if o.Project != project {
				continue
			}
			i, err := l.add(ctx, o.Entity)
			if err != nil {
				return 0, err
			}
			if i >= 0 && !l.list[i].Exact {
				l.list[i].Exact = true
				l.list[i].Member = o.Entity
				n += boolToInt(l.list[i].Root.Status == tenure.EntityCanonical)
			}
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

// score compares the mention with the candidates that were added since the last call.
func (l *candidateSet) score(ctx context.Context) error {
	for ; l.scored < len(l.list); l.scored++ {
		c := &l.list[l.scored]
		members, err := l.members(ctx, c.Root)
		if err != nil {
			return err
		}
		c.like, c.prior = l.matcher.Model.PrepareRoot(members), l.prior(*c)
		c.Comparison = l.matcher.Model.Judged(l.prepared, c.like, c.prior)
		if err := l.addCoMentions(ctx, c, members); err != nil {
			return err
		}
		if l.mention.Record != nil {
			continue
		}
		if c.UniqueHolder && unopposed(l.reasons(c)) {
			c.Comparison.Score = max(c.Comparison.Score, scoreByName)
		}
		if c.Comparison.Veto == "" && contradicts(l.ids, members) {
			c.Comparison.Veto = similarity.VetoIdentifier
		}
	}
	return nil
}

// addCoMentions adds the evidence of shared relations to a candidate, if that evidence can change the
// decision.
func (l *candidateSet) addCoMentions(ctx context.Context, c *Scored, members []tenure.Entity) error {
	if len(l.coMentions) == 0 || c.Comparison.Score < 1-similarity.NewAt || c.Comparison.Score >= similarity.MergeAt {
		return nil
	}
	related, err := l.known.Related(ctx, c.Root.Whole())
	if err != nil || !slices.ContainsFunc(related, func(id tenure.ID) bool { return slices.Contains(l.coMentions, id) }) {
		return err
	}
	p := similarity.ProfileOf(members)
	p.Neighbours = related
	c.like = l.matcher.Model.Prepare(p)
	c.Comparison = l.matcher.Model.Judged(l.prepared, c.like, c.prior)
	return nil
}

// reasons returns the contributions to a candidate's score.
func (r *resolver) reasons(c *Scored) []similarity.Contribution {
	return r.matcher.Model.Compare(r.prepared, c.like, c.prior).Contributions
}

// unopposed reports whether the frequency of the name is the only evidence against a candidate. Within one
// scope even a common name means one entity.
func unopposed(reasons []similarity.Contribution) bool {
	return !slices.ContainsFunc(reasons, func(c similarity.Contribution) bool {
		return c.LogOdds < 0 && !strings.HasPrefix(c.Feature, "name") && c.Feature != "calibration"
	})
}

// contradicts reports whether identifiers and members both have exclusive identifiers of one kind and share
// none of that kind. A name in a text does not suffice to give an entity a second mailbox; for records, the
// model weighs the difference instead.
func contradicts(ids []attribute.Identifier, members []tenure.Entity) bool {
	theirs := map[string][]string{}
	for _, e := range members {
		for _, id := range attribute.Identifiers(tenure.Mention{Attributes: e.Attributes,
			IdentifierKinds: e.IdentifierKinds}) {
			if id.Exclusive {
				theirs[id.AliasKey.Kind] = append(theirs[id.AliasKey.Kind], id.AliasKey.Key)
			}
		}
	}
	ours := map[string]bool{} // by kind: whether one is shared
	for _, id := range ids {
		if id.Exclusive && len(theirs[id.AliasKey.Kind]) > 0 {
			ours[id.AliasKey.Kind] = ours[id.AliasKey.Kind] || slices.Contains(theirs[id.AliasKey.Kind], id.AliasKey.Key)
		}
	}
	for _, common := range ours {
		if !common {
			return true
		}
	}
	return false
}

// prior returns the prior of a candidate. A name within one scope is presumed to mean one entity; a record is
// not, because no text around the record implies which entity is meant.
func (l *candidateSet) prior(c Scored) similarity.Prior {
	switch {
	case c.Identified:
		return l.matcher.Model.IdentifiedPrior()
	case c.Exact && c.Root.Status == tenure.EntityPending && l.mention.Record == nil,
		c.UniqueHolder && l.mention.Record == nil:
		return l.matcher.Model.UniqueHolderPrior()
	default:
		return l.matcher.Model.RegistryPrior()
	}
}

// compatible reports whether an entity of the type may be what the mention means.
func (l *candidateSet) compatible(ctx context.Context, entityType string) (bool, error) {
	return compatible(ctx, l.known, entityType, l.mention.Type)
}
