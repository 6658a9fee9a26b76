package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// num is c / 10^d, without trailing zeros after the point.
type num struct {
	c int64
	d int
}

func dec(c int64, d int) num {
	for ; d < 0; d++ {
		c *= 10
	}
	for d > 0 && c%10 == 0 {
		c, d = c/10, d-1
	}
	return num{c, d}
}

func (n num) times(k int64) num { return dec(n.c*k, n.d) }

// shift returns n * 10^by.
func (n num) shift(by int) num { return dec(n.c, n.d-by) }

func (n num) neg() num { return num{-n.c, n.d} }

func (n num) abs() num {
	if n.c < 0 {
		return n.neg()
	}
	return n
}

// style says how a number is grouped and pointed, and how many digits stand after the point at least.
type style struct {
	group, point string
	zeros        int
	indian       bool
}

var (
	plain   = style{point: "."}
	comma   = style{point: ","}
	english = style{group: ",", point: "."}
	german  = style{group: ".", point: ","}
	french  = style{group: "\u00a0", point: ","}
	thin    = style{group: "\u202f", point: ","}
	spaced  = style{group: " ", point: "."}
	swiss   = style{group: "'", point: "."}
	indian  = style{group: ",", point: ".", indian: true}
)

func (s style) with(zeros int) style { s.zeros = zeros; return s }

// spell returns the number in the style, or "" where a reader of another country would take the point for a
// group or the group for a point.
func (n num) spell(s style) string {
	digits := strconv.FormatInt(n.abs().c, 10)
	for len(digits) <= n.d {
		digits = "0" + digits
	}
	whole, part := digits[:len(digits)-n.d], digits[len(digits)-n.d:]
	for len(part) < s.zeros {
		part += "0"
	}
	out := grouped(whole, s)
	grouping := out != whole
	if len(part) == 3 && !grouping && whole != "0" && len(whole) <= 3 {
		return ""
	}
	if grouping && s.group == "." && part == "" && strings.Count(out, ".") == 1 {
		return ""
	}
	if part != "" {
		out += s.point + part
	}
	if n.c < 0 {
		out = "-" + out
	}
	return out
}

func grouped(whole string, s style) string {
	if s.group == "" || len(whole) <= 3 {
		return whole
	}
	head, out := whole[:len(whole)-3], s.group+whole[len(whole)-3:]
	size := 3
	if s.indian {
		size = 2
	}
	for len(head) > size {
		head, out = head[:len(head)-size], s.group+head[len(head)-size:]+out
	}
	return head + out
}

// only returns s where the condition holds.
func only(ok bool, s string) string {
	if !ok {
		return ""
	}
	return s
}

// after returns s with the suffix, unless s is "".
func after(s, suffix string) string { return only(s != "", s+suffix) }

// before returns s with the prefix, unless s is "".
func before(prefix, s string) string { return only(s != "", prefix+s) }

// scaled returns the number in units of 10^power with the suffix, where that is how people would write it.
func scaled(n num, power int, s style, suffix string) string {
	v := n.shift(-power)
	if whole := v.abs(); v.d > 2 || whole.c == 0 || whole.spell(plain)[0] == '0' || whole.c >= 1000*pow10(whole.d) {
		return ""
	}
	return after(v.spell(s), suffix)
}

func pow10(n int) int64 {
	out := int64(1)
	for range n {
		out *= 10
	}
	return out
}

// exponent returns the number with one digit before the point.
func exponent(n num, mark string, width int) string {
	digits := strconv.FormatInt(n.abs().c, 10)
	power := len(digits) - 1 - n.d
	if n.c <= 0 || power < 2 {
		return ""
	}
	e := strconv.Itoa(power)
	for len(e) < width {
		e = "0" + e
	}
	return dec(n.c, len(digits)-1).spell(plain) + mark + e
}

var ones = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
	"fifteen sixteen seventeen eighteen nineteen twenty")

var tens = strings.Fields("- ten twenty thirty forty fifty sixty seventy eighty ninety")

// small returns a number up to twenty in words, large one from 21 to 999.
func small(n num) string {
	if n.d != 0 || n.c < 1 || n.c > 20 {
		return ""
	}
	return ones[n.c]
}

