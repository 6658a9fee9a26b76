package registry

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/attribute"
	"tenure/similarity"
)

// Assessment is the result of comparing a root with other roots. Candidates are sorted by score, and
// auto_merge means the first of them. Contested is set where merging or asking about a single pair may be
// wrong, because one side contains several records: [Matcher.Recluster] then decides over the whole
// neighbourhood.
type Assessment struct {
	Outcome    tenure.Outcome
	Score      float64
	Reason     string
	Candidates []Scored
	Contested  bool
	Clear      bool // no other candidate scores close to the first
	Redefined  bool // the root says other than when it was written, by the definitions of today
	Near       []tenure.Entity
}

// Reassess compares an existing root with the proposals. Proposals with a cannot-link to the root, of another
// project, or waiting for a person's answer are no candidates.
func (m Matcher) Reassess(
	ctx context.Context, k MentionReader, root tenure.Entity, proposals []tenure.ID,
) (Assessment, error) {
	k, roots, redefined, err := readToday(ctx, mentionsSeenBy(k, root.Label.Covers), root)
	if err != nil {
		return Assessment{}, err
	}
	root = roots[0]
	a := &assessor{matcher: m, known: k, root: root, seen: map[tenure.ID]bool{root.ID: true}}
	members, err := Members(ctx, k, root)
	if err != nil {
		return Assessment{}, err
	}
	if a.cannotLink, err = cannotLinkWith(ctx, k, members); err != nil {
		return Assessment{}, err
	}
	a.own, a.whole, a.prepared = members, parts(members), m.Model.CachedRoot(members)
	for _, id := range proposals {
		if err := a.candidate(ctx, id); err != nil {
			return Assessment{}, err
		}
	}
	s := a.assessment()
	s.Redefined = redefined
	return s, nil
}

// assessment applies the thresholds to the scored roots.
func (a *assessor) assessment() Assessment {
	slices.SortFunc(a.found, func(x, y neighbour) int {
		return cmp.Or(cmp.Compare(y.Comparison.Score, x.Comparison.Score),
			strings.Compare(string(x.Root.ID), string(y.Root.ID)))
	})
	s := Assessment{Outcome: tenure.NewEntity, Reason: NoCandidate, Contested: a.selfContradictory() || a.whole > 1}
	for _, c := range a.found {
		like := c.Comparison.Score > similarity.NewAt
		s.Near = append(s.Near, c.Root)
		if like && c.Root.Status == tenure.EntityCanonical {
			s.Candidates = append(s.Candidates, c.Scored)
		}
		s.Contested = s.Contested || a.whole > 1 || c.whole > 1
	}
	alike := a.labelledAlike()
	s.Contested = s.Contested && alike
	if len(s.Candidates) == 0 {
		return s
	}
	best := s.Candidates[0].Comparison
	s.Outcome, s.Score, s.Reason = tenure.InReview, best.Score, BySimilarity
	switch {
	case best.Score < similarity.MergeAt:
	case best.Veto != "":
		s.Reason = best.Veto
	// For a record, clustering decides between close candidates.
	case (len(a.root.Records) == 0 || !alike) && closeSecond(s.Candidates):
		s.Reason = SeveralSimilar
	default:
		s.Outcome, s.Contested, s.Clear = tenure.AutoMerge, alike, !closeSecond(s.Candidates)
	}
	return s
}

// labelledAlike reports whether whoever sees one of the roots sees all of them. Clustering may move mentions of any of
// them; whoever does not see what it goes by must not see that it did.
func (a *assessor) labelledAlike() bool {
	return !slices.ContainsFunc(a.found, func(c neighbour) bool { return c.Root.Label != a.root.Label })
}

// selfContradictory reports whether the root contains records, or mentions in texts, that contradict one another.
func (a *assessor) selfContradictory() bool {
	return (a.whole > 1 || len(a.root.Records) == 0) && a.prepared.SelfContradictory()
}

