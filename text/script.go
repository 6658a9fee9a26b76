package text

import "unicode"

// Script is a writing system, among those whose names are compared differently.
type Script uint8

// The scripts. OtherScript stands for all others.
const (
	Latin Script = iota
	Han
	Hangul
	Kana
	Cyrillic
	Greek
	Arabic
	OtherScript
)

var scripts = []struct {
	script Script
	table  *unicode.RangeTable
}{
	{Latin, unicode.Latin}, {Han, unicode.Han}, {Hangul, unicode.Hangul}, {Kana, unicode.Katakana}, {Kana, unicode.Hiragana},
	{Cyrillic, unicode.Cyrillic}, {Greek, unicode.Greek}, {Arabic, unicode.Arabic},
}

// ScriptOf returns the script of the first letter. Digits count as Latin.
func ScriptOf(w string) Script {
	for _, r := range w {
		if r < unicode.MaxASCII {
			return Latin
		}
		if unicode.IsLetter(r) {
			return scriptOfLetter(r)
		}
	}
	return Latin
}

func scriptOfLetter(r rune) Script {
	for _, s := range scripts {
		if unicode.Is(s.table, r) {
			return s.script
		}
	}
	return OtherScript
}

// Unspaced reports whether a letter is of a script that puts no blanks between words.
func Unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

// MixesLookAlikes reports whether a word mixes scripts with look-alike letters, as happens only by mistake or
// to deceive (Unicode TS 39).
func MixesLookAlikes(word string) bool {
	seen := [OtherScript + 1]bool{}
	for _, r := range word {
		if unicode.IsLetter(r) {
			seen[scriptOfLetter(r)] = true
		}
	}
	n := 0
	for _, s := range []Script{Latin, Cyrillic, Greek} {
		if seen[s] {
			n++
		}
	}
	return n > 1
}
