package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"tenure/internal/measure"
)

// client sends requests to one server with one key.
type client struct{ *measure.Client }

func newClient(url, key string) (*client, error) {
	c, err := measure.NewClient(url, key)
	return &client{c}, err
}

// batch sends lines and returns the number of results; a failed line is an error.
func (c *client) batch(ctx context.Context, lines io.Reader) (int, error) {
	res, err := c.ObserveBatchWithBody(ctx, "application/x-ndjson", lines)
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

// observe sends one observation and returns its first entity.
func (c *client) observe(ctx context.Context, body any) (entity string, seq int64, err error) {
	a, err := c.ObserveWithBodyWithResponse(ctx, nil, "application/json", bytes.NewReader(encode(body)))
	if err != nil {
		return "", 0, err
	}
	return a.JSON201.Mentions[0].EntityId, a.JSON201.Seq, nil
}

// resident returns the current resident memory of a process in bytes.
func resident(pid int) int64 {
	now, _ := measure.Memory(pid)
	return now
}
