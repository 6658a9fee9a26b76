package statements

import (
	"cmp"
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

// subjectName is a name of a subject. Its proper words are those that begin with a capital, numbers of more than a digit,
// and number words.
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

func newCandidate(i int, s Slot) *candidate {
	c := &candidate{Slot: s, index: i, held: wordedOf(s.Values)}
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
	group     group
	first     bool // the speaker speaks of what is the speaker's
	topical   bool // what is asked about is named without a verb
	own       bool // the subject is the speaker's: "my sister"
	inherited bool // the subject is named in an earlier clause
	it        bool // a pronoun stands for the subject
	pronoun   bool // the subject is named by a pronoun, or by none
}

type wordAt struct {
	word string
	at   int
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
		if !inside(r.New, at) && !inside(r.Old, at) {
			r.rest = append(r.rest, k)
		}
		r.clause = append(r.clause, wordAt{k, at})
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
	if r.apposed() || r.object() || !slices.ContainsFunc(r.subject, r.noun) {
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

// noun reports whether a word of what was read as the subject may be a noun: no word of a closed class, and none that
// looks like a verb or an adverb at a beginning, as "consigned to Felixstowe" has one.
func (r *compared) noun(w string) bool {
	if classOf(w)&(functionWord|verb|adverb) != 0 {
		return false
	}
	ahead := strings.TrimSpace(r.Text[:min(max(0, r.Subject.Start-r.Start), len(r.Text))])
	begins := ahead == "" || strings.HasSuffix(ahead, ":") || strings.HasSuffix(ahead, ",")
	return !begins || len(w) < 6 || !strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "ing") && !strings.HasSuffix(w, "ly")
}

// apposed reports whether a comma divides what was read as the subject from the property: "all good, teacher is Ms Ek".
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

// share is how much of a name a list of words has, 0 to 1. A word that other subjects have too says less; a capital, a
// number and the last word, which says what kind of thing it is, say more. It is distinct if that is enough to know the
// subject by.
func (a *alignment) share(n subjectName, list []string) (share float64, distinct bool) {
	have, all, own := 0.0, 0.0, 0.0
	for i, w := range n.words {
		weight := 1.0
		switch {
		case titles[w]:
			weight = 0.2
		case n.proper[i]:
			weight = 2
		case i == len(n.words)-1:
			weight = 1.4
		}
		shared := float64(max(a.bearers[w], 1))
		all += weight / shared
		if hasWord(list, w) {
			have += weight / shared
			if shared == 1 && (len(w) > 1 || len(n.words) == 1 || len(list) == 1) {
				own += weight
			}
		}
	}
	if all == 0 {
		return 0, false
	}
	return have / all, own/all >= 0.4
}

// hasWord reports whether a list has a word of a name, be it in the plural or the genitive.
func hasWord(list []string, w string) bool {
	for _, x := range list {
		if x == w || kinNames[x] == w || len(w) > 3 && (x == w+"s" || x == w+"es" || w == x+"s" && len(x) > 2) {
			return true
		}
	}
	return false
}

// nameOf is the best share of the names of a slot that a list of words has.
func (a *alignment) nameOf(c *candidate, list []string) (share float64, distinct bool) {
	for _, n := range c.names {
		if s, d := a.share(n, list); s > share || s == share && d {
			share, distinct = s, d
		}
	}
	return share, distinct
}

// subjectScore is the evidence that a statement is about the entity of a slot.
func (a *alignment) subjectScore(r *compared, c *candidate) float64 {
	if c.inSubject.share > 0 {
		if a.apartFrom(r, c) {
			return subjectOther
		}
		return a.rival(c, func(o *candidate) naming { return o.inSubject })
	}
	if c.inClause.share > 0 && (c.inClause.distinct || c.inClause.share > 0.5) {
		return a.rival(c, func(o *candidate) naming { return o.inClause })
	}
	if a.otherNamed(c) {
		return subjectOther
	}
	recent := a.recency(r, c)
	if c.inClause.share > 0 {
		recent += subjectVaguely
	}
	switch {
	case r.pronoun || speaksOf(r, c):
		return recent
	case r.own, slices.Contains(newName(r.Subject.Text).proper, true), slices.ContainsFunc(r.subject, isKin):
		return recent + subjectForeign
	}
	return recent + subjectThing
}

// apartFrom reports whether the subject as named has a proper word that no name of the slot has, in the place of one
// that it lacks: "Castle Street" is not "Market Street".
func (a *alignment) apartFrom(r *compared, c *candidate) bool {
	said := newName(cmp.Or(r.Subject.Text, r.New.Text))
	for _, n := range c.names {
		if !lacks(said, n.words) || !lacks(n, said.words) {
			return false
		}
	}
	return true
}

// lacks reports whether a list has not all proper words of a name.
func lacks(n subjectName, list []string) bool {
	for i, w := range n.words {
		if n.proper[i] && !titles[w] && !hasWord(list, w) {
			return true
		}
	}
	return false
}

func graded(n naming) float64 {
	switch {
	case n.share > 0.99:
		return subjectNamed
	case n.distinct:
		return subjectPartly*0.7 + subjectPartly*0.3*n.share
	}
	return subjectVaguely + subjectPartly*n.share/2
}

// rival is the evidence of a name, lower where there is another's as well: of two the one nearest to the value is
// meant, the one before it rather than the one behind.
func (a *alignment) rival(c *candidate, named func(*candidate) naming) float64 {
	own := named(c)
	for _, o := range a.list {
		n := named(o)
		switch {
		case !n.known() || sameSubject(o, c):
		case n.share > own.share+0.01 && n.share > 0.99 && covers(o, c):
			return subjectOther // "Ember lamp mini" has the words of "Ember lamp" too
		case o.distance < c.distance:
			return graded(own) + subjectOther
		}
	}
	return graded(own)
}

// covers reports whether a name of one has all words of a name of another.
func covers(o, c *candidate) bool {
	for _, n := range o.names {
		for _, m := range c.names {
			if allIn(m.words, n.words) {
				return true
			}
		}
	}
	return false
}

// distance is how far from the value the clause names a slot's entity.
func (a *alignment) distance(r *compared, c *candidate) float64 {
	best := math.Inf(1)
	for _, n := range c.names {
		for _, t := range r.clause {
			if !hasWord(n.words, t.word) || a.bearers[t.word] > 1 && len(n.words) > 1 {
				continue
			}
			best = min(best, apart(t.at, r.valueAt()))
		}
	}
	return best
}

// otherNamed reports whether the clause names another known subject by a word of its own.
func (a *alignment) otherNamed(c *candidate) bool {
	return slices.ContainsFunc(a.list, func(o *candidate) bool {
		n := o.inClause
		if a.anySubject {
			n = o.inSubject
		}
		return n.known() && !sameSubject(o, c)
	})
}

func sameSubject(o, c *candidate) bool {
	return o.key == c.key && o.key != ""
}

// recency is the evidence that a clause that names nothing is about the entity of a slot.
func (a *alignment) recency(r *compared, c *candidate) float64 {
	score := 0.0
	turn, said := a.turns(c)
	switch {
	case r.first && c.Own:
		return subjectOwn
	case c.Named && a.namedAt[c.key] > r.Start:
		score = subjectLater
	case c.Named:
		score = subjectInText
	case turn > 0:
		score = subjectRecent * math.Pow(subjectFading, turn-1)
	}
	if said > 0 {
		score += subjectSaid * math.Pow(subjectFading, said-1)
	}
	if a.subjects == 1 {
		score += subjectSole
	}
	if a.later(c) {
		score += subjectPassed
	}
	return score
}

// later reports whether the thread spoke of another subject after that of a slot.
func (a *alignment) later(c *candidate) bool {
	return slices.ContainsFunc(a.list, func(o *candidate) bool { return !sameSubject(o, c) && o.ago < c.ago })
}

// since is how many turns ago the thread spoke of a subject, the text itself being less than a turn.
func (a *alignment) since(c *candidate) float64 {
	turn, _ := a.turns(c)
	switch {
	case turn == 0.5:
		return turn
	case c.Named:
		return 0.7
	case turn == 0:
		return math.Inf(1)
	}
	return turn
}

// turns is how long ago the subject and the slot were spoken of, a statement of the text before being half a turn.
func (a *alignment) turns(c *candidate) (turn, said float64) {
	turn, said = float64(c.Turn), float64(c.Said)
	if a.last != nil && sameSubject(a.last, c) {
		turn = 0.5
		if a.last == c {
			said = 0.5
		}
	}
	return turn, said
}

// foreign reports whether what the clause is about is named and is nothing known: then it is never sure to mean a slot.
func (r *compared) foreign(c *candidate) bool {
	return !r.pronoun && !c.inSubject.known() && !c.inClause.known() && !speaksOf(r, c)
}

// speaksOf reports whether the words in the place of a subject are the property, its value or the new value: then the
// clause leaves the subject out, as "launch city is Namur" does.
func speaksOf(r *compared, c *candidate) bool {
	if p, _ := c.propertyShare(r.subject); p > 0 {
		return true
	}
	return c.way(r.subject) || r.named.in(c.held) || r.named.same(r.fresh) || r.named.same(r.stale)
}

// propertyShare is how much of a name of the property a list of words has, and by which of its names.
func (c *candidate) propertyShare(list []string) (best float64, head bool) {
	for i, p := range c.phrases {
		n := 0
		last := false
		for j, w := range p {
			if hasForm(list, w) {
				n++
				last = last || j == len(p)-1
			}
		}
		if len(p) == 0 || n == 0 {
			continue
		}
		share := float64(n) / float64(len(p))
		if i > 0 {
			if share < 1 {
				continue // a synonym is meant as a whole
			}
			share = 0.9
		}
		if share > best {
			best, head = share, last
		}
	}
	return best, head
}

// propertyScore is the evidence that a clause speaks of the property of a slot.
func (a *alignment) propertyScore(r *compared, c *candidate) float64 {
	score := propertyNamed * c.property
	switch {
	case c.property > 0 && c.part(r.property):
		score = max(score, propertyPart) // all that is said of it: "subject" of the subject line
	case !c.head:
		score *= 0.7
	}
	if a.betterProperty(c) {
		score += propertyOther
	}
	if score < propertyWay && c.spoken(r) {
		return max(score, 0) + propertyWay*(1-c.property)
	}
	if c.property == 0 && slices.ContainsFunc(r.property, func(w string) bool { return classOf(w)&verb == 0 }) {
		score += propertyForeign
	}
	return score
}

// part reports whether words are all of the property's name.
func (c *candidate) part(list []string) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(w string) bool { return !hasForm(c.phrases[0], w) })
}

