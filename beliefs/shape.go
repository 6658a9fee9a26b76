package beliefs

import (
	"encoding/json"
	"strconv"

	"tenure"
	lexicon "tenure/ner/words"
	"tenure/values"
	"tenure/vocabulary"
)

// The numbers that may be years.
const (
	firstYear = 1000
	lastYear  = 2999
)

// Shape returns what a value looks like: see [vocabulary.Place].
func Shape(v tenure.Value) vocabulary.Shape {
	if v.Entity != "" {
		return vocabulary.Thing
	}
	read, err := values.Parse(v.JSON)
	if err != nil {
		return ""
	}
	var text string
	isText := json.Unmarshal(v.JSON, &text) == nil
	if !isText {
		text = string(v.JSON)
	}
	switch read.Kind {
	case values.Boolean:
		return vocabulary.Truth
	case values.Date, values.Time, values.Instant, values.Moment:
		return vocabulary.When
	case values.Number:
		if year, err := strconv.Atoi(text); err == nil && year >= firstYear && year <= lastYear {
			return vocabulary.Year
		}
		return vocabulary.Amount
	case values.Money, values.Quantity:
		return vocabulary.Amount
	case values.Text:
		if isText && lexicon.Load().LooksLikeName(text) {
			return vocabulary.Thing
		}
	}
	return ""
}
