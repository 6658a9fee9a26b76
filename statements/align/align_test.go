package align

import (
	"math/rand/v2"
	"slices"
	"strings"
	"tenure/statements"
	"tenure/statements/clauses"
	"testing"

	"tenure"
)

// lessSure is a statement of which the reader is as sure as of most.
func lessSure(st tenure.Statement) tenure.Statement {
	st.Confidence = usual
	return st
}

func unlikely(st tenure.Statement) tenure.Statement {
	st.Confidence, st.Extractor = 0.4, statements.Extractor
	return st
}

// told makes the statement of a clause in which the subject, the new and the old value are marked: <subject>, [new], {old}.
func told(act tenure.Act, marked string) tenure.Statement {
	st := tenure.Statement{Act: act, Confidence: 1}
	var b strings.Builder
	var open int
	for _, r := range marked {
		switch r {
		case '<', '[', '{':
			open = b.Len()
		case '>':
			st.Subject = tenure.Span{Start: open, End: b.Len(), Text: b.String()[open:]}
		case ']':
			st.New = tenure.Span{Start: open, End: b.Len(), Text: b.String()[open:]}
		case '}':
			st.Old = tenure.Span{Start: open, End: b.Len(), Text: b.String()[open:]}
		default:
			b.WriteRune(r)
		}
	}
	st.Span = tenure.Span{End: b.Len(), Text: b.String()}
	st.Kind = clauses.KindOf(st.New.Text)
	if st.New.Text == "" {
		st.Kind = clauses.KindOf(st.Old.Text)
	}
	return st
}

func known(subject, predicate string, held ...string) Slot {
	return Slot{Names: []string{subject}, Predicate: predicate, Values: held, Type: tenure.AnyValue}
}

func spoken(s Slot, turn, said int) Slot {
	s.Turn, s.Said = turn, said
	return s
}

func questioned(s Slot) Slot {
	s.Turn, s.Said, s.Asked = 1, 1, true
	return s
}

func own(s Slot) Slot {
	s.Own = true
	return s
}

func plannedFor(st tenure.Statement, from tenure.Instant) tenure.Statement {
	st.From = &from
	return st
}

func about(st tenure.Statement, property string) tenure.Statement {
	st.Property = property
	return st
}

var (
	magpie  = known("Magpie", "on-call engineer", "Tomasz Wilk")
	server  = known("build server", "location", "Leeds data centre")
	mirror  = known("mirror server", "location", "Leeds data centre")
	lamp    = known("Ember lamp", "price", "£38")
	stock   = known("Ember lamp", "stock", "210")
	fish    = known("Casa Nopal", "fish supplier", "Bayline Seafood")
	produce = known("Casa Nopal", "produce supplier", "Green Acre")
	limit   = known("Market Street", "speed limit", "30 mph")
	castle  = known("Castle Street", "speed limit", "40 mph")
	hearing = known("Ferrante v. Oakes", "hearing date", "2026-06-19")
	ramp    = known("garage ramp", "drawing revision", "rev D")
	pupils  = known("Class 3B", "teacher", "Mr Halloran")
	room    = known("Class 3B", "classroom", "room 14")
)

