package registry

import (
	"context"
	"errors"
	"slices"
	"sync"

	"tenure"
	"tenure/cache"
	"tenure/ledger"

	"tenure/similarity"
)

// contested clusters the neighbourhood of an entity and carries out the first step of the result: a split or
// a merge. It decides at most one step, because each step changes the candidates of the next.
func (c *Reresolve) contested(
	ctx context.Context, txn *ledger.Txn, m tenure.Mint, e tenure.Entity, found Assessment,
) (any, error) {
	if found.Redefined || !c.Stable.has(known(txn, e)) {
		if err := txn.RequireExclusive(); err != nil {
			return nil, err
		}
		g, err := c.recluster(ctx, txn, e, found)
		if err != nil {
			return nil, err
		}
		if g == nil && found.Clear {
			return c.act(ctx, txn, m, e, found)
		}
		t := newIdentityTxn(txn, m, ActorReresolver)
		again, err := splitBefore(ctx, txn, g)
		switch {
		case err != nil:
			return nil, err
		case again || g == nil:
		case g.From != nil:
			return c.split(ctx, t, *g)
		case g.Same != nil:
			return c.merge(ctx, t, g.Same[0], g.Same[1], g.Score)
		}
	}
	// Clustering did not lead to the merge, and the score of the pair alone does not suffice.
	if found.Outcome == tenure.AutoMerge {
		found.Outcome, found.Reason = tenure.InReview, SeveralSimilar
	}
	return c.act(ctx, txn, m, e, found)
}

// maxResplits bounds how often the same mentions are split off automatically before the question is left to a
// person. Clusters may differ by the entity that clustering starts from, and splits and merges could
// alternate for ever.
const maxResplits = 2

// splitBefore reports whether the planned split has been made, and merged again, [maxResplits] times.
func splitBefore(ctx context.Context, txn *ledger.Txn, g *ClusterPlan) (bool, error) {
	if g == nil || g.From == nil {
		return false, nil
	}
	times := 0
	for _, id := range g.From.Whole() {
		decisions, err := txn.IdentityDecisionsOn(ctx, id)
		if err != nil {
			return false, err
		}
		for _, v := range decisions {
			if v.Kind == tenure.Split && v.Automatic && v.From == id && slices.Contains(mentionsIn(v.Moved), g.Split[0]) {
				times++
			}
		}
	}
	return times >= maxResplits, nil
}

// recluster clusters the neighbourhood of an entity; it returns nil if the neighbourhood has too many records.
func (c *Reresolve) recluster(
	ctx context.Context, txn *ledger.Txn, e tenure.Entity, found Assessment,
) (*ClusterPlan, error) {
	roots, err := c.gatherNear(ctx, txn, e, found)
	if err != nil || roots == nil {
		return nil, err
	}
	seen := mentionsSeenBy(txn, e.Label.Covers)
	g, err := c.Matcher.Recluster(ctx, seen, roots, c.Stable.nearness(txn, roots))
	if err != nil || g == nil {
		return nil, err
	}
	if g.From == nil && g.Same == nil {
		for _, root := range roots {
			c.Stable.add(known(txn, root))
		}
	}
	return g, nil
}

// StableRoots caches the neighbours of roots, and the roots whose clusters need no change, so that a
// neighbourhood is not clustered again from each of its roots.
//
// That two are near each other is remembered from both ends, and for as long as it fits: what a search finds from one
// end, it may not find from the other, nor once more has been merged into one of the two. So a neighbourhood is the
// same from whichever of its roots it is followed.
type StableRoots struct {
	stable *cache.Cache[rootVersion, bool]
	looked *cache.Cache[rootVersion, bool] // roots whose neighbours have been searched for

	mu   sync.Mutex // held while lists are extended
	near *cache.Cache[tenure.ID, []tenure.ID]
}

// rootVersion identifies a root together with the content of its members.
type rootVersion struct {
	id      tenure.ID
	content uint64
}

// remembered bounds the entries of each cache, in each of its halves.
const remembered = 1 << 14

