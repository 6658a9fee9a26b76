package statements

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a token consists of.
type tokenKind uint8

const (
	word   tokenKind = iota
	number           // begins with a digit
	quoted           // a quotation or code, with its marks
	punct
	breaks // the end of a line
	emoji
)

// token is a part of a text without spaces, or a quotation.
type token struct {
	start, end int
	low        string
	kind       tokenKind
	capital    bool
	latin      bool
	// class are the classes of the word, within those of the phrases that it is part of.
	class, within class
	hits          []hit
}

// hit is a phrase of a table in a list of tokens: from and to are indexes, to exclusive.
type hit struct {
	class    class
	from, to int
}

func (t token) is(c class) bool { return t.class&c != 0 }

// longestQuote bounds quotations, and longestWord words: what is longer is no word but data.
const longestQuote, longestWord = 160, 120

// lexed divides a text into tokens. Contractions are divided ("is", "n't").
func lexed(text string) []token {
	var list []token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			list = append(list, token{start: i, end: i + 1, low: "\n", kind: breaks})
			i++
		case unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || isVariation(r) ||
			r == utf8.RuneError:
			i += size
		case isWordRune(r):
			j := endOfWord(text, i)
			list = addWord(list, text, i, j)
			i = j
		default:
			j := endOfMark(text, i, r, size)
			list = append(list, markOf(text, i, j, r))
			i = j
		}
	}
	return list
}

// withSlang divides the contractions of English that are written without an apostrophe, and "its" where it stands for
// "it is": before a word that no possessive precedes.
func withSlang(tokens []token) []token {
	var out []token
	for i, t := range tokens {
		if n, ok := slang[t.low]; ok && t.end-t.start == len(t.low) {
			second := token{start: t.start + n, end: t.end, low: slangWord(t.low[n:]), latin: true}
			t.end, t.low = t.start+n, t.low[:n]
			out = append(out, t, second)
			continue
		}
		if t.low != "its" || t.end-t.start != 3 || i+1 >= len(tokens) {
			out = append(out, t)
			continue
		}
		next := tokens[i+1]
		if !followsIs(next) {
			out = append(out, t)
			continue
		}
		it, is := t, t
		it.end, it.low = t.start+2, "it"
		is.start, is.low = t.start+2, "'s"
		out = append(out, it, is)
	}
	return out
}

// isVariation reports whether a rune only modifies how the one before it is drawn.
func isVariation(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F || r >= 0x1F3FB && r <= 0x1F3FF }

// followsIs reports whether a token follows a verb and no possessive.
func followsIs(t token) bool {
	participle := t.is(verb) && !t.is(noun) && (strings.HasSuffix(t.low, "ing") || strings.HasSuffix(t.low, "ed"))
	return participle || t.kind == number || t.kind == quoted || t.is(prep|det|adverb|not|numberWord|weekday|now)
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !isVariation(r) || r == '_'
}

// endOfWord returns the end of the word that begins at i. Signs within it belong to it where they join.
func endOfWord(text string, i int) int {
	j := i
	address := strings.HasPrefix(text[i:], "http://") || strings.HasPrefix(text[i:], "https://")
	for j < len(text) {
		r, size := utf8.DecodeRuneInString(text[j:])
		if isWordRune(r) {
			j += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[j+size:])
		if address && !unicode.IsSpace(r) && (isWordRune(next) || r == '/') {
			j += size
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(text[:j])
		if j == i || !isWordRune(next) || !joins(r, last, next) {
			break
		}
		j += size
	}
	return j
}

// joins reports whether a sign between two letters or digits is part of the word.
func joins(r, before, after rune) bool {
	digits := unicode.IsDigit(before) && unicode.IsDigit(after)
	switch r {
	case '\'', '’':
		return unicode.IsLetter(before) || unicode.IsLetter(after)
	case '-', '_', '@', '.', '‑':
		return true
	case ',', ':', '/':
		return digits
	case '\\', '+', '&':
		return r != '+' || digits
	}
	return false
}

// endOfMark returns the end of what begins with a sign: a quotation, a row of dots, an arrow, or one sign.
func endOfMark(text string, i int, r rune, size int) int {
	if closing := closingOf(r); closing != 0 {
		if j := endOfQuote(text, i+size, closing, r); j > 0 {
			return j
		}
	}
	if strings.ContainsRune("-=.!?*#", r) {
		j := i + size
		for j < len(text) && (text[j] == byte(r) || text[j] == '>' && strings.ContainsRune("-=", r)) {
			j++
		}
		return j
	}
	return i + size
}

func closingOf(r rune) rune {
	switch r {
	case '"', '`':
		return r
	case '“', '„':
		return '”'
	case '«':
		return '»'
	case '‘', '\'':
		return '’'
	}
	return 0
}

// endOfQuote returns the end of a quotation whose text begins at i, 0 if it is none.
func endOfQuote(text string, i int, closing, opening rune) int {
	for j := i; j < len(text) && j-i <= longestQuote; {
		r, size := utf8.DecodeRuneInString(text[j:])
		if r == '\n' {
			return 0
		}
		if r == closing || opening == '„' && r == '“' || opening == '\'' && r == '\'' {
			next, _ := utf8.DecodeRuneInString(text[j+size:])
			if j > i && (opening != '\'' && opening != '‘' || !isWordRune(next)) {
				return j + size
			}
		}
		j += size
	}
	return 0
}

func markOf(text string, start, end int, r rune) token {
	t := token{start: start, end: end, low: text[start:end], kind: punct}
	switch {
	case closingOf(r) != 0 && end > start+utf8.RuneLen(r):
		t.kind = quoted
		t.low = strings.ToLower(t.low)
	case r > 0x2190 && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r)) && r != '→' && r != '⇒':
		t.kind = emoji
	}
	return t
}