func TestAlign(t *testing.T) {
	const tomorrow = tenure.Instant(1)
	for _, c := range []struct {
		name   string
		st     tenure.Statement
		slots  []Slot
		effect Effect
		slot   int
		value  string
	}{
		{"subject-and-property", told(tenure.Asserts, "the price of the Ember lamp is [£29]"), []Slot{stock, lamp}, Set, 1, "£29"},
		{"verb-of-the-property", told(tenure.Asserts, "Bayline no longer, [Nordfang] supplies fish to Casa Nopal"), []Slot{produce, fish}, Set, 1, "Nordfang"},
		{"irregular-verb", told(tenure.Asserts, "Class 3B is taught by [Dr Penhallow] in room 14"), []Slot{room, pupils}, Set, 1, "Dr Penhallow"},
		{"everyday-way-place", told(tenure.Asserts, "the build server lives in [Slough]"), []Slot{mirror, server}, Set, 1, "Slough"},
		{"everyday-way-person", told(tenure.Asserts, "[Ines] has the pager"), []Slot{spoken(magpie, 1, 0)}, Set, 0, "Ines"},
		{"kind-and-unit-alone", told(tenure.Asserts, "Market Street, [25 mph]"), []Slot{castle, limit}, Set, 1, "25 mph"},
		{"neighbour", told(tenure.Asserts, "<Castle Street> has [25 mph]"), []Slot{limit}, Adds, -1, "25 mph"},
		{"form-of-the-value", told(tenure.Asserts, "garage ramp is at [rev G]"), []Slot{ramp}, Set, 0, "rev G"},
		{"property-as-subject", told(tenure.Asserts, "<speed limit> is [20 mph] these days"), []Slot{spoken(limit, 1, 0)}, Set, 0, "20 mph"},
		{"old-value", told(tenure.Corrects, "not {Tomasz Wilk} but [Ines Calder]"), []Slot{spoken(magpie, 2, 0)}, Set, 0, "Ines Calder"},
		{"subject-and-property-of-the-past", unlikely(told(tenure.Asserts, "the speed limit of <Market Street> was lowered to [20 mph]")), []Slot{limit}, Set, 0, "20 mph"},
		{"old-value-of-the-past", unlikely(told(tenure.Asserts, "we moved the speed limit of Market Street from {30 mph} to [20 mph]")), []Slot{limit}, Set, 0, "20 mph"},
		{"own", told(tenure.Asserts, "my dentist is [Dr. Brandt]"), []Slot{own(known("Marek Dolny", "dentist", "Dr. Osei"))}, Set, 0, "Dr. Brandt"},
		{"two-subjects", told(tenure.Asserts, "Castle Street [45 mph], Market Street 25 mph"), []Slot{limit, castle}, Set, 1, "45 mph"},
		{"kin-of-the-speaker", told(tenure.Asserts, "my <neighbour> lives in [Perth] now"), []Slot{spoken(known("Nan Hale's sister Ada", "lives in", "Bonn"), 1, 0)}, Adds, -1, "Perth"},
		{"a-title-is-no-kin", told(tenure.Asserts, "inzwischen macht das <Frau Brehm>"), []Slot{spoken(known("Filiale Nord", "leiterin", "Frau Seidel"), 1, 0)}, Remarks, -1, ""},
		{"answer", told(tenure.Asserts, "[Beatriz Lomas]"), []Slot{questioned(known("Ward 7", "charge nurse", "Maureen Tully"))}, Set, 0, "Beatriz Lomas"},
		{"ends-by-value", told(tenure.Ends, "{Tomasz Wilk} has left Magpie"), []Slot{magpie}, Ends, 0, "Tomasz Wilk"},
		{"ends-by-property", told(tenure.Ends, "the Ember lamp has no price any more"), []Slot{stock, lamp}, Ends, 1, ""},
		{"retracts", told(tenure.Retracts, "disregard the [rev D] I gave for the garage ramp"), []Slot{ramp}, Retracts, 0, "rev D"},
		{"plan", plannedFor(told(tenure.Plans, "the speed limit on Market Street will be [35 mph]"), tomorrow), []Slot{limit}, Set, 0, "35 mph"},
		{"plan-without-a-time", told(tenure.Plans, "the speed limit on Market Street will be [35 mph]"), []Slot{limit}, Keeps, 0, ""},
		{"question", told(tenure.Asks, "is the Ember lamp price [£29]"), []Slot{lamp}, Keeps, 0, ""},
		{"other-kind", told(tenure.Asserts, "the Ember lamp arrives on [3 June]"), []Slot{lamp}, Adds, -1, "3 June"},
		{"other-subject", lessSure(told(tenure.Asserts, "<the cat> has [9] lives")), []Slot{spoken(stock, 1, 0)}, Remarks, -1, ""},
		{"verb-and-preposition", told(tenure.Asserts, "<Ada> works at [Palisade]"), nil, Adds, -1, "Palisade"},
		{"no-property-joined", told(tenure.Asserts, "<the tower> fell [obi]"), nil, Remarks, -1, ""},
		{"spoken-of", told(tenure.Asserts, "<the tall one> costs [£29]"), []Slot{spoken(lamp, 1, 0)}, Set, 0, "£29"},
		{"remark", told(tenure.Asserts, "what a week"), []Slot{lamp}, Remarks, -1, ""},
		{"first-fact", about(told(tenure.Asserts, "<the guest wifi> code is [4711]"), "code"), nil, Adds, -1, "4711"},
		{"no-property", told(tenure.Asserts, "[Le Havre] here it comes"), []Slot{spoken(known("MSKU-4471", "destination port", "Rotterdam"), 1, 0)}, Remarks, -1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Statements([]tenure.Statement{c.st}, c.slots)
			if len(got) != 1 {
				t.Fatalf("%d changes of one statement", len(got))
			}
			if g := got[0]; g.Effect != c.effect || g.Slot != c.slot || g.Value != c.value {
				t.Errorf("%s slot %d value %q, want %s slot %d value %q (%.2f: %s)", g.Effect, g.Slot, g.Value, c.effect, c.slot, c.value, g.Confidence, g.Why)
			}
		})
	}
}

