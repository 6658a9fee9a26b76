package align

import (
	"slices"
	"sort"
	"strings"

	"tenure"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/vocabulary"
)

// pairing is a statement beside a slot that it may mean.
type pairing struct {
	a *alignment
	r *compared
	c *candidate
	e evidence
}

// feature is one thing that is measured of a pairing.
type feature struct {
	name string
	of   func(p pairing) float64
}

// ownFeatures are measured of a pairing by itself.
var ownFeatures = slices.Concat(evidenceFeatures, subjectFeatures, propertyFeatures, valueFeatures, clauseFeatures,
	actFeatures())

var evidenceFeatures = []feature{
	{"subject", func(p pairing) float64 { return p.e.subject }},
	{"property", func(p pairing) float64 { return p.e.property }},
	{"value", func(p pairing) float64 { return p.e.value }},
	{"old", func(p pairing) float64 { return p.e.old }},
	{"sum", func(p pairing) float64 { return p.e.sum() }},
}

var subjectFeatures = []feature{
	{"name in subject", func(p pairing) float64 { return p.c.inSubject.share }},
	{"name in subject distinct", func(p pairing) float64 { return flag(p.c.inSubject.distinct) }},
	{"name in clause", func(p pairing) float64 { return p.c.inClause.share }},
	{"name in clause distinct", func(p pairing) float64 { return flag(p.c.inClause.distinct) }},
	{"other named", func(p pairing) float64 { return flag(p.a.otherNamed(p.c)) }},
	{"foreign", func(p pairing) float64 { return flag(p.r.foreign(p.c)) }},
	{"turns ago", func(p pairing) float64 { return min(p.c.ago, 6) }},
	{"subject's turn", func(p pairing) float64 { return float64(p.c.Turn) }},
	{"slot's turn", func(p pairing) float64 { return float64(p.c.Said) }},
	{"named in text", func(p pairing) float64 { return flag(p.c.Named) }},
	{"speaker's own", func(p pairing) float64 { return flag(p.c.Own) }},
	{"first person", func(p pairing) float64 { return flag(p.r.first) }},
	{"pronoun", func(p pairing) float64 { return flag(p.r.pronoun) }},
	{"it", func(p pairing) float64 { return flag(p.r.it) }},
	{"inherited", func(p pairing) float64 { return flag(p.r.inherited) }},
	{"subjects", func(p pairing) float64 { return float64(min(p.a.subjects, 8)) }},
}

var propertyFeatures = []feature{
	{"asked for", func(p pairing) float64 { return flag(p.c.Asked) }},
	{"property's share", func(p pairing) float64 { return p.c.property }},
	{"property's head", func(p pairing) float64 { return flag(p.c.head) }},
	{"property's distance", func(p pairing) float64 { return min(p.c.near, 200) }},
	{"name's distance", func(p pairing) float64 { return min(p.c.distance, 200) }},
	{"spoken", func(p pairing) float64 { return flag(p.c.spoken(p.r)) }},
	{"better property", func(p pairing) float64 { return flag(p.a.betterProperty(p.c)) }},
	{"person", func(p pairing) float64 { return flag(p.c.of.person) }},
	{"term", func(p pairing) float64 { return p.term() }},
	{"bare", func(p pairing) float64 { return flag(p.r.bareOf(p.c)) }},
	{"words", func(p pairing) float64 { return float64(min(len(p.r.full), 20)) }},
}

