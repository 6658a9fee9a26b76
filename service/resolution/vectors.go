package resolution

import (
	"context"
	"sync"
	"time"

	"tenure"
	"tenure/recall"
)

// The bounds of what a search by similarity waits for: how many entries of the log are embedded first, and how long
// that may take. Beyond, it is done without: who searches is told.
const (
	mostUnembedded = 64
	embedTimeout   = time.Second
)

// similar finds beliefs and passages by their vectors, which it has the worker make first where few are missing.
type similar struct {
	*Worker
	mu      sync.Mutex
	reading map[string]*embedding // by tenant
}

// embedding is what makes the missing vectors of a tenant, for all searches that wait for them.
type embedding struct {
	done chan struct{}
	err  error // once it is done
}

// Similar returns the space of vectors, nil where there is none.
func (w *Worker) Similar() recall.Space {
	if w.vectors == nil {
		return nil
	}
	return &similar{Worker: w, reading: map[string]*embedding{}}
}

// Nearest implements [recall.Space].
func (s *similar) Nearest(
	ctx context.Context, tenant, query string, upTo tenure.Seq, q recall.Wanted,
) ([]recall.Near, bool, error) {
	s.follow(tenant)
	if err := s.read(ctx, tenant, upTo); err != nil {
		return nil, false, err
	}
	return s.vectors.Nearest(ctx, tenant, query, upTo, q)
}

// Compare implements [recall.Space].
func (s *similar) Compare(
	ctx context.Context, tenant, query string, upTo tenure.Seq, what recall.Compared,
) (map[tenure.ID]float64, error) {
	s.follow(tenant)
	if err := s.read(ctx, tenant, upTo); err != nil {
		return nil, err
	}
	return s.vectors.Compare(ctx, tenant, query, upTo, what)
}

// read waits until the log is embedded up to an entry, as long as that is worth it. It returns an error if the context
// ends.
func (s *similar) read(ctx context.Context, tenant string, upTo tenure.Seq) error {
	timer := time.NewTimer(embedTimeout)
	defer timer.Stop()
	for {
		mark, err := s.vectors.Checkpoint(ctx, tenant)
		if unread := upTo - mark; err != nil || unread <= 0 || unread > mostUnembedded {
			return err
		}
		e := s.embed(ctx, tenant)
		select {
		case <-e.done:
			if e.err != nil { // that something is missing is said by the search
				s.logger.DebugContext(ctx, "vectors are missing", "tenant", tenant, "error", e.err)
				return nil
			}
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// embed starts to embed the rest of a tenant's log, or returns what is under way. It does not wait: callers do, each
// with its own limit.
func (s *similar) embed(ctx context.Context, tenant string) *embedding {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.reading[tenant]
	if e != nil {
		return e
	}
	e = &embedding{done: make(chan struct{})}
	s.reading[tenant] = e
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), embedTimeout)
	s.work.Go(func() {
		defer cancel()
		e.err = s.embedding.CatchUp(within, tenant)
		s.mu.Lock()
		delete(s.reading, tenant)
		s.mu.Unlock()
		close(e.done)
	})
	return e
}
