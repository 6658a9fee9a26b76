// Package quarantine keeps contradictions that nothing decides out of every
// context, and asks for the answer that would decide them.
//
// In come the standings of a slot and its cases so far; out goes the case that
// is to be opened, changed or closed. The rules here are those of a case's
// life: one open case a slot, what it holds, what would settle it.
//
// Source: Context Architecture, Reconciliation Protocols (System Quarantine).
package quarantine
