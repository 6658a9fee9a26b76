package statements

// Reads reports whether a turn is in a language that is read, or too short to tell. Before are the turns before it, as
// in [Read].
func Reads(turn Turn, before []Turn) bool {
	tokens := lexed(turn.Text[:min(len(turn.Text), longestText)])
	return len(tokens) == 0 || languageOf(tokens, languageBefore(before)) != ""
}
