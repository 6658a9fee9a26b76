package quarantine_test

import (
	"slices"
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
		tied("a", tenure.Window{From: 1, Until: 5}, tenure.Window{From: 20, Until: tenure.Forever}),
		{Belief: "c", Segments: []tenure.Segment{{Window: tenure.Window{From: 1, Until: 9}, Cause: tenure.ByTrust}}},
	})
	want := quarantine.Held{
		Beliefs: []tenure.ID{"a", "b"},
		Windows: []tenure.Window{{From: 1, Until: 9}, {From: 20, Until: tenure.Forever}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheLifeOfACase(t *testing.T) {
	held := quarantine.Held{Beliefs: []tenure.ID{"a", "b"}, Windows: []tenure.Window{{From: 1, Until: 9}}}
	claims := map[tenure.ID]tenure.Claim{"a": {ID: "a"}, "b": {ID: "b"}, "c": {ID: "c", Description: tenure.Description{UpdatePath: "tool://hr/office"}}}

	opened, changed := quarantine.Next(slot, nil, held, claims, nil, 100)
	if !changed || opened.State != tenure.CaseOpen || opened.Version != 1 || opened.Resolver.Kind != tenure.ResolverPerson || opened.Resolver.Task == "" {
		t.Fatalf("a tie opens a case with a task for a person; got %+v", opened)
	}
	if _, changed := quarantine.Next(slot, []tenure.Case{opened}, held, claims, nil, 101); changed {
		t.Error("the same tie changed its case")
	}

	longer := quarantine.Held{Beliefs: held.Beliefs, Windows: []tenure.Window{{From: 1, Until: 12}}}
	stretched, changed := quarantine.Next(slot, []tenure.Case{opened}, longer, claims, nil, 101)
	if !changed || stretched.ID != opened.ID || stretched.Version != 2 || !slices.Equal(stretched.Windows, longer.Windows) {
		t.Errorf("the same sides tied for longer are a new version of the case; got %+v", stretched)
	}

	more := quarantine.Held{Beliefs: []tenure.ID{"a", "b", "c"}, Windows: held.Windows}
	grown, changed := quarantine.Next(slot, []tenure.Case{opened}, more, claims, nil, 102)
	if !changed || grown.ID != opened.ID || grown.Version != 2 || grown.Resolver.Kind != tenure.ResolverTool || grown.Resolver.Target != "tool://hr/office" {
		t.Errorf("a third side joins the case, with the tool that it names; got %+v", grown)
	}

	dissolved, changed := quarantine.Next(slot, []tenure.Case{grown}, quarantine.Held{}, claims, nil, 103)
	if !changed || dissolved.State != tenure.CaseDissolved || dissolved.ClosedAt != 103 {
		t.Errorf("a tie that went away dissolves its case; got %+v", dissolved)
	}
	if _, changed := quarantine.Next(slot, []tenure.Case{dissolved}, quarantine.Held{}, claims, nil, 104); changed {
		t.Error("nothing held, nothing open: nothing changes")
	}

	again, changed := quarantine.Next(slot, []tenure.Case{dissolved}, held, claims, nil, 105)
	if !changed || again.ID != opened.ID || again.State != tenure.CaseOpen || again.ClosedAt != 0 || again.OpenedAt != opened.OpenedAt {
		t.Errorf("a tie that comes back opens its case again; got %+v", again)
	}

	settlement := quarantine.Settlement{Case: again.ID, Accepted: "a", Note: "asked her"}
	settled, changed := quarantine.Next(slot, []tenure.Case{again}, quarantine.Held{}, claims, &settlement, 106)
	if !changed || settled.State != tenure.CaseSettled || settled.Accepted != "a" || settled.Note != "asked her" {
		t.Errorf("an answer settles its case; got %+v", settled)
	}
	after, changed := quarantine.Next(slot, []tenure.Case{settled}, held, claims, nil, 107)
	if !changed || after.ID == opened.ID {
		t.Errorf("a tie after a settlement opens another case; got %+v", after)
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
