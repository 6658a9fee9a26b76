package values

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"tenure/text"
)

var (
	magnitudes = byWord("magnitudes", num)
	percents   = byWord("percents", func(whole string) *big.Rat { return big.NewRat(1, int64(num(whole))) })
	irregular  = byWord("plurals", asWritten)
)

// magnitude returns what a word or a letter multiplies a number by.
func magnitude(w string) (by int64, ok bool) {
	m, ok := magnitudes[w]
	if !ok && len(w) > 1 {
		m, ok = magnitudes[strings.TrimRight(strings.ToLower(w), ".")]
	}
	return int64(m), ok
}

// amount is numbers with what stands around them.
type amount struct {
	before string
	parts  []part
}

// part is a number with the words after it.
type part struct {
	n     *big.Rat
	doubt string // how else the number could be read
	by    string // the word of the magnitude that multiplied it
	unit  string
	glue  bool // no space before the unit
}

var (
	// priceDash is the dash for no cents: "5,-".
	priceDash = regexp.MustCompile(`(\d)[.,]-{1,2}( |$|[^\d\s])`)
	// minusAfter is the minus of accounts, after the number.
	minusAfter = regexp.MustCompile(`^([^-]*\d[.,]\d+)-$`)
)

// amountOf takes an amount apart: an optional sign and words before, then numbers with words after each.
func amountOf(s string) (a amount, ok bool) {
	s, negative := withoutMinus(s)
	for _, t := range tokens(s) {
		switch {
		case t.n != nil:
			a.parts = append(a.parts, part{n: t.n, doubt: t.doubt})
		case len(a.parts) > 0:
			a.parts[len(a.parts)-1].add(t)
		case !negative && isMinus(t.word):
			negative = true
		case negative || t.word != "+":
			a.before += spaced(a.before, t)
		}
	}
	if len(a.parts) == 0 {
		return a, false
	}
	if negative {
		a.parts[0].n = new(big.Rat).Neg(a.parts[0].n)
	}
	return a, true
}

// withoutMinus cuts what makes an amount negative from around it: brackets, or a minus at the end.
func withoutMinus(s string) (rest string, negative bool) {
	if t, found := strings.CutPrefix(s, "("); found && strings.HasSuffix(t, ")") {
		s, negative = t[:len(t)-1], true
	}
	if strings.Contains(s, "-") {
		s = priceDash.ReplaceAllString(s, "$1$2")
		if m := minusAfter.FindStringSubmatch(s); m != nil && !negative {
			return m[1], true
		}
	}
	return s, negative
}

func isMinus(w string) bool {
	return w == "-" || strings.EqualFold(w, "minus") || strings.EqualFold(w, "negative")
}

// add adds a word after the number: a magnitude, or a part of the unit. A single letter is a magnitude only without
// a space before it: "5K" is five thousand, "5 K" a temperature.
func (p *part) add(t token) {
	m, is := magnitude(t.word)
	if is && p.unit == "" && p.by == "" && (len(t.word) > 1 || t.glue || t.word == "k" || t.word == "M") {
		p.n, p.by, p.doubt = new(big.Rat).Mul(p.n, big.NewRat(m, 1)), t.word, ""
		return
	}
	if p.unit == "" {
		p.glue = t.glue
	}
	p.unit += spaced(p.unit, t)
}

func spaced(before string, t token) string {
	if before == "" || t.glue {
		return t.word
	}
	return " " + t.word
}

// power is a number in the scientific notation, perhaps with its unit.
var power = regexp.MustCompile(`^(?:([+-]?\d+(?:[.,]\d+)?) ?(?:[eE]|[xX*·⋅] ?10 ?\^)|10\^)([+-]?\d{1,4})( .+|[^\d.,].*)?$`)

// readAmount reads a number, a percentage, an amount of money or a quantity.
func readAmount(s spelling) (Value, bool) {
	if mayHavePower(s.as) {
		if m := power.FindStringSubmatch(s.as); m != nil {
			return scientific(m)
		}
	}
	a, ok := amountOf(s.as)
	if !ok {
		return Value{}, false
	}
	v, ok := amountValue(a)
	if !ok || v.Kind == Text {
		return v, ok
	}
	for i, p := range a.parts {
		if p.doubt != "" && (i > 0 || percents[strings.ToLower(p.unit)] == nil) {
			return Value{Ambiguous: p.doubt}, false
		}
	}
	return v, !beyondRange(v)
}

// mayHavePower is a quick look: a power is after "^" or an "e" before digits.
func mayHavePower(s string) bool {
	for i := range len(s) - 1 {
		if c := s[i]; c == '^' || (c == 'e' || c == 'E') && (isDigitAt(s, i+1) || s[i+1] == '+' || s[i+1] == '-') {
			return true
		}
	}
	return false
}

// scientific reads a number times a power of ten: only numbers within range.
func scientific(m []string) (Value, bool) {
	n, ok := plainNumber(strings.Replace(cmp.Or(m[1], "1"), ",", ".", 1) + "e" + m[2])
	if !ok {
		return Value{}, false
	}
	if m[3] == "" {
		return number(n), true
	}
	return amountValue(amount{parts: []part{{n: n, unit: strings.TrimSpace(m[3]), glue: m[3][0] != ' '}}})
}

func beyondRange(v Value) bool {
	return v.grain != nil && v.grain.Amount != nil && beyond(v.grain.Amount.High)
}

