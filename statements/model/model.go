package model

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"tenure"
	"tenure/cache"
	"tenure/contain"
	"tenure/endpoint"
	"tenure/ner"
	"tenure/statements"
)

// Client is a [statements.Batcher] by a model. It is safe for concurrent use.
type Client struct {
	cfg      Config
	endpoint *endpoint.Client
	name     string // of the extractor
	options  map[string]json.RawMessage
	budget   budget
	cache    *cache.Cache[digest, completion] // nil for none
	metrics  metrics
}

var _ statements.Batcher = (*Client)(nil)

// digest identifies a request by its content.
type digest [sha256.Size]byte

// Bounds of what is sent in one request.
const (
	maxText  = 16 << 10 // bytes of the texts that are read; a longer one is not sent
	maxTurns = 8
)

// Close ends idle connections. Readings under way go on.
func (c *Client) Close() { c.endpoint.Close() }

// Name returns what statements name as their extractor.
func (c *Client) Name() string { return c.name }

// Statements implements [statements.Reader].
func (c *Client) Statements(ctx context.Context, turn statements.Turn, before []statements.Turn) (
	[]tenure.Statement, error,
) {
	readings := c.Batch(ctx, []statements.Passage{{Turn: turn, Before: before}})
	return readings[0].Statements, readings[0].Err
}

// Batch implements [statements.Batcher]. A text that gives the model orders may have the texts that share its request
// read wrongly, too.
func (c *Client) Batch(ctx context.Context, list []statements.Passage) []statements.Reading {
	readings := make([]statements.Reading, len(list))
	var work sync.WaitGroup
	lanes := make(chan struct{}, c.cfg.Concurrency)
	for _, group := range groups(list, readings) {
		lanes <- struct{}{}
		work.Go(func() {
			defer func() { <-lanes }()
			passages := make([]statements.Passage, len(group))
			for i, at := range group {
				passages[i] = list[at]
			}
			err := contain.Do(func() error {
				for i, r := range c.read(ctx, passages) {
					readings[group[i]] = r
				}
				return nil
			})
			if err != nil { // as if the model had not answered: the rules read
				for _, at := range group {
					readings[at] = statements.Reading{Err: unavailable(err)}
				}
			}
		})
	}
	work.Wait()
	return readings
}

// groups divides the passages into those that one request reads, by index. It leaves out what is not to be sent.
func groups(list []statements.Passage, readings []statements.Reading) [][]int {
	var made [][]int
	size := 0
	for i, p := range list {
		text := p.Turn.Text
		switch {
		case !utf8.ValidString(text):
			readings[i].Err = ner.ErrNotUTF8
			continue
		case len(text) > maxText:
			readings[i].Err = unavailable(fmt.Errorf("the text has more than %d bytes", maxText))
			continue
		case strings.TrimSpace(text) == "":
			continue
		}
		if last := len(made) - 1; last >= 0 && len(made[last]) < maxTurns && size+len(text) <= maxText {
			made[last], size = append(made[last], i), size+len(text)
			continue
		}
		made, size = append(made, []int{i}), len(text)
	}
	return made
}

// read reads passages by one request.
func (c *Client) read(ctx context.Context, list []statements.Passage) []statements.Reading {
	readings := make([]statements.Reading, len(list))
	answer, pages, from, err := c.complete(ctx, list)
	for i, p := range list {
		switch {
		case err != nil:
			readings[i].Err = err
		case answer.turns[i] == nil:
			readings[i].Err = unavailable(errors.New("the answer leaves the turn out"))
		default:
			r := reader{page: pages[i], turn: p.Turn, before: p.Before, extractor: c.name, drop: c.drop}
			readings[i].Statements = r.statements(answer.turns[i])
		}
		if readings[i].Err != nil {
			c.metrics.turns.WithLabelValues(notRead).Inc()
		} else {
			c.metrics.turns.WithLabelValues(from).Inc()
		}
	}
	return readings
}

func (c *Client) drop(part string) { c.metrics.dropped.WithLabelValues(part).Inc() }

// complete returns the completion for passages, and what it is from.
func (c *Client) complete(ctx context.Context, list []statements.Passage) (completion, []*page, string, error) {
	data, pages, err := c.message(list)
	if err != nil {
		return completion{}, nil, "", err
	}
	size := 0
	for _, p := range pages {
		size += len(p.sent)
	}
	q, err := c.request(data, len(list), size)
	if err != nil {
		return completion{}, nil, "", err
	}
	key := digest(sha256.Sum256(q.body))
	if c.cache != nil {
		if found, ok := c.cache.Get(key); ok {
			return found, pages, fromCache, nil
		}
	}
	answer, err := c.ask(ctx, q)
	switch {
	case ctx.Err() != nil:
		return completion{}, nil, "", ctx.Err() // the caller gave up: the endpoint may be fine
	case err != nil:
		if !errors.Is(err, endpoint.ErrResting) && !errors.Is(err, errSpent) { // which were told when they began
			c.cfg.Logger.WarnContext(ctx, "a text was not read by the model", "turns", len(list), "error", err)
		}
		return completion{}, nil, "", unavailable(err)
	}
	if c.cache != nil {
		c.cache.Put(key, answer, answer.size)
	}
	return answer, pages, fromModel, nil
}

func unavailable(err error) error {
	return &tenure.Error{Code: tenure.Unavailable, Message: "the model that reads statements cannot be asked: try again later", Err: err}
}
