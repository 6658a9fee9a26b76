package registry

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
)

// Sight is what a root looks like among others. Candidates are in order of their
// scores, and auto_merge means the first of them; without one there is nothing to
// say. Contested says that more is at stake than whether two are to be asked
// about: [Judge.Regroup] is to say who belongs to whom, of all that is near.
type Sight struct {
	Outcome    tenure.Outcome
	Score      float64
	Reason     string
	Candidates []Scored
	Contested  bool
	Clear      bool // no other candidate comes close to the first
	Near       []tenure.Entity
}

// Look tells whether a root that is there is the same as one of the proposals.
// What was told apart by a person, what is seen from other projects, and what
// waits for a person is no candidate.
func (j Judge) Look(ctx context.Context, k Known, root tenure.Entity, proposals []tenure.ID) (Sight, error) {
	l := &look{judge: j, known: k, root: root, seen: map[tenure.ID]bool{root.ID: true}}
	members, err := Members(ctx, k, root)
	if err != nil {
		return Sight{}, err
	}
	if l.apart, err = toldApart(ctx, k, members); err != nil {
		return Sight{}, err
	}
	l.own, l.whole, l.prepared = members, parts(members), j.Model.PrepareRoot(members)
	for _, id := range proposals {
		if err := l.candidate(ctx, id); err != nil {
			return Sight{}, err
		}
	}
	return l.sight(), nil
}

// sight draws the lines between roots.
func (l *look) sight() Sight {
	slices.SortFunc(l.found, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.Comparison.Score, a.Comparison.Score), strings.Compare(string(a.Root.ID), string(b.Root.ID)))
	})
	s := Sight{Outcome: tenure.NewEntity, Reason: NoCandidate, Contested: l.torn()}
	for _, c := range l.found {
		like := c.Comparison.Score > NewAt
		s.Near = append(s.Near, c.Root)
		if like && c.Root.Status == tenure.EntityCanonical {
			s.Candidates = append(s.Candidates, c.Scored)
		}
		s.Contested = s.Contested || l.whole > 1 || c.whole > 1
	}
	if len(s.Candidates) == 0 {
		return s
	}
	best := s.Candidates[0].Comparison
	s.Outcome, s.Score, s.Reason = tenure.InReview, best.Score, BySimilarity
	switch {
	case best.Score < MergeAt:
	case best.Veto != "":
		s.Reason = best.Veto
	case len(l.root.Records) == 0 && closeSecond(s.Candidates):
		s.Reason = SeveralSimilar
	default:
		s.Outcome, s.Contested, s.Clear = tenure.AutoMerge, true, !closeSecond(s.Candidates)
	}
	return s
}

// torn tells whether the root holds together what contradicts itself.
func (l *look) torn() bool {
	return l.whole > 1 && l.prepared.torn()
}

type look struct {
	judge    Judge
	known    Known
	root     tenure.Entity
	own      []tenure.Entity
	prepared *Prepared
	apart    map[tenure.ID]bool
	whole    int // how many pieces it has, at the least
	seen     map[tenure.ID]bool
	found    []near
}

// near is a root that another looks like. It is hidden if it might be the same but
// for what speaks against it, which may be true of a part of it only.
type near struct {
	Scored
	whole  int // how many pieces it has, at the least
	hidden bool
}

// candidate scores a proposal, if it is one.
func (l *look) candidate(ctx context.Context, id tenure.ID) error {
	e, err := l.known.Entity(ctx, id)
	if err == nil && e != nil && e.Status == tenure.EntityMerged {
		e, err = l.known.Entity(ctx, e.Root())
	}
	if e == nil || err != nil || l.seen[e.ID] {
		return err
	}
	l.seen[e.ID] = true
	if !Looks(*e) || e.Project != l.root.Project && e.Project != "" {
		return nil
	}
	if ok, err := compatible(ctx, l.known, e.Type, l.root.Type); !ok || err != nil {
		return err
	}
	members, err := Members(ctx, l.known, *e)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(members, func(m tenure.Entity) bool { return l.apart[m.ID] }) {
		return nil
	}
	apart, err := rowsApart(ctx, l.known, l.own, members)
	if err != nil {
		return err
	}
	l.compare(*e, members, apart)
	return nil
}

// compare scores a candidate. What is said apart as a whole is not the same as it
// is, whatever a part of it may be.
func (l *look) compare(root tenure.Entity, members []tenure.Entity, apart bool) {
	other := l.judge.Model.PrepareRoot(members)
	p := l.judge.Model.pair(l.prepared, other)
	c := near{
		Scored: Scored{Root: root, Member: root.ID}, whole: parts(members),
		hidden: probability(p.registry+p.against) > NewAt,
	}
	switch {
	case !apart && probability(p.registry) > NewAt:
		c.Comparison = l.judge.Model.Judged(l.prepared, other, l.judge.Model.RegistryPrior())
	case !c.hidden || l.whole == 1 && c.whole == 1:
		return
	}
	l.found = append(l.found, c)
}

// Looks tells which entities are looked at: roots, the rows of systems of record
// that wait, and what else waits for its score alone. What a text means where a
// rule leaves it open is for a person to say.
func Looks(e tenure.Entity) bool {
	return e.Status == tenure.EntityCanonical ||
		e.Status == tenure.EntityPending && (len(e.Records) > 0 || OfScore(e.Reason))
}

// OfScore tells whether a reason leaves a decision open because of scores alone,
// and not because a rule made it a person's.
func OfScore(reason string) bool {
	switch reason {
	case BySimilarity, ByExactForm, ByIdentifier, SeveralSimilar, SeveralOverLine:
		return true
	}
	return false
}

// parts is how many pieces entities have at the least.
func parts(members []tenure.Entity) int {
	n := 0
	for _, e := range members {
		n += max(1, len(e.Records))
	}
	return n
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
// different rows for the two.
func rowsApart(ctx context.Context, k Known, a, b []tenure.Entity) (bool, error) {
	for _, source := range otherRows(recordsOf(a), recordsOf(b)) {
		if single, err := oneRowEach(ctx, k, source); single || err != nil {
			return single, err
		}
	}
	return false, nil
}

func oneRowEach(ctx context.Context, k Known, source string) (bool, error) {
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

// otherRows lists the sources of which two have rows and none in common: a person
// may have said that two rows of a source are one all the same.
func otherRows(a, b []tenure.Record) []string {
	var list []string
	for _, x := range a {
		if slices.Contains(list, x.Source) || !slices.ContainsFunc(b, func(y tenure.Record) bool { return y.Source == x.Source }) {
			continue
		}
		common := func(z tenure.Record) bool { return z.Source == x.Source && slices.Contains(b, z) }
		if !slices.ContainsFunc(a, common) {
			list = append(list, x.Source)
		}
	}
	return list
}
