package ledger

import "sync"

// outlinedClaims bounds the claims whose slots a writer keeps outlines of: some 200 bytes each.
const outlinedClaims = 1 << 18

// outlines keeps the outlines of slots; those used last stay. It is safe for concurrent use.
type outlines struct {
	mu    sync.Mutex
	known map[thingKey]*used
	size  int
	clock int
}

// outline is an outline of a slot, nil for none, and the number of its claims.
type outline struct {
	value any
	size  int
}

type used struct {
	outline

	at int
}

func newOutlines() *outlines { return &outlines{known: map[thingKey]*used{}} }

func (o *outlines) get(k thingKey) any {
	o.mu.Lock()
	defer o.mu.Unlock()
	u := o.known[k]
	if u == nil {
		return nil
	}
	o.clock++
	u.at = o.clock
	return u.value
}

// put keeps an outline instead of the one before, none if it is nil.
func (o *outlines) put(k thingKey, v outline) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drop(k)
	if v.value == nil || v.size > outlinedClaims {
		return
	}
	o.clock++
	o.known[k] = &used{v, o.clock}
	o.size += v.size
	for o.size > outlinedClaims {
		oldest, at := k, o.clock
		for k, u := range o.known {
			if u.at < at {
				oldest, at = k, u.at
			}
		}
		o.drop(oldest)
	}
}

func (o *outlines) drop(k thingKey) {
	if u := o.known[k]; u != nil {
		o.size -= u.size
		delete(o.known, k)
	}
}
