package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenure/internal/serving"
	"tenure/service"
)

// TestStatementsFlags checks what a server is started with, and what it says of a mistake without telling the key.
func TestStatementsFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("se same\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(statementsKey, "sesame")
	for _, c := range []struct {
		name  string
		flags statementsFlags
		fault string
		model bool
	}{
		{"none", statementsFlags{}, "", false},
		{"model-without-url", statementsFlags{StatementsModel: "small"}, "needs --statements-model-url", false},
		{"url-without-model", statementsFlags{StatementsModelURL: "http://x.example"}, "no model is named", false},
		{"no-url", statementsFlags{StatementsModelURL: "x.example", StatementsModel: "small"}, "not one of http or https", false},
		{"options", statementsFlags{StatementsModelURL: "http://x.example", StatementsModel: "small", StatementsOptions: "{"}, "not a JSON object", false},
		{"no-key-file", statementsFlags{StatementsModelURL: "http://x.example", StatementsModel: "small", StatementsKeyFile: file + "x"}, "--statements-key-file", false},
		{"bad-key", statementsFlags{StatementsModelURL: "http://x.example", StatementsModel: "small", StatementsKeyFile: file}, "the key has characters", false},
		{"key-of-the-environment", statementsFlags{StatementsModelURL: "http://x.example", StatementsModel: "small"}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, opts := service.Config{Now: time.Now}, serving.Options{}
			end, err := c.flags.configure(&cfg, &opts)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "same") {
					t.Errorf("it says %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			end()
			if (cfg.Statements != nil) != c.model || (opts.Register != nil) != c.model {
				t.Errorf("it reads by %v", cfg.Statements)
			}
		})
	}
}
