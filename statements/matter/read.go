package matter

import (
	"slices"
	"strings"
	"time"
)

// Sentence is what a sentence settles. Its zero value settles nothing.
type Sentence struct {
	limits    []limit
	doings    []doing
	estimates []estimate
	deadlines []deadline
	starts    [][]string
	stops     [][]string
	uses      []use
	shares    []share
	exempt    bool // it makes an exception from a limit
}

// limit is an amount up to which something may be done, or beyond which somebody has to be asked.
type limit struct {
	amount
	gate     bool     // it speaks of what is beyond it
	grantee  []string // who may go so far, nobody in particular if there are none
	approver []string // who is to be asked
	topic    []string
	apart    []string // the small words and letters that tell one such limit from another: "before", "new", "D"
	when     []string // the words for the time in which it holds
}

// doing is something to be done, of an amount.
type doing struct {
	amount
	about, words []string
}

// estimate is how long a thing takes.
type estimate struct {
	amount
	topic []string
}

// deadline is the time by which a thing is to be done, in days at most.
type deadline struct {
	by    string
	topic []string
	thing []string // the same without the verb that a clause may begin with
	days  func(said time.Time) int
}

// use is a thing that is to be used, in place of another if it says so.
type use struct {
	verb, thing string
	instead     bool
	of          string // instead of what, "" where that is not said
}

// share is a definite amount that goes to something.
type share struct{ what, to string }

// Read reads what a sentence settles.
func Read(s string) Sentence {
	var m Sentence
	list := clauses(s)
	for i := range list {
		c := &list[i]
		if c.asked {
			continue
		}
		at := c.find(exempts, 0)
		m.exempt = m.exempt || at >= 0 && !c.words[at].colon || c.any(consents) && !c.any(lacks)
		m.readUse(c, list)
		if c.any(asks) && !c.any(stopWords) { // "was cancelled"
			continue
		}
		m.readAmounts(c)
		m.readTimes(c)
		m.readCourse(c)
	}
	return m
}

// Settles reports whether a sentence settles anything.
func (m Sentence) Settles() bool {
	return len(m.limits)+len(m.doings)+len(m.estimates)+len(m.deadlines)+len(m.starts)+len(m.stops)+len(m.uses)+
		len(m.shares) > 0
}

func (m *Sentence) readAmounts(c *clause) {
	for _, a := range c.amounts {
		if l, ok := c.limit(a); ok {
			m.limits = append(m.limits, l)
			continue
		}
		start, ok := c.command()
		if !ok || a.from < start {
			continue
		}
		m.doings = append(m.doings, doing{amount: a, about: c.about(a), words: c.all()})
		to := c.find(class("to"), a.until)
		definite := a.from > 0 && c.words[a.from-1].low == "the" && !handsOver[c.words[max(start-1, 0)].low]
		if what := c.phrase(start, max(to, start)); to > a.until && definite {
			m.shares = append(m.shares, share{what: what, to: c.phrase(to+1, len(c.words))})
		}
	}
}

// handsOver are verbs that give each recipient something of a kind: what one gets, another may get, too.
var handsOver = class("send transfer pay issue order spend refund give")

// limit reads an amount as a limit.
func (c *clause) limit(a amount) (limit, bool) {
	gate := c.before(a, beyond) && c.any(restricts)
	if c.unlimited() {
		return limit{}, false
	}
	if !gate && !c.told(a) && !c.before(a, upTo) {
		return limit{}, false
	}
	l := limit{amount: a, gate: gate, when: c.when(), approver: c.approvers()}
	if i := c.grant(); i > 0 && !gate {
		for _, w := range c.words[:i] {
			if !small[w.low] {
				l.grantee = append(l.grantee, w.low)
			}
		}
	}
	out := set{}
	for _, w := range slices.Concat(l.approver, l.grantee) {
		out[w] = true
	}
	l.topic = c.topics(0, len(c.words), out)
	l.apart = c.apart()
	return l, len(l.topic) > 0
}

