package matter

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"

	"tenure/values"
)

// clause is a part of a sentence between two marks.
type clause struct {
	words   []word
	amounts []amount
	asked   bool
}

// amount is a number with its unit: words from to until.
type amount struct {
	from, until int
	unit, text  string
	n           *big.Rat
}

func (a amount) like(b amount) bool { return a.unit == b.unit }

func (a amount) exceeds(b amount) bool { return a.like(b) && a.n.Cmp(b.n) > 0 }

func (a amount) is(b amount) bool { return a.like(b) && a.n.Cmp(b.n) == 0 }

// The bounds of what is read of a sentence.
const (
	longest     = 1000 // bytes
	mostAmounts = 20   // of a clause
)

var token = regexp.MustCompile(`[$€£]\s?\d+(?:,\d{3})*(?:\.\d+)?(?:(?:k|K|m|M|bn|b|B)\b)?|\d+(?:,\d{3})*(?:\.\d+)?%?|` +
	`[\pL][\pL\pN'’&_-]*|[.,;:!?()\n]`)

// clauses splits a sentence at its marks.
func clauses(s string) []clause {
	var list []clause
	var c clause
	end := func(asked bool) {
		if c.asked = asked; len(c.words) > 0 {
			c.measure()
			list = append(list, c)
		}
		c = clause{}
	}
	for _, t := range token.FindAllString(s[:min(len(s), longest)], -1) {
		switch t {
		case ":":
			if n := len(c.words); n > 0 {
				c.words[n-1].colon = true
			}
		case ".", ",", ";", "!", "?", "(", ")", "\n":
			end(t == "?")
		default:
			first := []rune(t)[0]
			c.words = append(c.words, word{text: t, low: low(t), capital: unicode.IsUpper(first)})
		}
	}
	end(false)
	return list
}

// measure finds the amounts of a clause.
func (c *clause) measure() {
	for i := 0; i < len(c.words) && len(c.amounts) < mostAmounts; i++ {
		for n := min(2, len(c.words)-i); n > 0; n-- {
			if a, ok := amountOf(c.words[i : i+n]); ok {
				a.from, a.until = i, i+n
				c.amounts = append(c.amounts, a)
				for j := i; j < i+n; j++ {
					c.words[j].amount = len(c.amounts)
				}
				i += n - 1
				break
			}
		}
	}
}

// amountOf reads words as an amount with a unit.
func amountOf(list []word) (amount, bool) {
	first := list[0].text
	signed := strings.ContainsAny(first, "$€£%")
	if first[0] < '0' && !signed || first[0] > '9' && !signed && !numbers[list[0].low] || signed && len(list) > 1 {
		return amount{}, false
	}
	s := first
	for _, w := range list[1:] {
		s += " " + w.text
	}
	v := values.Of(s)
	g := v.Grain()
	if g == nil || g.Amount == nil || g.Amount.Low.Cmp(g.Amount.High) != 0 {
		return amount{}, false
	}
	a := amount{unit: g.Amount.Unit, n: g.Amount.Low, text: s}
	if strings.HasSuffix(s, "%") {
		a.unit = "%"
	}
	return a, a.unit != ""
}

var numbers = class("one two three four five six seven eight nine ten eleven twelve")

// before reports whether the words before an amount are of a class, with no more than one other word between.
func (c *clause) before(a amount, of set) bool {
	for i := a.from - 1; i >= max(0, a.from-2); i-- {
		for n := 1; n <= 3 && i-n+1 >= 0; n++ {
			if of[c.phrase(i-n+1, i+1)] {
				return true
			}
		}
	}
	return false
}

func (c *clause) phrase(from, until int) string {
	list := make([]string, until-from)
	for i, w := range c.words[from:until] {
		list[i] = w.low
	}
	return strings.Join(list, " ")
}

// find returns the first word of a class from a place on, -1 if there is none.
func (c *clause) find(of set, from int) int {
	for i := max(from, 0); i < len(c.words); i++ {
		if of[c.words[i].low] {
			return i
		}
	}
	return -1
}

func (c *clause) any(of set) bool { return c.find(of, 0) >= 0 }

// reachBefore and reachAfter bound how many words before and after an amount may say what it is of.
const reachBefore, reachAfter = 6, 3

// about lists the words near an amount that say what it is of.
func (c *clause) about(a amount) (list []string) {
	from := a.until
	if from < len(c.words) && c.words[from].low == "of" {
		from++
	}
	for i := from; i < min(len(c.words), from+reachAfter) && topical(c.words[i]); i++ {
		list = append(list, c.words[i].low)
	}
	for i := a.from - 1; i >= max(0, a.from-reachBefore); i-- {
		if topical(c.words[i]) {
			list = append(list, c.words[i].low)
		}
	}
	return list
}

// topics lists the words between two places that say what a clause is about: not times, and not those of a class.
func (c *clause) topics(from, until int, except set) (list []string) {
	for i := max(from, 0); i < min(until, len(c.words)); i++ {
		if w := c.words[i]; topical(w) && !except[w.low] && !isTime(w.low) {
			list = append(list, w.low)
		}
	}
	return list
}

// when lists the words for the time in which a clause holds.
func (c *clause) when() (list []string) {
	for _, w := range c.words {
		if w.amount == 0 && isTime(w.low) {
			list = append(list, w.low)
		}
	}
	return list
}

// all lists all words of a clause.
func (c *clause) all() []string {
	list := make([]string, len(c.words))
	for i, w := range c.words {
		list[i] = w.low
	}
	return list
}

// run lists the first topical words from an index on, up to the next small word.
func (c *clause) run(from int) (list []word) {
	for i := from; i < len(c.words); i++ {
		w := c.words[i]
		switch {
		case topical(w) && !isTime(w.low):
			list = append(list, w)
		case len(list) > 0 || !small[w.low]:
			return list
		}
	}
	return list
}

func lows(list []word) []string {
	s := make([]string, len(list))
	for i, w := range list {
		s[i] = w.low
	}
	return s
}

var (
	weekdays = class("sunday monday tuesday wednesday thursday friday saturday")
	times    = class(`today tonight tomorrow week weeks month months quarter year years eod eow eom day days january february
		march april june july august september october november december end next weekend noon morning afternoon evening`)
	quarter = regexp.MustCompile(`^(q[1-4]|h[12]|fy\d+|\d+)$`)
)

// isTime reports whether a word is a part of a time.
func isTime(w string) bool { return weekdays[w] || times[w] || quarter.MatchString(w) }
