package beliefs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/beliefs"
)

// judged is a slot to which claims are added: its evidence, what stands, and what is remembered.
type judged struct {
	e         beliefs.Evidence
	standings map[tenure.ID]tenure.Standing
	outline   *beliefs.Outline
	spared    int // claims that were not judged
	partly    int // times that a part was enough
}

// first judges the first n claims.
func first(e beliefs.Evidence, n int) *judged {
	s := &judged{e: upTo(e, n)}
	s.standings = beliefs.Stand(s.e)
	s.outline = beliefs.NewOutline(s.e, s.standings)
	return s
}

// upTo returns the evidence of the first n claims, which rest on nothing: who projects judges grounds anew.
func upTo(e beliefs.Evidence, n int) beliefs.Evidence {
	missing := map[tenure.ID]bool{}
	for _, c := range e.Claims[n:] {
		missing[c.ID] = true
	}
	isMissing := func(id tenure.ID) bool { return missing[id] }
	e.Claims, e.Grounds = slices.Clone(e.Claims[:n]), nil
	for i := range e.Claims {
		e.Claims[i].DependsOn = nil
	}
	e.Superseders = slices.DeleteFunc(slices.Clone(e.Superseders), func(c tenure.Claim) bool { return isMissing(c.ID) })
	e.Amendments = slices.DeleteFunc(slices.Clone(e.Amendments), func(a tenure.Amendment) bool { return isMissing(a.Belief) })
	return e
}

// add judges claims that are added to the slot: those of e that it does not have yet.
func (s *judged) add(e beliefs.Evidence) {
	before, added := s.standings, map[tenure.ID]bool{}
	news := e.Claims[len(s.e.Claims):]
	var ids []tenure.ID
	for _, c := range news {
		added[c.ID] = true
		ids = append(ids, c.ID)
	}
	s.e = e
	if s.outline != nil && !told(e, added) {
		if old, enough := s.outline.Needed(e.Term, e.Outranks, news); enough {
			few := e.Of(append(ids, old...))
			if after, enough := beliefs.StandAgain(few, before, added); enough {
				s.partly++
				s.spared += len(e.Claims) - len(after)
				s.standings = maps.Clone(before)
				maps.Copy(s.standings, after)
				s.outline = s.outline.With(few, after)
				return
			}
		}
	}
	s.standings = beliefs.Stand(e)
	s.outline = beliefs.NewOutline(e, s.standings)
}

// told reports whether something else tells of the added claims than claims of the slot.
func told(e beliefs.Evidence, added map[tenure.ID]bool) bool {
	is := func(id tenure.ID) bool { return added[id] }
	return slices.ContainsFunc(e.Amendments, func(a tenure.Amendment) bool { return is(a.Belief) }) ||
		slices.ContainsFunc(e.Superseders, func(c tenure.Claim) bool { return slices.ContainsFunc(c.Supersedes, is) })
}

// narrows adds all claims but the first few, some at a time, and says where that differs from judging all, "" if
// nowhere.
func narrows(e beliefs.Evidence, few, step int, told *judged) string {
	few = min(few, len(e.Claims)-1)
	if few < 1 {
		return ""
	}
	s := first(e, few)
	for n := few + 1; n <= len(e.Claims); n += step {
		s.add(upTo(e, n))
		want := beliefs.Stand(s.e)
		for _, c := range s.e.Claims {
			if diff := cmp.Diff(want[c.ID], s.standings[c.ID]); diff != "" {
				return fmt.Sprintf("%s of %d claims (-all +part):\n%s", c.ID, n, diff)
			}
		}
	}
	told.spared += s.spared
	told.partly += s.partly
	return ""
}

// series turns evidence into what a busy slot has: many claims, mostly newer than those before, of many values.
func series(g *rand.Rand, e beliefs.Evidence) beliefs.Evidence {
	slot := e.Claims[0].Slot()
	more := 3 + g.IntN(12)
	distinct, step := 2+g.IntN(9), tenure.Instant(1+g.IntN(6))*minute
	at, finer := 8*minute, oneIn(g, 3)
	e.Claims = slices.Clone(e.Claims)
	for i := range more {
		c := claim(g, tenure.ID(fmt.Sprintf("c%03d", 500+g.IntN(400)*20+i)), slot)
		c.Value.Canonical = fmt.Sprint("v", g.IntN(distinct))
		if finer && oneIn(g, 3) {
			c.Value.Canonical = pick(g, "1-9", "1-4", "2", "7", "none")
		}
		c = valued(c)
		if !oneIn(g, 4) {
			c.Source.AuthorityLevel = 2
		}
		c.Window.From = at
		switch g.IntN(8) {
		case 0:
			c.Window.Until = at + minute*tenure.Instant(1+g.IntN(12))
		case 1:
			c.Window.From = instant(g)
			c.Window.Until = tenure.MaxTime
		default:
			c.Window.Until = tenure.MaxTime
		}
		if oneIn(g, 6) {
			c.Supersedes = []tenure.ID{e.Claims[len(e.Claims)-1-g.IntN(min(3, len(e.Claims)))].ID}
		}
		if oneIn(g, 9) {
			c.DependsOn = []tenure.ID{e.Claims[g.IntN(len(e.Claims))].ID}
		}
		e.Claims = append(e.Claims, c)
		if !oneIn(g, 5) {
			at += step
		}
	}
	for i := range pick(g, 0, 0, 1, 2) {
		c := e.Claims[len(e.Claims)-2-g.IntN(more)]
		e.Amendments = append(slices.Clip(e.Amendments), tenure.Amendment{
			ID: tenure.ID(fmt.Sprint("b", i)), Kind: pick(g, tenure.End, tenure.End, tenure.Retract, tenure.Confirm), Belief: c.ID,
			At: c.Window.From + tenure.Instant(g.IntN(9))*minute, AuthorityLevel: 2,
		})
	}
	if oneIn(g, 5) {
		s := claim(g, "s9", tenure.Slot{Subject: "e2", Predicate: "q", Scope: slot.Scope})
		s.Window.From, s.Source.AuthorityLevel = at-tenure.Instant(g.IntN(20))*minute, 2
		s.Supersedes = []tenure.ID{e.Claims[len(e.Claims)-2-g.IntN(more)].ID}
		e.Superseders = append(slices.Clip(e.Superseders), s)
	}
	return e
}

