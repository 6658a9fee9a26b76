package cjk

import "tenure/ner/words"

// Hangul returns the name that a Korean word begins with: a town, a firm, or a
// surname with a given name. Particles are part of the word and not of the name.
// next is the word after a space. bare reports whether the place of the word makes
// a person of a name without a particle.
func Hangul(l *words.Lexicon, word, next string, bare bool) (Name, bool) {
	h := hangulWord{l, []rune(word)}
	m := match{h.place(), words.Place, "town"}.orNone()
	if m.n == 0 {
		m = match{h.firm(), words.Organization, "firm"}.orNone()
	}
	if m.n == 0 {
		m = match{h.person(next, bare), words.Person, "family name"}.orNone()
	}
	return Name{0, len(string(h.chars[:m.n])), m.typ, m.rule}, m.n > 0
}

type hangulWord struct {
	l     *words.Lexicon
	chars []rune
}

// split returns the first n characters and the rest.
func (h hangulWord) split(n int) (head, rest string) { return string(h.chars[:n]), string(h.chars[n:]) }

func (h hangulWord) place() int {
	for n := min(3, len(h.chars)); n >= 2; n-- {
		town, particle := h.split(n)
		if h.l.HangulPlaces.Has(town) && (particle == "" || h.l.HangulPlaceParticles.Has(particle)) {
			return n
		}
	}
	return 0
}

// firm returns the length of a name that ends in what a firm does.
func (h hangulWord) firm() int {
	const maxName, maxSuffix = 8, 4
	for n := 3; n <= min(len(h.chars), maxName); n++ {
		_, particle := h.split(n)
		if particle != "" && !h.l.HangulParticles.Has(particle) && !h.l.HangulPlaceParticles.Has(particle) {
			continue
		}
		for w := 2; w <= maxSuffix && w < n-1; w++ {
			if h.l.HangulOrgSuffixes.Has(string(h.chars[n-w : n])) {
				return n
			}
		}
	}
	return 0
}

// person returns the length of a surname with a given name.
func (h hangulWord) person(next string, bare bool) int {
	if !h.hasSurname() {
		return 0
	}
	beforeTitle := h.isTitle(next)
	for n := min(4, len(h.chars)); n >= 2; n-- {
		_, rest := h.split(n)
		switch {
		case rest == "" && (beforeTitle || n == 3 && bare),
			rest != "" && n == 3 && h.l.HangulParticles.Has(rest),
			n <= 3 && h.isTitle(rest):
			return n
		}
	}
	return 0
}

// hasSurname reports whether the word begins with a surname of one or two
// characters and has more than one.
func (h hangulWord) hasSurname() bool {
	return len(h.chars) >= 2 &&
		(h.l.HangulSurnames.Has(string(h.chars[:1])) || h.l.HangulSurnames.Has(string(h.chars[:2])))
}

// isTitle reports whether w is an honorific or a rank, with or without a particle
// or a copula.
func (h hangulWord) isTitle(w string) bool {
	if len(w) > words.MaxAnalysed {
		return false
	}
	if h.l.HangulTitles.Has(w) {
		return true
	}
	for i := range w {
		if i > 0 && h.l.HangulTitles.Has(w[:i]) && (h.l.HangulParticles.Has(w[i:]) || h.l.HangulCopulas.Has(w[i:])) {
			return true
		}
	}
	return false
}
