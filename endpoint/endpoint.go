// Package endpoint sends requests to a model behind HTTP, whose API is that of OpenAI or alike.
//
// Requests have time limits, are repeated where that can help, and are held back for a while after several failures in
// a row. Redirects are not followed, since another host would get the texts and the key.
package endpoint

import (
	"bytes"
	"cmp"
	"context"
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

	"tenure/fair"
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
	// Rest is how long the endpoint is left alone after five calls in a row that failed. Default 30 s.
	Rest time.Duration
	// Concurrency is how many requests are under way at a time at most. Default 4.
	Concurrency int
	// Logger receives when the endpoint is left alone, without content. Default: discarded.
	Logger *slog.Logger
}

// check returns every fault of the configuration.
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
	fault(c.Attempts < 0 || c.Concurrency < 0, "a bound is negative")
	return errors.Join(faults...)
}

func (c Config) withDefaults() Config {
	c.Timeout, c.Pause = cmp.Or(c.Timeout, 5*time.Second), cmp.Or(c.Pause, 200*time.Millisecond)
	c.Rest, c.Attempts = cmp.Or(c.Rest, 30*time.Second), cmp.Or(c.Attempts, 3)
	c.Concurrency = cmp.Or(c.Concurrency, 4)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

var (
	// ErrContent is of an answer that cannot be used though the endpoint works: what was sent may be the cause. A call
	// that ends with it does not count as failed.
	ErrContent = errors.New("the answer cannot be used")
	// ErrTooLong is an ErrContent: the answer has more bytes than are read.
	ErrTooLong = fmt.Errorf("%w: it is too long", ErrContent)
	// ErrResting is of a call that is held back, after several that failed.
	ErrResting = errors.New("the endpoint is left alone for a while")

	errGivenUp = errors.New("the caller gave up")
	errNotSent = errors.New("it was not sent")
)

// StatusError is a status other than 200.
type StatusError int

func (e StatusError) Error() string { return "status " + strconv.Itoa(int(e)) }

// failures is after how many failed calls in a row the endpoint is left alone.
const failures = 5

// Client sends requests to one path of an endpoint. It is safe for concurrent use.
type Client struct {
	cfg     Config
	url     string
	http    *http.Client
	slots   chan struct{}
	breaker *gobreaker.CircuitBreaker[any]
}

// New returns a client for a path such as "/v1/embeddings". It reports every fault of the configuration, and sends
// nothing.
func New(cfg Config, path string) (*Client, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	base := strings.TrimSuffix(strings.TrimRight(cfg.URL, "/"), "/v1")
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	transport.MaxIdleConnsPerHost = cfg.Concurrency
	return &Client{
		cfg: cfg, url: base + path, slots: make(chan struct{}, cfg.Concurrency),
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
			Timeout:      cfg.Rest,
			ReadyToTrip:  func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failures },
			IsSuccessful: func(err error) bool { return err == nil || errors.Is(err, ErrContent) },
			IsExcluded:   func(err error) bool { return errors.Is(err, errGivenUp) || errors.Is(err, errNotSent) },
			OnStateChange: func(_ string, _, to gobreaker.State) {
				cfg.Logger.Warn("the endpoint of a model", "path", path, "breaker", to.String())
			},
		}),
	}, nil
}

// Close ends idle connections. Requests under way go on.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Request is what is sent, and what becomes of the answer.
type Request struct {
	Body []byte
	// Admit, if not nil, is asked when it is the turn of the request; after an error of it nothing is sent.
	Admit func() error
	// Limit is how many bytes an answer has at most.
	Limit int64
	// Read reads an answer. After an error of it the request is not sent again.
	Read func(answer []byte) error
	// Attempted, if not nil, is told how each attempt ended, and how long it took.
	Attempted func(ctx context.Context, took time.Duration, err error)
}

// Post sends a request until it is answered, no attempt is left, or a retry cannot help.
func (c *Client) Post(ctx context.Context, q Request) error {
	return fair.Away(ctx, func() error { return c.post(ctx, q) })
}

func (c *Client) post(ctx context.Context, q Request) error {
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return fmt.Errorf("too many requests are under way: %w", ctx.Err())
	}
	_, err := c.breaker.Execute(func() (any, error) {
		if q.Admit != nil {
			if err := q.Admit(); err != nil {
				return nil, fmt.Errorf("%w: %w", errNotSent, err)
			}
		}
		err := c.send(ctx, q)
		if caller.Err() != nil {
			err = fmt.Errorf("%w: %w", errGivenUp, caller.Err())
		}
		return nil, err
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		err = ErrResting
	}
	return err
}

func (c *Client) send(ctx context.Context, q Request) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = c.cfg.Pause
	deadline, _ := ctx.Deadline()
	_, err := backoff.Retry(ctx, func() (any, error) {
		began := time.Now() //nolint:forbidigo // how long it took is measured, and nothing depends on it
		err := c.once(ctx, q)
		if q.Attempted != nil {
			q.Attempted(ctx, time.Since(began), err)
		}
		return nil, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(uint(c.cfg.Attempts)),
		backoff.WithMaxElapsedTime(max(time.Until(deadline), 1)))
	return err
}

// once sends a request once. The error is permanent if a retry cannot help.
func (c *Client) once(ctx context.Context, q Request) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(q.Body))
	if err != nil {
		return backoff.Permanent(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return rejected(res)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, q.Limit+1))
	switch {
	case err != nil:
		return err
	case int64(len(raw)) > q.Limit:
		return backoff.Permanent(ErrTooLong)
	}
	if err := q.Read(raw); err != nil {
		return backoff.Permanent(err)
	}
	return nil
}

// rejected returns the error of a response with another status than 200: final, unless a retry may help.
func rejected(res *http.Response) error {
	status := StatusError(res.StatusCode)
	switch res.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return backoff.Permanent(fmt.Errorf("%w: %w", ErrContent, status)) // another text may be taken
	case http.StatusTooManyRequests, http.StatusRequestTimeout:
	default:
		if status < http.StatusInternalServerError {
			return backoff.Permanent(status)
		}
	}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		return errors.Join(status, &backoff.RetryAfterError{Duration: time.Duration(seconds) * time.Second})
	}
	return status
}