type assessor struct {
	matcher    Matcher
	known      MentionReader
	root       tenure.Entity
	own        []tenure.Entity
	prepared   *similarity.Prepared
	records    []*similarity.Prepared // of the root, once they were needed
	cannotLink map[tenure.ID]bool
	whole      int // lower bound of the number of records
	seen       map[tenure.ID]bool
	found      []neighbour
}

// neighbour is a root that resembles another. It is hidden if it would be a candidate without the evidence
// against it, since that evidence may concern only some of its records.
type neighbour struct {
	Scored
	whole  int // lower bound of the number of records
	hidden bool
}

// candidate scores a proposal unless a rule excludes it.
func (a *assessor) candidate(ctx context.Context, id tenure.ID) error {
	e, err := a.known.Entity(ctx, id)
	if err == nil && e != nil && e.Status == tenure.EntityMerged {
		e, err = a.known.Entity(ctx, e.Root())
	}
	if e == nil || err != nil || a.seen[e.ID] {
		return err
	}
	a.seen[e.ID] = true
	if !shouldReassess(*e) || e.Project != a.root.Project && e.Project != "" {
		return nil
	}
	if ok, err := compatible(ctx, a.known, e.Type, a.root.Type); !ok || err != nil {
		return err
	}
	members, err := Members(ctx, a.known, *e)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(members, func(m tenure.Entity) bool { return a.cannotLink[m.ID] }) {
		return nil
	}
	cannotLink, err := distinctRecords(ctx, a.known, a.own, members)
	if err != nil {
		return err
	}
	return a.compare(ctx, *e, members, cannotLink)
}

// compare scores a root. With cannotLink set the root cannot be linked as a whole, but some of its records may
// still belong to the other.
func (a *assessor) compare(ctx context.Context, root tenure.Entity, members []tenure.Entity, cannotLink bool) error {
	other := a.matcher.Model.CachedRoot(members)
	p := a.matcher.Model.CachedPair(a.prepared, other)
	c := neighbour{
		Scored: Scored{Root: root, Member: root.ID}, whole: parts(members),
		hidden: similarity.Probability(p.Registry+p.Against) > similarity.NewAt,
	}
	switch {
	case !cannotLink && similarity.Probability(p.Registry) > similarity.NewAt:
		c.Comparison = a.matcher.Model.CompareCached(a.prepared, other, a.matcher.Model.RegistryPrior())
	case a.whole == 1 && c.whole == 1:
		return nil
	case !c.hidden:
		near, err := a.nearByRecords(ctx, root, members)
		if !near || err != nil {
			return err
		}
	}
	a.found = append(a.found, c)
	return nil
}

// nearByRecords reports whether a record of the root and one of another root are near each other, which their roots may
// not be: what a description says depends on the name that it is compared under, and a root has several.
func (a *assessor) nearByRecords(ctx context.Context, root tenure.Entity, members []tenure.Entity) (bool, error) {
	described := func(e tenure.Entity) bool { return len(e.Context) > 0 }
	if !slices.ContainsFunc(a.own, described) || !slices.ContainsFunc(members, described) {
		return false, nil
	}
	if a.records == nil {
		own, err := a.recordsOf(ctx, a.root, a.own)
		if err != nil {
			return false, err
		}
		a.records = own
	}
	theirs, err := a.recordsOf(ctx, root, members)
	if err != nil {
		return false, err
	}
	for _, x := range a.records {
		for _, y := range theirs {
			if similarity.Probability(a.matcher.Model.CachedPair(x, y).Registry) > similarity.NewAt {
				return true, nil
			}
		}
	}
	return false, nil
}

