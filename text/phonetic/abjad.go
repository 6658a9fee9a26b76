package phonetic

import (
	"strings"
	"unicode/utf8"

	"tenure/text"
)

// letters maps the letters of scripts that leave vowels unwritten to symbols, and those of scripts with a vowel of
// their own in each consonant, whose romanisation lacks it.
var letters = map[rune]string{
	// Arabic, Persian and Urdu
	'ا': "0", 'أ': "0", 'إ': "0", 'آ': "0", 'ء': "", 'ؤ': "1", 'ئ': "2", 'ى': "0", 'ة': "|", 'ع': "|",
	'ب': "~", 'پ': "p", 'ت': "t", 'ث': "\"", 'ج': "'", 'چ': "C", 'ح': ",", 'خ': ",", 'د': "d", 'ذ': ":", 'ر': "r",
	'ز': "z", 'ژ': "Z", 'س': "s", 'ش': "_", 'ص': "s", 'ض': ":", 'ط': "t", 'ظ': ":", 'غ': ";", 'ف': "`", 'ڤ': "v",
	'ق': ".", 'ك': ".", 'ک': ".", 'گ': "g", 'ل': "l", 'م': "m", 'ن': "n", 'ه': "h", 'و': "1", 'ي': "2", 'ی': "2",
	// Hebrew
	'א': "0", 'ב': "8", 'ג': "-", 'ד': "d", 'ה': "|", 'ו': "1", 'ז': "z", 'ח': ",", 'ט': "t", 'י': "2", 'כ': "^", 'ך': "^",
	'ל': "l", 'מ': "m", 'ם': "m", 'נ': "n", 'ן': "n", 'ס': "s", 'ע': "|", 'פ': "9", 'ף': "9", 'צ': "ts", 'ץ': "ts",
	'ק': "k", 'ר': "r", 'ש': "_", 'ת': "t",
}

// abjadGroups lists letters that together spell one foreign sound.
var abjadGroups = strings.NewReplacer("تش", "چ", "דז'", "\x01", "ג'", "\x01", "ז'", "ژ", "צ'", "چ", "ץ'", "چ", "ת'", "ث", "טש",
	"چ", "וו", "\x02", "יי", "י", "'", "", "׳", "", "’", "")

// other returns the code of a word in a script that leaves vowels unwritten or has a vowel in each consonant, or of
// which only the romanisation is known.
func other(word string) Code {
	switch first, _ := utf8.DecodeRuneInString(word); {
	case first >= firstDeva && first <= lastDeva:
		return code(devanagari(word), false)
	case first >= firstThai && first <= lastThai:
		return code(thai(word), false)
	}
	out := make([]byte, 0, len(word))
	known := false
	if rest, ok := strings.CutPrefix(word, "ال"); ok && len(rest) > 4 {
		out, word = append(out, "0!"...), rest // the article, which many spellings leave out
	}
	for _, r := range abjadGroups.Replace(word) {
		switch symbols, ok := letters[r]; {
		case r == 1:
			out = append(out, 'J')
		case r == 2:
			out = append(out, '>')
		case ok:
			out, known = append(out, symbols...), true
		}
	}
	if known {
		return code(out, true)
	}
	return code(latin(text.PlainASCII(plain(text.Khmer.Replace(word)))), true)
}
