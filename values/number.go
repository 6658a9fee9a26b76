package values

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// largest and longestNumber bound numbers, because those beyond cost memory: the exponent of the largest number that
// programs exchange, and its digits.
const largest, longestNumber = 308, 400

// plainNumber reads a decimal number as JSON writes it. It refuses numbers beyond any real quantity.
func plainNumber(s string) (*big.Rat, bool) {
	if len(s) > longestNumber || strings.ContainsAny(s, "/xXoObBpP_") {
		return nil, false
	}
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		i = len(s)
	} else if exp := strings.TrimLeft(s[i+1:], "+-0"); len(exp) > 3 || num(exp) > largest {
		return nil, false
	}
	whole, _, _ := strings.Cut(strings.TrimLeft(s[:i], "+-"), ".")
	if len(strings.TrimLeft(whole, "0")) > largest+1 {
		return nil, false
	}
	n, ok := new(big.Rat).SetString(s)
	return n, ok && !beyond(n)
}

// limit is the first power of ten that is beyond any real quantity.
var limit = new(big.Int).Exp(big.NewInt(10), big.NewInt(largest+1), nil)

func beyond(n *big.Rat) bool {
	if n.Num().BitLen() < largest {
		return false
	}
	return n.Num().CmpAbs(new(big.Int).Mul(limit, n.Denom())) >= 0
}

var (
	// groupedNumber is digits with one kind of separator between groups of three; Indian groups have two digits but for
	// the last.
	groupedNumber = regexp.MustCompile(`^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3}){2,}|(?: \d{3})+|(?:'\d{3})+)$|` +
		`^[1-9]\d?(?:,\d\d)+,\d{3}$`)
	withDecimals = regexp.MustCompile(`^([1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+|(?:'\d{3})+))\.(\d+)$|` +
		`^([1-9]\d{0,2}(?:(?:\.\d{3})+|(?: \d{3})+|(?:'\d{3})+))[,](\d+)$|^([1-9]\d?(?:,\d\d)+,\d{3})\.(\d+)$`)
	decimal     = regexp.MustCompile(`^(?:(0|[1-9]\d*)?[.](\d+)|(0|[1-9]\d*)[,](\d+))$`)
	doubtful    = regexp.MustCompile(`^[1-9]\d{0,2}\.\d{3}$`)
	numberToken = regexp.MustCompile(`^(?:\d(?:[\d.,]|'\d{3}\b)*(?: \d{3}\b)*(?:[.,]\d+)?|[.,]\d+)`)
	// fractionToken is a fraction of a kind that is in use, alone or after a whole number.
	fractionToken = regexp.MustCompile(`^(?:(\d{1,3}) )?(\d{1,2})(⁄|/)(\d{1,2})\b`)
)

