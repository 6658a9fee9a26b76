// Package quarantine keeps undecided contradictions out of every context and asks for the answer that would
// decide them.
//
// Input is the standings of a slot and its cases; output is the case to open, change or close. Its rules are
// the life of a case: one open case per slot, what it holds, what would settle it.
//
// Source: Context Architecture, Reconciliation Protocols (System Quarantine).
package quarantine
