package neo4j

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store/engine"
)

// writeTimeout bounds a write or a read with all its tries.
const writeTimeout = 30 * time.Second

// outOfMemory is part of the codes of statements that took more than there is.
const outOfMemory = "OutOfMemoryError"

// tries bounds how often a statement is run again.
const tries = 40

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
		return tenure.Conflicting, engine.ErrChanged.Message
	case strings.Contains(code, ".Transaction.TransactionTimedOut"),
		code == "Neo.ClientError.Transaction.LockClientStopped",
		code == "Neo.ClientError.Transaction.Terminated",
		code == "Neo.TransientError.Transaction.Terminated",
		code == "Neo.TransientError.Transaction.LockClientStopped":
		return tenure.Unavailable, "the store did not answer in time"
	case strings.Contains(code, outOfMemory):
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

// transient reports whether the database undid the transaction and asks for it to
// be run again, or had no connection to spare. What did not fit into its memory
// will not fit the next time either, whatever the driver says of it; a connection
// that went is not a matter of the transaction: see [lost].
func transient(err error) bool {
	if lost(err) {
		return false
	}
	var n *driver.Neo4jError
	if errors.As(err, &n) && strings.Contains(n.Code, outOfMemory) {
		return false
	}
	return driver.IsRetryable(err)
}

// lost reports whether the connection went, so that it is unknown what became of the
// last message. The driver's own check sees neither joined errors nor contexts.
func lost(err error) bool {
	var c *driver.ConnectivityError
	return errors.As(err, &c) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// mendable reports whether another try may succeed. An error that has its code
// already was decided upon.
func mendable(err error) bool {
	var own *tenure.Error
	return !errors.As(err, &own) && (transient(err) || lost(err))
}

// retry calls until there is an answer, an error that no other try mends, or no try
// left. The pauses grow from 1 to 64 ms, give or take a half.
func retry[T any](ctx context.Context, mends func(error) bool, call func() (T, error)) (T, error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.Multiplier, pauses.MaxInterval = time.Millisecond, 2, 64*time.Millisecond
	var last error // where the context ends it says more than the context
	got, err := backoff.Retry(ctx, func() (got T, err error) {
		if got, err = call(); err != nil && !mends(err) {
			err = backoff.Permanent(err)
		}
		last = err
		return got, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0))
	if err == nil {
		return got, nil
	}
	var permanent *backoff.PermanentError
	if errors.As(last, &permanent) {
		last = permanent.Unwrap()
	}
	return got, last
}
