package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenure/service"
)

// TestEmbedderFlags checks what a server is started with, and what it says of a mistake without telling the key.
func TestEmbedderFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("se same\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(embedderKey, "sesame")
	t.Setenv(rerankerKey, "sesame")
	const url = "http://x.example/v1"
	for _, c := range []struct {
		name            string
		flags           embedderFlags
		fault           string
		embeds, reranks string
	}{
		{name: "none"},
		{name: "said-to-be-none", flags: embedderFlags{Embedder: "none"}},
		{name: "local-without-weights", flags: embedderFlags{Embedder: "local"}, fault: "needs --weights"},
		{name: "no-weights-there", flags: embedderFlags{Embedder: "local", Weights: t.TempDir()}, fault: "--weights: "},
		{name: "weights-alone", flags: embedderFlags{Weights: "x"}, fault: "need --embedder"},
		{name: "model-alone", flags: embedderFlags{Embedder: "none", EmbedderModel: "small"}, fault: "need --embedder"},
		{name: "no-model", flags: embedderFlags{Embedder: url}, fault: "--embedder: no model is named"},
		{name: "no-url", flags: embedderFlags{Embedder: "lokal", EmbedderModel: "small"}, fault: "not one of http or https"},
		{name: "no-key-file", flags: embedderFlags{Embedder: url, EmbedderModel: "small", EmbedderKeyFile: file + "x"}, fault: "--embedder-key-file"},
		{name: "bad-key", flags: embedderFlags{Embedder: url, EmbedderModel: "small", EmbedderKeyFile: file}, fault: "the key has characters"},
		{name: "endpoint", flags: embedderFlags{Embedder: url, EmbedderModel: "small"}, embeds: "small"},
		{name: "no-model-of-the-reranker", flags: embedderFlags{Reranker: url}, fault: "--reranker: no model is named"},
		{name: "no-key-file-of-the-reranker", flags: embedderFlags{Reranker: url, RerankerModel: "big", RerankerKeyFile: file + "x"}, fault: "--reranker-key-file"},
		{name: "reranker", flags: embedderFlags{Reranker: url, RerankerModel: "big"}, reranks: "big"},
		{name: "both", flags: embedderFlags{Embedder: url, EmbedderModel: "small", Reranker: url, RerankerModel: "big"}, embeds: "small", reranks: "big"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := service.Config{Now: time.Now}
			end, err := c.flags.configure(&cfg)
			defer end()
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "same") {
					t.Errorf("it says %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			embeds, reranks := "", ""
			if cfg.Embedder != nil {
				embeds = cfg.Embedder.Name()
			}
			if cfg.Reranker != nil {
				reranks = cfg.Reranker.Name()
			}
			if embeds != c.embeds || reranks != c.reranks {
				t.Errorf("it embeds by %q and ranks by %q", embeds, reranks)
			}
		})
	}
}
