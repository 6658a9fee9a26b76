// Package recall finds what is believed by the words of a query, whatever entity it is about.
//
// In come the terms of a query, a scope, an instant and a reader of one state as a caller sees it; out come the best
// beliefs that stand at the instant, each with the words that matched and where. An index proposes documents with
// what their score may be at most; their scores are counted from the state that was asked for. So the answer is a
// function of that state: it depends neither on what the index has read nor on what the caller does not see.
package recall
