package align

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tenure"
	"tenure/ner/words"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/values"
	"tenure/vocabulary"
)

// kindNames are the predicates of properties that nobody has named: the kind of the value.
var kindNames = map[group]string{
	groupNumber: "number", groupMoney: "price", groupQuantity: "quantity", groupDate: "date", groupClock: "time", groupMoment: "date",
	groupContact: "contact", groupCode: "code",
	groupTruth: "state",
}

// first makes a new property of a statement that aligns to no slot, if it tells subject and property, else a remark.
func (a *alignment) first(r *compared, c Change) Change {
	if fact, ok := a.fact(r, c); ok {
		return a.adds(fact, r)
	}
	c = a.topic(r, c)
	c.Effect, c.Predicate, c.Value = Remarks, "", ""
	return c
}

// fact returns the property that a statement adds, if it tells subject and property.
func (a *alignment) fact(r *compared, c Change) (Change, bool) {
	c = a.topic(r, c)
	known := !r.decides() && (c.Subject != "" || r.first && r.pronoun) && !isAmount(c.Subject)
	if r.New.Text == "" || c.Predicate == "" || !known || !a.isProperty(r, c) || a.saysNothing(r, c) || r.isDoubtful() {
		return c, false
	}
	if c.Own && vocabulary.Normal(c.Subject) == c.Predicate && r.beforeBe() {
		c.Subject = "" // "my dentist is Dr. Osei" tells the speaker's dentist
	}
	c.Effect, c.Value, c.Confidence = Adds, r.New.Text, 0.6*r.confidence()
	c.Beside = beside(r)
	return r.withConjuncts(c, hasMany(c.Predicate)), true
}

// isDoubtful reports whether the words of a clause say too little for a first fact. Of plain words, whether they change
// anything says little: "the rent of the bakery is 900 euros".
func (r *compared) isDoubtful() bool {
	least := certain
	if r.Subject.Text != "" && (len(r.called) > 0 && r.joined() || r.saysTerm() != nil) {
		least = plainly
	}
	return r.Act == tenure.Asserts && r.confidence() < least
}

// adds registers a property that a statement adds: later statements of the text may mean it.
func (a *alignment) adds(c Change, r *compared) Change {
	a.remember(c, r)
	return c
}

// facts lists the properties that the readings of a clause add, where none means a slot: the first that names one of
// the base vocabulary, else those of the readings that do not exclude each other, else the date that a plan is about.
func (a *alignment) facts(all []*aligned, from int) (list []Change) {
	plain := func() bool { // "the vendor contact for Brightline: Tessa Moran" names no contact for anything
		_, ok := a.factOf(all[0], from)
		return ok && all[0].noun
	}
	for i, m := range all {
		if m.saysTerm() != nil && (i == 0 || m.Act != tenure.Plans && (!m.Alternative || !plain())) {
			if c, ok := a.factOf(m, from+i); ok {
				return []Change{c}
			}
		}
	}
	if list = a.factsBeside(all, from); len(list) > 0 {
		return list
	}
	for i, m := range all {
		if c, ok := a.factOf(m, from+i); ok && m.group.day() && m.From == nil {
			return []Change{c}
		}
	}
	return nil
}

// factsBeside lists the properties that those readings of a clause add which do not exclude each other.
func (a *alignment) factsBeside(all []*aligned, from int) (list []Change) {
	for i, m := range all {
		if m.Alternative || m.Act == tenure.Plans {
			continue
		}
		c, ok := a.factOf(m, from+i)
		if kind := kindNames[m.group]; ok && kind != "" && slices.ContainsFunc(list, c.sameProperty) {
			c.Predicate = kind // "leaves from gate B at 6:45"
		}
		if ok && a.apartOf(list, c, m.compared) {
			list = append(list, c)
		}
	}
	return list
}

// factOf is the property that one of the readings of a clause adds, if it does.
func (a *alignment) factOf(m *aligned, statement int) (Change, bool) {
	if !m.Act.Changes() || ending(m.Act) {
		return Change{}, false
	}
	return a.fact(m.compared, Change{Statement: statement, Slot: -1, From: m.From, Until: m.Until, Why: m.why.String()})
}

// apartOf reports whether a property is none of those that other readings of the clause add.
func (a *alignment) apartOf(list []Change, c Change, r *compared) bool {
	return !slices.ContainsFunc(list, func(o Change) bool {
		return o.Subject != c.Subject || c.sameProperty(o) || strings.Contains(o.Value, c.Value)
	}) && (len(list) == 0 || !r.group.words() || r.group == groupName && c.Predicate == "place")
}

