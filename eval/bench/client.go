package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// client asks one server with one key, over connections that it keeps.
type client struct {
	url, key string
	http     *http.Client
}

func newClient(url, key string) *client {
	return &client{url: url, key: key, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true},
	}}
}

// send gives the body of the answer; any status but 2xx is an error.
func (c *client) send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	res, err := c.do(ctx, method, path, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

func (c *client) do(ctx context.Context, method, path, kind string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", kind)
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		defer res.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(res.Body, 2000))
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, res.Status, text)
	}
	return res, nil
}

// ask is send for an answer that is read.
func (c *client) ask(ctx context.Context, method, path string, body, into any) error {
	var raw []byte
	if body != nil {
		raw = encode(body)
	}
	text, err := c.send(ctx, method, path, raw)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// batch sends lines and gives the number of results; one that did not succeed
// is an error.
func (c *client) batch(ctx context.Context, lines io.Reader) (int, error) {
	res, err := c.do(ctx, http.MethodPost, "/v1/observations:batch", "application/x-ndjson", lines)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	results := bufio.NewScanner(res.Body)
	results.Buffer(nil, 4<<20)
	n := 0
	for results.Scan() {
		if !bytes.Contains(results.Bytes(), []byte(`"status":201`)) {
			return n, fmt.Errorf("line %d: %s", n+1, results.Bytes())
		}
		n++
	}
	return n, results.Err()
}

// answer is what an observation became.
type answer struct {
	Seq      int64 `json:"seq"`
	Mentions []struct {
		EntityID string `json:"entity_id"`
	} `json:"mentions"`
}

// observe sends one observation and gives the first entity in it.
func (c *client) observe(ctx context.Context, body any) (entity string, seq int64, err error) {
	var a answer
	if err := c.ask(ctx, http.MethodPost, "/v1/observations", body, &a); err != nil {
		return "", 0, err
	}
	return a.Mentions[0].EntityID, a.Seq, nil
}

// timed is how long f takes.
func timed(f func() error) (time.Duration, error) {
	began := time.Now()
	err := f()
	return time.Since(began), err
}
