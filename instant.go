package tenure

import (
	"math"
	"time"
)

// Instant is a point in time: microseconds since 1970 in UTC. Both clocks of
// the service, valid time and transaction time, are made of it.
type Instant int64

// Forever closes a window that is still open; Dawn opens one that always was.
const (
	Forever Instant = math.MaxInt64
	Dawn    Instant = math.MinInt64
)

// At converts t, dropping what is finer than a microsecond.
func At(t time.Time) Instant { return Instant(t.UnixMicro()) }

// Time is the instant in UTC. It has no meaning for Dawn and Forever.
func (i Instant) Time() time.Time { return time.UnixMicro(int64(i)).UTC() }

// String is RFC 3339 with the fraction that is needed, or "forever", "dawn".
func (i Instant) String() string {
	switch i {
	case Forever:
		return "forever"
	case Dawn:
		return "dawn"
	}
	return i.Time().Format(time.RFC3339Nano)
}

// Add moves a finite instant; Forever and Dawn stay where they are.
func (i Instant) Add(d time.Duration) Instant {
	if i == Forever || i == Dawn {
		return i
	}
	return i + Instant(d.Microseconds())
}

// Window is a half-open span of time: From is in it, Until is not.
type Window struct {
	From  Instant `json:"from"`
	Until Instant `json:"until"`
}

// Contains tells whether t lies in the window.
func (w Window) Contains(t Instant) bool { return w.From <= t && t < w.Until }

// Empty tells whether no instant lies in the window.
func (w Window) Empty() bool { return w.From >= w.Until }

// Overlaps tells whether some instant lies in both windows.
func (w Window) Overlaps(o Window) bool { return w.From < o.Until && o.From < w.Until }

// Intersect is the span that lies in both windows; it may be empty.
func (w Window) Intersect(o Window) Window {
	return Window{From: max(w.From, o.From), Until: min(w.Until, o.Until)}
}

// AsOf names a state of a tenant: the present when it is zero, else the state
// after change set Seq, or the state that stood at transaction time Known.
type AsOf struct {
	Seq   Seq
	Known Instant
}

// Present is the newest state.
var Present = AsOf{}

// Seq numbers the change sets of one tenant: 1, 2, 3, without gaps.
type Seq int64
