package similarity

import (
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// SortedTokens returns the folded words of a name in alphabetical order.
func SortedTokens(s string) string {
	var list []string
	for _, w := range splitWords(s, things) {
		list = append(list, w.Whole())
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// contrary are the name features that speak against a match of two similar names.
var contrary = []nameFeature{nameNothing, nameConflict, nameNumberDiffers, nameNumberSome, nameGeneration, nameGender,
	nameGiven, nameSyllable, nameFormKind, nameCountryDiffers, nameEditionDiffers, nameCodeDiffers, nameFatherSwapped}

// NamesMeet reports whether the names of two profiles share a word, exactly or approximately, have no contrary feature,
// and have the same form: an identifier is not compared with a name, except the name of a repository with its
// identifier, nor "Nan Hale's cat" with "Nan Hale".
func (m *Model) NamesMeet(l, r *Prepared) bool {
	e := evidence{class: pairClass(l, r)}
	m.bestNames(&e, l, r)
	if e.name[nameBase] == 0 || slices.ContainsFunc(contrary, func(f nameFeature) bool { return e.name[f] > 0 }) {
		return false
	}
	return m.somePair(l, r, func(_ class, x, y *name) bool {
		alike := (x.identifiers == nil) == (y.identifiers == nil) || x.inRepository(y) || y.inRepository(x)
		return alike && x.possessive() == y.possessive()
	})
}

// inRepository reports whether the name is that of the repository of which the other is the identifier:
// "prompt-library" of "acme-labs/prompt-library".
func (n *name) inRepository(o *name) bool {
	_, last, ok := strings.Cut(o.written, "/")
	return ok && n.identifiers == nil && len(n.tokens) > 0 && text.Key(last) == text.Key(n.written) &&
		slices.ContainsFunc(o.identifiers, func(k tenure.AliasKey) bool { return k.Kind == "repository" })
}

// possessive reports whether a name contains a possessive: "Nan Hale's cat".
func (n *name) possessive() bool {
	return strings.Contains(n.written, "'s ") || strings.Contains(n.written, "’s ")
}

// PartOf reports whether a name of one profile begins or ends with the words of a name of the other: a first name, a
// surname, the first words of a title. Numbers of known may be missing in said; a number that only said has indicates
// another entity.
func (m *Model) PartOf(said, known *Prepared) bool {
	return m.somePair(said, known, func(_ class, a, b *name) bool {
		counted := slices.Equal(a.numbers, b.numbers)
		return a.beginsOrEnds(b) && (counted || len(a.numbers) == 0) || counted && b.beginsOrEnds(a)
	})
}

// somePair reports whether something holds of a name of one profile and a name of another, as they are compared.
func (m *Model) somePair(l, r *Prepared, holds func(k class, x, y *name) bool) bool {
	k := pairClass(l, r)
	namesL, _ := m.namesAs(l, k)
	namesR, _ := m.namesAs(r, k)
	for i := range namesL {
		for j := range namesR {
			if holds(k, &namesL[i], &namesR[j]) {
				return true
			}
		}
	}
	return false
}

// beginsOrEnds reports whether the other name begins or ends with the words of the name. A name that ends with what
// carries no meaning elsewhere, as "Trench A" does, is a part of none.
func (n *name) beginsOrEnds(o *name) bool {
	more := len(o.tokens) - len(n.tokens)
	if len(n.tokens) == 0 || more < 0 || !strings.HasSuffix(n.all, n.tokens[len(n.tokens)-1].text) {
		return false
	}
	same := func(a, b token) bool { return a.Whole() == b.Whole() }
	return slices.EqualFunc(n.tokens, o.tokens[:len(n.tokens)], same) || slices.EqualFunc(n.tokens, o.tokens[more:], same)
}
