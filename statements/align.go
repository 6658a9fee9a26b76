package statements

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// Slot is what is known of one property of one entity, as far as a statement may mean it.
type Slot struct {
	// Names are the names and aliases of the subject, the one that it goes by first.
	Names []string
	// Predicate is the name of the property, "" for a subject that was spoken of and of which nothing is known.
	// Synonyms are further words for it; Type is the type of its values.
	Predicate string
	Synonyms  []string
	Type      tenure.ValueType
	Many      bool
	// Values are the texts of the values that stand, the newest first; Kinds are what they look like. A slot without
	// values is one that was asked for, that another entity of the kind has, or that ended.
	Values []string
	Kinds  []string
	// Since is when the newest value was said.
	Since tenure.Instant
	// Named reports whether the text names the subject. Turn is how many turns ago the thread last spoke of the
	// subject (1 is the turn before), 0 if it did not; Said the same of the slot itself. Own reports whether the
	// subject is the speaker.
	Named bool
	Turn  int
	Said  int
	Own   bool
	// Asked reports whether the turn before asks for it.
	Asked bool
}

// Effect is what a statement does to a slot.
type Effect = tenure.Effect

// The effects.
const (
	Set      = tenure.Set
	Ends     = tenure.EndsSlot
	Retracts = tenure.RetractsValue
	Keeps    = tenure.Keeps
	Adds     = tenure.Adds
	Remarks  = tenure.Remarks
	Unsure   = tenure.Unsure
)

// Change is what one statement means for what is believed.
type Change struct {
	Statement int // index
	Effect    Effect
	// Slot is the index of the slot, -1 if there is none: then Subject and Predicate name what is meant, as far as that is
	// clear. Of a question they are what the next text may answer: keep them as a slot without values.
	Slot    int
	Subject string
	// Own reports whether a new subject is the speaker's, as "my sister" is, or where it is "" the speaker.
	Own       bool
	Predicate string
	// Value is the new value as written, or for ends and retractions the old one, "" for all of the slot.
	Value string
	// Beside reports whether the new value is said to hold beside what stands, not in its place.
	Beside bool
	// Asks reports whether it asks which value the slot has: what is said next may be the answer.
	Asks  bool
	From  *tenure.Instant
	Until *tenure.Instant
	// Confidence is how sure the alignment is, given that the statement was read rightly, 0 to 1. Why says by what it was
	// aligned.
	Confidence float64
	Why        string
}

// Thresholds of confidence.
const (
	sure   = 0.6  // from here on a statement changes the slot
	unsure = 0.35 // from here on it is proposed; below, it does not mean the slot
	usual  = 0.8  // the confidence of a reader that has found nothing unusual
	nearly = 0.35 // two slots whose evidence is as near as this are not told apart
)

// alignment is what aligning the statements of one text needs to know.
type alignment struct {
	list      []*candidate
	bearers   map[string]int // how many subjects have a word in a name
	subjects  int
	last      *candidate          // what the statement before was about
	headed    *candidate          // the property that a heading before names
	corrected bool                // a statement before says that something was wrong
	vacant    map[*candidate]bool // what they took the value of
	namedAt   map[string]int      // where the first clause is that names a subject
	set       map[*candidate]bool // what the statements before gave a value

	anySubject bool // the subject that the statement names is known
}

// Align says what the statements of a text change, in their order.
//
// For each it adds up the evidence for every slot (align_score.go) and takes the best. What the act is decides
// whether anything changes at all; the evidence decides what.
func Align(list []tenure.Statement, slots []Slot) []Change {
	a := newAlignment(slots)
	a.findNames(list)
	changes := make([]Change, len(list))
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j].Start == list[i].Start && list[j].End == list[i].End {
			j++
		}
		a.clause(list[i:j], i, changes)
		i = j
	}
	return changes
}

