package store

import (
	"context"

	"tenure"
)

// Archive is a store whose tenants can be copied entry by entry, out of it or into it. Log entries lack the content of
// changes, which a copy reads through [Store.View] in the state after the entry.
type Archive interface {
	Store

	// Tenants lists the tenants that wrote, in order of their names. One that only keeps credentials or
	// compilations may be among them.
	Tenants(ctx context.Context) ([]string, error)
	// Keyed lists the idempotency keys that are remembered, of the entries within a span of transaction time,
	// both ends included, in order of the entries.
	Keyed(ctx context.Context, tenant string, from, until tenure.Instant) ([]Keyed, error)
	// Compilations pages through the compilations of a tenant in the order of their ids.
	Compilations(ctx context.Context, tenant string, after tenure.ID, limit int) ([]tenure.Compilation, error)

	// Replay appends entries of another store's log, with their numbers, times and hashes, and applies their change
	// sets, all or nothing. Read sets are not checked: they were when the entry was made.
	//
	// Entries that the log has already are left alone, so that Replay can be called again after an error. Entries that
	// do not continue the log, or do not match their hash, are Conflicting. A key moves to the newest entry that has
	// it.
	Replay(ctx context.Context, tenant string, entries []Recorded) error
}

// Keyed is an idempotency key that is remembered, with the answer that was given.
type Keyed struct {
	Seq    tenure.Seq
	Key    tenure.IdempotencyKey
	Answer []byte
}

// Recorded is an entry of a log with the change set that it is of.
type Recorded struct {
	Entry tenure.Entry
	Set   tenure.ChangeSet
}
