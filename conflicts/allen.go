package conflicts

import "tenure"

// Relation is one of James Allen's thirteen relations of two intervals
// (Maintaining Knowledge about Temporal Intervals, CACM 1983).
type Relation string

// The relations: seven, and the inverses of the first six.
const (
	Before       Relation = "before"
	Meets        Relation = "meets"
	Overlaps     Relation = "overlaps"
	Starts       Relation = "starts"
	During       Relation = "during"
	Finishes     Relation = "finishes"
	Equals       Relation = "equals"
	After        Relation = "after"
	MetBy        Relation = "met_by"
	OverlappedBy Relation = "overlapped_by"
	StartedBy    Relation = "started_by"
	Contains     Relation = "contains"
	FinishedBy   Relation = "finished_by"
)

// ends compares the ends of two windows: the signs of a.From-b.From,
// a.Until-b.Until, a.Until-b.From and a.From-b.Until.
type ends struct{ from, until, untilFrom, fromUntil int }

// allen is the whole table: each way in which the ends of two windows that
// are not empty can lie, and its name.
var allen = map[ends]Relation{
	{-1, -1, -1, -1}: Before,
	{-1, -1, 0, -1}:  Meets,
	{-1, -1, 1, -1}:  Overlaps,
	{0, -1, 1, -1}:   Starts,
	{1, -1, 1, -1}:   During,
	{1, 0, 1, -1}:    Finishes,
	{0, 0, 1, -1}:    Equals,
	{1, 1, 1, 1}:     After,
	{1, 1, 1, 0}:     MetBy,
	{1, 1, 1, -1}:    OverlappedBy,
	{0, 1, 1, -1}:    StartedBy,
	{-1, 1, 1, -1}:   Contains,
	{-1, 0, 1, -1}:   FinishedBy,
}

// Relate names how window a lies to window b. Neither may be empty.
func Relate(a, b tenure.Window) Relation {
	return allen[ends{
		sign(a.From, b.From), sign(a.Until, b.Until), sign(a.Until, b.From), sign(a.From, b.Until),
	}]
}

func sign(a, b tenure.Instant) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
