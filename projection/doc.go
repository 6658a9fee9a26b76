// Package projection keeps standings and quarantine cases in step with the evidence.
//
// In comes a transaction with what a decision has put: claims, amendments, moves, new versions of entities and terms.
// Into it go the changes of standings and cases that follow. The rule here is which slots are affected, and in which
// order; the outcome is decided by packages beliefs, conflicts and quarantine.
package projection
