// Package remote makes vectors and ranks texts by models behind HTTP: the embeddings of the OpenAI API
// (/v1/embeddings), which most servers of models offer, and the rerank of Jina, Cohere and vLLM (/v1/rerank). What an
// answer says is checked before it is used.
package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"tenure/endpoint"
)

// Config configures an Embedder or a Reranker.
type Config struct {
	endpoint.Config

	// Batch is how many texts one request for vectors has at most. Default 64.
	Batch int
}

// client asks a model.
type client struct {
	endpoint *endpoint.Client
	model    string
	batch    int
}

func newClient(cfg Config, path string) (*client, error) {
	c, err := endpoint.New(cfg.Config, path)
	if cfg.Batch < 0 {
		err = errors.Join(err, errors.New("a batch has fewer than no texts"))
	}
	if err != nil {
		return nil, err
	}
	return &client{c, cfg.Model, cmp.Or(cfg.Batch, 64)}, nil
}

// Name returns the name of the model.
func (c *client) Name() string { return c.model }

// Close ends idle connections.
func (c *client) Close() { c.endpoint.Close() }

// post sends a request and has read use the answer, which has at most limit bytes.
func (c *client) post(ctx context.Context, body any, limit int64, read func(answer []byte) error) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.endpoint.Post(ctx, endpoint.Request{Body: raw, Limit: limit, Read: read})
}
