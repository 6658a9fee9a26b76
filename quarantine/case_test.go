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

// TestWindowsAreJoined checks which tied windows become one: those that overlap or adjoin, in whatever order and
// however they contain one another.
func TestWindowsAreJoined(t *testing.T) {
	w := func(from, until tenure.Instant) tenure.Window { return tenure.Window{From: from, Until: until} }
	for _, c := range []struct {
		behaviour string
		tied      []tenure.Window
		want      []tenure.Window
	}{
		{"apart", []tenure.Window{w(1, 4), w(5, 9)}, []tenure.Window{w(1, 4), w(5, 9)}},
		{"adjoining", []tenure.Window{w(5, 9), w(1, 5)}, []tenure.Window{w(1, 9)}},
		{"overlapping", []tenure.Window{w(1, 6), w(5, 9)}, []tenure.Window{w(1, 9)}},
		{"one-in-the-other", []tenure.Window{w(1, 9), w(3, 5), w(9, 10)}, []tenure.Window{w(1, 10)}},
		{"from-one-start", []tenure.Window{w(1, 9), w(1, 5)}, []tenure.Window{w(1, 9)}},
		{"a-gap-after-two", []tenure.Window{w(8, 9), w(3, 5), w(1, 4)}, []tenure.Window{w(1, 5), w(8, 9)}},
	} {
		got := quarantine.Find([]tenure.Standing{tied("a", c.tied...)})
		if diff := cmp.Diff(c.want, got.Windows); diff != "" {
			t.Errorf("%s: %s", c.behaviour, diff)
		}
	}
}

// TestEachSettlementNamesAnotherCase checks that the id of a case counts the settlements before it, and that a
// dissolved case is no settlement.
func TestEachSettlementNamesAnotherCase(t *testing.T) {
	settled := quarantine.Settle(open(t), quarantine.Settlement{Accepted: "a"}, 101)
	seen := map[tenure.ID]bool{}
	for n, cases := range [][]tenure.Case{nil, {settled}, {settled, settled}} {
		c, changed := quarantine.Next(slot, cases, held, claims, nil, 102)
		again, _ := quarantine.Next(slot, cases, held, claims, nil, 110)
		if !changed || c.ID != again.ID || seen[c.ID] || c.Version != 1 || c.OpenedAt != 102 {
			t.Errorf("after %d: %+v", n, c)
		}
		if c.Subject != slot.Subject || c.Predicate != slot.Predicate {
			t.Errorf("after %d: about %s %s", n, c.Subject, c.Predicate)
		}
		seen[c.ID] = true
	}
}

// TestAMergeDissolvesTheCasesOfASlot checks that the cases of a merged subject close, but for those that are closed and
// those across scopes.
func TestAMergeDissolvesTheCasesOfASlot(t *testing.T) {
	opened := open(t)
	across := quarantine.AcrossScopes([]tenure.Claim{{ID: "a"}, {ID: "b"}}, 1)
	settled := quarantine.Settle(opened, quarantine.Settlement{Accepted: "a"}, 101)
	got := quarantine.Dissolve([]tenure.Case{across, opened, settled, dissolved(t)}, 110)
	want := opened
	want.State, want.ClosedAt, want.Version = tenure.CaseDissolved, 110, 2
	if diff := cmp.Diff([]tenure.Case{want}, got); diff != "" {
		t.Error(diff)
	}
}

// TestACaseAcrossScopesHoldsItsSides checks the case of a tie between scopes: open, of the version one, with its sides
// in order and with a tool to look the value up if a side has one.
func TestACaseAcrossScopesHoldsItsSides(t *testing.T) {
	a, b := tenure.Claim{ID: "a", Subject: "s", Predicate: "p"}, tenure.Claim{ID: "b", Subject: "s", Predicate: "p"}
	c := quarantine.AcrossScopes([]tenure.Claim{b, a}, 7)
	if diff := cmp.Diff([]tenure.ID{"a", "b"}, c.Holds); diff != "" {
		t.Error(diff)
	}
	if c.State != tenure.CaseOpen || c.OpenedAt != 7 || c.Version != 1 || c.Subject != "s" || c.Predicate != "p" {
		t.Errorf("got %+v", c)
	}
	if c.Resolver.Kind != tenure.ResolverPerson || c.Resolver.Target != "" {
		t.Errorf("the resolver is %+v", c.Resolver)
	}
	b.UpdatePath = "tool://b"
	if r := quarantine.AcrossScopes([]tenure.Claim{b, a}, 7).Resolver; r.Kind != tenure.ResolverTool || r.Target != "tool://b" {
		t.Errorf("with a tool for one side: %+v", r)
	}
	a.UpdatePath = "tool://a"
	if r := quarantine.AcrossScopes([]tenure.Claim{b, a}, 7).Resolver; r.Target != "tool://a" {
		t.Errorf("with a tool for each side: %+v", r)
	}
}
