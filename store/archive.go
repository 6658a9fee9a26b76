package store

import (
	"context"

	"tenure"
)

// Archive is a store from which, and into which, tenants are copied entry by entry. What the log says of a
// change is without its content, which a copy reads through [Store.View] in the state after the entry.
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

	// Replay appends entries of another store's log, with the numbers, times and hashes that they have there,
	// and does what their sets ask for, all or nothing. What a set reads is no precondition: it was one where
	// the entry was made.
	//
	// Entries that are there are left as they are, so that Replay can be called again after an error. If the
	// entries do not continue the tenant's log, or one does not carry the hash of what it says, Replay is
	// Conflicting. A key moves to the newest entry that has it.
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