// apart lists the small words and letters of a clause that tell one limit from another.
func (c *clause) apart() (list []string) {
	for _, w := range c.words {
		if w.amount == 0 && (telling[w.low] || len(w.low) == 1 && w.low != "a" && w.capital) {
			list = append(list, w.low)
		}
	}
	slices.Sort(list)
	return list
}

var (
	// telling are small words that tell one limit from another on the same thing.
	telling = class("before after with without over under new current existing other not")
	lifts   = class("lifted removed abolished waived dropped")
	denies  = class("no not any without never")
)

// unlimited reports whether a clause says that there is no limit.
func (c *clause) unlimited() bool {
	i := c.find(limits, 0)
	return c.any(lifts) || i > 0 && denies[c.words[i-1].low]
}

// told reports whether an amount is called a limit: "the cap on gifts is $50", "$50 max".
func (c *clause) told(a amount) bool {
	if a.until < len(c.words) && limits[c.words[a.until].low] {
		return true
	}
	head := c.find(limits, 0)
	if head < 0 || head >= a.from {
		return false
	}
	joint := c.find(joinsThem, head)
	return joint >= 0 && joint < a.from
}

// approvers lists who is to be asked: "requires Finance approval".
func (c *clause) approvers() (list []string) {
	for i, w := range c.words {
		for j := i - 1; consents[w.low] && j >= 0 && !small[c.words[j].low] && !restricts[c.words[j].low]; j-- {
			list = append(list, c.words[j].low)
		}
	}
	return list
}

// grant returns the index of the phrase by which somebody may do something, -1 if there is none.
func (c *clause) grant() int {
	if i := c.find(grants, 0); i >= 0 {
		return i
	}
	for i := range c.words {
		for _, p := range []string{"has my approval to", "is allowed to", "are allowed to", "is authorized to",
			"is authorised to", "are authorized to", "are authorised to"} {
			if n := strings.Count(p, " ") + 1; i+n <= len(c.words) && c.phrase(i, i+n) == p {
				return i
			}
		}
	}
	return -1
}

// command returns the index of the verb that disposes of something: "Give ...", "Go ahead and buy ...", "I'm offering".
func (c *clause) command() (start int, ok bool) {
	i, spoken := 0, false
	for ; i < len(c.words); i++ {
		w := c.words[i]
		switch {
		case w.colon, w.low == "please", w.low == "just", w.low == "now":
		case w.low == "go" && c.phrase(i, min(i+3, len(c.words))) == "go ahead and":
			i += 2
		case speakers[w.low]:
			spoken = true
		case spoken && auxiliaries[w.low]:
		case verbs[w.low], spoken && has(verbList, w.low):
			return i, true
		default:
			return i, false
		}
	}
	return i, false
}

var (
	speakers    = class("i we i'm we're i'll we'll i’m we’re i’ll we’ll")
	auxiliaries = class("am are will have hereby")
	verbList    = func() (list []string) {
		for v := range verbs {
			list = append(list, v)
		}
		return list
	}()
)

var lasts, dues = class("take takes taking need needs last lasts require requires"), class("by before due")

// readTimes reads how long a thing takes, and by when it is to be done.
func (m *Sentence) readTimes(c *clause) {
	for _, a := range c.amounts {
		v := c.find(lasts, 0)
		if a.unit != secondUnit || v < 0 || v >= a.from || a.from-v > 3 {
			continue
		}
		if topic := c.topics(0, v, nil); len(topic) > 0 {
			m.estimates = append(m.estimates, estimate{a, topic})
		}
	}
	i := c.find(dues, 0)
	if i < 0 {
		return
	}
	if d, ok := c.deadline(i + 1); ok {
		m.deadlines = append(m.deadlines, d)
	}
}

