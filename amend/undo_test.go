package amend_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/amend"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/store"
	"tenure/verify"
)

// step is one thing that somebody does: an observation, or an amendment of the belief of an earlier step.
type step struct {
	in         ingest.Input
	supersedes []int
	dependsOn  []int
	amend      tenure.AmendmentKind
	belief     int
	day        int
	level      *int
	settle     bool // the first open case
	reject     bool
}

var (
	people     = []string{"Ada Novak", "Ben Hale"}
	predicates = []string{"office", "status"}
)

// script draws the steps before and after the one that will be undone. The first ones create everybody, so that ids
// that depend on entities are the same in every world.
func script(r *rand.Rand) (before, after []step) {
	for i := range 14 + r.IntN(10) {
		s := drawn(r, i)
		if i < len(people) {
			s.in.Mentions[0].Name = people[i]
			s.amend, s.supersedes, s.dependsOn = "", nil, nil
		}
		before = append(before, s)
	}
	for i := range r.IntN(10) {
		after = append(after, drawn(r, len(before)+i))
	}
	return before, after
}

func drawn(r *rand.Rand, earlier int) step {
	if earlier > len(people) && r.IntN(5) == 0 {
		s := step{belief: r.IntN(earlier), day: 1 + r.IntN(20),
			amend: []tenure.AmendmentKind{tenure.Retract, tenure.End, tenure.Confirm}[r.IntN(3)]}
		if r.IntN(3) == 0 {
			s.level = world.Ptr(r.IntN(4))
		}
		return s
	}
	s := step{in: world.Said(people[r.IntN(len(people))], predicates[r.IntN(len(predicates))], string(rune('a'+r.IntN(3))), func(c *ingest.Claim) {
		if r.IntN(3) == 0 {
			c.ValidFrom = world.Day(r.IntN(10))
		}
		if r.IntN(5) == 0 {
			c.ValidUntil = world.Day(10 + r.IntN(10))
		}
	})}
	s.in.Source.AuthorityLevel = world.Ptr(1 + r.IntN(3))
	s.in.Source.SourceAuthority = world.Ptr(float64(r.IntN(2)))
	s.in.Source.Speaker = []string{"Cy", "Di", "Ed"}[r.IntN(3)]
	s.in.Source.Role = []string{"", "", "manager", "intern", "employee"}[r.IntN(5)]
	s.in.ObservedAt = world.Day(-r.IntN(4))
	if earlier > len(people) && r.IntN(4) == 0 {
		s.supersedes = []int{r.IntN(earlier)}
	}
	if earlier > len(people) && r.IntN(4) == 0 {
		s.dependsOn = []int{r.IntN(earlier)}
	}
	return s
}

// teller carries out steps, and remembers what came of them.
type teller struct {
	*testing.T
	*world.World
	beliefs []tenure.ID          // by step; "" where there is none
	names   map[tenure.ID]string // what an id is called in every world
	refused map[int]bool         // steps that were refused
}

func newTeller(t *testing.T) *teller {
	return &teller{T: t, World: world.New(t, 1), names: map[tenure.ID]string{}, refused: map[int]bool{}}
}

func (t *teller) command(s step) ledger.Command {
	switch {
	case s.settle:
		open := t.cases(tenure.CaseOpen)
		if len(open) == 0 {
			return nil
		}
		c := amend.SettleCase{Caller: t.Caller, Case: open[0].ID, Version: open[0].Version}
		if !s.reject {
			c.Accept = open[0].Holds[0]
		}
		return c
	case s.amend != "":
		a := amend.Belief{Caller: t.Caller, Belief: t.beliefs[s.belief], Kind: s.amend, AuthorityLevel: s.level}
		switch s.amend {
		case tenure.End:
			a.At = world.Day(s.day)
		case tenure.Confirm:
			a.At = world.Day(-s.day / 5)
		}
		return a
	}
	in := s.in
	in.Claims = slices.Clone(in.Claims)
	in.Claims[0].Supersedes, in.Claims[0].DependsOn = t.named(s.supersedes), t.named(s.dependsOn)
	return t.Command(in)
}

func (t *teller) named(steps []int) []string {
	var list []string
	for _, i := range steps {
		if t.beliefs[i] != "" {
			list = append(list, string(t.beliefs[i]))
		}
	}
	return list
}

