package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tenure"
	"tenure/changefeed"
	"tenure/store"
)

// The index directory holds one folder for each generation; the file CURRENT names the generation in use.
const (
	currentFile      = "CURRENT"
	generationPrefix = "generation-"
)

// generations lists the generation folders of a directory.
func generations(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && isGeneration(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func isGeneration(name string) bool {
	return strings.HasPrefix(name, generationPrefix) && filepath.Base(name) == name
}

func current(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, currentFile))
	if err != nil {
		return "", err
	}
	name := strings.TrimSpace(string(text))
	if !isGeneration(name) {
		return "", fmt.Errorf("%s of the index names no generation", currentFile)
	}
	return name, nil
}

// startGeneration creates an empty generation under a name that no other generation has had.
func startGeneration(dir, format string, bulk bool) (*generation, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	name, err := os.MkdirTemp(dir, generationPrefix)
	if err != nil {
		return nil, err
	}
	return createGeneration(name, format, bulk)
}

func setCurrent(dir, generation string) error {
	return writeFile(filepath.Join(dir, currentFile), []byte(filepath.Base(generation)+"\n"))
}

// openCurrent opens the current generation, or begins an empty one.
func openCurrent(dir, format string, log *slog.Logger) (*generation, error) {
	name, err := current(dir)
	if err == nil {
		var g *generation
		if g, err = openGeneration(filepath.Join(dir, name), format); err == nil {
			return g, nil
		}
	}
	level := slog.LevelWarn
	if errors.Is(err, os.ErrNotExist) {
		level = slog.LevelInfo // expected on first use
	}
	log.Log(context.Background(), level, "the index is begun anew", "dir", dir, "reason", err)
	return begin(dir, format)
}

// begin creates an empty generation and makes it current.
func begin(dir, format string) (*generation, error) {
	g, err := startGeneration(dir, format, false)
	if err != nil {
		return nil, err
	}
	if err := setCurrent(dir, g.dir); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// sweep removes all generations but the named one, unless a rebuild is in progress.
func sweep(dir, keep string, log *slog.Logger) {
	lock, err := lockFile(filepath.Join(dir, "REBUILD"), 10*time.Millisecond)
	if err != nil {
		return // a later sweep removes it
	}
	defer func() { _ = lock.Unlock() }()
	names, err := generations(dir)
	for _, n := range names {
		if n != keep {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, n)))
		}
	}
	if err != nil {
		log.Warn("old generations of the index are left", "dir", dir, "error", err)
	}
}

// watch checks, until the context ends, whether the index was rebuilt or needs to be.
func (x *Index) watch(ctx context.Context) {
	tick := time.NewTicker(x.cfg.Poll)
	defer tick.Stop()
	for refused := ""; ; {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			refused = x.look(ctx, refused)
			x.keep(now)
		}
	}
}

// keep flushes entries that have been only in memory for [Config.FlushAge], and gives further processes their copies.
func (x *Index) keep(now time.Time) {
	if err := x.flushIfDue(now); err != nil {
		x.cfg.Logger.Warn("the index cannot be written", "dir", x.dir, "error", err)
	}
	if err := x.checkpoints.save(); err != nil {
		x.cfg.Logger.Warn("checkpoints cannot be written", "dir", x.dir, "error", err)
	}
	if err := x.seed(); err != nil {
		x.cfg.Logger.Warn("another process gets no copy of the index", "dir", x.dir, "error", err)
	}
}

// look switches to the current generation, unless it is the one that was refused before.
func (x *Index) look(ctx context.Context, refused string) string {
	g := x.acquire()
	g.release() // only this goroutine and Close exchange the generation
	name, err := current(x.dir)
	switch {
	case x.broken(g):
		g.die()
		x.heal()
	case errors.Is(err, os.ErrNotExist):
		if err := setCurrent(x.dir, g.dir); err != nil {
			x.cfg.Logger.Warn("the index cannot say which generation is current", "dir", x.dir, "error", err)
		}
	case err == nil && name != filepath.Base(g.dir) && name != refused:
		next, err := openGeneration(filepath.Join(x.dir, name), x.variety.format)
		if err != nil {
			x.cfg.Logger.Warn("the index that was built anew cannot be opened", "dir", x.dir, "error", err)
			return name
		}
		if err := x.takeOver(ctx, g, next); err != nil {
			x.cfg.Logger.Warn("the index that was built anew is not up to date yet", "dir", x.dir, "error", err)
			return refused
		}
		x.cfg.Logger.Info("the index that was built anew is in use", "dir", next.dir)
	}
	return refused
}

// broken reports whether a generation is unusable. It verifies checksums only after an error, since that
// reads every file; otherwise it only checks that root.bolt exists.
func (x *Index) broken(g *generation) bool {
	select {
	case <-g.dead:
		return true
	case <-g.suspect:
		return g.verify() != nil
	default:
		_, err := os.Stat(filepath.Join(g.store(), "root.bolt"))
		return errors.Is(err, os.ErrNotExist)
	}
}

