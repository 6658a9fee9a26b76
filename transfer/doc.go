// Package transfer copies tenants from one store to another, entry by entry of their logs, so that the copy
// answers as the original does: numbers, ids, transaction times, hashes and idempotency keys are the same.
//
// Input are two stores; output is what was copied, or the first differences between the two. The log of an
// entry has no content: what a change wrote is read in the state of the source after the entry. The source may
// be written to meanwhile; [Tenant] ends when it has come to the end of the log.
package transfer
