package cjk

import (
	"strings"
	"unicode"

	"tenure/ner/words"
)

// Han returns the names in a run of Chinese or Japanese. They may overlap.
func Han(l *words.Lexicon, text string, japanese bool) []Name {
	h := hanRun{l: l, chars: []rune(text), japanese: japanese}
	offsets := make([]int, 0, len(h.chars)+1)
	for at := range text {
		offsets = append(offsets, at)
	}
	offsets = append(offsets, len(text))
	var names []Name
	add := func(from int, m match) {
		names = append(names, Name{offsets[from], offsets[from+m.n], m.typ, m.rule})
	}
	if n := h.nameBeforeCopula(); n > 0 {
		add(len(h.chars)-n-len([]rune(copula)), match{n, words.Person, "name before the copula"})
	}
	boundary, afterPerson := true, false
	for k := 0; k < len(h.chars); {
		m := h.nameAt(k, boundary, afterPerson)
		afterPerson = m.typ == words.Person
		if m.n == 0 {
			boundary = h.isBoundary(k)
			k++
			continue
		}
		add(k, m)
		boundary = true
		k += m.n
	}
	return names
}

// IsKana reports whether r is Hiragana or Katakana, and its line Japanese.
func IsKana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// hanRun is a run of Chinese or Japanese, which has no spaces between words.
type hanRun struct {
	l        *words.Lexicon
	chars    []rune
	japanese bool
}

// at returns n characters from the i-th, "" if the run is shorter.
func (h hanRun) at(i, n int) string {
	if i+n > len(h.chars) {
		return ""
	}
	return string(h.chars[i : i+n])
}

// isBoundary reports whether a name may begin after the i-th character.
func (h hanRun) isBoundary(i int) bool {
	r := h.chars[i]
	return h.l.HanBoundaries.Has(string(r)) || strings.ContainsRune("的说說", r) || unicode.Is(unicode.Hiragana, r)
}

const copula = "です"

// nameBeforeCopula returns the length of the Japanese name between の and a final
// です, 0 if there is none: "ミツバ印刷の田中ゆりです".
func (h hanRun) nameBeforeCopula() int {
	const minName, maxName = 3, 6
	end := len(h.chars) - len([]rune(copula))
	if !h.japanese || end < 4 || string(h.chars[end:]) != copula {
		return 0
	}
	for n := 2; n <= maxName && n < end; n++ {
		if h.chars[end-n-1] != 'の' {
			continue
		}
		if n >= minName && unicode.Is(unicode.Han, h.chars[end-n]) && unicode.Is(unicode.Han, h.chars[end-n+1]) {
			return n
		}
		return 0
	}
	return 0
}

// nameAt returns the name that begins with the i-th character. Only a place may
// begin without a boundary before it; after a person stands a title and no role.
func (h hanRun) nameAt(i int, boundary, afterPerson bool) match {
	if !boundary {
		return match{h.placeAt(i), words.Place, "town"}.orNone()
	}
	if n := h.nameBeforeHonorific(i); n > 0 {
		return match{n, words.Person, "name with honorific"}
	}
	if n := h.roleAt(i); n > 0 && !afterPerson {
		return match{n, words.Role, "role"}
	}
	if n := h.placeAt(i); n > 0 {
		return match{n, words.Place, "town"}
	}
	if n := h.firmAt(i); n > 0 {
		return match{n, words.Organization, "firm"}
	}
	return match{h.personAt(i), words.Person, "family name"}.orNone()
}

// longestIn returns the length of the longest entry of list, of 2 to limit
// characters, that begins with the i-th character.
func (h hanRun) longestIn(list words.Set, i, limit int) int {
	for n := limit; n >= 2; n-- {
		if list.Has(h.at(i, n)) {
			return n
		}
	}
	return 0
}

func (h hanRun) roleAt(i int) int { return h.longestIn(h.l.HanRoles, i, 4) }

// placeAt returns the length of a place with the suffix that belongs to it.
func (h hanRun) placeAt(i int) int {
	n := h.longestIn(h.l.HanPlaces, i, 3)
	if n == 0 {
		return 0
	}
	suffix := h.at(i+n, 1)
	return n + boolInt(h.l.HanPlaceSuffixes.Has(suffix) && suffix != "路")
}

// nameBeforeHonorific returns the length of the Japanese name before さん and the
// like: a run of kanji, or of katakana.
func (h hanRun) nameBeforeHonorific(i int) int {
	const maxName, maxHonorific = 8, 3
	if !h.japanese {
		return 0
	}
	for n := 1; n <= maxName && i+n < len(h.chars); n++ {
		for w := maxHonorific; w >= 1; w-- {
			if h.l.JapaneseHonorifics.Has(h.at(i+n, w)) {
				return n * boolInt(n > 1 || unicode.Is(unicode.Han, h.chars[i]))
			}
		}
		if !isNameCharacter(h.chars[i+n-1]) {
			return 0
		}
	}
	return 0
}

// isNameCharacter reports whether r is written in surnames: kanji, katakana, and
// the signs between them.
func isNameCharacter(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Katakana) || r == '・' || r == 'ー'
}

// firmAt returns the length of a name that ends in what a firm does.
func (h hanRun) firmAt(i int) int {
	const maxName, maxSuffix, company = 12, 4, "公司"
	if h.isStop(i) || h.isStop(i+1) {
		return 0
	}
	for n := 2; n <= maxName && i+n <= len(h.chars); n++ {
		for w := maxSuffix; w >= 2; w-- {
			if h.l.HanOrgSuffixes.Has(h.at(i+n, w)) {
				end := n + w
				return end + 2*boolInt(h.at(i+end, 2) == company)
			}
		}
	}
	return 0
}

func (h hanRun) isStop(i int) bool { return h.l.HanStopCharacters.Has(h.at(i, 1)) }

// personAt returns the length of a surname with the given name after it: one or
// two characters, none if a title follows. A Japanese surname has at least two
// characters, and no kana begins it.
func (h hanRun) personAt(i int) int {
	if h.japanese && IsKana(h.chars[i]) {
		return 0
	}
	for surname := 3; surname >= 1; surname-- {
		if !h.l.HanSurnames.Has(h.at(i, surname)) {
			continue
		}
		if h.japanese && surname == 1 {
			return 0
		}
		given := h.givenNameAt(i + surname)
		if given > 0 || surname > 1 || h.isTitle(i+surname) {
			return surname + given*boolInt(surname < 3)
		}
	}
	return 0
}

// givenNameAt returns the length of a given name of at most two characters.
func (h hanRun) givenNameAt(i int) int {
	n := 0
	for n < 2 && i+n < len(h.chars) && unicode.Is(unicode.Han, h.chars[i+n]) && !h.isStop(i+n) && !h.isTitle(i+n) {
		n++
	}
	return n
}

func (h hanRun) isTitle(i int) bool {
	return h.l.ChineseTitles.Has(h.at(i, 2)) || h.l.ChineseTitles.Has(h.at(i, 1))
}
