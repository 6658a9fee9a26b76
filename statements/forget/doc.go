// Package forget finds the requests to forget in a text: "please forget everything about Ada". In comes a text; out go
// the sentences that ask it, with the words for what is to go. It is pure, and reads sentences by their first and last
// words, in closed classes of phrases of the languages that are read: it knows no acts and values. What a request means
// of what is believed is decided by its caller.
package forget
