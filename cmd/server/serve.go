package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"go.opentelemetry.io/otel/trace"

	"tenure"
	"tenure/httpapi/admission"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/store"
	"tenure/webhook"
)

type serveCmd struct {
	storeFlags
	indexFlag
	modelFlag
	statementsFlags
	extractorFlags
	embedderFlags
	tlsFlags
	oidcFlags
	Listen          string     `default:"127.0.0.1:8080" env:"TENURE_LISTEN" help:"Address to listen on. Port 0 picks a free port, which is printed."`
	CursorKeyFile   string     `placeholder:"FILE" env:"TENURE_CURSOR_KEY_FILE" help:"File with the key that encrypts the cursors of lists, 64 hex digits. Without it the key is in the environment variable TENURE_CURSOR_KEY. Servers of one store need the same key. Default: one that is kept beside the SQLite file; with Neo4j a random one, so that cursors are invalid after a restart."`
	LogLevel        slog.Level `default:"info" env:"TENURE_LOG_LEVEL" help:"Least level of log lines: debug, info, warn or error."`
	Webhook         string     `placeholder:"URL" env:"TENURE_WEBHOOK" help:"URL to tell of new tasks, which are cases, reviews and proposed changes that wait for an answer."`
	WebhookSecret   string     `name:"webhook-secret-file" placeholder:"FILE" env:"TENURE_WEBHOOK_SECRET_FILE" help:"File with the secret that signs what is sent to the webhook, at least 16 bytes."`
	WebhookDir      string     `placeholder:"DIR" env:"TENURE_WEBHOOK_DIR" help:"Directory of what is to be sent to the webhook; no two processes share one. Default: beside the SQLite file."`
	WebhookAttempts int        `default:"10" env:"TENURE_WEBHOOK_ATTEMPTS" help:"After how many attempts an event of the webhook is a dead letter."`
	rateFlags
	TrustedProxies []netip.Prefix `placeholder:"CIDR" env:"TENURE_TRUSTED_PROXIES" help:"Networks of the proxies whose X-Forwarded-For says from which address a request came, such as 10.0.0.0/8. Default: it is not asked."`
	MaxConnections int            `default:"0" env:"TENURE_MAX_CONNECTIONS" help:"How many connections are open at a time, of one address half as many. Further ones take the place of those that wait for a request, or else wait. 0 is half of the files that the process may open, at most 10000."`
	MaxReads       int            `default:"0" env:"TENURE_MAX_READS" help:"How many reads are carried out at a time; further ones take turns. 0 is one for each processor and one more on SQLite, four for each processor on Neo4j."`
	Grace          time.Duration  `default:"20s" env:"TENURE_GRACE" help:"How long a stopping server waits for requests in progress."`
	Keep           time.Duration  `name:"keep-compilations" default:"0s" env:"TENURE_KEEP_COMPILATIONS" help:"How long compilations are kept to be read back, such as 2160h; older ones are removed. 0 keeps them for ever."`
}

// Run serves until the context ends, then finishes accepted work.
func (c *serveCmd) Run(w *world) error {
	defer tuneCollector()()
	s, err := c.open(w.ctx, w.now)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	if c.OIDCIssuer == "" { // whose tokens need no key
		if err := hasCredential(w.ctx, s, tenure.At(w.now())); err != nil {
			return err
		}
	}
	key, err := c.cursorKey()
	if err != nil {
		return err
	}
	extractor, err := c.extractor()
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewJSONHandler(w.errOut, &slog.HandlerOptions{Level: c.LogLevel}))
	tracer, stop, err := startTracing(w.ctx, logger)
	if err != nil {
		return err
	}
	defer stop()
	x, err := c.openIndex(c.Store, index.Config{Logger: logger})
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	model, err := c.load()
	if err != nil {
		return err
	}
	hook, err := c.webhook(w, s, logger)
	if err != nil {
		return err
	}
	cfg := service.Config{Webhook: hook, Now: w.now, Logger: logger, Index: x.Index, Model: model, Extractor: extractor,
		KeepCompilations: c.Keep}
	opts := c.options(key, tracer)
	end, err := c.statementsFlags.configure(&cfg, &opts)
	if err != nil {
		return err
	}
	defer end()
	done, err := c.embedderFlags.configure(&cfg)
	if err != nil {
		return err
	}
	defer done()
	if err := c.oidcFlags.configure(w, &cfg); err != nil {
		return err
	}
	secured, err := c.serverTLS(w.now, logger)
	if err != nil {
		return err
	}
	warm(w.ctx, s, logger)
	return serve(w, s, cfg, opts, listening{c.Listen, connections(c.MaxConnections), c.Grace, secured},
		func(url string) { fmt.Fprintln(w.out, url) })
}