// NewStableRoots returns an empty cache.
func NewStableRoots() *StableRoots {
	return &StableRoots{
		stable: cache.New[rootVersion, bool](remembered), looked: cache.New[rootVersion, bool](remembered),
		near: cache.New[tenure.ID, []tenure.ID](remembered),
	}
}

func versionOf(members []tenure.Entity) rootVersion {
	return rootVersion{members[0].ID, similarity.Fingerprint(members)}
}

func (s *StableRoots) has(members []tenure.Entity) bool {
	if s == nil {
		return false
	}
	_, ok := s.stable.Get(versionOf(members))
	return ok
}

func (s *StableRoots) add(members []tenure.Entity) {
	if s != nil {
		s.stable.Put(versionOf(members), true, 1)
	}
}

// nearTo lists the known neighbours of a root, and reports whether they have been searched for.
func (s *StableRoots) nearTo(members []tenure.Entity) (list []tenure.ID, looked bool) {
	if s == nil {
		return nil, false
	}
	for _, e := range members {
		near, _ := s.near.Get(e.ID)
		list = similarity.AppendDistinct(list, maxNeighbourhood, near...)
	}
	_, looked = s.looked.Get(versionOf(members))
	return list, looked
}

// addNear adds the neighbours that a search has found for a root.
func (s *StableRoots) addNear(members []tenure.Entity, near []tenure.Entity) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	root := members[0]
	s.extend(root.ID, ids(near))
	for _, e := range near {
		if e.Label == root.Label { // else what fewer see would be remembered of it
			s.extend(e.ID, []tenure.ID{root.ID})
		}
	}
	s.looked.Put(versionOf(members), true, 1)
}

// nearness returns a function that reports, of the indices of two of the roots, whether one of them is a known
// neighbour of the other. A root of which nothing is known is near all.
func (s *StableRoots) nearness(txn *ledger.Txn, roots []tenure.Entity) func(i, j int) bool {
	if s == nil {
		return nil
	}
	at := map[tenure.ID]int{}
	for i, root := range roots {
		for _, id := range root.Whole() {
			at[id] = i
		}
	}
	unknown := make([]bool, len(roots))
	edges := map[[2]int]bool{}
	for i, root := range roots {
		list, looked := s.nearTo(known(txn, root))
		unknown[i] = len(list) == 0 && !looked
		for _, id := range list {
			if j, ok := at[id]; ok {
				edges[[2]int{i, j}], edges[[2]int{j, i}] = true, true
			}
		}
	}
	return func(i, j int) bool { return i == j || unknown[i] || unknown[j] || edges[[2]int{i, j}] }
}

func (s *StableRoots) extend(id tenure.ID, more []tenure.ID) {
	list, _ := s.near.Get(id)
	if next := similarity.AppendDistinct(list, maxNeighbourhood, more...); len(next) > len(list) {
		s.near.Put(id, next, 1)
	}
}

// maxNeighbourhood bounds the roots that are clustered together.
const maxNeighbourhood = 96

// gatherNear collects an entity and its transitive neighbours, breadth first and at most [maxNeighbourhood]: of
// a larger neighbourhood the nearest, so that many weakly similar roots do not keep an entity from its closest
// ones. It returns nil once these have more records than are clustered together.
func (c *Reresolve) gatherNear(
	ctx context.Context, txn *ledger.Txn, e tenure.Entity, found Assessment,
) ([]tenure.Entity, error) {
	roots := []tenure.Entity{e}
	next, _ := c.Stable.nearTo(known(txn, e))
	next = similarity.AppendDistinct(next, len(next)+len(found.Near), ids(found.Near)...)
	var lacking error
	records, counted := 0, 0
	for at := 1; ; at++ {
		for _, id := range next {
			if err := addRoot(ctx, txn, &roots, id); err != nil {
				return nil, err
			}
		}
		roots = roots[:min(len(roots), maxNeighbourhood)]
		for ; counted < len(roots); counted++ {
			records += parts(known(txn, roots[counted]))
		}
		switch {
		case records > maxRecords:
			return nil, nil
		case at == len(roots) || len(roots) == maxNeighbourhood:
			return roots, lacking
		}
		var err error
		next, err = c.nearTo(ctx, txn, roots[at])
		switch {
		case errors.Is(err, ledger.ErrReplan):
			lacking = err // continue, so that one replan searches for all roots that lack neighbours
		case err != nil:
			return nil, err
		}
	}
}

