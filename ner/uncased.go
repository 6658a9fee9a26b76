package ner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findUncasedNames finds names in scripts without capitals, by surnames,
// honorifics, towns, and the endings of firms and places.
func (d *document) findUncasedNames() {
	for i := range d.tokens {
		t := d.tokens[i]
		if !t.isWord() || t.latin || t.capital {
			continue
		}
		r, _ := utf8.DecodeRuneInString(t.lower)
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			d.findHanNames(i)
		case unicode.Is(unicode.Hangul, r):
			d.findHangulName(i)
		case unicode.Is(unicode.Arabic, r):
			d.findArabicName(i)
		}
	}
}

// hanRun is a run of Chinese or Japanese, which has no spaces between words.
type hanRun struct {
	d        *document
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

// found is a name of n characters.
type found struct {
	n         int
	typ, rule string
}

// findHanNames finds the names in a token of Chinese or Japanese.
func (d *document) findHanNames(i int) {
	t := d.tokens[i]
	text := d.text[t.start:t.end]
	h := hanRun{d: d, chars: []rune(text), japanese: d.hasKanaNear(t)}
	offsets := make([]int, 0, len(h.chars)+1)
	for at := range text {
		offsets = append(offsets, t.start+at)
	}
	offsets = append(offsets, t.end)
	add := func(from int, f found) {
		d.add(span{start: offsets[from], end: offsets[from+f.n], typ: f.typ, rule: f.rule, certain: true})
	}
	if n := h.nameBeforeCopula(); n > 0 {
		add(len(h.chars)-n-len([]rune(copula)), found{n, Person, "name before the copula"})
	}
	boundary, afterPerson := true, false
	for k := 0; k < len(h.chars); {
		f := h.nameAt(k, boundary, afterPerson)
		afterPerson = f.typ == Person
		if f.n == 0 {
			boundary = h.isBoundary(k)
			k++
			continue
		}
		add(k, f)
		boundary = true
		k += f.n
	}
}

// hasKanaNear reports whether the line of a token holds kana, and so is
// Japanese.
func (d *document) hasKanaNear(t token) bool {
	const window = 240 // bytes
	from, to := runeStart(d.text, max(0, t.start-window)), runeStart(d.text, min(len(d.text), t.end+window))
	from += strings.LastIndexByte(d.text[from:t.start], '\n') + 1
	if n := strings.IndexByte(d.text[t.end:to], '\n'); n >= 0 {
		to = t.end + n
	}
	return strings.ContainsFunc(d.text[from:to], isKana)
}

func isKana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// isBoundary reports whether a name may begin after the i-th character.
func (h hanRun) isBoundary(i int) bool {
	r := h.chars[i]
	return h.d.hanBoundaries.has(string(r)) || strings.ContainsRune("的说說", r) || unicode.Is(unicode.Hiragana, r)
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
func (h hanRun) nameAt(i int, boundary, afterPerson bool) found {
	if !boundary {
		return found{h.placeAt(i), Place, "town"}.orNone()
	}
	if n := h.nameBeforeHonorific(i); n > 0 {
		return found{n, Person, "name with honorific"}
	}
	if n := h.roleAt(i); n > 0 && !afterPerson {
		return found{n, Role, "role"}
	}
	if n := h.placeAt(i); n > 0 {
		return found{n, Place, "town"}
	}
	if n := h.firmAt(i); n > 0 {
		return found{n, Organization, "firm"}
	}
	return found{h.personAt(i), Person, "family name"}.orNone()
}

// orNone returns f, or the zero value if it has no characters.
func (f found) orNone() found {
	if f.n == 0 {
		return found{}
	}
	return f
}

// longestIn returns the length of the longest entry of list, of 2 to limit
// characters, that begins with the i-th character.
func (h hanRun) longestIn(list wordSet, i, limit int) int {
	for n := limit; n >= 2; n-- {
		if list.has(h.at(i, n)) {
			return n
		}
	}
	return 0
}

func (h hanRun) roleAt(i int) int { return h.longestIn(h.d.hanRoles, i, 4) }

// placeAt returns the length of a place with the suffix that belongs to it.
func (h hanRun) placeAt(i int) int {
	n := h.longestIn(h.d.hanPlaces, i, 3)
	if n == 0 {
		return 0
	}
	suffix := h.at(i+n, 1)
	return n + boolInt(h.d.hanPlaceSuffixes.has(suffix) && suffix != "路")
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
			if h.d.japaneseHonorifics.has(h.at(i+n, w)) {
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
			if h.d.hanOrgSuffixes.has(h.at(i+n, w)) {
				end := n + w
				return end + 2*boolInt(h.at(i+end, 2) == company)
			}
		}
	}
	return 0
}

func (h hanRun) isStop(i int) bool { return h.d.hanStopCharacters.has(h.at(i, 1)) }

// personAt returns the length of a surname with the given name after it: one or
// two characters, none if a title follows. A Japanese surname has at least two
// characters, and no kana begins it.
func (h hanRun) personAt(i int) int {
	if h.japanese && isKana(h.chars[i]) {
		return 0
	}
	for surname := 3; surname >= 1; surname-- {
		if !h.d.hanSurnames.has(h.at(i, surname)) {
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
	return h.d.chineseTitles.has(h.at(i, 2)) || h.d.chineseTitles.has(h.at(i, 1))
}

// findHangulName finds a Korean town, a firm, or a surname with a given name, at
// the beginning of token i. Particles are part of the token and not of the name.
func (d *document) findHangulName(i int) {
	t := d.tokens[i]
	chars := []rune(d.text[t.start:t.end])
	f := found{d.hangulPlace(chars), Place, "town"}.orNone()
	if f.n == 0 {
		f = found{d.hangulFirm(chars), Organization, "firm"}.orNone()
	}
	if f.n == 0 {
		f = found{d.hangulPerson(i, chars), Person, "family name"}.orNone()
	}
	if f.n > 0 {
		end := t.start + len(string(chars[:f.n]))
		d.add(span{start: t.start, end: end, typ: f.typ, rule: f.rule, certain: true})
	}
}

// hangulPlace returns the length of the town that chars begin with.
func (d *document) hangulPlace(chars []rune) int {
	for n := min(3, len(chars)); n >= 2; n-- {
		particle := string(chars[n:])
		if d.hangulPlaces.has(string(chars[:n])) && (particle == "" || d.hangulPlaceParticles.has(particle)) {
			return n
		}
	}
	return 0
}

// hangulFirm returns the length of a name that ends in what a firm does.
func (d *document) hangulFirm(chars []rune) int {
	const maxName, maxSuffix = 8, 4
	for n := 3; n <= min(len(chars), maxName); n++ {
		particle := string(chars[n:])
		if particle != "" && !d.hangulParticles.has(particle) && !d.hangulPlaceParticles.has(particle) {
			continue
		}
		for w := 2; w <= maxSuffix && w < n-1; w++ {
			if d.hangulOrgSuffixes.has(string(chars[n-w : n])) {
				return n
			}
		}
	}
	return 0
}

// hangulPerson returns the length of a surname with a given name that token i
// begins with.
func (d *document) hangulPerson(i int, chars []rune) int {
	if len(chars) < 2 || !d.hangulSurnames.has(string(chars[:1])) && !d.hangulSurnames.has(string(chars[:2])) {
		return 0
	}
	next := d.at(i + 1)
	titleBehind := next.spaceBefore && d.isHangulTitle(next.lower)
	for n := min(4, len(chars)); n >= 2; n-- {
		rest := string(chars[n:])
		switch {
		case rest == "" && (titleBehind || n == 3 && d.namesHangulPerson(i)),
			rest != "" && n == 3 && d.hangulParticles.has(rest),
			n <= 3 && d.isHangulTitle(rest):
			return n
		}
	}
	return 0
}

// isHangulTitle reports whether w is an honorific or a rank, with or without a
// particle or a copula.
func (d *document) isHangulTitle(w string) bool {
	if len(w) > maxWord {
		return false
	}
	if d.hangulTitles.has(w) {
		return true
	}
	for i := range w {
		if i > 0 && d.hangulTitles.has(w[:i]) && (d.hangulParticles.has(w[i:]) || d.hangulCopulas.has(w[i:])) {
			return true
		}
	}
	return false
}

// namesHangulPerson reports whether a name without a particle may stand at token
// i: before a comma or a colon, or as a whole sentence.
func (d *document) namesHangulPerson(i int) bool {
	next := d.at(i + 1)
	return d.tokens[i].sentenceStart && next.kind == punctToken || next.lower == "," || next.lower == ":"
}

// findArabicName finds a name after a title, a name that begins with a frequent
// given name, or a town after its preposition.
func (d *document) findArabicName(i int) {
	t, before := d.tokens[i], d.at(i-1).lower
	if before == "." {
		before = d.at(i - 2).lower
	}
	if d.arabicStopWords.has(t.lower) || d.arabicTitles.has(t.lower) {
		return
	}
	switch {
	case d.arabicTitles.has(before), d.arabicGivenNames.has(t.lower) && !d.arabicGivenNames.has(before):
		end := d.tokens[d.lastOfArabicName(i)].end
		d.add(span{start: t.start, end: end, typ: Person, rule: "arabic name", certain: true})
	case d.places.has(t.lower) && (d.arabicPlacePrepositions.has(before) || d.at(i-1).kind == punctToken):
		d.add(span{start: t.start, end: t.end, typ: Place, rule: "town", certain: true})
	}
}

// lastOfArabicName returns the last token of the name that begins at token i: the
// next word, and a third if both the first and the third are given names.
func (d *document) lastOfArabicName(i int) int {
	if !d.continuesArabicName(i + 1) {
		return i
	}
	given := d.arabicGivenNames.has(d.tokens[i].lower) && d.arabicGivenNames.has(d.at(i+2).lower)
	return i + 1 + boolInt(given && d.continuesArabicName(i+2))
}

// continuesArabicName reports whether token i may be another part of a name: no
// function word and no noun with an article.
func (d *document) continuesArabicName(i int) bool {
	const article = "ال"
	t := d.at(i)
	return t.isWord() && t.adjacent() && !t.latin &&
		!d.arabicStopWords.has(t.lower) && !strings.HasPrefix(t.lower, article)
}
