package auth

import (
	"math"
	"net/netip"
	"sync"
	"time"
)

// budget is how many failures are answered before further ones are refused: so many at once, and one more each time
// that passes.
type budget struct {
	burst int
	every time.Duration
}

// throttle counts failures by name with token buckets. It only ever refuses failures: an attempt that succeeds does not
// pass it, so that failures of one client do not lock out another at the same address.
type throttle struct {
	budget budget
	size   int

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	left float64 // failures, as of at
	at   time.Time
}

func newThrottle(b budget, size int) *throttle {
	return &throttle{budget: b, size: size, buckets: map[string]bucket{}}
}

// fail counts a failure and returns how long to wait before another attempt, 0 while the budget lasts.
func (t *throttle) fail(name string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, ok := t.buckets[name]
	if !ok {
		if len(t.buckets) >= t.size {
			t.evict(now)
		}
		b = bucket{left: float64(t.budget.burst), at: now}
	}
	b = t.refilled(b, now)
	var wait time.Duration
	if b.left >= 1 {
		b.left--
	} else {
		wait = time.Duration(math.Ceil((1 - b.left) * float64(t.budget.every)))
	}
	t.buckets[name] = b
	return wait
}

func (t *throttle) refilled(b bucket, now time.Time) bucket {
	if passed := now.Sub(b.at); passed > 0 {
		b.left = min(float64(t.budget.burst), b.left+float64(passed)/float64(t.budget.every))
		b.at = now
	}
	return b
}

// evict makes room: it drops the buckets that are full again, or all if none is.
func (t *throttle) evict(now time.Time) {
	for name, b := range t.buckets {
		if t.refilled(b, now).left >= float64(t.budget.burst) {
			delete(t.buckets, name)
		}
	}
	if len(t.buckets) >= t.size {
		clear(t.buckets)
	}
}

// Network returns what the failures and connections of an address count for: the address or, of IPv6, the /64 that one
// host has as a rule.
func Network(client string) string {
	addr, err := netip.ParseAddr(client)
	if err != nil {
		return client
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	prefix, err := addr.Prefix(64)
	if err != nil {
		return client
	}
	return prefix.String()
}
