package clauses

import (
	"slices"
	"strings"
	"unicode"

	"tenure/statements/lex"
	"tenure/text"
	"tenure/values"
)

// The kinds of a value that package values does not know.
const (
	KindName    = "name"
	KindCode    = "code"
	KindWeekday = "weekday"
	KindText    = "text"
)

// Value is a value that a clause names: tokens Lo to Hi, Hi exclusive. The zero value is none.
type Value struct {
	Lo, Hi int
	Kind   string // as [KindOf] tells it
	// Unit is where the noun that is counted ends, as in "24 machines", 0 if there is none; it is no part of the value.
	Unit int
}

// Empty reports whether there is no value.
func (v Value) Empty() bool { return v.Hi <= v.Lo }

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
		return KindText
	case len(tokens) == 1 && tokens[0].Is(lex.Weekday):
		return KindWeekday
	case len(tokens) == 1 && IsCode(text):
		return KindCode
	case names > 0 && names*2 >= len(tokens):
		return KindName
	}
	return KindText
}

// IsCode reports whether a word has both letters and digits, as a code has.
func IsCode(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter) &&
		!strings.Contains(s, " ")
}

// Values returns the typed values and names among tokens lo to hi, in their order, none overlapping another. It is told
// the names in the text that are known otherwise, in their order, none overlapping another.
func (c *Clause) Values(lo, hi int, names []text.Span) []Value {
	var list []Value
	for i := lo; i < hi; {
		v, ok := c.valueAt(i, hi, names)
		if !ok {
			i++
			continue
		}
		if n := len(list); n > 0 && v.Lo < list[n-1].Hi {
			v.Lo = list[n-1].Hi
		}
		list = append(list, v)
		i = max(v.Hi, v.Unit)
	}
	return list
}

var noons = lex.Words("noon")

// valueAt reads the value that begins at i.
func (c *Clause) valueAt(i, hi int, names []text.Span) (Value, bool) {
	t := c.Tokens[i]
	switch {
	case t.Kind == lex.Quoted:
		return Value{i, i + 1, KindText, 0}, true
	case t.Kind == lex.Emoji, t.Is(lex.RelativeDay):
		return Value{}, false
	case t.Kind == lex.Number, IsSign(t.Low) && i+1 < hi && c.Tokens[i+1].Kind == lex.Number:
		return c.numeric(i, hi)
	case t.Kind != lex.Word:
		return Value{}, false
	case c.isAddress(i):
		return Value{i, i + 1, string(values.Of(t.Low).Kind), 0}, true
	}
	if v, ok := c.dateOrNumber(i, hi); ok {
		return v, true
	}
	if IsCode(t.Low) {
		return Value{i, i + 1, KindCode, 0}, true
	}
	before := lex.At(c.Tokens, i-1)
	if t.Is(lex.UnitNoun) && i+1 < hi && c.isLabel(i+1) && !before.Is(lex.NumberWord) && before.Kind != lex.Number {
		return Value{i, i + 2, KindName, 0}, true
	}
	return c.nameAt(i, hi, names)
}

// numeric reads what begins with digits: an address, or a number, amount, date or time.
func (c *Clause) numeric(i, hi int) (Value, bool) {
	switch {
	case c.Tokens[i].Low == "": // too long for a number
		return Value{}, false
	case i+1 < hi && c.isStreet(i, hi):
		return Value{i, c.endOfStreet(i, hi), KindName, 0}, true
	}
	return c.numberAt(i, hi), true
}

// dateOrNumber reads a date, a time or a number in words.
func (c *Clause) dateOrNumber(i, hi int) (Value, bool) {
	t := c.Tokens[i]
	switch {
	case t.Is(lex.Weekday|lex.Month) && !c.IsPlainWord(i), t.Is(lex.OrdinalWord) && c.ordinalDate(i, hi):
		if v, ok := c.dateAt(i, hi); ok {
			return v, true
		}
	case t.Is(lex.NumberWord) && !c.isPlainNumber(i, hi):
		return c.numberAt(i, hi), true
	case noons[t.Low]:
		return Value{i, i + 1, string(values.Time), 0}, true
	}
	return Value{}, false
}

// isAddress reports whether a token is an e-mail address, a host or a URL.
func (c *Clause) isAddress(i int) bool {
	low := c.Tokens[i].Low
	if !strings.ContainsAny(low, "@./") {
		return false
	}
	k := values.Of(low).Kind
	return k == values.Email || k == values.URL
}

var streets = lex.Words("street")

