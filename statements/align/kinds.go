package align

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/text"
	"tenure/values"
)

// group is the coarse kind of a value, compared before its text: values of different groups are not of one property.
type group int

const (
	anything group = iota
	groupName
	groupText
	groupNumber
	groupMoney
	groupQuantity
	groupDate
	groupClock
	groupMoment // a date with a time
	groupContact
	groupTruth
	groupCode // letters and digits
)

var groups = map[string]group{
	string(values.Number): groupNumber, string(values.Money): groupMoney, string(values.Quantity): groupQuantity,
	string(values.Range): groupQuantity, string(values.Date): groupDate, string(values.Time): groupClock, string(values.Instant): groupMoment,
	string(values.Moment): groupMoment, string(values.Boolean): groupTruth, string(values.Phone): groupContact, string(values.Email): groupContact,
	string(values.URL): groupContact, string(values.Text): groupText, "name": groupName, "person": groupName, "place": groupName,
	"organization": groupName, "weekday": groupDate, "code": groupCode, "product": groupName, "percentage": groupNumber, "duration": groupQuantity,
}

var types = map[tenure.ValueType]group{
	"number": groupNumber, "percentage": groupNumber, "money": groupMoney, "quantity": groupQuantity, "duration": groupQuantity, "date": groupDate,
	"time": groupClock, "datetime": groupMoment, "boolean": groupTruth, "phone": groupContact, "email": groupContact, "url": groupContact,
	"entity": groupName,
}

var dayWords = wordSet(`monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight weekend
	january february march april may june july august september october november december
	montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo
	lundi mardi mercredi jeudi vendredi samedi dimanche`)

var periods = wordSet(`week weekend month quarter year woche monat quartal jahr semaine mois trimestre année semana mes
	año`)

var clockWords = wordSet("noon midnight oclock am pm uhr mittag mitternacht mediodía midi minuit")

// groupOf returns what a value looks like: by its kind if the kind says it, else by its words.
func groupOf(kind string, value worded) group {
	g := groups[kind]
	if value.text == "" {
		return g
	}
	if g == groupQuantity && !measured(value.text) {
		g = groupText
	}
	if g != anything && !g.words() {
		return g
	}
	own := groups[string(value.kind)]
	if own != groupText && (own != groupQuantity || g == anything && measured(value.text)) {
		return own
	}
	return worn(g, value)
}

// worn returns the group of a value that consists of words.
func worn(g group, value worded) group {
	switch {
	case slices.ContainsFunc(value.words, func(w string) bool { return dayWords[w] }):
		return groupDate
	case len(value.words) == 2 && nearby[value.words[0]] && periods[value.words[1]]:
		return groupDate
	case slices.ContainsFunc(value.words, func(w string) bool { return clockWords[w] }):
		return groupClock
	case g == groupCode || g == groupName:
		return g
	case value.capitals && g == anything:
		return groupName
	}
	return groupText
}

// words reports whether values of a group are words.
func (g group) words() bool { return g == groupName || g == groupText || g == groupCode }

// amount reports whether values of a group are numbers, perhaps with a unit.
func (g group) amount() bool { return g == groupNumber || g == groupQuantity }

// day reports whether values of a group are of the calendar or the clock.
func (g group) day() bool { return g == groupDate || g == groupClock || g == groupMoment }

// measured reports whether a text with a number is an amount rather than a name that begins with one, as
// "18 Tamarack Lane" and "Ten seeds for a small sill" are.
func measured(s string) bool {
	list := strings.Fields(s)
	for _, w := range list[min(1, len(list)):] {
		first, size := utf8.DecodeRuneInString(w)
		if unicode.IsUpper(first) && len(w) > size+2 {
			return false
		}
	}
	return len(list) < 5
}

// isTitle reports whether a word stands before the names of persons, and before nothing else.
func isTitle(w string) bool { return w == "m" || text.IsHonorific(w) }

// worded is a value with what is compared of it.
type worded struct {
	text      string
	words     []string
	kind      values.Kind
	canonical string
	shape     string
	titled    bool // it begins with a title
	digits    bool // it has digits
	number    bool // it has nothing else
	capitals  bool // every word begins with a capital
	makeup
}

// unnoted is a value without a note in brackets at its end: "$100,000 (approved in May)".
func unnoted(s string) string {
	head, note, ok := strings.Cut(s, " (")
	if head = strings.TrimSpace(head); !ok || head == "" || strings.Index(note, ")") != len(note)-1 {
		return s
	}
	return head
}

func newWorded(s string) worded {
	if s == "" {
		return worded{makeup: noMakeup}
	}
	head := unnoted(s)
	v := values.Of(head)
	w := worded{makeup: makeupOf(s), text: s, words: valueWords(head), kind: v.Kind, canonical: v.Canonical(),
		shape:  shape(text.Fold(head)),
		digits: strings.ContainsFunc(head, unicode.IsDigit), number: text.AllDigits(head), capitals: capitals(head)}
	w.titled = len(w.words) > 1 && isTitle(w.words[0])
	return w
}

