package statements

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/text"
	"tenure/vocabulary"
)

// kindNames are the predicates of properties that nobody has named: the kind of the value.
var kindNames = map[group]string{
	groupNumber: "number", groupMoney: "price", groupQuantity: "amount", groupDate: "date", groupClock: "time", groupMoment: "date",
	groupContact: "contact", groupCode: "code",
	groupTruth: "state",
}

// first makes of a statement that aligns to nothing a property of its subject that no slot has, if it says of what and
// which: else it is a remark.
func (a *alignment) first(r *compared, c Change) Change {
	c = a.topic(r, c)
	known := c.Subject != "" || r.first && r.pronoun
	if r.New.Text == "" || c.Predicate == "" || !known || !a.isProperty(r, c) || a.saysNothing(r, c) {
		c.Effect, c.Predicate, c.Value = Remarks, "", ""
		return c
	}
	c.Effect, c.Value, c.Confidence = Adds, r.New.Text, 0.6*r.confidence()
	a.remember(c, r)
	return c
}

// isProperty reports whether a predicate is clearly a property of a clear subject: a term of the base vocabulary, one
// that the kind of the value tells, or a noun that a copula or a colon joins to the value ("its runtime is node 24").
func (a *alignment) isProperty(r *compared, c Change) bool {
	if _, ok := vocabulary.Lookup(c.Predicate); ok {
		return true
	}
	named := c.Subject == "" || a.knownSubject(r) != "" || r.isProper(c.Subject) || strings.Contains(c.Subject, " ")
	switch c.Predicate {
	case "is", "place", "person", "source", kindNames[r.group]:
		return named && r.group != groupTruth
	}
	return r.joined() && r.noun || named && (!r.group.words() || r.tight())
}

// between is what stands between the subject and the value: "works at".
func (r *compared) between() string {
	from, until := r.Subject.End-r.Start, r.New.Start-r.Start
	if r.Subject.Text == "" || from < 0 || from > until || until > len(r.Text) {
		return ""
	}
	return strings.TrimSpace(r.Text[from:until])
}

// tight reports whether between the subject and the value stand the words of the property alone, and function words.
func (r *compared) tight() bool {
	list := strings.Fields(r.between())
	return len(list) > 0 && !slices.ContainsFunc(list, func(w string) bool {
		k := text.Fold(w)
		ofProperty := func(p string) bool { return slices.Contains(r.property, p) }
		return classOf(k)&(be|have|do|modal|prep|det|adverb) == 0 && !slices.ContainsFunc(propertyWords(k), ofProperty)
	})
}

// isProper reports whether a subject as written has a proper name.
func (r *compared) isProper(subject string) bool {
	return slices.Contains(newName(subject).proper, true)
}

// joined reports whether a form of "be", a colon or an equals sign stands in the clause.
func (r *compared) joined() bool {
	return strings.ContainsAny(r.Text, ":=") ||
		slices.ContainsFunc(r.clause, func(w wordAt) bool { return w.class&be != 0 })
}

// saysNothing reports whether a value is no fact: the name of a subject, yes or no, words of which nothing is said.
func (a *alignment) saysNothing(r *compared, c Change) bool {
	if slices.ContainsFunc(a.list, func(o *candidate) bool {
		return o.known() == c.Subject && vocabulary.Normal(o.Predicate) == c.Predicate
	}) {
		return true // it names what a slot has, and was not found to mean it
	}
	alone := r.pronoun && !r.inherited && len(r.rest) == 0
	return r.fresh.same(r.named) || alone && (r.group.words() || r.group == groupNumber) ||
		!r.noun && (r.group == groupTruth || r.group == groupText && c.Predicate != "is") ||
		slices.ContainsFunc(a.list, func(c *candidate) bool { return c.isOf(r.fresh) })
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
	case name != "":
		return name
	case !r.pronoun || r.inherited:
		return bare(cmp.Or(r.Subject.Text, r.New.Text))
	case r.first:
		return ""
	}
	return a.current()
}

// knownSubject is the name of the known subject that a statement names.
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
	proper := slices.Contains(newName(cmp.Or(r.Subject.Text, r.New.Text)).proper, true)
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

// foremost returns the name of the subject of which most speaks, "" if nothing does or two are equal.
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
	loose := func(w string) bool { return binding[w] || firstPerson[w] || classOf(w)&(do|be|have) != 0 }
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
	if phrase := vocabulary.Normal(r.between()); phrase != "" && r.Act != tenure.Asks {
		if _, ok := vocabulary.Lookup(phrase); ok {
			return phrase // "works at"
		}
	}
	list := r.property
	if r.noun {
		list = slices.DeleteFunc(slices.Clone(list), func(w string) bool { return classOf(w)&verb != 0 })
	}
	if p := strings.Join(list, "_"); strings.ContainsFunc(p, unicode.IsLetter) && len(list) <= 4 && (r.noun || r.Act != tenure.Asks) {
		return p
	}
	if name := kindNames[r.group]; name != "" {
		return name
	}
	for _, t := range r.clause {
		if name := asked[t.word]; name != "" && r.Act == tenure.Asks {
			return name
		}
	}
	return cmp.Or(r.placeOrPerson(), r.is())
}

// is names the property of a value that the clause gives without saying which: "the Wizard is Ben", "D2 steel".
func (r *compared) is() string {
	switch {
	case r.pronoun || r.New.Start < r.Subject.End || len(r.property) > 0:
	case r.group == groupName, r.group == groupCode, r.Property == "" && slices.Contains(newName(r.Subject.Text).proper, true):
		return "is"
	}
	return ""
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

// remember makes the property that a change adds one that the next statements of the text may mean.
func (a *alignment) remember(c Change, r *compared) {
	n := newCandidate(-1, Slot{Names: []string{c.Subject}, Predicate: c.Predicate, Values: []string{c.Value},
		Kinds: []string{r.Kind}, Own: c.Subject == "", Named: true})
	a.list = append(a.list, n)
	a.last = n
}