// do carries out a step. It returns nil if the step was refused.
func (t *teller) do(number int, s step) []byte {
	t.Helper()
	made := tenure.ID("")
	defer func() { t.beliefs = append(t.beliefs, made) }()
	c := t.command(s)
	if c == nil {
		return nil
	}
	res := t.Do(t.T, c)[0]
	if res.Err != nil {
		if code := tenure.CodeOf(res.Err); code == tenure.Internal || code == tenure.Unavailable {
			t.Fatal(res.Err)
		}
		t.refused[number] = true
		return nil
	}
	var answer struct {
		AmendmentID tenure.ID             `json:"amendment_id"`
		Beliefs     []ingest.BeliefAnswer `json:"beliefs"`
	}
	told, err := json.Marshal(res.Answer)
	if err := errors.Join(err, json.Unmarshal(told, &answer)); err != nil {
		t.Fatal(err)
	}
	if len(answer.Beliefs) > 0 {
		made = answer.Beliefs[0].BeliefID
		t.names[made] = fmt.Sprint("belief of step ", number)
	}
	if answer.AmendmentID != "" {
		t.names[answer.AmendmentID] = fmt.Sprint("amendment of step ", number)
	}
	return told
}

func (t *teller) cases(state tenure.CaseState) []tenure.Case {
	t.Helper()
	list, err := t.View(t.T).ListCases(t.Context(), store.CaseQuery{State: state})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// state is what stands and what is held, in names that are the same in every world.
func (t *teller) state() map[string]any {
	t.Helper()
	out := map[string]any{}
	for i, id := range t.beliefs {
		if id == "" {
			continue
		}
		s := t.Belief(t.T, id).Standing
		s.Belief = ""
		s.Segments = slices.Clone(s.Segments)
		for j := range s.Segments {
			if name, ok := t.names[s.Segments[j].By]; ok {
				s.Segments[j].By = tenure.ID(name)
			}
		}
		out[fmt.Sprint("belief of step ", i)] = s
	}
	for _, c := range t.cases(tenure.CaseOpen) {
		c.Version, c.OpenedAt, c.Events = 0, 0, nil // an answer and its undo stay in the history
		c.Holds = slices.Clone(c.Holds)
		for j, id := range c.Holds {
			c.Holds[j] = tenure.ID(t.names[id])
		}
		slices.Sort(c.Holds)
		out["case "+string(c.ID)] = c
	}
	return out
}

func (t *teller) sound() {
	t.Helper()
	r, err := verify.Tenant(t.Context(), t.Store, world.Tenant)
	if err != nil || len(r.Findings) > 0 {
		t.Fatalf("%v: %v", r.Findings, err)
	}
}

// TestUndoIsAsIfNever makes an amendment or settles a case, lets more happen, and undoes it: what stands and what is
// held is what it is where the amendment was never made.
func TestUndoIsAsIfNever(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	undone := map[string]int{}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 3))
			before, after := script(r)
			x := step{belief: r.IntN(len(before)), day: 1 + r.IntN(20), amend: tenure.Retract}
			switch r.IntN(5) {
			case 0:
				x.amend = tenure.End
			case 1:
				x.amend = tenure.Confirm
			case 2, 3:
				x = step{settle: true, reject: r.IntN(3) == 0}
			}
			with := newTeller(t)
			for i, s := range before {
				with.do(i, s)
			}
			snapshot := with.state()
			answer := with.do(len(before), x)
			if answer == nil {
				return // there is nothing to amend
			}
			made := with.state()
			for i, s := range after {
				with.do(len(before)+1+i, shifted(s, len(before)))
			}
			with.undo(x, answer)
			with.sound()

			without := newTeller(t)
			for i, s := range before {
				without.do(i, s)
			}
			without.beliefs = append(without.beliefs, "")
			for i, s := range after {
				if n := len(before) + 1 + i; with.refused[n] {
					without.beliefs = append(without.beliefs, "")
				} else {
					without.do(n, shifted(s, len(before)))
				}
			}
			if diff := cmp.Diff(without.state(), with.state()); diff != "" {
				t.Fatalf("without (-) and undone (+):\n%s", diff)
			}
			if !cmp.Equal(snapshot, made) {
				undone[fmt.Sprint(x.amend, x.settle)]++
			}
		})
	}
	if len(undone) < 4 && !testing.Short() {
		t.Errorf("not every kind of amendment had an effect to undo: %v", undone)
	}
}

