package phonetic

import "strings"

// The parts of a Hangul syllable in the order of Unicode.
var (
	hangulInitials = strings.Fields("3 k n 7 t L m B P N N - 6 6 C k t P h")
	hangulVowels   = strings.Fields("a e @a @e % e @% e o wa we we yo u w% we wi yu @ i i")
	hangulFinals   = strings.Fields("- k k k n n n t L k m p t t p L m p p t t n@ t C k t p t")
)

const (
	hangulFirst = '가'
	hangulLast  = '힣'
)

// koreanFamilies lists family names that are also spelled with an l or r in front, which the North still pronounces.
const koreanFamilies = "이임유양여염용"

func hangul(word string) []byte {
	var out []byte
	for i, r := range word {
		if r < hangulFirst || r > hangulLast {
			continue
		}
		n := int(r - hangulFirst)
		if i == 0 && strings.ContainsRune(koreanFamilies, r) {
			out = append(out, '!')
		}
		initial, vowel, final := hangulInitials[n/588], hangulVowels[n%588/28], hangulFinals[n%28]
		if initial == "N" && strings.HasPrefix(vowel, "i") {
			initial = "M"
		}
		for _, part := range []string{initial, vowel, final} {
			if part != "-" {
				out = append(out, part...)
			}
		}
	}
	return single(out)
}