// betterProperty reports whether a clause names another property of the subject by more words, or by as many that stand
// nearer to the value.
func (a *alignment) betterProperty(c *candidate) bool {
	return slices.ContainsFunc(a.list, func(o *candidate) bool {
		return o != c && sameSubject(o, c) && (o.property > c.property+0.01 && c.property < 0.99 ||
			o.property > 0 && o.property >= c.property-0.01 && o.near < c.near)
	})
}

// near is how far from the value the clause has a word of a property, what stands behind the value being farther.
func (r *compared) near(c *candidate) float64 {
	best := math.Inf(1)
	for _, t := range r.clause {
		if slices.ContainsFunc(c.phrases, func(p []string) bool { return hasForm(p, t.word) }) {
			best = min(best, apart(t.at, r.valueAt()))
		}
	}
	return best
}

func (r *compared) valueAt() int {
	if r.New.Text != "" {
		return r.New.Start
	}
	return r.Old.Start
}

func apart(word, value int) float64 {
	if d := float64(value - word); d > 0 {
		return d
	}
	return 3 * float64(word-value)
}

// way reports whether words are an everyday way to speak of the kind of property.
func (c *candidate) way(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return c.wayOf(w) != nil })
}

func (c *candidate) wayOf(w string) *propertyField {
	for i, f := range c.fields {
		if f.ways[w] {
			return &c.fields[i]
		}
	}
	return nil
}