// isStreet reports whether a number begins an address: "14 Harbour Lane".
func (c *Clause) isStreet(i, hi int) bool {
	next := c.Tokens[i+1]
	if streets[next.Low] {
		return c.Language == "fr"
	}
	low := c.Tokens[i].Low
	return i+2 < hi && next.Capital && c.Tokens[i+2].Capital && !next.Is(lex.Month|lex.Weekday|lex.Unit) &&
		len(low) <= 4 && isDigitsOnly(low)
}

// endOfStreet returns where an address ends whose number is at i.
func (c *Clause) endOfStreet(i, hi int) int {
	j := i + 2
	for j < hi && c.Tokens[j].Kind == lex.Word && (c.Tokens[j].Capital || c.joinsStreet(j, hi)) {
		j++
	}
	return j
}

// joinsStreet reports whether a small word belongs to the name of a street: "place du Marché".
func (c *Clause) joinsStreet(j, hi int) bool {
	return c.Language != "en" && c.Tokens[j].Is(lex.Det|lex.Prep) && !c.Tokens[j].Is(lex.From) && j+1 < hi && c.Tokens[j+1].Capital
}

func isDigitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

var (
	monthsOrWords, noNumbers = lex.Words("month or word"), lex.Words("no number")
	joinsNumbers, notLabels  = lex.Words("joins number"), lex.Words("not labels")
)

// IsPlainWord reports whether a month or weekday is another word here: "may", "march", "sun", "sat".
func (c *Clause) IsPlainWord(i int) bool {
	t, before, next := c.Tokens[i], lex.At(c.Tokens, i-1), lex.At(c.Tokens, i+1)
	if !monthsOrWords[t.Low] {
		return false
	}
	dated := before.Kind == lex.Number || before.Is(lex.OrdinalWord|lex.Prep) || before.Low == "next" ||
		next.Kind == lex.Number || next.Is(lex.Month)
	named := t.Capital && i > 0 && t.Low != "may"
	return !dated && !named
}

// ordinalDate reports whether an ordinal is the day of a month: "twenty first of May".
func (c *Clause) ordinalDate(i, hi int) bool {
	for j := i + 1; j < hi && j < i+4; j++ {
		if c.Tokens[j].Is(lex.Month) {
			return true
		}
		if !c.Tokens[j].Is(lex.OrdinalWord) && c.Tokens[j].Low != "of" {
			return false
		}
	}
	return false
}

// isPlainNumber reports whether a number word is none here: "one of us", "the two of them", "no one".
func (c *Clause) isPlainNumber(i, hi int) bool {
	low := c.Tokens[i].Low
	counts := i+1 < hi && c.Tokens[i+1].Is(lex.NumberWord|lex.Unit)
	return joinsNumbers[low] || noNumbers[low] && !counts
}

// isLabel reports whether a token is the second part of a name such as "room 204" or "gate B".
func (c *Clause) isLabel(i int) bool {
	t, next := c.Tokens[i], lex.At(c.Tokens, i+1)
	switch {
	case t.Kind == lex.Number:
		return !next.Is(lex.Unit) || next.Is(lex.Month)
	case t.Is(lex.NumberWord):
		return i > 0 && c.Tokens[i-1].End+1 == t.Start
	}
	return t.Kind == lex.Word && (len(t.Low) == 1 && !notLabels[t.Low] || IsCode(t.Low))
}

// numberAt reads the number, amount, time, date or range that begins at i.
func (c *Clause) numberAt(i, hi int) Value {
	if v, ok := c.dateAt(i, hi); ok && v.Hi > i+1 && c.Tokens[i].Kind == lex.Number {
		return v
	}
	j := i + 1
	for j < hi && j-i < 8 && (c.continues(j) || c.isDialled(i, j)) {
		j++
	}
	low := c.Tokens[i].Low
	if j == i+1 && isDigitsOnly(low) && low[0] != '0' {
		return c.counted(Value{i, j, string(values.Number), 0}, hi)
	}
	if v, ok := c.longest(i, j); ok {
		return c.counted(v, hi)
	}
	if k := c.endOfDigits(i, j); k > i+1 { // read out: "five one five eight"
		return Value{i, k, string(values.Number), 0}
	}
	if v, ok := c.dateAt(i, hi); ok && v.Hi > i+1 {
		return v
	}
	return c.counted(Value{i, i + 1, kindOfNumber(low), 0}, hi)
}

// longest reads the longest value of tokens i to at most j.
func (c *Clause) longest(i, j int) (Value, bool) {
	for k := j; k > i; k-- {
		v := values.Of(c.Between(i, k))
		switch {
		case v.Kind == values.Text, v.Kind == values.JSON, v.Kind == values.None:
		case k > i+1 && c.Tokens[k-1].Is(lex.Prep|lex.Det): // "2 pm to"
		case v.Kind == values.Range && c.movesFrom(i):
		case v.Kind == values.Quantity && k-i > 1 && !c.hasUnit(i, k):
		case k == i+1 && c.isHour(i):
			return Value{i, k, string(values.Time), 0}, true
		default:
			return Value{i, k, string(v.Kind), 0}, true
		}
	}
	return Value{}, false
}

