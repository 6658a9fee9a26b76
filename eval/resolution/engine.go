package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tenure/internal/run"
)

// engine is a storage engine for servers: each name is a separate store or tenant.
type engine struct {
	name   string
	store  func(name string) string
	judged bool // floors on time and memory apply
	close  func()
}

func open(ctx context.Context, name, dir string) (engine, error) {
	switch name {
	case "sqlite":
		store := func(name string) string { return "sqlite:" + filepath.Join(dir, name+".db") }
		return engine{name, store, true, func() {}}, nil
	case "neo4j":
		return openNeo4j(ctx)
	}
	return engine{}, fmt.Errorf("there is no engine %q: sqlite or neo4j", name)
}

// openNeo4j uses the server at NEO4J_URI, or starts one and removes it afterwards.
func openNeo4j(ctx context.Context) (engine, error) {
	for name, value := range map[string]string{
		"NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": "testpassword", "NEO4J_HEAP": "1g", "NEO4J_PAGECACHE": "1g",
	} {
		if err := os.Setenv(name, cmp.Or(os.Getenv(name), value)); err != nil {
			return engine{}, err
		}
	}
	uri, end := os.Getenv("NEO4J_URI"), func() {}
	if uri == "" {
		home := filepath.Join(".neo4j", fmt.Sprintf("resolution-%d", os.Getpid()))
		end = func() { _, _ = neo4jScript(context.WithoutCancel(ctx), "remove", home) }
		fmt.Fprintln(os.Stderr, "starting Neo4j")
		var err error
		if uri, err = neo4jScript(ctx, "start", home); err != nil {
			end()
			return engine{}, err
		}
	}
	return engine{"neo4j", func(string) string { return uri }, false, end}, nil
}

func neo4jScript(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "scripts/neo4j", args...) //nolint:gosec // our own script
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// service is a running server for one store and one tenant.
type service struct {
	*client
	server   *run.Server
	registry string            // the loaded registry, if any
	records  map[string]string // of the registry: the record by its canonical entity
}

func start(ctx context.Context, binary run.Binary, e engine, name string) (*service, error) {
	store := e.store(name)
	key, err := binary.Key(ctx, store, fmt.Sprintf("resolution-%d-%s", os.Getpid(), name))
	if err != nil {
		return nil, err
	}
	server, err := binary.Start(ctx, store)
	if err != nil {
		return nil, err
	}
	c, err := newClient(server.URL, key)
	return &service{client: c, server: server}, err
}
