package align

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/vocabulary"
)

// The evidence that a statement means a slot is a sum of these weights, in which 1 makes it about 2.7 times as
// likely. They were set by hand, and decide what changes nothing, ends and retractions; of new values a model decides,
// which counts them among what it measures (features.go).
const (
	// Subject: whether the clause is about the slot's entity.
	subjectNamed   = 3.0  // by all words of a name
	subjectPartly  = 2.4  // by words that no other subject has
	subjectVaguely = 0.6  // by words that others have too
	subjectOther   = -4.0 // another subject is named, and this is not
	subjectForeign = -2.2 // what is named is a name of nothing known
	subjectThing   = -1.3 // what is named is a thing that is nothing known
	subjectInText  = 2.2  // nothing is named here, but elsewhere in the text
	subjectLater   = 1.0  // nothing is named here yet, but later in the text
	subjectRecent  = 1.9  // nothing is named, and the thread spoke of it the turn before; less with every turn
	subjectFading  = 0.8  // what remains of it after a turn
	subjectSaid    = 0.9  // and of this very property
	subjectOwn     = 3.0  // the speaker speaks of "my"
	subjectPassed  = -1.0 // the thread went on to another
	subjectSole    = 0.5  // nothing else is known of

	// Property: whether the clause speaks of the slot's property.
	propertyNamed   = 2.6  // by all words of a name of it
	propertyPart    = 1.9  // by nothing but words of its name
	propertyWay     = 1.1  // by an everyday way to speak of its kind
	propertyForeign = -1.3 // by words that do not mean it
	propertyOther   = -1.8 // by words that mean another property better

	// The odds that what a clause decides about that names nothing is what the thread spoke of last.
	meantLast = 1.5

	// Value: whether the new value would do.
	fitSame     = 1.4  // it is of the same kind
	fitBare     = 0.5  // it is of a kind that is said for it: "38" for money
	fitNames    = 0.5  // both are names
	fitWordy    = 0.2  // both are words
	fitUnnamed  = -1.0 // words for a name
	fitAlike    = 1.3  // it has the form of the value that stands, as "rev G" of "rev D"
	fitPerson   = 0.8  // it has a title, and the property is who does something
	fitUnlike   = -0.5 // one has digits, the other none
	fitDoubtful = -1.2 // words for a number
	fitNever    = -4.0 // it is of another kind: a date is no price

	// A value of words, or a bare number, of which neither the property nor the form is named.
	unspokenName   = -1.5
	unspokenText   = -1.8
	unspokenNumber = -1.3
	// The text has given the slot a value already.
	setBefore = -1.5
	// The turn before asked for it.
	answers = 1.3

	// Old value: whether the clause names what stands.
	oldNamed     = 2.2
	oldMentioned = 0.7 // somewhere in the clause
	oldMissing   = -0.6

	// The only slot of its subject for which the value would do.
	onlyFitting = 0.7

	// What it takes to be as likely as not.
	evens = 3.4
)

// candidate is a slot with what is compared.
type candidate struct {
	Slot
	index  int // of the slot; -1 for a property that a statement before it in the text added
	names  []subjectName
	held   []worded
	key    string  // of the name of the subject
	groups []group // of its values, else of its type
	of     *property
	ago    float64 // how many turns ago the thread spoke of the subject
	at     int     // where it stands in the list
	marks
}

// property is a predicate with what is compared of it. Candidates of one predicate share it.
type property struct {
	phrases [][]string // the predicate, then what it was called, then its synonyms
	called  int        // how many of these are not synonyms
	fields  []propertyField
	person  bool
	term    string // of the base vocabulary
}

// marks are what one statement says of a candidate.
type marks struct {
	inSubject, inClause naming
	distance            float64 // from a word of the name to the value
	list                []string
	propertyMarks
}

// propertyMarks are what one statement says of a property.
type propertyMarks struct {
	property float64 // the share of the property's words that the clause has
	head     bool    // the last of them is among these
	near     float64 // from a word of the property to the value
}

// naming is how much of a name some words have, and whether it is enough to know the subject by.
type naming struct {
	share    float64
	distinct bool
}