var fromWords = lex.Words("from")

// movesFrom reports whether what begins at i is what something moved from: "the hearing moved from 2 pm to 6 pm".
func (c *Clause) movesFrom(i int) bool {
	return fromWords[lex.At(c.Tokens, i-1).Low] &&
		slices.ContainsFunc(c.Tokens, func(t lex.Token) bool { return t.Is(lex.Moves) })
}

// endOfDigits returns where number words end that begin at i.
func (c *Clause) endOfDigits(i, j int) int {
	for i < j && c.Tokens[i].Is(lex.NumberWord) {
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
	case kind == KindText:
		return KindCode
	}
	return kind
}

var amountJoints, rangeJoints, dateJoints = lex.Words("amount joint"), lex.Words("range joint"), lex.Words("date joint")

// money are the signs that stand behind an amount.
var money = lex.Set{"€": true, "£": true, "$": true}

// continues reports whether the token at j may be part of the amount that begins before it.
func (c *Clause) continues(j int) bool {
	t, before, next := c.Tokens[j], c.Tokens[j-1], lex.At(c.Tokens, j+1)
	switch {
	case t.Low == "%", t.Low == "each", t.Is(lex.Unit | lex.Month | lex.NumberWord):
		return true
	case t.Is(lex.OrdinalWord):
		return before.Is(lex.NumberWord)
	case joinsNumbers[t.Low]:
		return next.Is(lex.NumberWord)
	case t.Kind == lex.Number:
		return IsSign(before.Low) || before.Is(lex.Month) || rangeJoints[before.Low]
	case t.Kind == lex.Punct:
		return money[t.Low] || before.End == t.Start && (rangeJoints[t.Low] || t.Low == "/")
	case amountJoints[t.Low]:
		return next.Is(lex.Unit|lex.Month|lex.NumberWord) || next.Kind == lex.Number
	}
	return next.Low == "per" && t.Is(lex.Noun|lex.Attribute|lex.Verb) // "100 requests per minute"
}

// isDialled reports whether the number at j is a part of a telephone number that begins at i.
func (c *Clause) isDialled(i, j int) bool {
	return c.Tokens[j].Kind == lex.Number && c.Tokens[j-1].Kind == lex.Number &&
		strings.ContainsAny(c.Tokens[i].Low[:1], "+0")
}

// hasUnit reports whether tokens i to k have a unit of measure.
func (c *Clause) hasUnit(i, k int) bool {
	for _, t := range c.Tokens[i:k] {
		if t.Is(lex.Unit) || t.Low == "%" || t.Low == "per" {
			return true
		}
	}
	return false
}

// counted adds the noun that a plain number counts.
func (c *Clause) counted(v Value, hi int) Value {
	if v.Kind == string(values.Number) && v.Hi < hi {
		if t := c.Tokens[v.Hi]; c.counts(v.Hi, hi) && !t.Is(lex.Adverb|lex.Moves) {
			v.Unit = v.Hi + 1
		}
	}
	return v
}

// dateAt reads a date in words: a weekday, a day and a month.
func (c *Clause) dateAt(i, hi int) (Value, bool) {
	j, dated := i, false
	for ; j < hi && j-i < 8 && c.isOfDate(i, j, hi); j++ {
		dated = dated || c.Tokens[j].Is(lex.Weekday|lex.Month)
	}
	if !dated {
		return Value{}, false
	}
	kind := string(values.Date)
	if j == i+1 && c.Tokens[i].Is(lex.Weekday) {
		kind = KindWeekday
	}
	return Value{i, j, kind, 0}, true
}

// isOfDate reports whether the token at j belongs to the date in words that begins at i.
func (c *Clause) isOfDate(i, j, hi int) bool {
	t := c.Tokens[j]
	switch {
	case t.Is(lex.Weekday):
		return j == i || !c.Tokens[j-1].Is(lex.Weekday)
	case t.Is(lex.Month | lex.OrdinalWord), t.Is(lex.NumberWord) && j+1 < hi && c.Tokens[j+1].Is(lex.OrdinalWord):
		return true
	case t.Kind == lex.Number:
		return isDayOrYear(t.Low)
	case !dateJoints[t.Low] || j == i || j+1 >= hi:
		return false
	}
	next := c.Tokens[j+1]
	return next.Kind == lex.Number && isDayOrYear(next.Low) || next.Is(lex.OrdinalWord|lex.Month) ||
		next.Is(lex.NumberWord) && lex.At(c.Tokens, j+2).Is(lex.OrdinalWord)
}

