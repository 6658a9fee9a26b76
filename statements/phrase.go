package statements

import (
	"tenure"

	"tenure/statements/lex"
)

// TimeOf returns the beginning of the day, month or year that a phrase such as "since Monday" or "1 May" names when it
// is said at an instant, and whether it names one. Of several it returns the first.
func TimeOf(words string, said tenure.Instant) (tenure.Instant, bool) {
	if said == 0 {
		return 0, false
	}
	tokens := lex.Tokens(words)
	lex.MarkAll(tokens)
	r := reading{clause: clause{text: words, tokens: tokens}, verb: -1}
	list := r.times(said.Time())
	if len(list) == 0 {
		return 0, false
	}
	return tenure.At(list[0].at), true
}