func (n naming) known() bool { return n.share > 0.99 || n.distinct }

// mark sets what a statement says of every candidate. While a text is aligned, only how long ago the thread spoke of a
// subject changes.
func (a *alignment) mark(r *compared) {
	a.extendMarks(r)
	for i, c := range a.list {
		c.marks, c.ago = r.marks[i], a.since(c)
	}
	a.anySubject = slices.ContainsFunc(a.list, func(c *candidate) bool { return c.inSubject.known() })
	// Of an earlier clause, and nothing known: the clause itself names none. "My neighbour's lad, he lives in Perth".
	unknown := r.inherited && !a.anySubject && !slices.ContainsFunc(r.subject, isKin)
	if r.pronoun = r.unnamed || unknown; unknown {
		for _, c := range a.list {
			c.inSubject = naming{}
		}
	}
	a.survey()
}

// extendMarks adds what a statement says of the candidates that were added since it was marked.
func (a *alignment) extendMarks(r *compared) {
	if len(r.marks) == len(a.list) {
		return
	}
	clause := clauseWords(r.clause)
	said := r.rest
	if len(r.property) > 0 {
		said = append(append([]string{}, r.property...), said...)
	}
	bySubject, byProperty := map[string]marks{}, map[*property]propertyMarks{}
	for _, c := range a.list[len(r.marks):] {
		m, done := bySubject[c.key]
		if !done {
			m = a.marksOf(r, c, clause, said)
			bySubject[c.key] = m
		}
		if len(m.list) < len(said) {
			m.propertyMarks = r.marksOf(c.of, m.list)
		} else if m.propertyMarks, done = byProperty[c.of]; !done {
			m.propertyMarks = r.marksOf(c.of, said)
			byProperty[c.of] = m.propertyMarks
		}
		r.marks = append(r.marks, m)
	}
}

// marksOf is what a statement says of the subject of a candidate.
func (a *alignment) marksOf(r *compared, c *candidate, clause, said []string) (m marks) {
	m.inSubject.share, m.inSubject.distinct = a.nameOf(c, r.subject)
	m.inClause.share, m.inClause.distinct = a.nameOf(c, clause)
	m.distance = a.distance(r, c)
	m.list = withoutNames(c, said)
	return m
}

// marksOf is what a statement says of a property, in a list of its words.
func (r *compared) marksOf(p *property, list []string) (m propertyMarks) {
	m.property, m.head = p.share(list)
	if m.near = math.Inf(1); m.property > 0 {
		m.near = r.near(p)
	}
	return m
}

// survey finds the subjects that are known by the marks, and those that the thread spoke of last.
func (a *alignment) survey() {
	a.inSubject, a.inClause = a.inSubject[:0], a.inClause[:0]
	a.ago, a.agoNext, a.newestKey = math.Inf(1), math.Inf(1), ""
	for _, c := range a.list {
		if c.inSubject.known() && !slices.ContainsFunc(a.inSubject, c.sameSubject) {
			a.inSubject = append(a.inSubject, c)
		}
		if c.inClause.known() && !slices.ContainsFunc(a.inClause, c.sameSubject) {
			a.inClause = append(a.inClause, c)
		}
		switch {
		case c.ago < a.ago:
			if c.key != a.newestKey || c.key == "" {
				a.agoNext = a.ago
			}
			a.ago, a.newestKey = c.ago, c.key
		case c.ago < a.agoNext && (c.key != a.newestKey || c.key == ""):
			a.agoNext = c.ago
		}
	}
}

// subjectName is a name of a subject. Its proper words are those that begin with a capital, numbers of more than a
// digit, and number words.
type subjectName struct {
	words  []string
	proper []bool
}

func newName(s string) (n subjectName) {
	for _, w := range text.Words(s) {
		word := s[w.From:w.Until]
		k := text.Fold(word)
		if binds(word) {
			continue
		}
		first, size := utf8.DecodeRuneInString(word)
		n.words = append(n.words, k)
		number := unicode.IsDigit(first) && len(word) > size || lex.ClassOf(k)&lex.NumberWord != 0
		n.proper = append(n.proper, unicode.IsUpper(first) || number)
	}
	return n
}