// heal replaces a broken generation by an empty one.
func (x *Index) heal() {
	x.cfg.Logger.Warn("the index is begun anew", "dir", x.dir, "reason", "it has stopped working, or its files are gone")
	next, err := begin(x.dir, x.variety.format)
	if err != nil {
		x.cfg.Logger.Error("the index cannot be begun anew", "dir", x.dir, "error", err)
		return
	}
	x.adopt(next)
}

// takeOver replaces a generation by one that was built beside it, once that one has all that is findable: a search
// never finds less than before. The last entries are delivered while no others are.
func (x *Index) takeOver(ctx context.Context, g, next *generation) error {
	feed := x.feeding()
	err := x.level(ctx, feed, g, next)
	if err == nil {
		err = x.exclusively(func() error {
			if err := x.level(ctx, feed, g, next); err != nil {
				return err
			}
			x.install(next)
			return nil
		})
	}
	if err != nil {
		return errors.Join(err, next.close())
	}
	feed.Replaced()
	return nil
}

// exclusively calls f while no entries are taken in.
func (x *Index) exclusively(f func() error) error {
	x.puts.Lock()
	defer x.puts.Unlock() // also if f panics
	return f()
}

// level delivers to a generation what another one has and it has not.
func (x *Index) level(ctx context.Context, feed Feed, g, next *generation) error {
	into := &Index{dir: x.dir, cfg: x.cfg, variety: x.variety, recent: newRecent(), gen: next, feed: feed}
	for tenant, applied := range g.applied() {
		if s, _ := next.shard(tenant); s.applied >= applied {
			continue
		}
		if err := feed.CatchUp(ctx, into, tenant); err != nil {
			return err
		}
	}
	return nil
}

// adopt installs a generation in place of one that is lost. The changefeed delivers again what that one held.
func (x *Index) adopt(next *generation) {
	_ = x.exclusively(func() error { x.install(next); return nil })
	x.feeding().Replaced()
}

// install exchanges the generation and removes its predecessor. The caller holds puts.
func (x *Index) install(next *generation) {
	before := x.exchange(next)
	if err := errors.Join(before.close(), os.RemoveAll(before.dir)); err != nil {
		x.cfg.Logger.Warn("an old generation of the index is left", "dir", before.dir, "error", err)
	}
}

// Rebuild builds a new generation from the whole log of each tenant of the store, while the current one stays in use,
// and then makes it current; first the index of entities, then that of beliefs. The processes that have the directory
// open switch by themselves, each to a copy of its own. Rebuild returns ErrLocked if another rebuild is in progress.
// After an error the index that it was building is unchanged.
func Rebuild(ctx context.Context, dir string, s store.Store, cfg Config) error {
	cfg = cfg.withDefaults()
	for _, v := range []variety{entities, beliefs()} {
		if err := rebuild(ctx, filepath.Join(dir, v.folder), s, v, cfg); err != nil {
			return err
		}
	}
	return nil
}

func rebuild(ctx context.Context, dir string, s store.Store, v variety, cfg Config) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the index directory: %w", err)
	}
	lock, err := lockFile(filepath.Join(dir, "REBUILD"), cfg.LockTimeout)
	if err != nil {
		return fmt.Errorf("build the index in %s: %w", dir, err)
	}
	g, err := startGeneration(dir, v.format, true)
	if err != nil {
		return errors.Join(err, lock.Unlock())
	}
	feed := Feed{View: func(ctx context.Context, tenant string, seq tenure.Seq) (store.Reader, error) {
		return s.View(ctx, tenant, tenure.AsOf{Seq: seq})
	}}
	err = fill(ctx, &Index{dir: dir, cfg: cfg, variety: v, recent: newRecent(), gen: g, feed: feed}, s)
	if err == nil {
		err = g.flush()
	}
	if err == nil {
		err = g.mergeAll(ctx)
	}
	if err == nil {
		err = g.copyToPlaces(dir)
	}
	if err = errors.Join(err, ctx.Err(), g.close()); err == nil {
		err = setCurrent(dir, g.dir)
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(g.dir))
	}
	err = errors.Join(err, lock.Unlock())
	if server, busy := lockFile(filepath.Join(dir, lockName), 10*time.Millisecond); err == nil && busy == nil {
		sweep(dir, filepath.Base(g.dir), cfg.Logger)
		err = server.Unlock()
	}
	return err
}

// copyToPlaces makes a copy the current generation of every further process.
func (g *generation) copyToPlaces(dir string) error {
	list, err := places(dir)
	for _, place := range list {
		err = errors.Join(err, g.copyInto(place))
	}
	return err
}

func fill(ctx context.Context, x *Index, s store.Store) error {
	f := changefeed.New(s, x, changefeed.Config{Name: ConsumerName, Logger: x.cfg.Logger, PageSize: rebuildPage})
	logs, _, err := s.Grown(ctx, store.Mark{})
	if err != nil {
		return err
	}
	for _, l := range logs {
		if err := f.CatchUp(ctx, l.Tenant); err != nil {
			return err
		}
	}
	return nil
}

// rebuildPage is in entries; larger batches leave fewer segments to merge.
const rebuildPage = 5000
