// Package statements reads what people say. [Read] divides a text into clauses and says of each what it does (assert,
// ask, propose, deny, ...), what it is about, and which values it names. It is pure: the same text and thread give the
// same statements. Packages lex and clauses see what a text is made of: tokens with the classes of their words, then
// clauses with their verbs, typed values and dates. Package align says which slots the statements mean.
//
// Source: StateBench, supersession detection; Context Architecture, promotion of evidence; Structured state memory,
// extractor and reconciler.
package statements
