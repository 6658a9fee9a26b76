package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"tenure/internal/measure"
	"tenure/internal/run"
)

// openNeo4j uses the server at NEO4J_URI, or starts one.
func openNeo4j(ctx context.Context) (engine, error) {
	db, err := run.OpenNeo4j(ctx, "bench")
	if err != nil {
		return engine{}, err
	}
	e := engine{
		name: "neo4j", jit: true, store: func(int) string { return db.URI }, close: db.Close,
		rss: func() int64 { return 0 }, bytes: func(string) int64 { return 0 },
		note: "the server at NEO4J_URI; one database, a tenant for each size",
	}
	if db.Home == "" {
		return e, nil
	}
	e.note = fmt.Sprintf("a server of its own, heap %s, page cache %s; one database, a tenant for each size",
		os.Getenv("NEO4J_HEAP"), os.Getenv("NEO4J_PAGECACHE"))
	e.bytes = func(string) int64 { return measure.Size(filepath.Join(db.Home, "data", "databases", "neo4j")) }
	pid, err := db.PID(ctx)
	e.rss = func() int64 { return resident(pid) }
	return e, err
}