// findNames finds the first clause that names each subject.
func (a *alignment) findNames(list []tenure.Statement) {
	for i := range list {
		st := &list[i]
		if i > 0 && st.Start == list[i-1].Start {
			continue
		}
		said := contentWords(st.Text)
		for _, c := range a.list {
			if _, found := a.namedAt[c.key]; found {
				continue
			}
			if share, distinct := a.nameOf(c, said); share > 0.99 || distinct {
				a.namedAt[c.key] = st.Start
			}
		}
	}
}

// Named returns of each slot whether a text names its subject: by a whole name, or by as many words of it as no other
// subject has.
func Named(s string, slots []Slot) []bool {
	a := newAlignment(slots)
	var list []string
	for _, w := range text.Words(s) {
		list = append(list, text.Fold(s[w.From:w.Until]))
	}
	named := make([]bool, len(slots))
	for i, c := range a.list {
		share, distinct := a.nameOf(c, list)
		named[i] = share > 0.99 || distinct
	}
	return named
}

func newAlignment(slots []Slot) *alignment {
	a := &alignment{bearers: map[string]int{}, namedAt: map[string]int{}, set: map[*candidate]bool{},
		vacant: map[*candidate]bool{}}
	seen := map[string]bool{}
	for i, s := range slots {
		c := newCandidate(i, s)
		a.list = append(a.list, c)
		if len(s.Names) == 0 || seen[text.Key(s.Names[0])] {
			continue
		}
		seen[text.Key(s.Names[0])] = true
		own := map[string]bool{}
		for _, n := range c.names {
			for _, w := range n.words {
				if !own[w] {
					own[w] = true
					a.bearers[w]++
				}
			}
		}
	}
	a.subjects = len(seen)
	return a
}

// aligned is a statement with the slot that it means, if any.
type aligned struct {
	*compared
	slot       *candidate
	why        evidence
	tied       bool
	confidence float64
	taken      bool
}

// clause aligns the statements of one clause. A reader may read a clause in several ways: of those that exclude each
// other the one is meant for which most speaks.
func (a *alignment) clause(list []tenure.Statement, from int, changes []Change) {
	all := make([]*aligned, len(list))
	for i := range list {
		m := &aligned{compared: newCompared(a.trimmed(list[i]))}
		m.slot, m.why, m.tied = a.best(m.compared)
		m.confidence = m.compared.confidence() * logistic(m.why.sum()-evens)
		if m.slot == nil || m.confidence < unsure {
			m.slot = nil
		}
		if m.slot != nil && m.Act == tenure.Asks && m.why.property <= 0 && m.why.value <= 0 {
			m.slot = nil // it asks something else of the subject
		}
		all[i] = m
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(x, y *aligned) int { return cmp.Compare(y.why.sum(), x.why.sum()) })
	for i, m := range order {
		excluded := slices.ContainsFunc(order[:i], func(o *aligned) bool { return o.taken && o.excludes(m) })
		m.taken = m.slot != nil && !excluded
	}
	done := slices.ContainsFunc(all, func(m *aligned) bool { return m.taken })
	defer func() { a.corrected = a.corrected || all[0].Act == tenure.Corrects || all[0].Act == tenure.Denies }()
	for i, m := range all {
		changes[from+i] = a.change(m, from+i, done)
		done = done || changes[from+i].Effect != Keeps
	}
}

// excludes reports whether of two readings of a clause only one can be meant.
func (m *aligned) excludes(o *aligned) bool {
	if m.Alternative || o.Alternative || m.slot == o.slot {
		return true
	}
	return m.New.Start < o.New.End && o.New.Start < m.New.End
}

// change is what a statement does. Other reports whether another reading of its clause is meant, if this means no slot.
func (a *alignment) change(m *aligned, i int, other bool) Change {
	c := Change{Statement: i, Slot: -1, From: m.From, Until: m.Until, Why: m.why.String()}
	if m.taken {
		a.last = m.slot
		c.Slot, c.Confidence = m.slot.index, m.confidence
		c.Subject, c.Predicate = m.slot.known(), m.slot.Predicate
		c.Asks = m.open()
	}
	if m.slot == nil {
		a.heading(m.compared)
	}
	switch {
	case m.Act == tenure.Asks && (m.slot == nil || m.topical && m.foreign(m.slot)):
		return a.topic(m.compared, c)
	case !m.changes(), !m.taken && other:
		c.Effect = Keeps
		return c
	case m.slot == nil:
		return a.first(m.compared, c)
	}
	return a.effected(m, c)
}

