package app

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/auth"
	"tenure/compile"
	"tenure/httpapi"
	"tenure/observe"
	"tenure/registry"
	"tenure/store"
)

// Config is what the outside world gives. CursorKey signs cursors; processes
// that serve the same tenants share it.
type Config struct {
	Now       func() time.Time
	Logger    *slog.Logger
	CursorKey []byte
	HTTP      httpapi.Config
	Writer    store.WriterConfig
}

// App is the service over one store.
type App struct {
	Handler http.Handler
	service *service
}

// New puts the parts together. It neither opens nor closes the store.
func New(s store.Store, cfg Config) (*App, error) {
	metrics := prometheus.NewRegistry()
	observed, err := observe.Store(s, metrics, cfg.Now)
	if err != nil {
		return nil, err
	}
	tokens := compile.NewTokens()
	go tokens.Count("Tenure") // loads the vocabulary, which the first compilation would wait for
	compiler, err := compile.New(tokens, compile.Config{})
	if err != nil {
		return nil, err
	}
	cfg.HTTP.Now = cfg.Now
	mint := func() tenure.Mint { return tenure.NewMint(cfg.Now()) }
	svc := &service{
		store: observed, writer: store.NewWriter(observed, mint, cfg.Writer), compiler: compiler,
		judge: registry.Judge{Model: registry.DefaultModel()},
		mint:  mint, now: cfg.Now, logger: cfg.Logger,
	}
	handler, err := httpapi.New(httpapi.Deps{
		Store: observed, Authenticator: auth.New(observed, cfg.Now, auth.Config{}),
		Observer: svc, Amender: svc, Settler: svc, Vocabularist: svc, Compiler: svc, Arbiter: svc,
		Judge: svc.judge, Proposer: svc.proposer,
		Mint: mint, Random: rand.Reader, CursorKey: cfg.CursorKey, Logger: cfg.Logger,
		Registerer: metrics, Gatherer: metrics,
	}, cfg.HTTP)
	if err != nil {
		return nil, err
	}
	return &App{Handler: handler, service: svc}, nil
}

// Close waits for what was accepted; the store can be closed then.
func (a *App) Close() {
	a.service.after.Wait()
	a.service.writer.Close()
}