// isDayOrYear reports whether digits may be the day of a month or a year: "28th", "5", "2026".
func isDayOrYear(s string) bool {
	s = strings.TrimRight(s, "sthndr.")
	if len(s) == 4 {
		return s[0] == '1' || s[0] == '2'
	}
	return len(s) <= 2 && s <= "31" || len(s) == 1
}

// nameAt reads the name that begins at i: one of names, or capitalised words.
func (c *Clause) nameAt(i, hi int, names []text.Span) (Value, bool) {
	if j := c.named(i, hi, names); j > i {
		return Value{i, c.numbered(j, hi), KindName, 0}, true
	}
	t := c.Tokens[i]
	if !t.Capital || t.Kind != lex.Word || t.Is(lex.FunctionWord|lex.Weekday|lex.Month) && len(t.Low) < 4 {
		return Value{}, false
	}
	j := c.afterJoint(i+1, hi)
	for j < hi && c.Tokens[j].Capital && c.Tokens[j].Kind == lex.Word && !c.Tokens[j].Is(lex.Pronoun) {
		j = c.afterJoint(j+1, hi)
	}
	if j == i+1 && c.isAnyhowCapital(i) {
		return Value{}, false
	}
	return Value{i, c.numbered(j, hi), KindName, 0}, true
}

// isAnyhowCapital reports whether a capital tells nothing: a sentence begins with one, and so do all German nouns.
func (c *Clause) isAnyhowCapital(i int) bool {
	t := c.Tokens[i]
	return i == 0 && (t.Class != 0 || c.Language == "de") && !t.Is(lex.UnitNoun)
}

// named returns where the one of names ends that begins at i, i if there is none.
func (c *Clause) named(i, hi int, names []text.Span) int {
	at := c.Tokens[i].Start
	n, found := slices.BinarySearchFunc(names, at, func(s text.Span, at int) int { return s.From - at })
	if !found {
		return i
	}
	j := i
	for j < hi && c.Tokens[j].End <= names[n].Until {
		j++
	}
	switch {
	case j > i+1 && c.Tokens[j-1].Kind == lex.Number && c.counts(j, hi):
		j-- // "Figma 18 seats"
	case j == i+1 && !c.Tokens[i].Capital && c.Tokens[i].Kind == lex.Word && c.counts(j, hi):
		return i // a thing that is known is part of another: "window seat"
	}
	return j
}

// afterJoint returns where the next word of a name may be: after "&", "of", or the point of an abbreviation.
func (c *Clause) afterJoint(j, hi int) int {
	if j+1 >= hi || !c.Tokens[j+1].Capital {
		return j
	}
	t := c.Tokens[j]
	if t.Low == "&" || t.Low == "of" || t.Low == "." && t.Start == c.Tokens[j-1].End {
		return j + 1
	}
	return j
}

// counts reports whether the word at j is one that a number before it counts.
func (c *Clause) counts(j, hi int) bool {
	if j >= hi {
		return false
	}
	t := c.Tokens[j]
	return t.IsOpen() && !t.Capital && (!t.Is(lex.Verb|lex.Adverb) || t.Is(lex.Noun))
}

// numbered extends a name that ends at j by the number after it: "Node 22", "Debian 11".
func (c *Clause) numbered(j, hi int) int {
	if c.counts(j+1, hi) {
		return j
	}
	if j < hi && c.Tokens[j].Kind == lex.Number && (j+1 >= len(c.Tokens) || !c.Tokens[j+1].Is(lex.Unit|lex.Month)) &&
		c.Tokens[j].Start == c.Tokens[j-1].End+1 && !strings.ContainsAny(c.Tokens[j].Low, ":") {
		return j + 1
	}
	return j
}

// Between returns the text of tokens i to k, without the fillers that were left out.
func (c *Clause) Between(i, k int) string {
	var b strings.Builder
	for n := i; n < k; n++ {
		t := c.Tokens[n]
		if n > i && c.Tokens[n-1].End < t.Start {
			b.WriteByte(' ')
		}
		b.WriteString(c.Text[t.Start:t.End])
	}
	return b.String()
}

// isHour reports whether a token is a time as it is written outside English: "14h", "14h30".
func (c *Clause) isHour(i int) bool {
	hour, minutes, ok := strings.Cut(c.Tokens[i].Low, "h")
	return ok && c.Language != "en" && len(hour) <= 2 && len(minutes) <= 2 && isDigitsOnly(hour+minutes)
}

// isOrdinal reports whether a token is a day of a month in digits: "9th".
func isOrdinal(s string) bool {
	n := strings.TrimRight(s, "stndrh")
	return n != s && len(n) <= 2 && isDigitsOnly(n) && isDayOrYear(s)
}