// TestAlignFirstFacts holds that a property is named by its words, else by the kind of its value, and that what is said
// next of the same subject means it.
func TestAlignFirstFacts(t *testing.T) {
	first := Statements([]tenure.Statement{told(tenure.Asserts, "<the exam> is on [12 May]"), told(tenure.Asserts, "it costs [£40]")}, nil)
	for i, want := range []string{"date", "price"} {
		if c := first[i]; c.Effect != Adds || c.Subject != "exam" || c.Predicate != want {
			t.Errorf("statement %d: %s %q %q, want a first %s of the exam", i, c.Effect, c.Subject, c.Predicate, want)
		}
	}
	exam := known(first[0].Subject, first[0].Predicate, "12 May")
	next := Statements([]tenure.Statement{told(tenure.Asserts, "<the exam> is on [14 May]")}, []Slot{exam})
	if next[0].Effect != Set || next[0].Slot != 0 {
		t.Errorf("said again: %+v", next[0])
	}
}

// TestAlignBesides holds that "also" adds beside what stands.
func TestAlignBesides(t *testing.T) {
	slots := []Slot{known("Casa Nopal", "supplier", "Bayline Seafood")}
	for clause, want := range map[string]bool{
		"Casa Nopal's supplier is [Nordfang]":                  false,
		"[Nordfang] is also a supplier of Casa Nopal":          true,
		"[Nordfang] is a supplier of Casa Nopal, too":          true,
		"in addition Casa Nopal has [Nordfang] for a supplier": true,
	} {
		if c := Statements([]tenure.Statement{told(tenure.Asserts, clause)}, slots)[0]; c.Effect != Set || c.Beside != want {
			t.Errorf("%s: %s beside %t, want %t", clause, c.Effect, c.Beside, want)
		}
	}
}

func TestNamed(t *testing.T) {
	slots := []Slot{server, mirror, known("container MSKU-4471", "port"), pupils}
	for s, want := range map[string][]bool{
		"the build server hums":    {true, false, false, false},
		"the server hums":          {false, false, false, false},
		"the 4471 box is on water": {false, false, true, false},
		"how was 3b today":         {false, false, false, true},
	} {
		if got := Named(s, slots); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
}

// TestAlignLaws holds for what nobody has thought of: the order of the slots does not matter, an act that changes
// nothing sets nothing, and each statement has one change, of a slot that exists.
func TestAlignLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		slots, list := anySlots(r), anyStatements(r)
		lawful(t, list, slots)
		order := r.Perm(len(slots))
		moved := make([]Slot, len(slots))
		for i, j := range order {
			moved[i] = slots[j]
		}
		a, b := Statements(list, slots), Statements(list, moved)
		for i := range a {
			same := a[i].Effect == b[i].Effect && a[i].Value == b[i].Value && a[i].Subject == b[i].Subject && a[i].Predicate == b[i].Predicate
			if !same || a[i].Slot >= 0 && order[b[i].Slot] != a[i].Slot {
				t.Fatalf("in another order:\n%+v\n%+v\n%+v", list[i], a[i], b[i])
			}
		}
	}
}

func lawful(t *testing.T, list []tenure.Statement, slots []Slot) {
	t.Helper()
	changes := Statements(list, slots)
	if len(changes) != len(list) {
		t.Fatalf("%d changes of %d statements", len(changes), len(list))
	}
	for i, c := range changes {
		switch {
		case c.Statement != i, c.Slot < -1, c.Slot >= len(slots), c.Confidence < 0, c.Confidence > 1:
			t.Fatalf("%+v", c)
		case c.Effect == Set && c.Slot < 0, c.Effect == Adds && c.Slot >= 0,
			(changesSlot(c.Effect) || c.Effect == Adds) && c.Slot < 0 && c.Predicate == "":
			t.Fatalf("%s of slot %d", c.Effect, c.Slot)
		case !list[i].Act.Changes() && c.Effect != Keeps:
			t.Fatalf("%s by %s", c.Effect, list[i].Act)
		}
	}
}