func (c Change) sameProperty(o Change) bool {
	return o.Subject == c.Subject && o.Predicate == c.Predicate
}

// saysTerm returns the term of the base vocabulary that the words before the value are, nil if they are none: "works
// at", "allergic to".
func (r *compared) saysTerm() *vocabulary.Term {
	if moving(r.phrase()) && r.group != groupName {
		return nil // "the standup was moved to 9:30"
	}
	name := r.wordedTerm()
	if term, ok := vocabulary.Lookup(name); ok && name != "" {
		return &term
	}
	return nil
}

// wordedTerm is the predicate that the words before the value would be, if they were a base term.
func (r *compared) wordedTerm() string {
	phrase := r.phrase()
	if name := phrasings[phrase]; name != "" {
		return name
	}
	if r.isPost() {
		return postTerm
	}
	return phrase
}

// moving reports whether a phrase says that something moves or changes: such a phrase may be about any property.
func moving(phrase string) bool {
	return slices.ContainsFunc(strings.Split(phrase, "_"), func(w string) bool {
		return lex.ClassOf(w)&lex.Moves != 0
	})
}

// phrasings are ways to say a property of the base vocabulary in which nothing of its name is, without articles and
// auxiliaries.
var phrasings = map[string]string{
	"joined": "employer", "started_at": "employer", "hired_by": "employer", "employed_with": "employer",
	"took_post_at": "employer", "took_job_at": "employer", "got_job_at": "employer", "has_job_at": "employer",
	"resides_in": "lives_in", "relocated_to": "lives_in", "settled_in": "lives_in", "home_is_in": "lives_in",
	"settled_at": "home_address", "took_flat_at": "home_address", "lives_at": "home_address",
	"speak": "languages", "arbeitet_bei": "employer", "wohnt_in": "lives_in", "travaille_chez": "employer", "habite": "lives_in",
	"trabaja_en": "employer", "vive_en": "lives_in",
}

// decides reports whether the words before the value are those that decided the act: "make that 6 pm". They name
// nothing, and mean what was spoken of.
func (r *compared) decides() bool {
	at := r.New.Start - r.Start
	return r.Trigger != "" && at > 0 && at <= len(r.Text) && strings.HasSuffix(strings.TrimSpace(r.Text[:at]), r.Trigger)
}

// isAmount reports whether what was read as a subject is money or a quantity, which nothing is said about.
func isAmount(subject string) bool {
	kind := values.Of(subject).Kind
	return kind == values.Money || kind == values.Quantity
}

// isProperty reports whether a predicate is clearly a property of a clear subject: a term of the base vocabulary, one
// that the kind of the value tells, or a noun that a copula or a colon joins to the value ("its runtime is node 24").
func (a *alignment) isProperty(r *compared, c Change) bool {
	if _, ok := vocabulary.Lookup(c.Predicate); ok {
		return true
	}
	if c.Predicate == r.headed() && c.Predicate != "" {
		return true
	}
	named := a.isClear(c.Subject, r)
	switch c.Predicate {
	case "place", "person", "source":
		return r.isPlaced(c.Subject, named)
	case "is", kindNames[r.group]:
		return named && r.group != groupTruth
	}
	return r.joined() && r.noun || named && (!r.group.words() || r.tight() || r.inverted())
}

// isPlaced reports whether a place, person or source is one of a subject: "I'll arrange shipping to Ghent" is no place
// of mine, "the standup is in room 4" is where it is.
func (r *compared) isPlaced(subject string, clear bool) bool {
	if subject == "" {
		return clear && r.joined()
	}
	return clear || r.group == groupName && r.beforeBe()
}

// isClear reports whether a subject is the speaker, known, or written so that it can be found again.
func (a *alignment) isClear(subject string, r *compared) bool {
	return subject == "" || a.knownSubject(r) != "" || r.isProper(subject) || strings.Contains(subject, " ") ||
		strings.ContainsFunc(subject, unicode.IsDigit)
}

// between is what stands between the subject and the value: "works at". What the speaker says of "I" begins behind it.
func (r *compared) between() string {
	from, until := r.Subject.End-r.Start, r.New.Start-r.Start
	if r.Subject.Text == "" && r.first {
		from = 0
		if w := text.Words(r.Text); len(w) > 0 && text.Fold(r.Text[w[0].From:w[0].Until]) == "i" {
			from = w[0].Until
		}
	}
	if r.Subject.Text == "" && from <= 0 || from < 0 || from > until || until > len(r.Text) {
		return ""
	}
	return strings.TrimSpace(r.Text[from:until])
}

