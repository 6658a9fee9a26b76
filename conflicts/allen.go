package conflicts

import (
	"cmp"
	"tenure"
)

// relation is one of James Allen's thirteen relations of two intervals
// (Maintaining Knowledge about Temporal Intervals, CACM 1983).
type relation string

// The relations: seven, and the inverses of the first six.
const (
	before       relation = "before"
	meets        relation = "meets"
	overlaps     relation = "overlaps"
	starts       relation = "starts"
	during       relation = "during"
	finishes     relation = "finishes"
	equals       relation = "equals"
	after        relation = "after"
	metBy        relation = "met_by"
	overlappedBy relation = "overlapped_by"
	startedBy    relation = "started_by"
	contains     relation = "contains"
	finishedBy   relation = "finished_by"
)

// ends compares the ends of two windows: the signs of a.From-b.From,
// a.Until-b.Until, a.Until-b.From and a.From-b.Until.
type ends struct{ from, until, untilFrom, fromUntil int }

// allen is the whole table: each way in which the ends of two windows that
// are not empty can lie, and its name.
var allen = map[ends]relation{
	{-1, -1, -1, -1}: before,
	{-1, -1, 0, -1}:  meets,
	{-1, -1, 1, -1}:  overlaps,
	{0, -1, 1, -1}:   starts,
	{1, -1, 1, -1}:   during,
	{1, 0, 1, -1}:    finishes,
	{0, 0, 1, -1}:    equals,
	{1, 1, 1, 1}:     after,
	{1, 1, 1, 0}:     metBy,
	{1, 1, 1, -1}:    overlappedBy,
	{0, 1, 1, -1}:    startedBy,
	{-1, 1, 1, -1}:   contains,
	{-1, 0, 1, -1}:   finishedBy,
}

// relate names how window a lies to window b. Neither may be empty.
func relate(a, b tenure.Window) relation {
	return allen[ends{
		cmp.Compare(a.From, b.From), cmp.Compare(a.Until, b.Until),
		cmp.Compare(a.Until, b.From), cmp.Compare(a.From, b.Until),
	}]
}
