package statements

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/text"
	"tenure/vocabulary"
)

// The evidence that a statement means a slot is a sum of these weights, in which 1 makes it about 2.7 times as
// likely. They were set by hand and checked against conversations: see the table of shares right by confidence that
// eval/talk/offline prints.
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
	index   int // of the slot; -1 for a property that a statement before it in the text added
	names   []subjectName
	phrases [][]string // the predicate, then its synonyms
	held    []worded
	key     string  // of the name of the subject
	groups  []group // of its values, else of its type
	fields  []propertyField
	person  bool
	marks
}

// marks are what one statement says of a candidate.
type marks struct {
	inSubject, inClause naming
	distance            float64 // from a word of the name to the value
	ago                 float64 // how many turns ago the thread spoke of the subject
	list                []string
	property            float64 // the share of the property's words that the clause has
	head                bool    // the last of them is among these
	near                float64 // from a word of the property to the value
}

// naming is how much of a name some words have, and whether it is enough to know the subject by.
type naming struct {
	share    float64
	distinct bool
}

// mark compares a statement with every candidate.
func (a *alignment) mark(r *compared) {
	clause := clauseWords(r.clause)
	said := r.rest
	if len(r.property) > 0 {
		said = append(append([]string{}, r.property...), said...)
	}
	bySubject := map[string]marks{}
	for _, c := range a.list {
		m, done := bySubject[c.key]
		if !done {
			m.inSubject.share, m.inSubject.distinct = a.nameOf(c, r.subject)
			m.inClause.share, m.inClause.distinct = a.nameOf(c, clause)
			m.distance = a.distance(r, c)
			m.list = withoutNames(c, said)
			bySubject[c.key] = m
		}
		m.ago = a.since(c)
		m.property, m.head = c.propertyShare(m.list)
		if m.near = math.Inf(1); m.property > 0 {
			m.near = r.near(c)
		}
		c.marks = m
	}
	a.anySubject = slices.ContainsFunc(a.list, func(c *candidate) bool { return c.inSubject.known() })
	if r.inherited && !a.anySubject {
		r.pronoun = true // of an earlier clause, and nothing known: the clause itself names none
		for _, c := range a.list {
			c.inSubject = naming{}
		}
	}
}

func (n naming) known() bool { return n.share > 0.99 || n.distinct }

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
		number := unicode.IsDigit(first) && len(word) > size || classOf(k)&numberWord != 0
		n.proper = append(n.proper, unicode.IsUpper(first) || number)
	}
	return n
}

// mostValues bounds the values of a slot that are compared: the newest.
const mostValues = 32

func newCandidate(i int, s Slot) *candidate {
	c := &candidate{Slot: s, index: i, held: wordedOf(s.Values[:min(len(s.Values), mostValues)])}
	c.key = text.Key(c.known())
	for _, n := range s.Names {
		if m := newName(n); len(m.words) > 0 {
			c.names = append(c.names, m)
		}
	}
	c.phrases = append(c.phrases, propertyWords(s.Predicate))
	for _, y := range synonyms(s) {
		c.phrases = append(c.phrases, propertyWords(y))
	}
	c.groups = groupsOf(s, c.held)
	c.person = slices.ContainsFunc(c.phrases[0], agent)
	for _, f := range fields {
		if f.agent && c.person || slices.ContainsFunc(c.phrases[0], f.heading) {
			c.fields = append(c.fields, f)
		}
	}
	return c
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
	*tenure.Statement
	fresh     worded // the new value
	stale     worded // the old value
	named     worded // the subject
	clause    []wordAt
	subject   []string // of the subject as named, without pronouns
	property  []string // of the words that say which property
	rest      []string // of the clause, without values
	full      []string // of these, those that add something
	noun      bool     // the property is named by a noun
	group     group
	first     bool // the speaker speaks of what is the speaker's
	topical   bool // what is asked about is named without a verb
	own       bool // the subject is the speaker's: "my sister"
	inherited bool // the subject is named in an earlier clause
	it        bool // a pronoun stands for the subject
	pronoun   bool // the subject is named by a pronoun, or by none
}

type wordAt struct {
	word  string
	at    int
	class class
}

func newCompared(st *tenure.Statement) *compared {
	r := &compared{Statement: st, fresh: newWorded(st.New.Text), stale: newWorded(st.Old.Text),
		named: newWorded(st.Subject.Text)}
	r.group = groupOf(st.Kind, r.value())
	r.readClause()
	r.readSubject()
	for _, w := range propertyWords(st.Property) {
		if classOf(w)&(be|have|do|modal|not|prep|pronoun|det|adverb) == 0 {
			r.property = append(r.property, w)
			r.noun = r.noun || classOf(w)&verb == 0
		}
	}
	return r
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
		t := wordAt{k, at, classOf(k)}
		if !inside(r.New, at) && !inside(r.Old, at) {
			r.rest = append(r.rest, k)
			if len(k) > 1 && t.class&empty == 0 {
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
	r.inherited = named != "" && !r.topical && (r.Subject.Start < r.Start || r.Subject.End > r.End)
	if r.apposed() || r.object() || !slices.ContainsFunc(r.subject, r.thing) {
		r.subject, r.pronoun = nil, true
	}
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
	if classOf(w)&(functionWord|verb|adverb) != 0 {
		return false
	}
	ahead := strings.TrimSpace(r.Text[:min(max(0, r.Subject.Start-r.Start), len(r.Text))])
	begins := ahead == "" || strings.HasSuffix(ahead, ":") || strings.HasSuffix(ahead, ",")
	like := strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ly")
	return !begins || len(w) < 6 || !like
}

// apposed reports whether a comma divides what was read as the subject from the property: "all good, chair is Ms Ek".
func (r *compared) apposed() bool {
	at := r.Subject.End - r.Start
	return r.Property != "" && r.Subject.Start >= r.Start && at > 0 && at < len(r.Text) && r.Text[at] == ',' &&
		r.Subject.End < r.New.Start
}

// empty are the classes of words that add nothing to what a clause says.
const empty = functionWord | split | lead | filler | adverb | now | tail | yes | no

// classOf returns the classes that a word has in any language that is read.
func classOf(w string) (c class) {
	for _, lex := range lexicons {
		c |= lex.classOf(w)
	}
	return c
}

func inside(s tenure.Span, at int) bool { return s.Text != "" && s.Start <= at && at < s.End }

// oldScore is the evidence of the value that the clause says holds no longer.
func oldScore(r *compared, c *candidate) float64 {
	old := r.stale
	if old.text == "" && (r.Act == tenure.Ends || r.Act == tenure.Retracts || r.Act == tenure.Corrects && r.fresh.in(c.held)) {
		old = r.fresh
	}
	switch {
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