func wordedOf(list []string) []worded {
	all := make([]worded, len(list))
	for i, v := range list {
		all[i] = newWorded(v)
	}
	return all
}

// shape is the form of a text: letters, digits and what stands between them, runs cut to one, as "a0.0" of "v2.3".
func shape(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range s {
		c := r
		switch {
		case unicode.IsDigit(r):
			c = '0'
		case unicode.IsLetter(r):
			c = 'a'
		case unicode.IsSpace(r):
			c = ' '
		}
		if c != last || c != 'a' && c != '0' && c != ' ' {
			b.WriteRune(c)
		}
		last = c
	}
	return b.String()
}

// alike returns how much two values look like two of one property, beyond their groups: 0 to 1.
func (w worded) alike(v worded) float64 {
	same := 0
	for _, x := range w.words {
		if hasForm(v.words, x) {
			same++
		}
	}
	switch {
	case w.titled && v.titled, same > 0 && same < max(len(w.words), len(v.words)):
		return 1
	case w.number && v.number:
		if len(w.text) == len(v.text) && len(w.text) > 2 {
			return 0.5
		}
	case w.digits && w.shape == v.shape:
		return 1
	case w.capitals && v.capitals:
		return 0.3
	}
	return 0
}

// capitals reports whether every word of a text begins with a capital.
func capitals(s string) bool {
	small := slices.ContainsFunc(text.Words(s), func(w text.Span) bool {
		first, _ := utf8.DecodeRuneInString(s[w.From:w.Until])
		return !unicode.IsUpper(first)
	})
	return s != "" && !small
}

// fit is how well a value of a clause would do as a value of a slot: below 0 where it cannot be one.
func fit(c *candidate, g group, v worded) float64 {
	if v.text == "" || g == anything || len(c.groups) == 0 {
		return 0
	}
	best := -10.0
	for i, have := range c.groups {
		w := pairScore(g, have)
		if i < len(c.held) && w > fitNever/2 {
			a := v.alike(c.held[i])
			w += fitAlike * a
			if a == 0 && v.digits != c.held[i].digits || len(v.words) > 2*len(c.held[i].words)+2 {
				w += fitUnlike
			}
		}
		best = max(best, w)
	}
	switch {
	case !v.titled:
	case c.of.person:
		best += fitPerson
	case !slices.ContainsFunc(c.held, func(h worded) bool { return h.titled }):
		best += fitUnlike
	}
	return best
}

// pairScore is how well a value of a group would do in the place of one of another.
func pairScore(g, have group) float64 {
	switch {
	case have == anything:
		return 0
	case g.words() && have.words():
		return wordsScore(g, have)
	case g == have:
		return fitSame
	case g == groupCode && have.amount(), have == groupCode && g.amount():
		return 0
	case saidFor(g, have), g == groupQuantity && have == groupNumber:
		return fitBare
	case have.words() && g.amount(), g == groupText && (have == groupDate || have == groupNumber):
		return fitDoubtful
	}
	return fitNever
}

// saidFor reports whether values of a group are said for values of another: "38" for money, a day for a day and a time.
func saidFor(g, have group) bool {
	if g == groupNumber {
		return have == groupMoney || have == groupQuantity || have == groupClock
	}
	return g.day() && have.day() && (g == groupMoment || have == groupMoment)
}

func wordsScore(g, have group) float64 {
	switch {
	case g == groupName && have == groupName:
		return fitNames
	case g == groupText && have == groupName:
		return fitUnnamed
	}
	return fitWordy
}

// same reports whether two texts are one value, or one is the other by fewer words: "Tomasz" and "Tomasz Wilk".
func (w worded) same(v worded) bool {
	switch {
	case w.text == "" || v.text == "":
		return false
	case w.kind == v.kind && w.canonical == v.canonical:
		return true
	case w.kind != values.Text && w.kind != v.kind:
		return false
	}
	return allIn(w.words, v.words) || allIn(v.words, w.words)
}

// likeAny reports whether a value has the form of one of a list, beyond what any two have.
func (w worded) likeAny(list []worded) bool {
	return slices.ContainsFunc(list, func(v worded) bool { return w.alike(v) > 0.5 })
}

func (w worded) in(list []worded) bool { return slices.ContainsFunc(list, w.same) }

// allIn reports whether a list has all words of another.
func allIn(list, of []string) bool {
	for _, w := range list {
		if !containsWord(of, w) {
			return false
		}
	}
	return len(list) > 0
}

func containsWord(list []string, w string) bool {
	for _, x := range list {
		if x == w {
			return true
		}
	}
	return false
}
