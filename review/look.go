package review

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/registry"
)

// Look is the second look at an entity, once candidate generation knows all
// that came before it: it is merged into the one that it is the same as, or a
// review asks whether it is.
type Look struct {
	Tenant   string
	Entity   tenure.ID
	Judge    registry.Judge
	Proposer Proposer
	// AskOnly has a review ask where the two would be merged. Limit bounds the
	// candidates; 0 is as many as after a write.
	AskOnly bool
	Limit   int
	// Settled remembers what was grouped already; nil if nothing does.
	Settled *Settled

	found    Found
	searched *tenure.Entity // what proposed is for
	proposed []tenure.ID
	failed   error // of the search
	compared bool  // with what was proposed
	waiting  []tenure.ID
}

// Waiting lists, once Decide was called, the pending entities among the
// candidates: what is new of the entity may settle their reviews.
func (c *Look) Waiting() []tenure.ID { return c.waiting }

// Found is what a look has led to: nothing, a merge of Merged into another, or a
// review. Looked is 1 if there was a root to look at.
type Found struct {
	Looked int
	Merged tenure.ID
	Opened *tenure.Review
}

// Found says, once Decide was called, what it led to.
func (c *Look) Found() Found { return c.found }

// Proposer generates candidates for an entity. An error means that there may be
// others, so that nothing can be decided.
type Proposer interface {
	ProposeFor(tenant string, e tenure.Entity, limit int) ([]tenure.ID, error)
}

// Looker is the actor of what a second look does.
const Looker = "second_look"

// lookedAt bounds the candidates of a second look.
const lookedAt = 24

// Wants lists what Decide reads.
func (c *Look) Prefetch(d *ledger.Txn, round int) ledger.Prefetch {
	e := d.CachedEntity(c.Entity)
	switch {
	case round == 0:
		return ledger.Prefetch{Entities: []tenure.ID{c.Entity}, Verdicts: []tenure.ID{c.Entity}}
	case e == nil || !c.looksAt(*e):
	case round == 1:
		return ledger.Prefetch{Entities: e.Members}
	case round == 2:
		if whole := registry.Combined(known(d, *e)); !c.hasSearched(whole) {
			c.searched, c.compared = &whole, false
			c.proposed, c.failed = c.Proposer.ProposeFor(c.Tenant, whole, cmp.Or(c.Limit, lookedAt))
		}
		return ledger.Prefetch{Entities: c.proposed}
	case round == 3:
		var w ledger.Prefetch
		for _, id := range c.proposed {
			if p := d.CachedEntity(id); p != nil {
				w.Entities = append(append(w.Entities, p.Root()), p.Members...)
			}
		}
		return w
	case round == 4:
		c.anticipate(d, *e)
	}
	return ledger.Prefetch{}
}

// anticipate compares the entity with the candidates, while other looks do the
// same on other processors.
func (c *Look) anticipate(d *ledger.Txn, e tenure.Entity) {
	if c.compared {
		return
	}
	c.compared = true
	own := c.Judge.Model.PrepareRoot(known(d, e))
	for _, id := range c.proposed {
		if members := d.CachedWhole(id); members != nil {
			c.Judge.Model.Anticipate(own, members)
		}
	}
}

// known are the members of a root that were read, itself first.
func known(d *ledger.Txn, root tenure.Entity) []tenure.Entity {
	list := []tenure.Entity{root}
	for _, id := range root.Members {
		if e := d.CachedEntity(id); e != nil {
			list = append(list, *e)
		}
	}
	return list
}

// hasSearched tells whether the candidates are those of the entity as it is. One
// verdict of a group has all that come after it asked again; searching is most
// of what that would cost.
func (c *Look) hasSearched(e tenure.Entity) bool {
	return c.searched != nil && c.failed == nil && registry.Same(*c.searched, e)
}

// looksAt tells which entities are looked at. What is asked already is not asked
// again.
func (c *Look) looksAt(e tenure.Entity) bool {
	return registry.Looks(e) && (e.Status == tenure.EntityCanonical || !c.AskOnly)
}

