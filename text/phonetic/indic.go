package phonetic

import "strings"

// Devanagari and Thai are written in syllables: a consonant has a vowel of its own, or one that no letter writes,
// unless a sign says otherwise. That vowel is of unclear quality, and often not spoken.

// devanagari maps letters to symbols. Source: the romanisation of Hunter, as passports of India have it.
var (
	devanagariConsonants = map[rune]string{
		'क': "k", 'ख': "K", 'ग': "g", 'घ': "A", 'ङ': "n", 'च': "C", 'छ': "C", 'ज': "J", 'झ': "J+", 'ञ': "n",
		'ट': "t", 'ठ': "T",
		'ड': "d", 'ढ': "D", 'ण': "n", 'त': "t", 'थ': "T", 'द': "d", 'ध': "D", 'न': "n", 'प': "p", 'फ': "F", 'ब': "b",
		'भ': "b+",
		'म': "m", 'य': "y", 'र': "r", 'ल': "l", 'ळ': "l", 'व': "V", 'श': "S", 'ष': "S", 'स': "s", 'ह': "h",
	}
	devanagariVowels = map[rune]string{
		'अ': "a", 'आ': "a", 'इ': "i", 'ई': "i", 'उ': "u", 'ऊ': "u", 'ऋ': "ri", 'ए': "e", 'ऐ': "a@", 'ओ': "o",
		'औ': "a@", 'ऑ': "o", 'ऍ': "e",
	}
	devanagariSigns = map[rune]string{
		'ा': "a", 'ि': "i", 'ी': "i", 'ु': "u", 'ू': "u", 'ृ': "ri", 'े': "e", 'ै': "a@", 'ो': "o", 'ौ': "a@",
		'ॉ': "o", 'ॅ': "e", virama: "",
	}
	devanagariGroups = strings.NewReplacer("ज्ञ", "ग्य", "ज़", "\x01", "फ़", "\x02", "ड़", "र", "ढ़", "र", "़", "")
)

const (
	virama    = '्'
	inherent  = '@'
	firstDeva = 'ऀ'
	lastDeva  = 'ॿ'
)

func devanagari(word string) []byte {
	var out []byte
	open := false // a consonant has no vowel yet
	for _, r := range devanagariGroups.Replace(word) {
		consonant, ok := devanagariConsonants[r]
		switch r {
		case 1:
			consonant, ok = "z", true
		case 2:
			consonant, ok = "f", true
		}
		sign, signed := devanagariSigns[r]
		if open && !signed {
			out = append(out, inherent)
		}
		open = ok
		switch {
		case ok:
			out = append(out, consonant...)
		case signed:
			out = append(out, sign...)
		case r == 'ं' || r == 'ँ':
			out = append(out, 'n')
		default:
			out = append(out, devanagariVowels[r]...)
		}
	}
	return single(out)
}

// thaiConsonants maps consonants to symbols, and at the end of a word those that are read otherwise there.
//
// Source: Royal Thai General System of Transcription (1999), and spellings of passports.
var (
	thaiConsonants = map[rune]string{
		'ก': "k", 'ข': "K", 'ฃ': "K", 'ค': "K", 'ฅ': "K", 'ฆ': "K", 'ง': "n@", 'จ': "C", 'ฉ': "C", 'ช': "C",
		'ฌ': "C", 'ซ': "s", 'ศ': "s",
		'ษ': "s", 'ส': "s", 'ญ': "y", 'ย': "y", 'ฎ': "d", 'ด': "d", 'ฏ': "t", 'ต': "t", 'ฐ': "T", 'ถ': "T", 'ฑ': "T",
		'ท': "T", 'ธ': "T",
		'ฒ': "T", 'น': "n", 'ณ': "n", 'บ': "b", 'ป': "p", 'ผ': "F", 'พ': "F", 'ภ': "F", 'ฝ': "f", 'ฟ': "f", 'ม': "m",
		'ร': "r", 'ล': "l",
		'ฬ': "l", 'ว': "V", 'ห': "h", 'ฮ': "h", 'อ': "@", 'ฤ': "ri",
	}
	thaiFinals = map[rune]string{
		'จ': "O", 'ช': "O", 'ซ': `"`, 'ศ': `"`, 'ษ': `"`, 'ส': `"`, 'ฎ': "7", 'ด': "7", 'ญ': "n", 'บ': "B", 'ร': `\`,
		'ล': `\`, 'ฬ': `\`,
	}
	thaiVowels = map[rune]string{
		'ะ': "a", 'ั': "a", 'า': "a", 'ำ': "am", 'ิ': "i", 'ี': "i", 'ึ': "u", 'ื': "u", 'ุ': "u", 'ู': "u",
	}
	thaiLeading = map[rune]string{'เ': "e", 'แ': "e", 'โ': "o", 'ใ': "a@", 'ไ': "a@"} // written before their consonant
)

const (
	silenced  = '์' // over a letter that is not spoken
	firstThai = 'ก'
	lastThai  = '๛'
)

func thai(word string) []byte {
	letters := spokenThai(word)
	var out []byte
	leading := ""
	after := func(i int) rune {
		if i+1 < len(letters) {
			return letters[i+1]
		}
		return 0
	}
	for i, r := range letters {
		symbols, ok := thaiConsonants[r]
		switch {
		case thaiLeading[r] != "":
			leading = thaiLeading[r]
		case !ok:
			out = append(out, thaiVowels[r]...)
		case after(i) == 0 && thaiFinals[r] != "":
			out = append(out, thaiFinals[r]...)
		default:
			out = append(out, symbols...)
			if cluster := leading != "" && (after(i) == 'ร' || after(i) == 'ล'); cluster {
				continue
			}
			out = append(out, leading...)
			if next := after(i); leading == "" && thaiConsonants[next] != "" {
				out = append(out, inherent)
			}
			leading = ""
		}
	}
	return single(out)
}

// spokenThai drops the letters that are marked as silent.
func spokenThai(word string) []rune {
	var letters []rune
	for _, r := range word {
		if r != silenced {
			letters = append(letters, r)
			continue
		}
		if n := len(letters); n > 0 && thaiVowels[letters[n-1]] != "" {
			letters = letters[:n-1]
		}
		letters = letters[:max(len(letters)-1, 0)]
	}
	return letters
}
