// Package names generates reproducible names for benchmarks.
package names

import (
	"math/rand/v2"
	"strings"
)

// Namer generates names of people and companies with the distribution of real registers: few first names and
// company words are common, many surnames are rare (Zipf).
type Namer struct {
	rnd                  *rand.Rand
	first, last, word    []string
	firstZ, lastZ, wordZ *rand.Zipf
}

// New returns a namer with a seed; equal seeds yield equal names.
func New(n uint64) *Namer {
	rnd := rand.New(rand.NewPCG(n, 1)) //nolint:gosec // counted, not secret
	x := &Namer{rnd: rnd, first: words(rnd, 5_000), last: words(rnd, 120_000), word: words(rnd, 30_000)}
	x.firstZ = rand.NewZipf(rnd, 1.1, 20, uint64(len(x.first)-1))
	x.lastZ = rand.NewZipf(rnd, 1.05, 50, uint64(len(x.last)-1))
	x.wordZ = rand.NewZipf(rnd, 1.1, 10, uint64(len(x.word)-1))
	return x
}

// words returns n words made of syllables, four to eleven letters long.
func words(rnd *rand.Rand, n int) []string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	seen := map[string]bool{}
	list := make([]string, 0, n)
	for len(list) < n {
		var b strings.Builder
		for range 2 + rnd.IntN(3) {
			b.WriteByte(consonants[rnd.IntN(len(consonants))])
			b.WriteByte(vowels[rnd.IntN(len(vowels))])
			if rnd.IntN(3) == 0 {
				b.WriteByte(consonants[rnd.IntN(len(consonants))])
			}
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

// Name returns the next name.
func (x *Namer) Name() string {
	switch x.rnd.IntN(10) {
	case 0, 1: // a company of two to four words
		parts := make([]string, 2+x.rnd.IntN(3))
		for i := range parts {
			parts[i] = x.word[x.wordZ.Uint64()]
		}
		return strings.Join(parts, " ")
	case 2, 3: // with a middle name
		return x.first[x.firstZ.Uint64()] + " " + x.first[x.firstZ.Uint64()] + " " + x.last[x.lastZ.Uint64()]
	default:
		return x.first[x.firstZ.Uint64()] + " " + x.last[x.lastZ.Uint64()]
	}
}

// Mistype makes one typo in a word: it deletes, inserts, replaces or transposes a letter.
func Mistype(rnd *rand.Rand, w string) string {
	i := rnd.IntN(len(w) - 1)
	letter := string(rune('a' + rnd.IntN(26)))
	switch rnd.IntN(4) {
	case 0:
		return w[:i] + w[i+1:]
	case 1:
		return w[:i] + letter + w[i:]
	case 2:
		return w[:i] + letter + w[i+1:]
	default:
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
	}
}

// Mistyped makes typos in that many different words of a name, or in all if it has fewer.
func Mistyped(rnd *rand.Rand, name string, typos int) string {
	words := strings.Fields(name)
	for _, i := range rnd.Perm(len(words))[:min(typos, len(words))] {
		words[i] = Mistype(rnd, words[i])
	}
	return strings.Join(words, " ")
}