var (
	somePlaces = []Slot{magpie, server, mirror, lamp, stock, fish, produce, limit, castle, hearing, ramp, pupils, room}
	someActs   = []tenure.Act{tenure.Asserts, tenure.Corrects, tenure.Retracts, tenure.Ends, tenure.Plans, tenure.Asks,
		tenure.Requests, tenure.Proposes, tenure.Supposes, tenure.Denies, tenure.Reports, tenure.Recounts, tenure.Jokes, "", "?"}
	someClauses = []string{"it is [25 mph] now", "<Ember lamp> costs [£29]", "[Ines] has it", "no more {rev D}", "", "[]", "<>[9]",
		"Castle Street [45 mph], Market Street 25 mph", "my price is [12]", "{Leeds} to [Slough]", "also [210]", "\xff[\xfe]"}
)

func anySlots(r *rand.Rand) (list []Slot) {
	for _, s := range somePlaces {
		if r.IntN(3) == 0 {
			if r.IntN(9) == 0 {
				s.Predicate, s.Values = "", nil
			}
			s.Turn, s.Said, s.Own, s.Many = r.IntN(4), r.IntN(3), r.IntN(5) == 0, r.IntN(3) == 0
			list = append(list, s)
		}
	}
	return list
}

func anyStatements(r *rand.Rand) (list []tenure.Statement) {
	for range r.IntN(4) {
		list = append(list, told(someActs[r.IntN(len(someActs))], someClauses[r.IntN(len(someClauses))]))
	}
	return list
}

func FuzzAlign(f *testing.F) {
	f.Add("the price of the Ember lamp is [£29]", "Ember lamp", "price", "£38", 0)
	f.Add("{a} [b]", "", "", "", 4)
	f.Fuzz(func(t *testing.T, clause, subject, predicate, value string, act int) {
		st := told(someActs[uint(act)%uint(len(someActs))], clause)
		lawful(t, []tenure.Statement{st, st}, []Slot{known(subject, predicate, value), {Names: nil, Predicate: predicate}})
	})
}

// BenchmarkAlign aligns ten statements to two hundred slots.
func BenchmarkAlign(b *testing.B) {
	var slots []Slot
	for i := range 200 {
		s := somePlaces[i%len(somePlaces)]
		s.Names = []string{s.Names[0] + " " + strings.Repeat("x", i/len(somePlaces))}
		slots = append(slots, s)
	}
	var list []tenure.Statement
	for range 10 {
		list = append(list, told(tenure.Asserts, "the price of the Ember lamp is [£29]"))
		list[len(list)-1].Start = len(list)
	}
	for b.Loop() {
		Statements(list, slots)
	}
}

// TestWhatAClauseDoesNotMean: another property of the vocabulary, another person, words where names are.
func TestWhatAClauseDoesNotMean(t *testing.T) {
	for _, c := range []struct {
		clause string
		slot   Slot
		adds   string // the subject and the predicate that are added in its place
	}{
		{"<Ines> lives in [Bergen]", known("Ines", "employer", "Saffron"), "Ines lives_in"},
		{"<Jonas> lives in [Turin]", known("Ada", "lives_in", "Ghent"), "Jonas lives_in"},
		{"<Bruno> was hired by [Quarry]", known("Bruno", "lives_in", "Graz"), "Bruno employer"},
		{"<Hugo> keeps a [paleo diet]", known("Hugo", "employer", "Saffron"), "Hugo diet"},
		{"<seals> are [late] again", known("seals", "supplier", "Brackwell"), ""},
	} {
		st := told(tenure.Asserts, c.clause)
		st.Property = strings.Fields(st.Text)[1]
		got := Statements([]tenure.Statement{st}, []Slot{c.slot})[0]
		if got.Effect == Set || got.Effect == Unsure {
			t.Errorf("%s: %s %s", c.clause, got.Effect, c.slot.Predicate)
		}
		if added := got.Subject + " " + got.Predicate; c.adds != "" && (got.Effect != Adds || added != c.adds) {
			t.Errorf("%s: %s %s, want %s", c.clause, got.Effect, added, c.adds)
		}
	}
}

// TestTheReadingsOfAClauseAddWhatTheySay: more than one thing, and not what the first one is no property of.
func TestTheReadingsOfAClauseAddWhatTheySay(t *testing.T) {
	gate, hour := told(tenure.Asserts, "<the Mostar coach> leaves from [Gate B] at 6:45"), told(tenure.Asserts, "<the Mostar coach> leaves from Gate B at [6:45]")
	gate.Property, hour.Property = "leaves", "leaves"
	changes := Statements([]tenure.Statement{gate, hour}, nil)
	if changes[0].Effect != Adds || changes[1].Effect != Adds || changes[0].Predicate == changes[1].Predicate {
		t.Errorf("%s %s, %s %s", changes[0].Effect, changes[0].Predicate, changes[1].Effect, changes[1].Predicate)
	}
}
