package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

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
		db, err := run.OpenNeo4j(ctx, "resolution")
		if err != nil {
			return engine{}, err
		}
		return engine{name, func(string) string { return db.URI }, false, db.Close}, nil
	}
	return engine{}, fmt.Errorf("there is no engine %q: sqlite or neo4j", name)
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
