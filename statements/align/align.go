package align

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"tenure"
	"tenure/statements"
	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/vocabulary"
)

// Slot is what is known of one property of one entity, as far as a statement may mean it.
type Slot struct {
	// Names are the names and aliases of the subject, the one that it goes by first.
	Names []string
	// Predicate is the name of the property, "" for a subject that was spoken of and of which nothing is known. Written
	// are others by which it was called; Synonyms are further words for it; Type is the type of its values.
	Predicate string
	Written   []string
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
	// Others reports whether the subject goes by what it is to somebody who does not speak: "Nan's cat" where Per does.
	Others bool
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
	// More are further values, which the words join to Value: "Dutch, Greek and French".
	More []string
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

// Values lists the values of a change, the first one first.
func (c Change) Values() []string { return append([]string{c.Value}, c.More...) }

// Thresholds of confidence, chosen on conversations by writers from whom the model did not learn.
const (
	sure   = 0.24 // from here on a new value changes the slot
	alone  = 0.3  // the same, if nothing but its subject and the value speak for the slot
	unsure = 0.1  // from here on it is proposed; below, it does not mean the slot
	faint  = 0.2  // the same where nothing but the subject speaks for the slot
	nearly = 0.35 // two slots whose odds are as near as this are not told apart
	trust  = 0.5  // how much the evidence, and the reader's word for the act, count beside the model

	overrules = 0.7 // from here on the reader is believed where the rules of acts see no change; below, it is proposed

	// Of what has no new value.
	certain = 0.6  // from here on an end or a retraction changes the slot
	plainly = 0.3  // the same for a first fact in plain words
	stated  = 0.45 // the same for a new value where subject and property are named
	meant   = 0.35 // from here on a statement means the slot
	usual   = 0.8  // the confidence of a reader that has found nothing unusual
)

// alignment is what aligning the statements of one text needs to know.
type alignment struct {
	list      []*candidate
	said      []*compared
	bySlot    [][]ranking    // of each slot, of the columns that are compared
	bearers   map[string]int // how many subjects have a word in a name
	subjects  int
	last      *candidate          // what the statement before was about
	headed    *candidate          // the property that a heading before names
	plain     *compared           // the first reading of the clause
	term      *vocabulary.Term    // that the words before its value name
	corrected bool                // a statement before says that something was wrong
	vacant    map[*candidate]bool // slots whose value the statements before took
	namedAt   map[string]int      // where the first clause that names a subject begins
	set       map[*candidate]bool // slots to which the statements before gave a value

	lately int           // how many turns ago the thread last spoke of a property
	added  int           // properties
	rows   [][][]float64 // what was measured, if it is to be recorded

	properties map[string]*property
	bySubject  map[string][]*candidate // by its key; of no name, none

	// Of the statement that was marked last: whether the subject that it names is known, one slot of each subject that
	// is known by what it names as its subject or in its clause, how many turns ago the thread spoke of the newest
	// subject, of which, and of the newest but that.
	anySubject          bool
	inSubject, inClause []*candidate
	ago, agoNext        float64
	newestKey           string
}

// Statements says what the statements of a text change, in their order.
//
// Each is measured beside every slot (features.go), and a model that learned from conversations says how likely it
// changes the slot (model.go): the likeliest is taken. What the act is decides whether anything changes at all.
func Statements(list []tenure.Statement, slots []Slot) []Change {
	return newAlignment(slots).align(list)
}

func (a *alignment) align(list []tenure.Statement) []Change {
	all := considered(a.list, list)
	a.list = nil
	for _, c := range all {
		a.add(c)
	}
	a.compare(list)
	changes := make([]Change, len(list))
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j].Start == list[i].Start && list[j].End == list[i].End {
			j++
		}
		a.clause(i, j, changes)
		i = j
	}
	return changes
}

// fewSlots is how many slots are considered in any case, and mostRecent of how many subjects more because the thread
// spoke of them in the newest turns.
const fewSlots, mostRecent = 48, 4

// considered leaves out, of many slots, those of subjects that a text neither names nor says a value of, and of which
// the thread did not speak lately.
func considered(all []*candidate, list []tenure.Statement) []*candidate {
	if len(all) <= fewSlots {
		return all
	}
	said := map[string]bool{}
	for _, st := range list {
		for _, w := range contentWords(st.Text) {
			said[w] = true
		}
	}
	turns := map[string]int{}
	for _, c := range all {
		if c.Turn > 0 {
			turns[c.key] = c.Turn
		}
	}
	recent := slices.SortedFunc(maps.Keys(turns), func(x, y string) int {
		return cmp.Or(cmp.Compare(turns[x], turns[y]), cmp.Compare(x, y))
	})
	recent = recent[:min(len(recent), mostRecent)]
	return slices.DeleteFunc(all, func(c *candidate) bool {
		return !c.Named && !c.Own && !c.Asked && !slices.Contains(recent, c.key) && !c.mentioned(said)
	})
}

