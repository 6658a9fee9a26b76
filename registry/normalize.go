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
	folded := strings.Map(foldCherokee, cases.Fold().String(norm.NFKC.String(spelling)))
	// Folding can leave text that NFKC composes once more.
	return strings.Join(strings.Fields(norm.NFKC.String(folded)), " ")
}

// foldCherokee takes Cherokee small letters to capitals: Unicode folds this
// script upwards, which the library does in one direction only.
func foldCherokee(r rune) rune {
	switch {
	case r >= 0xab70 && r <= 0xabbf:
		return r - 0xab70 + 0x13a0
	case r >= 0x13f8 && r <= 0x13fd:
		return r - 8
	}
	return r
}

// NameForm is the form of a name.
func NameForm(name string) tenure.Form {
	return tenure.Form{Kind: tenure.NameKind, Key: Key(name)}
}
