package registry_test

import (
	"slices"
	"testing"

	"tenure"
	"tenure/ingest"
	"tenure/internal/world"

	"tenure/amend"
	"tenure/verify"
)

func retract(w *world.World, id tenure.ID) amend.Belief {
	return amend.Belief{Caller: w.Caller, Belief: id, Kind: tenure.Retract}
}

func tell(t *testing.T, w *world.World, value string, change func(*ingest.Claim)) tenure.ID {
	t.Helper()
	return w.Observe(t, world.Said("Ada Park", "office", value, change)).Beliefs[0].BeliefID
}

func from(day int) func(*ingest.Claim) {
	return func(c *ingest.Claim) { c.ValidFrom = world.Day(day) }
}

func wantStatus(t *testing.T, w *world.World, id tenure.ID, day int, want tenure.Status) {
	t.Helper()
	if got := w.Status(t, id, day); got != want {
		t.Errorf("on day %d the belief is %q, want %q", day, got, want)
	}
}

// verified checks when the test ends that every standing follows from its evidence.
func verified(t *testing.T, w *world.World) {
	t.Helper()
	report, err := verify.Tenant(t.Context(), w.Store, world.Tenant)
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("verify: %v %v", report.Findings, err)
	}
}

func TestARetractionRestoresWhatWasDisplaced(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	lisbon := tell(t, w, "Lisbon", from(1))
	porto := tell(t, w, "Porto", func(c *ingest.Claim) { c.ValidFrom, c.Supersedes = world.Day(5), []string{string(lisbon)} })
	wantStatus(t, w, lisbon, 6, tenure.Overridden)

	a := world.Answer[amend.Answer](t, w.Do(t, retract(w, porto))[0])
	if !slices.Equal(a.Restored, []tenure.ID{lisbon}) {
		t.Errorf("restored %v, want %s", a.Restored, lisbon)
	}
	wantStatus(t, w, lisbon, 6, tenure.Clean)
	wantStatus(t, w, porto, 6, tenure.Overridden)

	again := tell(t, w, "porto", from(7))
	wantStatus(t, w, again, 8, tenure.Quarantined)
	wantStatus(t, w, lisbon, 8, tenure.Clean)
	stronger := world.Said("Ada Park", "office", "Porto", from(7))
	stronger.Source.AuthorityLevel = world.Ptr(1)
	back := w.Observe(t, stronger).Beliefs[0].BeliefID
	wantStatus(t, w, back, 8, tenure.Clean)
	w.Refused(t, retract(w, porto), tenure.Conflicting, "")
	weaker := amend.Belief{Caller: w.Caller, Belief: back, Kind: tenure.Retract, AuthorityLevel: world.Ptr(2)}
	w.Refused(t, weaker, tenure.Forbidden, "")
	w.Refused(t, retract(w, "00000000-0000-7000-8000-999999999999"), tenure.NotFound, "")
}

func TestAnEndCutsTheValueHoweverOftenItWasSaid(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	one, two := tell(t, w, "Lisbon", from(1)), tell(t, w, "lisbon", from(2))
	end := amend.Belief{Caller: w.Caller, Belief: one, Kind: tenure.End, At: world.Day(9)}
	w.Do(t, end)
	for _, id := range []tenure.ID{one, two} {
		wantStatus(t, w, id, 8, tenure.Clean)
		wantStatus(t, w, id, 9, tenure.Overridden)
	}
	end.At = world.Day(1)
	w.Refused(t, end, tenure.Unprocessable, "/at")
}

func TestAConfirmationIsRemembered(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	in := world.Said("Ada Park", "office", "Lisbon", nil)
	in.ObservedAt = world.Day(-30)
	id := w.Observe(t, in).Beliefs[0].BeliefID
	w.Do(t, amend.Belief{Caller: w.Caller, Belief: id, Kind: tenure.Confirm, At: world.Day(-2)})
	if got := w.Belief(t, id).Standing.LastConfirmed; got != *world.Day(-2) {
		t.Errorf("last confirmed at %s", got)
	}
	w.Refused(t, amend.Belief{Caller: w.Caller, Belief: id, Kind: tenure.Confirm, At: world.Day(2)}, tenure.Unprocessable, "/at")
}

// tied makes claims of two sources contradict each other on equal terms.
func tied(t *testing.T, w *world.World) (a, b tenure.ID, c tenure.Case) {
	t.Helper()
	say := func(speaker, value string) ingest.BeliefAnswer {
		in := world.Said("Ada Park", "office", value, nil)
		in.Source.Speaker, in.ObservedAt = speaker, world.Day(-1)
		return w.Observe(t, in).Beliefs[0]
	}
	a = say("ben", "Lisbon").BeliefID
	second := say("cleo", "Porto")
	if second.Status != tenure.Disputed || second.CaseID == "" {
		t.Fatalf("the contradiction was not held: %+v", second)
	}
	cases, err := w.View(t).Cases(t.Context(), []tenure.ID{second.CaseID})
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	return a, second.BeliefID, cases[0]
}

