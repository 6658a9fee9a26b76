package review

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/cache"
	"tenure/projection"
	"tenure/registry"
	"tenure/store"
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

// Proposer generates candidates for an entity.
type Proposer interface {
	ProposeFor(tenant string, e tenure.Entity, limit int) []tenure.ID
}

// Looker is the actor of what a second look does.
const Looker = "second_look"

// lookedAt bounds the candidates of a second look.
const lookedAt = 24

// Wants lists what Decide reads.
func (c *Look) Wants(d *store.Draft, round int) store.Wants {
	e := d.KnownEntity(c.Entity)
	switch {
	case round == 0:
		return store.Wants{Entities: []tenure.ID{c.Entity}, Verdicts: []tenure.ID{c.Entity}}
	case e == nil || !c.looksAt(*e):
	case round == 1:
		return store.Wants{Entities: e.Members}
	case round == 2:
		if whole := registry.Combined(known(d, *e)); !c.hasSearched(whole) {
			c.searched, c.proposed = &whole, c.Proposer.ProposeFor(c.Tenant, whole, cmp.Or(c.Limit, lookedAt))
		}
		return store.Wants{Entities: c.proposed}
	case round == 3:
		var w store.Wants
		for _, id := range c.proposed {
			if p := d.KnownEntity(id); p != nil {
				w.Entities = append(append(w.Entities, p.Root()), p.Members...)
			}
		}
		return w
	}
	return store.Wants{}
}

// known are the members of a root that were read, itself first.
func known(d *store.Draft, root tenure.Entity) []tenure.Entity {
	list := []tenure.Entity{root}
	for _, id := range root.Members {
		if e := d.KnownEntity(id); e != nil {
			list = append(list, *e)
		}
	}
	return list
}

// hasSearched tells whether the candidates are those of the entity as it is. One
// verdict of a group has all that come after it asked again; searching is most
// of what that would cost.
func (c *Look) hasSearched(e tenure.Entity) bool {
	return c.searched != nil && registry.Same(*c.searched, e)
}

// looksAt tells which entities are looked at. What is asked already is not asked
// again.
func (c *Look) looksAt(e tenure.Entity) bool {
	return registry.Looks(e) && (e.Status == tenure.EntityCanonical || !c.AskOnly)
}