// shifted lets a step after the one that is undone name steps by their numbers with that one.
func shifted(s step, at int) step {
	move := func(list []int) []int {
		out := slices.Clone(list)
		for i := range out {
			if out[i] >= at {
				out[i]++
			}
		}
		return out
	}
	s.supersedes, s.dependsOn = move(s.supersedes), move(s.dependsOn)
	if s.belief >= at {
		s.belief++
	}
	return s
}

// undo undoes a step, and fails if it can be undone twice.
func (t *teller) undo(s step, answer []byte) {
	t.Helper()
	var a struct {
		AmendmentID tenure.ID `json:"amendment_id"`
		CaseID      tenure.ID `json:"case_id"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	if s.settle {
		t.again(amend.UndoSettlement{Caller: t.Caller, Case: a.CaseID})
		return
	}
	t.again(amend.Undo{Caller: t.Caller, Amendment: a.AmendmentID})
}

func (t *teller) again(c ledger.Command) {
	t.Helper()
	if err := t.Do(t.T, c)[0].Err; err != nil {
		t.Fatal(err)
	}
	t.Refused(t.T, c, tenure.Conflicting, "")
}

// tie makes a contradiction that nothing decides, and returns its case.
func (t *teller) tie(values ...string) tenure.Case {
	t.Helper()
	for _, v := range values {
		in := world.Said("Ada Novak", "office", v, nil)
		in.Source.Speaker = fmt.Sprint("speaker of ", v)
		in.ObservedAt = world.Day(-1)
		t.Observe(t.T, in)
	}
	open := t.cases(tenure.CaseOpen)
	if len(open) != 1 {
		t.Fatalf("%d open cases", len(open))
	}
	return open[0]
}

// settle accepts the first of what a case holds.
func (t *teller) settle(c tenure.Case) {
	t.Helper()
	if err := t.Do(t.T, amend.SettleCase{Caller: t.Caller, Case: c.ID, Accept: c.Holds[0], Version: c.Version})[0].Err; err != nil {
		t.Fatal(err)
	}
}

// TestTheReopenedCaseTakesTheLaterOne: a slot has one open case, and it is the older one.
func TestTheReopenedCaseTakesTheLaterOne(t *testing.T) {
	w := newTeller(t)
	first := w.tie("red", "blue")
	w.settle(first)
	second := w.tie("green")
	if second.ID == first.ID {
		t.Fatal("the tie after the answer is the case that was answered")
	}
	w.again(amend.UndoSettlement{Caller: w.Caller, Case: first.ID})
	open := w.cases(tenure.CaseOpen)
	if len(open) != 1 || open[0].ID != first.ID || len(open[0].Holds) != 3 || open[0].Accepted != "" || open[0].ClosedAt != 0 {
		t.Fatalf("open: %+v", open)
	}
	if gone := w.cases(tenure.CaseDissolved); len(gone) != 1 || gone[0].ID != second.ID {
		t.Fatalf("dissolved: %+v", gone)
	}
	w.settle(open[0])
	w.again(amend.UndoSettlement{Caller: w.Caller, Case: first.ID})
	w.sound()
}

// TestACaseIsAnsweredOnce: a second answer, and one to a version that is not the newest, find that the case has moved on.
func TestACaseIsAnsweredOnce(t *testing.T) {
	w := newTeller(t)
	stale := w.tie("red", "blue")
	c := w.tie("green")
	answer := func(version int) ledger.Command {
		return amend.SettleCase{Caller: w.Caller, Case: c.ID, Accept: c.Holds[0], Version: version}
	}
	w.Refused(t, answer(stale.Version), tenure.Conflicting, "/version")
	w.Refused(t, amend.UndoSettlement{Caller: w.Caller, Case: c.ID}, tenure.Conflicting, "")
	w.settle(c)
	w.Refused(t, answer(c.Version), tenure.Conflicting, "")
	w.Refused(t, answer(c.Version+1), tenure.Conflicting, "")
}

func TestWhatCannotBeUndone(t *testing.T) {
	w := newTeller(t)
	in := world.Said("Ada Novak", "office", "red", nil)
	in.Source.AuthorityLevel = world.Ptr(1)
	said := w.Observe(t, in).Beliefs[0].BeliefID
	manager := w.Caller
	manager.Role = "manager"
	amended := func(a amend.Belief) amend.Answer {
		a.Belief = said
		return world.Answer[amend.Answer](t, w.Do(t, a)[0])
	}
	end := amended(amend.Belief{Caller: manager, Kind: tenure.End, At: world.Day(3)})

	weak, intern, blind := w.Caller, w.Caller, w.Caller
	weak.MaxAuthority, intern.Role, blind.Clearance = 2, "intern", tenure.Public
	undo := func(c tenure.Caller, id tenure.ID) amend.Undo { return amend.Undo{Caller: c, Amendment: id} }
	w.Refused(t, undo(weak, end.AmendmentID), tenure.AuthorityTooHigh, "")
	w.Refused(t, undo(intern, end.AmendmentID), tenure.Forbidden, "")
	w.Refused(t, undo(blind, end.AmendmentID), tenure.NotFound, "")
	w.Refused(t, undo(w.Caller, said), tenure.NotFound, "")
	w.again(undo(manager, end.AmendmentID))
	list, err := w.View(t).Amendments(t.Context(), []tenure.ID{said})
	if err != nil || len(list) != 2 || list[1].Undoes != end.AmendmentID || list[1].Role != "manager" || list[1].AuthorityLevel != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	w.Refused(t, undo(w.Caller, list[1].ID), tenure.Unprocessable, "")
	amended(amend.Belief{Caller: w.Caller, Kind: tenure.Retract}) // and again, as if for the first time
	w.sound()

	c := w.tie("green", "blue")
	w.settle(c)
	list, err = w.View(t).Amendments(t.Context(), c.Holds[:1])
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	w.Refused(t, undo(w.Caller, list[0].ID), tenure.Unprocessable, "")
	w.Refused(t, amend.UndoSettlement{Caller: blind, Case: c.ID}, tenure.NotFound, "")
	w.again(amend.UndoSettlement{Caller: weak, Case: c.ID}) // a reviewer undoes what a reviewer may answer
}

// TestARetractionSpeaksAtTheLevelOfWhatItRetracts: an administrator's bars no more than the user's own would.
func TestARetractionSpeaksAtTheLevelOfWhatItRetracts(t *testing.T) {
	for _, c := range []struct {
		name    string
		stated  *int
		claim   int
		again   int
		want    tenure.Status
		barring int
	}{
		{"unstated, said again by the same level", nil, 2, 2, tenure.Quarantined, 2},
		{"unstated, said again by a stronger level", nil, 2, 1, tenure.Clean, 2},
		{"stated, said again by a stronger level", world.Ptr(0), 2, 1, tenure.Quarantined, 0},
		{"unstated, of a weak claim", nil, 3, 2, tenure.Clean, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newTeller(t)
			say := func(level int) tenure.ID {
				in := world.Said("Ada Novak", "office", "red", nil)
				in.Source.AuthorityLevel = &level
				return w.Observe(t, in).Beliefs[0].BeliefID
			}
			first := say(c.claim)
			a := world.Answer[amend.Answer](t, w.Do(t, amend.Belief{Caller: w.Caller, Belief: first, Kind: tenure.Retract, AuthorityLevel: c.stated})[0])
			second := say(c.again)
			if got := w.Status(t, second, 3); got != c.want {
				t.Errorf("the second is %s, want %s", got, c.want)
			}
			list, err := w.View(t).AmendmentsByID(t.Context(), []tenure.ID{a.AmendmentID})
			if err != nil || len(list) != 1 || list[0].AuthorityLevel != c.barring {
				t.Errorf("%+v, %v", list, err)
			}
			w.again(amend.Undo{Caller: w.Caller, Amendment: a.AmendmentID})
			if got := w.Status(t, second, 3); got != tenure.Clean {
				t.Errorf("without the retraction the second is %s", got)
			}
		})
	}
	w := newTeller(t)
	in := world.Said("Ada Novak", "office", "red", nil)
	in.Source.AuthorityLevel = world.Ptr(1)
	strong := w.Observe(t, in).Beliefs[0].BeliefID
	weak := w.Caller
	weak.MaxAuthority = 2
	w.Refused(t, amend.Belief{Caller: weak, Belief: strong, Kind: tenure.Retract}, tenure.Forbidden, "")
	w.Refused(t, amend.Belief{Caller: weak, Belief: strong, Kind: tenure.End, AuthorityLevel: world.Ptr(1)}, tenure.AuthorityTooHigh, "/authority_level")
}
