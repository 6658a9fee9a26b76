package ner

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/ner/words"
)

type kind uint8

const (
	wordToken kind = iota
	numberToken
	punctToken
	identifierToken // a span found by findIdentifiers
)

// token is a word with its inner hyphens and apostrophes, a number, an
// identifier, or one rune of punctuation. A possessive 's is a token of its own.
type token struct {
	start, end    int
	lower         string // the text in lower case
	id            int    // index into identifiers
	kind          kind
	capital       bool // begins with a capital, or has one inside: "macOS"
	allCaps       bool // two letters or more, all of them capitals
	sentenceStart bool // begins a sentence, a line, a cell or a quoted value
	spaceBefore   bool // white space before
	lineStart     bool // a line break before
	latin         bool // the first letter is Latin
	stem          bool // a common English word without inflection
}

func (t token) isWord() bool { return t.kind == wordToken }

// tokenise fills d.tokens. It needs the identifiers, each of which is one token.
func (d *document) tokenise() {
	next, gap, line := 0, false, true
	for i := 0; i < len(d.text); {
		if next < len(d.identifiers) && i >= d.identifiers[next].start {
			s := d.identifiers[next]
			d.push(token{start: s.start, end: s.end, kind: identifierToken, id: next, lower: d.text[s.start:s.end]}, gap, line)
			i, gap, line = s.end, false, false
			next++
			continue
		}
		limit := len(d.text)
		if next < len(d.identifiers) {
			limit = d.identifiers[next].start
		}
		r, size := utf8.DecodeRuneInString(d.text[i:])
		switch {
		case unicode.IsSpace(r):
			gap, line = true, line || r == '\n'
			i += size
			continue
		case words.IsWordRune(r):
			d.push(d.wordAt(i, limit), gap, line)
		default:
			t := token{start: i, end: i + size, kind: punctToken, lower: d.text[i : i+size]}
			if p := words.Possessive(d.text[i:limit]); p > 0 && !gap && i > 0 {
				t.end, t.lower = i+p, "'s"
			}
			d.push(t, gap, line)
		}
		i, gap, line = d.tokens[len(d.tokens)-1].end, false, false
	}
}

// wordAt returns the word at byte i: letters, digits and marks, joined by single
// hyphens and apostrophes, or dotted letters such as S.r.l.
func (d *document) wordAt(i, limit int) token {
	s, end, seg, dotted := d.text[:limit], i, 0, false
	for end < limit {
		r, size := utf8.DecodeRuneInString(s[end:])
		if words.IsWordRune(r) {
			end, seg = end+size, seg+1
			continue
		}
		size, more := joint(s[i:end], s[end:], seg, dotted)
		end, seg, dotted = end+size, 0, dotted || r == '.'
		if !more {
			break
		}
	}
	return d.newWord(i, end)
}

// joint returns the bytes of the sign after a word that belong to the word, and reports whether the word goes on
// after the sign. seg is the number of letters since the last sign; dotted words are abbreviations so far.
func joint(word, rest string, seg int, dotted bool) (size int, more bool) {
	r, size := utf8.DecodeRuneInString(rest)
	after, _ := utf8.DecodeRuneInString(rest[size:])
	more = words.IsWordRune(after) && after != utf8.RuneError
	switch r {
	case '-', '‐', '\'', '’':
		more = more && words.Possessive(rest) == 0 && !suffixed(word, rest[size:])
	case '.':
		if seg == 1 && (more || dotted) && unicode.IsLetter(lastRune(word)) {
			return size, more // the last dot of S.r.l. belongs to the word, too
		}
		return 0, false
	case '/': // A/S
		more = more && seg == 1 && len(word) == 1 && capitalAlone(rest[size:])
	default:
		return 0, false
	}
	if !more {
		return 0, false
	}
	return size, true
}

// capitalAlone reports whether a text starts with a word of one upper-case letter.
func capitalAlone(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) && (len(s) == 1 || !words.IsWordRune(rune(s[1])))
}

