// Package serving assembles a store, the service and its HTTP front door, so that the program, its tests and
// the benchmarks serve the same handler.
//
// Inputs are an opened store and the environment (clock, index, logger); output is a handler. The package
// owns no rule.
package serving

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"tenure"
	"tenure/contain"
	"tenure/httpapi"
	"tenure/httpapi/admission"
	"tenure/observe"
	"tenure/service"
	"tenure/store"
)

// Server is the HTTP API over one store.
type Server struct {
	Handler http.Handler
	Service *service.Service

	stop  context.CancelFunc // of the watch over the clock
	watch sync.WaitGroup
}

// Options configures the front door. CursorKey encrypts cursors; processes that serve the same tenants share it.
// Tracer creates the spans of requests; nil disables tracing. Register, if there is one, adds metrics of its own. Rates
// bounds what keys and tenants may ask for; the zero value bounds nothing.
type Options struct {
	CursorKey []byte
	Rates     admission.Config
	// Reads bounds how many reads are carried out at once; 0 is the default of [httpapi.Config].
	Reads int
	// TrustedProxies are believed when they say from where a request came.
	TrustedProxies []netip.Prefix
	// Network is the clock of the deadlines of connections, as that of the kernel is never put back. Default: that of the
	// service.
	Network  func() time.Time
	Tracer   trace.TracerProvider
	Register func(prometheus.Registerer) error
}

// HTTP returns a server over a store, with the metrics of every layer. It neither opens nor closes the store.
func HTTP(s store.Store, cfg service.Config, opts Options) (*Server, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	metrics := prometheus.NewRegistry()
	observed, err := observe.Store(s, metrics, cfg.Now)
	if err != nil {
		return nil, err
	}
	if err := observe.Process(metrics); err != nil {
		return nil, err
	}
	clock, err := observe.NewClock(metrics, cfg.Logger)
	if err != nil {
		return nil, err
	}
	if opts.Register != nil {
		if err := opts.Register(metrics); err != nil {
			return nil, err
		}
	}
	cfg.Metrics, cfg.Logger = metrics, observe.Logger(cfg.Logger)
	if opts.Network == nil {
		opts.Network = cfg.Now
	}
	svc, err := service.New(observed, cfg)
	if err != nil {
		return nil, err
	}
	handler, err := httpapi.New(httpapi.Deps{
		Service: svc, Authenticator: svc,
		Mint:   func() tenure.Mint { return tenure.NewMint(cfg.Now()) },
		Random: rand.Reader, CursorKey: opts.CursorKey, Logger: cfg.Logger,
		Registerer: metrics, Gatherer: metrics,
	}, httpapi.Config{Now: opts.Network, Rates: opts.Rates, Reads: opts.Reads, TrustedProxies: opts.TrustedProxies})
	if err != nil {
		svc.Close()
		return nil, err
	}
	server := &Server{Handler: observe.Handler(handler, opts.Tracer), Service: svc}
	ctx, stop := context.WithCancel(context.Background())
	server.stop = stop
	server.watch.Go(func() {
		contain.Keep(ctx, func(err error) { cfg.Logger.Error("the watch over the clock panicked", "error", err) },
			func(ctx context.Context) { clock.Run(ctx, cfg.Now) })
	})
	return server, nil
}

// Close waits for accepted work; the store can be closed afterwards.
func (s *Server) Close() { s.Stop(context.Background()) }

// Stop is [Server.Close] until the context ends: see [service.Service.Stop].
func (s *Server) Stop(ctx context.Context) (dropped int) {
	s.stop()
	s.watch.Wait()
	return s.Service.Stop(ctx)
}
