package similarity

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure/text"
)

// BothPeople reports whether two profiles are compared as those of people.
func (m *Model) BothPeople(a, b *Prepared) bool { return pairClass(a, b) == people }

// SameName reports whether a name of one profile is a name of the other in another writing: of organisations and things
// with another spelling of the legal form, without an article or "and" beside two other words, abbreviated, or with a
// number as a word; of all in another alphabet. A legal form that only one of them has may tell a subsidiary. Syllables
// of Han, Hangul and kana tell too little in another script.
func (m *Model) SameName(a, b *Prepared) bool {
	return m.somePair(a, b, func(k class, x, y *name) bool {
		switch {
		case x.mixed || y.mixed || x.script != y.script && (!x.alphabetic() || !y.alphabetic()):
			return false
		case k == people:
			return x.script != y.script && x.transliterates(y)
		}
		if x.form != y.form || x.identifiers != nil || y.identifiers != nil || x.possessive() || y.possessive() {
			return false
		}
		spelt := x.respelt(k)
		return spelt != "" && spelt == y.respelt(k)
	})
}

// respelt returns what all writings of the name of an organisation or a thing have in common: its words in their order
// without its legal form, numbers as digits, abbreviations spelt out, and without articles and "and" where two other
// words are left.
func (n *name) respelt(k class) string {
	words := new(name).takeForms(splitWords(n.written, k), k)
	var all, most []string
	for i := 0; i < len(words); i++ {
		w := words[i].text
		if words[i].syllable() || words[i].eastern() {
			w = words[i].native
		}
		if number, used := numeral(words[i:], i > 0); used > 0 && !words[i].model {
			w, i = number, i+used-1
		} else if full, ok := abbreviations[w]; ok {
			w = full
		}
		all = append(all, w)
		if !joining[w] {
			most = append(most, w)
		}
	}
	if len(most) < 2 {
		most = all
	}
	return strings.Join(most, " ")
}

// joining are the words that come and go with the writing of a name.
var joining = set("the a an and & und et le la les el los las der die das il")

// sexOfTitles returns the sex that the titles before a person's name tell: that of the first which tells one.
func sexOfTitles(words []token) int {
	for _, w := range words {
		if !text.IsHonorific(w.text) {
			break
		}
		if sex := text.SexOfTitle(w.text); sex != 0 && !dynastic[w.text] {
			return sex
		}
	}
	return 0
}

// dynastic are titles that women bear as a part of their name.
var dynastic = set("sheikh shaikh sheik shaykh")

// transliterates reports whether a person's name of several words is another, letter by letter.
func (n *name) transliterates(o *name) bool {
	return len(n.tokens) > 1 && len(n.tokens) == len(o.tokens) && n.all == o.all && n.generation == o.generation
}

// alphabetic reports whether the name is written in letters and not in syllables.
func (n *name) alphabetic() bool {
	return !slices.ContainsFunc(n.tokens, func(t token) bool { return t.syllable() || t.eastern() })
}

// same reports whether two names of people are equal up to titles and the order of "Krenn, Tobias" and "Dr. Tobias
// Krenn". Too many people share a single word or initials: a single word is never equal, and names with initials need
// equal titles.
func (x bare) same(y bare) bool {
	if len(x.words) < 2 || !slices.Equal(x.words, y.words) || x.generation != y.generation || x.sex*y.sex < 0 {
		return false
	}
	return !slices.ContainsFunc(x.words, initials) || slices.Equal(x.titles, y.titles)
}

// KnownAs reports whether a name may be that of a person with these names: the same as one of them, and no name that
// is equal but for its titles indicates the other sex.
func KnownAs(name string, names []string) bool {
	x, known := untitled(name), false
	for _, n := range names {
		y := untitled(n)
		if slices.Equal(x.words, y.words) && x.sex*y.sex < 0 {
			return false
		}
		known = known || x.same(y)
	}
	return known
}

// initials reports whether a word is one or several initials: "J.", "J.P.", "K.-H.".
func initials(w string) bool {
	parts := strings.FieldsFunc(w, func(r rune) bool { return r == '.' || r == '-' })
	return !slices.ContainsFunc(parts, func(part string) bool { return utf8.RuneCountInString(part) > 1 })
}

// bare is a person's name without its titles, and these.
type bare struct {
	words, titles []string
	sex           int   // that the titles tell: 1 for men, -1 for women
	generation    uint8 // 1 for the elder, then 2, 3, ...; 0 if none is told
}

func untitled(s string) (n bare) {
	folded := inNaturalOrder(text.Key(s))
	if strings.Contains(folded, ",") {
		return bare{}
	}
	n.words = strings.Fields(folded)
	for len(n.words) > 0 {
		title := strings.Trim(n.words[0], ".")
		if !text.IsHonorific(title) {
			break
		}
		n.titles = append(n.titles, title)
		if sex := text.SexOfTitle(title); sex != 0 {
			n.sex = sex
		}
		n.words = n.words[1:]
	}
	if len(n.words) > 0 {
		others := slices.DeleteFunc(n.words[1:], func(w string) bool {
			g := generation(w)
			n.generation = cmp.Or(g, n.generation) // the last
			return g > 0
		})
		n.words = n.words[:1+len(others)]
	}
	return n
}