var valueFeatures = []feature{
	{"fit", func(p pairing) float64 { return fit(p.c, p.r.group, p.r.value()) }},
	{"alike", func(p pairing) float64 { return likest(p.r.value(), p.c.held) }},
	{"value held", func(p pairing) float64 { return flag(p.r.fresh.in(p.c.held)) }},
	{"old held", func(p pairing) float64 { return flag(p.r.stale.in(p.c.held)) }},
	{"held mentioned", func(p pairing) float64 { return flag(p.heldMentioned()) }},
	{"of name or property", func(p pairing) float64 { return flag(p.c.isOf(p.r.value())) }},
	{"value's words", func(p pairing) float64 { return float64(len(p.r.fresh.words)) }},
	{"capitals", func(p pairing) float64 { return flag(p.r.fresh.capitals) }},
	{"digits", func(p pairing) float64 { return flag(p.r.fresh.digits) }},
	{"has old", func(p pairing) float64 { return flag(p.r.Old.Text != "") }},
	{"group", func(p pairing) float64 { return float64(p.r.group) }},
	{"slot's group", func(p pairing) float64 { return float64(p.c.group()) }},
	{"ordinary", func(p pairing) float64 { return p.r.fresh.ordinary }},
	{"given", func(p pairing) float64 { return p.r.fresh.given }},
	{"held ordinary", func(p pairing) float64 { return p.c.newest().ordinary }},
	{"held given", func(p pairing) float64 { return p.c.newest().given }},
	{"more ordinary", func(p pairing) float64 { return p.r.fresh.ordinary - p.c.newest().ordinary }},
	{"held words", func(p pairing) float64 { return float64(len(p.c.newest().words)) }},
	{"value's first", func(p pairing) float64 { return p.r.fresh.first }},
	{"value's last", func(p pairing) float64 { return p.r.fresh.last }},
	{"held's first", func(p pairing) float64 { return p.c.newest().first }},
	{"held's last", func(p pairing) float64 { return p.c.newest().last }},
	{"mark before", func(p pairing) float64 { return p.r.markBefore }},
	{"mark behind", func(p pairing) float64 { return p.r.markBehind }},
	{"same group", func(p pairing) float64 { return flag(p.r.group == p.c.group()) }},
}

var clauseFeatures = []feature{
	{"confidence", func(p pairing) float64 { return p.r.told() }},
	{"trigger", func(p pairing) float64 { return flag(p.r.Trigger != "") }},
	{"alternative", func(p pairing) float64 { return flag(p.r.Alternative) }},
	{"voice", func(p pairing) float64 { return flag(p.r.Voice != "") }},
	{"from", func(p pairing) float64 { return flag(p.r.From != nil) }},
	{"until", func(p pairing) float64 { return flag(p.r.Until != nil) }},
	{"length", func(p pairing) float64 { return float64(min(len(p.r.clause), 40)) }},
	{"words before", func(p pairing) float64 { return float64(min(p.r.ahead, 12)) }},
	{"words behind", func(p pairing) float64 { return float64(min(p.r.behind, 12)) }},
	{"word before", func(p pairing) float64 { return p.r.neighbours[0] }},
	{"second word before", func(p pairing) float64 { return p.r.neighbours[1] }},
	{"word behind", func(p pairing) float64 { return p.r.neighbours[2] }},
	{"second word behind", func(p pairing) float64 { return p.r.neighbours[3] }},
}

func actFeatures() (list []feature) {
	for _, act := range []tenure.Act{
		tenure.Asserts, tenure.Corrects, tenure.Plans, tenure.Denies, tenure.Asks, tenure.Requests, tenure.Proposes,
		tenure.Supposes, tenure.Reports, tenure.Recounts, tenure.Jokes,
	} {
		list = append(list, feature{"act " + string(act), func(p pairing) float64 { return flag(p.r.rule == act) }})
	}
	return list
}

// presentFeatures are measured when a statement is aligned, as they depend on what the statements before it changed.
var presentFeatures = []string{"subject now", "value now", "sum now", "sum now to the best slot",
	"sum now's rank of slots", "spoken of last", "subject spoken of last", "set before", "vacant", "corrected before", "under its heading"}

// present returns the presentFeatures of a slot; e is the evidence for it, and sums ranks the evidence for all slots.
func (a *alignment) present(c *candidate, e evidence, sums ranking) []float64 {
	gap, rank := sums.place(e.sum())
	lately := a.last != nil && sameSubject(a.last, c)
	return []float64{e.subject, e.value, e.sum(), gap, rank, flag(a.last == c), flag(lately),
		flag(a.set[c]), flag(a.vacant[c]), flag(a.corrected), flag(a.headed == c)}
}

// compared features are also measured against the best that the same statement reaches with another slot, and the same
// slot with another statement of the text: how much is missing, and how many are better.
var comparedFeatures = []string{"subject", "property", "value", "sum", "fit", "alike"}

