package quarantine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/quarantine"
)

var slot = tenure.Slot{Subject: "s", Predicate: "office"}

func tied(id tenure.ID, windows ...tenure.Window) tenure.Standing {
	s := tenure.Standing{Belief: id}
	for _, w := range windows {
		s.Segments = append(s.Segments, tenure.Segment{Window: w, Cause: tenure.ByTie})
	}
	return s
}

func TestFindJoinsWhatIsHeld(t *testing.T) {
	got := quarantine.Find([]tenure.Standing{
		tied("b", tenure.Window{From: 5, Until: 9}),
		tied("a", tenure.Window{From: 1, Until: 5}, tenure.Window{From: 20, Until: tenure.MaxTime}),
		{Belief: "c", Segments: []tenure.Segment{{Window: tenure.Window{From: 1, Until: 9}, Cause: tenure.ByTrust}}},
	})
	want := quarantine.Held{
		Beliefs: []tenure.ID{"a", "b"},
		Windows: []tenure.Window{{From: 1, Until: 9}, {From: 20, Until: tenure.MaxTime}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

var (
	held   = quarantine.Held{Beliefs: []tenure.ID{"a", "b"}, Windows: []tenure.Window{{From: 1, Until: 9}}}
	claims = map[tenure.ID]tenure.Claim{"a": {ID: "a"}, "b": {ID: "b"}, "c": {ID: "c", Description: tenure.Description{UpdatePath: "tool://hr/office"}}}
)

// open is the case of what is held.
func open(t *testing.T) tenure.Case {
	t.Helper()
	c, changed := quarantine.Next(slot, nil, held, claims, nil, 100)
	if !changed {
		t.Fatal("a tie opens no case")
	}
	return c
}

// dissolved is the case of a tie that went away.
func dissolved(t *testing.T) tenure.Case {
	t.Helper()
	c, changed := quarantine.Next(slot, []tenure.Case{open(t)}, quarantine.Held{}, claims, nil, 103)
	if !changed {
		t.Fatal("a tie that went away leaves its case")
	}
	return c
}

func TestATieOpensACaseForAPerson(t *testing.T) {
	c := open(t)
	if c.State != tenure.CaseOpen || c.Version != 1 || c.OpenedAt != 100 || c.Resolver.Kind != tenure.ResolverPerson || c.Resolver.Task == "" {
		t.Errorf("got %+v", c)
	}
	if diff := cmp.Diff(held, quarantine.Held{Beliefs: c.Holds, Windows: c.Windows}); diff != "" {
		t.Error(diff)
	}
}

func TestTheSameTieChangesNothing(t *testing.T) {
	for name, cases := range map[string][]tenure.Case{"held": {open(t)}, "not held": {dissolved(t)}} {
		now := held
		if name == "not held" {
			now = quarantine.Held{}
		}
		if c, changed := quarantine.Next(slot, cases, now, claims, nil, 104); changed {
			t.Errorf("%s: got %+v", name, c)
		}
	}
}

// TestACaseFollowsItsTie: another side, or another time in which they are tied, is
// the next version of the case.
func TestACaseFollowsItsTie(t *testing.T) {
	for name, more := range map[string]quarantine.Held{
		"a third side":    {Beliefs: []tenure.ID{"a", "b", "c"}, Windows: held.Windows},
		"a longer window": {Beliefs: held.Beliefs, Windows: []tenure.Window{{From: 1, Until: 12}}},
		"another window":  {Beliefs: held.Beliefs, Windows: []tenure.Window{{From: 1, Until: 9}, {From: 20, Until: 30}}},
	} {
		opened := open(t)
		c, changed := quarantine.Next(slot, []tenure.Case{opened}, more, claims, nil, 102)
		if !changed || c.ID != opened.ID || c.Version != 2 || c.OpenedAt != 100 {
			t.Errorf("%s: changed %v, got %+v", name, changed, c)
		}
		if diff := cmp.Diff(more, quarantine.Held{Beliefs: c.Holds, Windows: c.Windows}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if tool := len(more.Beliefs) > 2; tool != (c.Resolver.Kind == tenure.ResolverTool && c.Resolver.Target == "tool://hr/office") {
			t.Errorf("%s: the resolver is %+v", name, c.Resolver)
		}
	}
}

func TestATieThatGoesAwayDissolvesItsCase(t *testing.T) {
	if c := dissolved(t); c.State != tenure.CaseDissolved || c.ClosedAt != 103 || c.Version != 2 {
		t.Errorf("got %+v", c)
	}
}

func TestATieThatComesBackOpensItsCaseAgain(t *testing.T) {
	before := dissolved(t)
	c, changed := quarantine.Next(slot, []tenure.Case{before}, held, claims, nil, 105)
	if !changed || c.ID != before.ID || c.State != tenure.CaseOpen || c.ClosedAt != 0 || c.OpenedAt != 100 || c.Version != 3 {
		t.Errorf("got %+v", c)
	}
}

func TestAnAnswerSettlesItsCase(t *testing.T) {
	opened := open(t)
	settlement := quarantine.Settlement{Case: opened.ID, Accepted: "a", Note: "asked her"}
	settled, changed := quarantine.Next(slot, []tenure.Case{opened}, quarantine.Held{}, claims, &settlement, 106)
	if !changed || settled.State != tenure.CaseSettled || settled.Accepted != "a" || settled.Note != "asked her" || settled.ClosedAt != 106 {
		t.Errorf("got %+v", settled)
	}
	after, changed := quarantine.Next(slot, []tenure.Case{settled}, held, claims, nil, 107)
	if !changed || after.ID == opened.ID || after.State != tenure.CaseOpen {
		t.Errorf("a tie after a settlement opens another case; got %+v", after)
	}
	settlement.Case = "another"
	if c, changed := quarantine.Next(slot, []tenure.Case{opened}, held, claims, &settlement, 108); changed {
		t.Errorf("an answer to another case changed this one: %+v", c)
	}
}

func TestACaseAcrossScopesIsNamedByItsSides(t *testing.T) {
	sides := []tenure.Claim{{ID: "b", Subject: "s", Predicate: "p"}, {ID: "a", Subject: "s", Predicate: "p"}}
	one := quarantine.AcrossScopes(sides, 1)
	sides[0], sides[1] = sides[1], sides[0]
	other := quarantine.AcrossScopes(sides, 2)
	if one.ID != other.ID || one.ID != quarantine.AcrossScopesID([]tenure.ID{"a", "b"}) || !one.CrossScope {
		t.Errorf("%+v and %+v", one, other)
	}
}
