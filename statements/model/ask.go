package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"tenure/endpoint"
)

// errSpent is no fault of the endpoint's.
var errSpent = errors.New("the tokens of this hour are spent")

// request is a request as it is sent.
type request struct {
	body   []byte
	turns  int
	tokens int   // that it may cost, about, with its answer
	prompt int   // of it without the answer
	limit  int64 // bytes of the response
}

// request returns the request for a message about so many turns with texts of size bytes.
func (c *Client) request(data string, turns, size int) (request, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	// An answer quotes a text about twice, in statements of about a hundred tokens each.
	most := min(512+3*size, 16<<10)
	members := map[string]any{
		"model": c.cfg.Model, "messages": []message{{"system", instructions}, {"user", data}},
		"response_format": responseFormat(),
	}
	for name, value := range maps.All(c.options) {
		members[name] = value
	}
	_, bounded := c.options["max_tokens"]
	if _, alsoBounded := c.options["max_completion_tokens"]; !bounded && !alsoBounded {
		members["max_completion_tokens"] = most
	}
	body, err := json.Marshal(members)
	prompt := estimate(len(body))
	return request{
		body: body, turns: turns, prompt: prompt, tokens: prompt + most, limit: 64<<10 + 64*int64(size),
	}, err
}

// completion is an answer that was read.
type completion struct {
	turns [][]quoted
	size  int // bytes of the answer
}

// ask returns the completion of a request, within the bounds of time, requests and tokens.
func (c *Client) ask(ctx context.Context, q request) (answer completion, err error) {
	used, reserved := 0, 0
	err = c.endpoint.Post(ctx, endpoint.Request{
		Body: q.body, Limit: q.limit,
		Admit: func() error {
			if ok, first := c.budget.reserve(q.tokens); !ok {
				if first {
					c.cfg.Logger.WarnContext(ctx, "the tokens for reading statements are spent for this hour")
				}
				return errSpent
			}
			reserved = q.tokens
			return nil
		},
		Read: func(raw []byte) (err error) {
			var tokens int
			answer, tokens, err = c.completion(raw, q)
			used += tokens
			return err
		},
		Attempted: func(ctx context.Context, took time.Duration, err error) {
			how := outcome(ctx, err)
			c.metrics.requests.WithLabelValues(how).Observe(took.Seconds())
			switch {
			case errors.Is(err, endpoint.ErrTooLong):
				used += q.tokens
			case how == noAnswer, how == timedOut, how == givenUp:
				used += q.prompt // as far as is known
			}
		},
	})
	c.budget.settle(reserved, used)
	return answer, err
}

// outcome returns the outcome of a request by its error.
func outcome(ctx context.Context, err error) string {
	var status endpoint.StatusError
	switch {
	case err == nil:
		return answered
	case errors.Is(err, endpoint.ErrContent), errors.Is(err, errEnvelope):
		return malformed
	case errors.Is(ctx.Err(), context.Canceled):
		return givenUp
	case ctx.Err() != nil:
		return timedOut
	case !errors.As(err, &status):
		return noAnswer
	case status == http.StatusTooManyRequests:
		return throttled
	case status >= http.StatusInternalServerError:
		return broken
	}
	return refused
}

// errEnvelope is of a response that is none of a chat endpoint.
var errEnvelope = errors.New("the response is not a chat completion")

// completion reads a response.
func (c *Client) completion(raw []byte, q request) (completion, int, error) {
	var in struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(raw, &in); err != nil || len(in.Choices) == 0 {
		return completion{}, q.prompt, errEnvelope
	}
	choice := in.Choices[0]
	prompt, done := in.Usage.Prompt, in.Usage.Completion
	if prompt <= 0 || done < 0 {
		prompt, done = q.prompt, estimate(len(choice.Message.Content))
	}
	c.metrics.tokens.WithLabelValues("prompt").Add(float64(prompt))
	c.metrics.tokens.WithLabelValues("completion").Add(float64(done))
	if choice.Message.Refusal != "" || choice.Finish != "" && choice.Finish != "stop" {
		return completion{}, prompt + done, fmt.Errorf("%w: it was refused or cut off", endpoint.ErrContent)
	}
	turns, err := parse(choice.Message.Content, q.turns)
	if err != nil {
		return completion{}, prompt + done, fmt.Errorf("%w: %w", endpoint.ErrContent, err)
	}
	return completion{turns: turns, size: len(raw)}, prompt + done, nil
}
