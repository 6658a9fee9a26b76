package text

import "strings"

// Sound returns the phonetic code of a word: its consonants by their pronunciation in most Latin spellings,
// and its first vowel if the word starts with one.
func Sound(w string) string {
	out := make([]byte, 0, 40)
	last := byte(0)
	for i := 0; i < len(w); i++ {
		c, skip := consonant(w, i)
		i += skip
		if c != 0 && c != last {
			out = append(out, c)
			last = c
		}
	}
	return string(out)
}

// consonant returns the code of the consonant at an index, 0 for a silent letter, and how many further
// letters it covers.
func consonant(w string, i int) (c byte, skip int) {
	if i+1 < len(w) {
		if c := digraph(w[i], w[i+1]); c != 0 {
			return c, 1
		}
	}
	switch c := w[i]; c {
	case 'a', 'e', 'i', 'o', 'u':
		if i == 0 {
			return 'a', 0
		}
		return 0, 0
	case 'y':
		return 0, 0
	case 'h', 'w':
		if i == 0 {
			return c, 0
		}
		return 0, 0
	case 'c', 'q':
		return 'k', 0
	case 'z':
		return 's', 0
	case 'v':
		return 'f', 0 // Steven, Stephen; Ivanov, Ivanoff
	}
	return w[i], 0
}

// RomanizationVariants unifies letters that are interchanged between romanisations of one name, from Arabic,
// Persian, Cyrillic and other scripts, or that sound alike in Latin spellings.
var RomanizationVariants = strings.NewReplacer(
	"dzh", "j", "dj", "j", "zh", "j", "kh", "h", "gh", "g", "sh", "s", "ch", "s", "th", "t", "dh", "d", "ph", "f", "ck",
	"k", "ks", "x",
	"q", "k", "c", "k", "z", "s", "w", "v", "y", "i", "e", "i", "u", "o",
)

// digraph returns the code of two letters that form one sound, 0 for others.
func digraph(a, b byte) byte {
	switch {
	case b == 'h' && (a == 'c' || a == 's' || a == 'z'):
		return 'x'
	case b == 'h' && a == 'p':
		return 'f'
	case b == 'k' && a == 'c':
		return 'k'
	case b == 'j' && a == 'd':
		return 'j'
	}
	return 0
}
