package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"tenure/index"
	"tenure/store"
)

// indexFlag selects the directory of the candidate index.
type indexFlag struct {
	Index string `env:"TENURE_INDEX" placeholder:"DIR" help:"Directory of the index of names, which processes of one host may share. Default: beside the SQLite file; with Neo4j a temporary one, rebuilt at each start."`
}

// ownIndex is an index that may live in a temporary directory.
type ownIndex struct {
	*index.Index
	temporary string
}

// openIndex opens the index of a store, in a temporary directory where none is known.
func (f indexFlag) openIndex(store string, cfg index.Config) (*ownIndex, error) {
	if dir := f.dir(store); dir != "" {
		x, err := index.Open(dir, cfg)
		if err != nil {
			return nil, err
		}
		return &ownIndex{Index: x}, nil
	}
	dir, err := os.MkdirTemp("", "tenure-index-")
	if err != nil {
		return nil, err
	}
	x, err := index.Open(dir, cfg)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &ownIndex{x, dir}, nil
}

// dir returns the directory of the index, "" for a temporary one.
func (f indexFlag) dir(store string) string {
	path, isSQLite := strings.CutPrefix(store, sqlitePrefix)
	switch {
	case f.Index != "":
		return f.Index
	case isSQLite && path != "":
		return path + ".index"
	}
	return ""
}

func (x *ownIndex) remove() error {
	if x.temporary == "" {
		return nil
	}
	return os.RemoveAll(x.temporary)
}

// Close closes the index, and removes it if it is temporary.
func (x *ownIndex) Close() error { return errors.Join(x.Index.Close(), x.remove()) }

// reindexCmd rebuilds the index.
type reindexCmd struct {
	storeFlags
	indexFlag
}

// Run rebuilds the index of a directory from the log while the old one stays in use. A server that has the
// directory open switches to the new index by itself.
func (c *reindexCmd) Run(w *world) error {
	dir := c.dir(c.Store)
	if dir == "" {
		return errors.New("--index is needed: which directory is to be built?")
	}
	if err := c.with(w, func(s store.Store) error { return index.Rebuild(w.ctx, dir, s, index.Config{}) }); err != nil {
		return err
	}
	fmt.Fprintf(w.out, "the index in %s is new\n", dir)
	return nil
}
