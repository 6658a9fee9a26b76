package ner

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
)

// settleTypes gives names that are spelled alike one type: that of the surest
// span. Persons lend theirs to the parts of their names.
func (d *document) settleTypes(spans []span) {
	sure := map[string]string{}
	parts := map[string]bool{}
	for _, s := range spans {
		key := fold(d.text[s.start:s.end])
		if s.sure && sure[key] == "" {
			sure[key] = s.typ
		}
		if words := nameParts(key); s.typ == Person && len(words) > 1 {
			for _, w := range words {
				parts[w] = true
			}
		}
	}
	for i := range spans {
		s := &spans[i]
		if s.sure || s.rule != "name" && !strings.HasPrefix(s.rule, "lower") {
			continue
		}
		key := fold(d.text[s.start:s.end])
		switch {
		case sure[key] != "":
			s.typ = sure[key]
		case parts[key]:
			s.typ = Person
		}
	}
	d.settleOrganizations(spans)
}

// settleOrganizations gives short forms of a firm ("Larkspur") its type.
func (d *document) settleOrganizations(spans []span) {
	heads := map[string]bool{}
	for _, s := range spans {
		if s.typ == Organization && s.sure {
			if words := strings.Fields(fold(d.text[s.start:s.end])); len(words) > 1 {
				heads[words[0]] = true
				heads[strings.Join(words[:len(words)-1], " ")] = true
			}
		}
	}
	for i := range spans {
		s := &spans[i]
		if !s.sure && s.rule == "name" && heads[fold(d.text[s.start:s.end])] {
			s.typ = Organization
		}
	}
}

// nameParts are the words of a name in its key, without dots and quotes.
func nameParts(key string) []string {
	return strings.FieldsFunc(key, func(r rune) bool {
		return unicode.IsSpace(r) || r == '.' || r == '"' || r == '“' || r == '”' || r == ','
	})
}

// chain is what is known of one entity of a text.
type chain struct {
	typ    string
	key    string
	parts  []string
	entity tenure.ID // of the registry, where it is the only one
}

// mentions makes the answer, with chains in order of appearance.
func (d *document) mentions(spans []span) []Mention {
	found := make([]Mention, len(spans))
	index := newChainIndex()
	// longest names first, so that parts find the whole
	order := sortedOrder(spans)
	chains := make([]int, len(spans))
	for _, i := range order {
		chains[i] = index.place(d.chainOf(spans[i]))
	}
	number := map[int]int{}
	for i, s := range spans {
		n, ok := number[chains[i]]
		if !ok {
			n = len(number) + 1
			number[chains[i]] = n
		}
		found[i] = Mention{Start: s.start, End: s.end, Text: d.text[s.start:s.end], Type: s.typ, Chain: n, Rule: s.rule, Entities: EntitiesOf(s.senses, s.typ)}
	}
	return found
}

// sortedOrder lists persons of several words first.
func sortedOrder(spans []span) []int {
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return (spans[b].end - spans[b].start) - (spans[a].end - spans[a].start)
	})
	return order
}

func (d *document) chainOf(s span) chain {
	key := fold(d.text[s.start:s.end])
	c := chain{typ: s.typ, key: strings.Join(strings.Fields(key), " "), parts: nameParts(key)}
	if ids := EntitiesOf(s.senses, s.typ); len(ids) == 1 {
		c.entity = ids[0]
	}
	return c
}

// chainIndex finds the chain of a name among those before it.
type chainIndex struct {
	chains   []chain
	byKey    map[string]int
	byEntity map[tenure.ID]int
	byPart   map[string][]int // persons and firms, by each word of their names
}

func newChainIndex() *chainIndex {
	return &chainIndex{byKey: map[string]int{}, byEntity: map[tenure.ID]int{}, byPart: map[string][]int{}}
}

// place returns the chain of c, a new one if none fits.
func (x *chainIndex) place(c chain) int {
	at, ok := x.byKey[c.typ+"\x00"+c.key]
	if !ok && c.entity != "" {
		at, ok = x.byEntity[c.entity]
	}
	if !ok {
		at, ok = x.partial(c)
	}
	if !ok {
		at = len(x.chains)
		x.chains = append(x.chains, c)
		if c.typ == Person || c.typ == Organization {
			for _, p := range c.parts {
				if len(x.byPart[p]) < 3 && !slices.Contains(x.byPart[p], at) {
					x.byPart[p] = append(x.byPart[p], at)
				}
			}
		}
	}
	x.byKey[c.typ+"\x00"+c.key] = at
	if c.entity != "" {
		x.byEntity[c.entity] = at
	}
	return at
}

// partial finds the one longer name that c is a part of: a first name, a
// surname, initials and surname, the head of a firm.
func (x *chainIndex) partial(c chain) (int, bool) {
	if c.typ != Person && c.typ != Organization || len(c.parts) == 0 {
		return 0, false
	}
	last := c.parts[len(c.parts)-1]
	var fits []int
	for _, at := range x.byPart[last] {
		if o := x.chains[at]; o.typ == c.typ && partOf(c, o) && (o.entity == "" || c.entity == "" || o.entity == c.entity) {
			fits = append(fits, at)
		}
	}
	if len(fits) != 1 {
		return 0, false
	}
	return fits[0], true
}

// partOf says whether each word of c is a word or an initial of o, in order.
func partOf(c, o chain) bool {
	if c.typ == Organization {
		return strings.HasPrefix(o.key, c.key)
	}
	i := 0
	for _, p := range c.parts {
		for i < len(o.parts) && o.parts[i] != p && !initialOf(p, o.parts[i]) && !initialOf(o.parts[i], p) {
			i++
		}
		if i == len(o.parts) {
			return false
		}
		i++
	}
	return true
}

func initialOf(p, w string) bool {
	r, size := utf8.DecodeRuneInString(p)
	first, _ := utf8.DecodeRuneInString(w)
	return size == len(p) && r == first && size > 0
}
