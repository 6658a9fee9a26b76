package model

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// The outcomes of a request.
const (
	answered  = "answered"
	malformed = "malformed" // an answer that cannot be used
	throttled = "throttled" // 429
	refused   = "refused"   // another status below 500, redirects among them
	broken    = "broken"    // 5xx
	timedOut  = "timeout"
	givenUp   = "given_up" // by the caller
	noAnswer  = "unreachable"
)

// What a turn was read from.
const (
	fromModel = "model"
	fromCache = "cache"
	notRead   = "failed"
)

type metrics struct {
	requests *prometheus.HistogramVec // seconds, by outcome
	turns    *prometheus.CounterVec   // by what they were read from
	tokens   *prometheus.CounterVec   // by kind
	dropped  *prometheus.CounterVec   // by part
}

func newMetrics() metrics {
	counter := func(name, help, label string, values ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
		for _, v := range values {
			c.WithLabelValues(v) // so that each is there from the start
		}
		return c
	}
	return metrics{
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tenure_statements_model_request_seconds", Help: "Requests to the model that reads statements, by outcome.",
			Buckets: prometheus.ExponentialBuckets(0.05, 2, 10),
		}, []string{"outcome"}),
		turns: counter("tenure_statements_model_turns_total",
			"Turns that the model was to read, by what they were read from.", "from", fromModel, fromCache, notRead),
		tokens: counter("tenure_statements_model_tokens_total",
			"Tokens of the model that reads statements, by kind.", "kind", "prompt", "completion"),
		dropped: counter("tenure_statements_model_dropped_total",
			"Parts of the model's answers that were dropped because the text does not say them.", "part", parts...),
	}
}

// Register registers the metrics of the client: requests and failures, turns and cache hits, tokens, and what was
// dropped.
func (c *Client) Register(reg prometheus.Registerer) error {
	m := c.metrics
	return errors.Join(reg.Register(m.requests), reg.Register(m.turns), reg.Register(m.tokens), reg.Register(m.dropped))
}
