// Package admission decides how many requests of a key and of a tenant are taken: token buckets, with a cost for each
// request.
//
// In come the time, who asks and what it costs; out goes how long the caller has to wait. The formula of the cost is
// [Cost] and, once there is an answer, [CostOfAnswer].
package admission

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// What costs one unit more. A unit is about a millisecond of a processor.
const (
	bytesPerUnit       = 16 << 10
	answerBytesPerUnit = 32 << 10
)

// weight is the cost of an operation: what it costs at least, and for how many names it costs one unit more.
type weight struct{ least, namesPerUnit int }

// ordinary is the weight of the operations that are not in weights.
var ordinary = weight{least: 1, namesPerUnit: 8}

// weights are the weights of the operations, by their ids in openapi.yaml, whose work their bodies do not show.
var weights = map[string]weight{
	"AskQuery":          {10, 8},
	"Compile":           {10, 8},
	"GetNeighborhood":   {5, 8},
	"Recall":            {10, 8},
	"ReplayCompilation": {10, 8},
	"Resolve":           {1, 1}, // compares each name with four times as many candidates as a write, and shows them
}

// Cost returns the cost of a request, or of a line of a batch, in units: that of its operation, and 1 more for each 16
// KiB of its body and, as a rule, for each 8 names. Names are those that are looked for and compared: of each mention
// one, and each of its aliases.
func Cost(operation string, bytes int64, names int) int {
	w, ok := weights[operation]
	if !ok {
		w = ordinary
	}
	return w.least + int(max(bytes, 0)/bytesPerUnit) + names/w.namesPerUnit
}

// CostOfAnswer returns what an answer costs beyond its request: 1 for each 32 KiB. How much was read and compared for
// it is known then alone, and shows in its size: a long list, a wide neighborhood, a trace of many candidates.
func CostOfAnswer(bytes int64) int { return int(bytes / answerBytesPerUnit) }

// Config bounds the units of a second; 0 is no bound.
type Config struct {
	PerKey, PerTenant float64
	// Burst is how many units may be used at once after a pause. Required where there is a bound.
	Burst int
}

// mostBuckets bounds the buckets in memory. One that is full is as good as none, and is dropped first.
const mostBuckets = 1 << 16

// Buckets are the buckets of all keys and tenants. They are safe for concurrent use.
type Buckets struct {
	cfg  Config
	mu   sync.Mutex
	of   map[holder]*rate.Limiter
	next int // the number of buckets at which the full ones are dropped
}

// holder is a key of a tenant, or a tenant.
type holder struct{ tenant, key string }

// New returns full buckets.
func New(cfg Config) *Buckets {
	cfg.Burst = max(cfg.Burst, 1)
	return &Buckets{cfg: cfg, of: map[holder]*rate.Limiter{}, next: mostBuckets / 64}
}

// Admit takes the cost of a request from the buckets of its key and its tenant. If one of them has too little, it takes
// nothing, and returns after what time there will be enough.
func (b *Buckets) Admit(now time.Time, tenant, key string, cost int) (wait time.Duration) {
	var taken []*rate.Reservation
	for _, l := range b.limiters(now, tenant, key) {
		r := l.ReserveN(now, min(cost, b.cfg.Burst))
		taken = append(taken, r)
		wait = max(wait, r.DelayFrom(now))
	}
	if wait > 0 {
		for _, r := range taken {
			r.CancelAt(now)
		}
	}
	return wait
}

// Owe takes a cost that was not known before, whether there is as much or not, and returns after what time it is made
// up for. The next requests wait for it.
func (b *Buckets) Owe(now time.Time, tenant, key string, cost int) (wait time.Duration) {
	for _, l := range b.limiters(now, tenant, key) {
		for rest := cost; rest > 0; rest -= b.cfg.Burst {
			wait = max(wait, l.ReserveN(now, min(rest, b.cfg.Burst)).DelayFrom(now))
		}
	}
	return wait
}

// limiters returns the buckets that bound a key, none if there is no bound.
func (b *Buckets) limiters(now time.Time, tenant, key string) (list []*rate.Limiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cfg.PerKey > 0 {
		list = append(list, b.bucket(now, holder{tenant, key}, b.cfg.PerKey))
	}
	if b.cfg.PerTenant > 0 {
		list = append(list, b.bucket(now, holder{tenant, ""}, b.cfg.PerTenant))
	}
	return list
}

// bucket returns a bucket, which it makes if there is none. The caller holds the lock.
func (b *Buckets) bucket(now time.Time, h holder, perSecond float64) *rate.Limiter {
	l := b.of[h]
	if l == nil {
		if len(b.of) >= b.next {
			b.drop(now)
		}
		l = rate.NewLimiter(rate.Limit(perSecond), b.cfg.Burst)
		b.of[h] = l
	}
	return l
}

// drop drops the buckets that are full again, and any others while there are too many.
func (b *Buckets) drop(now time.Time) {
	for h, l := range b.of {
		if l.TokensAt(now) >= float64(b.cfg.Burst) {
			delete(b.of, h)
		}
	}
	for h := range b.of {
		if len(b.of) < mostBuckets {
			break
		}
		delete(b.of, h)
	}
	b.next = min(mostBuckets, max(2*len(b.of), mostBuckets/64))
}

// Size returns the number of buckets in memory.
func (b *Buckets) Size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.of)
}
