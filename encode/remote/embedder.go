package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"

	"tenure/encode"
)

// Embedder is an [encode.Embedder] by an endpoint. It is safe for concurrent use.
type Embedder struct {
	*client
	dimension atomic.Int64
}

var _ encode.Embedder = (*Embedder)(nil)

// NewEmbedder reports every fault of the configuration, and sends nothing.
func NewEmbedder(cfg Config) (*Embedder, error) {
	c, err := newClient(cfg, "/v1/embeddings")
	if err != nil {
		return nil, err
	}
	return &Embedder{client: c}, nil
}

// Dimension implements [encode.Embedder]: it is that of the first answer.
func (e *Embedder) Dimension() int { return int(e.dimension.Load()) }

// The bounds of an answer.
const (
	maxDimension   = 8192
	bytesPerNumber = 32
	otherBytes     = 64 << 10
)

// Embed implements [encode.Embedder].
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	list := make([][]float32, 0, len(texts))
	for batch := range slices.Chunk(texts, e.batch) {
		body := map[string]any{"model": e.model, "input": batch, "encoding_format": "float"}
		var vectors [][]float32
		err := e.post(ctx, body, int64(otherBytes+len(batch)*maxDimension*bytesPerNumber), func(raw []byte) (err error) {
			vectors, err = e.vectors(raw, len(batch))
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("the embeddings of %s: %w", e.model, err)
		}
		list = append(list, vectors...)
	}
	return list, nil
}

// vectors reads an answer about n texts.
func (e *Embedder) vectors(raw []byte, n int) ([][]float32, error) {
	var in struct {
		Data []struct {
			Index  *int      `json:"index"`
			Vector []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, fmt.Errorf("the answer is no list of vectors: %w", err)
	}
	if len(in.Data) != n {
		return nil, fmt.Errorf("the answer has %d vectors for %d texts", len(in.Data), n)
	}
	list := make([][]float32, n)
	for _, d := range in.Data {
		if d.Index == nil || *d.Index < 0 || *d.Index >= n || list[*d.Index] != nil {
			return nil, fmt.Errorf("the vectors of the answer are not those of the texts")
		}
		size := len(d.Vector)
		if size == 0 || size > maxDimension {
			return nil, fmt.Errorf("a vector has %d components", size)
		}
		if known := e.dimension.Load(); known != int64(size) && !e.dimension.CompareAndSwap(0, int64(size)) {
			return nil, fmt.Errorf("a vector has %d components and not %d as before", size, known)
		}
		if err := encode.Unit(d.Vector); err != nil {
			return nil, err
		}
		list[*d.Index] = d.Vector
	}
	return list, nil
}