// changes reports whether a statement may change something: a plan does if it says when, and what ends or is taken back
// must be known.
func (m *aligned) changes() bool {
	switch m.Act {
	case tenure.Plans:
		return m.From != nil
	case tenure.Ends, tenure.Retracts:
		return m.slot != nil
	}
	return m.Act.Changes()
}

// effected is the change of a statement that means a slot.
func (a *alignment) effected(m *aligned, c Change) Change {
	c.Effect, c.Value = effect(m.compared, m.slot)
	c.Beside = c.Effect == Set && beside(m.compared)
	if c.Effect == Set {
		c.From = m.from()
	}
	switch {
	case changesSlot(c.Effect) && (m.confidence < sure || m.tied || m.foreign(m.slot) && !a.vacant[m.slot]):
		c.Effect = Unsure
	case c.Effect == Set:
		a.set[m.slot], a.vacant[m.slot] = !m.fresh.in(m.slot.held), false
	case changesSlot(c.Effect):
		a.vacant[m.slot] = true
	}
	if c.Effect == Set && c.Slot < 0 {
		c.Effect = Adds
	}
	return c
}

// open reports whether a question asks for a value, rather than whether one is so.
func (m *aligned) open() bool {
	if m.Act != tenure.Asks || m.group != groupText && m.group != groupName && m.fresh.text != "" && m.why.value > 0 {
		return false
	}
	return m.wide() && (m.why.property > 0 || m.topical)
}

// wide reports whether a clause has a question word.
func (r *compared) wide() bool {
	return slices.ContainsFunc(text.Words(r.Text), func(w text.Span) bool {
		return classOf(text.Fold(r.Text[w.From:w.Until]))&question != 0
	})
}

// from is the time from which a value holds. The day that is the value is none: a hearing set for June is set today.
func (r *compared) from() *tenure.Instant {
	if r.From != nil && (r.group == groupDate || r.group == groupMoment) {
		if day := r.From.Time().UTC().Format("-01-02"); strings.HasSuffix(r.fresh.canonical, day) {
			return nil
		}
	}
	return r.From
}

// trimmed is a statement without the words of a property that its value begins with: "subject wake up little garden".
func (a *alignment) trimmed(st tenure.Statement) *tenure.Statement {
	list := text.Words(st.New.Text)
	if st.Property != "" || len(list) < 2 {
		return &st
	}
	folded := make([]string, len(list))
	for i, w := range list {
		folded[i] = text.Fold(st.New.Text[w.From:w.Until])
	}
	for _, c := range a.list {
		n := begins(folded, c.phrases[0])
		if n == 0 || n == len(list) || classOf(folded[n])&functionWord != 0 {
			continue
		}
		at := list[n].From
		st.Property = st.New.Text[:list[n-1].Until]
		st.New = tenure.Span{Start: st.New.Start + at, End: st.New.End, Text: st.New.Text[at:]}
		st.Kind = KindOf(st.New.Text)
		return &st
	}
	return &st
}

// begins returns with how many words of a phrase a list begins: all of them, or all of the phrase but some at its ends.
func begins(list, phrase []string) int {
	for from := range phrase {
		n := 0
		for n < len(list) && from+n < len(phrase) && list[n] == phrase[from+n] {
			n++
		}
		if n > 0 && len(list[0]) > 2 {
			return n
		}
	}
	return 0
}

// heading remembers the property that a statement only names: "role: site superintendent".
func (a *alignment) heading(r *compared) {
	for _, c := range a.list {
		if allIn(r.fresh.words, c.phrases[0]) && (c.Named || a.subjects == 1) && (a.last == nil || a.last.key == c.key) {
			a.last, a.headed = c, c
		}
	}
}

