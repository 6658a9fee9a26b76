// Package engine is what the storage engines have in common.
//
// In come change sets and what was read; out go log entries with their numbers,
// JSON bodies, hashes of conflict cells and beliefs that were read before. The rules
// here are those of [tenure/store.Store] that must be the same in every engine: how
// a change set is numbered, stamped and sealed, and which one is refused.
package engine
