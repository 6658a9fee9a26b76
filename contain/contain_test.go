package contain_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tenure"
	"tenure/contain"
)

func TestAPanicIsAnErrorThatNoCallerCanRead(t *testing.T) {
	plain, own := errors.New("no room"), tenure.Errorf(tenure.Conflicting, "changed")
	for name, c := range map[string]struct {
		f     func() error
		want  error
		code  tenure.Code
		panic bool
	}{
		"no-error":             {f: func() error { return nil }},
		"an-error":             {f: func() error { return plain }, want: plain, code: tenure.Internal},
		"a-panic":              {f: func() error { panic("secret") }, code: tenure.Internal, panic: true},
		"a-panic-within-panic": {f: func() error { panic(contain.Do(func() error { panic("secret") })) }, code: tenure.Internal, panic: true},
		"an-error-of-a-job":    {f: func() error { panic(own) }, want: own, code: tenure.Conflicting},
	} {
		t.Run(name, func(t *testing.T) {
			err := contain.Do(c.f)
			if c.want != nil && !errors.Is(err, c.want) || tenure.CodeOf(err) != c.code || contain.Is(err) != c.panic {
				t.Fatalf("%v", err)
			}
			var e *tenure.Error
			if errors.As(err, &e) && strings.Contains(e.Message, "secret") {
				t.Error("the message quotes the panic")
			}
			if c.panic && !strings.Contains(err.Error(), "secret") {
				t.Errorf("the log does not get the panic: %v", err)
			}
		})
	}
}

func TestWorkThatPanicsIsDoneAgain(t *testing.T) {
	done, reported := 0, 0
	contain.Keep(t.Context(), func(error) { reported++ }, func(context.Context) {
		if done++; done < 2 {
			panic("once")
		}
	})
	if done != 2 || reported != 1 {
		t.Errorf("done %d times, reported %d times", done, reported)
	}
	ended, end := context.WithCancel(t.Context())
	contain.Keep(ended, func(error) { end() }, func(context.Context) { panic("always") })
}
