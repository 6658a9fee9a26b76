package registry

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"tenure"
)

// Key is the frozen key of a spelling, version 1: NFKC, full case fold, runs
// of white space collapsed to one space and trimmed. It is independent of type
// and language, idempotent, and never changes: stored forms depend on it.
func Key(spelling string) string {
	folded := cases.Fold().String(norm.NFKC.String(spelling))
	// Folding can leave text that NFKC composes once more.
	return strings.Join(strings.Fields(norm.NFKC.String(folded)), " ")
}

// NameForm is the form of a name.
func NameForm(name string) tenure.Form {
	return tenure.Form{Kind: tenure.NameKind, Key: Key(name)}
}
