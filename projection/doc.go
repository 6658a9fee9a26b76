// Package projection carries new evidence through to what it changes: the
// standings of its slots, what depends on them, and the cases of what is held.
//
// In come a draft of the store and the evidence that a decision adds; out go
// the changes to standings and cases. The rule here is what has to be looked
// at again, and in which order; what comes of it is decided by packages
// beliefs, conflicts and quarantine.
package projection