// mostValues bounds the values of a slot that are compared: the newest.
const mostValues = 32

func newCandidate(i int, s Slot, of *property) *candidate {
	c := &candidate{Slot: s, index: i, of: of, held: wordedOf(s.Values[:min(len(s.Values), mostValues)])}
	c.key = text.Key(c.known())
	for _, n := range s.Names {
		if m := newName(n); len(m.words) > 0 {
			c.names = append(c.names, m)
		}
	}
	c.groups = groupsOf(s, c.held)
	return c
}

func newProperty(s Slot) *property {
	p := &property{phrases: [][]string{propertyWords(s.Predicate)}, term: termOf(s.Predicate)}
	for _, w := range s.Written {
		p.phrases = append(p.phrases, propertyWords(w))
	}
	p.called = len(p.phrases)
	for _, y := range synonyms(s) {
		p.phrases = append(p.phrases, propertyWords(y))
	}
	p.person = slices.ContainsFunc(p.phrases[0], agent)
	for _, f := range fields {
		if f.agent && p.person || slices.ContainsFunc(p.phrases[0], f.heading) {
			p.fields = append(p.fields, f)
		}
	}
	return p
}

// groupsOf returns what the values of a slot look like, the newest first; where there are none, what they would.
func groupsOf(s Slot, held []worded) (list []group) {
	for i, v := range held {
		kind := ""
		if i < len(s.Kinds) {
			kind = s.Kinds[i]
		}
		list = append(list, groupOf(kind, v))
	}
	if len(list) > 0 {
		return list
	}
	for _, k := range s.Kinds {
		list = append(list, groups[k])
	}
	if g := types[s.Type]; len(list) == 0 && g != anything {
		list = append(list, g)
	}
	return list
}

// known is the name that the subject goes by.
func (c *candidate) known() string {
	if len(c.Names) == 0 {
		return ""
	}
	return c.Names[0]
}

// synonyms are those of the slot, and those that the base vocabulary has for its predicate.
func synonyms(s Slot) []string {
	list := s.Synonyms
	if term, known := vocabulary.Lookup(s.Predicate); known {
		list = append(append(append([]string{}, list...), term.Name), term.Synonyms...)
	}
	return list
}

func propertyWords(s string) []string {
	return contentWords(strings.ReplaceAll(vocabulary.Normal(s), "_", " "))
}

// compared is a statement with what is compared.
type compared struct {
	// rule is the act of the first reading of the clause.
	rule tenure.Act
	*tenure.Statement
	fresh     worded // the new value
	stale     worded // the old value
	named     worded // the subject
	clause    []wordAt
	subject   []string    // of the subject as named, without pronouns
	name      subjectName // the subject as written, else the new value
	proper    bool        // the subject as written has a proper word
	property  []string    // of the words that say which property
	rest      []string    // of the clause, without values
	full      []string    // of these, those that add something
	noun      bool        // the property is named by a noun
	called    []string    // what the property is called: "sponsor" of "the sponsor of Plover is Ann Lee"
	group     group
	first     bool // the speaker speaks of what is the speaker's
	topical   bool // what is asked about is named without a verb
	own       bool // the subject is the speaker's: "my sister"
	inherited bool // the subject is named in an earlier clause
	it        bool // a pronoun stands for the subject
	unnamed   bool // the subject is named by a pronoun, or by none
	pronoun   bool // unnamed, or named in an earlier clause by an unknown name
	order     bool // it is an order, which counts for the speaker's own slots alone

	term          string // of the base vocabulary that the words for the property name
	ahead, behind int    // words before and behind the new value
	// markBefore and markBehind are the kinds of the characters there.
	markBefore, markBehind float64

	neighbours [4]float64  // what kind the two words before it and the two behind it are
	marks      []marks     // what it says of each slot
	rows       [][]float64 // what was measured beside each slot, nil beside one that is not meant
	columns    [][]float64 // of the rows, the compared features
	ranks      []ranking   // of the columns
}

