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
// identifiers, of which its name may be one, or by its name, pending entities of that name, related candidates, and
// the proposals unless one identified candidate already scores over the merge threshold. The result is sorted by
// [inOrder].
func (r *resolver) candidates(ctx context.Context) ([]Scored, error) {
	if err := r.readName(ctx); err != nil {
		return nil, err
	}
	s := &candidateSet{resolver: r, at: map[tenure.ID]int{}, list: make([]Scored, 0, len(r.hints.Proposed)+1)}
	for _, step := range []func(context.Context) error{s.identified, s.named, s.score} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if !r.thorough && len(s.list) == 1 && s.list[0].Identified && s.list[0].Comparison.Score >= similarity.MergeAt &&
		s.list[0].Comparison.Veto == "" {
		return s.list, nil
	}
	for _, id := range slices.Concat(r.hints.Session, r.hints.Proposed) {
		if _, err := s.add(ctx, id); err != nil {
			return nil, err
		}
	}
	for _, step := range []func(context.Context) error{s.score, s.addRelated, s.score, s.rewritten} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	s.shortInSession()
	inOrder(s.list)
	s.askAboutFew()
	return s.list, s.addSameTokens(ctx)
}

// addSameTokens marks the candidates whose name has the same folded words as the mention's name in any order.
// Such a name is shared by all of them, even if only one has the exact spelling. The names are compared only
// if a unique name is about to decide.
func (s *candidateSet) addSameTokens(ctx context.Context) error {
	if s.mention.Record != nil || !slices.ContainsFunc(s.list, func(c Scored) bool { return c.UniqueHolder }) {
		return nil
	}
	key := similarity.SortedTokens(s.mention.Name)
	if key == "" {
		return nil // only signs, or a script without words
	}
	for i := range s.list {
		if s.list[i].Comparison.Score <= 1-similarity.NewAt {
			continue // a candidate with the same words would score higher
		}
		members, err := s.members(ctx, s.list[i].Root)
		if err != nil {
			return err
		}
		s.list[i].SameTokens = slices.ContainsFunc(members, func(e tenure.Entity) bool {
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
func (s *candidateSet) add(ctx context.Context, id tenure.ID) (int, error) {
	e, err := s.known.Entity(ctx, id)
	if e == nil || err != nil {
		return -1, err
	}
	member := *e
	if e.Status == tenure.EntityMerged {
		if e, err = s.known.Entity(ctx, e.Root()); e == nil || err != nil {
			return -1, err
		}
	}
	if i, ok := s.at[e.ID]; ok {
		return i, nil
	}
	if !s.admits(*e) {
		return -1, nil
	}
	ok, err := s.compatible(ctx, *e)
	if !ok || err != nil {
		return -1, err
	}
	if apart, err := s.cannotLink(ctx, *e); apart || err != nil {
		return -1, err
	}
	s.at[e.ID] = len(s.list)
	s.list = append(s.list, Scored{Root: *e, Member: member.ID})
	return s.at[e.ID], nil
}

// admits reports whether the status and the project of a root let the mention mean it, and no reused record parts them.
func (s *candidateSet) admits(root tenure.Entity) bool {
	return (root.Status == tenure.EntityCanonical || root.Status == tenure.EntityPending) &&
		(root.Project == "" || root.Project == s.mention.Project) && (s.former == nil || s.former.Root.ID != root.ID)
}

// cannotLink reports whether the entity has a different record of the mention's source, where that source is
// deduplicated.
func (s *candidateSet) cannotLink(ctx context.Context, e tenure.Entity) (bool, error) {
	if s.mention.Record == nil {
		return false, nil
	}
	members, err := s.members(ctx, e)
	if err != nil {
		return false, err
	}
	own := tenure.Entity{Records: []tenure.Record{*s.mention.Record}, Label: s.mention.Label}
	return distinctRecords(ctx, s.known, []tenure.Entity{own}, members)
}

func (s *candidateSet) members(ctx context.Context, root tenure.Entity) ([]tenure.Entity, error) {
	return Members(ctx, s.known, root)
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

// ofProject reports whether an alias is one in the mention's project, or in the whole tenant.
func (r *resolver) ofProject(o tenure.Alias) bool {
	return o.Project == "" || o.Project == r.mention.Project
}

// identified adds the entities known by the mention's exclusive identifiers.
func (s *candidateSet) identified(ctx context.Context) error {
	for _, id := range s.ids {
		if !id.Exclusive {
			continue
		}
		aliases, err := s.known.AliasesByKey(ctx, id.AliasKey)
		if err != nil {
			return err
		}
		for _, o := range aliases {
			if !s.ofProject(o) {
				continue
			}
			i, err := s.add(ctx, o.Entity)
			if err != nil {
				return err
			}
			if i >= 0 && s.list[i].Root.Status == tenure.EntityCanonical {
				s.list[i].Identified = true
			}
		}
	}
	return nil
}

// named adds the visible entities known by the mention's name or, if there are none, by one of its aliases.
// Entities of the mention's project precede global ones.
func (s *candidateSet) named(ctx context.Context) error {
	if s.mention.Name == "" {
		return nil
	}
	found, err := s.addKnownAs(ctx, similarity.NameAliasKey(s.mention.Name))
	if err != nil {
		return err
	}
	if found == 0 {
		for _, a := range s.mention.Aliases {
			n, err := s.addKnownAs(ctx, similarity.NameAliasKey(a))
			if err != nil {
				return err
			}
			found += n
		}
	}
	for i := range s.list {
		s.list[i].UniqueHolder = s.list[i].Exact && found == 1
	}
	return nil
}

// rewritten treats candidates as known by the mention's name if they have it in another writing, provided that none
// has it exactly, and one that is settled has it. Those of the mention's project precede global ones.
func (s *candidateSet) rewritten(ctx context.Context) error {
	if s.mention.Record != nil || slices.ContainsFunc(s.list, func(c Scored) bool { return c.Exact }) {
		return nil
	}
	own, all, same := 0, 0, make([]bool, len(s.list))
	for i := range s.list {
		c := &s.list[i]
		var err error
		if same[i], err = s.writtenLike(ctx, c); err != nil {
			return err
		}
		if same[i] && c.Root.Status != tenure.EntityPending {
			all++
			own += boolToInt(c.Root.Project == s.mention.Project)
		}
	}
	if all == 0 {
		return nil
	}
	for i := range s.list {
		c := &s.list[i]
		c.Exact = same[i] && (own == 0 || c.Root.Project == s.mention.Project)
		c.UniqueHolder = c.Exact && (own == 1 || all == 1)
	}
	s.scored = 0
	return s.score(ctx)
}

// writtenLike reports whether a candidate has the mention's name in another writing: of people also with other titles
// or with the family name first.
func (s *candidateSet) writtenLike(ctx context.Context, c *Scored) (bool, error) {
	same := s.matcher.Model.SameName(s.prepared, c.like)
	if same || !s.matcher.Model.BothPeople(s.prepared, c.like) {
		return same, nil
	}
	members, err := s.members(ctx, c.Root)
	return err == nil && similarity.KnownAs(s.mention.Name, knownNames(members)), err
}

func knownNames(list []tenure.Entity) (names []string) {
	for _, e := range list {
		names = append(names, e.Spellings()...)
	}
	return names
}

// addKnownAs adds the entities known by an alias key and returns the number of canonical ones. Canonical
// entities are counted in the nearest scope only that has any.
func (s *candidateSet) addKnownAs(ctx context.Context, key tenure.AliasKey) (int, error) {
	aliases, err := s.known.AliasesByKey(ctx, key)
	if err != nil {
		return 0, err
	}
	projects := []string{s.mention.Project, ""}
	for _, project := range slices.Compact(projects) {
		n := 0
		for _, o := range aliases {
			if o.Project != project {
				continue
			}
			i, err := s.add(ctx, o.Entity)
			if err != nil {
				return 0, err
			}
			if i >= 0 && !s.list[i].Exact {
				s.list[i].Exact = true
				s.list[i].Member = o.Entity
				n += boolToInt(s.list[i].Root.Status == tenure.EntityCanonical)
			}
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

// score compares the mention with the candidates that were added since the last call.
func (s *candidateSet) score(ctx context.Context) error {
	for ; s.scored < len(s.list); s.scored++ {
		c := &s.list[s.scored]
		members, err := s.members(ctx, c.Root)
		if err != nil {
			return err
		}
		c.Root = c.Root.Shown(members)
		c.like = s.matcher.Model.CachedRoot(members)
		c.prior = s.prior(*c)
		c.Comparison = s.matcher.Model.CompareCached(s.prepared, c.like, c.prior)
		if err := s.addCoMentions(ctx, c, members); err != nil {
			return err
		}
		s.presume(c)
		believed, err := s.believedOtherwise(ctx, c, members)
		if err != nil {
			return err
		}
		switch {
		case c.Comparison.Veto != "":
		case believed != "":
			c.Comparison.Veto = believed
		case s.prepared.TwoBirthDates():
			c.Comparison.Veto = similarity.VetoBirthDate // else it would join those who have them
		case s.mention.Record == nil && contradicts(s.ids, members):
			c.Comparison.Veto = similarity.VetoIdentifier
		}
	}
	return nil
}

// presume applies the presumption that a name means the only entity that has it. It ends where anything speaks against
// it: then what is known of the two decides, at even odds.
func (s *candidateSet) presume(c *Scored) {
	switch {
	case !s.presumes(c):
	case c.Comparison.Veto == "" && unopposed(s.reasons(c)):
		c.Comparison.Score = max(c.Comparison.Score, scoreByName)
	default:
		c.prior = similarity.EvenPrior()
		c.Comparison = s.matcher.Model.CompareCached(s.prepared, c.like, c.prior)
	}
}

// presumes reports whether the name is presumed to mean the candidate. Of offers a title is presumed to mean nothing.
func (s *candidateSet) presumes(c *Scored) bool {
	return c.UniqueHolder && s.mention.Record == nil && !s.vague && !s.matcher.Model.Unnumbered(s.prepared, c.like)
}

// addCoMentions adds the evidence of shared relations to a candidate, if that evidence can change the
// decision.
func (s *candidateSet) addCoMentions(ctx context.Context, c *Scored, members []tenure.Entity) error {
	beside := s.hints.CoMentions
	if len(beside) == 0 || c.Comparison.Score < 1-similarity.NewAt || c.Comparison.Score >= similarity.MergeAt {
		return nil
	}
	related, err := s.known.Related(ctx, c.Root.Whole())
	if err != nil || !slices.ContainsFunc(related, func(id tenure.ID) bool { return slices.Contains(beside, id) }) {
		return err
	}
	p := similarity.ProfileOf(members)
	p.Neighbours = related
	c.like = s.matcher.Model.Prepare(p)
	c.Comparison = s.matcher.Model.CompareCached(s.prepared, c.like, c.prior)
	return nil
}

// reasons returns the contributions to a candidate's score.
func (r *resolver) reasons(c *Scored) []similarity.Contribution {
	return r.matcher.Model.Compare(r.prepared, c.like, c.prior).Contributions
}

// unopposed reports whether the frequency of the name, or an identifier of a kind of which an entity may have several,
// is the only evidence against a candidate. Within one scope even a common name means one entity.
func unopposed(reasons []similarity.Contribution) bool {
	return !slices.ContainsFunc(reasons, func(c similarity.Contribution) bool {
		return c.LogOdds < 0 && !strings.HasPrefix(c.Feature, "name") && !strings.HasPrefix(c.Feature, "prior") &&
			c.Feature != "calibration" && c.Feature != "bound" && c.Feature != "identifier_other"
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
func (s *candidateSet) prior(c Scored) similarity.Prior {
	switch {
	case c.Identified:
		return s.matcher.Model.IdentifiedPrior()
	case c.Exact && c.Root.Status == tenure.EntityPending && s.mention.Record == nil, s.presumes(&c):
		return s.matcher.Model.UniqueHolderPrior()
	default:
		return s.matcher.Model.RegistryPrior()
	}
}

// compatible reports whether the type of an entity lets it be what the mention means. A description may give a project
// that the session mentioned the type of its repository, and the reverse.
func (s *candidateSet) compatible(ctx context.Context, e tenure.Entity) (bool, error) {
	ok, err := compatible(ctx, s.known, e.Type, s.mention.Type)
	if ok || err != nil || !s.vague || !s.mentioned(e) {
		return ok, err
	}
	return similarity.TypesInterchange(e.Type, s.mention.Type), nil
}