// mentioned reports whether a text has a proper word of a name of the subject, or all words of a value.
func (c *candidate) mentioned(said map[string]bool) bool {
	inName := slices.ContainsFunc(c.names, func(n subjectName) bool {
		for i, w := range n.words {
			if (n.proper[i] || len(n.words) == 1) && said[w] {
				return true
			}
		}
		return false
	})
	return inName || slices.ContainsFunc(c.held, func(v worded) bool {
		return len(v.words) > 0 && !slices.ContainsFunc(v.words, func(w string) bool { return !said[w] })
	})
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
		vacant: map[*candidate]bool{}, properties: map[string]*property{}, bySubject: map[string][]*candidate{}}
	seen := map[string]bool{}
	for i, s := range slots {
		c := newCandidate(i, s, a.property(s))
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
	for _, s := range slots {
		if s.Said > 0 && (a.lately == 0 || s.Said < a.lately) {
			a.lately = s.Said
		}
	}
	return a
}

// property returns the predicate of a slot as it is compared.
func (a *alignment) property(s Slot) *property {
	key := strings.Join(slices.Concat([]string{s.Predicate}, s.Written, []string{""}, s.Synonyms), "\x00")
	if a.properties[key] == nil {
		a.properties[key] = newProperty(s)
	}
	return a.properties[key]
}

// add adds a candidate to those that a statement may mean.
func (a *alignment) add(c *candidate) {
	c.at = len(a.list)
	a.list = append(a.list, c)
	if c.key != "" {
		a.bySubject[c.key] = append(a.bySubject[c.key], c)
	}
}

// aligned is a statement with the slot that it means, if any.
type aligned struct {
	*compared
	slot       *candidate
	why        evidence
	sure       bool
	tied       bool
	foreign    bool
	odds       float64
	confidence float64
	taken      bool
}

// clause aligns the statements of one clause, from to until. A reader may read a clause in several ways: of those that
// exclude each other the likeliest is meant.
func (a *alignment) clause(from, until int, changes []Change) {
	all := make([]*aligned, 0, until-from)
	a.plain, a.term = a.said[from], a.said[from].saysTerm()
	for _, r := range a.said[from:until] {
		all = append(all, a.best(r, from+len(all)))
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(x, y *aligned) int {
		return cmp.Or(y.rank()-x.rank(), cmp.Compare(y.confidence, x.confidence))
	})
	for i, m := range order {
		excluded := slices.ContainsFunc(order[:i], func(o *aligned) bool { return o.taken && o.excludes(m) })
		m.taken = m.slot != nil && !excluded
	}
	done := !all[0].Act.Changes() || slices.ContainsFunc(all, func(m *aligned) bool { return m.taken })
	defer func() { a.corrected = a.corrected || all[0].Act == tenure.Corrects || all[0].Act == tenure.Denies }()
	var facts []Change
	if !done {
		facts = a.facts(all, from)
	}
	for i, m := range all {
		if n := slices.IndexFunc(facts, func(c Change) bool { return c.Statement == from+i }); n >= 0 {
			changes[from+i] = a.adds(facts[n], m.compared)
			continue
		}
		changes[from+i] = a.change(m, from+i, done || len(facts) > 0)
		done = done || changes[from+i].Effect != Keeps
	}
}

// rank returns 1 for a reading that changes a slot: it goes before one that only asks about it.
func (m *aligned) rank() int {
	if m.slot != nil && m.sure && m.valued() {
		return 1
	}
	return 0
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
	case m.Act == tenure.Asks && (m.slot == nil || m.topical && m.foreign):
		return a.topic(m.compared, c)
	case m.order && (!m.taken || !m.slot.Own):
		c.Effect = Keeps
		return c
	case !m.changes(), !m.taken && (other || m.Alternative && m.New.Text == ""):
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
	case c.Effect == Set && !m.sure && m.slot.says(m.fresh):
		c.Effect = Keeps
	case changesSlot(c.Effect) && (!m.sure || m.tied):
		c.Effect = Unsure
	case c.Effect == Set:
		a.set[m.slot], a.vacant[m.slot] = !m.fresh.in(m.slot.held), false
	case changesSlot(c.Effect):
		a.vacant[m.slot] = true
	}
	c = m.withConjuncts(c, m.slot.Many && c.Effect != Unsure)
	if c.Effect == Set && c.Slot < 0 {
		c.Effect = Adds
	}
	return c
}