// recordsOf lists what the records of a root say, each by itself. A member with one record says what that says.
func (a *assessor) recordsOf(
	ctx context.Context, root tenure.Entity, members []tenure.Entity,
) (list []*similarity.Prepared, err error) {
	for _, e := range members {
		if len(e.Records) == 1 {
			list = append(list, a.matcher.Model.CachedRoot([]tenure.Entity{e}))
			continue
		}
		mentions, err := a.known.MentionsOf(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		for _, r := range groupRecords(a.matcher.Model, root, mentions) {
			list = append(list, a.matcher.Model.CachedProfile(r.profile))
		}
	}
	return list, nil
}

// shouldReassess reports whether re-resolution considers the entity: a root that is canonical, or pending
// because of its score or as a record. An entity that is pending because of a rule waits for a person.
func shouldReassess(e tenure.Entity) bool {
	return e.Status == tenure.EntityCanonical ||
		e.Status == tenure.EntityPending && (len(e.Records) > 0 || FromScore(e.Reason))
}

// FromScore reports whether a reason leaves a decision open because of scores alone, and not because a rule
// demands a person.
func FromScore(reason string) bool {
	switch reason {
	case BySimilarity, ByExactName, ByIdentifier, SeveralSimilar, SeveralCandidates:
		return true
	}
	return false
}

// parts returns a lower bound of the number of records in members.
func parts(members []tenure.Entity) int {
	n := 0
	for _, e := range members {
		n += max(1, len(e.Records))
	}
	return n
}

// cannotLinkWith returns the entities that have a cannot-link with one of the members.
func cannotLinkWith(ctx context.Context, k EntityReader, members []tenure.Entity) (map[tenure.ID]bool, error) {
	cannotLink := map[tenure.ID]bool{}
	for _, m := range members {
		decisions, err := k.IdentityDecisionsOn(ctx, m.ID)
		if err != nil {
			return nil, err
		}
		for _, v := range decisions {
			if v.BarsLink() {
				cannotLink[v.From], cannotLink[v.Into] = true, true
			}
		}
	}
	for _, m := range members {
		delete(cannotLink, m.ID)
	}
	return cannotLink, nil
}

// distinctRecords reports whether a deduplicated source has different records for the two, of which the second may be
// seen by more: then the rows count, too, by which those know it who see the first.
func distinctRecords(ctx context.Context, k EntityReader, a, b []tenure.Entity) (bool, error) {
	ours, single := recordsOf(a), false
	for i := 0; i < len(ours) && !single; i++ {
		var err error
		if single, err = deduplicatedSource(ctx, k, ours[i].Source); err != nil {
			return false, err
		}
	}
	if !single {
		return false, nil
	}
	theirs, err := withNarrower(ctx, k, a[0].Label, b)
	if err != nil {
		return false, err
	}
	for _, source := range otherRows(ours, theirs) {
		if single, err := deduplicatedSource(ctx, k, source); single || err != nil {
			return single, err
		}
	}
	return false, nil
}

// withNarrower lists the records of entities, and those that a reader has of them by aliases alone: what is stated
// under another label than that of the entity is not in its profile.
func withNarrower(
	ctx context.Context, k EntityReader, label tenure.Label, members []tenure.Entity,
) ([]tenure.Record, error) {
	list := slices.Clone(recordsOf(members))
	for _, e := range members {
		if e.Label == label {
			continue
		}
		aliases, err := k.AliasesOf(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		for _, o := range aliases {
			if row, ok := attribute.RecordOf(o.Key); ok {
				list = append(list, row)
			}
		}
	}
	return list, nil
}

func deduplicatedSource(ctx context.Context, k EntityReader, source string) (bool, error) {
	term, err := k.Term(ctx, tenure.TermID(tenure.Sources, source))
	return term != nil && term.Deduplicated, err
}

func recordsOf(members []tenure.Entity) []tenure.Record {
	if len(members) == 1 {
		return members[0].Records
	}
	var list []tenure.Record
	for _, e := range members {
		list = append(list, e.Records...)
	}
	return list
}

// otherRows lists the sources that have records on both sides and none in common. With a record in common, a
// person may have decided that two rows of the source are one.
func otherRows(a, b []tenure.Record) []string {
	var list []string
	for _, x := range a {
		if slices.Contains(list, x.Source) || !slices.ContainsFunc(b,
			func(y tenure.Record) bool { return y.Source == x.Source }) {
			continue
		}
		common := func(z tenure.Record) bool { return z.Source == x.Source && slices.Contains(b, z) }
		if !slices.ContainsFunc(a, common) {
			list = append(list, x.Source)
		}
	}
	return list
}