// deadline reads the time at a place.
func (c *clause) deadline(i int) (deadline, bool) {
	n := len(c.words)
	d := deadline{topic: c.topics(0, n, nil), thing: c.topics(1, n, nil), by: c.phrase(i, n)}
	for ; i < len(c.words) && small[c.words[i].low]; i++ {
	}
	if i >= len(c.words) || len(d.topic) == 0 {
		return d, false
	}
	w, last := c.words[i].low, ""
	if w == "end" {
		last = c.words[len(c.words)-1].low
	}
	switch {
	case weekdays[w]:
		d.days = func(said time.Time) int { return daysUntil(said, w) }
	case w == "today", w == "tonight", w == "eod", last == "day":
		d.days = func(time.Time) int { return 1 }
	case w == "tomorrow":
		d.days = func(time.Time) int { return 2 }
	case w == "eow", last == "week":
		d.days = func(time.Time) int { return 7 }
	}
	return d, d.days != nil
}

// daysUntil returns how many days the next day of a name is ahead.
func daysUntil(said time.Time, weekday string) int {
	for n := 1; n <= 7; n++ {
		if strings.EqualFold(said.AddDate(0, 0, n).Weekday().String(), weekday) {
			return n
		}
	}
	return 7
}

// secondUnit is the unit of durations.
const secondUnit = "s"

var (
	stopWords = class(`cancelled canceled stopped halted suspended scrapped abandoned revoked withdrawn rejected
		terminated`)
	stopVerbs = class("cancel stop halt suspend scrap abandon pause terminate")
	goVerbs   = class("launch start begin continue resume approve proceed run greenlight")
	goWords   = class("approved greenlit green-lit")
	copulas   = class("is are was were been be")
)

// readCourse reads what is to go on, and what is stopped.
func (m *Sentence) readCourse(c *clause) {
	forGood := !c.any(weekdays) // what stops on a day goes on after it
	if i := c.find(stopWords, 1); i > 0 && copulas[c.words[i-1].low] {
		if forGood {
			m.stops = c.course(m.stops, c.run(0))
		}
		return
	}
	if i := c.find(goWords, 1); i > 0 && copulas[c.words[i-1].low] {
		m.starts = c.course(m.starts, c.run(0))
		return
	}
	i := 0
	for i < len(c.words) && (c.words[i].colon || c.words[i].low == "please") {
		i++
	}
	if i < len(c.words) {
		switch w := c.words[i].low; {
		case stopVerbs[w] && forGood:
			m.stops = c.course(m.stops, c.run(i+1))
		case goVerbs[w]:
			m.starts = c.course(m.starts, c.run(i+1))
		}
	}
}

// course adds a thing that is named: by a name, or in two words.
func (c *clause) course(list [][]string, thing []word) [][]string {
	named := len(thing) > 1
	for i, w := range thing {
		named = named || w.capital && i > 0
	}
	if !named {
		return list
	}
	return append(list, lows(thing))
}

var useVerbs = class("use choose pick adopt deploy order book")

// readUse reads what is to be used: "Use X for ...", "X would be better, use that instead".
func (m *Sentence) readUse(c *clause, all []clause) {
	i := c.find(useVerbs, 0)
	if i < 0 || i+1 >= len(c.words) || c.any(class("if wants maybe perhaps whether could might")) {
		return
	}
	instead := c.any(class("instead"))
	next := c.words[i+1]
	switch {
	case next.low == "that" || next.low == "it" || next.low == "this":
		if first := all[0].words[0]; instead && isName(first) {
			m.uses = append(m.uses, use{c.words[i].low, first.low, true, ""})
		}
	case isName(next) && (i == 0 || instead):
		m.uses = append(m.uses, use{c.words[i].low, next.low, instead, c.insteadOf()})
	}
}

// insteadOf returns the word behind "instead of", "" if there is none.
func (c *clause) insteadOf() string {
	i := c.find(class("instead"), 0)
	if i < 0 || i+2 >= len(c.words) || c.words[i+1].low != "of" {
		return ""
	}
	return c.words[i+2].low
}

// isName reports whether a word has two capitals or more, so that it is a name wherever it stands.
func isName(w word) bool {
	n := 0
	for _, r := range w.text {
		if 'A' <= r && r <= 'Z' {
			n++
		}
	}
	return n > 1
}
