package calibrate

import (
	"context"
	"math"
	"slices"

	"tenure"

	"tenure/registry"
	"tenure/similarity"
	"tenure/store"
)

// Decisions holds the identity decisions of a tenant that are evidence about the scores of a model. Labels
// serve the calibration, Answers the report on thresholds.
type Decisions struct {
	Labels  []Label
	Answers []Judgment
	// Automatic counts merges by score, Undone how many of them people have undone.
	Automatic, Undone int
	// Merges and Splits count decisions that people made without a review. They are no labels: pairs that
	// were not reported are missing, so the sample would be biased.
	Merges, Splits int
	// OtherModel counts answers and merges left out because another model scored them.
	OtherModel int
}

// gathered is the size of a page when reading the store.
const gathered = 1000

// CollectLabels reads the identity decisions of a tenant; a decision that was undone counts with its final
// state. Curve is the calibration of the model.
func CollectLabels(
	ctx context.Context, s store.Store, tenant string, m *similarity.Model, curve Curve,
) (Decisions, error) {
	r, err := s.View(ctx, tenant, tenure.Present)
	if err != nil {
		return Decisions{}, err
	}
	g := &labelCollector{reader: r, model: m, curve: curve, since: tenure.MaxTime}
	if err := g.reviews(ctx); err != nil {
		return g.Decisions, err
	}
	end, _ := r.State()
	for after := tenure.Seq(0); after < end; {
		entries, err := s.Log(ctx, tenant, after, gathered)
		if err != nil || len(entries) == 0 {
			return g.Decisions, err
		}
		if err := g.decisions(ctx, entries); err != nil {
			return g.Decisions, err
		}
		after = entries[len(entries)-1].Seq
	}
	return g.Decisions, nil
}

type labelCollector struct {
	Decisions
	reader store.Reader
	model  *similarity.Model
	curve  Curve
	since  tenure.Instant // first known score of the model
	seen   map[tenure.ID]bool
}

func (g *labelCollector) reviews(ctx context.Context) error {
	for _, state := range []tenure.ReviewState{tenure.ReviewSettled, tenure.ReviewOpen} {
		for q := (store.ReviewQuery{State: state, Limit: gathered}); ; {
			page, err := g.reader.ListReviews(ctx, q)
			if err != nil {
				return err
			}
			for _, r := range page {
				if r.Model == g.model.Version {
					g.since = min(g.since, r.OpenedAt)
				}
			}
			if err := g.answers(ctx, JudgmentsIn(page)); err != nil {
				return err
			}
			if len(page) < q.Limit {
				break
			}
			q.After = q.Key(page[len(page)-1])
		}
	}
	return nil
}

func (g *labelCollector) answers(ctx context.Context, list []Judgment) error {
	for _, a := range list {
		x, ok := g.curve.Evidence(logit(a.Score)), true
		if a.Model != g.model.Version {
			var err error
			if x, ok, err = g.again(ctx, a); err != nil {
				return err
			}
		}
		if !ok {
			g.OtherModel++
			continue
		}
		a.Score = similarity.Probability(g.curve.At(x))
		g.Answers = append(g.Answers, a)
		g.Labels = append(g.Labels, Label{Evidence: x, Same: a.Same})
	}
	return nil
}

// again scores the pair of a judgment with the model, on present evidence. It returns false if the pair
// became a candidate other than through the index.
func (g *labelCollector) again(ctx context.Context, a Judgment) (evidence float64, ok bool, err error) {
	if a.Reason == registry.ByExactName || a.Reason == registry.ByIdentifier {
		return 0, false, nil
	}
	list, err := g.reader.Entities(ctx, []tenure.ID{a.Entity, a.Candidate})
	if err != nil {
		return 0, false, err
	}
	var asked, candidate []tenure.Entity
	for _, e := range list {
		if e.ID == a.Entity {
			asked = append(asked, e)
			continue
		}
		// After a merge the entity is a member of the candidate, and must not be compared with itself.
		others := slices.DeleteFunc(slices.Clone(e.Members), func(id tenure.ID) bool { return id == a.Entity })
		members, err := g.reader.Entities(ctx, others)
		if err != nil {
			return 0, false, err
		}
		candidate = append([]tenure.Entity{e}, members...)
	}
	if len(asked) == 0 || len(candidate) == 0 {
		return 0, false, nil
	}
	c := g.model.Compare(g.model.CachedRoot(asked), g.model.CachedRoot(candidate), g.model.RegistryPrior())
	return g.curve.Evidence(c.LogOdds), true, nil
}

// decisions collects the identity decisions in log entries, each once.
func (g *labelCollector) decisions(ctx context.Context, entries []tenure.Entry) error {
	if g.seen == nil {
		g.seen = map[tenure.ID]bool{}
	}
	var ids []tenure.ID
	for _, e := range entries {
		for _, c := range e.Changes {
			if c.Kind.Current() == tenure.KindIdentityDecisionPut && !g.seen[c.ID] {
				g.seen[c.ID] = true
				ids = append(ids, c.ID)
			}
		}
	}
	list, err := g.reader.IdentityDecisions(ctx, slices.Clip(ids))
	for _, v := range list {
		switch {
		case v.Automatic:
			g.automatic(v)
		case v.Undone:
		case v.Kind == tenure.Merge && len(v.Reviews) == 0:
			g.Merges++
		case v.Kind == tenure.Split:
			g.Splits++
		}
	}
	return err
}

func (g *labelCollector) automatic(v tenure.IdentityDecision) {
	if v.At < g.since {
		g.OtherModel++
		return
	}
	g.Automatic++
	if v.Undone {
		g.Undone++
	}
	g.Labels = append(g.Labels, Label{Evidence: g.curve.Evidence(logit(v.Score)), Same: !v.Undone, Undisputed: !v.Undone})
}

func logit(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}
