package index

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/gofrs/flock"
)

// A directory has a place for each process that has it open: the directory itself, and folders in it for further
// processes.
const (
	placePrefix = "process-"
	maxPlaces   = 64
	lockName    = "LOCK"
	// seedFile in a place asks the process that has the directory itself for a copy of its index.
	seedFile = "SEED"
)

// claim locks the first place of a directory that no other process has. It waits for the directory itself, since the
// process that had it may be about to end.
func claim(dir string, timeout time.Duration) (place string, lock *flock.Flock, err error) {
	place = dir
	for n := 2; ; n++ {
		if err := os.MkdirAll(place, 0o700); err != nil {
			return "", nil, err
		}
		lock, err = lockFile(filepath.Join(place, lockName), timeout)
		if err == nil || !errors.Is(err, ErrLocked) || n > maxPlaces {
			return place, lock, err
		}
		place, timeout = filepath.Join(dir, fmt.Sprint(placePrefix, n)), lockRetry
	}
}

// places lists the places of a directory for further processes.
func places(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), placePrefix) {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, nil
}

// beginWith fills a place that has no index with a copy of that of the directory: what was re-resolved, and the
// current generation, for which it asks the process that has the directory open. Without an answer, the place begins
// empty; a copy that comes later is taken then, as an index that was rebuilt.
func beginWith(dir, place string, cfg Config) {
	if _, err := current(place); err == nil {
		return
	}
	err := copyFile(filepath.Join(dir, passedFile), filepath.Join(place, passedFile))
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = writeFile(filepath.Join(place, seedFile), nil)
	}
	for wait := cfg.SeedTimeout; err == nil && wait > 0; wait -= lockRetry {
		if _, missing := os.Stat(filepath.Join(place, seedFile)); errors.Is(missing, os.ErrNotExist) {
			return
		}
		time.Sleep(lockRetry)
	}
	cfg.Logger.Warn("the index is not a copy of that of the process before", "dir", place, "error", err)
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeFile(to, text)
}

// seed gives a copy of the current generation to the places that ask for one.
func (x *Index) seed() error {
	list, err := places(x.dir)
	for _, place := range list {
		asked := filepath.Join(place, seedFile)
		if _, missing := os.Stat(asked); missing != nil {
			continue
		}
		err = errors.Join(err, x.seedOne(place), os.Remove(asked))
	}
	return err
}

func (x *Index) seedOne(place string) error {
	g := x.acquire()
	if g == nil {
		return errClosed
	}
	defer g.release()
	if err := x.exclusively(g.flush); err != nil {
		return err
	}
	return g.copyInto(place)
}

// copyInto makes a copy of the generation the current one of a place.
func (g *generation) copyInto(place string) error {
	dir, err := os.MkdirTemp(place, generationPrefix)
	if err != nil {
		return err
	}
	if err = g.index.(bleve.IndexCopyable).CopyTo(links{g.dir, dir}); err == nil {
		err = setCurrent(place, dir)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// links is the folder of a copy. Segments are never changed, only added and removed, so that a copy can share them.
type links struct{ from, to string }

// GetWriter implements Bleve's Directory.
func (l links) GetWriter(name string) (io.WriteCloser, error) {
	file := filepath.Join(l.to, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".zap") && os.Link(filepath.Join(l.from, name), file) == nil {
		return linked{}, nil
	}
	return os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

// linked takes the content of a file that is there already.
type linked struct{}

func (linked) Write(p []byte) (int, error) { return len(p), nil }
func (linked) Close() error                { return nil }
