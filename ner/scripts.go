package ner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findScripts finds names in scripts that have no capitals. Their cues are
// family names, honorifics, towns and the endings of firms and places.
func (d *document) findScripts() {
	for i := range d.tokens {
		t := d.tokens[i]
		if !t.word() || t.latin || t.capital {
			continue
		}
		r, _ := utf8.DecodeRuneInString(t.lower)
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			d.findHan(i)
		case unicode.Is(unicode.Hangul, r):
			d.findHangul(i)
		case unicode.Is(unicode.Arabic, r):
			d.findArabic(i)
		}
	}
}

// findHan walks a run of Chinese or Japanese.
func (d *document) findHan(at int) {
	t := d.tokens[at]
	s := []rune(d.text[t.start:t.end])
	offsets := make([]int, 0, len(s)+1)
	for i := range d.text[t.start:t.end] {
		offsets = append(offsets, t.start+i)
	}
	offsets = append(offsets, t.end)
	japanese := d.japaneseLine(t)
	boundary := true
	if n := nameBeforeCopula(s); japanese && n > 0 {
		// "ミツバ印刷の田中ゆりです": who it is stands before the copula
		from := len(s) - n - 2
		d.add(span{start: offsets[from], end: offsets[from+n], typ: Person, rule: "name before the copula", sure: true})
	}
	afterPerson := false // what follows a name is a title, no role
	for i := 0; i < len(s); {
		n, typ, rule := d.hanAt(s, i, boundary, japanese, afterPerson)
		afterPerson = typ == Person
		if n == 0 {
			boundary = d.hanBoundaries.has(string(s[i])) || strings.ContainsRune("的说說", s[i]) || unicode.Is(unicode.Hiragana, s[i])
			i++
			continue
		}
		d.add(span{start: offsets[i], end: offsets[i+n], typ: typ, rule: rule, sure: true})
		boundary = true
		i += n
	}
}

