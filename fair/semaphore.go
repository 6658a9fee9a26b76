package fair

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Config configures a semaphore. All fields are required.
type Config struct {
	// Slots is how much is carried out at once.
	Slots int
	// Waiting is how much waits for a slot, with equal shares: see [Queue.Full].
	Waiting int
	// Wait bounds how long it waits.
	Wait time.Duration
}

var (
	// ErrFull is of work that was refused since too much waits already.
	ErrFull = errors.New("too much waits already")
	// ErrWaited is of work whose turn did not come in time.
	ErrWaited = errors.New("there was no turn in time")
)

// Semaphore bounds the work that is carried out at once. While all slots are taken, tenants take turns, and the keys of
// a tenant do. The last free slot is for a tenant that has none, so that whoever asks for little seldom waits for work
// of others to end. It is safe for concurrent use.
type Semaphore struct {
	cfg Config

	mu      sync.Mutex
	taken   int
	of      map[string]int // the slots that each tenant has
	waiting Queue[*waiter]
}

type waiter struct {
	tenant string
	turn   chan struct{} // closed when it has a slot
}

// NewSemaphore returns a semaphore whose slots are free.
func NewSemaphore(cfg Config) *Semaphore { return &Semaphore{cfg: cfg, of: map[string]int{}} }

// Do carries out work in a slot, once it has one. The error is that of the work, [ErrFull], [ErrWaited], or that of a
// context which ended meanwhile.
func (s *Semaphore) Do(ctx context.Context, tenant, key string, work func(context.Context) error) error {
	h := &holder{semaphore: s, tenant: tenant, key: key}
	wait, cancel := context.WithTimeoutCause(ctx, s.cfg.Wait, ErrWaited)
	err := s.enter(wait, h, false)
	cancel()
	if err != nil {
		return err
	}
	defer h.end()
	return work(context.WithValue(ctx, holderKey{}, h))
}

// Waiting returns how much waits for a slot.
func (s *Semaphore) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting.Len()
}

// enter waits for a slot. What had one already goes before all others, and is not refused.
func (s *Semaphore) enter(ctx context.Context, h *holder, again bool) error {
	w := &waiter{tenant: h.tenant, turn: make(chan struct{})}
	s.mu.Lock()
	switch {
	case again:
		s.waiting.PutBack(w, h.tenant, h.key)
	case s.waiting.Full(s.cfg.Waiting, h.tenant, h.key):
		s.mu.Unlock()
		return ErrFull
	default:
		s.waiting.Add(w, h.tenant, h.key)
	}
	s.admit()
	s.mu.Unlock()
	select {
	case <-w.turn:
		h.has = true
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting.Remove(func(other *waiter) bool { return other == w }, h.tenant, h.key) == 0 {
		h.has = true // its turn came in the same moment
		return nil
	}
	return context.Cause(ctx)
}

// admit gives the free slots to those whose turn it is. The caller holds the lock.
func (s *Semaphore) admit() {
	for s.taken < s.cfg.Slots {
		w, ok := s.waiting.Next(s.may)
		if !ok {
			return
		}
		s.taken++
		s.of[w.tenant]++
		close(w.turn)
	}
}

// may reports whether a tenant may have a slot while one is free.
func (s *Semaphore) may(tenant string) bool { return s.taken+1 < s.cfg.Slots || s.of[tenant] == 0 }

// free gives a slot of a tenant back. The caller holds the lock.
func (s *Semaphore) free(tenant string) {
	s.taken--
	if s.of[tenant]--; s.of[tenant] == 0 {
		delete(s.of, tenant)
	}
	s.admit()
}

// holder is work that has a slot, unless all of it is away.
type holder struct {
	semaphore   *Semaphore
	tenant, key string

	mu    sync.Mutex
	has   bool
	away  int
	ended bool
}

type holderKey struct{}

// Away calls f, which waits for something outside the process, and lets others have the slot of the work meanwhile.
// The error is that of f, or that of a context which ended before there was a slot again. Without a slot in the context
// it is a call of f.
func Away(ctx context.Context, f func() error) error {
	h, ok := ctx.Value(holderKey{}).(*holder)
	if !ok {
		return f()
	}
	h.leave()
	err := f()
	if back := h.back(ctx); back != nil {
		return errors.Join(err, back)
	}
	return err
}

func (h *holder) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.away++
	h.giveBack()
}

// giveBack frees the slot. The caller holds the lock of the holder.
func (h *holder) giveBack() {
	if h.has {
		h.has = false
		h.semaphore.mu.Lock()
		h.semaphore.free(h.tenant)
		h.semaphore.mu.Unlock()
	}
}

func (h *holder) back(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.away--; h.away > 0 || h.ended {
		return nil
	}
	return h.semaphore.enter(ctx, h, true)
}

func (h *holder) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.giveBack()
}
