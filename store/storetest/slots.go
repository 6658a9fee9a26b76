package storetest

import (
	"slices"

	"tenure"
)

var slotPromises = []promise{
	{"Slots gives each slot all that its standing depends on.", slotsAreWhole},
	{"A slot in which nothing was claimed has no beliefs, and is in the list all the same.", emptySlots},
	{"Beliefs are all claims ever made in the slot.", claimsOfSlot},
	{"Superseders are claims, of any slot, that name one of Beliefs.", supersedersOfSlot},
	{"Amendments are the amendments of Beliefs and of Superseders.", amendmentsOfSlot},
	{"Cases are the cases of the slot, newest version of each, without cases across scopes.", casesOfSlot},
	{"SlotsAfter pages through all slots in the order of their keys, after a key.", slotsAfter},
}

// byKey gives each slot of an answer by its key.
func (w *world) byKey(slots ...tenure.Slot) map[string][4]int {
	w.Helper()
	counts := map[string][4]int{}
	for _, s := range read(w, w.now().Slots, slots) {
		counts[s.Slot.Key()] = [4]int{len(s.Beliefs), len(s.Superseders), len(s.Amendments), len(s.Cases)}
	}
	return counts
}

func slotsAreWhole(w *world) {
	a, b := claim(newID(), "office"), claim(newID(), "office")
	by := claim(newID(), "moved")
	by.Supersedes = []tenure.ID{a.ID, b.ID}
	w.apply(slices.Concat(believed(a), believed(b), believed(by),
		[]tenure.Change{retract(a), retract(by), tenure.CasePut{Case: quarantine(b.Slot(), b.ID)}})...)
	empty := tenure.Slot{Subject: a.Subject, Predicate: "none"}
	w.same("slots", map[string][4]int{
		a.Slot().Key(): {1, 1, 2, 0}, b.Slot().Key(): {1, 1, 1, 1}, by.Slot().Key(): {1, 0, 1, 0}, empty.Key(): {},
	}, w.byKey(a.Slot(), b.Slot(), by.Slot(), empty))
}

func emptySlots(w *world) {
	a := w.believe(claim(newID(), "office"))
	empty := tenure.Slot{Subject: newID(), Predicate: "office", Scope: tenure.Scope{UserID: "u"}}
	w.same("slots", map[string][4]int{a.Slot().Key(): {1, 0, 0, 0}, empty.Key(): {}}, w.byKey(empty, a.Slot()))
	states := read(w, w.other().now().Slots, []tenure.Slot{empty})
	if len(states) != 1 || states[0].Slot != empty || len(states[0].Beliefs) != 0 {
		w.Errorf("in a tenant that never wrote: %+v", states)
	}
}

func claimsOfSlot(w *world) {
	a := claim(newID(), "office")
	scopes := []tenure.Scope{
		{Kind: tenure.ScopeGlobal}, {Kind: tenure.ScopeDraft}, {Kind: tenure.ScopeGlobal, UserID: "u"},
		{Kind: tenure.ScopeGlobal, ProjectID: "u"}, {Kind: tenure.ScopeGlobal, UserID: "U"},
	}
	for _, scope := range scopes {
		for range 2 {
			c := claim(a.Subject, "office")
			c.Scope = scope
			w.believe(c, segment(tenure.BySuccession, 100, tenure.MaxTime)) // displaced claims count too
		}
	}
	w.believe(claim(a.Subject, "office2"))
	w.believe(claim(newID(), "office"))
	for _, scope := range scopes {
		s := tenure.Slot{Subject: a.Subject, Predicate: "office", Scope: scope}
		w.same("slot", map[string][4]int{s.Key(): {2, 0, 0, 0}}, w.byKey(s))
	}
	// No kind is the global kind.
	s := tenure.Slot{Subject: a.Subject, Predicate: "office"}
	w.same("slot", map[string][4]int{s.Key(): {2, 0, 0, 0}}, w.byKey(s))
	w.same("before", 1, len(read(w, w.view(tenure.AsOf{Seq: 1}).Slots, []tenure.Slot{s})[0].Beliefs))
}

