package statements

import (
	"slices"
	"strings"
	"unicode"

	"tenure/ner"
	"tenure/values"
)

// The kinds of a value that package values does not know.
const (
	kindName    = "name"
	kindCode    = "code"
	kindWeekday = "weekday"
	kindText    = "text"
)

// value is a value that a clause names: tokens lo to hi, hi exclusive.
type value struct {
	lo, hi int
	kind   string
	// unit is where the noun that is counted ends, as in "24 machines"; it is no part of the value.
	unit int
}

// KindOf returns what a value looks like: a kind of package values, or "weekday", "code", "name" or "text".
func KindOf(text string) string {
	v := values.Of(text)
	if v.Kind != values.Text && v.Kind != values.JSON {
		return string(v.Kind)
	}
	tokens := lexed(text)
	for _, name := range languages {
		lexicons[name].mark(tokens)
	}
	names := 0
	for _, t := range tokens {
		if t.capital {
			names++
		}
	}
	switch {
	case len(tokens) == 0:
		return kindText
	case len(tokens) == 1 && tokens[0].is(weekday):
		return kindWeekday
	case len(tokens) == 1 && isCode(text):
		return kindCode
	case names > 0 && names*2 >= len(tokens):
		return kindName
	}
	return kindText
}

// isCode reports whether a word has both letters and digits, as a code has.
func isCode(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter) && !strings.Contains(s, " ")
}

// valuesIn returns the typed values and names among tokens lo to hi, in their order, none overlapping another.
func (c *clause) valuesIn(lo, hi int, mentions []ner.Mention) []value {
	var list []value
	for i := lo; i < hi; {
		v, ok := c.valueAt(i, hi, mentions)
		if !ok {
			i++
			continue
		}
		if n := len(list); n > 0 && v.lo < list[n-1].hi {
			v.lo = list[n-1].hi
		}
		list = append(list, v)
		i = max(v.hi, v.unit)
	}
	return list
}

// valueAt reads the value that begins at i.
func (c *clause) valueAt(i, hi int, mentions []ner.Mention) (value, bool) {
	t := c.tokens[i]
	switch {
	case t.kind == quoted:
		return value{i, i + 1, kindText, 0}, true
	case t.kind == number && t.low == "", t.kind == emoji:
		return value{}, false
	case c.isAddress(i):
		return value{i, i + 1, string(values.Of(t.low).Kind), 0}, true
	case t.kind == number && i+1 < hi && c.isStreet(i, hi):
		return value{i, c.endOfStreet(i, hi), kindName, 0}, true
	case t.kind == number, isSign(t.low) && i+1 < hi && c.tokens[i+1].kind == number:
		return c.numberAt(i, hi), true
	case t.is(weekday|month) && !c.isPlainWord(i):
		if v, ok := c.dateAt(i, hi); ok {
			return v, true
		}
	case t.is(relativeDay):
		return value{}, false
	case t.is(ordinalWord) && c.ordinalDate(i, hi):
		v, ok := c.dateAt(i, hi)
		return v, ok
	case t.is(numberWord) && !c.isPlainNumber(i, hi):
		return c.numberAt(i, hi), true
	case t.low == "noon" || t.low == "midnight":
		return value{i, i + 1, string(values.Time), 0}, true
	}
	if isCode(t.low) && t.kind == word {
		return value{i, i + 1, kindCode, 0}, true
	}
	if t.is(unitNoun) && i+1 < hi && c.isLabel(i+1) && (i == 0 || !c.tokens[i-1].is(numberWord) && c.tokens[i-1].kind != number) {
		return value{i, i + 2, kindName, 0}, true
	}
	return c.nameAt(i, hi, mentions)
}

// isStreet reports whether a number begins an address: "14 Harbour Lane".
func (c *clause) isStreet(i, hi int) bool {
	next := c.tokens[i+1]
	switch next.low {
	case "rue", "place", "avenue", "boulevard", "allée", "chemin", "impasse", "bis":
		return c.lex.language == "fr"
	}
	return i+2 < hi && next.capital && c.tokens[i+2].capital && !next.is(month|weekday|unit) && len(c.tokens[i].low) <= 4 &&
		isDigitsOnly(c.tokens[i].low)
}

// endOfStreet returns where an address ends whose number is at i.
func (c *clause) endOfStreet(i, hi int) int {
	j := i + 2
	for j < hi && c.tokens[j].kind == word && (c.tokens[j].capital || c.tokens[j].is(det|prep) && j+1 < hi && c.tokens[j+1].capital &&
		c.lex.language != "en" && !c.tokens[j].is(from)) {
		j++
	}
	return j
}

func isDigitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

// isAddress reports whether a token is an e-mail address, a host or a URL.
func (c *clause) isAddress(i int) bool {
	t := c.tokens[i]
	if t.kind != word || !strings.ContainsAny(t.low, "@./") {
		return false
	}
	k := values.Of(t.low).Kind
	return k == values.Email || k == values.URL
}

