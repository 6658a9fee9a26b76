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
	"tenure/index"
	"tenure/ner"
	"tenure/observe"
	"tenure/registry"
	"tenure/review"
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
	// Model scores who is who. Default: the one that comes with the program.
	Model *registry.Model
	// Index is where candidates come from. The service keeps it up with the
	// log; it does not close it.
	Index *index.Index
	// IndexEvery has the pages large by which the index is kept up, for a process
	// that writes without a pause: see Gather of [changefeed.Config]. Default: a
	// moment.
	IndexEvery time.Duration
	// Extractor finds the mentions of texts. Default: the rules of ner.
	Extractor ner.Extractor
}

// App is the service over one store.
type App struct {
	Handler http.Handler
	service *service
	whois   *whois
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
	if cfg.Model == nil {
		cfg.Model = registry.DefaultModel()
	}
	judge := registry.Judge{Model: cfg.Model}
	who := newWhois(observed, cfg, judge)
	if cfg.Extractor != nil {
		who.extractor = cfg.Extractor
	}
	if err := who.measure(metrics); err != nil {
		return nil, err
	}
	cfg.Writer.Keys, cfg.Writer.Applied = registry.CloseKeys, who.applied
	cfg.Writer.Complete = review.Queue{Model: cfg.Model.Version}.Complete
	cfg.HTTP.Ready = who.ready
	svc := &service{
		store: observed, writer: store.NewWriter(observed, mint, cfg.Writer), compiler: compiler,
		judge: judge, proposer: who.candidates, mint: mint, now: cfg.Now, logger: cfg.Logger,
	}
	handler, err := httpapi.New(httpapi.Deps{
		Store: observed, Authenticator: auth.New(observed, cfg.Now, auth.Config{}),
		Observer: svc, Amender: svc, Settler: svc, Vocabularist: svc, Compiler: svc, Arbiter: svc,
		Judge: judge, Proposer: who.candidates, Indexed: who.reached, Extractor: who,
		Mint: mint, Random: rand.Reader, CursorKey: cfg.CursorKey, Logger: cfg.Logger,
		Registerer: metrics, Gatherer: metrics,
	}, cfg.HTTP)
	if err != nil {
		return nil, err
	}
	who.start(svc.writer)
	return &App{Handler: handler, service: svc, whois: who}, nil
}

// Close waits for what was accepted; the store can be closed then.
func (a *App) Close() {
	a.service.after.Wait()
	a.whois.close()
	a.service.writer.Close()
}
