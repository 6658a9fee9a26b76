package registry

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/ledger"
	"tenure/similarity"
)

// Reresolve decides about an entity again, once candidate generation knows everything written before it: it
// merges the entity into a candidate, opens a review, or changes nothing.
type Reresolve struct {
	Tenant   string
	Entity   tenure.ID
	Matcher  Matcher
	Proposer CandidateSource
	// AskOnly opens a review where a merge would be made. Limit bounds the candidates; 0 means the limit used
	// after a write.
	AskOnly bool
	Limit   int
	// Stable caches the roots that need no change; it may be nil.
	Stable *StableRoots
	// Redefined lists the attributes, by key, that were defined otherwise since the entity was resolved: a question that
	// these alone raised is closed where they raise it no longer.
	Redefined []string

	found    Findings
	searched *tenure.Entity // the version that proposed is for
	proposed []tenure.ID
	failed   error // of the search
	compared bool  // the proposals have been compared
	near     []*nearSearch
	waiting  []tenure.ID
}

// nearSearch is one candidate generation, for a root near the entity.
type nearSearch struct {
	of       rootVersion
	root     tenure.Entity // combined with its members
	proposed []tenure.ID
	err      error
	done     bool
}

// Waiting lists, after Decide, the pending entities near the entity: new evidence about the entity may settle their
// reviews.
func (c *Reresolve) Waiting() []tenure.ID { return c.waiting }

// Findings reports the result of a re-resolution: nothing, a merge of Merged into another entity, or a
// review. Assessed is 1 if there was a root to assess.
type Findings struct {
	Assessed int
	Merged   tenure.ID
	Opened   *tenure.Review
}

// Findings returns, after Decide, the result.
func (c *Reresolve) Findings() Findings { return c.found }

// CandidateSource generates candidates for an entity. On an error the candidates may be incomplete, so
// nothing is decided.
type CandidateSource interface {
	ProposeFor(ctx context.Context, tenant string, e tenure.Entity, limit int) ([]tenure.ID, error)
}

// ActorReresolver is the actor of re-resolution in the log.
const ActorReresolver = "re_resolution"

// MaxReresolveCandidates bounds the candidates of a re-resolution.
const MaxReresolveCandidates = 48

// Plan lists what Decide reads: the entity, the candidates for it and for the roots near it, and all their
// members.
func (c *Reresolve) Plan() ledger.Plan {
	return ledger.Plan{
		{Name: "entity", Load: func(*ledger.Txn) ledger.Prefetch {
			return ledger.Prefetch{Entities: []tenure.ID{c.Entity}, IdentityDecisions: []tenure.ID{c.Entity}}
		}},
		{Name: "members", Load: func(txn *ledger.Txn) ledger.Prefetch {
			e := c.entity(txn)
			if e == nil {
				return ledger.Prefetch{}
			}
			p := ledger.Prefetch{Entities: e.Members, Terms: attribute.KindTerms(e.Attributes)}
			if len(p.Terms) > 0 {
				p.Vocabularies = []string{tenure.IdentifierKinds}
			}
			return p
		}},
		{Name: "candidates", Work: c.search, Load: func(*ledger.Txn) ledger.Prefetch {
			return ledger.Prefetch{Entities: c.candidates()}
		}},
		{Name: "roots", Load: c.roots},
		{Name: "comparisons", Work: c.compare},
	}
}

// entity returns the entity if it is cached and eligible, else nil.
func (c *Reresolve) entity(txn *ledger.Txn) *tenure.Entity {
	if e := txn.CachedEntity(c.Entity); e != nil && c.looksAt(*e) {
		return e
	}
	return nil
}

// search generates candidates for the entity, and for the neighbouring roots that an earlier attempt found.
func (c *Reresolve) search(ctx context.Context, txn *ledger.Txn) []ledger.Job {
	e := c.entity(txn)
	if e == nil {
		return nil
	}
	var jobs []ledger.Job
	if whole := similarity.Combined(known(txn, *e)); !c.hasSearched(whole) {
		c.searched, c.compared = &whole, false
		jobs = append(jobs, func() {
			c.proposed, c.failed = c.Proposer.ProposeFor(ctx, c.Tenant, whole, cmp.Or(c.Limit, MaxReresolveCandidates))
		})
	}
	for _, s := range c.near {
		if !s.done || s.err != nil {
			jobs = append(jobs, func() {
				s.proposed, s.err = c.Proposer.ProposeFor(ctx, c.Tenant, s.root, MaxReresolveCandidates)
				s.done = true
			})
		}
	}
	return jobs
}

// candidates lists all proposals.
func (c *Reresolve) candidates() []tenure.ID {
	list := slices.Clip(c.proposed)
	for _, s := range c.near {
		list = append(list, s.proposed...)
	}
	return list
}

func (c *Reresolve) roots(txn *ledger.Txn) ledger.Prefetch {
	var p ledger.Prefetch
	for _, id := range c.candidates() {
		if e := txn.CachedEntity(id); e != nil {
			p.Entities = append(append(p.Entities, e.Root()), e.Members...)
		}
	}
	return p
}

// compare compares the entity with the candidates concurrently, before the decision; comparing is most of the
// work.
func (c *Reresolve) compare(_ context.Context, txn *ledger.Txn) []ledger.Job {
	e := c.entity(txn)
	if e == nil || c.compared {
		return nil
	}
	c.compared = true
	own := c.Matcher.Model.CachedRoot(known(txn, *e))
	var jobs []ledger.Job
	for _, id := range c.proposed {
		if members := txn.CachedWhole(id); members != nil {
			jobs = append(jobs, func() { c.Matcher.Model.WarmPair(own, members) })
		}
	}
	return jobs
}

