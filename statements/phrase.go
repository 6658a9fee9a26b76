package statements

import "tenure"

// TimeOf returns the beginning of the day, month or year that a few words name, as it is meant by who says them at an
// instant: "since Monday", "1 May". It is of the first where they name several.
func TimeOf(words string, said tenure.Instant) (tenure.Instant, bool) {
	if said == 0 {
		return 0, false
	}
	tokens := lexed(words)
	for _, name := range languages {
		lexicons[name].mark(tokens)
	}
	r := reading{clause: clause{text: words, tokens: tokens}, verb: -1}
	list := r.times(said.Time())
	if len(list) == 0 {
		return 0, false
	}
	return tenure.At(list[0].at), true
}