func TestASettlementEndsTheHold(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	a, b, c := tied(t, w)
	wantStatus(t, w, a, 1, tenure.Disputed)
	resolve := amend.SettleCase{Caller: w.Caller, Case: c.ID, Accept: a, Version: c.Version, Note: "asked her"}

	stale := resolve
	stale.Version++
	w.Refused(t, stale, tenure.Conflicting, "/version")
	foreign := resolve
	foreign.Accept = c.ID
	w.Refused(t, foreign, tenure.Unprocessable, "/accept")
	unseen := resolve
	unseen.Caller.Clearance = tenure.Public
	w.Refused(t, unseen, tenure.NotFound, "")

	answer := world.Answer[amend.SettleCaseAnswer](t, w.Do(t, resolve)[0])
	if !slices.Equal(answer.Rejected, []tenure.ID{b}) || !slices.Equal(answer.Restored, []tenure.ID{a}) {
		t.Errorf("got %+v", answer)
	}
	wantStatus(t, w, a, 1, tenure.Clean)
	wantStatus(t, w, b, 1, tenure.Overridden)
	wantStatus(t, w, tell(t, w, "PORTO", from(1)), 2, tenure.Quarantined)
	w.Refused(t, resolve, tenure.Conflicting, "")
}

func TestRejectingEverySideLeavesNothing(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	a, b, c := tied(t, w)
	w.Do(t, amend.SettleCase{Caller: w.Caller, Case: c.ID, Version: c.Version})
	wantStatus(t, w, a, 1, tenure.Overridden)
	wantStatus(t, w, b, 1, tenure.Overridden)
}

func TestATieThatGoesAwayDissolvesItsCase(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	_, b, c := tied(t, w)
	w.Do(t, retract(w, b))
	cases, err := w.View(t).Cases(t.Context(), []tenure.ID{c.ID})
	if err != nil || len(cases) != 1 || cases[0].State != tenure.CaseDissolved {
		t.Errorf("got %+v, %v", cases, err)
	}
}

func TestDependentsFollowTheirGround(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	ground := tell(t, w, "Lisbon", from(1))
	on := func(predicate string, id tenure.ID) tenure.ID {
		return w.Observe(t, world.Said("Ada Park", predicate, "yes", func(c *ingest.Claim) {
			c.ValidFrom, c.DependsOn = world.Day(1), []string{string(id)}
		})).Beliefs[0].BeliefID
	}
	first := on("travels_by_tram", ground)
	second := on("needs_tram_pass", first)
	moved := tell(t, w, "Porto", from(5))
	for _, id := range []tenure.ID{first, second} {
		wantStatus(t, w, id, 4, tenure.Clean)
		wantStatus(t, w, id, 6, tenure.Quarantined)
		if !w.Belief(t, id).Standing.NeedsReview {
			t.Error("what lost its ground does not ask for a review")
		}
	}
	w.Do(t, retract(w, moved))
	for _, id := range []tenure.ID{first, second} {
		wantStatus(t, w, id, 6, tenure.Clean)
	}
	raised := w.Observe(t, world.Said("Ada Park", "office", "Faro", func(c *ingest.Claim) {
		c.ValidFrom, c.DependsOn = world.Day(7), []string{string(ground)}
	})).Beliefs[0]
	if raised.Status != tenure.Clean {
		t.Errorf("a claim that displaces its own ground is %s", raised.Status)
	}
}

func TestAPredicateIsJudgedAnew(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	lisbon, porto := tell(t, w, "Lisbon", from(1)), tell(t, w, "Porto", from(5))
	wantStatus(t, w, lisbon, 6, tenure.Overridden)
	put := amend.PutVocabulary{
		Name: tenure.Predicates, Terms: []tenure.Term{{Name: "office", Cardinality: tenure.Many}},
	}
	if res := w.Do(t, put)[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	wantStatus(t, w, lisbon, 6, tenure.Clean)
	wantStatus(t, w, porto, 6, tenure.Clean)
	w.Refused(t, put, tenure.Conflicting, "/version")

	put.Version, put.Closed = 1, true
	put.Terms = []tenure.Term{{Name: "office", Removed: true}}
	if res := w.Do(t, put)[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	wantStatus(t, w, lisbon, 6, tenure.Overridden)
	w.Refused(t, w.Command(world.Said("Ada Park", "office", "Faro", nil)), tenure.Unprocessable, "/claims/0/predicate")
	put.Version = 2
	w.Refused(t, put, tenure.Unprocessable, "/terms/0")
}

func TestACaseAcrossScopesIsOpenedOnce(t *testing.T) {
	w := world.New(t, 0)
	defer verified(t, w)
	scoped := func(project, value string) tenure.ID {
		in := world.Said("Ada Park", "office", value, from(1))
		in.Scope.ProjectID = project
		return w.Observe(t, in).Beliefs[0].BeliefID
	}
	a := scoped("", "Lisbon")
	b := scoped("p1", "Porto")
	open := amend.OpenCrossScopeCase{Sides: []tenure.ID{b, a}}
	if res := w.Do(t, open, open); res[0].Err != nil || res[1].Err != nil || res[1].Receipt.Seq != res[0].Receipt.Seq {
		t.Errorf("got %+v", res)
	}
}
