package align

import (
	"strings"
	"testing"

	"tenure"
)

func joined(r *compared) string {
	list, _ := r.conjuncts()
	return strings.Join(list, "|")
}

// TestConjuncts checks which values a clause joins, and that words which say more are none.
func TestConjuncts(t *testing.T) {
	for _, c := range []struct{ clause, want string }{
		{"<Yara> speaks [Dutch]", ""},
		{"<Yara> speaks [Dutch] and French", "Dutch|French"},
		{"<Yara> speaks [Dutch], Greek and French.", "Dutch|Greek|French"},
		{"<Yara> speaks [Dutch], Greek, and Old French", "Dutch|Greek|Old French"},
		{"<Yara> spricht [Deutsch] und Polnisch", "Deutsch|Polnisch"},
		{"<Yara> has [Ernst & Young]", ""},
		{"<Kofi> lives in [Leeds] and Marta Lund in York", ""},
		{"<Yara> speaks [Dutch] and Ana Beck Greek", ""},
		{"<Yara> speaks [Dutch] and Greek fluently", ""},
		{"<Vera> is a [nurse] and a mother", ""},
		{"<Kofi> plays [chess and tennis]", "chess|tennis"},
		{"<Kofi> lives in [Leeds] and works nights", ""},
		{"<Kofi> lives in [Leeds] and is happy", ""},
		{"<Kofi> lives in [Leeds], near the river", ""},
		{"<Kofi> lives in [Leeds] and the office", ""},
		{"<Plover> costs [40 euros] and 50 cents", ""},
	} {
		st := told(tenure.Asserts, c.clause)
		if got := joined(newCompared(&st)); got != c.want {
			t.Errorf("%s: %q, want %q", c.clause, got, c.want)
		}
	}
}
