package vocabulary

import "tenure"

// Types of values beside those of package tenure.
const (
	Percentage tenure.ValueType = "percentage"
	Money      tenure.ValueType = "money"
	Quantity   tenure.ValueType = "quantity"
	Date       tenure.ValueType = "date"
	Duration   tenure.ValueType = "duration"
	Phone      tenure.ValueType = "phone"
	Email      tenure.ValueType = "email"
	URL        tenure.ValueType = "url"
)

// types lists the types that a term may have.
var types = []tenure.ValueType{
	tenure.AnyValue, tenure.TextValue, tenure.NumberValue, tenure.BooleanValue, tenure.TimeValue,
	tenure.JSONValue, tenure.EntityValue,
	Percentage, Money, Quantity, Date, Duration, Phone, Email, URL,
}

// Any is the kind of subject of a predicate that anything may have.
const Any = "any"

// halfLives holds the days after which half of the confidence in a value is gone; 0 means never.
var halfLives = map[tenure.Decay]float64{
	"": 0, tenure.Stable: 0, tenure.Slow: 1000, tenure.Fast: 100, tenure.Volatile: 7,
}

// HalfLifeDays returns the days in which confidence falls by half, 0 for values that do not go stale.
func HalfLifeDays(d tenure.Decay) float64 { return halfLives[d] }

// Term is a predicate. A term with a Parent is another name of that term and says nothing else, or the same.
//
// A value type of entity means that values usually are entities; a name that is none yet is a value too.
type Term struct {
	tenure.Term
	// Subjects lists the types of entities that have the predicate. It guides readers and restricts nothing.
	Subjects []string `json:"subjects,omitempty"`
}
