package index

import (
	"slices"
	"strings"

	"tenure/blocking"
	"tenure/cache"
)

// blocked is a name as terms of tenant 0. It is shared and must not be changed.
type blocked struct {
	words string // equal for names of the same words
	asked queryTerms
	keys  []term // of the blocking keys
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
		asked: queryTerms{grams: termsOf(gramClass, blocking.NGrams(name)...)},
	}
	if len(keys.Words) > 0 {
		b.asked.parts = nameParts(keys)
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

// nameParts returns the words of a name, then the name as a whole. The last three tiers of a word are those
// of [levels].
func nameParts(b blocking.Name) []part {
	var parts []part
	for _, w := range b.Words {
		loose := tier{.3, termsOf(nameClass, w.Abbreviated)}
		if w.Sound != "" {
			parts = append(parts, part{word: true, alone: len(b.Words) == 1, tiers: []tier{
				loose, {.3, termsOf(nameClass, w.Sound)}, {.45, termsOf(nameClass, w.Near...)}, {.25, termsOf(nameClass, w.Exact)},
			}})
			continue
		}
		parts = append(parts, part{word: true, alone: len(b.Words) == 1, tiers: []tier{
			loose, {.45, termsOf(nameClass, w.Near...)}, {.25, termsOf(nameClass, w.Exact)},
		}})
	}
	parts = append(parts,
		part{alone: true, tiers: []tier{{.5, termsOf(nameClass, b.Whole)}}},
		part{tiers: []tier{{.3, termsOf(nameClass, b.Length)}}})
	if len(b.Acronyms) > 0 {
		parts = append(parts, part{
			alone: len(b.Words) == 1 || len(b.Words) > 2, tiers: []tier{{.5, termsOf(nameClass, b.Acronyms...)}},
		})
	}
	return parts
}
