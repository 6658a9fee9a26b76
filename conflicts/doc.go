// Package conflicts chooses between claims that overlap in valid time and say
// different things.
//
// In come the admitted claims of one slot with what is left of their windows;
// out goes, for each, its window cut into segments with the cause of each. The
// rules here are the order of arguments (authority, newer valid time, trust)
// and the hold where none decides.
//
// Source: docs/standing.md section 2; Context Architecture, Reconciliation
// Protocols and Temporal Validity (Allen's interval relations).
package conflicts
