// Package vectors keeps a vector of what each belief says, and finds the beliefs whose vectors are nearest to that of a
// query.
//
// It is derived from the log: a [changefeed.Consumer], which embeds what an entry claims once. What is embedded is what
// the belief said in the state in which it was recorded, so that its vector depends on neither what was learned since
// nor when it is made. The vectors are in a file beside the index of beliefs; in memory are their signs, by which they
// are searched, and who may see them.
package vectors
