// Package conflicts chooses between claims that overlap in valid time and say
// different things.
//
// In come the admitted claims of one slot, each with the part of its window
// before its termination, and the residues of terminated claims; out goes each
// window, split into segments with a cause. The rules here are the order of
// arguments (authority, newer valid time, trust) and the tie where none decides.
// The words are those of docs/standing.md.
//
// Source: docs/standing.md section 2; Context Architecture, Reconciliation
// Protocols and Temporal Validity (Allen's interval relations).
package conflicts
