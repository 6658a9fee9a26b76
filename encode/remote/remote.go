// Package remote makes vectors and ranks texts by models behind HTTP: the embeddings of the OpenAI API
// (/v1/embeddings), which most servers of models offer, and the rerank of Jina, Cohere and vLLM (/v1/rerank).
//
// Requests have time limits, are repeated where that can help, and are held back for a while after several failures in
// a row. What an answer says is checked before it is used.
package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"
)

// Config configures a client. URL and Model are required; the zero value of every other field is its default.
type Config struct {
	// URL is the base of the endpoint, with or without /v1 at its end.
	URL string
	// Model is the name of the model at the endpoint.
	Model string
	// Key is sent as a bearer token; "" sends none.
	Key string
	// Timeout bounds one call with its retries. Default 5 s.
	Timeout time.Duration
	// Attempts is how often one request is sent at most. Default 3.
	Attempts int
	// Pause is the pause before the first retry; it grows with each. Default 200 ms.
	Pause time.Duration
	// Rest is how long the endpoint is left alone after five requests in a row that failed. Default 30 s.
	Rest time.Duration
	// Batch is how many texts one request has at most. Default 64.
	Batch int
	// Concurrency is how many requests are under way at a time at most. Default 4.
	Concurrency int
	// Logger receives when the endpoint is left alone, without content. Default: discarded.
	Logger *slog.Logger
}

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
	fault(strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }),
		"the key has characters other than printable ASCII")
	fault(c.Timeout < 0 || c.Pause < 0 || c.Rest < 0, "a time is negative")
	fault(c.Attempts < 0 || c.Concurrency < 0 || c.Batch < 0, "a bound is negative")
	return errors.Join(faults...)
}

func (c Config) withDefaults() Config {
	c.Timeout, c.Pause = cmp.Or(c.Timeout, 5*time.Second), cmp.Or(c.Pause, 200*time.Millisecond)
	c.Rest, c.Attempts = cmp.Or(c.Rest, 30*time.Second), cmp.Or(c.Attempts, 3)
	c.Batch, c.Concurrency = cmp.Or(c.Batch, 64), cmp.Or(c.Concurrency, 4)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// failures is after how many failed requests in a row the endpoint is left alone.
const failures = 5

// client sends requests to one path of an endpoint.
type client struct {
	cfg     Config
	url     string
	http    *http.Client
	slots   chan struct{}
	breaker *gobreaker.CircuitBreaker[any]
}

func newClient(cfg Config, path string) (*client, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	base := strings.TrimSuffix(strings.TrimRight(cfg.URL, "/"), "/v1")
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	transport.MaxIdleConnsPerHost = cfg.Concurrency
	return &client{
		cfg: cfg, url: base + path, slots: make(chan struct{}, cfg.Concurrency),
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // another host would get the texts and the key
		}},
		breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
			Timeout:     cfg.Rest,
			ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failures },
			IsExcluded:  func(err error) bool { return errors.Is(err, errGivenUp) },
			OnStateChange: func(_ string, _, to gobreaker.State) {
				cfg.Logger.Warn("the endpoint of a model", "path", path, "breaker", to.String())
			},
		}),
	}, nil
}

var errGivenUp = errors.New("the caller gave up")

// Close closes idle connections.
func (c *client) close() { c.http.CloseIdleConnections() }

// post sends a request and has read use the answer: an error of it is one of the endpoint. The answer has at most limit
// bytes.
func (c *client) post(ctx context.Context, body any, limit int64, read func(raw []byte) error) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return fmt.Errorf("too many requests are under way: %w", ctx.Err())
	}
	_, err = c.breaker.Execute(func() (any, error) {
		err := c.send(ctx, raw, limit, read)
		if caller.Err() != nil {
			err = fmt.Errorf("%w: %w", errGivenUp, caller.Err())
		}
		return nil, err
	})
	return err
}

// send sends a request until it is answered, no attempt is left, or a retry cannot help.
func (c *client) send(ctx context.Context, body []byte, limit int64, read func([]byte) error) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = c.cfg.Pause
	_, err := backoff.Retry(ctx, func() (any, error) {
		raw, err := c.once(ctx, body, limit)
		if err != nil {
			return nil, err
		}
		if err := read(raw); err != nil {
			return nil, backoff.Permanent(err)
		}
		return nil, nil
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(uint(c.cfg.Attempts)),
		backoff.WithMaxElapsedTime(c.cfg.Timeout))
	return err
}

func (c *client) once(ctx context.Context, body []byte, limit int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, backoff.Permanent(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, rejected(res)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > limit {
		return nil, backoff.Permanent(fmt.Errorf("the answer has more than %d bytes", limit))
	}
	return raw, nil
}

// rejected returns the error of a response with another status than 200: final, unless a retry may help.
func rejected(res *http.Response) error {
	err := fmt.Errorf("status %d", res.StatusCode)
	switch {
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusRequestTimeout:
	case res.StatusCode < http.StatusInternalServerError:
		return backoff.Permanent(err)
	}
	if seconds, bad := strconv.Atoi(res.Header.Get("Retry-After")); bad == nil && seconds >= 0 {
		return errors.Join(err, &backoff.RetryAfterError{Duration: time.Duration(seconds) * time.Second})
	}
	return err
}
