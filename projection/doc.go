// Package projection keeps standings and quarantine cases in step with the evidence.
//
// Input is a transaction with the changes of a decision: claims, amendments, moves, new versions of entities
// and terms. Output is the changes of standings and cases that follow, written to the same transaction. Its
// rule is which slots are affected, and in which order; the outcome is decided by packages beliefs, conflicts
// and quarantine.
package projection
