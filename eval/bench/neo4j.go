package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"tenure/internal/measure"
)

// Memory settings of the Neo4j server of a run, unless the environment overrides them.
const (
	neo4jHeap      = "1g"
	neo4jPageCache = "1g"
)

// openNeo4j uses the server at NEO4J_URI, or starts one.
func openNeo4j(ctx context.Context) (engine, error) {
	e := engine{
		name: "neo4j", jit: true,
		rss: func() int64 { return 0 }, bytes: func(string) int64 { return 0 }, close: func() {},
	}
	setDefault("NEO4J_USERNAME", "neo4j")
	setDefault("NEO4J_PASSWORD", "testpassword")
	uri := os.Getenv("NEO4J_URI")
	e.store = func(int) string { return uri }
	e.note = "the server at NEO4J_URI; one database, a tenant for each size"
	if uri != "" {
		return e, nil
	}
	setDefault("NEO4J_HEAP", neo4jHeap)
	setDefault("NEO4J_PAGECACHE", neo4jPageCache)
	e.note = fmt.Sprintf("a server of its own, heap %s, page cache %s; one database, a tenant for each size",
		os.Getenv("NEO4J_HEAP"), os.Getenv("NEO4J_PAGECACHE"))
	home := filepath.Join(".neo4j", fmt.Sprintf("bench-%d", os.Getpid()))
	fmt.Fprintln(os.Stderr, "starting Neo4j")
	var err error
	if uri, err = script(ctx, "start", home); err != nil {
		return e, err
	}
	e.close = func() { _, _ = script(context.WithoutCancel(ctx), "remove", home) }
	e.bytes = func(string) int64 { return measure.Size(filepath.Join(home, "data", "databases", "neo4j")) }
	if pid, err := script(ctx, "pid", home); err == nil {
		if n, err := strconv.Atoi(pid); err == nil {
			e.rss = func() int64 { return resident(n) }
		}
	}
	return e, nil
}

func script(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "scripts/neo4j", args...) //nolint:gosec // our own script
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

func setDefault(name, value string) {
	if os.Getenv(name) == "" {
		_ = os.Setenv(name, value)
	}
}