// known lists the cached members of a root that are seen by whoever sees the root, the root first.
func known(txn *ledger.Txn, root tenure.Entity) []tenure.Entity {
	list := []tenure.Entity{root}
	for _, id := range root.Members {
		if e := txn.CachedEntity(id); e != nil && root.Label.Covers(e.Label) {
			list = append(list, *e)
		}
	}
	return list
}

// hasSearched reports whether the proposals are for the present version of the entity. One identity decision
// in a group makes all later commands of the group plan again, and repeating the search would be most of that
// cost.
func (c *Reresolve) hasSearched(e tenure.Entity) bool {
	return c.searched != nil && c.failed == nil && same(*c.searched, e)
}

// looksAt reports whether the entity is eligible. With AskOnly a pending entity is not, since its review is
// open already.
func (c *Reresolve) looksAt(e tenure.Entity) bool {
	return shouldReassess(e) && (e.Status == tenure.EntityCanonical || !c.AskOnly)
}

// Decide carries out what the assessment calls for, at most one step; the entities that it changes are
// re-resolved afterwards.
func (c *Reresolve) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	c.waiting, c.found = nil, Findings{}
	e, err := txn.Entity(ctx, c.Entity)
	if err != nil || e == nil {
		return nil, err
	}
	switch into, score, err := c.moot(ctx, txn, *e); {
	case err != nil:
		return nil, err
	case into != nil:
		return c.close(ctx, txn, m, *e, *into, score)
	}
	if !c.looksAt(*e) {
		return nil, nil
	}
	if c.failed != nil {
		return nil, c.failed
	}
	c.found.Assessed = 1
	found, err := c.Matcher.Reassess(ctx, txn, *e, c.proposed)
	if err != nil {
		return nil, err
	}
	for _, near := range found.Near {
		if near.Status == tenure.EntityPending && near.Label == e.Label {
			c.waiting = append(c.waiting, near.ID)
		}
	}
	c.Stable.addNear(known(txn, *e), found.Near)
	if found.Contested && !c.AskOnly {
		return c.contested(ctx, txn, m, *e, found)
	}
	return c.act(ctx, txn, m, *e, found)
}

// act merges the entity into the best candidate, or opens or extends a review.
func (c *Reresolve) act(
	ctx context.Context, txn *ledger.Txn, m tenure.Mint, e tenure.Entity, found Assessment,
) (any, error) {
	if found.Outcome == tenure.NewEntity {
		return nil, nil
	}
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	if e.Status == tenure.EntityPending && found.Outcome != tenure.AutoMerge {
		return c.askMore(ctx, txn, e, found)
	}
	t := newIdentityTxn(txn, m, ActorReresolver)
	if found.Outcome == tenure.AutoMerge && !c.AskOnly {
		return c.merge(ctx, t, e, found.Candidates[0].Root, found.Score)
	}
	return c.ask(ctx, t, e, found)
}

// merge merges an entity without a name into one that has one, else the younger into the older.
func (c *Reresolve) merge(ctx context.Context, t *identityTxn, from, into tenure.Entity, score float64) (any, error) {
	if from.Status == into.Status && from.Label == into.Label && leads(from, into) && from.Project == into.Project {
		from, into = into, from
	}
	v, err := t.merge(ctx, tenure.IdentityDecision{From: from.ID, Into: into.ID, Automatic: true, Score: score,
		Reason: BySimilarity})
	if err != nil {
		return nil, err
	}
	c.found.Merged = v.From
	p, err := t.finish(ctx)
	return mergeAnswer(v, v.Reviews, p), err
}

// leads reports whether a root stands for both of two.
func leads(a, b tenure.Entity) bool {
	if (a.Name == "") != (b.Name == "") {
		return a.Name != ""
	}
	return a.CreatedAt < b.CreatedAt || a.CreatedAt == b.CreatedAt && a.ID < b.ID
}

// ask opens a review, unless an open review asks the same question from either side.
func (c *Reresolve) ask(ctx context.Context, t *identityTxn, e tenure.Entity, found Assessment) (any, error) {
	var candidates []tenure.Candidate
	for _, s := range found.Candidates {
		asked, err := c.asked(ctx, t.txn, e.ID, s.Root.ID)
		if err != nil {
			return nil, err
		}
		if !asked && s.Comparison.Score > similarity.NewAt {
			candidates = append(candidates, tenure.Candidate{Entity: s.Root.ID, Score: s.Comparison.Score,
				Veto: s.Comparison.Veto})
		}
	}
	if len(candidates) == 0 {
		return nil, nil
	}
	c.found.Opened = &tenure.Review{
		ID: t.mint.NewID(), State: tenure.ReviewOpen, Entity: e.ID, Candidates: candidates, Reason: found.Reason,
		Name: e.Name, Type: e.Type, Project: e.Project, OpenedAt: t.mint.Now, Version: 1,
	}
	t.txn.Put(tenure.ReviewPut{Review: *c.found.Opened})
	return nil, nil
}

// askMore adds new candidates to the review of a pending entity.
func (c *Reresolve) askMore(ctx context.Context, txn *ledger.Txn, e tenure.Entity, found Assessment) (any, error) {
	reviews, err := txn.ReviewsOf(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	for _, r := range reviews {
		if r.State != tenure.ReviewOpen {
			continue
		}
		next := withCandidates(r, found.Candidates)
		if len(next.Candidates) > len(r.Candidates) {
			txn.Put(tenure.ReviewPut{Review: next})
		}
	}
	return nil, nil
}

func (c *Reresolve) asked(ctx context.Context, txn *ledger.Txn, a, b tenure.ID) (bool, error) {
	for _, pair := range [][2]tenure.ID{{a, b}, {b, a}} {
		reviews, err := txn.ReviewsOf(ctx, pair[0])
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