// spoken reports whether a clause has an everyday way to speak of the kind of property. Who has or does something
// stands before the verb: what stands behind it is not a person who has the subject, unless the clause names the subject.
func (c *candidate) spoken(r *compared) bool {
	return slices.ContainsFunc(r.clause, func(t wordAt) bool {
		if inside(r.New, t.at) || inside(r.Old, t.at) || !containsWord(c.list, t.word) {
			return false
		}
		if classOf(t.word)&prep != 0 && (t.at > r.valueAt() || t.at+len(t.word)+5 < r.valueAt()) {
			return false // a preposition says it only of what it stands before
		}
		f := c.wayOf(t.word)
		switch {
		case f == nil:
			return false
		case f.agent:
			return c.inClause.known() || classOf(t.word)&(verb|have|do) == 0 || r.does(t)
		}
		return t.at < r.valueAt() || strings.HasSuffix(t.word, "ed")
	})
}

// longestGap is how many bytes may stand between who does something and the verb: "Femi Adeyemi, who holds".
const longestGap = 10

// does reports whether a value is who does what a verb says: it stands before it.
func (r *compared) does(t wordAt) bool {
	at := r.New.End
	if r.New.Text == "" {
		at = r.Old.End
	}
	if t.at < at || t.at > at+longestGap || at < r.Start || t.at > r.Start+len(r.Text) {
		return false
	}
	return !strings.Contains(r.Text[at-r.Start:t.at-r.Start], " to ")
}

