package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/service"
)

// Authenticator knows callers by their keys: see [service.Service.Authenticate]. It is a
// seam for tests, whose keys are the names of the callers.
type Authenticator interface {
	// Authenticate returns the caller that the key speaks for; Unauthenticated if
	// there is none.
	Authenticate(ctx context.Context, key string) (tenure.Caller, error)
}

// Deps are what the handlers work with. Every one is needed.
type Deps struct {
	// Service carries out the operations.
	Service *service.Service
	// Authenticator is the service, unless a test says who calls.
	Authenticator Authenticator
	// Mint gives the present.
	Mint func() tenure.Mint
	// Random is the source of request ids. Many goroutines use it at once.
	Random io.Reader
	// CursorKey signs cursors; at least 32 bytes, the same in every process.
	CursorKey  []byte
	Logger     *slog.Logger
	Registerer prometheus.Registerer
	Gatherer   prometheus.Gatherer
}

// Config tunes the handlers; the zero value is good.
type Config struct {
	// BodyLimit bounds a body, but that of a batch. Default 1 MiB.
	BodyLimit int
	// LineLimit bounds a line of a batch. Default 1 MiB.
	LineLimit int
	// GroupLines bounds how many lines of a batch are decided at once.
	// Default 256.
	GroupLines int
	// Timeout bounds a request, and each group of a batch. Default 30 s.
	Timeout time.Duration
	// Now is the clock of the network, by which each group of a batch extends
	// the deadlines of its connection. nil leaves them as the server set them.
	Now func() time.Time
}

func (c Config) withDefaults() Config {
	if c.BodyLimit <= 0 {
		c.BodyLimit = 1 << 20
	}
	if c.LineLimit <= 0 {
		c.LineLimit = 1 << 20
	}
	if c.GroupLines <= 0 {
		c.GroupLines = 256
	}
	if c.Timeout <= 0 {
		c.Timeout = 30 * time.Second
	}
	return c
}

const minCursorKey = 32

func (d Deps) check() error {
	var errs []error
	need := func(have bool, name string) {
		if !have {
			errs = append(errs, errors.New("httpapi: no "+name))
		}
	}
	need(d.Service != nil, "Service")
	need(d.Authenticator != nil, "Authenticator")
	need(d.Mint != nil, "Mint")
	need(d.Random != nil, "Random")
	need(len(d.CursorKey) >= minCursorKey, "CursorKey of 32 bytes or more")
	need(d.Logger != nil, "Logger")
	need(d.Registerer != nil, "Registerer")
	need(d.Gatherer != nil, "Gatherer")
	return errors.Join(errs...)
}
