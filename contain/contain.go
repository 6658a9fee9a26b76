// Package contain turns panics into errors, so that what one request, one entry of the log or one tenant provokes does
// not end the process for all.
//
// In comes a function; out goes its error, or its panic as one. What the Go runtime calls fatal, such as a stack that
// overflows, memory that is used up or a map that is written twice at once, cannot be contained.
package contain

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"tenure"
)

// Panic is a panic as an error, with the stack of the goroutine. It is for the log: it may quote what was said.
type Panic struct {
	Value any
	Stack []byte
}

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Error returns what recover returned as an Internal error that wraps a [Panic], nil for none. A tenure.Error that was
// panicked is returned as it is.
func Error(recovered any) error {
	if recovered == nil {
		return nil
	}
	if err, ok := recovered.(*tenure.Error); ok {
		return err
	}
	return &tenure.Error{
		Code: tenure.Internal, Message: "the service failed", Err: &Panic{Value: recovered, Stack: debug.Stack()},
	}
}

// Do calls f and returns its error, or its panic as by [Error].
func Do(f func() error) (err error) {
	defer func() {
		if p := Error(recover()); p != nil {
			err = p
		}
	}()
	return f()
}

// Is reports whether an error is a contained panic.
func Is(err error) bool {
	var p *Panic
	return errors.As(err, &p)
}

// pause is how long Keep waits after a panic, so that work which always panics costs little.
const pause = time.Second

// Keep does work, and does it again after a pause while it panics and the context has not ended. Each panic is reported
// first.
func Keep(ctx context.Context, report func(error), work func(context.Context)) {
	for {
		err := Do(func() error { work(ctx); return nil })
		if err == nil {
			return
		}
		report(err)
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}
