package amend_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tenure"
	"tenure/internal/world"
)

// next returns a random step about a large slot. Most steps are in the order of valid time.
func next(r *rand.Rand, i, of int, roles bool) step {
	s := drawn(r, 1) // one who is known, and no amendment
	at := world.Begin.Add(time.Duration(i-of) * time.Hour)
	if i > 70 && r.IntN(15) == 0 {
		kinds := []tenure.AmendmentKind{tenure.Retract, tenure.End, tenure.Confirm, tenure.Confirm}
		return step{belief: i - 1 - r.IntN(8), amend: kinds[r.IntN(len(kinds))], day: -of/24 + i/24}
	}
	if i > 70 && r.IntN(25) == 0 {
		return step{settle: true, reject: r.IntN(3) == 0}
	}
	c := &s.in.Claims[0]
	s.in.Mentions[0].Name, c.Predicate = people[0], predicates[0]
	c.Value.JSON = fmt.Appendf(nil, "%q", fmt.Sprint("value ", i-r.IntN(1+i/10)))
	c.ValidFrom, c.ValidUntil = nil, nil
	switch r.IntN(20) {
	case 0:
		c.Value.JSON = []byte(`"5-7"`)
	case 1:
		c.Value.JSON = []byte(`6`)
	case 2:
		c.Value.JSON = []byte(`"unknown"`)
	case 3:
		c.ValidFrom = world.Ptr(tenure.At(at.Add(-time.Duration(r.IntN(40)) * time.Hour)))
	case 4:
		c.ValidUntil = world.Ptr(tenure.At(at.Add(time.Duration(1+r.IntN(90)) * time.Hour)))
	case 5:
		c.Recalls = world.Ptr(true)
	case 6:
		c.Many = true
	}
	s.in.ObservedAt = world.Ptr(tenure.At(at))
	s.in.Source.AuthorityLevel = world.Ptr(2)
	if r.IntN(12) == 0 {
		s.in.Source.AuthorityLevel = world.Ptr(1 + r.IntN(3))
	}
	if !roles {
		s.in.Source.Role = ""
	}
	s.supersedes, s.dependsOn = nil, nil
	if i > 2 && r.IntN(8) == 0 {
		s.supersedes = []int{i - 1 - r.IntN(2)}
	}
	if i > 2 && r.IntN(12) == 0 {
		s.dependsOn = []int{i - 1 - r.IntN(3)}
	}
	return s
}

// TestABusySlotStandsAsJudgedWhole says many things in one slot, of which new ones are judged with few of the others,
// retracts and settles some of them, and checks that everything stands as it does where all is judged at once.
func TestABusySlotStandsAsJudgedWhole(t *testing.T) {
	rounds, steps := 8, 170
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			r := rand.New(rand.NewPCG(36, uint64(round)))
			told := newTeller(t)
			for i := range steps {
				told.do(i, next(r, i, steps, round%4 == 3))
				if i > 64 && i%15 == 0 {
					told.sound()
				}
			}
			told.sound()
			if n := len(told.beliefs); len(told.refused) > n/4 {
				t.Errorf("%d of %d steps were refused", len(told.refused), n)
			}
		})
	}
}
