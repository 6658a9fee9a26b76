package tenure

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code is the stable name of an error. httpapi/problem.go maps it to a status.
type Code string

// The codes.
const (
	Invalid          Code = "invalid"            // a field breaks its rule
	Malformed        Code = "malformed"          // not the JSON that was asked for
	Unauthenticated  Code = "unauthenticated"    // no credential, or a wrong one
	Forbidden        Code = "forbidden"          // a role or clearance is missing
	AuthorityTooHigh Code = "authority_too_high" // more authority than the key has
	NotFound         Code = "not_found"
	Gone             Code = "gone"     // it was there, and was erased or is kept no longer
	Conflicting      Code = "conflict" // the state that was decided on has changed
	KeyReused        Code = "idempotency_key_reused"
	Unprocessable    Code = "unprocessable" // well-formed, but at odds with the state
	StaleCursor      Code = "stale_cursor"
	MethodNotAllowed Code = "method_not_allowed"
	UnsupportedMedia Code = "unsupported_media_type"
	TooLarge         Code = "too_large"
	TooMany          Code = "too_many_requests"
	Unsupported      Code = "unsupported" // this engine cannot do it
	Unavailable      Code = "unavailable" // try again later
	Internal         Code = "internal"
)

// Codes lists every code.
var Codes = []Code{
	Invalid, Malformed, Unauthenticated, Forbidden, AuthorityTooHigh, NotFound, Gone, Conflicting, KeyReused,
	Unprocessable, StaleCursor, MethodNotAllowed, UnsupportedMedia, TooLarge, TooMany, Unsupported, Unavailable, Internal,
}

// Field is a part of a request that is at fault.
type Field struct {
	Pointer string `json:"pointer"` // JSON pointer into the body, or the name of a parameter
	Reason  string `json:"reason"`
}

// Error is what the caller sees, and what the log adds.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	Err     error // for the log
	// RetryAfter is how long to wait before another attempt, where that is known.
	RetryAfter time.Duration
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(": ")
	b.WriteString(e.Message)
	for _, f := range e.Fields {
		fmt.Fprintf(&b, "; %s: %s", f.Pointer, f.Reason)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an error with a message for the caller.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// FieldError returns an error about one field.
func FieldError(code Code, pointer, reason string) *Error {
	return &Error{Code: code, Message: notTaken, Fields: []Field{{pointer, reason}}}
}

const notTaken = "the request cannot be taken as it is"

// Faults lists the fields of a request that break rules.
type Faults []Field

// Add adds a fault.
func (f *Faults) Add(pointer, format string, args ...any) {
	*f = append(*f, Field{Pointer: pointer, Reason: fmt.Sprintf(format, args...)})
}

// AddID adds a fault if an id is not the text of a UUID.
func (f *Faults) AddID(pointer string, id ID) {
	if _, ok := ParseID(string(id)); !ok {
		f.Add(pointer, "must be the text of a UUID in lower case")
	}
}

// Err returns Invalid with the faults, at most 100 of them; nil if there are none.
func (f Faults) Err() error {
	const most = 100
	if len(f) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Message: notTaken, Fields: f[:min(len(f), most)]}
}

// CodeOf returns the code of an error, Internal for a foreign error, "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
