package model

import (
	"sync"
	"time"
)

// budget bounds the tokens of an hour, counted from the first request of it. A limit of 0 is none.
type budget struct {
	limit int
	now   func() time.Time

	mu    sync.Mutex
	since time.Time
	spent int
	out   bool // whether the hour had too few left
}

// reserve takes n tokens, and reports whether the hour has them left, and else whether this is the first that it lacks.
func (b *budget) reserve(n int) (ok, first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := b.now(); now.Sub(b.since) >= time.Hour {
		b.since, b.spent, b.out = now, 0, false
	}
	if b.limit > 0 && b.spent+n > b.limit {
		first, b.out = !b.out, true
		return false, first
	}
	b.spent += n
	return true, false
}

// settle corrects a reservation by what was used.
func (b *budget) settle(reserved, used int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(b.spent+used-reserved, 0)
}

// estimate returns about how many tokens n bytes of text are, rather too many.
func estimate(n int) int { return n/3 + 1 }
