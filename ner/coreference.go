package ner

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
)

// harmoniseTypes gives uncertain names the type of a certain span with the same
// spelling, parts of persons' names the type person, and short forms of an
// organization its type.
func (d *document) harmoniseTypes(spans []span) {
	certain := map[string]string{}
	parts := map[string]bool{}
	for _, s := range spans {
		key := fold(d.text[s.start:s.end])
		if s.certain && certain[key] == "" {
			certain[key] = s.typ
		}
		if words := nameParts(key); s.typ == Person && len(words) > 1 {
			for _, w := range words {
				parts[w] = true
			}
		}
	}
	for i := range spans {
		s := &spans[i]
		if s.certain || s.rule != "name" && !strings.HasPrefix(s.rule, "lower") {
			continue
		}
		key := fold(d.text[s.start:s.end])
		switch {
		case certain[key] != "":
			s.typ = certain[key]
		case parts[key]:
			s.typ = Person
		}
	}
	d.harmoniseOrganizations(spans)
}

// harmoniseOrganizations gives the first word of an organization's name, and all
// words but the last, its type: "Larkspur" of "Larkspur Holdings Ltd".
func (d *document) harmoniseOrganizations(spans []span) {
	short := map[string]bool{}
	for _, s := range spans {
		if s.typ != Organization || !s.certain {
			continue
		}
		if words := strings.Fields(fold(d.text[s.start:s.end])); len(words) > 1 {
			short[words[0]] = true
			short[strings.Join(words[:len(words)-1], " ")] = true
		}
	}
	for i := range spans {
		s := &spans[i]
		if !s.certain && s.rule == "name" && short[fold(d.text[s.start:s.end])] {
			s.typ = Organization
		}
	}
}

// nameParts returns the words of a folded name, without dots and quotation
// marks.
func nameParts(key string) []string {
	return strings.FieldsFunc(key, func(r rune) bool {
		return unicode.IsSpace(r) || r == '.' || r == '"' || r == '“' || r == '”' || r == ','
	})
}

// mentions turns spans into mentions, with coreference chains numbered in order
// of appearance.
func (d *document) mentions(spans []span) []Mention {
	chains := d.resolveChains(spans)
	found := make([]Mention, len(spans))
	numbers := map[int]int{}
	for i, s := range spans {
		n, ok := numbers[chains[i]]
		if !ok {
			n = len(numbers) + 1
			numbers[chains[i]] = n
		}
		found[i] = Mention{
			Start: s.start, End: s.end, Text: d.text[s.start:s.end], Type: s.typ, Chain: n, Rule: s.rule,
			Entities: EntitiesOf(s.senses, s.typ),
		}
	}
	return found
}

// resolveChains returns the chain of each span. It assigns long spans first, so
// that a short form finds the full name.
func (d *document) resolveChains(spans []span) []int {
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return (spans[b].end - spans[b].start) - (spans[a].end - spans[a].start)
	})
	index := newChainIndex()
	chains := make([]int, len(spans))
	for _, i := range order {
		chains[i] = index.assign(d.chainOf(spans[i]))
	}
	return chains
}

// chain is a coreference chain by its first, longest name.
type chain struct {
	typ    string
	key    string
	parts  []string
	entity tenure.ID // of the registry, if the alias has only one
}

func (d *document) chainOf(s span) chain {
	key := fold(d.text[s.start:s.end])
	c := chain{typ: s.typ, key: strings.Join(strings.Fields(key), " "), parts: nameParts(key)}
	if ids := EntitiesOf(s.senses, s.typ); len(ids) == 1 {
		c.entity = ids[0]
	}
	return c
}

// chainIndex finds the chain that a name belongs to.
type chainIndex struct {
	chains   []chain
	byKey    map[string]int
	byEntity map[tenure.ID]int
	byPart   map[string][]int // persons and organizations by each word of their names
}

func newChainIndex() *chainIndex {
	return &chainIndex{byKey: map[string]int{}, byEntity: map[tenure.ID]int{}, byPart: map[string][]int{}}
}

// assign returns the chain of c: by equal name, by equal entity, by the one
// longer name that c abbreviates, or a new chain.
func (x *chainIndex) assign(c chain) int {
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

func (x *chainIndex) open(c chain) int {
	at := len(x.chains)
	x.chains = append(x.chains, c)
	if c.typ != Person && c.typ != Organization {
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
func (x *chainIndex) longerName(c chain) (int, bool) {
	if c.typ != Person && c.typ != Organization || len(c.parts) == 0 {
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
// the order of o; of an organization, whether o begins with c.
func abbreviates(c, o chain) bool {
	if c.typ == Organization {
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
