// Package coref resolves coreference among the names of one text: names with the
// same referent get one entity type and one chain.
package coref

import (
	"slices"
	"strings"
	"sync"
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
func (n *Name) parts() []string { return strings.FieldsFunc(n.Key, parts) }

// hasParts reports whether a name has several words.
func (n *Name) hasParts() bool { return strings.ContainsFunc(n.Key, parts) && len(n.parts()) > 1 }

// parts reports whether r is between two words of a name.
func parts(r rune) bool {
	return unicode.IsSpace(r) || r == '.' || r == '"' || r == '“' || r == '”' || r == ','
}

// HarmoniseTypes gives uncertain names the type of a certain name with the same
// key, parts of persons' names the type person, and short forms of an organization
// its type.
func HarmoniseTypes(names []Name) {
	if len(names) < 2 || !slices.ContainsFunc(names, Name.mayChange) {
		return
	}
	certain, parts := map[string]string{}, map[string]bool{}
	for i := range names {
		n := &names[i]
		if n.Certain && certain[n.Key] == "" {
			certain[n.Key] = n.Type
		}
		if n.Type == person && n.hasParts() {
			for _, w := range n.parts() {
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

// mayChange reports whether another name may change the type of n.
func (n Name) mayChange() bool { return !n.Certain && (n.Retypable || n.Capitalised) }

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
	if len(names) < 2 {
		return []int{1}[:len(names)]
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	// Long names come first, so that a short form finds the full name.
	slices.SortStableFunc(order, func(a, b int) int { return len(names[b].Text) - len(names[a].Text) })
	x := indexes.Get().(*index)
	defer indexes.Put(x)
	x.reset()
	chains := make([]int, len(names))
	for _, i := range order {
		chains[i] = x.assign(newChain(&names[i]))
	}
	numbers, last := make([]int, len(x.chains)), 0
	for i, c := range chains {
		if numbers[c] == 0 {
			last++
			numbers[c] = last
		}
		chains[i] = numbers[c]
	}
	return chains
}

// chain is a coreference chain by its first, longest name.
type chain struct {
	key
	parts  []string
	entity string
}

// key is what equal names have in common.
type key struct{ typ, text string }

func newChain(n *Name) chain {
	text := n.Key
	if strings.ContainsFunc(text, unicode.IsSpace) {
		text = strings.Join(strings.Fields(text), " ")
	}
	return chain{key: key{n.Type, text}, parts: n.parts(), entity: n.Entity}
}

// isDivisible reports whether parts of the name are used as names.
func (c chain) isDivisible() bool { return c.typ == person || c.typ == organization }

// index finds the chain that a name belongs to.
type index struct {
	chains   []chain
	byKey    map[key]int
	byEntity map[string]int
	byPart   map[string]namesakes // divisible names by each of their words
}

// indexes holds used indexes, for their memory.
var indexes = sync.Pool{New: func() any {
	return &index{byKey: map[key]int{}, byEntity: map[string]int{}, byPart: map[string]namesakes{}}
}}

func (x *index) reset() {
	x.chains = x.chains[:0]
	clear(x.byKey)
	clear(x.byEntity)
	clear(x.byPart)
}

// namesakes are the chains by one word of a name. Two are enough to make the word
// ambiguous, so that no more than three are kept.
type namesakes struct {
	n  int
	at [3]int
}

func (s *namesakes) all() []int { return s.at[:s.n] }

// assign returns the chain of c: by equal name, by equal entity, by the one
// longer name that c abbreviates, or a new chain.
func (x *index) assign(c chain) int {
	at, ok := x.byKey[c.key]
	if !ok && c.entity != "" {
		at, ok = x.byEntity[c.entity]
	}
	if !ok {
		at, ok = x.longerName(c)
	}
	if !ok {
		at = x.open(c)
	}
	x.byKey[c.key] = at
	if c.entity != "" {
		x.byEntity[c.entity] = at
	}
	return at
}

func (x *index) open(c chain) int {
	at := len(x.chains)
	x.chains = append(x.chains, c)
	if !c.isDivisible() {
		return at
	}
	for _, p := range c.parts {
		if s := x.byPart[p]; s.n < len(s.at) && !slices.Contains(s.all(), at) {
			s.at[s.n] = at
			s.n++
			x.byPart[p] = s
		}
	}
	return at
}

// longerName returns the chain of the one name that c abbreviates: by a given
// name, a surname, initials with the surname, or the first words of an
// organization.
func (x *index) longerName(c chain) (chain int, ok bool) {
	if !c.isDivisible() || len(c.parts) == 0 {
		return 0, false
	}
	same, fits := x.byPart[c.parts[len(c.parts)-1]], 0
	for _, at := range same.all() {
		o := &x.chains[at]
		sameEntity := o.entity == "" || c.entity == "" || o.entity == c.entity
		if sameEntity && o.typ == c.typ && abbreviates(&c, o) {
			chain = at
			fits++
		}
	}
	return chain, fits == 1
}

// abbreviates reports whether each word of c is a word of o or its initial, in
// the order of o; for an organization, whether o begins with c.
func abbreviates(c, o *chain) bool {
	if c.typ == organization {
		return strings.HasPrefix(o.text, c.text)
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
