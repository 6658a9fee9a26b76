package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// connections is how many of them a client keeps.
const connections = 128

// Client asks one server with one key, as any other program would, over
// connections that it keeps.
type Client struct {
	URL, Key string
	http     *http.Client
}

// NewClient makes a client of a server.
func NewClient(url, key string) *Client {
	return &Client{url, key, &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true},
	}}
}

// Do sends a body of a kind, nil for none. Any status but 2xx is an error.
func (c *Client) Do(ctx context.Context, method, path, kind string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.Key)
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
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

// Send gives the body of the answer to a body of JSON, nil for none.
func (c *Client) Send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	var sent io.Reader
	if body != nil {
		sent = bytes.NewReader(body)
	}
	res, err := c.Do(ctx, method, path, "application/json", sent)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// Ask is Send of a value, nil for none, and for an answer that is read into
// another, nil for none.
func (c *Client) Ask(ctx context.Context, method, path string, body, into any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	text, err := c.Send(ctx, method, path, raw)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(text, into)
}