type wordAt struct {
	word  string
	at    int
	class lex.Class
}

func newCompared(st *tenure.Statement) *compared {
	if w := text.Fold(st.Subject.Text); w != "" && lex.ClassOf(w)&lex.Aside != 0 {
		plain := *st
		plain.Subject = tenure.Span{} // "sure", "right"
		st = &plain
	}
	r := &compared{Statement: st, fresh: newWorded(st.New.Text), stale: newWorded(st.Old.Text),
		named: newWorded(st.Subject.Text)}
	r.group = groupOf(st.Kind, r.value())
	r.name = newName(cmp.Or(r.Subject.Text, r.New.Text))
	r.proper = r.Subject.Text != "" && slices.Contains(r.name.proper, true)
	r.readClause()
	r.readSubject()
	headed := r.namesProperty()
	for _, w := range propertyWords(st.Property) {
		hyphened := strings.Contains(text.Fold(st.Property), w+"-")
		if hyphened || lex.ClassOf(w)&(binders|lex.Not|lex.Pronoun) == 0 {
			r.property = append(r.property, w)
			r.noun = r.noun || headed || lex.ClassOf(w)&lex.Verb == 0
		}
	}
	if w := r.labelled(); w != "" {
		r.property, r.noun = append(r.property, w), true
	}
	r.called = r.calls()
	return r
}

// labelled returns the noun right before a code, behind a verb, which says what the code is of: "runs firmware 4.1.7".
func (r *compared) labelled() string {
	between := strings.Fields(r.between())
	if r.group != groupCode || len(between) < 2 || len(r.property) == 0 {
		return ""
	}
	w := text.Fold(between[len(between)-1])
	if lex.ClassOf(w)&(lex.FunctionWord|lex.Verb|lex.Adverb) != 0 || !strings.ContainsFunc(w, unicode.IsLetter) {
		return ""
	}
	return w
}

// namesProperty reports whether the words of the property end in a noun that a form of "be" or a colon joins to the
// value, though it may be a verb elsewhere: "the primary DB host is vega".
func (r *compared) namesProperty() bool {
	list := strings.Fields(r.Property)
	if n := len(list); n > 1 && lex.ClassOf(text.Fold(list[n-1]))&lex.Be != 0 {
		list = list[:n-1]
	} else if n == 0 || !strings.Contains(r.Text, r.Property+":") {
		return false
	}
	return lex.ClassOf(text.Fold(list[len(list)-1]))&lex.Noun != 0
}

func (r *compared) readClause() {
	for _, w := range text.Words(r.Text) {
		k := text.Fold(r.Text[w.From:w.Until])
		r.first = r.first || firstPerson[k]
		r.it = r.it || pronouns[k]
		at := r.Start + w.From
		if binds(r.Text[w.From:w.Until]) {
			continue
		}
		t := wordAt{k, at, lex.ClassOf(k)}
		if !inside(r.New, at) && !inside(r.Old, at) {
			r.rest = append(r.rest, k)
			if len(k) > 1 && t.class&lex.Empty == 0 {
				r.full = append(r.full, k)
			}
		}
		r.clause = append(r.clause, t)
	}
}

func (r *compared) readSubject() {
	named := r.Subject.Text
	if r.Act == tenure.Asks && named == "" && (r.group == groupName || r.group == groupText) {
		named = r.New.Text // "and the north branch?"
		r.topical = r.Property == ""
	}
	for _, w := range contentWords(named) {
		switch {
		case firstPerson[w]:
			r.own = true
		case !pronouns[w]:
			r.subject = append(r.subject, w)
		}
	}
	r.own = r.own || r.isOwned()
	r.inherited = named != "" && !r.topical && (r.Subject.Start < r.Start || r.Subject.End > r.End)
	if r.apposed() || r.object() || !slices.ContainsFunc(r.subject, r.thing) {
		r.subject, r.unnamed = nil, true
	}
	r.pronoun = r.unnamed
}

