package index

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"tenure"
)

// progress keeps a number for each tenant in a file. A file that is missing or
// damaged is one without numbers: what they stand for is done at least once.
type progress struct {
	file string
	mu   sync.Mutex
	at   map[string]tenure.Seq
}

func (p *progress) get(tenant string) (tenure.Seq, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(); err != nil {
		return 0, err
	}
	return p.at[tenant], nil
}

func (p *progress) load() error {
	if p.at != nil {
		return nil
	}
	text, err := os.ReadFile(p.file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	p.at = map[string]tenure.Seq{}
	if json.Unmarshal(text, &p.at) != nil || p.at == nil {
		p.at = map[string]tenure.Seq{}
	}
	return nil
}

func (p *progress) set(tenant string, seq tenure.Seq) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(); err != nil {
		return err
	}
	p.at[tenant] = seq
	text, err := json.Marshal(p.at)
	if err != nil {
		return err
	}
	return writeFile(p.file, text)
}

// writeFile replaces a file at once: it is the old one or the new one, whenever
// it is read and whatever dies.
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
