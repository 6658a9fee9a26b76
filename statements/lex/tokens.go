package lex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a token consists of.
type Kind uint8

// The kinds of tokens.
const (
	Word   Kind = iota
	Number      // begins with a digit
	Quoted      // a quotation or code, with its marks
	Punct       // a sign, or a row of them: an arrow, dots
	Break       // the end of a line
	Emoji
)

// Token is a part of a text without spaces, or a quotation.
type Token struct {
	Start, End int    // in bytes of the text, End exclusive
	Low        string // in lower case; "" for what is too long to be a word
	Kind       Kind
	Capital    bool // begins with a capital
	Latin      bool // begins with a letter of the Latin script
	// Class are the classes of the word, Within those of the phrases of several words that it is part of.
	Class, Within Class
	Hits          []Hit // the phrases that begin here, of one word too
}

// Hit is a phrase of a table in a list of tokens: From and To are indexes, To exclusive. The zero value is none.
type Hit struct {
	Class    Class
	From, To int
}

// Is reports whether the word is of one of the classes.
func (t Token) Is(c Class) bool { return t.Class&c != 0 }

// IsOpen reports whether a token is a word of no closed class.
func (t Token) IsOpen() bool {
	return t.Kind == Word && t.Class&(FunctionWord|Filler|Lead|Tail|Yes|No|NumberWord|Unit) == 0
}

// At returns the token at i, or the end of a line where there is none.
func At(tokens []Token, i int) Token {
	if i < 0 || i >= len(tokens) {
		return Token{Kind: Break}
	}
	return tokens[i]
}

// longestQuote bounds quotations, and longestWord words: what is longer is no word but data.
const longestQuote, longestWord = 160, 120

// Tokens divides a text into tokens, which have no classes yet. Contractions are divided ("is", "n't").
func Tokens(text string) []Token {
	var list []Token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			list = append(list, Token{Start: i, End: i + 1, Low: "\n", Kind: Break})
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
func withSlang(tokens []Token) []Token {
	var out []Token
	for i, t := range tokens {
		if n, ok := slang[t.Low]; ok && t.End-t.Start == len(t.Low) {
			second := Token{Start: t.Start + n, End: t.End, Low: slangWord(t.Low[n:]), Latin: true}
			t.End, t.Low = t.Start+n, t.Low[:n]
			out = append(out, t, second)
			continue
		}
		if t.Low != "its" || t.End-t.Start != 3 || i+1 >= len(tokens) {
			out = append(out, t)
			continue
		}
		next := tokens[i+1]
		if !followsIs(next) {
			out = append(out, t)
			continue
		}
		it, is := t, t
		it.End, it.Low = t.Start+2, "it"
		is.Start, is.Low = t.Start+2, "'s"
		out = append(out, it, is)
	}
	return out
}

// isVariation reports whether a rune only modifies how the one before it is drawn.
func isVariation(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F || r >= 0x1F3FB && r <= 0x1F3FF }

// followsIs reports whether a token follows a verb and no possessive.
func followsIs(t Token) bool {
	participle := t.Is(Verb) && !t.Is(Noun) && (strings.HasSuffix(t.Low, "ing") || strings.HasSuffix(t.Low, "ed"))
	return participle || t.Kind == Number || t.Kind == Quoted || t.Is(Prep|Det|Adverb|Not|NumberWord|Weekday|Now)
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

func markOf(text string, start, end int, r rune) Token {
	t := Token{Start: start, End: end, Low: text[start:end], Kind: Punct}
	switch {
	case closingOf(r) != 0 && end > start+utf8.RuneLen(r):
		t.Kind = Quoted
		t.Low = strings.ToLower(t.Low)
	case r > 0x2190 && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r)) && r != '→' && r != '⇒':
		t.Kind = Emoji
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
func addWord(list []Token, text string, start, end int) []Token {
	s := text[start:end]
	if len(s) > longestWord {
		return append(list, Token{Start: start, End: end, Low: "", Kind: Number, Latin: true})
	}
	low := strings.ReplaceAll(strings.ToLower(s), "’", "'")
	first, _ := utf8.DecodeRuneInString(s)
	t := Token{Start: start, End: end, Low: low, Capital: unicode.IsUpper(first), Latin: unicode.Is(unicode.Latin, first)}
	if unicode.IsDigit(first) {
		t.Kind = Number
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
	t.End, t.Low = start+i, low[:j]
	second.Start, second.Low = start+i, low[j:]
	r, _ := utf8.DecodeRuneInString(s[i:])
	second.Capital = unicode.IsUpper(r)
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