// says reports whether a value stands word by word.
func (c *candidate) says(v worded) bool {
	return slices.ContainsFunc(c.held, func(h worded) bool { return h.kind == v.kind && h.canonical == v.canonical })
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
		return lex.ClassOf(text.Fold(r.Text[w.From:w.Until]))&lex.Question != 0
	})
}

// from is the time from which a value holds, nil if that day is the value itself: a hearing set for June is set today.
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
	if st, ok := afterTerm(st); ok {
		return &st
	}
	list := text.Words(st.New.Text)
	if st.Property != "" || len(list) < 2 {
		return &st
	}
	folded := make([]string, len(list))
	for i, w := range list {
		folded[i] = text.Fold(st.New.Text[w.From:w.Until])
	}
	for _, c := range a.list {
		n := begins(folded, c.of.phrases[0])
		if n == 0 || n == len(list) || lex.ClassOf(folded[n])&lex.FunctionWord != 0 {
			continue
		}
		at := list[n].From
		st.Property = st.New.Text[:list[n-1].Until]
		st.New = tenure.Span{Start: st.New.Start + at, End: st.New.End, Text: st.New.Text[at:]}
		st.Kind = clauses.KindOf(st.New.Text)
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
		if allIn(r.fresh.words, c.of.phrases[0]) && (c.Named || a.subjects == 1) && (a.last == nil || a.last.key == c.key) {
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

// String says in words what speaks for a slot.
func (e evidence) String() string {
	var list []string
	graded := func(x, clear float64, strong, weak string) {
		switch {
		case x >= clear:
			list = append(list, strong)
		case x > 0:
			list = append(list, weak)
		}
	}
	graded(e.subject, subjectPartly*0.7, "its subject is named", "it may be of this subject")
	graded(e.property, propertyPart, "the property is named", "words for the property")
	graded(e.value, fitSame, "a value of its kind", "a value that would do")
	graded(e.old, oldNamed, "the old value is named", "the old value is mentioned")
	graded(e.only, onlyFitting, "no other property of the subject takes the value", "")
	if len(list) == 0 {
		return "nothing that is known is meant"
	}
	return strings.Join(list, "; ")
}

// best returns a statement with the slot that it means, if any.
func (a *alignment) best(r *compared, statement int) *aligned {
	a.mark(r)
	m, all := &aligned{compared: r}, a.evidenceOf(r)
	sums := ranked(all, evidence.sum)
	odds, barred := make([]float64, len(a.list)), make([]bool, len(a.list))
	last := a.spokenLast(r)
	for i, c := range a.list {
		odds[i] = a.odds(m, statement, i, all[i], sums)
		if c == last {
			odds[i] = max(odds[i], meantLast)
		}
		barred[i] = c.Predicate == "" || m.valued() && a.saysOther(r, c) // of nothing that is known, or of something else
		if barred[i] {
			continue
		}
		if m.slot == nil || odds[i] > m.odds || odds[i] == m.odds && orderedBefore(c, m.slot) {
			m.slot, m.why, m.odds = c, all[i], odds[i]
		}
	}
	m.tied = m.slot != nil && slices.ContainsFunc(a.list, func(c *candidate) bool {
		return !barred[c.at] && m.odds-odds[c.at] < nearly && !sameSlot(c, m.slot) && c != m.slot
	})
	a.settle(m)
	return m
}

// spokenLast returns the only property that the thread spoke of last and that takes the value of a clause which decides
// without naming anything; nil if there is none.
func (a *alignment) spokenLast(r *compared) (last *candidate) {
	if !r.decides() || !r.pronoun {
		return nil
	}
	for _, c := range a.list {
		switch {
		case c.Said == 0 || c.Said != a.lately || len(c.held) == 0 || fit(c, r.group, r.value()) < fitUnnamed:
		case last != nil:
			return nil
		default:
			last = c
		}
	}
	return last
}

// evidenceOf is what speaks for each slot.
func (a *alignment) evidenceOf(r *compared) []evidence {
	all := make([]evidence, len(a.list))
	for i, c := range a.list {
		all[i] = evidence{subject: a.subjectScore(r, c), property: a.propertyScore(r, c), old: oldScore(r, c)}
		all[i].value = a.valueScore(r, c, all[i])
	}
	for i := range a.list {
		if a.only(i, all) {
			all[i].only = onlyFitting
		}
	}
	return all
}

// settle decides whether a statement means the slot that is the likeliest.
func (a *alignment) settle(m *aligned) {
	if m.slot == nil {
		return
	}
	least := m.least()
	if m.valued() && !m.fresh.in(m.slot.held) {
		m.confidence = a.likely(m.odds)
		told := m.compared.confidence() >= m.certainty() && !m.doubted()
		m.sure = m.confidence >= m.needed() && told || a.plainly(m) || m.replaces()
	} else { // the model was not fitted to acts without a new value, nor to repeated values
		least, m.confidence = meant, logistic(m.why.sum()-evens)*m.compared.confidence()
		m.sure = m.confidence >= certain
	}
	m.foreign = m.compared.foreign(m.slot)
	vague := m.valued() && m.foreign && !m.sure
	asksOther := m.Act == tenure.Asks && m.why.property <= 0 && m.why.value <= 0
	if m.confidence < least || vague || asksOther {
		m.slot = nil
	}
}

// least returns the least probability at which a new value is of the slot: higher where nothing but the subject speaks
// for that.
func (m *aligned) least() float64 {
	if !m.slot.Asked && m.slot.property == 0 && m.why.old <= 0 && !m.fresh.likeAny(m.slot.held) {
		return faint
	}
	return unsure
}

// needed returns the least probability at which a new value changes the slot: higher where neither the property nor the
// old value is named, the new value has no form in common with it, and the thread does not speak of the slot.
func (m *aligned) needed() float64 {
	named := m.why.property > 0 || m.why.old > 0 || m.fresh.likeAny(m.slot.held)
	if !named && !m.slot.Asked && m.slot.Said == 0 {
		return alone
	}
	return sure
}

// certainty returns the least confidence of the reader at which a new value changes the slot: lower where the words
// name both subject and property, which speaks for a change by itself. How sure a language model is has weighed that.
func (m *aligned) certainty() float64 {
	named := m.why.property > 0 && m.slot.inSubject.known()
	if named && m.rule.Changes() && m.Extractor == statements.Extractor {
		return stated
	}
	return certain
}

// odds returns the log-odds that a statement means a slot: by the evidence, or for a new value by the model, which is
// not asked where the evidence is hopeless.
func (a *alignment) odds(m *aligned, statement, slot int, e evidence, sums ranking) float64 {
	byEvidence := e.sum() - evens
	switch {
	case !m.valued():
		return byEvidence
	case m.rows[slot] == nil:
		return math.Inf(-1)
	}
	row := a.row(m.compared, slot, e, sums)
	if c := a.list[slot]; a.rows == nil && len(c.held) == 0 && e.property > 0 && c.inSubject.known() {
		return max(model().Odds(row), byEvidence) // the model has seen few slots whose values were all taken back
	}
	if a.rows == nil {
		return model().Odds(row)
	}
	if i := a.list[slot].index; i >= 0 {
		a.rows[statement][i] = row
	}
	return byEvidence
}

// doubted reports whether the first reading of the clause changes nothing and the reader is not sure enough otherwise.
func (r *compared) doubted() bool { return !r.rule.Changes() && r.told() < overrules }

// likely returns the probability that belongs to log-odds, calibrated unless the measurements are recorded.
func (a *alignment) likely(odds float64) float64 {
	if a.rows == nil {
		return model().Confidence(odds)
	}
	return logistic(odds)
}

// valued reports whether a statement says which value holds.
func (r *compared) valued() bool { return r.Act.Changes() && !ending(r.Act) && r.New.Text != "" }

// ending reports whether an act says that something holds no longer, or never did.
func ending(act tenure.Act) bool { return act == tenure.Ends || act == tenure.Retracts }

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
	return !slices.ContainsFunc(a.bySubject[a.list[i].key], func(o *candidate) bool {
		return o.at != i && all[o.at].value > all[i].value-0.5
	})
}

// value is the new value, else the old one.
func (r *compared) value() worded {
	if r.fresh.text != "" {
		return r.fresh
	}
	return r.stale
}

// confidence is how sure the reader is, relative to the usual confidence, at most 1.
func (r *compared) confidence() float64 {
	return min(1, r.told()/usual)
}

// told is the confidence that the reader states, the usual one if it states none.
func (r *compared) told() float64 {
	if r.Confidence <= 0 {
		return usual
	}
	return r.Confidence
}