// Decide turns what the judge finds into a change set, one without changes if
// there is nothing to say. It takes one step: what it changes is looked at again.
func (c *Look) Decide(ctx context.Context, d *ledger.Txn, m tenure.Mint) (tenure.ChangeSet, error) {
	c.waiting, c.found = nil, Found{}
	e, err := d.Entity(ctx, c.Entity)
	if err != nil || e == nil || !c.looksAt(*e) {
		return tenure.ChangeSet{}, err
	}
	if c.failed != nil {
		return tenure.ChangeSet{}, c.failed
	}
	c.found.Looked = 1
	for _, id := range c.proposed {
		if p := d.CachedEntity(id); p != nil && p.Status == tenure.EntityPending && id != e.ID {
			c.waiting = append(c.waiting, id)
		}
	}
	found, err := c.Judge.Look(ctx, d, *e, c.proposed)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	c.Settled.addNear(known(d, *e), ids(found.Near))
	if found.Contested && !c.AskOnly {
		return c.contested(ctx, d, m, *e, found)
	}
	return c.act(ctx, d, m, *e, found)
}

// act merges what is the same, or asks.
func (c *Look) act(ctx context.Context, d *ledger.Txn, m tenure.Mint, e tenure.Entity, found registry.Sight) (tenure.ChangeSet, error) {
	if found.Outcome == tenure.NewEntity {
		return tenure.ChangeSet{}, nil
	}
	if err := d.RequireExclusive(); err != nil {
		return tenure.ChangeSet{}, err
	}
	if e.Status == tenure.EntityPending && found.Outcome != tenure.AutoMerge {
		return c.askMore(ctx, d, e, found)
	}
	j := newJudgement(d, m, Looker)
	if found.Outcome == tenure.AutoMerge && !c.AskOnly {
		return c.merge(ctx, j, e, found.Candidates[0].Root, found.Score)
	}
	return c.ask(ctx, j, e, found)
}

// merge joins the two, the younger into the older.
func (c *Look) merge(ctx context.Context, j *judgement, from, into tenure.Entity, score float64) (tenure.ChangeSet, error) {
	if from.Status == into.Status && older(from, into) && from.Project == into.Project {
		from, into = into, from
	}
	v, err := j.merge(ctx, tenure.Verdict{From: from.ID, Into: into.ID, Automatic: true, Score: score, Reason: registry.BySimilarity})
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	c.found.Merged = v.From
	return j.finish(ctx, func(p projection.Projection) any { return mergeAnswer(v, p) })
}

func older(a, b tenure.Entity) bool {
	return a.CreatedAt < b.CreatedAt || a.CreatedAt == b.CreatedAt && a.ID < b.ID
}

// ask opens a review, unless the same is asked already, from either side.
func (c *Look) ask(ctx context.Context, j *judgement, e tenure.Entity, found registry.Sight) (tenure.ChangeSet, error) {
	var candidates []tenure.Candidate
	for _, s := range found.Candidates {
		asked, err := c.asked(ctx, j.draft, e.ID, s.Root.ID)
		if err != nil {
			return tenure.ChangeSet{}, err
		}
		if !asked && s.Comparison.Score > registry.NewAt {
			candidates = append(candidates, tenure.Candidate{Entity: s.Root.ID, Score: s.Comparison.Score, Veto: s.Comparison.Veto})
		}
	}
	if len(candidates) == 0 {
		return tenure.ChangeSet{}, nil
	}
	c.found.Opened = &tenure.Review{
		ID: j.mint.NewID(), State: tenure.ReviewOpen, Entity: e.ID, Candidates: candidates, Reason: found.Reason,
		Name: e.Name, Type: e.Type, Project: e.Project, OpenedAt: j.mint.Now, Version: 1,
	}
	return tenure.ChangeSet{Changes: []tenure.Change{tenure.ReviewPut{Review: *c.found.Opened}}}, nil
}

// askMore adds to the review of what waits the candidates that came since.
func (c *Look) askMore(ctx context.Context, d *ledger.Txn, e tenure.Entity, found registry.Sight) (tenure.ChangeSet, error) {
	reviews, err := d.ReviewsOf(ctx, e.ID)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	var changes []tenure.Change
	for _, r := range reviews {
		if r.State != tenure.ReviewOpen {
			continue
		}
		next := registry.WithCandidates(r, found.Candidates)
		if len(next.Candidates) > len(r.Candidates) {
			changes = append(changes, tenure.ReviewPut{Review: next})
		}
	}
	return tenure.ChangeSet{Changes: changes}, nil
}

func (c *Look) asked(ctx context.Context, d *ledger.Txn, a, b tenure.ID) (bool, error) {
	for _, pair := range [][2]tenure.ID{{a, b}, {b, a}} {
		reviews, err := d.ReviewsOf(ctx, pair[0])
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(reviews, func(r tenure.Review) bool {
			return r.State == tenure.ReviewOpen && asksAbout(r, pair[0], []tenure.ID{pair[1]})
		}) {
			return true, nil
		}
	}
	return false, nil
}
