// Package store is the contract that storage engines keep, and the way to
// write through it.
//
// In comes a decision ([Command]); out goes one change set, applied whole. A
// [Writer] takes the commands of a tenant, reads for all that wait at once,
// lets each decide in order on what the ones before it left behind ([Draft]),
// and applies them as one group. The rules here are those of order: what a
// decision has read must still hold when its change set is applied.
//
// The engines are store/sqlite and store/neo4j; store/storetest is the suite
// that both pass.
package store
