package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tenure/endpoint"
	"tenure/internal/serving"
	"tenure/ner"
	"tenure/ner/remote"
	"tenure/service"
	"tenure/statements"
	"tenure/statements/model"
)

// statementsFlags select what reads the statements of texts.
type statementsFlags struct {
	StatementsModelURL    string        `name:"statements-model-url" placeholder:"URL" env:"TENURE_STATEMENTS_MODEL_URL" help:"OpenAI-compatible endpoint of the model that reads the statements of texts; the built-in rules read what it fails to. See docs/statements-model.md."`
	StatementsModel       string        `placeholder:"NAME" env:"TENURE_STATEMENTS_MODEL" help:"Name of the model at that endpoint."`
	StatementsKeyFile     string        `placeholder:"FILE" env:"TENURE_STATEMENTS_KEY_FILE" help:"File with the API key of the endpoint. Without it the key is in the environment variable TENURE_STATEMENTS_KEY, if there is one."`
	StatementsTimeout     time.Duration `default:"10s" env:"TENURE_STATEMENTS_TIMEOUT" help:"Time limit of the model for one text, with retries."`
	StatementsTokens      int           `default:"0" env:"TENURE_STATEMENTS_TOKENS" help:"How many tokens an hour the model may cost this process; 0 is no bound."`
	StatementsConcurrency int           `default:"4" env:"TENURE_STATEMENTS_CONCURRENCY" help:"How many requests to the model are under way at a time."`
	StatementsBefore      int           `default:"6" env:"TENURE_STATEMENTS_BEFORE" help:"How many of the turns before a text the model gets with it."`
	StatementsOptions     string        `placeholder:"JSON" env:"TENURE_STATEMENTS_OPTIONS" help:"Further members of each request to the model, such as {\"temperature\": 0}."`
	StatementsUnredacted  bool          `env:"TENURE_STATEMENTS_UNREDACTED" help:"Send e-mail addresses, telephone, account and card numbers and secrets to the model as they are, in place of placeholders."`
}

// statementsKey is the variable with the API key. It has no flag, since a command line can be read by others.
const statementsKey = "TENURE_STATEMENTS_KEY"

// configure has the configured model read statements, with the rules behind it. Nothing is configured where there is
// none. End ends what it keeps open.
func (c *statementsFlags) configure(cfg *service.Config, opts *serving.Options) (end func(), err error) {
	if c.StatementsModelURL == "" {
		if c.StatementsModel != "" {
			return nil, errors.New("--statements-model needs --statements-model-url")
		}
		return func() {}, nil
	}
	key, err := c.key()
	if err != nil {
		return nil, err
	}
	before := c.StatementsBefore
	if before == 0 {
		before = -1 // none; 0 is the default
	}
	x, err := model.New(model.Config{
		Config: endpoint.Config{
			URL: c.StatementsModelURL, Model: c.StatementsModel, Key: key, Timeout: c.StatementsTimeout,
			Concurrency: c.StatementsConcurrency, Logger: cfg.Logger,
		},
		Options: json.RawMessage(c.StatementsOptions), Tokens: c.StatementsTokens, Before: before,
		Unredacted: c.StatementsUnredacted, Now: cfg.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("the model that reads statements: %w", err)
	}
	cfg.Statements, opts.Register = statements.Fallback{First: x, Second: statements.Rules{}}, x.Register
	return x.Close, nil
}

// key returns the API key of the endpoint, "" for none.
func (c *statementsFlags) key() (string, error) {
	return secretFrom("--statements-key-file", c.StatementsKeyFile, statementsKey)
}

// extractorFlags select what finds the mentions of texts.
type extractorFlags struct {
	Extractor        string        `placeholder:"URL" env:"TENURE_EXTRACTOR" help:"Service that finds mentions in texts, in place of the built-in rules; see docs/mentions.md."`
	ExtractorTimeout time.Duration `default:"5s" env:"TENURE_EXTRACTOR_TIMEOUT" help:"Time limit of the extractor for one text."`
}

// extractor returns the configured extractor, nil for the rules.
func (c *extractorFlags) extractor() (ner.Extractor, error) {
	if c.Extractor == "" {
		return nil, nil // nil selects the default of the service
	}
	x, err := remote.New(c.Extractor, remote.Config{Timeout: c.ExtractorTimeout})
	if err != nil {
		return nil, fmt.Errorf("--extractor: %w", err)
	}
	return x, nil
}
