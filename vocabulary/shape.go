package vocabulary

import (
	"slices"

	"tenure"
)

// Shape is what a value looks like, "" if that says nothing about the predicate that it belongs to.
type Shape string

// The shapes.
const (
	Thing  Shape = "thing"  // an entity, or a text that is written like a name
	Amount Shape = "amount" // a number, with a unit or without
	Year   Shape = "year"   // a number that may be one
	When   Shape = "when"   // a date, a time
	Truth  Shape = "truth"  // true or false
)

// unfit lists the shapes that no value of a type has: "starts_at" of a pier is no start_time, "born_in" of a year no
// birth_place. Types that are not listed take anything.
var unfit = map[tenure.ValueType][]Shape{
	tenure.EntityValue:  {Amount, Year, When, Truth},
	tenure.NumberValue:  {Thing, When, Truth},
	tenure.TimeValue:    {Thing, Truth},
	tenure.BooleanValue: {Thing},
	Percentage:          {Thing, When, Truth},
	Money:               {Thing, When, Truth},
	Quantity:            {Thing, When, Truth},
	Duration:            {Thing, When, Truth},
	Date:                {Thing, Truth},
}

// fits reports whether a value of the shape may be one of a type.
func (s Shape) fits(t tenure.ValueType) bool { return !slices.Contains(unfit[t], s) }