func supersedersOfSlot(w *world) {
	a := w.believe(claim(newID(), "office"))
	same, other := claim(a.Subject, "office"), claim(newID(), "moved")
	same.Supersedes, other.Supersedes = []tenure.ID{a.ID}, []tenure.ID{newID(), a.ID}
	other.Evidence = &tenure.Evidence{Rule: "r", Span: "no longer", Trigger: "t", Source: "s"}
	other.Supersedes[0] = w.believe(claim(newID(), "moved")).ID
	w.believe(same)
	w.believe(other)
	got := read(w, w.now().Slots, []tenure.Slot{a.Slot()})[0]
	w.same("superseders", []tenure.Claim{same, other}, got.Superseders)
	w.same("before", 0, len(read(w, w.view(tenure.AsOf{Seq: 1}).Slots, []tenure.Slot{a.Slot()})[0].Superseders))
}

func amendmentsOfSlot(w *world) {
	a, by, far := w.believe(claim(newID(), "office")), claim(newID(), "moved"), w.believe(claim(newID(), "else"))
	by.Supersedes = []tenure.ID{a.ID}
	w.believe(by)
	want := []tenure.Amendment{}
	for _, c := range []tenure.Claim{a, by, far, a} {
		x := retract(c)
		x.Amendment.Kind, x.Amendment.Case = tenure.Reject, newID()
		w.apply(x)
		if c.ID != far.ID {
			want = append(want, x.Amendment)
		}
	}
	w.same("amendments", want, read(w, w.now().Slots, []tenure.Slot{a.Slot()})[0].Amendments)
	w.same("before", 0, len(read(w, w.view(tenure.AsOf{Seq: 3}).Slots, []tenure.Slot{a.Slot()})[0].Amendments))
}

func casesOfSlot(w *world) {
	a := w.believe(claim(newID(), "office"))
	open, across, far := quarantine(a.Slot(), a.ID), quarantine(a.Slot(), a.ID),
		quarantine(tenure.Slot{Subject: a.Subject}, a.ID)
	across.CrossScope = true
	w.apply(tenure.CasePut{Case: open}, tenure.CasePut{Case: across}, tenure.CasePut{Case: far})
	settled := open
	settled.State, settled.Version = tenure.CaseSettled, 2
	second := quarantine(a.Slot(), a.ID)
	w.apply(tenure.CasePut{Case: settled})
	w.apply(tenure.CasePut{Case: second})
	w.same("cases", []tenure.Case{settled, second}, read(w, w.now().Slots, []tenure.Slot{a.Slot()})[0].Cases)
	before := w.view(tenure.AsOf{Seq: 2})
	w.same("before", []tenure.Case{open}, read(w, before.Slots, []tenure.Slot{a.Slot()})[0].Cases)
}

func slotsAfter(w *world) {
	want := []string{}
	for _, predicate := range []string{"b", "a", "B", "\U0001F600", "ä"} {
		for _, scope := range []tenure.Scope{{Kind: tenure.ScopeGlobal}, {Kind: tenure.ScopeTask, TaskID: "t"}} {
			c := claim(newID(), predicate)
			c.Scope = scope
			w.believe(c)
			again := claim(c.Subject, predicate)
			again.Scope = scope
			w.believe(again)
			want = append(want, c.Slot().Key())
		}
	}
	slices.Sort(want)
	for _, limit := range []int{1, 3, 100} {
		got, after := []string{}, ""
		for range len(want) + 1 {
			page, err := w.now().SlotsAfter(background(), after, limit)
			w.ok(err)
			for _, s := range page {
				after = s.Key()
				got = append(got, after)
			}
		}
		w.same("walk", want, got)
	}
	page, err := w.view(tenure.AsOf{Seq: 1}).SlotsAfter(background(), "", 100)
	w.ok(err)
	w.same("before", 1, len(page))
}