// Features returns the names of what a row of [Measure] holds.
func Features() []string {
	names := make([]string, 0, len(ownFeatures)+4*len(comparedFeatures))
	for _, f := range ownFeatures {
		names = append(names, f.name)
	}
	for _, n := range comparedFeatures {
		names = append(names, n+" to the best slot", n+"'s rank of slots", n+" to the best value", n+"'s rank of values")
	}
	return append(names, presentFeatures...)
}

// columns are where the compared features stand in a row.
var columns = func() (list []int) {
	for _, n := range comparedFeatures {
		list = append(list, slices.IndexFunc(ownFeatures, func(f feature) bool { return f.name == n }))
	}
	return list
}()

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// likest is how much a value looks like one of a list.
func likest(v worded, list []worded) (best float64) {
	for _, h := range list {
		best = max(best, v.alike(h))
	}
	return best
}

func (p pairing) heldMentioned() bool {
	return slices.ContainsFunc(p.c.held, func(v worded) bool { return allIn(v.words, p.r.rest) })
}

// term is 1 if the words for the property are a term of the base vocabulary that is the slot's, -1 if they are another,
// 0 if they are none.
func (p pairing) term() float64 {
	switch p.r.term {
	case "":
		return 0
	case p.c.of.term:
		return 1
	}
	return -1
}

// group is what the newest value of a slot looks like.
func (c *candidate) group() group {
	if len(c.groups) == 0 {
		return anything
	}
	return c.groups[0]
}

// neighbour classes: what kind of word stands beside a value.
const (
	noWord = iota
	openWord
	verbWord
	beWord
	haveWord
	prepWord
	detWord
	pronounWord
	notWord
	adverbWord
	questionWord
	otherWord
	digitWord
)

// kindOfWord is the class of a word that stands beside a value.
func kindOfWord(w string) float64 {
	c := lex.ClassOf(w)
	for _, k := range []struct {
		class lex.Class
		kind  int
	}{
		{lex.Be, beWord}, {lex.Have | lex.Do | lex.Modal, haveWord}, {lex.Not, notWord},
		{lex.Question, questionWord}, {lex.Pronoun, pronounWord}, {lex.Det, detWord},
		{lex.Prep, prepWord}, {lex.Verb, verbWord}, {lex.Adverb, adverbWord},
		{lex.Empty, otherWord},
	} {
		if c&k.class != 0 {
			return float64(k.kind)
		}
	}
	if text.AllDigits(w) {
		return digitWord
	}
	return openWord
}

// termOf returns the name of the term of the base vocabulary that one of the phrases names, "" if none does.
func termOf(phrases ...string) string {
	for _, p := range phrases {
		if term, ok := vocabulary.Lookup(vocabulary.Normal(p)); ok && p != "" {
			return term.Name
		}
	}
	return ""
}

// place measures what stands around the new value in its clause.
func (r *compared) place() {
	at := r.New.Start - r.Start
	if r.New.Text == "" || at < 0 || at+len(r.New.Text) > len(r.Text) {
		return
	}
	before, behind := r.Text[:at], r.Text[at+len(r.New.Text):]
	first, last := text.Words(before), text.Words(behind)
	r.ahead, r.behind = len(first), len(last)
	r.markBefore, r.markBehind = marksAround(before, behind)
	for i := range 2 {
		if n := len(first) - 1 - i; n >= 0 {
			r.neighbours[i] = kindOfWord(text.Fold(before[first[n].From:first[n].Until]))
		}
		if i < len(last) {
			r.neighbours[2+i] = kindOfWord(text.Fold(behind[last[i].From:last[i].Until]))
		}
	}
}

// weigh measures a statement beside the slots from the given one on.
func (a *alignment) weigh(r *compared, from int) {
	a.mark(r)
	for _, c := range a.list[from:] {
		p := pairing{a: a, r: r, c: c, e: evidence{
			subject: a.subjectScore(r, c), property: a.propertyScore(r, c), old: oldScore(r, c),
		}}
		p.e.value = a.valueScore(r, c, p.e)
		r.rows, r.columns = append(r.rows, a.own(p)), append(r.columns, columnsOf(p))
	}
}