// suffixed reports whether the text after an apostrophe is a case ending, which
// Turkish writes after a name: İzmir'de.
func suffixed(name, tail string) bool {
	n := strings.IndexFunc(tail, func(r rune) bool { return !unicode.IsLetter(r) })
	if n < 0 {
		n = len(tail)
	}
	r, _ := utf8.DecodeRuneInString(name)
	return n >= 2 && len(name) > n && unicode.IsUpper(r) && turkishEndings.Has(tail[:n])
}

// turkishEndings are the case endings that follow a name and its apostrophe.
var turkishEndings = words.NewSet("de da te ta den dan ten tan ye ya nin nın nun nün in ın un ün yi yı yu yü yle yla deki daki")

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func (d *document) newWord(start, end int) token {
	s := d.text[start:end]
	t := token{start: start, end: end, lower: d.lowered(start, end)}
	t.stem = d.IsStem(t.lower)
	first, _ := utf8.DecodeRuneInString(s)
	t.latin = unicode.Is(unicode.Latin, first)
	t.capital = unicode.IsUpper(first) || unicode.IsTitle(first)
	letters, uppers, digits := countCharacters(s)
	// macOS
	t.capital = t.capital || uppers > 0 && uppers < letters && len(s) > 3 && !strings.ContainsAny(s, "_-0123456789")
	t.allCaps = letters >= 2 && uppers == letters
	if letters == 0 && digits > 0 {
		t.kind = numberToken
	}
	return t
}

// countCharacters counts the letters of s, its capitals and its digits.
func countCharacters(s string) (letters, uppers, digits int) {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z':
			letters++
		case unicode.IsUpper(r):
			uppers++
			letters++
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return letters, uppers, digits
}

func (d *document) push(t token, gap, line bool) {
	t.spaceBefore, t.lineStart = gap, line
	t.sentenceStart = line || d.afterBreak() || d.afterTicket()
	d.tokens = append(d.tokens, t)
	if t.isWord() && t.capital && !t.sentenceStart {
		d.capitals[t.lower]++
	}
}

// afterBreak reports whether a sentence begins after the tokens so far. A dot
// after a single letter or an honorific ends none.
func (d *document) afterBreak() bool {
	n := len(d.tokens)
	if n == 0 {
		return true
	}
	last := d.tokens[n-1]
	if last.kind != punctToken {
		return false
	}
	switch last.lower {
	case ".":
		if n < 2 || last.spaceBefore {
			return true
		}
		before := d.tokens[n-2]
		abbreviated := utf8.RuneCountInString(before.lower) == 1 || d.Honorifics.Has(before.lower)
		return !before.isWord() || (!abbreviated || !before.capital) && before.lower != "st"
	case "!", "?", "¿", "¡", ":", "…", "|", ">", "。", "！", "？", "؟", "•", "·", "—":
		return true
	case "\"", "“", "„", "«", "(", "[", "*", "`", "#", "-", "]", "'", "‘", "「":
		return last.sentenceStart || opensQuote(last.lower) || last.lower == "'"
	}
	return false
}

// afterTicket reports whether the last token so far is an identifier that begins
// its line, as before the title of a ticket.
func (d *document) afterTicket() bool {
	if len(d.tokens) == 0 {
		return false
	}
	last := d.tokens[len(d.tokens)-1]
	return last.kind == identifierToken && last.lineStart && d.identifiers[last.id].typ == Identifier
}

// at returns the token at i, or an empty punctuation token outside the text.
func (d *document) at(i int) token {
	if i < 0 || i >= len(d.tokens) {
		return token{kind: punctToken, sentenceStart: true, lineStart: true}
	}
	return d.tokens[i]
}

// sortByLength sorts spans by falling length, then by falling senses.
func sortByLength(spans []span) {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(b.end-b.start, a.end-a.start), len(b.senses)-len(a.senses))
	})
}

func sortByStart(spans []span) {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
}

func anyBit(bits []uint64, start, end int) bool {
	for i := start; i < end; i++ {
		if bits[i/64]&(1<<(i%64)) != 0 {
			return true
		}
	}
	return false
}

func setBits(bits []uint64, start, end int) {
	for i := start; i < end; i++ {
		bits[i/64] |= 1 << (i % 64)
	}
}
