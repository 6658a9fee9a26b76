package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"

	"tenure/cache"
)

// Config configures a client. URL, Model and Now are required; the zero value of every other field is its default.
type Config struct {
	// URL is the base of the endpoint, with or without /v1 at its end.
	URL string
	// Model is the name of the model at the endpoint.
	Model string
	// Key is sent as a bearer token; "" sends none.
	Key string
	// Options are further members of each request, such as {"temperature": 0}. They may bound the answer by
	// max_tokens in place of max_completion_tokens.
	Options json.RawMessage
	// Timeout bounds one reading with its retries. Default 10 s.
	Timeout time.Duration
	// Attempts is how often one request is sent at most. Default 3.
	Attempts int
	// Pause is the pause before the first retry; it grows with each. Default 500 ms.
	Pause time.Duration
	// Rest is how long the endpoint is left alone after five readings in a row that failed. Default 30 s.
	Rest time.Duration
	// Concurrency is how many requests are under way at a time at most. Default 4.
	Concurrency int
	// Tokens is how many tokens an hour may cost at most. Default: no bound.
	Tokens int
	// Before is how many of the turns before one are sent with it at most. Default 6; negative: none.
	Before int
	// CacheBytes is the size of the answers that are remembered, about. Default 16 MiB; negative: none.
	CacheBytes int
	// Unredacted sends e-mail addresses, telephone, account and card numbers and secrets as they are.
	Unredacted bool
	// Now is the clock.
	Now func() time.Time
	// Logger receives what fails, without content. Default: discarded.
	Logger *slog.Logger
}

// reserved are the members of a request that are not the operator's.
var reserved = []string{"model", "messages", "response_format", "stream", "n", "tools", "functions"}

// check returns every fault of the configuration but for the options.
func (c Config) check() error {
	var faults []error
	fault := func(is bool, what string) {
		if is {
			faults = append(faults, errors.New(what))
		}
	}
	u, err := url.Parse(c.URL)
	isWeb := err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
	fault(!isWeb, "the URL is not one of http or https")
	fault(isWeb && (u.User != nil || u.RawQuery != "" || u.Fragment != ""), "the URL has a user, a query or a fragment")
	fault(c.Model == "", "no model is named")
	fault(len(c.Model) > maxName, "the name of the model is too long")
	fault(c.Now == nil, "there is no clock")
	fault(strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }),
		"the key has characters other than printable ASCII")
	fault(c.Timeout < 0 || c.Pause < 0 || c.Rest < 0, "a time is negative")
	fault(c.Attempts < 0 || c.Concurrency < 0 || c.Tokens < 0, "a bound is negative")
	return errors.Join(faults...)
}

// members returns the options by name.
func (c Config) members() (map[string]json.RawMessage, error) {
	options := map[string]json.RawMessage{}
	if len(c.Options) == 0 {
		return options, nil
	}
	if err := json.Unmarshal(c.Options, &options); err != nil {
		return nil, errors.New("the options are not a JSON object")
	}
	for _, name := range reserved {
		if _, ok := options[name]; ok {
			return nil, fmt.Errorf("the option %s cannot be set", name)
		}
	}
	return options, nil
}

func (c Config) withDefaults() Config {
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	c.Attempts = cmp.Or(c.Attempts, 3)
	c.Pause = cmp.Or(c.Pause, 500*time.Millisecond)
	c.Rest = cmp.Or(c.Rest, 30*time.Second)
	c.Concurrency = cmp.Or(c.Concurrency, 4)
	c.Before = cmp.Or(c.Before, 6)
	c.CacheBytes = cmp.Or(c.CacheBytes, 16<<20)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// failures is after how many failed readings in a row the endpoint is left alone.
const failures = 5

// New returns a client. It reports every fault of the configuration, and sends nothing.
func New(cfg Config) (*Client, error) {
	options, err := cfg.members()
	if err := errors.Join(cfg.check(), err); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	base := strings.TrimSuffix(strings.TrimRight(cfg.URL, "/"), "/v1")
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	transport.MaxIdleConnsPerHost = cfg.Concurrency
	c := &Client{
		cfg: cfg, url: base + "/v1/chat/completions", name: "model:" + cfg.Model + "/" + promptVersion, options: options,
		client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // another host would get the texts and the key
		}},
		slots: make(chan struct{}, cfg.Concurrency), budget: budget{limit: cfg.Tokens, now: cfg.Now}, metrics: newMetrics(),
	}
	if cfg.CacheBytes > 0 {
		c.cache = cache.New[digest, completion](cfg.CacheBytes / 2)
	}
	c.breaker = gobreaker.NewCircuitBreaker[completion](gobreaker.Settings{
		Timeout:      cfg.Rest,
		ReadyToTrip:  func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failures },
		IsSuccessful: func(err error) bool { return err == nil || errors.Is(err, errContent) },
		IsExcluded:   func(err error) bool { return errors.Is(err, errGivenUp) || errors.Is(err, errSpent) },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			cfg.Logger.Warn("the model that reads statements", "breaker", to.String())
		},
	})
	return c, nil
}
