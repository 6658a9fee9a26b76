package amend_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/amend"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/roles"
	"tenure/verify"
)

func order(version int, terms ...tenure.Term) amend.PutVocabulary {
	for i := range terms {
		terms[i].Vocabulary = tenure.SpeakerRoles
	}
	return amend.PutVocabulary{Name: tenure.SpeakerRoles, Version: version, Terms: terms}
}

// TestAnotherOrderJudgesAnew: what stands after the order of roles has changed is what stands where it was so from the
// beginning, also for those that a role reaches only through others.
func TestAnotherOrderJudgesAnew(t *testing.T) {
	upside := order(1, tenure.Term{Name: "monk", Outranks: []string{"abbot"}}, tenure.Term{Name: "abbot"},
		tenure.Term{Name: "dom", Parent: "abbot"}, tenure.Term{Name: "guest", Outranks: []string{"monk"}})
	tell := func(t *testing.T, w *world.World) []tenure.ID {
		var said []tenure.ID
		for i, role := range []string{"", "manager", "monk", "Dom", "visitor", "abbot", "monk", "nobody known"} {
			for _, name := range []string{"Ada Novak", "Ben Hale"}[i%2:] {
				in := world.Said(name, "office", role+" says", nil)
				in.Source.Role, in.Source.Speaker, in.ObservedAt = role, role, world.Day(i)
				said = append(said, w.Observe(t, in).Beliefs[0].BeliefID)
			}
		}
		return said
	}
	standings := func(w *world.World, said []tenure.ID) []tenure.Standing {
		var list []tenure.Standing
		for _, id := range said {
			list = append(list, w.Belief(t, id).Standing)
		}
		return list
	}
	put := func(w *world.World, p amend.PutVocabulary) {
		if err := w.Do(t, p)[0].Err; err != nil {
			t.Fatal(err)
		}
	}
	later := world.New(t, 0)
	put(later, order(0))
	said := tell(t, later)
	base := standings(later, said)
	put(later, upside)
	first := world.New(t, 0)
	upsideFirst := upside
	upsideFirst.Version = 0
	put(first, upsideFirst)
	if diff := cmp.Diff(standings(first, tell(t, first)), standings(later, said)); diff != "" {
		t.Errorf("ordered first (-) and later (+):\n%s", diff)
	}
	if r, err := verify.Tenant(t.Context(), later.Store, world.Tenant); err != nil || len(r.Findings) > 0 {
		t.Errorf("%v: %v", r.Findings, err)
	}
	put(later, order(2, tenure.Term{Name: "monk", Removed: true}, tenure.Term{Name: "abbot", Removed: true},
		tenure.Term{Name: "dom", Removed: true}, tenure.Term{Name: "guest", Removed: true}))
	if diff := cmp.Diff(base, standings(later, said)); diff != "" {
		t.Errorf("before (-) and after all of it was removed (+):\n%s", diff)
	}
}

func TestBadOrders(t *testing.T) {
	w := world.New(t, 0)
	if err := w.Do(t, order(0, tenure.Term{Name: "abbot", Outranks: []string{"monk"}}, tenure.Term{Name: "monk"}))[0].Err; err != nil {
		t.Fatal(err)
	}
	many := make([]tenure.Term, 501)
	for i := range many {
		many[i].Name = string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	closed := order(1, tenure.Term{Name: "abbot", Outranks: []string{"guest"}})
	closed.Closed = true
	for _, c := range []struct {
		name    string
		put     amend.PutVocabulary
		code    tenure.Code
		pointer string
	}{
		{"a loop with a term that is there", order(1, tenure.Term{Name: "monk", Outranks: []string{"guest", "abbot"}}), tenure.Unprocessable, "/terms/0/outranks/1"},
		{"a loop through the base order", order(1, tenure.Term{Name: "x"}, tenure.Term{Name: "guest", Outranks: []string{"board"}}), tenure.Unprocessable, "/terms/1/outranks/0"},
		{"an unknown parent", order(1, tenure.Term{Name: "dom", Parent: "prior"}), tenure.Unprocessable, "/terms/0/parent"},
		{"a duplicate", order(1, tenure.Term{Name: "dom"}, tenure.Term{Name: "dom"}), tenure.Unprocessable, "/terms/1/name"},
		{"what others need is removed", order(1, tenure.Term{Name: "x"}, tenure.Term{Name: "monk", Removed: true}), tenure.Unprocessable, "/terms/1"},
		{"a closed order without what it names", closed, tenure.Unprocessable, "/terms/0/outranks/0"},
		{"too many", order(1, many...), tenure.Unprocessable, "/terms"},
		{"an old version", order(0, tenure.Term{Name: "x"}), tenure.Conflicting, "/version"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Refused(t, c.put, c.code, c.pointer) })
	}
}

