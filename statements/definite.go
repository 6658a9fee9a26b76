package statements

import (
	"slices"

	"tenure"
	"tenure/text"
)

// copulas are the forms of "to be" between a property and its value.
var copulas = []string{"is", "are", "was", "s", "ist", "sind", "lautet", "est", "sont", "es", "son"}

// Definite reports whether a statement says which the value is ("the contact is Ann"), so that it is no further one of
// several ("Ann speaks French").
func Definite(s tenure.Statement) bool {
	at := s.New.Start - s.Start
	if at <= 0 || at > len(s.Text) {
		return false
	}
	before := text.Words(s.Text[:at])
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return slices.Contains(copulas, text.Fold(s.Text[last.From:last.Until]))
}
