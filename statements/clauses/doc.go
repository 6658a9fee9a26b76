// Package clauses divides a text into its clauses, and finds in a clause what can be seen before anybody asks what it
// says: the finite verb ([FindVerb]), the values that have a type or a name ([Clause.Values]), and the dates, as
// instants ([Clause.Times]).
//
// In come a text with its tokens and language (package lex), the places of the names that are known in it, and the
// instant at which it is said; out go [Clause]s, and [Value]s and [Time]s as places among their tokens. What a clause
// does (assert, ask, propose, ...), what it is about, and which of its values are old and new is read by package
// statements.
package clauses