func large(n num) string {
	if n.d != 0 || n.c < 21 || n.c > 999 {
		return ""
	}
	c, out := n.c, ""
	if c >= 100 {
		out, c = ones[c/100]+" hundred", c%100
		if c > 0 {
			out += " and "
		}
	}
	switch {
	case c == 0:
	case c <= 20:
		out += ones[c]
	case c%10 == 0:
		out += tens[c/10]
	default:
		out += tens[c/10] + "-" + ones[c%10]
	}
	return out
}

// digitsOf rewrites ASCII digits in another script that begins at zero.
func digitsOf(s string, zero rune) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return zero + c - '0'
		}
		return c
	}, s)
}

func drawNumber(r *rand.Rand) num {
	switch r.IntN(12) {
	case 0, 1:
		return dec(1+r.Int64N(20), 0)
	case 2, 3:
		return dec(21+r.Int64N(979), 0)
	case 4, 5:
		return dec(1000+r.Int64N(99_000), 0)
	case 6:
		return dec(100_000+r.Int64N(99_900_000), 0)
	case 7:
		return dec(100+r.Int64N(900), 2)
	case 8:
		return dec(100_000+r.Int64N(9_900_000), 2)
	case 9:
		return dec(1+r.Int64N(99), 1).shift(pick(r, []int{3, 6, 9}))
	case 10:
		return dec(1+r.Int64N(999), 3)
	}
	return dec(1+r.Int64N(50_000), r.IntN(2)).neg()
}

// nearNumber returns another number that looks like n.
func nearNumber(r *rand.Rand, n num) (num, string) {
	digits := []byte(strconv.FormatInt(n.abs().c, 10))
	sign := int64(1)
	if n.c < 0 {
		sign = -1
	}
	i := r.IntN(len(digits))
	note := "one digit"
	switch r.IntN(8) {
	case 0:
		return n.times(10), "ten times"
	case 1:
		return n.times(1000), "a thousand times"
	case 2:
		return n.neg(), "sign"
	case 3:
		return dec(n.c, n.d+1), "a tenth"
	case 4:
		return dec(n.c+1, n.d), "one more in the last digit"
	case 5:
		if i+1 < len(digits) {
			digits[i], digits[i+1] = digits[i+1], digits[i]
		}
		note = "two digits swapped"
	default:
		digits[i] = '1' + (digits[i]-'0'+byte(r.IntN(8)))%9
	}
	c, err := strconv.ParseInt(string(digits), 10, 64)
	if out := dec(sign*c, n.d); err == nil && out != n {
		return out, note
	}
	return n, ""
}

func numberMiss(r *rand.Rand, n num) miss[num] {
	if r.IntN(12) == 0 {
		return miss[num]{raw: after(n.spell(plain), pick(r, []string{"%", " %", " percent"})), note: "percent"}
	}
	v, note := nearNumber(r, n)
	return miss[num]{value: v, note: note}
}

func in(s style) func(num) string { return func(n num) string { return n.spell(s) } }

// grouping forms count only where there is something to group.
func grouping(s style) func(num) string {
	return func(n num) string { return only(n.abs().c >= 1000*pow10(n.d), n.spell(s)) }
}

func scale(power int, s style, suffix string) func(num) string {
	return func(n num) string { return scaled(n, power, s, suffix) }
}

var sharedNumber = []form[num]{
	{name: "JSON", weight: 5, write: func(n num) string { return n.json() }, json: true},
	{name: "plain", weight: 4, write: in(plain)},
}

// json returns the number as a JSON literal; it has no point to mistake.
func (n num) json() string {
	if n.d != 3 {
		return n.spell(plain)
	}
	return strconv.FormatFloat(float64(n.c)/1000, 'f', 3, 64)
}