// writtenNumber reads a number as people write it: with separators of thousands, a decimal point or comma. A comma
// before exactly three digits separates thousands; what a point there does depends on the country. Digits with a zero
// in front are a code.
func writtenNumber(s string) (*big.Rat, bool) {
	switch {
	case isDigits(s):
		if s[0] == '0' && len(s) > 1 {
			return nil, false
		}
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

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// token is a number or a word of an amount.
type token struct {
	n     *big.Rat
	doubt string // how else the number could be read
	word  string // as written
	glue  bool   // no space before it
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
		if s[0] >= '0' && s[0] <= '9' || (s[0] == '.' || s[0] == ',') && isDigitAt(s, 1) {
			t, length := numberIn(s)
			if t.n == nil {
				return nil
			}
			t.glue = glue
			list, s, glue = append(list, t), s[length:], true
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

// numberIn reads the number at the start of a text.
func numberIn(s string) (t token, length int) {
	if strings.ContainsAny(s, "/⁄") {
		if m := fractionToken.FindStringSubmatch(s); m != nil {
			if n, ok := fraction(m[1], m[2], m[4], m[3] == "/" && len(m[0]) == len(s)); ok {
				return token{n: n}, len(m[0])
			}
		}
	}
	m := strings.TrimRight(numberToken.FindString(s), ".,")
	n, ok := writtenNumber(m)
	if !ok {
		return token{}, 0
	}
	t = token{n: n}
	if doubtful.MatchString(m) {
		t.doubt = fmt.Sprintf("is %s or %s: leave out what separates thousands", strings.TrimRight(m, "0"), digits(m))
	}
	return t, len(m)
}

// fraction reads a fraction of the denominators in use. With a slash and nothing else, it could be a date.
func fraction(whole, num, den string, bare bool) (*big.Rat, bool) {
	n, ok := new(big.Rat).SetString(num + "/" + den)
	if !ok || n.Cmp(one) >= 0 || !slices.Contains(denominators, den) || bare && whole == "" {
		return nil, false
	}
	if whole != "" {
		w, _ := plainNumber(whole)
		n.Add(n, w)
	}
	return n, true
}

var denominators = []string{"2", "3", "4", "5", "6", "8", "9", "10", "12", "16"}

var one = big.NewRat(1, 1)

// wordIn returns the letters at the start of a text, with the power of a unit ("m2"), or its first character.
func wordIn(s string) string {
	for i, r := range s {
		switch {
		case i == 0:
			if !isOfWord(r) {
				_, width := utf8.DecodeRuneInString(s)
				return s[:width]
			}
		case isOfWord(r), unicode.IsMark(r), (r == '.' || r == '\'') && isLetterAt(s, i+1):
		case (r == '2' || r == '3') && !isDigitAt(s, i+1):
			return s[:i+1]
		case r == '^' && isDigitAt(s, i+1) && !isDigitAt(s, i+2):
			return s[:i+2]
		default:
			return s[:i]
		}
	}
	return s
}

// isOfWord reports whether a character can be in a word: a letter, or the sign of degrees.
func isOfWord(r rune) bool { return unicode.IsLetter(r) || r == '\u00b0' }

func isDigitAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

func isLetterAt(s string, i int) bool {
	for _, r := range s[min(i, len(s)):] {
		return unicode.IsLetter(r)
	}
	return false
}

var (
	// wordNumbers are the number words below a hundred.
	wordNumbers = byWord("numbers", integer)
	// multiples are the words that multiply the number words before them.
	multiples = byWord("multiples", integer)
	// fractionWords are parts of a whole.
	fractionWords = byWord("fractions", func(parts string) *big.Rat { return big.NewRat(1, integer(parts)) })
)

func integer(meaning string) int64 { return int64(num(meaning)) }

// inDigits writes the number words at the start of a text in digits: "two and a half hours" as "2.5 hours", "an hour
// and a half" as "1.5 hour". It returns "" for a text without them.
func inDigits(low string) string {
	sign := ""
	for _, w := range []string{"minus ", "negative "} {
		if rest, ok := strings.CutPrefix(low, w); ok {
			sign, low = "-", rest
		}
	}
	words := numberWords(low)
	n, used := spoken(words)
	if isDigits(words[0]) {
		n, _ = plainNumber(words[0])
		if used = 1; partAfter(words[1:]) != nil { // 2 and a half hours
			n, used = new(big.Rat).Add(n, partAfter(words[1:])), 4
		}
	}
	if used == 0 && isOne(words) {
		n, used = one, 1
	}
	if used == 0 || n == nil {
		return ""
	}
	rest := words[used:]
	for i, w := range rest {
		if _, again := wordNumbers[w]; again {
			return ""
		}
		if part := partAfter(rest[i:]); i > 0 && part != nil && i+3 == len(rest) { // an hour and a half
			n, rest = new(big.Rat).Add(n, part), rest[:i]
			break
		}
	}
	return sign + strings.TrimSpace(inFull(n)+" "+strings.Join(rest, " "))
}

// inFull writes a number without doubt: decimals if they end, but not three of them.
func inFull(n *big.Rat) string {
	places, ends := n.FloatPrec()
	switch {
	case n.IsInt():
		return n.RatString()
	case ends && places == 3:
		return n.FloatString(places + 1)
	case ends:
		return n.FloatString(places)
	}
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	part := new(big.Rat).Sub(n, new(big.Rat).SetInt(whole))
	return strings.TrimPrefix(whole.String()+" "+strings.Replace(part.RatString(), "/", "⁄", 1), "0 ")
}

// isOne reports whether an article is a number: "a week", "an hour and a half".
func isOne(words []string) bool {
	if len(words) < 2 || !isArticle(words[0]) || len(words) > 2 && partAfter(words[2:]) == nil && words[2] != "per" {
		return false
	}
	_, isUnit := unitOf(words[1])
	_, isMoney := currencyOf(words[1])
	return (isUnit || isMoney) && len(words[1]) > 2
}

func isArticle(w string) bool { return w == "a" || w == "an" }

// numberWords splits a text into words, those of numbers without hyphens: "twenty-five", "half-hour".
func numberWords(low string) []string {
	words := strings.Fields(low)
	var out []string
	for _, w := range words {
		w = strings.TrimRight(w, ",")
		head, tail, joined := strings.Cut(w, "-")
		if joined && (isNumberWord(head) || head == "half") {
			out = append(out, head, strings.ReplaceAll(tail, "-", " "))
			continue
		}
		out = append(out, w)
	}
	return strings.Fields(strings.Join(out, " "))
}

func isNumberWord(w string) bool {
	_, small := wordNumbers[w]
	return small || multiples[w] > 0
}

// partAfter returns the half of "and a half", nil where there is none.
func partAfter(words []string) *big.Rat {
	if len(words) < 3 || words[0] != "and" || words[1] != "a" && words[1] != "one" {
		return nil
	}
	return fractionWords[words[2]]
}

// spoken reads the number words at the start, and says how many they are.
func spoken(words []string) (*big.Rat, int) {
	if n, used := partSpoken(words); used > 0 {
		return n, used
	}
	s := speech{last: 100}
	i := s.listen(words)
	if i == 0 {
		return new(big.Rat), 0
	}
	n := big.NewRat(s.total+s.current, 1)
	if i+1 < len(words) && words[i] == "point" {
		return pointSpoken(n, words, i)
	}
	if part := partAfter(words[i:]); part != nil {
		return n.Add(n, part), i + 3
	}
	return n, i
}

// speech is a number that is being spoken: what is complete, what may yet be multiplied, and what the next word has to
// be less than.
type speech struct {
	total, current, last int64
	begun                bool
}

// listen takes words as long as they can follow, and says how many it took.
func (s *speech) listen(words []string) int {
	for i, w := range words {
		more := words[i+1:]
		switch {
		case i > 0 && w == "and" && len(more) > 0 && isNumberWord(more[0]):
		case s.add(w, len(more) > 0 && multiples[more[0]] > 0):
		case i > 0 && words[i-1] == "and":
			return i - 1
		default:
			return i
		}
	}
	return len(words)
}

// add takes one more word, if it can follow.
func (s *speech) add(w string, beforeMultiple bool) bool {
	if n, ok := wordNumbers[w]; ok {
		return s.plus(n)
	}
	if isArticle(w) && !s.begun && beforeMultiple {
		s.current, s.begun = 1, true
		return true
	}
	m := multiples[w]
	return m > 0 && s.times(m)
}

// plus takes a number below a hundred.
func (s *speech) plus(n int64) bool {
	if s.begun && (n >= s.last || n == 0) {
		return false
	}
	s.current, s.last, s.begun = s.current+n, 1, true
	if n >= 20 {
		s.last = 10
	}
	return true
}

// times takes a multiple.
func (s *speech) times(m int64) bool {
	const most = 1e15
	switch {
	case s.total > most/m || s.current > most/m:
		return false
	case !s.begun:
		s.current = 1
	case s.current == 0:
		return false
	}
	s.begun, s.last = true, 100
	if s.current *= m; m > 100 {
		s.total, s.current = s.total+s.current, 0
	}
	return true
}

// partSpoken reads a part of a whole: "half a", "a quarter of an", "three quarters of a".
func partSpoken(words []string) (*big.Rat, int) {
	count, i := partsCounted(words)
	if i >= len(words) || fractionWords[words[i]] == nil || i == 0 && words[0] != "half" && words[0] != "quarter" {
		return nil, 0
	}
	n, rest := new(big.Rat).Mul(big.NewRat(count, 1), fractionWords[words[i]]), words[i+1:]
	isOf := len(rest) > 0 && rest[0] == "of"
	if words[i] == "quarter" && (len(rest) == 0 || i == 0 && !isOf) {
		return nil, 0 // of a year, of a dollar
	}
	if isOf {
		rest = rest[1:]
	}
	if len(rest) > 0 && isArticle(rest[0]) {
		rest = rest[1:]
	}
	return n, len(words) - len(rest)
}

// partsCounted returns how many parts of a whole are meant, and the words for that.
func partsCounted(words []string) (count int64, used int) {
	if len(words) > 1 && fractionWords[words[1]] != nil {
		if n := wordNumbers[words[0]]; n > 0 {
			return n, 1
		}
		if words[0] == "a" {
			return 1, 1
		}
	}
	return 1, 0
}

// pointSpoken reads the decimals of "three point one four".
func pointSpoken(n *big.Rat, words []string, i int) (*big.Rat, int) {
	text := n.RatString() + "."
	k := i + 1
	for ; k < len(words); k++ {
		d, ok := wordNumbers[words[k]]
		if !ok || d > 9 {
			break
		}
		text += string('0' + rune(d))
	}
	if k == i+1 {
		return nil, 0
	}
	n, _ = plainNumber(text)
	return n, k
}
