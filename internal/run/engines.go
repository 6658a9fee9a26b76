package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Place is a server that runs for an evaluation, and where its data are.
type Place struct {
	Engine string // sqlite or neo4j
	Store  string // the address of the store
	Binary Binary
	Server *Server
}

// Engines returns the engines that a flag names: "sqlite", "neo4j" or "both".
func Engines(flag string) ([]string, error) {
	switch flag {
	case "both":
		return []string{"sqlite", "neo4j"}, nil
	case "sqlite", "neo4j":
		return []string{flag}, nil
	}
	return nil, fmt.Errorf("there is no engine %q: sqlite, neo4j or both", flag)
}

// OnEngines builds the server and runs work with a server on each engine that the flag names, one after the other.
// The name is that of the evaluation.
func OnEngines(ctx context.Context, name, flag string, work func(Place) error) error {
	engines, err := Engines(flag)
	if err != nil {
		return err
	}
	return WithServer(ctx, name, func(dir string, binary Binary) error {
		for _, engine := range engines {
			if err := onEngine(ctx, Place{Engine: engine, Binary: binary}, name, dir, work); err != nil {
				return fmt.Errorf("%s: %w", engine, err)
			}
		}
		return nil
	})
}

func onEngine(ctx context.Context, p Place, name, dir string, work func(Place) error) error {
	p.Store = "sqlite:" + filepath.Join(dir, name+".db")
	if p.Engine == "neo4j" {
		uri, end, err := Neo4j(ctx, name)
		if err != nil {
			return err
		}
		defer end()
		p.Store = uri
	}
	if _, err := p.Binary.Key(ctx, p.Store, "main"); err != nil {
		return err
	}
	var err error
	if p.Server, err = p.Binary.Start(ctx, p.Store); err != nil {
		return err
	}
	return errors.Join(work(p), p.Server.Stop())
}

// Neo4j returns the address of the server at NEO4J_URI. Without one, it starts a server, which end removes.
func Neo4j(ctx context.Context, name string) (uri string, end func(), err error) {
	for name, value := range map[string]string{
		"NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": "testpassword", "NEO4J_HEAP": "1g", "NEO4J_PAGECACHE": "1g",
	} {
		if err := os.Setenv(name, cmp.Or(os.Getenv(name), value)); err != nil {
			return "", nil, err
		}
	}
	if uri := os.Getenv("NEO4J_URI"); uri != "" {
		return uri, func() {}, nil
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return "", nil, err
	}
	script := func(ctx context.Context, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, filepath.Join(root, "scripts", "neo4j"), args...) //nolint:gosec // our own script
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	home := filepath.Join(root, ".neo4j", fmt.Sprintf("%s-%d", name, os.Getpid()))
	end = func() { _, _ = script(context.WithoutCancel(ctx), "remove", home) }
	fmt.Fprintln(os.Stderr, "starting Neo4j")
	if uri, err = script(ctx, "start", home); err != nil {
		end()
		return "", nil, fmt.Errorf("scripts/neo4j start: %w", err)
	}
	return uri, end, nil
}
