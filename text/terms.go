package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// stopWords carry no information about the topic of a question.
var stopWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`a an the of to in on for and or is are was were be we i you it this that what
		which who when where how do does did can could should would will our your my with by at from as have has
		had there any about now us me they their`) {
		set[w] = true
	}
	return set
}()

// Terms yields the search terms of a text: lower-case words without stop words and English endings. Yielded
// slices share the buffer room, which is returned for reuse.
func Terms(content string, room []byte, yield func([]byte)) []byte {
	word := room[:0]
	flush := func() {
		if len(word) > 0 && !stopWords[string(word)] {
			yield(stem(word))
		}
		word = word[:0]
	}
	for _, r := range content {
		switch {
		case r < utf8.RuneSelf && isLower(byte(r)), r < utf8.RuneSelf && isDigit(byte(r)):
			word = append(word, byte(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = utf8.AppendRune(word, unicode.ToLower(r))
		default:
			flush()
		}
	}
	flush()
	return word
}

func stem(word []byte) []byte {
	word = singular(word)
	n := len(word)
	if n > 3 && word[n-1] == word[n-2] && isLower(word[n-1]) && !isVowel(word[n-1]) {
		n-- // "planned" is to "plan" as "called" is to "call"
		word = word[:n]
	}
	switch {
	case n > 3 && word[n-1] == 'e': // "manage" is to "manages" as "lead" is to "leads", and "live" to "living"
		word = word[:n-1]
	case n > 3 && word[n-1] == 'y' && !isVowel(word[n-2]): // "city" is to "cities" as "movie" is to "movies"
		word[n-1] = 'i'
	}
	return word
}

// singular takes an English ending off a word.
func singular(word []byte) []byte {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if len(word) > len(end)+3 && string(word[len(word)-len(end):]) == end {
			return word[:len(word)-len(end)]
		}
	}
	if len(word) == 4 && word[3] == 's' && word[2] != 's' && isLower(word[2]) && !isVowel(word[2]) { // "keys", "jobs"
		return word[:3]
	}
	return word
}

// isVowel reports whether c is a vowel of ASCII.
func isVowel(c byte) bool { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' }

// isLower reports whether c is a lower-case ASCII letter.
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// isDigit reports whether c is an ASCII digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// AllDigits reports whether a text has nothing but ASCII digits.
func AllDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}