// isOwned reports whether the word right before the subject says that it is the speaker's: "my cat".
func (r *compared) isOwned() bool {
	return r.Subject.Text != "" && firstPerson[r.wordBefore(r.Subject.Start)]
}

// isMine reports whether the subject is the speaker's alone: "my cat", and not "our cat".
func (r *compared) isMine() bool { return r.Subject.Text != "" && mine[r.wordBefore(r.Subject.Start)] }

var mine = wordSet("my mein meine meinem meinen meiner mi mis mon ma mes")

// wordBefore returns the folded word before a byte of the text, "" if the clause has none there.
func (r *compared) wordBefore(at int) string {
	before := strings.Fields(r.Text[:max(0, min(at-r.Start, len(r.Text)))])
	if len(before) == 0 {
		return ""
	}
	return text.Fold(before[len(before)-1])
}

// object reports whether a pronoun stands between the value and what was read as the subject: "Tomek has it since
// Monday".
func (r *compared) object() bool {
	from, to := r.New.End-r.Start, r.Subject.Start-r.Start
	if r.New.Text == "" || from < 0 || to < from || to > len(r.Text) {
		return false
	}
	return slices.ContainsFunc(strings.Fields(strings.ToLower(r.Text[from:to])), func(w string) bool {
		return w == "it" || w == "them"
	})
}

// thing reports whether a word of what was read as the subject may be a noun: no word of a closed class, and none that
// looks like a verb or an adverb at a beginning, as "consigned to Felixstowe" has one.
func (r *compared) thing(w string) bool {
	switch class := lex.ClassOf(w); {
	case class&lex.FunctionWord != 0:
		return false
	case r.beforeBe(), r.namesProperty():
		return true
	case class&(lex.Verb|lex.Adverb) != 0:
		return false
	}
	ahead := strings.TrimSpace(r.Text[:min(max(0, r.Subject.Start-r.Start), len(r.Text))])
	begins := ahead == "" || strings.HasSuffix(ahead, ":") || strings.HasSuffix(ahead, ",")
	like := strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ly")
	return !begins || len(w) < 6 || !like
}

// beforeBe reports whether what was read as the subject begins the clause, and a form of "be" follows: "bins are
// emptied".
func (r *compared) beforeBe() bool {
	at := r.Subject.End - r.Start
	if at <= 0 || at >= len(r.Text) {
		return false
	}
	next := text.Words(r.Text[at:])
	return len(next) > 0 && next[0].From == 1 &&
		lex.ClassOf(text.Fold(r.Text[at:][next[0].From:next[0].Until]))&lex.Be != 0
}

// apposed reports whether a comma divides what was read as the subject from the property: "all good, chair is Ms Ek".
func (r *compared) apposed() bool {
	at := r.Subject.End - r.Start
	return r.Property != "" && r.Subject.Start >= r.Start && at > 0 && at < len(r.Text) && r.Text[at] == ',' &&
		r.Subject.End < r.New.Start
}

func inside(s tenure.Span, at int) bool { return s.Text != "" && s.Start <= at && at < s.End }

// repeats reports whether a clause says again what stands, in more than a word.
func (r *compared) repeats(c *candidate) bool {
	return r.Act == tenure.Asserts && len(r.fresh.words) > 1 && c.says(r.fresh)
}

// oldScore is the evidence of the value that the clause says holds no longer.
func oldScore(r *compared, c *candidate) float64 {
	old := r.stale
	if old.text == "" && (r.Act == tenure.Ends || r.Act == tenure.Retracts || r.Act == tenure.Corrects && r.fresh.in(c.held)) {
		old = r.fresh
	}
	switch {
	case old.text == "" && r.repeats(c):
		return oldNamed
	case old.text == "":
		for _, v := range c.held {
			if !v.same(r.fresh) && allIn(v.words, r.rest) {
				return oldMentioned
			}
		}
		return 0
	case old.in(c.held):
		return oldNamed
	case len(c.held) == 0:
		return 0
	}
	return oldMissing
}

func clauseWords(list []wordAt) []string {
	w := make([]string, len(list))
	for i, t := range list {
		w[i] = t.word
	}
	return w
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