// isPlainWord reports whether a month or weekday is another word here: "may", "march", "sun", "sat".
func (c *clause) isPlainWord(i int) bool {
	t := c.tokens[i]
	switch t.low {
	case "may", "march", "sun", "sat", "mar", "wed", "mon", "dec", "sec", "mars", "martes":
		near := i > 0 && (c.tokens[i-1].kind == number || c.tokens[i-1].is(ordinalWord) || c.tokens[i-1].is(prep) || c.tokens[i-1].low == "next") ||
			i+1 < len(c.tokens) && (c.tokens[i+1].kind == number || c.tokens[i+1].is(month))
		return !near && !(t.capital && i > 0 && t.low != "may")
	}
	return false
}

func (c *clause) ordinalDate(i, hi int) bool {
	for j := i + 1; j < hi && j < i+4; j++ {
		if c.tokens[j].is(month) {
			return true
		}
		if !c.tokens[j].is(ordinalWord) && c.tokens[j].low != "of" {
			return false
		}
	}
	return false
}

// isPlainNumber reports whether a number word is none here: "one of us", "the two of them", "no one".
func (c *clause) isPlainNumber(i, hi int) bool {
	switch low := c.tokens[i].low; low {
	case "one", "un", "une", "uno", "oh", "point", "half", "double", "triple", "media", "coma", "komma", "virgule", "demi":
		return i+1 >= hi || !c.tokens[i+1].is(numberWord|unit) || low == "point" || low == "coma" || low == "oh"
	}
	return false
}

// isLabel reports whether a token is the second part of a name such as "room 204" or "gate B".
func (c *clause) isLabel(i int) bool {
	t := c.tokens[i]
	if t.kind == number {
		return i+1 >= len(c.tokens) || !c.tokens[i+1].is(unit) || c.tokens[i+1].is(month)
	}
	if t.is(numberWord) {
		return i > 0 && c.tokens[i-1].end+1 == t.start
	}
	return t.kind == word && (len(t.low) == 1 && t.low != "a" && t.low != "i" && t.low != "y" && t.low != "à" && t.low != "e" && t.low != "o" ||
		isCode(t.low))
}

// numberAt reads the number, amount, time, date or range that begins at i.
func (c *clause) numberAt(i, hi int) value {
	if v, ok := c.dateAt(i, hi); ok && v.hi > i+1 && c.tokens[i].kind == number {
		return v
	}
	j := i + 1
	for j < hi && j-i < 8 && c.continues(i, j) {
		j++
	}
	if j == i+1 && isDigitsOnly(c.tokens[i].low) && c.tokens[i].low[0] != '0' {
		return c.counted(value{i, j, string(values.Number), 0}, hi)
	}
	for k := j; k > i; k-- {
		v := values.Of(c.between(i, k))
		if v.Kind == values.Text || v.Kind == values.JSON || v.Kind == values.None {
			continue
		}
		if v.Kind == values.Quantity && k-i > 1 && !c.hasUnit(i, k) {
			continue
		}
		if k == i+1 && c.isHour(i) {
			return value{i, k, string(values.Time), 0}
		}
		return c.counted(value{i, k, string(v.Kind), 0}, hi)
	}
	if j > i+1 && c.tokens[i].is(numberWord) { // digits read out: "five one five eight"
		k := i
		for k < j && c.tokens[k].is(numberWord) {
			k++
		}
		return value{i, max(k, i+1), string(values.Number), 0}
	}
	if v, ok := c.dateAt(i, hi); ok && v.hi > i+1 {
		return v
	}
	kind := string(values.Of(c.tokens[i].low).Kind)
	switch {
	case isOrdinal(c.tokens[i].low):
		kind = string(values.Date)
	case kind == kindText:
		kind = kindCode
	}
	return c.counted(value{i, i + 1, kind, 0}, hi)
}

// continues reports whether the token at j may be part of the amount that begins at i.
func (c *clause) continues(i, j int) bool {
	t, before := c.tokens[j], c.tokens[j-1]
	switch {
	case t.low == "%" || t.is(unit|month|numberWord):
		return true
	case t.is(ordinalWord):
		return before.is(numberWord)
	case t.kind == number:
		return isSign(before.low) || before.is(month) || before.low == "," && j > 1 && c.tokens[j-2].is(month) ||
			before.low == "to" || before.low == "bis" || before.low == "-" || before.low == "–" || before.low == "and" && before.is(conj)
	case t.kind == punct:
		return (t.low == "€" || t.low == "£" || t.low == "$") || (t.low == "-" || t.low == "–" || t.low == "/") && before.end == t.start
	}
	switch t.low {
	case "per", "of", "past", "an", "a", "each", "o'clock", "and", "to", "bis", "half", "quarter", "pro", "par", "por", "de":
		return j+1 < len(c.tokens) && (c.tokens[j+1].is(unit|month|numberWord) || c.tokens[j+1].kind == number) || t.low == "each"
	case "requests", "users", "people":
		return j+1 < len(c.tokens) && c.tokens[j+1].low == "per"
	}
	return false
}

// hasUnit reports whether tokens i to k have a unit of measure.
func (c *clause) hasUnit(i, k int) bool {
	for _, t := range c.tokens[i:k] {
		if t.is(unit) || t.low == "%" {
			return true
		}
	}
	return false
}