// hopeless is the evidence below which no slot is meant: the model, which takes longer, need not be asked. Of 37,000
// statements and slots of the conversations that it learned from and was tested on, none that is below was likely.
const hopeless = -2

// own returns what is measured of a pairing by itself, nil if nothing more need be measured.
func (a *alignment) own(p pairing) []float64 {
	if a.rows == nil && p.e.sum() < hopeless {
		return nil
	}
	row := make([]float64, len(ownFeatures))
	for i, f := range ownFeatures {
		row[i] = f.of(p)
	}
	return row
}

func columnsOf(p pairing) []float64 {
	row := make([]float64, len(columns))
	for i, k := range columns {
		row[i] = ownFeatures[k].of(p)
	}
	return row
}

// rank orders what was measured, so that each can be compared with all.
func (a *alignment) rank() {
	a.bySlot = make([][]ranking, len(a.list))
	for slot := range a.list {
		for k := range columns {
			a.bySlot[slot] = append(a.bySlot[slot], ranked(a.said, func(r *compared) float64 { return r.columns[slot][k] }))
		}
	}
	for _, r := range a.said {
		r.ranks = r.ranks[:0]
		for k := range columns {
			r.ranks = append(r.ranks, ranked(r.columns, func(row []float64) float64 { return row[k] }))
		}
	}
}

// row returns all features of a statement and a slot: its own, how they compare with those of the same statement and
// other slots, and of the same slot and other statements of the text, and those of the present.
func (a *alignment) row(r *compared, slot int, e evidence, sums ranking) []float64 {
	own := r.rows[slot]
	row := append(make([]float64, 0, len(own)+4*len(columns)+len(presentFeatures)), own...)
	for i, x := range r.columns[slot] {
		gap, rank := r.ranks[i].place(x)
		row = append(row, gap, rank)
		gap, rank = a.bySlot[slot][i].place(x)
		row = append(row, gap, rank)
	}
	return append(row, a.present(a.list[slot], e, sums)...)
}

// ranking is a list of numbers in their order.
type ranking []float64

func ranked[T any](list []T, of func(T) float64) ranking {
	all := make(ranking, len(list))
	for i, x := range list {
		all[i] = of(x)
	}
	slices.Sort(all)
	return all
}

// place is how much a number of the list is below the greatest, and how many are greater.
func (l ranking) place(x float64) (gap, rank float64) {
	after := sort.Search(len(l), func(i int) bool { return l[i] > x })
	return x - l[len(l)-1], float64(len(l) - after)
}

// Measure returns what is measured of each statement beside each slot, as the model that weighs it is made from:
// rows[i][j] is of statement i and slot j, and has the features that [Features] names; it is nil where the statement
// has no new value, or the slot is not considered. The changes are those by the evidence alone, without the model.
func Measure(list []tenure.Statement, slots []Slot) (rows [][][]float64, changes []Change) {
	a := newAlignment(slots)
	a.rows = make([][][]float64, len(list))
	for i := range list {
		a.rows[i] = make([][]float64, len(slots))
	}
	changes = a.align(list)
	return a.rows, changes
}

// isOrder reports whether a statement orders another value, without asking: "change the quantity to 1500". By one who
// may order it, this is an assertion.
func isOrder(st *tenure.Statement) bool {
	return st.Act == tenure.Requests && st.New.Text != "" &&
		lex.ClassOf(text.Fold(st.Trigger))&lex.Moves != 0
}

// compare measures all statements of a text.
func (a *alignment) compare(list []tenure.Statement) {
	a.findNames(list)
	for i := range list {
		st := a.trimmed(list[i])
		order := isOrder(st)
		if order {
			st.Act = tenure.Asserts
		}
		r := newCompared(st)
		r.order = order
		r.place()
		r.rule = r.Act
		if n := len(a.said); n > 0 && a.said[n-1].Span == r.Span {
			r.rule = a.said[n-1].rule
		}
		r.term = termOf(r.between(), r.Property, strings.Join(r.property, "_"))
		a.said = append(a.said, r)
		r.inherit(a.said[:i])
	}
	for _, r := range a.said {
		a.weigh(r, 0)
	}
	a.rank()
}