// slang are contractions without an apostrophe: where the second word of each begins.
var slang = map[string]int{
	"dont": 2, "doesnt": 4, "didnt": 3, "isnt": 2, "arent": 3, "wasnt": 3, "werent": 4, "hasnt": 3, "havent": 4,
	"hadnt": 3, "wont": 2, "cant": 2, "couldnt": 5, "wouldnt": 5, "shouldnt": 6, "im": 1, "ive": 1, "youre": 3,
	"theyre": 4, "hes": 2, "shes": 3, "thats": 4, "whats": 4, "whos": 3, "theres": 5, "wheres": 5, "hows": 3,
	"itll": 2, "theyll": 4, "weve": 2, "theyve": 4, "youve": 3, "heres": 4,
	"shouldve": 6, "couldve": 5, "wouldve": 5, "mustve": 4, "youd": 3, "theyd": 4,
}

// addWord adds a word, divided where it is a contraction.
func addWord(list []token, text string, start, end int) []token {
	s := text[start:end]
	if len(s) > longestWord {
		return append(list, token{start: start, end: end, low: "", kind: number, latin: true})
	}
	low := strings.ReplaceAll(strings.ToLower(s), "’", "'")
	first, _ := utf8.DecodeRuneInString(s)
	t := token{start: start, end: end, low: low, capital: unicode.IsUpper(first), latin: unicode.Is(unicode.Latin, first)}
	if unicode.IsDigit(first) {
		t.kind = number
		return append(list, t)
	}
	i, j := strings.IndexAny(s, "'’"), strings.IndexByte(low, '\'')
	if i <= 0 || j <= 0 {
		return append(list, t)
	}
	_, width := utf8.DecodeRuneInString(s[i:])
	switch contraction(low, j) {
	case beforeLetter:
		i, j = i-1, j-1
	case afterMark:
		i, j = i+width, j+1
	case none:
		return append(list, t)
	}
	second := t
	t.end, t.low = start+i, low[:j]
	second.start, second.low = start+i, low[j:]
	r, _ := utf8.DecodeRuneInString(s[i:])
	second.capital = unicode.IsUpper(r)
	return append(list, t, second)
}

func slangWord(s string) string {
	switch s {
	case "nt":
		return "n't"
	case "s", "re", "m", "ve", "ll", "d":
		return "'" + s
	}
	return s
}

// Where the second word of a contraction begins.
const (
	none = iota
	beforeLetter
	atMark
	afterMark
)

// contraction says where the second word of a contraction begins, whose apostrophe is at mark.
func contraction(low string, mark int) int {
	switch low[mark+1:] {
	case "t":
		if mark > 1 && low[mark-1] == 'n' {
			return beforeLetter
		}
	case "s", "re", "m", "ve", "ll", "d":
		return atMark
	case "":
		return none
	}
	switch low[:mark] {
	case "j", "l", "d", "n", "c", "s", "qu", "m", "t", "jusqu", "lorsqu", "puisqu":
		return afterMark
	}
	return none
}

func firstWidth(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func lastWidth(s string) int {
	_, n := utf8.DecodeLastRuneInString(s)
	return n
}
