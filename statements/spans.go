package statements

import (
	"slices"
	"strings"
	"unicode"

	"tenure/ner"
	"tenure/statements/lex"
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
	tokens := lex.Tokens(text)
	lex.MarkAll(tokens)
	names := 0
	for _, t := range tokens {
		if t.Capital {
			names++
		}
	}
	switch {
	case len(tokens) == 0:
		return kindText
	case len(tokens) == 1 && tokens[0].Is(lex.Weekday):
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
	return strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter) &&
		!strings.Contains(s, " ")
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

var noons = lex.Words("noon")

// valueAt reads the value that begins at i.
func (c *clause) valueAt(i, hi int, mentions []ner.Mention) (value, bool) {
	t := c.tokens[i]
	switch {
	case t.Kind == lex.Quoted:
		return value{i, i + 1, kindText, 0}, true
	case t.Kind == lex.Emoji, t.Is(lex.RelativeDay):
		return value{}, false
	case t.Kind == lex.Number, isSign(t.Low) && i+1 < hi && c.tokens[i+1].Kind == lex.Number:
		return c.numeric(i, hi)
	case t.Kind != lex.Word:
		return value{}, false
	case c.isAddress(i):
		return value{i, i + 1, string(values.Of(t.Low).Kind), 0}, true
	}
	if v, ok := c.dateOrNumber(i, hi); ok {
		return v, true
	}
	if isCode(t.Low) {
		return value{i, i + 1, kindCode, 0}, true
	}
	before := lex.At(c.tokens, i-1)
	if t.Is(lex.UnitNoun) && i+1 < hi && c.isLabel(i+1) && !before.Is(lex.NumberWord) && before.Kind != lex.Number {
		return value{i, i + 2, kindName, 0}, true
	}
	return c.nameAt(i, hi, mentions)
}

// numeric reads what begins with digits: an address, or a number, amount, date or time.
func (c *clause) numeric(i, hi int) (value, bool) {
	switch {
	case c.tokens[i].Low == "": // too long for a number
		return value{}, false
	case i+1 < hi && c.isStreet(i, hi):
		return value{i, c.endOfStreet(i, hi), kindName, 0}, true
	}
	return c.numberAt(i, hi), true
}

// dateOrNumber reads a date, a time or a number in words.
func (c *clause) dateOrNumber(i, hi int) (value, bool) {
	t := c.tokens[i]
	switch {
	case t.Is(lex.Weekday|lex.Month) && !c.isPlainWord(i), t.Is(lex.OrdinalWord) && c.ordinalDate(i, hi):
		if v, ok := c.dateAt(i, hi); ok {
			return v, true
		}
	case t.Is(lex.NumberWord) && !c.isPlainNumber(i, hi):
		return c.numberAt(i, hi), true
	case noons[t.Low]:
		return value{i, i + 1, string(values.Time), 0}, true
	}
	return value{}, false
}

// isAddress reports whether a token is an e-mail address, a host or a URL.
func (c *clause) isAddress(i int) bool {
	low := c.tokens[i].Low
	if !strings.ContainsAny(low, "@./") {
		return false
	}
	k := values.Of(low).Kind
	return k == values.Email || k == values.URL
}

var streets = lex.Words("street")

// isStreet reports whether a number begins an address: "14 Harbour Lane".
func (c *clause) isStreet(i, hi int) bool {
	next := c.tokens[i+1]
	if streets[next.Low] {
		return c.language == "fr"
	}
	low := c.tokens[i].Low
	return i+2 < hi && next.Capital && c.tokens[i+2].Capital && !next.Is(lex.Month|lex.Weekday|lex.Unit) &&
		len(low) <= 4 && isDigitsOnly(low)
}

// endOfStreet returns where an address ends whose number is at i.
func (c *clause) endOfStreet(i, hi int) int {
	j := i + 2
	for j < hi && c.tokens[j].Kind == lex.Word && (c.tokens[j].Capital || c.joinsStreet(j, hi)) {
		j++
	}
	return j
}

// joinsStreet reports whether a small word belongs to the name of a street: "place du Marché".
func (c *clause) joinsStreet(j, hi int) bool {
	return c.language != "en" && c.tokens[j].Is(lex.Det|lex.Prep) && !c.tokens[j].Is(lex.From) && j+1 < hi && c.tokens[j+1].Capital
}

func isDigitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

var (
	monthsOrWords, noNumbers = lex.Words("month or word"), lex.Words("no number")
	joinsNumbers, notLabels  = lex.Words("joins number"), lex.Words("not labels")
)

// isPlainWord reports whether a month or weekday is another word here: "may", "march", "sun", "sat".
func (c *clause) isPlainWord(i int) bool {
	t, before, next := c.tokens[i], lex.At(c.tokens, i-1), lex.At(c.tokens, i+1)
	if !monthsOrWords[t.Low] {
		return false
	}
	dated := before.Kind == lex.Number || before.Is(lex.OrdinalWord|lex.Prep) || before.Low == "next" ||
		next.Kind == lex.Number || next.Is(lex.Month)
	named := t.Capital && i > 0 && t.Low != "may"
	return !dated && !named
}

// ordinalDate reports whether an ordinal is the day of a month: "twenty first of May".
func (c *clause) ordinalDate(i, hi int) bool {
	for j := i + 1; j < hi && j < i+4; j++ {
		if c.tokens[j].Is(lex.Month) {
			return true
		}
		if !c.tokens[j].Is(lex.OrdinalWord) && c.tokens[j].Low != "of" {
			return false
		}
	}
	return false
}

// isPlainNumber reports whether a number word is none here: "one of us", "the two of them", "no one".
func (c *clause) isPlainNumber(i, hi int) bool {
	low := c.tokens[i].Low
	counts := i+1 < hi && c.tokens[i+1].Is(lex.NumberWord|lex.Unit)
	return joinsNumbers[low] || noNumbers[low] && !counts
}

// isLabel reports whether a token is the second part of a name such as "room 204" or "gate B".
func (c *clause) isLabel(i int) bool {
	t, next := c.tokens[i], lex.At(c.tokens, i+1)
	switch {
	case t.Kind == lex.Number:
		return !next.Is(lex.Unit) || next.Is(lex.Month)
	case t.Is(lex.NumberWord):
		return i > 0 && c.tokens[i-1].End+1 == t.Start
	}
	return t.Kind == lex.Word && (len(t.Low) == 1 && !notLabels[t.Low] || isCode(t.Low))
}

// numberAt reads the number, amount, time, date or range that begins at i.
func (c *clause) numberAt(i, hi int) value {
	if v, ok := c.dateAt(i, hi); ok && v.hi > i+1 && c.tokens[i].Kind == lex.Number {
		return v
	}
	j := i + 1
	for j < hi && j-i < 8 && (c.continues(j) || c.isDialled(i, j)) {
		j++
	}
	low := c.tokens[i].Low
	if j == i+1 && isDigitsOnly(low) && low[0] != '0' {
		return c.counted(value{i, j, string(values.Number), 0}, hi)
	}
	if v, ok := c.longest(i, j); ok {
		return c.counted(v, hi)
	}
	if k := c.endOfDigits(i, j); k > i+1 { // read out: "five one five eight"
		return value{i, k, string(values.Number), 0}
	}
	if v, ok := c.dateAt(i, hi); ok && v.hi > i+1 {
		return v
	}
	return c.counted(value{i, i + 1, kindOfNumber(low), 0}, hi)
}

// longest reads the longest value of tokens i to at most j.
func (c *clause) longest(i, j int) (value, bool) {
	for k := j; k > i; k-- {
		v := values.Of(c.between(i, k))
		switch {
		case v.Kind == values.Text, v.Kind == values.JSON, v.Kind == values.None:
		case k > i+1 && c.tokens[k-1].Is(lex.Prep|lex.Det): // "2 pm to"
		case v.Kind == values.Range && c.movesFrom(i):
		case v.Kind == values.Quantity && k-i > 1 && !c.hasUnit(i, k):
		case k == i+1 && c.isHour(i):
			return value{i, k, string(values.Time), 0}, true
		default:
			return value{i, k, string(v.Kind), 0}, true
		}
	}
	return value{}, false
}

// movesFrom reports whether what begins at i is what something moved from: "the hearing moved from 2 pm to 6 pm".
func (c *clause) movesFrom(i int) bool {
	return froms[lex.At(c.tokens, i-1).Low] &&
		slices.ContainsFunc(c.tokens, func(t lex.Token) bool { return t.Is(lex.Moves) })
}

// endOfDigits returns where number words end that begin at i.
func (c *clause) endOfDigits(i, j int) int {
	for i < j && c.tokens[i].Is(lex.NumberWord) {
		i++
	}
	return i
}

// kindOfNumber is what digits look like that package values reads as text.
func kindOfNumber(low string) string {
	kind := string(values.Of(low).Kind)
	switch {
	case isOrdinal(low):
		return string(values.Date)
	case kind == kindText:
		return kindCode
	}
	return kind
}

var amountJoints, rangeJoints, dateJoints = lex.Words("amount joint"), lex.Words("range joint"), lex.Words("date joint")

// money are the signs that stand behind an amount.
var money = lex.Set{"€": true, "£": true, "$": true}

// continues reports whether the token at j may be part of the amount that begins before it.
func (c *clause) continues(j int) bool {
	t, before, next := c.tokens[j], c.tokens[j-1], lex.At(c.tokens, j+1)
	switch {
	case t.Low == "%", t.Low == "each", t.Is(lex.Unit | lex.Month | lex.NumberWord):
		return true
	case t.Is(lex.OrdinalWord):
		return before.Is(lex.NumberWord)
	case joinsNumbers[t.Low]:
		return next.Is(lex.NumberWord)
	case t.Kind == lex.Number:
		return isSign(before.Low) || before.Is(lex.Month) || rangeJoints[before.Low]
	case t.Kind == lex.Punct:
		return money[t.Low] || before.End == t.Start && (rangeJoints[t.Low] || t.Low == "/")
	case amountJoints[t.Low]:
		return next.Is(lex.Unit|lex.Month|lex.NumberWord) || next.Kind == lex.Number
	}
	return next.Low == "per" && t.Is(lex.Noun|lex.Attribute|lex.Verb) // "100 requests per minute"
}

// isDialled reports whether the number at j is a part of a telephone number that begins at i.
func (c *clause) isDialled(i, j int) bool {
	return c.tokens[j].Kind == lex.Number && c.tokens[j-1].Kind == lex.Number &&
		strings.ContainsAny(c.tokens[i].Low[:1], "+0")
}

// hasUnit reports whether tokens i to k have a unit of measure.
func (c *clause) hasUnit(i, k int) bool {
	for _, t := range c.tokens[i:k] {
		if t.Is(lex.Unit) || t.Low == "%" || t.Low == "per" {
			return true
		}
	}
	return false
}

// counted adds the noun that a plain number counts.
func (c *clause) counted(v value, hi int) value {
	if v.kind == string(values.Number) && v.hi < hi {
		if t := c.tokens[v.hi]; c.counts(v.hi, hi) && !t.Is(lex.Adverb|lex.Moves) {
			v.unit = v.hi + 1
		}
	}
	return v
}

// dateAt reads a date in words: a weekday, a day and a month.
func (c *clause) dateAt(i, hi int) (value, bool) {
	j, dated := i, false
	for ; j < hi && j-i < 8 && c.isOfDate(i, j, hi); j++ {
		dated = dated || c.tokens[j].Is(lex.Weekday|lex.Month)
	}
	if !dated {
		return value{}, false
	}
	kind := string(values.Date)
	if j == i+1 && c.tokens[i].Is(lex.Weekday) {
		kind = kindWeekday
	}
	return value{i, j, kind, 0}, true
}

// isOfDate reports whether the token at j belongs to the date in words that begins at i.
func (c *clause) isOfDate(i, j, hi int) bool {
	t := c.tokens[j]
	switch {
	case t.Is(lex.Weekday):
		return j == i || !c.tokens[j-1].Is(lex.Weekday)
	case t.Is(lex.Month | lex.OrdinalWord), t.Is(lex.NumberWord) && j+1 < hi && c.tokens[j+1].Is(lex.OrdinalWord):
		return true
	case t.Kind == lex.Number:
		return isDayOrYear(t.Low)
	case !dateJoints[t.Low] || j == i || j+1 >= hi:
		return false
	}
	next := c.tokens[j+1]
	return next.Kind == lex.Number && isDayOrYear(next.Low) || next.Is(lex.OrdinalWord|lex.Month) ||
		next.Is(lex.NumberWord) && lex.At(c.tokens, j+2).Is(lex.OrdinalWord)
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
	if j := c.mentioned(i, hi, mentions); j > i {
		return value{i, c.numbered(j, hi), kindName, 0}, true
	}
	t := c.tokens[i]
	if !t.Capital || t.Kind != lex.Word || t.Is(lex.FunctionWord|lex.Weekday|lex.Month) && len(t.Low) < 4 {
		return value{}, false
	}
	j := c.afterJoint(i+1, hi)
	for j < hi && c.tokens[j].Capital && c.tokens[j].Kind == lex.Word && !c.tokens[j].Is(lex.Pronoun) {
		j = c.afterJoint(j+1, hi)
	}
	if j == i+1 && c.isAnyhowCapital(i) {
		return value{}, false
	}
	return value{i, c.numbered(j, hi), kindName, 0}, true
}

// isAnyhowCapital reports whether a capital tells nothing: a sentence begins with one, and so do all German nouns.
func (c *clause) isAnyhowCapital(i int) bool {
	t := c.tokens[i]
	return i == 0 && (t.Class != 0 || c.language == "de") && !t.Is(lex.UnitNoun)
}

// mentioned returns where the mention ends that begins at i, i if there is none.
func (c *clause) mentioned(i, hi int, mentions []ner.Mention) int {
	at := c.tokens[i].Start
	n, found := slices.BinarySearchFunc(mentions, at, func(m ner.Mention, at int) int { return m.Start - at })
	if !found || mentions[n].Type == ner.Role {
		return i
	}
	j := i
	for j < hi && c.tokens[j].End <= mentions[n].End {
		j++
	}
	switch {
	case j > i+1 && c.tokens[j-1].Kind == lex.Number && c.counts(j, hi):
		j-- // "Figma 18 seats"
	case j == i+1 && !c.tokens[i].Capital && c.tokens[i].Kind == lex.Word && c.counts(j, hi):
		return i // a thing that is known is part of another: "window seat"
	}
	return j
}

// afterJoint returns where the next word of a name may be: after "&", "of", or the point of an abbreviation.
func (c *clause) afterJoint(j, hi int) int {
	if j+1 >= hi || !c.tokens[j+1].Capital {
		return j
	}
	t := c.tokens[j]
	if t.Low == "&" || t.Low == "of" || t.Low == "." && t.Start == c.tokens[j-1].End {
		return j + 1
	}
	return j
}

// counts reports whether the word at j is one that a number before it counts.
func (c *clause) counts(j, hi int) bool {
	if j >= hi {
		return false
	}
	t := c.tokens[j]
	return t.IsOpen() && !t.Capital && (!t.Is(lex.Verb|lex.Adverb) || t.Is(lex.Noun))
}

// numbered extends a name that ends at j by the number after it: "Node 22", "Debian 11".
func (c *clause) numbered(j, hi int) int {
	if c.counts(j+1, hi) {
		return j
	}
	if j < hi && c.tokens[j].Kind == lex.Number && (j+1 >= len(c.tokens) || !c.tokens[j+1].Is(lex.Unit|lex.Month)) &&
		c.tokens[j].Start == c.tokens[j-1].End+1 && !strings.ContainsAny(c.tokens[j].Low, ":") {
		return j + 1
	}
	return j
}

// between returns the text of tokens i to k, without the fillers that were left out.
func (c *clause) between(i, k int) string {
	var b strings.Builder
	for n := i; n < k; n++ {
		t := c.tokens[n]
		if n > i && c.tokens[n-1].End < t.Start {
			b.WriteByte(' ')
		}
		b.WriteString(c.text[t.Start:t.End])
	}
	return b.String()
}

// isHour reports whether a token is a time as it is written outside English: "14h", "14h30".
func (c *clause) isHour(i int) bool {
	hour, minutes, ok := strings.Cut(c.tokens[i].Low, "h")
	return ok && c.language != "en" && len(hour) <= 2 && len(minutes) <= 2 && isDigitsOnly(hour+minutes)
}

// isOrdinal reports whether a token is a day of a month in digits: "9th".
func isOrdinal(s string) bool {
	n := strings.TrimRight(s, "stndrh")
	return n != s && len(n) <= 2 && isDigitsOnly(n) && isDayOrYear(s)
}
