package index

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"tenure"
)

// Checkpoints keeps a sequence number for each tenant in a file of the index directory, for a consumer of the
// changefeed that depends on the index and stores nothing itself. A rebuild of the index leaves the file
// alone. A missing or damaged file counts as empty: the consumer then receives everything again.
type Checkpoints struct {
	file string

	mu    sync.Mutex
	at    map[string]tenure.Seq
	dirty bool

	saving sync.Mutex // held while the file is written
}

func openCheckpoints(file string) (*Checkpoints, error) {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	c := &Checkpoints{file: file, at: map[string]tenure.Seq{}}
	var at map[string]tenure.Seq
	if json.Unmarshal(text, &at) == nil {
		maps.DeleteFunc(at, func(_ string, seq tenure.Seq) bool { return seq < 0 })
		maps.Copy(c.at, at)
	}
	return c, nil
}

// Get returns the sequence number of a tenant, 0 if it has none.
func (c *Checkpoints) Get(tenant string) tenure.Seq {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at[tenant]
}

// Set sets the sequence number of a tenant. The index writes it to the file within a second, and on Close;
// after a crash the entries since the last write are delivered again.
func (c *Checkpoints) Set(tenant string, seq tenure.Seq) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[tenant] != seq {
		c.at[tenant], c.dirty = seq, true
	}
}

// save writes the file if a number was set since the last save.
func (c *Checkpoints) save() error {
	c.saving.Lock()
	defer c.saving.Unlock()
	c.mu.Lock()
	at, dirty := maps.Clone(c.at), c.dirty
	c.dirty = false
	c.mu.Unlock()
	if !dirty {
		return nil
	}
	text, err := json.Marshal(at)
	if err == nil {
		err = writeFile(c.file, text)
	}
	if err != nil {
		c.mu.Lock()
		c.dirty = true
		c.mu.Unlock()
	}
	return err
}

// writeFile replaces a file atomically: a reader sees the old content or the new one, even after a crash.
func writeFile(file string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
