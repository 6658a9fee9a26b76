// Package grain tells how fine values are: which one says what another says, and more.
//
// In come two values as they were read (package values); out goes whether one covers the other: a range a number within
// it, a month its days, a city what lies in it.
package grain

import (
	"math/big"
	"slices"
	"time"
)

// Grain is what a value tells of how fine it is. That of a value that is neither coarse nor fine is nil.
type Grain struct {
	// None is of no value.
	None bool
	// Amount is a number with its unit.
	Amount *Amount
	// Civil is a span of time, on the clock of where it was written.
	Civil *Span
	// Parts are those of a place, the narrowest first; a text has one.
	Parts []string
	// Vague reports whether the value may cover another of its kind, or be covered: where none of several values is
	// vague, none covers another.
	Vague bool
}

// Amount is a range of numbers; a number is a range of one.
type Amount struct {
	Unit      string
	Low, High *big.Rat
}

// Span is from its first to its last second. It comes again every year if it is yearly. An instant is zoned: finer than
// the same time of an unknown zone.
type Span struct {
	First, Last   int64
	Zoned, Yearly bool
}

// Covers reports whether b says what g says, and more. No grain covers itself.
func (g *Grain) Covers(b *Grain) bool {
	switch {
	case g == nil || b == nil:
		return false
	case len(g.Parts) > 0:
		return within(g.Parts, b.Parts)
	case g.Amount != nil && b.Amount != nil:
		return g.Amount.covers(b.Amount)
	case g.Civil != nil && b.Civil != nil:
		return g.Civil.covers(b.Civil)
	}
	return false
}

// Compatible reports whether one of two grains covers the other.
func Compatible(a, b *Grain) bool { return a.Covers(b) || b.Covers(a) }

func (a *Amount) covers(b *Amount) bool {
	low, high := a.Low.Cmp(b.Low), a.High.Cmp(b.High)
	return a.Unit == b.Unit && low <= 0 && high >= 0 && (low < 0 || high > 0)
}

// Day is the length of a day in seconds.
const Day = 24 * 60 * 60

func (s *Span) covers(o *Span) bool {
	if s.Yearly {
		a, b := time.Unix(s.First, 0).UTC(), time.Unix(o.First, 0).UTC()
		return !o.Yearly && o.Last-o.First < Day && a.Month() == b.Month() && a.Day() == b.Day()
	}
	if o.Yearly || s.First > o.First || s.Last < o.Last {
		return false
	}
	return s.First < o.First || s.Last > o.Last || !s.Zoned && o.Zoned
}

// within reports whether some parts are among those of a finer place, in their order.
func within(coarse, fine []string) bool {
	if len(coarse) >= len(fine) {
		return false
	}
	n := 0
	for _, p := range fine {
		if n < len(coarse) && coarse[n] == p {
			n++
		}
	}
	return n == len(coarse)
}

// Finer chooses between the grains of two spellings of one value the one that says more. It does not depend on the
// order of the two.
func Finer(a, b *Grain) *Grain {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.Civil != nil && b.Civil != nil && a.Civil.First > b.Civil.First:
		return b
	case len(a.Parts) != len(b.Parts):
		if len(a.Parts) < len(b.Parts) {
			return b
		}
	case slices.Compare(a.Parts, b.Parts) > 0:
		return b
	}
	return a
}
