package beliefs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/beliefs"
)

// lastAdded splits evidence: the last claims are new. It returns the standings before them.
func lastAdded(e beliefs.Evidence, n int) (beliefs.Evidence, map[tenure.ID]tenure.Standing, map[tenure.ID]bool) {
	e.Claims, e.Grounds = slices.Clone(e.Claims), nil // who projects judges grounds anew
	for i := range e.Claims {
		e.Claims[i].DependsOn = nil
	}
	old := e
	old.Claims = e.Claims[:len(e.Claims)-n]
	added := map[tenure.ID]bool{}
	for _, c := range e.Claims[len(old.Claims):] {
		added[c.ID] = true
	}
	isNew := func(id tenure.ID) bool { return added[id] }
	old.Superseders = slices.DeleteFunc(slices.Clone(e.Superseders), func(c tenure.Claim) bool { return isNew(c.ID) })
	old.Amendments = slices.DeleteFunc(slices.Clone(e.Amendments), func(a tenure.Amendment) bool { return isNew(a.Belief) })
	before := stand(old)
	return e, before, added
}

// narrows is where Restand says something else than Stand, "" if nowhere. It counts the claims that were not judged.
func narrows(e beliefs.Evidence, n int, spared *int) string {
	n = min(n, len(e.Claims)-1)
	if n < 1 {
		return ""
	}
	e, before, added := lastAdded(e, n)
	want, got := beliefs.Stand(e), beliefs.Restand(e, before, added)
	*spared += len(want) - len(got)
	for id := range want {
		s, judged := got[id]
		if !judged {
			s = before[id]
		}
		if diff := cmp.Diff(want[id], s); diff != "" {
			return fmt.Sprintf("%s (judged %v; -Stand +Restand):\n%s", id, judged, diff)
		}
	}
	return ""
}

// series turns evidence into what a busy slot has: many claims, mostly newer than those before, of many values.
func series(g *rand.Rand, e beliefs.Evidence) beliefs.Evidence {
	slot := e.Claims[0].Slot()
	more := 3 + g.IntN(12)
	distinct, step := 2+g.IntN(9), tenure.Instant(1+g.IntN(6))*minute
	at := 8 * minute
	e.Claims = slices.Clone(e.Claims)
	for i := range more {
		c := claim(g, tenure.ID(fmt.Sprintf("c%03d", 500+g.IntN(400)*20+i)), slot)
		c.Value.Canonical = fmt.Sprint("v", g.IntN(distinct))
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
	}
	return e
}

// TestRestandEqualsStand checks that the claims which Restand does not judge have the standings that they had, and
// that the others have those of Stand.
func TestRestandEqualsStand(t *testing.T) {
	spared, claims := 0, 0
	trials(t, 4000, func(g *rand.Rand, trial int, e beliefs.Evidence) bool {
		if trial%4 > 0 {
			e = series(g, e)
		}
		if trial%3 > 0 {
			e = plain(e)
		}
		n := pick(g, 1, 1, 1, 2, 3)
		claims += len(e.Claims)
		if narrows(e, n, &spared) == "" {
			return true
		}
		ignored := 0
		fail(t, trial, e, func(e beliefs.Evidence) string { return narrows(e, n, &ignored) })
		return false
	})
	t.Logf("%d of %d claims were not judged", spared, claims)
	if spared < claims/20 {
		t.Errorf("only %d of %d claims were not judged", spared, claims)
	}
}

// TestRestandHandMade holds what random evidence rarely has.
func TestRestandHandMade(t *testing.T) {
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
	} {
		t.Run(name, func(t *testing.T) {
			e := beliefs.Evidence{Claims: c, Term: tenure.Term{Cardinality: tenure.One, SuccessionGap: 5 * 24 * 3600}, Amendments: []tenure.Amendment{
				amend("r", tenure.Retract, "z", 5, 0),
			}}
			spared := 0
			if diff := narrows(e, 1, &spared); diff != "" {
				t.Error(diff)
			}
		})
	}
}
