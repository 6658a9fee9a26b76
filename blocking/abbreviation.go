package blocking

import (
	"slices"

	"tenure/similarity"
)

// MayMean reports whether a name may be a variant or an abbreviation of another: they share a word, a word
// within a few edits or a phonetic code, one has an initial for a word of the other, is the acronym of the
// other, or has a short form of its given name.
func MayMean(a, b string) bool {
	x, y := Of(a), Of(b)
	for _, v := range x.Words {
		for _, w := range y.Words {
			if v.meets(w) {
				return true
			}
		}
	}
	if x.Whole == y.Whole || slices.ContainsFunc(x.Acronyms,
		func(k string) bool { return slices.Contains(y.Acronyms, k) }) {
		return x.Whole != ""
	}
	return similarity.SharesGivenName(a, b)
}

func (w Word) meets(o Word) bool {
	if w.Sound == "" || o.Sound == "" { // an initial
		return w.Initial == o.Initial
	}
	return w.Sound == o.Sound || slices.ContainsFunc(w.Near, func(k string) bool { return slices.Contains(o.Near, k) })
}
