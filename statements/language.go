package statements

import "tenure/statements/lex"

// Reads reports whether a turn is in a language that is read, or too short to tell. Before are the turns before it, as
// in [Read].
func Reads(turn Turn, before []Turn) bool {
	tokens := lex.Tokens(turn.Text[:min(len(turn.Text), longestText)])
	return len(tokens) == 0 || lex.Language(tokens, languageBefore(before)) != ""
}