// binders are the classes of words that join a property and its value.
const binders = lex.Be | lex.Have | lex.Do | lex.Modal | lex.Prep | lex.Det |
	lex.Adverb

// tight reports whether between the subject and the value stand the words of the property alone, and function words.
func (r *compared) tight() bool {
	list := strings.Fields(r.between())
	return len(list) > 0 && r.ofProperty(list)
}

// ofProperty reports whether a list has only words of the property and function words.
func (r *compared) ofProperty(list []string) bool {
	return !slices.ContainsFunc(list, func(w string) bool {
		k := text.Fold(w)
		ofProperty := func(p string) bool { return slices.Contains(r.property, p) }
		return lex.ClassOf(k)&binders == 0 && !slices.ContainsFunc(propertyWords(k), ofProperty)
	})
}

// inverted reports whether a clause names the value first, then the one property that it is: "Antonia is the treasurer
// of Alder Court", but not "a fan of Alder Court".
func (r *compared) inverted() bool {
	from, until := r.New.End-r.Start, r.Subject.Start-r.Start
	if !r.noun || r.group != groupName || from < 0 || until <= from || until > len(r.Text) ||
		!unicode.IsUpper([]rune(r.Subject.Text)[0]) { // "the head of sales at Acme"
		return false
	}
	list := strings.Fields(r.Text[from:until])
	isBe := func(w string) bool { return lex.ClassOf(text.Fold(w))&lex.Be != 0 }
	isIndefinite := func(w string) bool { return indefinite[text.Fold(w)] }
	return slices.ContainsFunc(list, isBe) && !slices.ContainsFunc(list, isIndefinite) && r.ofProperty(list)
}

// isProper reports whether a subject as written has a proper name.
func (r *compared) isProper(subject string) bool {
	return slices.Contains(newName(subject).proper, true)
}

// joined reports whether a form of "be", a colon or an equals sign stands in the clause. The colon of "Correction:" joins
// nothing.
func (r *compared) joined() bool {
	said := r.Text
	if head, rest, ok := strings.Cut(said, ":"); ok && r.Trigger != "" && strings.HasSuffix(text.Key(head), text.Key(r.Trigger)) {
		said = rest
	}
	return strings.ContainsAny(said, ":=") || slices.ContainsFunc(text.Words(said), func(w text.Span) bool {
		return lex.ClassOf(text.Fold(said[w.From:w.Until]))&lex.Be != 0
	})
}

// saysNothing reports whether a value is no fact: the name of a subject, yes or no, words of which nothing is said.
func (a *alignment) saysNothing(r *compared, c Change) bool {
	if slices.ContainsFunc(a.list, func(o *candidate) bool {
		return o.known() == c.Subject && vocabulary.Normal(o.Predicate) == c.Predicate
	}) {
		return true // it names what a slot has, and was not found to mean it
	}
	alone := r.pronoun && !r.inherited && len(r.rest) == 0
	if r.saysTerm() != nil || c.Predicate == r.headed() {
		return r.fresh.same(r.named)
	}
	return r.fresh.same(r.named) || alone && (r.group.words() || r.group == groupNumber) ||
		!r.noun && (r.group == groupTruth || r.group == groupText && c.Predicate != "is") || a.namesSubject(r, c)
}

// namesSubject reports whether a value is only the name of a subject or of a property. The value of a property that the
// clause calls by its name may be another subject: who has the office.
func (a *alignment) namesSubject(r *compared, c Change) bool {
	return slices.ContainsFunc(a.list, func(o *candidate) bool {
		return o.isOf(r.fresh) && (len(r.called) == 0 || o.known() == c.Subject)
	})
}

// topic says what a statement that aligns to nothing is about.
func (a *alignment) topic(r *compared, c Change) Change {
	c.Effect = Keeps
	c.Subject, c.Predicate = a.subject(r), a.predicate(r)
	if r.topical {
		c.Predicate = ""
		if last := a.newest(); last != nil && slices.Contains(newName(r.New.Text).proper, true) {
			c.Predicate = last.Predicate // "and the north branch?" asks what was spoken of
		}
	}
	c.Slot, c.Confidence = -1, 0
	c.Asks = r.Act == tenure.Asks && (r.wide() || r.topical)
	c.Own = r.own && c.Subject == bare(r.Subject.Text) || c.Subject == "" && r.first
	return c
}

