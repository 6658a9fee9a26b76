package align

import (
	"strings"
	"testing"

	"tenure"
)

// TestConjuncts checks which values a clause joins, and that words which say more are none.
func TestConjuncts(t *testing.T) {
	for _, c := range []struct{ clause, want string }{
		{"<Yara> speaks [Dutch]", ""},
		{"<Yara> speaks [Dutch] and French", "Dutch|French"},
		{"<Yara> speaks [Dutch], Greek and French.", "Dutch|Greek|French"},
		{"<Yara> speaks [Dutch], Greek, and Old French", "Dutch|Greek|Old French"},
		{"<Yara> spricht [Deutsch] und Polnisch", "Deutsch|Polnisch"},
		{"<Kofi> plays [chess and tennis]", "chess|tennis"},
		{"<Kofi> lives in [Leeds] and works nights", ""},
		{"<Kofi> lives in [Leeds] and is happy", ""},
		{"<Kofi> lives in [Leeds], near the river", ""},
		{"<Kofi> lives in [Leeds] and the office", ""},
		{"<Plover> costs [40 euros] and 50 cents", ""},
	} {
		st := told(tenure.Asserts, c.clause)
		if got := strings.Join(newCompared(&st).conjuncts(), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.clause, got, c.want)
		}
	}
}
