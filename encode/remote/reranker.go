package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"tenure/encode"
)

// Reranker is an [encode.Reranker] by an endpoint. It is safe for concurrent use.
type Reranker struct{ *client }

var _ encode.Reranker = (*Reranker)(nil)

// NewReranker reports every fault of the configuration, and sends nothing.
func NewReranker(cfg Config) (*Reranker, error) {
	c, err := newClient(cfg, "/v1/rerank")
	if err != nil {
		return nil, err
	}
	return &Reranker{c}, nil
}

// bytesPerResult bounds an answer, which may repeat the texts.
const bytesPerResult = 1024

// Rerank implements [encode.Reranker]. The texts are sent together: scores of two requests are not comparable.
func (r *Reranker) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	limit := int64(otherBytes)
	for _, s := range texts {
		limit += bytesPerResult + 6*int64(len(s)) // a character as \uXXXX at most
	}
	body := map[string]any{
		"model": r.model, "query": query, "documents": texts, "top_n": len(texts), "return_documents": false,
	}
	var scores []float64
	err := r.post(ctx, body, limit, func(raw []byte) (err error) {
		scores, err = scoresOf(raw, len(texts))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the ranking of %s: %w", r.model, err)
	}
	return scores, nil
}

// scoresOf reads an answer about n texts.
func scoresOf(raw []byte, n int) ([]float64, error) {
	var in struct {
		Results []struct {
			Index *int     `json:"index"`
			Score *float64 `json:"relevance_score"`
		} `json:"results"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, fmt.Errorf("the answer is no list of scores: %w", err)
	}
	if len(in.Results) != n {
		return nil, fmt.Errorf("the answer has %d scores for %d texts", len(in.Results), n)
	}
	scores, seen := make([]float64, n), make([]bool, n)
	for _, s := range in.Results {
		if s.Index == nil || s.Score == nil || *s.Index < 0 || *s.Index >= n || seen[*s.Index] {
			return nil, errors.New("the scores of the answer are not those of the texts")
		}
		scores[*s.Index], seen[*s.Index] = *s.Score, true
	}
	return scores, nil
}
