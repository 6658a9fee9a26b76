// Package vocabulary holds what is known of predicates before anybody has said anything: how many values each has,
// of what type, whether they change and how fast they go stale, which words mean the same and which the converse.
//
// Input is a predicate as written; output is its term. The terms are in predicates.csv, one on a line, and
// docs/vocabulary.md shows them. Check says what is wrong with a set of terms, be it this one or a tenant's. The
// package decides nothing: who holds beliefs applies what a term says.
package vocabulary

//go:generate go test -run ^TestDocument$ . -update
