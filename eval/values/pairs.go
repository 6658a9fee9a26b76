package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// The gold of a pair.
const (
	goldEqual      = "equal"      // two spellings of one value
	goldUnequal    = "unequal"    // two values that must be kept apart
	goldAmbiguous  = "ambiguous"  // nobody can tell: not to be claimed equal
	goldCompatible = "compatible" // both hold, and one says more
	goldNothing    = "nothing"    // left is no value
	goldSomething  = "something"  // left looks like no value, and is one
)

// pair is a line of the data. Left and Right are a JSON string, number or boolean.
type pair struct {
	Type      string `json:"type"`
	Predicate string `json:"predicate,omitempty"` // what an empty-looking value was said about
	Left      any    `json:"left"`
	Right     any    `json:"right,omitempty"`
	Gold      string `json:"gold"`
	Finer     string `json:"finer,omitempty"` // left or right, of compatible values
	Note      string `json:"note,omitempty"`
}

// form writes a value in one of its spellings, or "" where the spelling does not
// exist or could be read as another value. JSON forms write a JSON literal.
type form[T any] struct {
	name   string
	weight int
	write  func(T) string
	json   bool
}

// miss is a near miss of a value: another value, or the text of something else.
type miss[T any] struct {
	value T
	raw   string
	note  string
}

// kind is a half of one type: how values are drawn, spelt and missed. An equal pair has at least one of its own
// forms; the shared ones are those that both halves may compare with.
type kind[T any] struct {
	name        string
	draw        func(*rand.Rand) T
	own, shared []form[T]
	near        func(*rand.Rand, T) miss[T]
	stray       []string // what clings to a value when it is copied; %s is the value
	unequal     [][2]string
}

// perHalf is how many equal pairs, and how many unequal ones, each half of a type has.
const perHalf = 250

// attempts bounds the search for pairs, so that a table too small fails instead of running for ever.
const attempts = 200_000

// pairs draws the pairs of the half, none of which was seen before.
func (k kind[T]) pairs(seed uint64, seen map[string]bool) []pair {
	r := rand.New(rand.NewPCG(seed, 12)) //nolint:gosec // G404: the same pairs every time are the point
	var equal, unequal []pair
	for range attempts {
		if len(equal) == perHalf {
			break
		}
		if p, ok := k.equal(r); ok && fresh(seen, p) {
			equal = append(equal, p)
		}
	}
	for _, u := range k.unequal {
		if p := (pair{Type: k.name, Left: u[0], Right: u[1], Gold: goldUnequal}); fresh(seen, p) {
			unequal = append(unequal, p)
		}
	}
	for range attempts {
		if len(unequal) >= perHalf {
			break
		}
		if p, ok := k.missed(r); ok && fresh(seen, p) {
			unequal = append(unequal, p)
		}
	}
	return append(equal, unequal...)
}

// equal returns two spellings of one value.
func (k kind[T]) equal(r *rand.Rand) (pair, bool) {
	v, a, left := k.spelt(r)
	b := choose(r, k.own, k.shared)
	right := k.spell(r, b, v)
	if left == nil || right == nil || same(left, right) {
		return pair{}, false
	}
	p := pair{Type: k.name, Left: left, Right: right, Gold: goldEqual, Note: a.name + " / " + b.name}
	if r.IntN(2) == 0 {
		p.Left, p.Right, p.Note = right, left, b.name+" / "+a.name
	}
	return p, true
}

// missed returns the spellings of a value and of its near miss, half the time in the same form.
func (k kind[T]) missed(r *rand.Rand) (pair, bool) {
	v, a, left := k.spelt(r)
	m := k.near(r, v)
	if m.note == "" {
		return pair{}, false
	}
	b := choose(r, k.own, k.shared)
	if r.IntN(2) == 0 {
		b = a
	}
	right := any(m.raw)
	if m.raw == "" {
		right = k.spell(r, b, m.value)
	}
	if left == nil || right == nil || same(left, right) {
		return pair{}, false
	}
	if r.IntN(2) == 0 {
		left, right = right, left
	}
	return pair{Type: k.name, Left: left, Right: right, Gold: goldUnequal, Note: m.note}, true
}

// spelt chooses a form of the half's own, and a value that has it: the weights of the forms hold, however few values
// have one.
func (k kind[T]) spelt(r *rand.Rand) (v T, f form[T], s any) {
	f = choose(r, k.own)
	for range 200 {
		v = k.draw(r)
		if s = k.spell(r, f, v); s != nil {
			break
		}
	}
	return v, f, s
}

// spell returns the value in the form, sometimes with what clings to copied text, or nil.
func (k kind[T]) spell(r *rand.Rand, f form[T], v T) any {
	s := f.write(v)
	switch {
	case s == "":
		return nil
	case f.json:
		return json.RawMessage(s)
	case len(k.stray) > 0 && r.IntN(16) == 0:
		return strings.ReplaceAll(pick(r, k.stray), "%s", s)
	}
	return s
}

// choose picks a form by weight.
func choose[T any](r *rand.Rand, tables ...[]form[T]) form[T] {
	total := 0
	for _, t := range tables {
		for _, f := range t {
			total += f.weight
		}
	}
	at := r.IntN(total)
	for _, t := range tables {
		for _, f := range t {
			if at < f.weight {
				return f
			}
			at -= f.weight
		}
	}
	panic("no form has a weight")
}

// fresh reports whether the pair is new in either order, and remembers it.
func fresh(seen map[string]bool, p pair) bool {
	l, r := literal(p.Left), literal(p.Right)
	if seen[l+r] || seen[r+l] {
		return false
	}
	seen[l+r] = true
	return true
}

func same(a, b any) bool { return literal(a) == literal(b) }

// literal returns the JSON of a value.
func literal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }
