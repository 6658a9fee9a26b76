package values

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"tenure/text"
)

// plainNumber reads a decimal number as JSON writes it. It refuses exponents beyond any real quantity, because they
// cost memory.
func plainNumber(s string) (*big.Rat, bool) {
	if len(s) > 400 || strings.ContainsAny(s, "/xXoObBpP_") {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > 3 {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

var (
	// groupedNumber is digits with one kind of separator between groups of three; Indian groups have two digits but for
	// the last.
	groupedNumber = regexp.MustCompile(`^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3}){2,}|(?: \d{3})+|(?:'\d{3})+)$|^[1-9]\d?(?:,\d\d)+,\d{3}$`)
	withDecimals  = regexp.MustCompile(`^([1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+|(?:'\d{3})+))\.(\d+)$|^([1-9]\d{0,2}(?:(?:\.\d{3})+|(?: \d{3})+))[,](\d+)$|^([1-9]\d?(?:,\d\d)+,\d{3})\.(\d+)$`)
	decimal       = regexp.MustCompile(`^(?:(0|[1-9]\d*)?[.](\d+)|(0|[1-9]\d*)[,](\d+))$`)
	integer       = regexp.MustCompile(`^(?:0|[1-9]\d*)$`)
	numberToken   = regexp.MustCompile(`^(?:\d(?:[\d.,]|'\d{3}\b)*(?: \d{3}\b)*(?:[.,]\d+)?|[.,]\d+)`)
)

// writtenNumber reads a number as people write it: with separators of thousands, a decimal point or comma. A comma
// before exactly three digits separates thousands, a point there does not. Digits with a zero in front are a code.
func writtenNumber(s string) (*big.Rat, bool) {
	switch {
	case integer.MatchString(s):
		return plainNumber(s)
	case groupedNumber.MatchString(s):
		return plainNumber(digits(s))
	}
	if m := withDecimals.FindStringSubmatch(s); m != nil {
		for i := 1; i < len(m); i += 2 {
			if m[i] != "" {
				return plainNumber(digits(m[i]) + "." + m[i+1])
			}
		}
	}
	if m := decimal.FindStringSubmatch(s); m != nil {
		return plainNumber(m[1] + m[3] + "." + m[2] + m[4])
	}
	return nil, false
}

var exponent = regexp.MustCompile(`^[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}$`)

// wordNumbers are the number words that stand alone.
var wordNumbers = func() map[string]*big.Rat {
	m := map[string]*big.Rat{}
	for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen " +
		"fourteen fifteen sixteen seventeen eighteen nineteen twenty") {
		m[w] = big.NewRat(int64(i), 1)
	}
	for i, w := range strings.Fields("thirty forty fifty sixty seventy eighty ninety") {
		m[w] = big.NewRat(int64(30+10*i), 1)
	}
	m["hundred"], m["dozen"], m["half"] = big.NewRat(100, 1), big.NewRat(12, 1), big.NewRat(1, 2)
	return m
}()

// token is a number or a word of an amount.
type token struct {
	n    *big.Rat
	word string // as written
	glue bool   // no space before it
}

// tokens splits an amount into numbers and words. It returns nil for a text that holds a number of unknown form.
func tokens(s string) []token {
	var list []token
	glue := false
	for s != "" {
		if s[0] == ' ' {
			s, glue = s[1:], false
			continue
		}
		if m := numberToken.FindString(s); m != "" {
			m = strings.TrimRight(m, ".,")
			n, ok := writtenNumber(m)
			if !ok {
				return nil
			}
			list, s, glue = append(list, token{n: n, glue: glue}), s[len(m):], true
			continue
		}
		w := wordIn(s)
		s = s[len(w):]
		if w != "." && w != "," {
			list, glue = append(list, token{word: w, glue: glue}), true
		}
	}
	return list
}

// wordIn returns the letters at the start of a text, with the power of a unit ("m2"), or its first character.
func wordIn(s string) string {
	for i, r := range s {
		switch {
		case unicode.IsLetter(r), r == '\u00b0':
		case i > 0 && r == '.' && isLetterAt(s, i+1), i > 0 && r == '\'' && isLetterAt(s, i+1):
		case i > 0 && (r == '2' || r == '3') && !isDigitAt(s, i+1):
			return s[:i+1]
		case i == 0:
			_, width := utf8.DecodeRuneInString(s)
			return s[:width]
		default:
			return s[:i]
		}
	}
	return s
}

func isDigitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

func isLetterAt(s string, i int) bool {
	for _, r := range s[min(i, len(s)):] {
		return unicode.IsLetter(r)
	}
	return false
}

// magnitudes are the words and letters that multiply a number.
var magnitudes = map[string]int64{
	"k": 1e3, "K": 1e3, "thousand": 1e3, "thousands": 1e3, "tsd": 1e3, "tausend": 1e3, "mille": 1e3, "hundred": 100,
	"M": 1e6, "MM": 1e6, "mn": 1e6, "mln": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "millionen": 1e6,
	"millones": 1e6, "millón": 1e6, "milhões": 1e6, "milioni": 1e6, "miljoen": 1e6,
	"B": 1e9, "bn": 1e9, "bln": 1e9, "billion": 1e9, "billions": 1e9, "mrd": 1e9, "milliarden": 1e9, "milliard": 1e9,
	"milliards": 1e9, "miljard": 1e9, "miliardi": 1e9,
	"T": 1e12, "tn": 1e12, "trn": 1e12, "trillion": 1e12, "trillions": 1e12,
	"lakh": 1e5, "lakhs": 1e5, "crore": 1e7, "crores": 1e7, "dozen": 12,
}

func magnitude(w string) (int64, bool) {
	if m, ok := magnitudes[w]; ok {
		return m, true
	}
	if len(w) > 1 {
		m, ok := magnitudes[strings.TrimRight(strings.ToLower(w), ".")]
		return m, ok
	}
	return 0, false
}

// amount is numbers with what stands around them.
type amount struct {
	before string
	parts  []part
}

// part is a number with the words after it.
type part struct {
	n    *big.Rat
	mult bool // multiplied by a magnitude
	unit string
}

// amountOf takes an amount apart: an optional sign and words before, then numbers with words after each.
func amountOf(s string) (a amount, ok bool) {
	negative := false
	if t, found := strings.CutPrefix(s, "("); found && strings.HasSuffix(t, ")") {
		s, negative = t[:len(t)-1], true
	}
	for _, t := range tokens(s) {
		switch {
		case t.n != nil:
			a.parts = append(a.parts, part{n: t.n})
		case len(a.parts) > 0:
			a.parts[len(a.parts)-1].add(t)
		case (t.word == "-" || t.word == "+") && !negative:
			negative = t.word == "-"
		case a.before == "" && wordNumbers[strings.ToLower(t.word)] != nil:
			a.parts = append(a.parts, part{n: wordNumbers[strings.ToLower(t.word)]})
		default:
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

// add adds a word after the number: a magnitude, or a part of the unit. A single letter is a magnitude only without
// a space before it: "5K" is five thousand, "5 K" a temperature.
func (p *part) add(t token) {
	m, is := magnitude(t.word)
	if is && p.unit == "" && !p.mult && (len(t.word) > 1 || t.glue) {
		p.n, p.mult = new(big.Rat).Mul(p.n, big.NewRat(m, 1)), true
		return
	}
	p.unit += spaced(p.unit, t)
}

func spaced(before string, t token) string {
	if before == "" || t.glue {
		return t.word
	}
	return " " + t.word
}

// readAmount reads a number, a percentage, an amount of money or a quantity.
func readAmount(s spelling) (Value, bool) {
	if exponent.MatchString(s.as) {
		n, ok := plainNumber(s.as)
		return number(n), ok
	}
	a, ok := amountOf(s.as)
	if !ok {
		return Value{}, false
	}
	if len(a.parts) > 1 {
		return compound(a)
	}
	p := a.parts[0]
	unit := strings.TrimRight(strings.ToLower(p.unit), ".")
	switch {
	case a.before == "" && unit == "":
		return number(p.n), true
	case a.before == "" && percents[unit] != nil:
		return number(new(big.Rat).Mul(p.n, percents[unit])), true
	}
	if v, ok := money(a.before, p); ok {
		return v, true
	}
	if a.before != "" {
		return Value{}, false
	}
	if u, ok := unitOf(p.unit); ok {
		return quantity(u, u.base(p.n)), true
	}
	return counted(p)
}

var percents = map[string]*big.Rat{}

func init() {
	for w, n := range map[string]int64{
		"% percent pct pct. prozent pourcent pour|cent per|cent por|ciento por|cento procent percento procento v.h": 100,
		"‰ permille per|mille promille": 1000, "bp bps basis|points basis|point": 10000,
	} {
		for _, f := range strings.Fields(w) {
			percents[strings.ReplaceAll(f, "|", " ")] = big.NewRat(1, n)
		}
	}
}

// counted reads a number of things that have no unit: "1,500 users".
func counted(p part) (Value, bool) {
	words := strings.Fields(p.unit)
	if len(words) == 0 || len(words) > 2 || strings.ContainsAny(p.unit, "0123456789/:-_#@()") {
		return Value{}, false
	}
	noun := strings.Join(words, " ")
	if r := []rune(noun); len(r) < 3 {
		return Value{}, false
	}
	noun = singular(text.Key(noun))
	return Value{Kind: Quantity, form: p.n.RatString() + " " + noun, grain: ofAmount(p.n, noun)}, true
}

func singular(noun string) string {
	if len(noun) > 3 && strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss") {
		return noun[:len(noun)-1]
	}
	return noun
}

// symbols are the signs and words of currencies. "$" alone is the dollar of the United States.
var symbols = map[string]string{
	"$": "USD", "us$": "USD", "usd$": "USD", "$us": "USD", "dollar": "USD", "dollars": "USD", "us dollar": "USD", "us dollars": "USD",
	"u.s. dollars": "USD", "bucks": "USD", "€": "EUR", "euro": "EUR", "euros": "EUR", "eur": "EUR", "£": "GBP", "pound": "GBP",
	"pounds": "GBP", "pound sterling": "GBP", "pounds sterling": "GBP", "quid": "GBP", "stg": "GBP", "¥": "JPY", "円": "JPY", "yen": "JPY",
	"jp¥": "JPY", "cn¥": "CNY", "元": "CNY", "yuan": "CNY", "rmb": "CNY", "renminbi": "CNY", "₹": "INR", "rs": "INR", "rupees": "INR",
	"rupee": "INR", "₽": "RUB", "rubles": "RUB", "roubles": "RUB", "руб": "RUB", "₩": "KRW", "won": "KRW", "원": "KRW", "₺": "TRY",
	"₪": "ILS", "₴": "UAH", "₫": "VND", "฿": "THB", "baht": "THB", "zł": "PLN", "zloty": "PLN", "złoty": "PLN", "kč": "CZK",
	"fr": "CHF", "sfr": "CHF", "fr.": "CHF", "swiss francs": "CHF", "swiss franc": "CHF", "r$": "BRL", "reais": "BRL", "real": "BRL",
	"a$": "AUD", "au$": "AUD", "australian dollars": "AUD", "c$": "CAD", "ca$": "CAD", "cdn$": "CAD", "canadian dollars": "CAD",
	"nz$": "NZD", "hk$": "HKD", "s$": "SGD", "sg$": "SGD", "nt$": "TWD", "mx$": "MXN", "kr": "kr", "kr.": "kr", "kronor": "SEK",
	"kroner": "kr", "₱": "PHP", "₦": "NGN", "naira": "NGN", "r": "ZAR", "rand": "ZAR", "dh": "AED", "dirhams": "AED", "₿": "BTC",
	"btc": "BTC",
}

// notCodes are the codes that are words or units, too: in small letters they are no currency.
var notCodes = map[string]bool{
	"all": true, "top": true, "try": true, "cup": true, "mad": true, "gel": true, "ron": true, "lak": true, "mop": true,
}

func currencyOf(s string) (string, bool) {
	low := strings.TrimRight(strings.ToLower(s), ".")
	if c, ok := symbols[low]; ok {
		return c, true
	}
	if len(s) != 3 || notCodes[low] && s != strings.ToUpper(s) {
		return "", false
	}
	c, err := currency.ParseISO(s)
	return c.String(), err == nil
}

// minor are the words of hundredths.
var minor = map[string]string{
	"cent": "USD", "cents": "USD", "¢": "USD", "pence": "GBP", "eurocent": "EUR", "eurocents": "EUR",
}

// money reads an amount with its currency before or after it, or a sign before and a code after; then a period may
// follow.
func money(before string, p part) (Value, bool) {
	if code := minor[strings.ToLower(p.unit)]; code != "" && before == "" {
		return moneyOf(new(big.Rat).Quo(p.n, big.NewRat(100, 1)), code, ""), true
	}
	n, before, after := p.n, before, p.unit
	after, per := periodOf(after)
	if !p.mult {
		n, after = shortMagnitude(n, before, after)
	}
	if rest, ok := strings.CutSuffix(before, "-"); ok {
		n, before = new(big.Rat).Neg(n), strings.TrimSpace(rest) // $-5
	}
	code, ok := currencyAround(before, after)
	return moneyOf(n, code, per), ok
}

// shortMagnitude reads the m and b that mean million and billion only beside a currency: "$5m", "5m USD".
func shortMagnitude(n *big.Rat, before, after string) (*big.Rat, string) {
	switch m, ok := strings.CutPrefix(after, "m"); {
	case ok && (m == "" && before != "" || strings.HasPrefix(m, " ")):
		return new(big.Rat).Mul(n, big.NewRat(1e6, 1)), strings.TrimSpace(m)
	case after == "b" && before != "":
		return new(big.Rat).Mul(n, big.NewRat(1e9, 1)), ""
	}
	return n, after
}

// currencyAround returns the currency that stands before or after a number. A code after says which dollar is meant.
func currencyAround(before, after string) (string, bool) {
	sign, hasSign := currencyOf(before)
	code, hasCode := currencyOf(after)
	switch {
	case before != "" && !hasSign, after != "" && !hasCode:
		return "", false
	case !hasSign:
		return code, hasCode
	case !hasCode || sign == code:
		return sign, true
	}
	which := before == "$" && strings.HasSuffix(code, "D") || sign == "JPY" && code == "CNY" || sign == "kr"
	return code, which
}

func moneyOf(n *big.Rat, code, per string) Value {
	return Value{Kind: Money, form: code + " " + n.RatString() + per, grain: ofAmount(n, code+per)}
}

// periods are what an amount may be paid for.
var periods = map[string]string{
	"h": "/hour", "hr": "/hour", "hour": "/hour", "hourly": "/hour", "d": "/day", "day": "/day", "daily": "/day",
	"wk": "/week", "week": "/week", "weekly": "/week", "mo": "/month", "month": "/month", "monthly": "/month", "monat": "/month",
	"mois": "/month", "mes": "/month", "yr": "/year", "y": "/year", "year": "/year", "yearly": "/year", "annually": "/year",
	"annum": "/year", "jahr": "/year", "an": "/year", "año": "/year", "p.a": "/year", "pa": "/year", "p.m": "/month", "pm": "/month",
}

var perPeriod = regexp.MustCompile(`(?i)^(.*?) ?(?:/ ?|per |a |an |each |pro |par |por )([a-zñ.]+)$`)

// periodOf cuts the period from the end of what follows an amount.
func periodOf(after string) (rest, per string) {
	if m := perPeriod.FindStringSubmatch(after); m != nil {
		if per, ok := periods[strings.TrimRight(strings.ToLower(m[2]), ".")]; ok {
			return m[1], per
		}
	}
	words := strings.Fields(after)
	if len(words) == 0 {
		return after, ""
	}
	last := strings.TrimRight(strings.ToLower(words[len(words)-1]), ".")
	if per, ok := periods[last]; ok && (len(last) > 4 || strings.HasPrefix(last, "p")) {
		return strings.Join(words[:len(words)-1], " "), per
	}
	return after, ""
}

var (
	between = regexp.MustCompile(`(?i)^(?:between|from|zwischen|von|entre|de) (.+?) (?:and|to|und|bis|et|y|à|a) (.+)$`)
	dashed  = regexp.MustCompile(`(?i)^(.*?\d.*?) ?(?:-|\.\.\.?| to | bis | à ) ?([^-]*\d.*)$`)
)

// readRange reads a range of numbers or amounts of one unit: "5-7", "between 5 and 7 days".
func readRange(s spelling) (Value, bool) {
	m := between.FindStringSubmatch(s.as)
	if m == nil {
		m = dashed.FindStringSubmatch(s.as)
	}
	if m == nil {
		return Value{}, false
	}
	low, ok1 := readAmount(spellingOf(strings.TrimSpace(m[1])))
	high, ok2 := readAmount(spellingOf(strings.TrimSpace(m[2])))
	if !ok1 || !ok2 {
		return Value{}, false
	}
	unit := strings.TrimLeft(strings.TrimSpace(m[2]), "0123456789.,'")
	bare := strings.TrimLeft(strings.TrimSpace(m[1]), "+-0123456789.,' ") == ""
	if low.Kind == Number && (high.Kind != Number || bare && unit != "") { // 5-7 days, 5-7%
		unit = unit[strings.LastIndexAny(unit, "0123456789")+1:]
		if low, ok1 = readAmount(spellingOf(strings.TrimSpace(m[1]) + unit)); !ok1 {
			return Value{}, false
		}
	}
	if low.Kind == Money && high.Kind == Number { // $5-7
		sign := strings.TrimRight(strings.TrimSpace(m[1]), "0123456789.,' kKM")
		if high, ok2 = readAmount(spellingOf(sign + strings.TrimSpace(m[2]))); !ok2 {
			return Value{}, false
		}
	}
	if low.Kind != high.Kind {
		return Value{}, false
	}
	return Value{Kind: Range, form: low.Canonical() + ".." + high.Canonical(), grain: rangeOf(low, high)}, true
}
