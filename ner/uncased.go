package ner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/ner/cjk"
	"tenure/ner/words"
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

// findHanNames finds the names in a token of Chinese or Japanese.
func (d *document) findHanNames(i int) {
	t := d.tokens[i]
	for _, n := range cjk.Han(d.Lexicon, d.text[t.start:t.end], d.hasKanaNear(t)) {
		d.add(span{start: t.start + n.Start, end: t.start + n.End, typ: n.Type, rule: n.Rule, certain: true})
	}
}

// hasKanaNear reports whether the line of a token holds kana, and so is
// Japanese.
func (d *document) hasKanaNear(t token) bool {
	const window = 240 // bytes
	from, to := words.RuneStart(d.text, max(0, t.start-window)), words.RuneStart(d.text, min(len(d.text), t.end+window))
	from += strings.LastIndexByte(d.text[from:t.start], '\n') + 1
	if n := strings.IndexByte(d.text[t.end:to], '\n'); n >= 0 {
		to = t.end + n
	}
	return strings.ContainsFunc(d.text[from:to], cjk.IsKana)
}

// findHangulName finds the name that a token of Korean begins with.
func (d *document) findHangulName(i int) {
	t, next := d.tokens[i], d.at(i+1)
	word := ""
	if next.spaceBefore {
		word = next.lower
	}
	// A name without a particle is a whole sentence, or precedes a comma or a colon.
	bare := t.sentenceStart && next.kind == punctToken || next.lower == "," || next.lower == ":"
	if n, ok := cjk.Hangul(d.Lexicon, d.text[t.start:t.end], word, bare); ok {
		d.add(span{start: t.start, end: t.start + n.End, typ: n.Type, rule: n.Rule, certain: true})
	}
}

// findArabicName finds a name after a title, a name that begins with a frequent
// given name, or a town after its preposition.
func (d *document) findArabicName(i int) {
	t, before := d.tokens[i], d.at(i-1).lower
	if before == "." {
		before = d.at(i - 2).lower
	}
	if d.ArabicStopWords.Has(t.lower) || d.ArabicTitles.Has(t.lower) {
		return
	}
	switch {
	case d.ArabicTitles.Has(before), d.ArabicGivenNames.Has(t.lower) && !d.ArabicGivenNames.Has(before):
		end := d.tokens[d.lastOfArabicName(i)].end
		d.add(span{start: t.start, end: end, typ: Person, rule: "arabic name", certain: true})
	case d.Places.Has(t.lower) && (d.ArabicPlacePrepositions.Has(before) || d.at(i-1).kind == punctToken):
		d.add(span{start: t.start, end: t.end, typ: Place, rule: "town", certain: true})
	}
}

// lastOfArabicName returns the last token of the name that begins at token i: the
// next word, and a third if both the first and the third are given names.
func (d *document) lastOfArabicName(i int) int {
	if !d.continuesArabicName(i + 1) {
		return i
	}
	given := d.ArabicGivenNames.Has(d.tokens[i].lower) && d.ArabicGivenNames.Has(d.at(i+2).lower)
	return i + 1 + boolInt(given && d.continuesArabicName(i+2))
}

// continuesArabicName reports whether token i may be another part of a name: no
// function word and no noun with an article.
func (d *document) continuesArabicName(i int) bool {
	const article = "ال"
	t := d.at(i)
	return t.isWord() && t.adjacent() && !t.latin &&
		!d.ArabicStopWords.Has(t.lower) && !strings.HasPrefix(t.lower, article)
}
