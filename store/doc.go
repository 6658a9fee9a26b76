// Package store is the contract that storage engines keep.
//
// A [Store] holds the versions of every tenant: [Store.View] reads one state
// of a tenant through a [Reader], and [Store.Apply] commits the change sets of
// a group of decisions, all or none. The contract states what both promise and
// decides nothing.
//
// The engines are store/sqlite and store/neo4j; store/storetest is the suite
// that both pass. Package ledger is the way to write through the contract.
package store