// beside reports whether a clause says that its value holds in addition.
func beside(r *compared) bool {
	list := " " + strings.Join(clauseWords(r.clause), " ") + " "
	return slices.ContainsFunc(additions, func(w string) bool { return strings.Contains(list, " "+w+" ") })
}

func changesSlot(e Effect) bool { return e == Set || e == Ends || e == Retracts }

// effect is what a statement does to the slot that it means, and with which value.
func effect(r *compared, c *candidate) (Effect, string) {
	old, held := held(r, c)
	if r.New.Text == "" || held {
		switch r.Act {
		case tenure.Ends:
			return Ends, old
		case tenure.Retracts:
			return Retracts, old
		case tenure.Corrects: // "it was entered as Tully in error"
			if held || r.Old.Text != "" {
				return Retracts, old
			}
		}
	}
	switch {
	case held:
		return Set, old // the same, perhaps by fewer words
	case r.New.Text != "":
		return Set, r.New.Text
	case old != "":
		return Ends, old
	}
	return Remarks, ""
}

// held returns the value of a slot that a statement names, and whether it names it as the new one.
func held(r *compared, c *candidate) (value string, fresh bool) {
	for _, v := range c.held {
		if v.same(r.stale) {
			value = v.text
		} else if r.stale.text == "" && v.same(r.fresh) {
			value, fresh = v.text, true
		}
	}
	return value, fresh
}

// evidence is what speaks for a slot.
type evidence struct{ subject, property, value, old, only float64 }

func (e evidence) sum() float64 { return e.subject + e.property + e.value + e.old + e.only }

func (e evidence) String() string {
	return fmt.Sprintf("subject %+.1f, property %+.1f, value %+.1f, old value %+.1f, only one %+.1f", e.subject, e.property,
		e.value, e.old, e.only)
}

// best returns the slot for which most speaks, and whether another is as good.
func (a *alignment) best(r *compared) (best *candidate, why evidence, tied bool) {
	a.mark(r)
	all := make([]evidence, len(a.list))
	for i, c := range a.list {
		all[i] = evidence{subject: a.subjectScore(r, c), property: a.propertyScore(r, c), old: oldScore(r, c)}
		all[i].value = a.valueScore(r, c, all[i])
	}
	for i, c := range a.list {
		if a.only(i, all) {
			all[i].only = onlyFitting
		}
		switch {
		case c.Predicate == "": // a subject of which nothing is known
		case best == nil || all[i].sum() > why.sum() || all[i].sum() == why.sum() && orderedBefore(c, best):
			best, why = c, all[i]
		}
	}
	for i, c := range a.list {
		tied = tied || best != nil && c != best && c.Predicate != "" && why.sum()-all[i].sum() < nearly && !sameSlot(c, best)
	}
	return best, why, tied
}

// orderedBefore orders slots that are equally good, so that the order in which they are given does not matter.
func orderedBefore(a, b *candidate) bool {
	if n, m := strings.Join(a.Names, "\x00"), strings.Join(b.Names, "\x00"); n != m {
		return n < m
	}
	return a.Predicate < b.Predicate
}

func sameSlot(a, b *candidate) bool { return sameSubject(a, b) && a.Predicate == b.Predicate }

// only reports whether a value would do for no other slot of the subject as well as for this one.
func (a *alignment) only(i int, all []evidence) bool {
	if all[i].value < 0 {
		return false
	}
	for j, o := range a.list {
		if j != i && sameSubject(o, a.list[i]) && all[j].value > all[i].value-0.5 {
			return false
		}
	}
	return true
}

// value is the new value, else the old one.
func (r *compared) value() worded {
	if r.fresh.text != "" {
		return r.fresh
	}
	return r.stale
}

// confidence is how sure the reader is, compared with one who is as sure as rules can be.
func (r *compared) confidence() float64 {
	if r.Confidence <= 0 {
		return 1
	}
	return min(1, r.Confidence/usual)
}
