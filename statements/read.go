package statements

import (
	"tenure"
	"tenure/ner"
)

// Turn is one turn of a conversation.
type Turn struct {
	Speaker, Addressee string
	At                 tenure.Instant
	Text               string
	Mentions           []ner.Mention
}

// Read returns the statements of a turn, in their order. Before are the turns before it in its thread, the newest last.
func Read(turn Turn, before []Turn) []tenure.Statement {
	return nil
}
