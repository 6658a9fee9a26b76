package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// settling is how many parcels are delivered at a time when a round ends.
const settling = 8

// entry is what is read of an entry of the log.
type entry struct {
	Seq       int64  `json:"seq"`
	Operation string `json:"operation"`
}

// settle ends the load, delivers what is still on its way, and checks that everything is there exactly once, and as it
// was acknowledged.
func (r *Round) settle(ctx context.Context) error {
	r.load.end()
	r.Acknowledged, r.Again = r.load.counts()
	at, err := r.deliverAll(ctx)
	if err != nil {
		return err
	}
	entries, err := r.entries(ctx)
	if err != nil {
		return err
	}
	r.compare(at, entries)
	if err := r.caughtUp(ctx); err != nil {
		return err
	}
	r.verify(ctx)
	r.cleanly()
	return nil
}

// deliverAll sends every parcel once more, and returns the numbers of their entries.
func (r *Round) deliverAll(ctx context.Context) (map[int64]string, error) {
	at, parcels := map[int64]string{}, make(chan *parcel)
	faults := make([]error, settling)
	var mu sync.Mutex
	var work sync.WaitGroup
	for i := range settling {
		work.Go(func() {
			for p := range parcels {
				seq, err := r.confirm(ctx, p)
				if err != nil {
					faults[i] = err
					continue // so that the others are taken
				}
				mu.Lock()
				if other, ok := at[seq]; ok {
					r.wrong("%s and %s are one entry, %d", p.key, other, seq)
				}
				at[seq] = p.key
				mu.Unlock()
			}
		})
	}
	for _, p := range r.load.all() {
		parcels <- p
	}
	close(parcels)
	work.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	return at, nil
}

// confirm sends a parcel until it is acknowledged, compares the answer with that of before, and returns the number of
// its entry.
func (r *Round) confirm(ctx context.Context, p *parcel) (seq int64, err error) {
	var a answer
	err = r.eventually(ctx, "an answer to "+p.key, func() bool {
		a, err = r.ask(ctx, r.url(), http.MethodPost, "/v1/observations", p.key, p.body)
		return err == nil && a.status != http.StatusServiceUnavailable
	})
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, short(a.body))
	}
	var body struct {
		Seq int64 `json:"seq"`
	}
	if err := json.Unmarshal(a.body, &body); err != nil || a.status != http.StatusCreated {
		return 0, fmt.Errorf("%s: %d %s", p.key, a.status, short(a.body))
	}
	switch {
	case p.answer == nil:
	case !a.replayed:
		r.mu.Lock()
		r.Lost++
		r.mu.Unlock()
	case !bytes.Equal(p.answer, a.body):
		r.wrong("%s was acknowledged as %s and is now %s", p.key, short(p.answer), short(a.body))
	}
	return body.Seq, nil
}

// entries reads the log.
func (r *Round) entries(ctx context.Context) ([]entry, error) {
	var all []entry
	for {
		a, err := r.ask(ctx, r.url(), http.MethodGet, fmt.Sprintf("/v1/changes?limit=500&after=%d", len(all)), "", nil)
		if err != nil {
			return nil, err
		}
		var page struct {
			Items []entry `json:"items"`
		}
		if err := json.Unmarshal(a.body, &page); err != nil || a.status != http.StatusOK {
			return nil, fmt.Errorf("the log: %d %s", a.status, short(a.body))
		}
		if len(page.Items) == 0 {
			return all, nil
		}
		all = append(all, page.Items...)
	}
}

// compare looks for entries that are missing, and for those of no parcel, which are doubled. Others than observations
// are of the re-resolution.
func (r *Round) compare(at map[int64]string, entries []entry) {
	found := 0
	for i, e := range entries {
		if e.Seq != int64(i+1) {
			r.wrong("entry %d stands in the log where %d should", e.Seq, i+1)
		}
		if _, ok := at[e.Seq]; ok {
			found++
		} else if e.Operation == "ingest" {
			r.Doubled++
		}
	}
	if found != len(at) {
		r.wrong("%d of %d answers name an entry of the log", found, len(at))
	}
}

// caughtUp waits until each server's index has the whole log, and everything in it was resolved again.
func (r *Round) caughtUp(ctx context.Context) error {
	body := encode(obj{"mentions": list{obj{"name": "Anna Abbott", "type": "person"}}})
	for i, url := range r.urls {
		var last answer
		err := r.eventually(ctx, "the index has the whole log", func() bool {
			a, err := r.ask(ctx, url, http.MethodPost, "/v1/resolve", "", body)
			var found struct {
				Index struct {
					Lag *int `json:"lag"`
				} `json:"index"`
			}
			last = a
			return err == nil && json.Unmarshal(a.body, &found) == nil && found.Index.Lag != nil && *found.Index.Lag == 0
		})
		if err != nil {
			return fmt.Errorf("%w: %s\n%s", err, short(last.body), r.servers[i].Log())
		}
	}
	return nil
}

// verify has the program check the tenant's data against itself.
func (r *Round) verify(ctx context.Context) {
	args := append([]string{"verify", "--store", r.store, "--tenant", r.tenant}, r.login()...)
	out, err := r.Binary.Command(ctx, args...)
	if err != nil || !strings.Contains(out, " 0 findings") {
		r.wrong("server verify: %v\n%s", err, out)
	}
}
