package ingest

import (
	"fmt"
	"slices"
	"strings"
	"tenure/projection"
	"time"

	"tenure"
	"tenure/vocabulary"
)

func (in *intake) warn(code tenure.WarningCode, pointer string, about ...tenure.ID) {
	in.warnings = append(in.warnings, tenure.Warning{Code: code, Pointer: pointer, Beliefs: about})
}

// warnOfStanding warns of a claim that does not stand: a case holds it, or it lost at once.
func (in *intake) warnOfStanding(c tenure.Claim, b BeliefAnswer, s tenure.Standing) {
	w := tenure.Warning{Pointer: fmt.Sprintf("/claims/%d", c.Index)}
	switch g := Decisive(s, in.mint.Now); {
	case s.Case != "":
		w.Code, w.Case, w.Beliefs = tenure.Held, b.CaseID, b.DisputedWith
	case len(s.Segments) == 0 || g.Cause == tenure.Stands:
		return
	default:
		w.Code, w.Cause = tenure.NotStanding, g.Cause
		switch g.Cause {
		case tenure.ByAuthority, tenure.BySuccession, tenure.ByTrust, tenure.ByName:
			w.Beliefs = []tenure.ID{g.By} // otherwise it is an amendment
		case tenure.ByTie:
			w.Beliefs = b.DisputedWith
		}
	}
	in.warnings = append(in.warnings, w)
}

// skew is how far ahead of this clock another may be: what is later lies in the future.
const skew = 5 * time.Minute

// warnOfSuccession warns of a claim that took the place of others because it is later: where nobody defined how many
// values there are, and where it brings back what they had displaced, and somebody else said them.
func (in *intake) warnOfSuccession(c tenure.Claim, displaced []tenure.ID, p projection.Projection) {
	if len(displaced) == 0 {
		return
	}
	at := fmt.Sprintf("/claims/%d", c.Index)
	if in.unknown[c.Predicate] {
		in.warn(tenure.DisplacedUnderOne, at+"/predicate", displaced...)
	} else if others := inOtherWords(c, displaced, p); len(others) > 0 {
		in.warn(tenure.DisplacedOtherWord, at+"/predicate", others...)
	}
	own := slices.ContainsFunc(displaced, func(id tenure.ID) bool {
		return p.Claims[id].Source.Identity() == c.Source.Identity()
	})
	if !own && in.hadBeenDisplaced(c, p) {
		in.warn(tenure.ValueReturns, at, displaced...)
	}
}

// inOtherWords lists what was displaced and had been said in another word for the predicate of a claim, from its side.
func inOtherWords(c tenure.Claim, displaced []tenure.ID, p projection.Projection) (list []tenure.ID) {
	for _, id := range displaced {
		d := p.Claims[id]
		if d.Inverted == c.Inverted && !vocabulary.SameWord(d.AsSaid().Predicate, c.AsSaid().Predicate) {
			list = append(list, id)
		}
	}
	return list
}

// hadBeenDisplaced reports whether an equal claim of the slot was displaced when a claim begins.
func (in *intake) hadBeenDisplaced(c tenure.Claim, p projection.Projection) bool {
	for id, before := range p.Before {
		if !in.says(p.Claims[id], c) {
			continue
		}
		if g, ok := before.At(c.Window.From); ok && (g.Cause == tenure.BySuccession || g.Cause == tenure.ByName) {
			return true
		}
	}
	return false
}

// says reports whether a claim says of a slot what another says of it.
func (in *intake) says(a, b tenure.Claim) bool {
	return a.ID != b.ID && in.together(a, b) && a.Value.Canonical == b.Value.Canonical
}

// warnOfTimes warns of a claim that states a start in the future or an end that has passed, and then of what says the
// same without an end.
func (in *intake) warnOfTimes(c tenure.Claim, p projection.Projection) {
	at := fmt.Sprintf("/claims/%d/valid_", c.Index)
	if c.Basis == tenure.Stated && in.inFuture(c.Window.From) {
		in.warn(tenure.FutureTime, at+"from", c.ID)
	}
	if c.Window.Until <= in.mint.Now {
		about := []tenure.ID{c.ID}
		for id, after := range p.After {
			if g, ok := after.At(in.mint.Now); ok && g.Cause == tenure.Stands && in.says(p.Claims[id], c) {
				about = append(about, id)
			}
		}
		slices.Sort(about[1:])
		in.warn(tenure.AlreadyEnded, at+"until", about...)
	}
}

func (in *intake) inFuture(t tenure.Instant) bool { return t > in.mint.Now.Add(skew) }

// maxSimilar bounds the entities that a warning of a new entity names.
const maxSimilar = 5

// warnOfNames warns of the mentions that wait for a review, and of those that made an entity beside others of which the
// name is a part. The entities are among the candidates in the answer.
func (in *intake) warnOfNames() {
	for i, d := range in.decisions {
		w := tenure.Warning{Pointer: fmt.Sprintf("/mentions/%d/name", i), Review: d.Review}
		for _, c := range d.Candidates[:min(len(d.Candidates), maxCandidates)] {
			if d.Outcome == tenure.InReview || c.Part && len(w.Entities) < maxSimilar {
				w.Entities = append(w.Entities, c.Root.ID)
			}
		}
		switch {
		case d.Outcome == tenure.InReview:
			w.Code = tenure.UnresolvedName
		case len(w.Entities) > 0:
			w.Code = tenure.SimilarEntity
		default:
			continue
		}
		in.warnings = append(in.warnings, w)
	}
}

// inOrder sorts warnings by what they are about: the observation, its mentions, its claims.
func inOrder(list []tenure.Warning) []tenure.Warning {
	sorted := append([]tenure.Warning{}, list...)
	slices.SortStableFunc(sorted, func(a, b tenure.Warning) int {
		return slices.Compare(place(a.Pointer), place(b.Pointer))
	})
	return sorted
}

// The parts of an observation that a pointer leads to, in their order: the whole, a mention, a claim.
const ofMentions, ofClaims = 1, 2

// place returns the order of a pointer: the part of the observation that it leads to, and the index there.
func place(pointer string) []int {
	var i int
	for part, prefix := range []string{"/mentions/", "/claims/"} {
		if rest, ok := strings.CutPrefix(pointer, prefix); ok {
			_, _ = fmt.Sscan(strings.SplitN(rest, "/", 2)[0], &i)
			return []int{part + ofMentions, i}
		}
	}
	return []int{0}
}
