package webhook

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tenure"
)

// Delivery is an event that is to be delivered, or could not be.
type Delivery struct {
	Event Event `json:"event"`
	// Attempts counts the attempts so far, LastError says how the last one failed, at LastAt.
	Attempts  int       `json:"attempts,omitempty"`
	LastAt    time.Time `json:"last_at,omitzero"`
	LastError string    `json:"last_error,omitempty"`
	NextAt    time.Time `json:"next_at,omitzero"`
}

// box is what is kept of a tenant: how far its log was read, what is to be delivered, and what could not be.
type box struct {
	Checkpoint tenure.Seq `json:"checkpoint"`
	Waiting    []Delivery `json:"waiting,omitempty"`
	Dead       []Delivery `json:"dead,omitempty"`
}

// outbox keeps the boxes in files of a directory, one for each tenant.
type outbox struct {
	dir string

	mu    sync.Mutex
	boxes map[string]*box
}

const suffix = ".json"

func openOutbox(dir string) (*outbox, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	o := &outbox{dir: dir, boxes: map[string]*box{}}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), suffix)
		tenant, err := hex.DecodeString(name)
		if !ok || err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		b := &box{}
		if err := json.Unmarshal(text, b); err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", f.Name(), err)
		}
		o.boxes[string(tenant)] = b
	}
	return o, nil
}

// change changes the box of a tenant, and writes it; where that fails the box is as it was.
func (o *outbox) change(tenant string, f func(*box)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	next := &box{}
	if b := o.boxes[tenant]; b != nil {
		*next = box{b.Checkpoint, slices.Clone(b.Waiting), slices.Clone(b.Dead)}
	}
	f(next)
	text, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(o.dir, hex.EncodeToString([]byte(tenant))+suffix), text); err != nil {
		return err
	}
	o.boxes[tenant] = next
	return nil
}

// replaceFile replaces a file: a reader sees the old content or the new one, even after a crash.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// read calls f with the box of a tenant, which f must not change.
func (o *outbox) read(tenant string, f func(box)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if b := o.boxes[tenant]; b != nil {
		f(*b)
	}
}

// due returns the delivery that has been due for the longest; ok is false if none is due, and wait is then the time
// until one will be.
func (o *outbox) due(now time.Time, most time.Duration) (d Delivery, wait time.Duration, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, b := range o.boxes {
		for _, w := range b.Waiting {
			if !ok || w.NextAt.Before(d.NextAt) {
				d, ok = w, true
			}
		}
	}
	if wait = most; ok {
		wait = min(most, d.NextAt.Sub(now))
	}
	return d, wait, ok && wait <= 0
}

// without returns the list without the delivery of an event, and that delivery.
func without(list []Delivery, event tenure.ID) (rest []Delivery, found *Delivery) {
	for i := range list {
		if list[i].Event.ID == event {
			found = &list[i]
			continue
		}
		rest = append(rest, list[i])
	}
	return rest, found
}