// plain returns evidence in which every claim is of an observation of its own, in no role, and states something of its
// own: only then few claims are enough where a predicate has one value.
func plain(e beliefs.Evidence) beliefs.Evidence {
	e.Claims = slices.Clone(e.Claims)
	for i := range e.Claims {
		c := &e.Claims[i]
		c.Source.Role, c.Recalls, c.Many, c.Observation = "", false, false, "o"+c.ID
		c.Window.From += tenure.Instant(i) // no two words at once
		c.Window.Until = max(c.Window.Until, c.Window.From+1)
	}
	e.Superseders = slices.Clone(e.Superseders)
	for i, s := range e.Superseders {
		if k := slices.IndexFunc(e.Claims, func(c tenure.Claim) bool { return c.ID == s.ID }); k >= 0 {
			e.Superseders[i] = e.Claims[k]
		}
	}
	return e
}

// TestAPartIsJudgedAsTheWhole checks that the claims which are not judged again have the standings that they had, and
// that the others have those of Stand.
func TestAPartIsJudgedAsTheWhole(t *testing.T) {
	var told judged
	claims := 0
	trials(t, 6000, func(g *rand.Rand, trial int, e beliefs.Evidence) bool {
		if trial%4 > 0 {
			e = series(g, e)
		}
		if trial%3 > 0 {
			e = plain(e)
		}
		few, step := max(1, len(e.Claims)-1-g.IntN(6)), pick(g, 1, 1, 1, 2, 3)
		claims += len(e.Claims)
		if narrows(e, few, step, &told) == "" {
			return true
		}
		fail(t, trial, e, func(e beliefs.Evidence) string { return narrows(e, few, step, &judged{}) })
		return false
	})
	t.Logf("a part was enough %d times; %d of %d claims were not judged", told.partly, told.spared, claims)
	if told.spared < claims/20 {
		t.Errorf("only %d of %d claims were not judged", told.spared, claims)
	}
}

// TestAPartHandMade holds what random evidence rarely has.
func TestAPartHandMade(t *testing.T) {
	const later = 60
	for name, c := range map[string][]tenure.Claim{
		// k is blocked by a later claim of its source, c, which is as old as what stands: the new claim says k's value.
		"blocked-by-its-own-source": {
			mk("k", "k", 0, tenure.MaxTime, seen, by("a")), mk("c", "c", 1, tenure.MaxTime, by("a")), mk("x", "x", 2, tenure.MaxTime, seen, by("b")),
			mk("n", "k", later, tenure.MaxTime, atLevel(3)),
		},
		"barred-though-it-names": {
			mk("a", "a", 0, tenure.MaxTime), mk("b", "b", 1, tenure.MaxTime), mk("z", "z", 2, 3), mk("n", "z", later, tenure.MaxTime, names("b")),
		},
		// p and q were put beside each other, and displaced by r: who says q again brings back p.
		"beside-what-is-said-again": {
			mk("p", "p", 0, tenure.MaxTime), mk("q", "q", 1, tenure.MaxTime), mk("r", "r", 20, tenure.MaxTime), mk("n", "q", later, tenure.MaxTime),
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c {
				c[i].Observation = "o" + c[i].ID
			}
			e := beliefs.Evidence{Claims: c, Term: tenure.Term{Cardinality: tenure.One, SuccessionGap: 5 * 24 * 3600}, Amendments: []tenure.Amendment{
				amend("r", tenure.Retract, "z", 5, 0), besides("b1", "p", "k", 2), besides("b2", "q", "k", 2),
			}}
			if diff := narrows(e, len(c)-1, 1, &judged{}); diff != "" {
				t.Error(diff)
			}
		})
	}
}
