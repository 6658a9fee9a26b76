package phonetic

import "strings"

// cyrillicLetters maps the letters of Slavic and Turkic alphabets to symbols.
var cyrillicLetters = map[rune]string{
	'а': "a", 'б': "b", 'в': "V", 'г': "-", 'ґ': "g", 'д': "d", 'е': "e", 'ё': "o", 'є': "ye", 'ж': "Q", 'з': "z", 'и': "i",
	'і': "i", 'ї': "yi", 'й': "y", 'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t",
	'у': "u", 'ў': "w", 'ф': "f", 'х': ",", 'ц': "ts", 'ч': "C", 'ш': "S", 'щ': "S", 'ы': "i", 'э': "e", 'ю': "yu", 'я': "ya",
	'ђ': "J", 'ј': "y", 'љ': "l", 'њ': "n", 'ћ': "C", 'џ': "J", 'қ': "k", 'ғ': "g", 'ң': "n", 'ө': "o", 'ү': "u", 'ұ': "u",
	'һ': "h", 'ә': "a", 'ѓ': "g", 'ќ': "k", 'ѕ': "z",
}

var cyrillicGroups = strings.NewReplacer("дж", "џ")

func cyrillic(word string) []byte {
	var out []byte
	for _, r := range cyrillicGroups.Replace(word) {
		out = append(out, cyrillicLetters[r]...)
	}
	return single(out)
}

// single drops symbols that repeat the one before.
func single(symbols []byte) []byte {
	out := symbols[:0]
	for _, s := range symbols {
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}
