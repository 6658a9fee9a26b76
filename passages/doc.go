// Package passages cuts the text of a document into passages, and says of each where it comes from.
//
// In come a title, a text and a counter of tokens; out come passages of 200 to 400 tokens that begin and end at the
// boundaries of sections, paragraphs or sentences, each with the headings above it and a preamble (State: Retrieval-
// Augmented Context). It depends on its input alone.
package passages
