// Package coref resolves coreference among the names of one text: names with the
// same referent get one entity type and one chain.
package coref

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/ner/words"
)

// Name is a name in a text.
type Name struct {
	Text   string
	Key    string // Text after case folding
	Type   string
	Entity string // the only entity of a known alias, or ""
	// Certain names lend their type to uncertain names.
	Certain bool
	// Retypable names take the type of certain names, if uncertain.
	Retypable bool
	// Capitalised names may be the short form of an organization.
	Capitalised bool
}

// parts returns the words of a name, without dots and quotation marks.
func (n Name) parts() []string {
	return strings.FieldsFunc(n.Key, func(r rune) bool {
		return unicode.IsSpace(r) || r == '.' || r == '"' || r == '“' || r == '”' || r == ','
	})
}

// HarmoniseTypes gives uncertain names the type of a certain name with the same
// key, parts of persons' names the type person, and short forms of an organization
// its type.
func HarmoniseTypes(names []Name) {
	certain, parts := map[string]string{}, map[string]bool{}
	for _, n := range names {
		if n.Certain && certain[n.Key] == "" {
			certain[n.Key] = n.Type
		}
		if words := n.parts(); n.Type == person && len(words) > 1 {
			for _, w := range words {
				parts[w] = true
			}
		}
	}
	for i := range names {
		n := &names[i]
		switch {
		case n.Certain || !n.Retypable:
		case certain[n.Key] != "":
			n.Type = certain[n.Key]
		case parts[n.Key]:
			n.Type = person
		}
	}
	harmoniseOrganizations(names)
}

const (
	person       = words.Person
	organization = words.Organization
)

// harmoniseOrganizations gives the first word of an organization's name, and all
// words but the last, its type: "Larkspur" of "Larkspur Holdings Ltd".
func harmoniseOrganizations(names []Name) {
	short := map[string]bool{}
	for _, n := range names {
		if n.Type != organization || !n.Certain {
			continue
		}
		if words := strings.Fields(n.Key); len(words) > 1 {
			short[words[0]] = true
			short[strings.Join(words[:len(words)-1], " ")] = true
		}
	}
	for i := range names {
		if n := &names[i]; !n.Certain && n.Capitalised && short[n.Key] {
			n.Type = organization
		}
	}
}

// Chains returns the coreference chain of each name. Chains count from 1 in order
// of appearance.
func Chains(names []Name) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	// Long names come first, so that a short form finds the full name.
	slices.SortStableFunc(order, func(a, b int) int { return len(names[b].Text) - len(names[a].Text) })
	x := index{byKey: map[string]int{}, byEntity: map[string]int{}, byPart: map[string][]int{}}
	chains := make([]int, len(names))
	for _, i := range order {
		chains[i] = x.assign(newChain(names[i]))
	}
	numbers := map[int]int{}
	for i, c := range chains {
		if numbers[c] == 0 {
			numbers[c] = len(numbers) + 1
		}
		chains[i] = numbers[c]
	}
	return chains
}

// chain is a coreference chain by its first, longest name.
type chain struct {
	typ    string
	key    string
	parts  []string
	entity string
}

func newChain(n Name) chain {
	return chain{typ: n.Type, key: strings.Join(strings.Fields(n.Key), " "), parts: n.parts(), entity: n.Entity}
}

// isDivisible reports whether parts of the name are used as names.
func (c chain) isDivisible() bool { return c.typ == person || c.typ == organization }

// index finds the chain that a name belongs to.
type index struct {
	chains   []chain
	byKey    map[string]int
	byEntity map[string]int
	byPart   map[string][]int // divisible names by each of their words
}

// assign returns the chain of c: by equal name, by equal entity, by the one
// longer name that c abbreviates, or a new chain.
func (x *index) assign(c chain) int {
	at, ok := x.byKey[c.typ+"\x00"+c.key]
	if !ok && c.entity != "" {
		at, ok = x.byEntity[c.entity]
	}
	if !ok {
		at, ok = x.longerName(c)
	}
	if !ok {
		at = x.open(c)
	}
	x.byKey[c.typ+"\x00"+c.key] = at
	if c.entity != "" {
		x.byEntity[c.entity] = at
	}
	return at
}

// maxNamesakes bounds the chains by one word of a name. Two are enough to make
// the word ambiguous.
const maxNamesakes = 3

func (x *index) open(c chain) int {
	at := len(x.chains)
	x.chains = append(x.chains, c)
	if !c.isDivisible() {
		return at
	}
	for _, p := range c.parts {
		if len(x.byPart[p]) < maxNamesakes && !slices.Contains(x.byPart[p], at) {
			x.byPart[p] = append(x.byPart[p], at)
		}
	}
	return at
}

// longerName returns the chain of the one name that c abbreviates: by a given
// name, a surname, initials with the surname, or the first words of an
// organization.
func (x *index) longerName(c chain) (int, bool) {
	if !c.isDivisible() || len(c.parts) == 0 {
		return 0, false
	}
	last := c.parts[len(c.parts)-1]
	var fits []int
	for _, at := range x.byPart[last] {
		o := x.chains[at]
		sameEntity := o.entity == "" || c.entity == "" || o.entity == c.entity
		if sameEntity && o.typ == c.typ && abbreviates(c, o) {
			fits = append(fits, at)
		}
	}
	if len(fits) != 1 {
		return 0, false
	}
	return fits[0], true
}

// abbreviates reports whether each word of c is a word of o or its initial, in
// the order of o; for an organization, whether o begins with c.
func abbreviates(c, o chain) bool {
	if c.typ == organization {
		return strings.HasPrefix(o.key, c.key)
	}
	i := 0
	for _, p := range c.parts {
		for i < len(o.parts) && !sameNamePart(p, o.parts[i]) {
			i++
		}
		if i == len(o.parts) {
			return false
		}
		i++
	}
	return true
}

// sameNamePart reports whether two words are equal or one is the initial of the
// other.
func sameNamePart(a, b string) bool { return a == b || isInitialOf(a, b) || isInitialOf(b, a) }

func isInitialOf(p, w string) bool {
	r, size := utf8.DecodeRuneInString(p)
	first, _ := utf8.DecodeRuneInString(w)
	return size == len(p) && r == first && size > 0
}
