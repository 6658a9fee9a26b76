package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"tenure/index"
)

// indexFlag says where the index of candidates is.
type indexFlag struct {
	Index string `env:"TENURE_INDEX" placeholder:"DIR" help:"Directory of the index of names, one for each process. Default: beside the SQLite file; for Neo4j a temporary one, which is built again at each start."`
}

// ownIndex is an index that may be in a temporary directory.
type ownIndex struct {
	*index.Index
	temporary string
}

// openIndex opens the index that goes with a store.
func (f indexFlag) openIndex(store string, logger *slog.Logger) (*ownIndex, error) {
	x := &ownIndex{}
	dir, err := f.dir(store), error(nil)
	if dir == "" {
		if dir, err = os.MkdirTemp("", "tenure-index-"); err != nil {
			return nil, err
		}
		x.temporary = dir
	}
	if x.Index, err = index.Open(dir, index.Config{Logger: logger}); err != nil {
		if errors.Is(err, index.ErrLocked) {
			err = fmt.Errorf("%w: give each process a directory of its own with --index", err)
		}
		return nil, errors.Join(err, x.remove())
	}
	return x, nil
}

// dir is the directory of the index, "" for a temporary one.
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

// Close closes the index, and removes a temporary one.
func (x *ownIndex) Close() error { return errors.Join(x.Index.Close(), x.remove()) }

// reindexCmd builds the index anew.
type reindexCmd struct {
	storeFlags
	indexFlag
}

// Run builds the index of a directory from the log, beside the one in use. A
// server that has the directory open goes over to it by itself.
func (c *reindexCmd) Run(w *world) error {
	s, err := c.storeFlags.open(w.ctx, w.now)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	dir := c.dir(c.Store)
	if dir == "" {
		return errors.New("--index is needed: which directory is to be built?")
	}
	if err := index.Rebuild(w.ctx, dir, s, index.Config{}); err != nil {
		return err
	}
	fmt.Fprintf(w.out, "the index in %s is new\n", dir)
	return nil
}
