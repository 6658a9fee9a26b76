package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"tenure"
)

var errClosed = tenure.Errorf(tenure.Unavailable, "the store is closed")

// findings are the lines of an integrity check.
type findings []string

func (f findings) Error() string { return strings.Join(f, "; ") }

// fault converts an error of the driver to an error of the service. It is the only place that knows the
// driver's codes.
func fault(err error) error {
	if err == nil {
		return nil
	}
	var known *tenure.Error
	if errors.As(err, &known) {
		return err
	}
	unavailable := func(message string) error {
		return &tenure.Error{Code: tenure.Unavailable, Message: message, Err: err}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable("the store did not answer in time")
	case errors.Is(err, sql.ErrConnDone), strings.HasPrefix(err.Error(), "sql: database is closed"),
		strings.HasPrefix(err.Error(), "sql: statement is closed"):
		return unavailable("the store is closed")
	}
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
			return unavailable("the store is busy")
		case lib.SQLITE_INTERRUPT:
			return unavailable("the store did not answer in time")
		case lib.SQLITE_FULL:
			return unavailable("the store has no room left")
		case lib.SQLITE_READONLY, lib.SQLITE_IOERR:
			return unavailable("the file of the store cannot be read or written")
		}
	}
	return &tenure.Error{Code: tenure.Internal, Message: "the store failed", Err: err}
}