var devNumber = kind[num]{name: "number", draw: drawNumber, near: numberMiss, shared: sharedNumber,
	stray: []string{" %s", "%s ", "\t%s"},
	own: []form[num]{
		{name: "1,234.5", weight: 4, write: grouping(english)},
		{name: "1.234,5", weight: 3, write: grouping(german)},
		{name: "1 234,5 nbsp", weight: 2, write: grouping(french)},
		{name: "1 234.5", weight: 2, write: grouping(spaced)},
		{name: "1234,5", weight: 2, write: func(n num) string { return only(n.d > 0, n.spell(comma)) }},
		{name: "trailing zeros", weight: 2, write: in(plain.with(2))},
		{name: "k", weight: 2, write: scale(3, plain, "k")},
		{name: "M", weight: 2, write: scale(6, plain, "M")},
		{name: "thousand", weight: 1, write: scale(3, plain, " thousand")},
		{name: "million", weight: 1, write: scale(6, plain, " million")},
		{name: "Mio.", weight: 1, write: scale(6, comma, " Mio.")},
		{name: "1e3", weight: 1, write: func(n num) string { return exponent(n, "e", 1) }},
		{name: "plus", weight: 1, write: func(n num) string { return only(n.c > 0, before("+", n.spell(plain))) }},
		{name: "minus sign", weight: 3, write: func(n num) string {
			return only(n.c < 0, before("\u2212", n.abs().spell(plain)))
		}},
		{name: "word", weight: 4, write: small},
		{name: "full width", weight: 1, write: func(n num) string { return digitsOf(n.spell(plain), '０') }},
	}}

var heldNumber = kind[num]{name: "number", draw: drawNumber, near: numberMiss, shared: sharedNumber,
	stray: []string{"\u00a0%s", "%s\n", "  %s  "},
	own: []form[num]{
		{name: "1'234.5", weight: 2, write: grouping(swiss)},
		{name: "1’234.5", weight: 1, write: grouping(style{group: "’", point: "."})},
		{name: "1 234,5 thin", weight: 2, write: grouping(thin)},
		{name: "12,34,567", weight: 1, write: func(n num) string {
			return only(n.abs().c >= 100_000*pow10(n.d), n.spell(indian))
		}},
		{name: "1,234.00", weight: 4, write: grouping(english.with(2))},
		{name: "1.234,00", weight: 3, write: grouping(german.with(2))},
		{name: "5,00", weight: 2, write: in(comma.with(2))},
		{name: "K", weight: 2, write: scale(3, plain, "K")},
		{name: "1.2 k", weight: 1, write: scale(3, plain, " k")},
		{name: "mn", weight: 1, write: scale(6, plain, "mn")},
		{name: "bn", weight: 2, write: scale(9, plain, "bn")},
		{name: "Million", weight: 1, write: scale(6, plain, " Million")},
		{name: "billion", weight: 1, write: scale(9, plain, " billion")},
		{name: "Mrd.", weight: 1, write: scale(9, comma, " Mrd.")},
		{name: "Millionen", weight: 1, write: func(n num) string {
			return only(n.abs().c > pow10(n.d+6), scaled(n, 6, comma, " Millionen"))
		}},
		{name: "1E+06", weight: 2, write: func(n num) string { return exponent(n, "E+", 2) }},
		{name: "1×10^6", weight: 1, write: func(n num) string { return exponent(n, "×10^", 1) }},
		{name: "words", weight: 3, write: large},
		{name: "Word", weight: 2, write: func(n num) string { return capital(small(n)) }},
		{name: "Arabic digits", weight: 1, write: func(n num) string { return only(n.d == 0, digitsOf(n.spell(plain), '٠')) }},
		{name: "(5)", weight: 2, write: func(n num) string { return only(n.c < 0, before("(", after(n.abs().spell(english), ")"))) }},
		{name: "- 5", weight: 1, write: func(n num) string { return only(n.c < 0, before("- ", n.abs().spell(plain))) }},
		{name: ".5", weight: 2, write: func(n num) string {
			return only(strings.HasPrefix(n.spell(plain), "0."), strings.TrimPrefix(n.spell(plain), "0"))
		}},
	}}

// A percentage is a number of hundredths.

func drawPercent(r *rand.Rand) num {
	switch r.IntN(6) {
	case 0, 1, 2:
		return dec(1+r.Int64N(99), 0)
	case 3:
		return dec(1+r.Int64N(999), 1)
	case 4:
		return dec(1+r.Int64N(9999), 2)
	}
	return dec(101+r.Int64N(300), 0)
}

