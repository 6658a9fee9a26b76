package phonetic

// kanaRows lists Katakana in the order of its vowels a, i, u, e, o, with the consonant of each.
var kanaRows = []struct{ letters, consonants string }{
	{"アイウエオ", "     "}, {"カキクケコ", "kkkkk"}, {"ガギグゲゴ", "ggggg"}, {"サシスセソ", "NMNNN"}, {"ザジズゼゾ", "IIIII"},
	{"タチツテト", "tOttt"}, {"ダヂヅデド", "dIIdd"}, {"ナニヌネノ", "nnnnn"}, {"ハヒフヘホ", "hhUhh"}, {"バビブベボ", "BBBBB"},
	{"パピプペポ", "ppppp"}, {"マミムメモ", "mmmmm"}, {"ラリルレロ", "LLLLL"}, {"ヤ ユ ヨ", "y y y"}, {"ワヰ ヱヲ", "w    "},
	{"  ヴ  ", "  v  "}, {"ァィゥェォ", "*****"}, {"ャ ュ ョ", "+ + +"},
}

type syllable struct{ consonant, vowel byte }

var kanaTable = func() map[rune]syllable {
	table := map[rune]syllable{}
	for _, row := range kanaRows {
		i := 0
		for _, r := range row.letters {
			table[r] = syllable{row.consonants[i], "aiueo"[i]}
			i++
		}
	}
	return table
}()

// kana returns the symbols of Katakana, and of Hiragana as Katakana. The vowel u, and o after t and d, may only be
// there because a consonant cannot stand alone.
func kana(word string) []byte {
	var out []byte
	for _, r := range word {
		if r >= 'ぁ' && r <= 'ゖ' {
			r += 'ァ' - 'ぁ'
		}
		if r == 'ン' {
			out = append(out, 'n')
			continue
		}
		s, ok := kanaTable[r]
		switch {
		case !ok:
		case s.consonant == '*' || s.consonant == '+':
			out = replaceVowel(out, s)
		case r == 'ツ':
			out = append(out, 't', '<', '@')
		default:
			if s.consonant != ' ' {
				out = append(out, s.consonant)
			}
			out = append(out, weakened(s))
		}
	}
	return single(out)
}

// replaceVowel gives the syllable before a small letter the vowel of that letter.
func replaceVowel(out []byte, s syllable) []byte {
	if n := len(out); n > 0 && isVowel(out[n-1]) {
		if glide := out[n-1] == 'u' && n == 1; glide { // ウィ is wi
			out[0] = 'w'
			return append(out, s.vowel)
		}
		out = out[:n-1]
		if s.consonant == '+' {
			out = append(out, '@')
		}
	}
	return append(out, s.vowel)
}

func weakened(s syllable) byte {
	switch {
	case s.consonant == ' ':
		return s.vowel
	case s.vowel == 'u', s.vowel == 'o' && (s.consonant == 't' || s.consonant == 'd'),
		s.vowel == 'i' && (s.consonant == 'O' || s.consonant == 'I'):
		return '@'
	}
	return s.vowel
}
