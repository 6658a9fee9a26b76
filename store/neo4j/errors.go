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

// writeTimeout bounds a write or a read including its retries.
const writeTimeout = 30 * time.Second

// outOfMemory is part of the error codes of statements that exceeded the database's memory.
const outOfMemory = "OutOfMemoryError"

// tries bounds how often a statement is run.
const tries = 40

// errTorn reports that a read met a thing between two versions.
var errTorn = errors.New("a version is not visible yet")

// fault converts an error of the driver or the database to an error of the service. It is the only place that
// assigns the codes.
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

// failure returns the code of an error for a trace.
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
	case strings.HasPrefix(code, "Neo.DatabaseError.Transaction."): // its disk is full, say; it may have to be restarted
		return tenure.Unavailable, "the store does not work: see the log of the database"
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

// transient reports whether the database rolled the transaction back and may succeed if it is run again, or
// had no free connection. A statement that exceeded the memory will exceed it again, whatever the driver
// reports; a lost connection is no matter of the transaction: see [lost].
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

// lost reports whether the connection was lost, so that the outcome of the last message is unknown. The
// driver's own check misses joined errors and contexts.
func lost(err error) bool {
	var c *driver.ConnectivityError
	return errors.As(err, &c) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// mendable reports whether a retry may succeed. An error that has its code already is a decision, and final.
func mendable(err error) bool {
	var own *tenure.Error
	return !errors.As(err, &own) && (transient(err) || lost(err))
}

// retry calls until it gets an answer, an error that a retry does not mend, or no try is left. The pauses
// grow exponentially from 1 to 64 ms, with a jitter of one half.
func retry[T any](ctx context.Context, mends func(error) bool, call func() (T, error)) (T, error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.Multiplier, pauses.MaxInterval = time.Millisecond, 2, 64*time.Millisecond
	var last error // more informative than the context's error, once the context ends
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