// nearTo lists the neighbours of a root, from the cache if they have been searched for. What came later has found the
// root by its own re-resolution. For a root without a search it returns ErrReplan, and the next plan includes the
// search.
func (c *Reresolve) nearTo(ctx context.Context, txn *ledger.Txn, root tenure.Entity) ([]tenure.ID, error) {
	members, err := Members(ctx, mentionsSeenBy(txn, root.Label.Covers), root)
	if err != nil {
		return nil, err
	}
	if list, ok := c.Stable.nearTo(members); ok {
		return list, nil
	}
	version := versionOf(members)
	at := slices.IndexFunc(c.near, func(s *nearSearch) bool { return s.of == version })
	if at < 0 {
		c.near = append(c.near, &nearSearch{of: version, root: similarity.Combined(members)})
		return nil, ledger.ErrReplan
	}
	if c.near[at].err != nil {
		return nil, c.near[at].err
	}
	found, err := c.Matcher.Reassess(ctx, txn, root, c.near[at].proposed)
	if err != nil {
		return nil, err
	}
	c.Stable.addNear(members, found.Near)
	list, _ := c.Stable.nearTo(members)
	return similarity.AppendDistinct(list, len(list)+len(found.Near), ids(found.Near)...), nil
}

// addRoot adds the root of an entity to roots, unless others see it than see the first of them.
func addRoot(ctx context.Context, txn *ledger.Txn, roots *[]tenure.Entity, id tenure.ID) error {
	e, err := txn.Entity(ctx, id)
	if err == nil && e != nil && e.Root() != id {
		e, err = txn.Entity(ctx, e.Root())
	}
	if e == nil || err != nil || !shouldReassess(*e) || e.Label != (*roots)[0].Label ||
		slices.ContainsFunc(*roots, func(o tenure.Entity) bool { return o.ID == e.ID }) {
		return err
	}
	*roots = append(*roots, *e)
	return nil
}

func ids(list []tenure.Entity) []tenure.ID {
	var out []tenure.ID
	for _, e := range list {
		out = append(out, e.ID)
	}
	return out
}

// split splits mentions off an entity and opens a review: which of the competing clusters the mentions belong
// to or, without any, whether the split was right.
func (c *Reresolve) split(ctx context.Context, t *identityTxn, g ClusterPlan) (any, error) {
	status, candidates := tenure.EntityCanonical, []tenure.ID{g.From.ID}
	if len(g.Competitors) > 0 {
		status, candidates = tenure.EntityPending, g.Competitors
	}
	v, err := t.split(ctx, *g.From, g.Split, status, tenure.IdentityDecision{Automatic: true, Reason: Contradicted})
	if err != nil {
		return nil, err
	}
	own, err := t.txn.Entity(ctx, v.Into)
	if err != nil {
		return nil, err
	}
	r := tenure.Review{
		ID: t.mint.NewID(), State: tenure.ReviewOpen, Entity: own.ID, Reason: Contradicted,
		Name: own.Name, Type: own.Type, Project: own.Project, OpenedAt: t.mint.Now, Version: 1,
	}
	for _, id := range candidates {
		r.Candidates = append(r.Candidates, tenure.Candidate{Entity: id, Score: g.Score})
	}
	c.found.Opened = &r
	t.txn.Put(tenure.ReviewPut{Review: r})
	moved, err := t.moved(ctx, nil)
	if err != nil {
		return nil, err
	}
	p, err := t.finish(ctx)
	return splitAnswer(v, g.From.ID, moved, p), err
}
