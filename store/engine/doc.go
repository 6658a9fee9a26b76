// Package engine holds what the storage engines share.
//
// In come change sets and beliefs that were read; out go numbered log entries, JSON bodies, hashes of
// conflict keys and cached beliefs. The rules here are those of [tenure/store.Store] that must be the same in
// every engine: how a change set is numbered, stamped and sealed, and which change set is refused.
package engine
