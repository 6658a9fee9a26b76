package neo4j

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
)

// writeTimeout bounds a write or a read with all its tries.
const writeTimeout = 30 * time.Second

// tries bounds how often a statement is run again.
const tries = 40

var errChanged = tenure.Errorf(tenure.Conflicting, "what was decided upon has changed in the meantime")

// errTorn says that a read met a thing halfway between two versions.
var errTorn = errors.New("a version is not visible yet")

// fault is the one place where errors of the driver and the database get a
// code for callers.
func fault(err error) error {
	if err == nil {
		return nil
	}
	var own *tenure.Error
	if errors.As(err, &own) {
		return own
	}
	code, message := classify(err)
	return &tenure.Error{Code: code, Message: message, Err: err}
}

// failure names an error in a trace.
func failure(err error) string { return string(tenure.CodeOf(fault(err))) }

func classify(err error) (tenure.Code, string) {
	var n *driver.Neo4jError
	switch {
	case errors.Is(err, errTorn), transient(err):
		return tenure.Unavailable, "the store is busy; try again"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return tenure.Unavailable, "the store did not answer in time"
	case errors.As(err, &n):
		return classifyCode(n.Code, n.Msg)
	case lost(err):
		return tenure.Unavailable, "the store does not answer"
	}
	return tenure.Internal, "the store failed"
}

func classifyCode(code, text string) (tenure.Code, string) {
	switch {
	case code == "Neo.ClientError.Schema.ConstraintValidationFailed":
		return tenure.Conflicting, errChanged.Message
	case strings.Contains(code, ".Transaction.TransactionTimedOut"),
		code == "Neo.ClientError.Transaction.LockClientStopped",
		code == "Neo.ClientError.Transaction.Terminated",
		code == "Neo.TransientError.Transaction.Terminated",
		code == "Neo.TransientError.Transaction.LockClientStopped":
		return tenure.Unavailable, "the store did not answer in time"
	case strings.Contains(code, "OutOfMemoryError"):
		return tenure.TooLarge, "this is more than the store can take at once"
	case strings.HasPrefix(code, "Neo.TransientError."),
		code == "Neo.ClientError.Cluster.NotALeader",
		code == "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
		strings.HasPrefix(code, "Neo.ClientError.Security."),
		strings.HasPrefix(code, "Neo.ClientError.Database."):
		return tenure.Unavailable, "the store does not answer"
	case strings.Contains(text, "too large to index"):
		return tenure.TooLarge, "a key is too long for the store"
	}
	return tenure.Internal, "the store failed"
}

// transient tells whether the database undid the transaction and asks for it
// to be run again.
func transient(err error) bool {
	var n *driver.Neo4jError
	if !errors.As(err, &n) {
		return false
	}
	switch n.Code {
	case "Neo.TransientError.Transaction.DeadlockDetected",
		"Neo.TransientError.Transaction.LockAcquisitionTimeout",
		"Neo.TransientError.Transaction.Outdated",
		"Neo.TransientError.Transaction.BookmarkTimeout",
		"Neo.TransientError.General.TransactionMemoryLimit",
		"Neo.TransientError.General.DatabaseUnavailable":
		return true
	}
	return false
}

// lost tells whether the connection went, so that nobody knows what became of
// the last message.
func lost(err error) bool {
	var c *driver.ConnectivityError
	return errors.As(err, &c) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// backoff waits longer from try to try, up to 64 ms.
type backoff struct {
	pause time.Duration
	left  int
}

func newBackoff() *backoff { return &backoff{pause: time.Millisecond, left: tries} }

// wait is false when there is no other try.
func (b *backoff) wait(ctx context.Context) bool {
	if b.left--; b.left <= 0 || ctx.Err() != nil {
		return false
	}
	pause := b.pause/2 + time.Duration(rand.Int64N(int64(b.pause))) //nolint:gosec // jitter needs no secrecy
	b.pause = min(2*b.pause, 64*time.Millisecond)
	select {
	case <-time.After(pause):
		return true
	case <-ctx.Done():
		return false
	}
}