// subject is the name of what a statement is about: a known one, else as written, else what the text or the thread
// spoke of last, else "" for the speaker.
func (a *alignment) subject(r *compared) string {
	name := a.knownSubject(r)
	switch {
	case r.inherited && r.personal():
		return cmp.Or(a.holder(r), name, bare(r.Subject.Text))
	case name != "":
		return name
	case !r.pronoun || r.inherited:
		return bare(cmp.Or(r.Subject.Text, r.New.Text))
	case r.first:
		return ""
	}
	return cmp.Or(a.holder(r), a.current())
}

// holder is who "he" and "her" mean after "The contact at the mill is Jürgen Pless": the person who is the value that
// was told last, if its subject is none; "" if there is none.
func (a *alignment) holder(r *compared) string {
	if lexicon := words.Load(); a.last != nil && len(a.last.Values) > 0 && r.personal() &&
		!lexicon.LooksLikePerson(a.last.known()) && lexicon.LooksLikePerson(a.last.Values[0]) {
		return a.last.Values[0]
	}
	return ""
}

// personal reports whether a clause begins with a pronoun for a person.
func (r *compared) personal() bool {
	first, _, _ := strings.Cut(r.Text, " ")
	return persons[text.Fold(first)]
}

var persons = wordSet("he she his her er sie")

// knownSubject is the name of the known subject that a statement names, "" if it names none.
func (a *alignment) knownSubject(r *compared) string {
	clause := clauseWords(r.clause)
	list := r.subject
	if r.pronoun {
		list = clause
	}
	name := a.foremost(func(c *candidate) float64 {
		if !r.pronoun && a.apartFrom(r, c) {
			return 0
		}
		return a.shareKnown(c, list)
	})
	proper := slices.Contains(r.name.proper, true)
	if name == "" && !r.pronoun && (!proper || r.Act == tenure.Asks && !r.topical) {
		name = a.foremost(func(c *candidate) float64 { return a.shareKnown(c, clause) })
	}
	return name
}

// shareKnown is how much of a name words have, 0 if they are not enough to know the subject by.
func (a *alignment) shareKnown(c *candidate, list []string) float64 {
	if share, distinct := a.nameOf(c, list); distinct || share > 0.99 {
		return share
	}
	return 0
}

// newest is the slot that the thread spoke of last, nil if of none.
func (a *alignment) newest() (best *candidate) {
	if a.last != nil {
		return a.last
	}
	for _, c := range a.list {
		if c.Said == 0 || c.Predicate == "" {
			continue
		}
		if best == nil || c.Said < best.Said || c.Said == best.Said && orderedBefore(c, best) {
			best = c
		}
	}
	return best
}

// current is the name of what the text or the thread spoke of last, "" if that is nothing or not clear.
func (a *alignment) current() string {
	if a.last != nil {
		return a.last.known()
	}
	return a.foremost(func(c *candidate) float64 {
		turn, _ := a.turns(c)
		switch {
		case c.Named:
			return 1.5
		case turn > 0:
			return 1 / turn
		}
		return 0
	})
}

// foremost returns the name of the subject with the greatest weight, "" if none is above 0 or two are equal.
func (a *alignment) foremost(of func(*candidate) float64) (name string) {
	best := 0.0
	for _, c := range a.list {
		if len(c.Names) == 0 {
			continue
		}
		switch w := of(c); {
		case w > best:
			best, name = w, c.Names[0]
		case w == best && text.Key(name) != text.Key(c.Names[0]):
			name = ""
		}
	}
	return name
}

// bare is a noun phrase without its article, and without the word that says whose it is.
func bare(s string) string {
	fields := strings.Fields(s)
	loose := func(w string) bool {
		return binding[w] || firstPerson[w] || lex.ClassOf(w)&(lex.Do|lex.Be|lex.Have) != 0
	}
	for len(fields) > 1 && loose(text.Fold(fields[0])) {
		fields = fields[1:]
	}
	return strings.Join(fields, " ")
}

// asked are the properties that question words ask for.
var asked = map[string]string{"where": "place", "wo": "place", "wohin": "place", "dónde": "place", "où": "place",
	"when": "date", "wann": "date", "cuándo": "date", "quand": "date", "who": "person", "wer": "person", "quién": "person",
	"qui": "person"}