// options returns the options of the front door.
func (c *serveCmd) options(cursorKey []byte, tracer trace.TracerProvider) serving.Options {
	return serving.Options{
		CursorKey: cursorKey, Tracer: tracer, Rates: c.rates(), Reads: c.reads(), TrustedProxies: c.TrustedProxies,
	}
}

// reads returns how many reads are carried out at once, 0 for the default of the front door. Reads from Neo4j mostly
// wait for it, so that more of them keep the processors busy.
func (c *serveCmd) reads() int {
	if c.MaxReads == 0 && !strings.HasPrefix(c.Store, sqlitePrefix) {
		return 4 * runtime.GOMAXPROCS(0)
	}
	return c.MaxReads
}

// Validate refuses a time for which nothing would be kept, and networks that hold no address.
func (c *serveCmd) Validate() error {
	if c.Keep < 0 {
		return errors.New("--keep-compilations is not negative")
	}
	for _, p := range c.TrustedProxies {
		if p.Addr().Is4In6() {
			return fmt.Errorf("--trusted-proxies: write %s as a network of IPv4", p)
		}
	}
	return nil
}

// rateFlags bound what keys and tenants may ask for.
type rateFlags struct {
	RatePerKey    float64 `default:"5000" env:"TENURE_RATE_PER_KEY" help:"Units that a key may use in a second; a request or a line of a batch costs 1 or, if it is more work, more: a compilation 10. 0 is no bound."`
	RatePerTenant float64 `default:"10000" env:"TENURE_RATE_PER_TENANT" help:"Units that the keys of a tenant may use in a second together. 0 is no bound."`
	RateBurst     int     `default:"50000" env:"TENURE_RATE_BURST" help:"Units that a key, or a tenant, may use at once after a pause."`
}

func (f rateFlags) rates() admission.Config {
	return admission.Config{PerKey: f.RatePerKey, PerTenant: f.RatePerTenant, Burst: f.RateBurst}
}

// Validate refuses bounds that would let nothing through.
func (f rateFlags) Validate() error {
	if f.RatePerKey < 0 || f.RatePerTenant < 0 || f.RateBurst < 1 {
		return errors.New("--rate-per-key and --rate-per-tenant are not negative, --rate-burst is at least 1")
	}
	return nil
}

// listening says how a server listens: on which address, for how many connections at a time, how long it waits for
// requests under way when it stops, and how it speaks TLS.
type listening struct {
	address     string
	connections int
	grace       time.Duration
	tls         *tls.Config // nil for plain HTTP
}

// mostConnections bounds the connections of a server that is not told how many it may have.
const mostConnections = 10_000

// connections returns how many connections a server may have: what it is told or else, so that the store and the index
// can open their files however many clients there are, half of what the process may open.
func connections(told int) int {
	if told > 0 {
		return told
	}
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return mostConnections
	}
	return int(max(1, min(mostConnections, files.Cur/2)))
}

// warm prepares a store that is slow at first, before anybody waits for it.
func warm(ctx context.Context, s store.Store, logger *slog.Logger) {
	cold, ok := s.(interface {
		Warm(ctx context.Context) error
	})
	if !ok {
		return
	}
	if err := cold.Warm(ctx); err != nil {
		logger.WarnContext(ctx, "the first requests may be slow: the store was not warmed up", "error", err)
	}
}

// webhook returns the configured webhook, nil for none.
func (c *serveCmd) webhook(w *world, s store.Store, logger *slog.Logger) (*webhook.Webhook, error) {
	if c.Webhook == "" {
		return nil, nil // nil is none
	}
	if c.WebhookSecret == "" {
		return nil, errors.New("--webhook needs --webhook-secret-file")
	}
	secret, err := os.ReadFile(c.WebhookSecret)
	if err != nil {
		return nil, fmt.Errorf("--webhook-secret-file: %w", err)
	}
	dir := c.WebhookDir
	if path, isSQLite := strings.CutPrefix(c.Store, sqlitePrefix); dir == "" && isSQLite {
		dir = path + ".webhook"
	}
	if dir == "" {
		return nil, errors.New("--webhook needs --webhook-dir, where what is to be sent is kept")
	}
	if c.WebhookAttempts < 1 {
		return nil, errors.New("--webhook-attempts is less than 1")
	}
	return webhook.New(s, webhook.Config{
		URL: c.Webhook, Secret: bytes.TrimSpace(secret), Dir: dir, Now: w.now, Attempts: c.WebhookAttempts, Logger: logger,
	})
}

