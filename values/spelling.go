package values

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tenure/text"
)

// spelling is a text in two forms: compatibility characters resolved and spaces collapsed, and that in lower case.
type spelling struct{ as, low string }

func spellingOf(s string) spelling {
	s = closed(strings.Join(strings.Fields(uniform(s)), " "))
	return spelling{s, strings.ToLower(s)}
}

// marks are the variants of dashes, quotes and signs by the one that is compared.
var marks = func() map[rune]string {
	m := map[rune]string{
		'\u2044': "\u2044", '\u066b': ".", '\u066c': ",", '\u066a': "%", '\u060c': ",", '\u3002': ".", '\u00d7': "x",
	}
	for to, from := range map[string]string{
		"-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "'": "\u2018\u2019\u201a\u201b\u02bc\u2039\u203a\u00b4\u2032",
		`"`: "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u300c\u300d\u300e\u300f",
		// what does not show: soft hyphens, joiners, marks of direction and order of bytes, selectors of variants
		"": "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufe0e\ufe0f\u061c",
	} {
		for _, r := range from {
			m[r] = to
		}
	}
	return m
}()

// raised are the digits of powers.
var raised = map[rune]string{
	'\u2070': "0", '\u00b9': "1", '\u00b2': "2", '\u00b3': "3", '\u2074': "4", '\u2075': "5", '\u2076': "6", '\u2077': "7",
	'\u2078': "8", '\u2079': "9", '\u207b': "-",
}

// zeros are the zeros of the decimal digits of other scripts.
var zeros = []rune("\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20\u1040\u17e0\u1810")

// uniform returns a text in compatibility form with one kind of dashes, quotes and digits. A power and a fraction stay
// apart from the digits before them: 10³ is "10^3", 1½ is "1 1⁄2".
func uniform(s string) string {
	if text.IsASCII(s) {
		return s
	}
	var b strings.Builder
	var last rune // as written
	for _, r := range s {
		b.WriteString(plainRune(r, last))
		last = r
	}
	return norm.NFKC.String(b.String())
}

func plainRune(r, last rune) string {
	if r < 0x80 {
		return string(r)
	}
	if to, ok := marks[r]; ok {
		return to
	}
	digit := last >= '0' && last <= '9'
	if power, ok := raised[r]; ok {
		if digit {
			return "^" + power
		}
		return power
	}
	switch {
	case unicode.Is(unicode.Nd, r):
		for _, zero := range zeros {
			if r >= zero && r <= zero+9 {
				return string('0' + r - zero)
			}
		}
	case digit && unicode.Is(unicode.No, r) && strings.ContainsRune(norm.NFKC.String(string(r)), '\u2044'):
		return " " + string(r)
	}
	return string(r)
}

// closed returns a text without closing punctuation, and without quotes around it.
func closed(s string) string {
	for {
		plain := strings.TrimRight(s, ".!;, ")
		if n := len(plain); n > 2 && strings.IndexByte("\"'`", plain[0]) >= 0 && plain[n-1] == plain[0] {
			plain = strings.TrimSpace(plain[1 : n-1])
		}
		if plain == s {
			return s
		}
		s = plain
	}
}
