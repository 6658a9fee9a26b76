package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tenure"
	talk "tenure/eval/talk/conversation"
	"tenure/statements/align"
	"tenure/statements/clauses"
	"tenure/text"
	"tenure/vocabulary"
)

// neighbours are how many further properties a subject has in a crowd.
const neighbours = 4

// crowd varies the slots of a turn, because a service knows many properties of a subject, and often not the one that a
// turn is about. It teaches that a statement about an unknown property does not concern a known one, even if its value
// would fit there.
type crowd struct {
	known []talk.Known // of all conversations
	rand  *rand.Rand
}

func newCrowd(list []talk.Conversation) *crowd {
	c := &crowd{rand: rand.New(rand.NewPCG(1, 1))} //nolint:gosec // G404: the same numbers each time
	for i := range list {
		c.known = append(c.known, list[i].Known...)
	}
	return c
}

// variant is a turn with the slots of the conversation, or with others.
type variant struct {
	name  string
	slots []align.Slot
}

// The variants.
const (
	asTold         = ""
	missing        = "missing" // the property that the turn gives a value is not known
	crowded        = "crowded"
	crowdedMissing = "crowded, missing"
)

// variants returns the turn as it is, and for a turn that gives a known property a value: without that property, among
// further properties of its subject, and among these without it.
func (c *crowd) variants(slots []align.Slot, gold []talk.Gold, turn int) []variant {
	list := []variant{{asTold, slots}}
	for j, s := range slots {
		g := of(gold, turn, s)
		if g == nil || g.New == "" {
			continue
		}
		full := append(slices.Clone(slots), c.beside(s, slots, g.New)...)
		return append(list,
			variant{missing, slices.Delete(slices.Clone(slots), j, j+1)},
			variant{crowded, full},
			variant{crowdedMissing, slices.Delete(slices.Clone(full), j, j+1)},
		)
	}
	return list
}

// beside returns further properties of the subject of a slot, such that the value would do for most of them.
func (c *crowd) beside(s align.Slot, slots []align.Slot, value string) (list []align.Slot) {
	kind := clauses.KindOf(value)
	for tries := 0; len(list) < neighbours && tries < 40*neighbours; tries++ {
		k := c.known[c.rand.IntN(len(c.known))]
		alike := clauses.KindOf(k.Value) == kind
		akin := func(o align.Slot) bool { return sharesWord(o.Predicate, k.Predicate) }
		if !alike && tries%8 != 0 || strings.EqualFold(k.Value, value) || slices.ContainsFunc(slots, akin) ||
			slices.ContainsFunc(list, akin) {
			continue
		}
		n := align.Slot{Names: s.Names, Predicate: k.Predicate, Type: tenure.AnyValue, Values: []string{k.Value},
			Kinds: []string{clauses.KindOf(k.Value)}, Since: s.Since, Named: s.Named, Turn: s.Turn, Own: s.Own}
		if term, ok := vocabulary.Lookup(k.Predicate); ok {
			n.Type, n.Synonyms = term.ValueType, term.Synonyms
		}
		list = append(list, n)
	}
	return list
}

// sharesWord reports whether two predicates are one term of the base vocabulary or have a word in common.
func sharesWord(a, b string) bool {
	x, known := vocabulary.Lookup(a)
	y, _ := vocabulary.Lookup(b)
	if known && x.Name == y.Name {
		return true
	}
	words := strings.Fields(strings.ReplaceAll(text.Fold(a), "_", " "))
	return slices.ContainsFunc(strings.Fields(strings.ReplaceAll(text.Fold(b), "_", " ")), func(w string) bool {
		return slices.Contains(words, w)
	})
}

// measure returns what is measured of the statements of a turn, and what they change by the evidence alone.
func (v variant) measure(
	c *talk.Conversation, turn int, list []tenure.Statement, gold []talk.Gold,
) (all []pairing, changes []align.Change) {
	rows, changes := align.Measure(list, v.slots)
	for j, s := range v.slots {
		p := pairing{writer: writerOf(c), slot: fmt.Sprintf("%s %d %s %d", c.ID, turn, v.name, j), variant: v.name,
			gold: of(gold, turn, s)}
		if sets(p.gold) {
			all = append(all, p)
		}
		for i := range rows {
			if p.row = rows[i][j]; p.row != nil {
				p.said = list[i]
				all = append(all, p)
			}
		}
	}
	return all, changes
}