// amountValue reads what an amount is of.
func amountValue(a amount) (Value, bool) {
	switch {
	case len(a.parts) == 2 && isRatio(a.parts[0].unit):
		return perAmount(a.before, a.parts[0], a.parts[1])
	case len(a.parts) > 1:
		return compound(a)
	}
	p := a.parts[0]
	if a.before == "" && strings.TrimRight(p.unit, ".") == "" {
		return number(p.n), true
	}
	for _, read := range []func(before string, p part) (Value, bool){readPercents, readRate, readMoney} {
		if v, ok := read(a.before, p); ok {
			return v, true
		}
	}
	if a.before != "" {
		return Value{}, false
	}
	if p.unit == "m" && p.glue && p.by == "" && p.n.Cmp(big.NewRat(1000, 1)) < 0 {
		return Value{Ambiguous: "is metres, minutes, months or millions: write the unit in full"}, false
	}
	if u, ok := unitOf(p.unit); ok {
		return quantity(u, u.base(p.n)), true
	}
	return counted(p)
}

// perAmount reads an amount for a number of others: 6 l / 100 km.
func perAmount(before string, p, of part) (Value, bool) {
	rest, dens, ok := rateOf(p.unit + " " + of.unit)
	if !ok || len(dens) == 0 || of.n.Sign() <= 0 {
		return Value{}, false
	}
	p.n, p.unit = new(big.Rat).Quo(p.n, of.n), rest
	return rated(before, p, dens)
}

// readPercents reads a part of a whole, with its sign before or after it.
func readPercents(before string, p part) (Value, bool) {
	per := percents[strings.ToLower(before+strings.TrimRight(p.unit, "."))]
	if per == nil || before != "" && p.unit != "" {
		return Value{}, false
	}
	return percentage(new(big.Rat).Mul(p.n, per)), true
}

// readRate reads an amount for something: $5 a month.
func readRate(before string, p part) (Value, bool) {
	rest, dens, ok := rateOf(p.unit)
	if !ok || len(dens) == 0 || rest == "" && before == "" && !ratio.MatchString(p.unit) {
		return Value{}, false
	}
	p.unit = rest
	return rated(before, p, dens)
}

// percentage is a part of a whole. That of one whole or several is no number: 100 % is not 1.
func percentage(n *big.Rat) Value {
	v := number(n)
	v.grain.Civil = nil
	if n.IsInt() && n.Sign() != 0 {
		v.form = new(big.Rat).Mul(n, big.NewRat(100, 1)).RatString() + "%"
	}
	return v
}

// counted reads a number of things that have no unit: "1,500 users".
func counted(p part) (Value, bool) {
	noun, ok := nounOf(p.unit)
	if !ok {
		return Value{}, false
	}
	return Value{Kind: Quantity, form: p.n.RatString() + " " + noun, grain: ofAmount(p.n, noun)}, true
}

// nounOf returns a word for things in the singular; two words, or three, may say more of them.
func nounOf(s string) (string, bool) {
	words := strings.Fields(strings.TrimRight(s, "."))
	if len(words) == 0 || len(words) > 3 || strings.ContainsAny(s, "0123456789/:-_#@()&+=<>%\"") {
		return "", false
	}
	noun := strings.Join(words, " ")
	if slices.Contains(words, "and") || slices.Contains(words, "or") {
		return "", false
	}
	if r := []rune(noun); len(r) < 3 {
		return "", false
	}
	return singular(text.Key(noun)), true
}

func singular(noun string) string {
	at := strings.LastIndexByte(noun, ' ') + 1
	head, last := noun[:at], noun[at:]
	if one, ok := irregular[last]; ok {
		return head + one
	}
	for _, end := range []string{"xes", "ches", "shes", "sses"} {
		if strings.HasSuffix(last, end) {
			return head + strings.TrimSuffix(last, "es")
		}
	}
	switch {
	case len(last) > 4 && strings.HasSuffix(last, "ies"):
		return head + strings.TrimSuffix(last, "ies") + "y"
	case len(last) > 3 && strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss"):
		return head + last[:len(last)-1]
	}
	return noun
}

var (
	between = regexp.MustCompile(`(?i)^(?:between|from|zwischen|von|entre|de) (.+?) (?:and|to|und|bis|et|y|à|a) (.+)$`)
	dashed  = regexp.MustCompile(`(?i)^(.*?\d.*?) ?(?:-|\.\.\.?| to | bis | à ) ?([^-]*\d.*)$`)
)

// readRange reads a range of numbers or amounts of one unit: "5-7", "between 5 and 7 days".
func readRange(s spelling) (Value, bool) {
	m := between.FindStringSubmatch(s.as)
	if m == nil && mayBeDashed(s.low) {
		m = dashed.FindStringSubmatch(s.as)
	}
	if m == nil {
		return Value{}, false
	}
	first, second := strings.TrimSpace(m[1]), strings.TrimSpace(m[2])
	low, ok1 := readAmount(spellingOf(first))
	high, ok2 := readAmount(spellingOf(second))
	if !ok1 || !ok2 {
		return Value{}, false
	}
	unit := strings.TrimLeft(second, "0123456789.,'")
	bare := strings.TrimLeft(first, "+-0123456789.,' ") == ""
	switch {
	case low.Kind == Number && (high.Kind != Number || bare && unit != ""): // 5-7 days, 5-7%
		unit = unit[strings.LastIndexAny(unit, "0123456789")+1:]
		low, ok1 = readAmount(spellingOf(first + unit))
	case low.Kind == Money && high.Kind == Number: // $5-7
		sign := strings.TrimRight(first, "0123456789.,' kKM")
		high, ok2 = readAmount(spellingOf(sign + second))
	}
	if !ok1 || !ok2 || low.Kind != high.Kind {
		return Value{}, false
	}
	return Value{Kind: Range, form: low.Canonical() + ".." + high.Canonical(), grain: rangeOf(low, high)}, true
}

// mayBeDashed is a quick look: something may stand between two amounts.
func mayBeDashed(low string) bool {
	return strings.ContainsAny(low, "-.à") || strings.Contains(low, " to ") || strings.Contains(low, " bis ")
}
