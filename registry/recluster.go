package registry

import (
	"context"
	"errors"
	"slices"

	"tenure"
	"tenure/cache"
	"tenure/ledger"

	"tenure/similarity"
)

// contested has all that is near taken apart and put together again, of which it
// takes the first step.
func (c *Reresolve) contested(ctx context.Context, txn *ledger.Txn, m tenure.Mint, e tenure.Entity, found Assessment) (any, error) {
	if !c.Settled.has(known(txn, e)) {
		if err := txn.RequireExclusive(); err != nil {
			return nil, err
		}
		g, err := c.regroup(ctx, txn, e, found)
		if err != nil {
			return nil, err
		}
		if g == nil && found.Clear {
			return c.act(ctx, txn, m, e, found)
		}
		j := newIdentityTxn(txn, m, ActorReresolver)
		again, err := splitBefore(ctx, txn, g)
		switch {
		case err != nil:
			return nil, err
		case again || g == nil:
		case g.From != nil:
			return c.split(ctx, j, *g)
		case g.Same != nil:
			return c.merge(ctx, j, g.Same[0], g.Same[1], g.Score)
		}
	}
	if found.Outcome == tenure.AutoMerge {
		found.Outcome, found.Reason = tenure.InReview, SeveralSimilar
	}
	return c.act(ctx, txn, m, e, found)
}

// resplits is how often the same is split from the same before it is left to a
// person: what is near may look different from different sides.
const resplits = 2

// splitBefore tells whether what is to be split has gone and come back.
func splitBefore(ctx context.Context, txn *ledger.Txn, g *ClusterPlan) (bool, error) {
	if g == nil || g.From == nil {
		return false, nil
	}
	times := 0
	for _, id := range g.From.Whole() {
		verdicts, err := txn.IdentityDecisionsOn(ctx, id)
		if err != nil {
			return false, err
		}
		for _, v := range verdicts {
			if v.Kind == tenure.Split && v.Automatic && v.From == id && slices.Contains(mentionsIn(v.Moved), g.Split[0]) {
				times++
			}
		}
	}
	return times >= resplits, nil
}

// regroup says how all that is near belongs together; nil where there is too much
// of it.
func (c *Reresolve) regroup(ctx context.Context, txn *ledger.Txn, e tenure.Entity, found Assessment) (*ClusterPlan, error) {
	near, err := c.gatherNear(ctx, txn, e, found)
	if err != nil || near == nil {
		return nil, err
	}
	g, err := c.Judge.Recluster(ctx, txn, near)
	if err != nil || g == nil {
		return nil, err
	}
	if g.From == nil && g.Same == nil {
		for _, root := range near {
			c.Settled.add(known(txn, root))
		}
	}
	return g, nil
}

// StableRoots remembers of roots what is near them, and which of them are grouped as
// they ought to be together with all of that, so that neither is worked out again
// from each side.
type StableRoots struct {
	grouped *cache.Cache[rootVersion, bool]
	near    *cache.Cache[rootVersion, []tenure.ID]
}

// rootVersion is a root with what its members say.
type rootVersion struct {
	id   tenure.ID
	says uint64
}

// remembered is how many roots of either kind are kept, in each half of a cache.
const remembered = 1 << 14

// NewSettled makes one that remembers some thousands of roots.
func NewSettled() *StableRoots {
	return &StableRoots{cache.New[rootVersion, bool](remembered), cache.New[rootVersion, []tenure.ID](remembered)}
}

func versionOf(members []tenure.Entity) rootVersion {
	return rootVersion{members[0].ID, similarity.Fingerprint(members)}
}

func (s *StableRoots) has(members []tenure.Entity) bool {
	if s == nil {
		return false
	}
	_, ok := s.grouped.Get(versionOf(members))
	return ok
}

func (s *StableRoots) add(members []tenure.Entity) {
	if s != nil {
		s.grouped.Put(versionOf(members), true, 1)
	}
}

func (s *StableRoots) nearTo(members []tenure.Entity) ([]tenure.ID, bool) {
	if s == nil {
		return nil, false
	}
	return s.near.Get(versionOf(members))
}

func (s *StableRoots) addNear(members []tenure.Entity, near []tenure.ID) {
	if s != nil {
		s.near.Put(versionOf(members), near, 1)
	}
}

// farthest bounds the roots that are taken apart together.
const farthest = 24

// gatherNear gathers the roots that may exchange mentions with one another; nil if there are too many of them.
func (c *Reresolve) gatherNear(ctx context.Context, txn *ledger.Txn, e tenure.Entity, found Assessment) ([]tenure.Entity, error) {
	roots := []tenure.Entity{e}
	next := ids(found.Near)
	var lacking error
	for at := 1; ; at++ {
		for _, id := range next {
			if err := addRoot(ctx, txn, &roots, id); err != nil {
				return nil, err
			}
		}
		switch {
		case len(roots) > farthest:
			return nil, nil
		case at == len(roots):
			return roots, lacking
		}
		var err error
		next, err = c.nearTo(ctx, txn, roots[at])
		switch {
		case errors.Is(err, ledger.ErrReplan):
			lacking = err // go on: what the others lack is searched at once
		case err != nil:
			return nil, err
		}
	}
}

// nearTo lists what is near a root, as it was remembered: what has come since is looked at itself, and finds the root.
// A root that was not searched for is left for the next plan.
func (c *Reresolve) nearTo(ctx context.Context, txn *ledger.Txn, root tenure.Entity) ([]tenure.ID, error) {
	members, err := Members(ctx, txn, root)
	if err != nil {
		return nil, err
	}
	if list, ok := c.Settled.nearTo(members); ok {
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
	sight, err := c.Judge.Reassess(ctx, txn, root, c.near[at].proposed)
	if err != nil {
		return nil, err
	}
	list := ids(sight.Near)
	c.Settled.addNear(members, list)
	return list, nil
}

func addRoot(ctx context.Context, txn *ledger.Txn, roots *[]tenure.Entity, id tenure.ID) error {
	e, err := txn.Entity(ctx, id)
	if err == nil && e != nil && e.Root() != id {
		e, err = txn.Entity(ctx, e.Root())
	}
	if e == nil || err != nil || !ShouldReassess(*e) || slices.ContainsFunc(*roots, func(o tenure.Entity) bool { return o.ID == e.ID }) {
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

// split takes from an entity what new evidence says is not of it, and asks a
// person about it: where it belongs if there are several, or whether it does not
// belong there after all.
func (c *Reresolve) split(ctx context.Context, j *identityTxn, g ClusterPlan) (any, error) {
	status, candidates := tenure.EntityCanonical, []tenure.ID{g.From.ID}
	if len(g.Rivals) > 0 {
		status, candidates = tenure.EntityPending, g.Rivals
	}
	v, err := j.split(ctx, *g.From, g.Split, status, tenure.IdentityDecision{Automatic: true, Reason: Contradicted})
	if err != nil {
		return nil, err
	}
	own, err := j.txn.Entity(ctx, v.Into)
	if err != nil {
		return nil, err
	}
	r := tenure.Review{
		ID: j.mint.NewID(), State: tenure.ReviewOpen, Entity: own.ID, Reason: Contradicted,
		Name: own.Name, Type: own.Type, Project: own.Project, OpenedAt: j.mint.Now, Version: 1,
	}
	for _, id := range candidates {
		r.Candidates = append(r.Candidates, tenure.Candidate{Entity: id, Score: g.Score})
	}
	c.found.Opened = &r
	j.txn.Put(tenure.ReviewPut{Review: r})
	p, err := j.finish(ctx)
	return splitAnswer(v, g.From.ID, j, p), err
}