// japaneseLine says whether the line of a token holds kana.
func (d *document) japaneseLine(t token) bool {
	const near = 240 // bytes
	from, to := runeStart(d.text, max(0, t.start-near)), runeStart(d.text, min(len(d.text), t.end+near))
	from += strings.LastIndexByte(d.text[from:t.start], '\n') + 1
	if n := strings.IndexByte(d.text[t.end:to], '\n'); n >= 0 {
		to = t.end + n
	}
	return strings.ContainsFunc(d.text[from:to], func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
}

// nameBeforeCopula is the length of a family name with what follows it between
// の and a closing です.
func nameBeforeCopula(s []rune) int {
	if len(s) < 6 || string(s[len(s)-2:]) != "です" {
		return 0
	}
	for n := 2; n <= 6 && n+3 <= len(s); n++ {
		if s[len(s)-2-n-1] == 'の' {
			name := s[len(s)-2-n : len(s)-2]
			if n >= 3 && unicode.Is(unicode.Han, name[0]) && unicode.Is(unicode.Han, name[1]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// hanAt reads a name at s[i].
func (d *document) hanAt(s []rune, i int, boundary, japanese, afterPerson bool) (n int, typ, rule string) {
	if japanese {
		if n := d.beforeTitle(s, i); n > 0 && boundary {
			return n, Person, "name with honorific"
		}
	}
	for n := 4; n >= 2 && boundary && !afterPerson; n-- {
		if i+n <= len(s) && d.hanRoles.has(string(s[i:i+n])) {
			return n, Role, "role"
		}
	}
	for n := 3; n >= 2; n-- {
		if i+n <= len(s) && d.hanPlaces.has(string(s[i:i+n])) {
			if i+n < len(s) && d.hanPlaceSuffixes.has(string(s[i+n])) && s[i+n] != '路' {
				n++
			}
			return n, Place, "town"
		}
	}
	if !boundary {
		return 0, "", ""
	}
	if n := d.hanFirm(s, i); n > 0 {
		return n, Organization, "firm"
	}
	if japanese && unicode.In(s[i], unicode.Hiragana, unicode.Katakana) {
		return 0, "", ""
	}
	if n := d.hanPerson(s, i, japanese); n > 0 {
		return n, Person, "family name"
	}
	return 0, "", ""
}

// beforeTitle is the length of the run of one script before an honorific.
func (d *document) beforeTitle(s []rune, i int) int {
	for n := 1; n <= 8 && i+n < len(s); n++ {
		for w := 3; w >= 1; w-- {
			if i+n+w <= len(s) && d.japaneseHonorifics.has(string(s[i+n:i+n+w])) {
				return boolInt(n > 1 || unicode.Is(unicode.Han, s[i])) * n
			}
		}
		if r := s[i+n-1]; unicode.Is(unicode.Hiragana, r) || !unicode.In(r, unicode.Han, unicode.Katakana) && r != '・' && r != 'ー' {
			return 0
		}
	}
	return 0
}

// hanFirm is the length of a run that ends in a word for a firm.
func (d *document) hanFirm(s []rune, i int) int {
	if d.hanStopCharacters.has(string(s[i])) {
		return 0
	}
	for n := 2; n <= 12 && i+n <= len(s); n++ {
		if d.hanStopCharacters.has(string(s[i+n-1])) && n < 3 {
			return 0
		}
		for w := 4; w >= 2; w-- {
			if i+n+w <= len(s) && d.hanOrgSuffixes.has(string(s[i+n:i+n+w])) {
				if i+n+w+2 <= len(s) && string(s[i+n+w:i+n+w+2]) == "公司" {
					w += 2
				}
				return n + w
			}
		}
	}
	return 0
}

// hanPerson is the length of a family name with one or two signs behind it.
func (d *document) hanPerson(s []rune, i int, japanese bool) int {
	for family := 3; family >= 1; family-- {
		if i+family > len(s) || !d.hanSurnames.has(string(s[i:i+family])) {
			continue
		}
		if japanese && family == 1 {
			return 0
		}
		given := 0
		for given < 2 && i+family+given < len(s) && unicode.Is(unicode.Han, s[i+family+given]) &&
			!d.hanStopCharacters.has(string(s[i+family+given])) && !d.titleAt(s, i+family+given) {
			given++
		}
		if given > 0 || family > 1 || d.titleAt(s, i+family) {
			return family + boolInt(family < 3)*given
		}
	}
	return 0
}

func (d *document) titleAt(s []rune, i int) bool {
	for w := 2; w >= 1; w-- {
		if i+w <= len(s) && d.chineseTitles.has(string(s[i:i+w])) {
			return true
		}
	}
	return false
}

// findHangul finds a family name with two syllables, and towns; endings are
// glued to both.
func (d *document) findHangul(i int) {
	t := d.tokens[i]
	s := []rune(d.text[t.start:t.end])
	add := func(n int, typ, rule string) {
		d.add(span{start: t.start, end: t.start + len(string(s[:n])), typ: typ, rule: rule, sure: true})
	}
	for n := 3; n >= 2; n-- {
		if len(s) >= n && d.hangulPlaces.has(string(s[:n])) && (len(s) == n || d.hangulPlaceParticles.has(string(s[n:]))) {
			add(n, Place, "town")
			return
		}
	}
	if n := d.hangulFirm(s); n > 0 {
		add(n, Organization, "firm")
		return
	}
	titled := d.at(i+1).spaceBefore && d.hangulTitle(d.at(i+1).lower)
	for n := 4; n >= 2; n-- {
		if len(s) < n || !d.hangulSurnames.has(string(s[:1])) && !d.hangulSurnames.has(string(s[:2])) {
			continue
		}
		rest := string(s[n:])
		switch {
		case rest == "" && (titled || n == 3 && d.personInHangul(i)), n == 3 && d.hangulParticles.has(rest) && len(rest) > 0, d.hangulTitle(rest) && n <= 3:
			add(n, Person, "family name")
			return
		}
	}
}

// hangulFirm is the length of a name that ends in what a firm does, before the
// endings of the word; 0 if there is none.
func (d *document) hangulFirm(s []rune) int {
	const longest = 8
	for n := 3; n <= min(len(s), longest); n++ {
		rest := string(s[n:])
		if rest != "" && !d.hangulParticles.has(rest) && !d.hangulPlaceParticles.has(rest) {
			continue
		}
		for w := 2; w <= 4 && w < n-1; w++ {
			if d.hangulOrgSuffixes.has(string(s[n-w : n])) {
				return n
			}
		}
	}
	return 0
}

// hangulTitle says whether w is an honorific or a rank, with the endings that
// words take.
func (d *document) hangulTitle(w string) bool {
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

// personInHangul says whether a bare name stands where the sentence names
// somebody: at its beginning or before punctuation.
func (d *document) personInHangul(i int) bool {
	n := d.at(i + 1)
	return d.tokens[i].sentenceStart && n.kind == punctToken || n.lower == "," || n.lower == ":"
}

// findArabic finds names behind titles, names that begin with a frequent given
// name, and towns behind their prepositions.
func (d *document) findArabic(i int) {
	t := d.tokens[i]
	before := d.at(i - 1).lower
	if before == "." {
		before = d.at(i - 2).lower
	}
	if d.arabicStopWords.has(t.lower) || d.arabicTitles.has(t.lower) {
		return
	}
	titled := d.arabicTitles.has(before)
	switch {
	case titled || d.arabicGivenNames.has(t.lower) && !d.arabicGivenNames.has(before):
		end := i + 1
		for end < i+3 && d.at(end).word() && d.at(end).spaceBefore && !d.at(end).lineStart && !d.arabicStopWords.has(d.at(end).lower) && !strings.HasPrefix(d.at(end).lower, "ال") && !d.at(end).latin && (end == i+1 || d.arabicGivenNames.has(d.at(i).lower) && d.arabicGivenNames.has(d.at(end).lower)) {
			end++
		}
		d.add(span{start: t.start, end: d.tokens[end-1].end, typ: Person, rule: "arabic name", sure: true, titled: titled})
	case d.places.has(t.lower) && (d.arabicPlacePrepositions.has(before) || d.at(i-1).kind == punctToken):
		d.add(span{start: t.start, end: t.end, typ: Place, rule: "town", sure: true})
	}
}
