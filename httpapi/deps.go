package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/fair"
	"tenure/httpapi/admission"
	"tenure/service"
)

// Authenticator authenticates callers by their keys: see [service.Service.Authenticate]. Tests replace it,
// with the names of callers as keys.
type Authenticator interface {
	// Authenticate returns the caller of the key that came from the address client, or Unauthenticated if there is none.
	Authenticate(ctx context.Context, key, client string) (tenure.Caller, error)
}

// Deps are the dependencies of the handlers. All are required.
type Deps struct {
	// Service carries out the operations.
	Service *service.Service
	// Authenticator is the service, except in tests.
	Authenticator Authenticator
	// Mint returns the current time and a source of ids.
	Mint func() tenure.Mint
	// Random is the source of request ids. It must be safe for concurrent use.
	Random io.Reader
	// CursorKey encrypts cursors; it has at least 32 bytes and is the same in every process.
	CursorKey  []byte
	Logger     *slog.Logger
	Registerer prometheus.Registerer
	Gatherer   prometheus.Gatherer
}

// Config configures the handlers; the zero value is valid.
type Config struct {
	// BodyLimit bounds a request body, except that of a batch. Default: 1 MiB.
	BodyLimit int
	// LineLimit bounds a line of a batch. Default: 1 MiB.
	LineLimit int
	// GroupLines bounds how many lines of a batch are decided together. Default: 256.
	GroupLines int
	// Timeout bounds a request, and each group of a batch. Default: 30 s.
	Timeout time.Duration
	// Now is the clock of the network, by which each group of a batch extends the deadlines of its
	// connection. With nil the deadlines of the server stay in force.
	Now func() time.Time
	// TrustedProxies are believed when they say from where a request came. Default: none is.
	TrustedProxies []netip.Prefix
	// Rates bounds what keys and tenants may ask for. Default: nothing is bounded.
	Rates admission.Config
	// Reads bounds how many reads are carried out at once. Default: one for each processor, and one more.
	Reads int
	// WaitingReads bounds how many wait for that. Default: 1024.
	WaitingReads int
}

// reads returns how reads take turns. One that has waited for a third of its time would hardly be answered in it.
func (c Config) reads() fair.Config {
	return fair.Config{Slots: c.Reads, Waiting: c.WaitingReads, Wait: c.Timeout / 3}
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
	if c.Reads <= 0 {
		c.Reads = 1 + runtime.GOMAXPROCS(0)
	}
	if c.WaitingReads <= 0 {
		c.WaitingReads = 1024
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
