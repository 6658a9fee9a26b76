package measure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"tenure/client"
)

// connections is how many idle connections a client keeps.
const connections = 128

// Client is a client of one server with one key, over persistent connections. Any status but 2xx is an error,
// in the generated methods too.
type Client struct {
	*client.ClientWithResponses

	URL, Key string
	requests refusing
}

// NewClient returns a client of a server.
func NewClient(url, key string) (*Client, error) {
	requests := refusing{&http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true},
	}}
	generated, err := client.New(url, key, client.WithHTTPClient(requests))
	return &Client{generated, url, key, requests}, err
}

// Send sends a JSON body, nil for none, and returns the body of the answer. It decodes nothing, so that only
// the server is measured.
func (c *Client) Send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.Key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.requests.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// refusing returns an error for a response without a 2xx status.
type refusing struct{ http *http.Client }

func (r refusing) Do(req *http.Request) (*http.Response, error) {
	res, err := r.http.Do(req) //nolint:gosec // the address is that of the server under test
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		defer res.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(res.Body, 2000))
		return nil, fmt.Errorf("%s %s: %s: %s", req.Method, req.URL.Path, res.Status, text)
	}
	return res, nil
}
