// Package identifier finds identifiers, file names and coded names in a text before
// it is split into words: URLs, phone and order numbers, paths, hosts, functions,
// repositories.
//
// A raw token is classified by its form (identifiers.go), as a number that may hold
// spaces (numbers.go), or as the name of a program (coded.go). Trigger words before
// it decide where the form is not enough (triggers.go).
package identifier
