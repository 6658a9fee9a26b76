package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tenure/cache"
	"tenure/endpoint"
)

// Config configures a client. URL, Model and Now are required; the zero value of every other field is its default: for
// Timeout 10 s, for Pause 500 ms. The Logger receives what fails, too, without content.
type Config struct {
	endpoint.Config

	// Options are further members of each request, such as {"temperature": 0}. They may bound the answer by
	// max_tokens in place of max_completion_tokens.
	Options json.RawMessage
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
}

// reserved are the members of a request that are not the operator's.
var reserved = []string{"model", "messages", "response_format", "stream", "n", "tools", "functions"}

// check returns the faults of what is not of the endpoint.
func (c Config) check() error {
	var faults []error
	fault := func(is bool, what string) {
		if is {
			faults = append(faults, errors.New(what))
		}
	}
	fault(len(c.Model) > maxName, "the name of the model is too long")
	fault(c.Now == nil, "there is no clock")
	fault(c.Tokens < 0, "a bound is negative")
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
	c.Pause = cmp.Or(c.Pause, 500*time.Millisecond)
	c.Concurrency = cmp.Or(c.Concurrency, 4)
	c.Before = cmp.Or(c.Before, 6)
	c.CacheBytes = cmp.Or(c.CacheBytes, 16<<20)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// New returns a client. It reports every fault of the configuration, and sends nothing.
func New(cfg Config) (*Client, error) {
	cfg = cfg.withDefaults()
	options, err := cfg.members()
	e, bad := endpoint.New(cfg.Config, "/v1/chat/completions")
	if err := errors.Join(bad, cfg.check(), err); err != nil {
		return nil, err
	}
	c := &Client{
		cfg: cfg, endpoint: e, name: "model:" + cfg.Model + "/" + promptVersion, options: options,
		budget: budget{limit: cfg.Tokens, now: cfg.Now}, metrics: newMetrics(),
	}
	if cfg.CacheBytes > 0 {
		c.cache = cache.New[digest, completion](cfg.CacheBytes / 2)
	}
	return c, nil
}
