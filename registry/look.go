package registry

import (
	"context"
	"slices"

	"tenure"
)

// Look decides whether a root that is there is the same as one of the
// proposals. The candidates of the decision are in order of their scores;
// auto_merge means the first of them. What was told apart by a person, what is
// pending, and what is seen from other projects is no candidate.
func (j Judge) Look(ctx context.Context, k Known, root tenure.Entity, proposals []tenure.ID) (Decision, error) {
	l := &look{judge: j, known: k, root: root, seen: map[tenure.ID]bool{root.ID: true}}
	members, err := Members(ctx, k, root)
	if err != nil {
		return Decision{}, err
	}
	if l.apart, err = toldApart(ctx, k, members); err != nil {
		return Decision{}, err
	}
	l.own, l.prepared = members, j.Model.PrepareRoot(members)
	var found []Scored
	for _, id := range proposals {
		c, err := l.candidate(ctx, id)
		if err != nil {
			return Decision{}, err
		}
		if c != nil {
			found = append(found, *c)
		}
	}
	byScore(found)
	v := opinionOn(found)
	return Decision{Outcome: v.outcome, Score: v.score, Reason: v.reason, Candidates: found}, nil
}

// opinionOn draws the lines between roots.
func opinionOn(found []Scored) opinion {
	if len(found) == 0 || found[0].Comparison.Score <= NewAt {
		return opinion{tenure.NewEntity, 0, NoCandidate}
	}
	best := found[0].Comparison
	over := 0
	for _, c := range found {
		over += count(c.Comparison.Score >= MergeAt)
	}
	switch {
	case best.Score >= MergeAt && best.Veto != "":
		return opinion{tenure.InReview, best.Score, best.Veto}
	case over > 1:
		return opinion{tenure.InReview, best.Score, SeveralOverLine}
	case over == 1 && closeSecond(found):
		return opinion{tenure.InReview, best.Score, SeveralSimilar}
	case over == 1:
		return opinion{tenure.AutoMerge, best.Score, BySimilarity}
	default:
		return opinion{tenure.InReview, best.Score, BySimilarity}
	}
}

type look struct {
	judge    Judge
	known    Known
	root     tenure.Entity
	own      []tenure.Entity
	prepared *Prepared
	apart    map[tenure.ID]bool
	seen     map[tenure.ID]bool
}

// candidate scores a proposal; nil if it is none.
func (l *look) candidate(ctx context.Context, id tenure.ID) (*Scored, error) {
	e, err := l.known.Entity(ctx, id)
	if err == nil && e != nil && e.Status == tenure.EntityMerged {
		e, err = l.known.Entity(ctx, e.Root())
	}
	if e == nil || err != nil || l.seen[e.ID] {
		return nil, err
	}
	l.seen[e.ID] = true
	if e.Status != tenure.EntityCanonical || e.Project != l.root.Project && e.Project != "" {
		return nil, nil
	}
	if ok, err := compatible(ctx, l.known, e.Type, l.root.Type); !ok || err != nil {
		return nil, err
	}
	members, err := Members(ctx, l.known, *e)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(members, func(m tenure.Entity) bool { return l.apart[m.ID] }) {
		return nil, nil
	}
	if apart, err := rowsApart(ctx, l.known, l.own, members); apart || err != nil {
		return nil, err
	}
	c := l.judge.Model.Compare(l.prepared, l.judge.Model.PrepareRoot(members), l.judge.Model.RegistryPrior())
	return &Scored{Root: *e, Member: e.ID, Comparison: c}, nil
}

// toldApart lists the entities that verdicts set apart from the members.
func toldApart(ctx context.Context, k Known, members []tenure.Entity) (map[tenure.ID]bool, error) {
	apart := map[tenure.ID]bool{}
	for _, m := range members {
		verdicts, err := k.VerdictsOn(ctx, m.ID)
		if err != nil {
			return nil, err
		}
		for _, v := range verdicts {
			if v.Apart() {
				apart[v.From], apart[v.Into] = true, true
			}
		}
	}
	for _, m := range members {
		delete(apart, m.ID)
	}
	return apart, nil
}

// rowsApart tells whether a source that has one row for each thing has
// different rows for the two, and none in common: a person may have said that
// two of its rows are one all the same.
func rowsApart(ctx context.Context, k Known, a, b []tenure.Entity) (bool, error) {
	theirs := map[string][]string{}
	for _, e := range b {
		for _, r := range e.Records {
			theirs[r.Source] = append(theirs[r.Source], r.ID)
		}
	}
	common := map[string]bool{} // by source of both
	for _, e := range a {
		for _, r := range e.Records {
			if ids := theirs[r.Source]; len(ids) > 0 {
				common[r.Source] = common[r.Source] || slices.Contains(ids, r.ID)
			}
		}
	}
	for _, source := range sortedKeys(common) {
		if common[source] {
			continue
		}
		term, err := k.Term(ctx, tenure.TermID(tenure.Sources, source))
		if err != nil || term != nil && term.Deduplicated {
			return term != nil && term.Deduplicated, err
		}
	}
	return false, nil
}
