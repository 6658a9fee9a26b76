package statements

import (
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// copulas are the forms of "to be" between a property and its value.
var copulas = []string{"is", "are", "was", "s", "ist", "sind", "lautet", "est", "sont", "es", "son"}

// newly are words that say of what holds that it did not before.
var newly = []string{"these days", "nowadays", "heutzutage", "hoy en día", "de nos jours"}

// Definite reports whether a statement says which the value is ("the contact is Ann", "the dark theme", "eats vegan
// these days"), so that it is no further one of several ("Ann speaks French").
func Definite(s tenure.Statement) bool {
	at := s.New.Start - s.Start
	if at <= 0 || at > len(s.Text) {
		return false
	}
	low := strings.ToLower(s.Text)
	if slices.ContainsFunc(newly, func(w string) bool { return strings.Contains(low, w) }) ||
		strings.HasSuffix(strings.ToLower(s.Text[:at]), " the ") {
		return true
	}
	before := text.Words(s.Text[:at])
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return slices.Contains(copulas, text.Fold(s.Text[last.From:last.Until]))
}
