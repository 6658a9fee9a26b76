// Package ledger is the write pipeline: commands in, change sets out.
//
// A [Writer] takes the commands of many callers to a store. The commands of one tenant are decided one after the
// other, those of one actor in the order of their arrival, by optimistic transactions: a group of commands shares one
// view of the store, their inputs are prefetched together, each command decides on a [Txn] that shows the changes of
// the commands before it, and the change sets of the group are applied together; meanwhile the next group is decided
// on top of them. The rule enforced here is that of order: what a decision has read must still hold when its change
// set is applied, or the decision is taken again.
package ledger