// TestTheRoleOfWhoSpeaks: it is the source's, else the key's, which bounds it.
func TestTheRoleOfWhoSpeaks(t *testing.T) {
	w := world.New(t, 0)
	for _, c := range []struct{ key, source, want string }{
		{"", "", ""},
		{"", "Board Member", "Board Member"},
		{"manager", "", "manager"},
		{"manager", "intern", "intern"},
		{"manager", "boss", "boss"},
		{"manager", "customer", "customer"},
		{"manager", "somebody", "somebody"},
	} {
		w.Caller.Role = c.key
		in := world.Said("Ada Novak", "office", "red", nil)
		in.Source.Role = c.source
		if got := w.Belief(t, w.Observe(t, in).Beliefs[0].BeliefID).Claim.Source.Role; got != c.want {
			t.Errorf("the key's %q and the source's %q make %q, want %q", c.key, c.source, got, c.want)
		}
	}
	w.Caller.Role = "manager"
	in := world.Said("Ada Novak", "office", "red", nil)
	in.Source.Role = "Chief Executive"
	w.Refused(t, w.Command(in), tenure.AuthorityTooHigh, "/source/role")
	closed := order(0, tenure.Term{Name: "monk"})
	closed.Closed = true
	if err := w.Do(t, closed)[0].Err; err != nil {
		t.Fatal(err)
	}
	w.Caller.Role = ""
	w.Refused(t, w.Command(in), tenure.Unprocessable, "/source/role")
	in.Source.Role = "Monk"
	w.Observe(t, in)
}

// TestNobodyAmendsAHigherRole: neither retracts nor ends; a confirmation takes nothing away.
func TestNobodyAmendsAHigherRole(t *testing.T) {
	w := world.New(t, 0)
	in := world.Said("Ada Novak", "office", "red", nil)
	in.Source.Role = "Director"
	said := w.Observe(t, in).Beliefs[0].BeliefID
	guest, head := w.Caller, w.Caller
	guest.Role, head.Role = "visitor", "head of department"
	for _, kind := range []tenure.AmendmentKind{tenure.Retract, tenure.End} {
		w.Refused(t, amend.Belief{Caller: guest, Belief: said, Kind: kind, At: at(kind)}, tenure.Forbidden, "")
	}
	for _, c := range []amend.Belief{
		{Caller: guest, Kind: tenure.Confirm}, {Caller: head, Kind: tenure.End, At: world.Day(9)}, {Caller: w.Caller, Kind: tenure.Retract},
	} {
		c.Belief = said
		if err := w.Do(t, c)[0].Err; err != nil {
			t.Errorf("%s in the role %q: %v", c.Kind, c.Caller.Role, err)
		}
	}
}

func at(kind tenure.AmendmentKind) *tenure.Instant {
	if kind == tenure.End {
		return world.Day(9)
	}
	return nil
}

// TestTheSlotsThatAnotherOrderConcerns: those with a word of a role whose place changed, whatever it is called.
func TestTheSlotsThatAnotherOrderConcerns(t *testing.T) {
	w := world.New(t, 0)
	for _, s := range []struct{ role, predicate string }{
		{"Visitor", "office"}, {"board", "status"}, {"", "team"}, {"trainee", "team"}, {"nobody known", "city"}, {"guest", "office"},
	} {
		in := world.Said("Ada Novak", s.predicate, "x", nil)
		in.Source.Role = s.role
		w.Observe(t, in)
	}
	changed := roles.Differ(roles.Base(), roles.New([]tenure.Term{{Name: "intern", Outranks: []string{"employee"}}}, false))
	slots, err := ledger.NewTxn(w.View(t)).SlotsSpoken(t.Context(), changed, 10)
	var got []string
	for _, s := range slots {
		got = append(got, s.Predicate)
	}
	if diff := cmp.Diff([]string{"team"}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	guests := func(role string) bool { return role != "board" }
	if _, err := ledger.NewTxn(w.View(t)).SlotsSpoken(t.Context(), guests, 2); tenure.CodeOf(err) != tenure.Unprocessable {
		t.Errorf("more slots than the limit: %v", err)
	}
}
