package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Errors that are no fault of the endpoint's, or may be none.
var (
	errContent = errors.New("the answer cannot be used") // the text may be the cause
	errGivenUp = errors.New("the caller gave up")
	errSpent   = errors.New("the tokens of this hour are spent")
)

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
func (c *Client) ask(ctx context.Context, q request) (completion, error) {
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return completion{}, errors.New("too many requests are under way")
	}
	return c.breaker.Execute(func() (completion, error) {
		if ok, first := c.budget.reserve(q.tokens); !ok {
			if first {
				c.cfg.Logger.WarnContext(ctx, "the tokens for reading statements are spent for this hour")
			}
			return completion{}, errSpent
		}
		answer, used, err := c.send(ctx, q)
		c.budget.settle(q.tokens, used)
		if caller.Err() != nil {
			err = errGivenUp
		}
		return answer, err
	})
}

// send sends a request until it is answered, no attempt is left, or a retry cannot help. It returns the tokens used.
func (c *Client) send(ctx context.Context, q request) (answer completion, used int, err error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = c.cfg.Pause
	deadline, _ := ctx.Deadline()
	answer, err = backoff.Retry(ctx, func() (completion, error) {
		start := c.cfg.Now()
		got, tokens, err := c.post(ctx, q)
		used += tokens
		c.metrics.requests.WithLabelValues(outcome(ctx, err)).Observe(c.cfg.Now().Sub(start).Seconds())
		return got, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(uint(c.cfg.Attempts)),
		backoff.WithMaxElapsedTime(max(time.Until(deadline), 1)))
	return answer, used, err
}

// statusError is a status other than 200.
type statusError int

func (e statusError) Error() string { return "status " + strconv.Itoa(int(e)) }

// outcome returns the outcome of a request by its error.
func outcome(ctx context.Context, err error) string {
	var status statusError
	switch {
	case err == nil:
		return answered
	case errors.Is(err, errContent), errors.Is(err, errEnvelope):
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

// post sends a request once, and returns the tokens that it cost, as far as they are known.
func (c *Client) post(ctx context.Context, q request) (completion, int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(q.body))
	if err != nil {
		return completion{}, 0, backoff.Permanent(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	res, err := c.client.Do(req)
	if err != nil {
		return completion{}, q.prompt, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return completion{}, 0, rejected(res)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, q.limit+1))
	if err != nil {
		return completion{}, q.prompt, err
	}
	if int64(len(raw)) > q.limit {
		return completion{}, q.tokens, backoff.Permanent(fmt.Errorf("%w: it has more than %d bytes", errContent, q.limit))
	}
	return c.completion(raw, q)
}

// rejected returns the error of a response with another status than 200: final, unless a retry may help.
func rejected(res *http.Response) error {
	status := statusError(res.StatusCode)
	switch res.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return backoff.Permanent(fmt.Errorf("%w: %w", errContent, status)) // another text may be taken
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
		return completion{}, q.prompt, backoff.Permanent(errEnvelope)
	}
	choice := in.Choices[0]
	prompt, done := in.Usage.Prompt, in.Usage.Completion
	if prompt <= 0 || done < 0 {
		prompt, done = q.prompt, estimate(len(choice.Message.Content))
	}
	c.metrics.tokens.WithLabelValues("prompt").Add(float64(prompt))
	c.metrics.tokens.WithLabelValues("completion").Add(float64(done))
	if choice.Message.Refusal != "" || choice.Finish != "" && choice.Finish != "stop" {
		return completion{}, prompt + done, backoff.Permanent(fmt.Errorf("%w: it was refused or cut off", errContent))
	}
	turns, err := parse(choice.Message.Content, q.turns)
	if err != nil {
		return completion{}, prompt + done, backoff.Permanent(fmt.Errorf("%w: %w", errContent, err))
	}
	return completion{turns: turns, size: len(raw)}, prompt + done, nil
}
