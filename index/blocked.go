package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tenure/blocking"
	"tenure/cache"
)

// blocked is a name as terms of tenant 0. It is shared and must not be changed.
type blocked struct {
	words string // equal for names of the same words
	asked queryTerms
	keys  []term // of the blocking keys
	grams []term
}

// cachedNames bounds the blocked names in each half of the cache: one takes about 3 KB.
const cachedNames = 1024

// names caches blocked names: a write searches for a name, indexes it twice, and re-resolution searches for it
// again.
var names = cache.New[string, *blocked](cachedNames)

// block returns the terms of a name.
func block(name string) *blocked {
	if b, ok := names.Get(name); ok {
		return b
	}
	keys := blocking.Of(name)
	b := &blocked{
		words: wordsOf(keys), keys: termsOf(nameClass, keys.Keys()...),
		asked: queryTerms{spelling: termOf(nameClass, name), spoken: &spoken{name: blocking.Speak(name)}},
	}
	b.keys = append(b.keys, soundTerms(b.asked.spoken.name)...)
	if b.grams = termsOf(gramClass, blocking.NGrams(name)...); !b.asked.spoken.name.Foreign {
		b.asked.grams = b.grams
	}
	if len(keys.Words) > 0 {
		b.asked.parts = nameParts(keys, share(b.asked.spoken.name, keys))
		b.asked.shorter = termsOf(nameClass, keys.Shorter()...)
		for _, w := range keys.Words {
			b.asked.initials = append(b.asked.initials, termOf(nameClass, w.Initial))
		}
	}
	names.Put(strings.Clone(name), b, 1)
	return b
}

// wordsOf returns the words of a name in alphabetical order, so that names of the same words have the same
// plan.
func wordsOf(b blocking.Name) string {
	var words []string
	for _, w := range b.Words {
		words = append(words, w.Exact)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// share returns what a romanised word counts, of a written word, of which it may be a syllable.
func share(n blocking.Spoken, b blocking.Name) float64 {
	if !n.Foreign || n.Words() >= len(b.Words) {
		return 1
	}
	return float64(n.Words()) / float64(len(b.Words))
}

// Gains of what a name has besides words.
const (
	wholeGain     = .5
	acronymGain   = .5
	lengthGain    = .3
	joinedGain    = 1
	syllablesGain = 2 // as much as two words
)

// shortAcronym is the length of the key of two initials, which many names have.
const shortAcronym = 3

// nameParts returns the words of a name, of which each counts by a share, then the name as a whole.
func nameParts(b blocking.Name, share float64) []part {
	var parts []part
	for _, w := range b.Words {
		parts = append(parts, part{
			word: true, silent: w.Silent, alone: len(b.Words) == 1, known: termOf(nameClass, w.Exact),
			tiers: wordTiers(w, share),
		})
	}
	for _, joined := range b.Joined {
		parts = append(parts, part{
			word: true, more: true, joined: true, tiers: []tier{{joinedGain * share, termsOf(nameClass, joined)}},
		})
	}
	parts = append(parts,
		part{alone: true, tiers: []tier{{wholeGain, termsOf(nameClass, b.Whole)}}},
		part{tiers: []tier{{lengthGain, termsOf(nameClass, b.Length)}}})
	for _, k := range b.Syllables {
		parts = append(parts, part{alone: true, tiers: []tier{{syllablesGain, termsOf(nameClass, k)}}})
	}
	for _, k := range b.Acronyms {
		parts = append(parts, part{
			alone: len(b.Words) == 1 || utf8.RuneCountInString(k) > shortAcronym,
			tiers: []tier{{acronymGain, termsOf(nameClass, k)}},
		})
	}
	return parts
}

// wordTiers returns the ways to match a word. The last three are those of [levels].
func wordTiers(w blocking.Word, share float64) []tier {
	tiers := []tier{{.3 * share, termsOf(nameClass, w.Abbreviated)}}
	if w.Sound != "" {
		means := append([]string{w.Sound}, w.Given...)
		if w.Meaning != "" {
			means = append(means, w.Meaning)
		}
		tiers = append(tiers, tier{.4 * share, termsOf(nameClass, means...)})
	}
	near, exact := termsOf(nameClass, w.Near...), termsOf(nameClass, w.Exact, w.Alone)
	return append(tiers, tier{.35 * share, near}, tier{.25 * share, exact})
}