func percentMiss(r *rand.Rand, n num) miss[num] {
	switch r.IntN(10) {
	case 0, 1:
		return miss[num]{raw: n.spell(plain), note: "no percent sign"}
	case 2:
		return miss[num]{raw: before("$", n.spell(plain)), note: "money"}
	case 3:
		return miss[num]{raw: after(n.spell(plain), " bps"), note: "basis points"}
	}
	v, note := nearNumber(r, n)
	return miss[num]{value: v, note: note}
}

func per(s style, suffix string) func(num) string {
	return func(n num) string { return after(n.spell(s), suffix) }
}

// fraction writes hundredths as a share of one, below it only: 1 and 1.2 are no percentages.
func fraction(s style) func(num) string {
	return func(n num) string { return only(n.c < 100*pow10(n.d), n.shift(-2).spell(s)) }
}

var sharedPercent = []form[num]{
	{name: "15%", weight: 6, write: per(plain, "%")},
	{name: "JSON fraction", weight: 2, write: func(n num) string { return only(n.c < 100*pow10(n.d), n.shift(-2).json()) }, json: true},
}

var devPercent = kind[num]{name: "percentage", draw: drawPercent, near: percentMiss, shared: sharedPercent,
	stray: []string{" %s", "%s "},
	own: []form[num]{
		{name: "15 %", weight: 4, write: per(plain, " %")},
		{name: "15 percent", weight: 4, write: per(plain, " percent")},
		{name: "15 Percent", weight: 1, write: per(plain, " Percent")},
		{name: "15 pct", weight: 2, write: per(plain, " pct")},
		{name: "15,5%", weight: 2, write: func(n num) string { return only(n.d > 0, after(n.spell(comma), "%")) }},
		{name: "15.0%", weight: 2, write: per(plain.with(1), "%")},
		{name: "0.15", weight: 2, write: fraction(plain)},
		{name: "Prozent", weight: 2, write: per(comma, " Prozent")},
		{name: "pour cent", weight: 1, write: per(comma, " pour cent")},
		{name: "por ciento", weight: 1, write: per(comma, " por ciento")},
		{name: "words", weight: 2, write: func(n num) string { return after(small(n), " percent") }},
		{name: "full width", weight: 1, write: per(plain, "％")},
		{name: "bps", weight: 1, write: func(n num) string { return only(n.c < 10*pow10(n.d), n.shift(2).spell(plain)+" bps") }},
	}}

var heldPercent = kind[num]{name: "percentage", draw: drawPercent, near: percentMiss, shared: sharedPercent,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[num]{
		{name: "15 % nbsp", weight: 3, write: per(plain, "\u00a0%")},
		{name: "15,5 % thin", weight: 2, write: per(comma, "\u202f%")},
		{name: "15 per cent", weight: 4, write: per(plain, " per cent")},
		{name: "15 PERCENT", weight: 1, write: per(plain, " PERCENT")},
		{name: "15percent", weight: 1, write: per(plain, "percent")},
		{name: "15 pct.", weight: 2, write: per(plain, " pct.")},
		{name: "15.00%", weight: 3, write: per(plain.with(2), "%")},
		{name: "15,00 %", weight: 2, write: per(comma.with(2), " %")},
		{name: "+15%", weight: 1, write: func(n num) string { return before("+", per(plain, "%")(n)) }},
		{name: "%15", weight: 1, write: func(n num) string { return before("%", n.spell(comma)) }},
		{name: "0,15", weight: 1, write: fraction(comma)},
		{name: ".15", weight: 1, write: func(n num) string { return strings.TrimPrefix(fraction(plain)(n), "0") }},
		{name: "por cento", weight: 1, write: per(comma, " por cento")},
		{name: "per cento", weight: 1, write: per(comma, " per cento")},
		{name: "prosent", weight: 1, write: per(comma, " prosent")},
		{name: "procent", weight: 2, write: per(comma, " procent")},
		{name: "words", weight: 2, write: func(n num) string { return after(large(n), " percent") }},
		{name: "Words", weight: 1, write: func(n num) string { return after(capital(small(n)), " per cent") }},
		{name: "basis points", weight: 1, write: func(n num) string {
			return only(n.c < 10*pow10(n.d), n.shift(2).spell(plain)+" basis points")
		}},
	}}

func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
