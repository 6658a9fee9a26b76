package similarity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tenure/text"
)

// BothPeople reports whether two profiles are compared as those of people.
func (m *Model) BothPeople(a, b *Prepared) bool { return pairClass(a, b) == people }

// SamePerson reports whether two names of people are equal up to titles and the order of "Krenn, Tobias" and "Dr.
// Tobias Krenn". Too many people share a single word or initials: a single word is never equal, and names with
// initials need equal titles.
func SamePerson(a, b string) bool {
	return untitled(a).same(untitled(b))
}

func (x bare) same(y bare) bool {
	if len(x.words) < 2 || !slices.Equal(x.words, y.words) || x.sex*y.sex < 0 {
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
	sex           int // that the titles tell: 1 for men, -1 for women
}

func untitled(s string) (n bare) {
	folded := text.Key(s)
	if family, given, ok := strings.Cut(folded, ","); ok {
		words := strings.Fields(given)
		if len(words) == 0 || generations[strings.Trim(words[0], ".")] > 0 || strings.Contains(given, ",") {
			return bare{}
		}
		folded = given + " " + family
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
	return n
}
