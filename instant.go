package tenure

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Instant is a point in time in microseconds since 1970, UTC. Valid time and transaction time are both
// Instants.
type Instant int64

// MaxTime closes a window without an end; MinTime opens one without a start.
const (
	MaxTime Instant = math.MaxInt64
	MinTime Instant = math.MinInt64
)

// At converts t and drops fractions of a microsecond.
func At(t time.Time) Instant { return Instant(t.UnixMicro()) }

// Time returns the instant in UTC. It is meaningless for the two extremes.
func (i Instant) Time() time.Time { return time.UnixMicro(int64(i)).UTC() }

// String returns RFC 3339 with the necessary fraction, or "forever", "dawn".
func (i Instant) String() string {
	switch i {
	case MaxTime:
		return "forever"
	case MinTime:
		return "dawn"
	}
	return i.Time().Format(time.RFC3339Nano)
}

// Add moves a finite instant; the two extremes do not move.
func (i Instant) Add(d time.Duration) Instant {
	if i == MaxTime || i == MinTime {
		return i
	}
	return i + Instant(d.Microseconds())
}

// Window is a half-open interval: it contains From and not Until.
type Window struct {
	From  Instant `json:"from"`
	Until Instant `json:"until"`
}

// Contains reports whether t is in the window.
func (w Window) Contains(t Instant) bool { return w.From <= t && t < w.Until }

// Empty reports whether the window contains no instant.
func (w Window) Empty() bool { return w.From >= w.Until }

// Overlaps reports whether the windows share an instant.
func (w Window) Overlaps(o Window) bool { return w.From < o.Until && o.From < w.Until }

// Intersect returns the common part of two windows, which may be empty.
func (w Window) Intersect(o Window) Window {
	return Window{From: max(w.From, o.From), Until: min(w.Until, o.Until)}
}

// Union joins windows that overlap or adjoin, and sorts them.
func Union(list []Window) []Window {
	list = slices.SortedFunc(slices.Values(list), func(a, b Window) int { return cmp.Compare(a.From, b.From) })
	var out []Window
	for _, w := range list {
		if n := len(out); n > 0 && w.From <= out[n-1].Until {
			out[n-1].Until = max(out[n-1].Until, w.Until)
			continue
		}
		out = append(out, w)
	}
	return out
}

// AsOf identifies a state of a tenant: the present if zero, else the state after change set Seq, or the state
// at transaction time Known.
type AsOf struct {
	Seq   Seq
	Known Instant
}

// Present is the newest state.
var Present = AsOf{}

// Seq numbers the change sets of one tenant: 1, 2, 3, without gaps.
type Seq int64
