package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tenure/store"
	"tenure/store/neo4j"
	"tenure/store/sqlite"
)

// storeFlags selects the store.
type storeFlags struct {
	Store string `required:"" placeholder:"STORE" env:"TENURE_STORE" help:"Where the data is: sqlite:PATH, neo4j://HOST:7687 or bolt://HOST:7687."`
	neo4jFlags
}

// neo4jFlags are how a Neo4j server is reached, if the store is one.
type neo4jFlags struct {
	Neo4jUsername     string `name:"neo4j-username" env:"TENURE_NEO4J_USERNAME,NEO4J_USERNAME" default:"neo4j" help:"User name at the Neo4j server."`
	Neo4jPasswordFile string `name:"neo4j-password-file" placeholder:"FILE" env:"TENURE_NEO4J_PASSWORD_FILE" help:"File with the password at the Neo4j server. Without it the password is in the environment variable TENURE_NEO4J_PASSWORD or NEO4J_PASSWORD."`
}

// password returns the password at the Neo4j server.
func (f neo4jFlags) password() (string, error) {
	return secretFrom("--neo4j-password-file", f.Neo4jPasswordFile, "TENURE_NEO4J_PASSWORD", "NEO4J_PASSWORD")
}

const sqlitePrefix = "sqlite:"

// with runs work on the open store.
func (f storeFlags) with(w *world, work func(store.Store) error) error {
	s, err := f.open(w.ctx, w.now)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	return work(s)
}

// open opens the store and migrates its schema.
func (f storeFlags) open(ctx context.Context, now func() time.Time) (store.Store, error) {
	s, err := f.neo4jFlags.open(ctx, f.Store, now)
	if err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	return s, nil
}

// open opens the store at an address and migrates its schema.
func (f neo4jFlags) open(ctx context.Context, address string, now func() time.Time) (store.Archive, error) {
	path, isSQLite := strings.CutPrefix(address, sqlitePrefix)
	switch {
	case isSQLite && path != "":
		s, err := sqlite.Open(ctx, path, sqlite.Config{Now: now})
		if err != nil {
			return nil, err
		}
		return s, nil
	case isNeo4j(address):
		password, err := f.password()
		if err != nil {
			return nil, err
		}
		s, err := neo4j.Open(ctx, address, neo4j.Config{Username: f.Neo4jUsername, Password: password, Now: now})
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, fmt.Errorf("%q is neither sqlite:PATH nor neo4j://HOST:PORT nor bolt://HOST:PORT", address)
}

func isNeo4j(uri string) bool {
	scheme, _, ok := strings.Cut(uri, "://")
	if !ok {
		return false
	}
	scheme, _, _ = strings.Cut(scheme, "+")
	return scheme == "neo4j" || scheme == "bolt"
}