// withoutNames removes the words of the subject's names, but those that the property shares.
func withoutNames(c *candidate, list []string) (kept []string) {
	for _, w := range list {
		name := false
		for _, n := range c.names {
			name = name || containsWord(n.words, w)
		}
		if !name {
			kept = append(kept, w)
		}
	}
	return kept
}

// valueScore is the evidence of the value: whether it would do for the slot, given what else the clause says of it.
func (a *alignment) valueScore(r *compared, c *candidate, e evidence) float64 {
	v := r.value()
	score := fit(c, r.group, v)
	switch {
	case v.text == "":
		return 0
	case !r.Act.Changes():
		return max(score, 0)
	case c.isOf(v):
		return fitNever
	case a.awaits(c) && score >= 0 && (r.group != groupText || r.bareOf(c)):
		return score + answers
	}
	spoken := e.property > 0 || e.old > 0
	if !spoken && !v.likeAny(c.held) {
		score += a.unspoken(r, c)
	}
	if a.set[c] && (r.Act == tenure.Asserts || !spoken) {
		score += setBefore
	}
	return score
}

// awaits reports whether a value is asked for, or missing since the statement before.
func (a *alignment) awaits(c *candidate) bool { return c.Asked && !a.set[c] || a.vacant[c] }

// unspoken is what speaks against a value whose property the clause does not name.
func (a *alignment) unspoken(r *compared, c *candidate) float64 {
	named, bare := c.inClause.known(), r.bareOf(c)
	against := 0.0
	switch {
	case r.group == groupNumber && !named:
		against = unspokenNumber
	case !r.group.words(), r.group != groupText && named, a.understood(r, c, bare):
	case r.group == groupText:
		against = unspokenText
	default:
		against = unspokenName
	}
	if (r.Act == tenure.Corrects || a.corrected) && (r.group != groupText || bare) {
		against /= 2
	}
	return against
}

// understood reports whether a property goes without saying: under a heading, for a title in quotation marks, for a
// subject and a value alone, and for what "it" is after it was spoken of.
func (a *alignment) understood(r *compared, c *candidate, bare bool) bool {
	switch {
	case a.headed == c, r.quoted() && c.titles():
		return true
	case !bare:
		return false
	}
	return c.inClause.known() && r.leads(c) || a.last == c && (r.pronoun && r.it || r.inherited)
}

// quoted reports whether the new value stands in quotation marks.
func (r *compared) quoted() bool {
	at := r.New.Start - r.Start
	if r.New.Text == "" || at < 1 || at > len(r.Text) {
		return false
	}
	mark, _ := utf8.DecodeLastRuneInString(r.Text[:at])
	return strings.ContainsRune("\"“”„«»‘", mark)
}

// titles reports whether the values of a slot are titles.
func (c *candidate) titles() bool {
	return slices.ContainsFunc(c.fields, func(f propertyField) bool { return f.heads["title"] })
}

// leads reports whether the name of a slot's subject stands before the value.
func (r *compared) leads(c *candidate) bool {
	return slices.ContainsFunc(r.clause, func(t wordAt) bool {
		in := func(n subjectName) bool { return containsWord(n.words, t.word) }
		return t.at < r.valueAt() && slices.ContainsFunc(c.names, in)
	})
}

// bareOf reports whether a clause has nothing but the subject and the value: "OPS-311 closed".
func (r *compared) bareOf(c *candidate) bool {
	return !slices.ContainsFunc(withoutNames(c, r.rest), func(w string) bool {
		return len(w) > 1 && classOf(w)&empty == 0
	})
}

// isOf reports whether a value is only words of the subject's name or of the property's.
func (c *candidate) isOf(v worded) bool {
	return allIn(v.words, c.phrases[0]) || slices.ContainsFunc(c.names, func(n subjectName) bool {
		return allIn(v.words, n.words) || allIn(n.words, v.words)
	})
}

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
