package review

import (
	"context"
	"slices"

	"tenure"
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

	proposed []tenure.ID
	waiting  []tenure.ID
}

// Waiting lists, once Decide was called, the pending entities among the
// candidates: what is new of the entity may settle their reviews.
func (c *Look) Waiting() []tenure.ID { return c.waiting }

// Proposer generates candidates for an entity.
type Proposer interface {
	ProposeFor(tenant string, e tenure.Entity, limit int) []tenure.ID
}

// Looker is the actor of what a second look does.
const Looker = "second_look"

// lookedAt bounds the candidates of a second look.
const lookedAt = 12

// Wants lists what Decide reads.
func (c *Look) Wants(d *store.Draft, round int) store.Wants {
	switch round {
	case 0:
		return store.Wants{Entities: []tenure.ID{c.Entity}, Verdicts: []tenure.ID{c.Entity}}
	case 1:
		if e := d.KnownEntity(c.Entity); e != nil && looksAt(*e) {
			c.proposed = c.Proposer.ProposeFor(c.Tenant, *e, lookedAt)
		}
		return store.Wants{Entities: c.proposed}
	case 2:
		var w store.Wants
		for _, id := range c.proposed {
			if e := d.KnownEntity(id); e != nil {
				w.Entities = append(append(w.Entities, e.Root()), e.Members...)
			}
		}
		return w
	}
	return store.Wants{}
}

// looksAt tells which entities are looked at: roots, and pending ones that only
// their score left undecided. What a rule gave to a person stays with the
// person.
func looksAt(e tenure.Entity) bool {
	return e.Status == tenure.EntityCanonical || e.Status == tenure.EntityPending && slices.Contains(byScore, e.Reason)
}

var byScore = []string{
	registry.BySimilarity, registry.ByExactForm, registry.ByIdentifier, registry.SeveralSimilar, registry.SeveralOverLine,
}

// Decide turns what the judge finds into a change set, one without changes if
// there is nothing to say.
func (c *Look) Decide(ctx context.Context, d *store.Draft, m tenure.Mint) (tenure.ChangeSet, error) {
	e, err := d.Entity(ctx, c.Entity)
	if err != nil || e == nil || !looksAt(*e) {
		return tenure.ChangeSet{}, err
	}
	c.waiting = nil
	for _, id := range c.proposed {
		if p := d.KnownEntity(id); p != nil && p.Status == tenure.EntityPending && id != e.ID {
			c.waiting = append(c.waiting, id)
		}
	}
	found, err := c.Judge.Look(ctx, d, *e, c.proposed)
	if err != nil || found.Outcome == tenure.NewEntity {
		return tenure.ChangeSet{}, err
	}
	if e.Status == tenure.EntityPending && found.Outcome != tenure.AutoMerge {
		return tenure.ChangeSet{}, nil // it is asked already
	}
	if err := d.Alone(); err != nil {
		return tenure.ChangeSet{}, err
	}
	j := newJudgement(d, m, Looker)
	if found.Outcome == tenure.AutoMerge {
		return c.merge(ctx, j, *e, found)
	}
	return c.ask(ctx, j, *e, found)
}

// merge joins the two, the younger into the older.
func (c *Look) merge(ctx context.Context, j *judgement, e tenure.Entity, found registry.Decision) (tenure.ChangeSet, error) {
	from, into := e, found.Candidates[0].Root
	if from.Status == tenure.EntityCanonical && older(from, into) && from.Project == into.Project {
		from, into = into, from
	}
	v, err := j.merge(ctx, tenure.Verdict{From: from.ID, Into: into.ID, Automatic: true, Score: found.Score, Reason: found.Reason})
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	return j.finish(ctx, func(p projection.Projection) any { return mergeAnswer(v, p) })
}

func older(a, b tenure.Entity) bool {
	return a.CreatedAt < b.CreatedAt || a.CreatedAt == b.CreatedAt && a.ID < b.ID
}

// ask opens a review, unless the same is asked already, from either side.
func (c *Look) ask(ctx context.Context, j *judgement, e tenure.Entity, found registry.Decision) (tenure.ChangeSet, error) {
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
	return tenure.ChangeSet{Changes: []tenure.Change{tenure.ReviewPut{Review: tenure.Review{
		ID: j.mint.NewID(), State: tenure.ReviewOpen, Entity: e.ID, Candidates: candidates, Reason: found.Reason,
		Name: e.Name, Type: e.Type, Project: e.Project, OpenedAt: j.mint.Now, Version: 1,
	}}}}, nil
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