// hasCredential returns an error for a store without a credential: no caller could use the server, which is
// surely a mistake, and serving without authentication would be worse.
func hasCredential(ctx context.Context, s store.Store, now tenure.Instant) error {
	list, err := s.Credentials(ctx, "")
	if err != nil {
		return err
	}
	for _, c := range list {
		if !c.Ended(now) {
			return nil
		}
	}
	return errors.New("there is no valid API key in this store: make one with \"server keys create\"")
}

// cursorKey returns the key of the cursors.
func (c *serveCmd) cursorKey() ([]byte, error) {
	text, err := secretFrom("--cursor-key-file", c.CursorKeyFile, "TENURE_CURSOR_KEY")
	if err != nil {
		return nil, err
	}
	return cursorKey(text, c.Store)
}

// cursorKey returns the key of the cursors: the one that is given; or else, of a SQLite file, the one that is kept
// beside it, which all servers of the file share; or else a random one.
func cursorKey(text, address string) ([]byte, error) {
	key := make([]byte, 32)
	if text == "" {
		if _, err := rand.Read(key); err != nil {
			return nil, err
		}
		if path, isSQLite := strings.CutPrefix(address, sqlitePrefix); isSQLite {
			return keptKey(path+".cursor-key", key)
		}
		return key, nil
	}
	if n, err := hex.Decode(key, []byte(text)); err != nil || n != len(key) || len(text) != 2*len(key) {
		return nil, errors.New("TENURE_CURSOR_KEY, or the file of --cursor-key-file, is not 64 hex digits")
	}
	return key, nil
}

// keptKey returns the key that a file holds. If there is none, it makes one that holds the given key; of several
// processes that do so at once, one does.
func keptKey(name string, key []byte) ([]byte, error) {
	kept, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		var made *os.File
		if made, err = os.CreateTemp(filepath.Dir(name), ".cursor-key-*"); err != nil {
			return nil, err
		}
		defer func() { _ = os.Remove(made.Name()) }()
		_, err = made.Write(key)
		if err := errors.Join(err, made.Close()); err != nil {
			return nil, err
		}
		if err = os.Link(made.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		kept, err = os.ReadFile(name)
	}
	if err == nil && len(kept) != len(key) {
		err = fmt.Errorf("%s is not a key of %d bytes: remove it", name, len(key))
	}
	return kept, err
}

// newHTTPServer returns a server with its bounds for connections.
func newHTTPServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		DisableGeneralOptionsHandler: true, // which waits for the body
		ErrorLog:                     slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
		// The deadlines above end requests of HTTP/2, and not a connection that takes no frames.
		HTTP2: &http.HTTP2Config{WriteByteTimeout: 10 * time.Second},
	}
}

// serve listens, logs the address, and serves until the context ends.
func serve(
	w *world, s store.Store, cfg service.Config, opts serving.Options, at listening, ready func(url string),
) error {
	a, err := serving.HTTP(s, cfg, opts)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(w.ctx, "tcp", at.address)
	if err != nil {
		return err
	}
	server := newHTTPServer(a.Handler, cfg.Logger)
	failed, scheme := make(chan error, 1), "http://"
	bounded := newBoundedListener(listener, at.connections, opts.TrustedProxies)
	server.ConnState = bounded.note
	if at.tls == nil {
		go func() { failed <- server.Serve(bounded) }()
	} else {
		scheme, server.TLSConfig = "https://", at.tls
		go func() { failed <- server.ServeTLS(bounded, "", "") }()
	}
	ready(scheme + listener.Addr().String())
	select {
	case err := <-failed:
		a.Close()
		return err
	case <-w.ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), at.grace)
	defer cancel()
	if err = server.Shutdown(ctx); err != nil {
		err = errors.Join(fmt.Errorf("requests were still under way after %s: %w", at.grace, err), server.Close())
	}
	if dropped := a.Stop(ctx); dropped > 0 {
		err = errors.Join(err, fmt.Errorf("%d writes were still waiting and were not carried out", dropped))
	}
	return err
}