// predicate is the name of the property: its words, else the kind of the value, else what is asked for.
func (a *alignment) predicate(r *compared) string {
	if r.Act != tenure.Asks {
		if r.saysTerm() != nil {
			return r.wordedTerm() // "works at"
		}
		if head := r.headed(); head != "" {
			return head
		}
	}
	if name := cmp.Or(r.propertyName(), r.hour(), kindNames[r.group]); name != "" {
		return name
	}
	for _, t := range r.clause {
		if name := asked[t.word]; name != "" && r.Act == tenure.Asks {
			return name
		}
	}
	return cmp.Or(r.placeOrPerson(), r.is())
}

// hour is the property of a bare number that tells an hour of the day: "is at 9".
func (r *compared) hour() string {
	n, err := strconv.Atoi(r.New.Text)
	if err != nil || n > 24 || !hourly[r.wordBefore(r.New.Start)] {
		return ""
	}
	return "time"
}

// hourly are the words before an hour of the day.
var hourly = wordSet(`at um à`)

// propertyName makes a name of the words for the property, "" if they make none.
func (r *compared) propertyName() string {
	if p := vocabulary.Normal(r.Property); r.noun && strings.Contains(r.Property, "-") && strings.Count(p, "_") < 4 {
		return p // "one-time code"
	}
	list := r.property
	if r.noun {
		list = withoutVerbs(list)
	}
	p := strings.Join(list, "_")
	if strings.ContainsFunc(p, unicode.IsLetter) && len(list) <= 4 && (r.noun || r.Act != tenure.Asks) {
		return p
	}
	return ""
}

// headed is the property that the last word of a value of several names: "keeps a paleo diet", "the sepia theme".
func (r *compared) headed() string {
	list := r.fresh.words
	named := r.noun || len(r.called) > 0 || len(r.property) > 1
	if r.group.words() && len(list) > 1 && !named && r.New.Start > r.Subject.End {
		if head := list[len(list)-1]; lex.ClassOf(head)&lex.Attribute != 0 {
			return head
		}
	}
	return ""
}

// withoutVerbs returns a list without its verbs. A verb before a noun ("launch city") stays, and a last word that may
// be a noun ("host").
func withoutVerbs(list []string) (kept []string) {
	isVerb := func(w string) bool { return lex.ClassOf(w)&lex.Verb != 0 }
	for i, w := range list {
		last := i+1 == len(list)
		if !isVerb(w) || !last && !isVerb(list[i+1]) || last && lex.ClassOf(w)&lex.Noun != 0 {
			kept = append(kept, w)
		}
	}
	return kept
}

// is names the property of a value that the clause gives without saying which: "the Wizard is Ben", "D2 steel".
func (r *compared) is() string {
	switch {
	case r.pronoun || r.New.Start < r.Subject.End || len(r.property) > 0:
	case r.group == groupName, r.group == groupCode, r.Property == "" && r.isProper(r.Subject.Text) && !r.opensPlainly():
		return "is"
	}
	return ""
}

// opensPlainly reports whether the subject is an ordinary word that has its capital since the clause begins with it,
// and nothing sets it apart as a heading: "Good morning".
func (r *compared) opensPlainly() bool {
	return r.Subject.Start <= r.Start && !strings.Contains(r.Subject.Text, " ") && !r.joined() &&
		words.Load().IsCommon(text.Fold(r.Subject.Text))
}

// placeOrPerson names the property of a value of words by the words before it.
func (r *compared) placeOrPerson() string {
	switch r.Kind {
	case "person", "place":
		return r.Kind
	}
	if r.New.Start <= r.Start || r.New.Start > r.Start+len(r.Text) {
		return ""
	}
	before := strings.Fields(strings.ToLower(r.Text[:r.New.Start-r.Start]))
	for i := len(before) - 1; i >= 0 && i >= len(before)-2; i-- {
		switch before[i] {
		case "in", "at", "im", "en", "à", "to", "into", "nach":
			return "place"
		case "from", "by", "bei", "chez":
			return "source"
		}
	}
	return ""
}

// mostAdded bounds the properties that a text adds and that its later statements may mean.
const mostAdded = 32

// remember makes the property that a change adds one that the next statements of the text may mean.
func (a *alignment) remember(c Change, r *compared) {
	slot := Slot{Names: []string{c.Subject}, Predicate: c.Predicate, Values: c.Values(), Kinds: []string{r.Kind},
		Own: c.Subject == "", Named: true}
	n := newCandidate(-1, slot, a.property(slot))
	a.last = n
	if a.added++; a.added > mostAdded {
		return
	}
	a.add(n)
	for _, r := range a.said {
		a.weigh(r, len(a.list)-1)
	}
	a.rank()
}
