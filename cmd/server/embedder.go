package main

import (
	"errors"
	"fmt"
	"time"

	"tenure/encode/minilm"
	"tenure/encode/remote"
	"tenure/endpoint"
	"tenure/service"
)

// embedderFlags select what finds beliefs that have other words than a query.
type embedderFlags struct {
	Embedder        string        `default:"none" placeholder:"none|local|URL" env:"TENURE_EMBEDDER" help:"What makes vectors of beliefs, by which recall and compile find them in other words: none; local, the weights in --weights; or an OpenAI-compatible endpoint. See docs/recall.md."`
	Weights         string        `placeholder:"DIR" env:"TENURE_WEIGHTS" help:"Folder with the weights of the local encoder, as make weights fetches them."`
	EmbedderModel   string        `placeholder:"NAME" env:"TENURE_EMBEDDER_MODEL" help:"Name of the model at the endpoint of --embedder."`
	EmbedderKeyFile string        `placeholder:"FILE" env:"TENURE_EMBEDDER_KEY_FILE" help:"File with the API key of that endpoint. Without it the key is in the environment variable TENURE_EMBEDDER_KEY, if there is one."`
	Reranker        string        `placeholder:"URL" env:"TENURE_RERANKER" help:"Endpoint that ranks what recall has found (/v1/rerank as of Jina, Cohere and vLLM). Default: none."`
	RerankerModel   string        `placeholder:"NAME" env:"TENURE_RERANKER_MODEL" help:"Name of the model at the endpoint of --reranker."`
	RerankerKeyFile string        `placeholder:"FILE" env:"TENURE_RERANKER_KEY_FILE" help:"File with the API key of that endpoint. Without it the key is in the environment variable TENURE_RERANKER_KEY, if there is one."`
	EncoderTimeout  time.Duration `default:"5s" env:"TENURE_ENCODER_TIMEOUT" help:"Time limit of one request to the endpoints of --embedder and --reranker, with retries."`
}

// The variables with the API keys. They have no flags, since a command line can be read by others.
const (
	embedderKey = "TENURE_EMBEDDER_KEY"
	rerankerKey = "TENURE_RERANKER_KEY"
)

// The embedders that are no endpoint.
const (
	noEmbedder    = "none"
	localEmbedder = "local"
)

// configure sets the configured embedder and reranker. End ends what they keep open.
func (c *embedderFlags) configure(cfg *service.Config) (end func(), err error) {
	ends := []func(){}
	end = func() {
		for _, f := range ends {
			f()
		}
	}
	switch c.Embedder {
	case noEmbedder, "":
		if c.EmbedderModel != "" || c.Weights != "" {
			return end, errors.New("--embedder-model and --weights need --embedder")
		}
	case localEmbedder:
		if c.Weights == "" {
			return end, errors.New("--embedder local needs --weights, the folder that make weights has filled")
		}
		m, err := minilm.Open(c.Weights)
		if err != nil {
			return end, fmt.Errorf("--weights: %w", err)
		}
		cfg.Embedder = m
	default:
		endpoint, err := c.endpoint(c.Embedder, c.EmbedderModel, "--embedder-key-file", c.EmbedderKeyFile, embedderKey, cfg)
		if err != nil {
			return end, err
		}
		e, err := remote.NewEmbedder(endpoint)
		if err != nil {
			return end, fmt.Errorf("--embedder: %w", err)
		}
		cfg.Embedder, ends = e, append(ends, e.Close)
	}
	if c.Reranker == "" {
		return end, nil
	}
	endpoint, err := c.endpoint(c.Reranker, c.RerankerModel, "--reranker-key-file", c.RerankerKeyFile, rerankerKey, cfg)
	if err != nil {
		return end, err
	}
	r, err := remote.NewReranker(endpoint)
	if err != nil {
		return end, fmt.Errorf("--reranker: %w", err)
	}
	cfg.Reranker, ends = r, append(ends, r.Close)
	return end, nil
}

// endpoint returns the configuration of an endpoint.
func (c *embedderFlags) endpoint(
	url, model, flag, keyFile, variable string, cfg *service.Config,
) (remote.Config, error) {
	key, err := secretFrom(flag, keyFile, variable)
	return remote.Config{Config: endpoint.Config{
		URL: url, Model: model, Key: key, Timeout: c.EncoderTimeout, Logger: cfg.Logger,
	}}, err
}