// Decide turns what the judge finds into a change set, one without changes if
// there is nothing to say. It takes one step: what it changes is looked at again.
func (c *Look) Decide(ctx context.Context, d *store.Draft, m tenure.Mint) (tenure.ChangeSet, error) {
	c.waiting, c.found = nil, Found{}
	e, err := d.Entity(ctx, c.Entity)
	if err != nil || e == nil || !c.looksAt(*e) {
		return tenure.ChangeSet{}, err
	}
	c.found.Looked = 1
	for _, id := range c.proposed {
		if p := d.KnownEntity(id); p != nil && p.Status == tenure.EntityPending && id != e.ID {
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
func (c *Look) act(ctx context.Context, d *store.Draft, m tenure.Mint, e tenure.Entity, found registry.Sight) (tenure.ChangeSet, error) {
	if found.Outcome == tenure.NewEntity {
		return tenure.ChangeSet{}, nil
	}
	if err := d.Alone(); err != nil {
		return tenure.ChangeSet{}, err
	}
	j := newJudgement(d, m, Looker)
	if e.Status == tenure.EntityPending && found.Outcome != tenure.AutoMerge {
		return c.askMore(ctx, d, e, found)
	}
	if found.Outcome == tenure.AutoMerge && !c.AskOnly {
		return c.merge(ctx, j, e, found.Candidates[0].Root, found.Score)
	}
	return c.ask(ctx, j, e, found)
}

// contested has all that is near taken apart and put together again, of which it
// takes the first step.
func (c *Look) contested(ctx context.Context, d *store.Draft, m tenure.Mint, e tenure.Entity, found registry.Sight) (tenure.ChangeSet, error) {
	if !c.Settled.has(known(d, e)) {
		if err := d.Alone(); err != nil {
			return tenure.ChangeSet{}, err
		}
		g, err := c.regroup(ctx, d, e, found)
		if err != nil {
			return tenure.ChangeSet{}, err
		}
		if g == nil && found.Clear {
			return c.act(ctx, d, m, e, found)
		}
		j := newJudgement(d, m, Looker)
		again, err := splitBefore(ctx, d, g)
		switch {
		case err != nil:
			return tenure.ChangeSet{}, err
		case again || g == nil:
		case g.From != nil:
			return c.split(ctx, j, *g)
		case g.Same != nil:
			return c.merge(ctx, j, g.Same[0], g.Same[1], g.Score)
		}
	}
	if found.Outcome == tenure.AutoMerge {
		found.Outcome, found.Reason = tenure.InReview, registry.SeveralSimilar
	}
	return c.act(ctx, d, m, e, found)
}

// resplits is how often the same is split from the same before it is left to a
// person: what is near may look different from different sides.
const resplits = 2

// splitBefore tells whether what is to be split has gone and come back.
func splitBefore(ctx context.Context, d *store.Draft, g *registry.Grouping) (bool, error) {
	if g == nil || g.From == nil {
		return false, nil
	}
	times := 0
	for _, id := range g.From.Whole() {
		verdicts, err := d.VerdictsOn(ctx, id)
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
func (c *Look) regroup(ctx context.Context, d *store.Draft, e tenure.Entity, found registry.Sight) (*registry.Grouping, error) {
	near, err := c.near(ctx, d, e, found)
	if err != nil || near == nil {
		return nil, err
	}
	g, err := c.Judge.Regroup(ctx, d, near)
	if err != nil || g == nil {
		return nil, err
	}
	if g.From == nil && g.Same == nil {
		for _, root := range near {
			c.Settled.add(known(d, root))
		}
	}
	return g, nil
}

// Settled remembers of roots what is near them, and which of them are grouped as
// they ought to be together with all of that, so that neither is worked out again
// from each side.
type Settled struct {
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
func NewSettled() *Settled {
	return &Settled{cache.New[rootVersion, bool](remembered), cache.New[rootVersion, []tenure.ID](remembered)}
}

func versionOf(members []tenure.Entity) rootVersion {
	return rootVersion{members[0].ID, registry.Fingerprint(members)}
}

func (s *Settled) has(members []tenure.Entity) bool {
	if s == nil {
		return false
	}
	_, ok := s.grouped.Get(versionOf(members))
	return ok
}

func (s *Settled) add(members []tenure.Entity) {
	if s != nil {
		s.grouped.Put(versionOf(members), true, 1)
	}
}

func (s *Settled) nearTo(members []tenure.Entity) ([]tenure.ID, bool) {
	if s == nil {
		return nil, false
	}
	return s.near.Get(versionOf(members))
}

func (s *Settled) addNear(members []tenure.Entity, near []tenure.ID) {
	if s != nil {
		s.near.Put(versionOf(members), near, 1)
	}
}

// farthest bounds the roots that are taken apart together.
const farthest = 24

// near gathers the roots that may exchange mentions with one another; nil if
// there are too many of them.
func (c *Look) near(ctx context.Context, d *store.Draft, e tenure.Entity, found registry.Sight) ([]tenure.Entity, error) {
	roots := []tenure.Entity{e}
	next := ids(found.Near)
	for at := 1; ; at++ {
		for _, id := range next {
			if err := addRoot(ctx, d, &roots, id); err != nil {
				return nil, err
			}
		}
		switch {
		case len(roots) > farthest:
			return nil, nil
		case at == len(roots):
			return roots, nil
		}
		var err error
		if next, err = c.nearTo(ctx, d, roots[at]); err != nil {
			return nil, err
		}
	}
}

// nearTo lists what is near a root, as it was remembered: what has come since is
// looked at itself, and finds the root.
func (c *Look) nearTo(ctx context.Context, d *store.Draft, root tenure.Entity) ([]tenure.ID, error) {
	members, err := registry.Members(ctx, d, root)
	if err != nil {
		return nil, err
	}
	if list, ok := c.Settled.nearTo(members); ok {
		return list, nil
	}
	sight, err := c.Judge.Look(ctx, d, root, c.Proposer.ProposeFor(c.Tenant, registry.Combined(members), lookedAt))
	if err != nil {
		return nil, err
	}
	list := ids(sight.Near)
	c.Settled.addNear(members, list)
	return list, nil
}

func addRoot(ctx context.Context, d *store.Draft, roots *[]tenure.Entity, id tenure.ID) error {
	e, err := d.Entity(ctx, id)
	if err == nil && e != nil && e.Root() != id {
		e, err = d.Entity(ctx, e.Root())
	}
	if e == nil || err != nil || !registry.Looks(*e) || slices.ContainsFunc(*roots, func(o tenure.Entity) bool { return o.ID == e.ID }) {
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
func (c *Look) split(ctx context.Context, j *judgement, g registry.Grouping) (tenure.ChangeSet, error) {
	status, candidates := tenure.EntityCanonical, []tenure.ID{g.From.ID}
	if len(g.Rivals) > 0 {
		status, candidates = tenure.EntityPending, g.Rivals
	}
	v, err := j.split(ctx, *g.From, g.Split, status, tenure.Verdict{Automatic: true, Reason: registry.Contradicted})
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	own, err := j.entity(ctx, v.Into)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	r := tenure.Review{
		ID: j.mint.NewID(), State: tenure.ReviewOpen, Entity: own.ID, Reason: registry.Contradicted,
		Name: own.Name, Type: own.Type, Project: own.Project, OpenedAt: j.mint.Now, Version: 1,
	}
	for _, id := range candidates {
		r.Candidates = append(r.Candidates, tenure.Candidate{Entity: id, Score: g.Score})
	}
	c.found.Opened = &r
	j.changes = append(j.changes, tenure.ReviewPut{Review: r})
	return j.finish(ctx, func(p projection.Projection) any { return splitAnswer(v, g.From.ID, j, p) })
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
func (c *Look) askMore(ctx context.Context, d *store.Draft, e tenure.Entity, found registry.Sight) (tenure.ChangeSet, error) {
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

func (c *Look) asked(ctx context.Context, d *store.Draft, a, b tenure.ID) (bool, error) {
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