// counted adds the noun that a plain number counts.
func (c *clause) counted(v value, hi int) value {
	if v.kind == string(values.Number) && v.hi < hi {
		t := c.tokens[v.hi]
		if t.kind == word && isOpen(t) && !t.is(adverb|verb|moves) {
			v.unit = v.hi + 1
		}
	}
	return v
}

// dateAt reads a date in words: a weekday, a day and a month.
func (c *clause) dateAt(i, hi int) (value, bool) {
	j, dated := i, false
	for j < hi && j-i < 8 {
		t := c.tokens[j]
		switch {
		case t.is(weekday|month) && !(j > i && c.tokens[j-1].is(weekday) && t.is(weekday)):
			dated = true
		case t.is(ordinalWord), t.is(numberWord) && j+1 < hi && c.tokens[j+1].is(ordinalWord):
		case t.kind == number && isDayOrYear(t.low):
		case (t.low == "the" || t.low == "of" || t.low == "," || t.low == "den" || t.low == "le" || t.low == "el" || t.low == "de" || t.low == ".") &&
			j > i && j+1 < hi && (c.tokens[j+1].kind == number && isDayOrYear(c.tokens[j+1].low) || c.tokens[j+1].is(ordinalWord|month) ||
			c.tokens[j+1].is(numberWord) && j+2 < hi && c.tokens[j+2].is(ordinalWord)):
		default:
			goto done
		}
		j++
	}
done:
	if !dated {
		return value{}, false
	}
	kind := string(values.Date)
	if j == i+1 && c.tokens[i].is(weekday) {
		kind = kindWeekday
	}
	return value{i, j, kind, 0}, true
}

// isDayOrYear reports whether digits may be the day of a month or a year: "28th", "5", "2026".
func isDayOrYear(s string) bool {
	s = strings.TrimRight(s, "sthndr.")
	if len(s) == 4 {
		return s[0] == '1' || s[0] == '2'
	}
	return len(s) <= 2 && s <= "31" || len(s) == 1
}

// nameAt reads the name that begins at i: a mention, or capitalised words.
func (c *clause) nameAt(i, hi int, mentions []ner.Mention) (value, bool) {
	t := c.tokens[i]
	n, found := slices.BinarySearchFunc(mentions, t.start, func(m ner.Mention, at int) int { return m.Start - at })
	if found && mentions[n].Type != ner.Role {
		m := mentions[n]
		j := i
		for j < hi && c.tokens[j].end <= m.End {
			j++
		}
		if j > i {
			return value{i, c.numbered(j, hi), kindName, 0}, true
		}
	}
	if !t.capital || t.kind != word || t.class&(functionWord|weekday|month) != 0 && len(t.low) < 4 {
		return value{}, false
	}
	j := i
	for j < hi && c.tokens[j].capital && c.tokens[j].kind == word && (j == i || c.tokens[j].class&(pronoun) == 0) {
		j++
		if j+1 < hi && (c.tokens[j].low == "&" || c.tokens[j].low == "of" || c.tokens[j].low == "and" && j-i == 1 && false) && c.tokens[j+1].capital {
			j++
		}
		if j+1 < hi && c.tokens[j].low == "." && c.tokens[j].start == c.tokens[j-1].end && c.tokens[j+1].capital {
			j++
		}
	}
	if j == i+1 && i == 0 && (t.class != 0 || c.lex.language == "de") && t.class&unitNoun == 0 {
		return value{}, false
	}
	return value{i, c.numbered(j, hi), kindName, 0}, true
}

// numbered extends a name that ends at j by the number after it: "Node 22", "Debian 11".
func (c *clause) numbered(j, hi int) int {
	if j+1 < hi && isOpen(c.tokens[j+1]) && !c.tokens[j+1].capital && !c.tokens[j+1].is(verb|adverb) {
		return j
	}
	if j < hi && c.tokens[j].kind == number && (j+1 >= len(c.tokens) || !c.tokens[j+1].is(unit|month)) &&
		c.tokens[j].start == c.tokens[j-1].end+1 && !strings.ContainsAny(c.tokens[j].low, ":") {
		return j + 1
	}
	return j
}

// between returns the text of tokens i to k, without the fillers that were left out.
func (c *clause) between(i, k int) string {
	var b strings.Builder
	for n := i; n < k; n++ {
		t := c.tokens[n]
		if n > i && c.tokens[n-1].end < t.start {
			b.WriteByte(' ')
		}
		b.WriteString(c.text[t.start:t.end])
	}
	return b.String()
}

// isHour reports whether a token is a time as it is written outside English: "14h", "14h30".
func (c *clause) isHour(i int) bool {
	hour, minutes, ok := strings.Cut(c.tokens[i].low, "h")
	return ok && c.lex.language != "en" && len(hour) <= 2 && len(minutes) <= 2 && isDigitsOnly(hour+minutes)
}

// isOrdinal reports whether a token is a day of a month in digits: "9th".
func isOrdinal(s string) bool {
	n := strings.TrimRight(s, "stndrh")
	return n != s && len(n) <= 2 && isDigitsOnly(n) && isDayOrYear(s)
}
