package phonetic

import (
	"math"

	"tenure/text"
)

// mostWords bounds the words of a name that are compared.
const mostWords = 4

// Join returns the code of words spoken one after another.
func Join(words ...Code) Code {
	var all Code
	for _, w := range words {
		all.symbols += w.symbols
		all.bare = all.bare || w.bare
	}
	return code([]byte(all.symbols), all.bare)
}

// Names returns how alike two names sound, in any order of their words. It is symmetric. A word that differs counts for
// more than several that differ a little.
func Names(l, r string) float64 {
	x, y := words(l), words(r)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < len(y) {
		return inOneBreath(x, y)
	}
	return 1 - math.Sqrt(leastApart(x, y)/float64(len(x)))
}

func words(name string) []Code {
	folded := text.Fold(name)
	var list []Code
	for _, w := range text.Words(folded) {
		if c := Of(folded[w.From:w.Until]); !c.Empty() && len(list) < mostWords {
			list = append(list, c)
		}
	}
	return list
}

// inOneBreath compares names that are written in different numbers of words, with the family name first or last.
func inOneBreath(x, y []Code) float64 {
	last := len(y) - 1
	all := Join(x...)
	return max(Closeness(all, Join(y...)),
		Closeness(all, Join(Join(y[last:]...), Join(y[:last]...))), Closeness(all, Join(Join(y[1:]...), Join(y[:1]...))))
}

// leastApart returns the least sum of the squared distances of words, over all ways to pair them.
func leastApart(x, y []Code) float64 {
	if len(x) == 0 {
		return 0
	}
	best := math.Inf(1)
	for j := range y {
		apart := 1 - Closeness(x[0], y[j])
		y[0], y[j] = y[j], y[0]
		best = min(best, apart*apart+leastApart(x[1:], y[1:]))
		y[0], y[j] = y[j], y[0]
	}
	return best
}
