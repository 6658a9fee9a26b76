package tenure

import (
	"crypto/sha256"
	"time"

	"github.com/google/uuid"
)

// ID identifies one entity, observation, mention, belief, case or amendment: a UUID in lower case. Minted ids
// are version 7.
type ID string

// ParseID accepts only the canonical text of a UUID.
func ParseID(s string) (ID, bool) {
	u, err := uuid.Parse(s)
	if err != nil || u.String() != s {
		return "", false
	}
	return ID(s), true
}

// FirstID returns the id that is before all that are minted from an instant on, and after those that were minted in
// earlier milliseconds.
func FirstID(at Instant) ID {
	var u uuid.UUID
	ms := uint64(max(at.Time().UnixMilli(), 0))
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	u[6] = 0x70
	return ID(u.String())
}

// MintedAt returns when an id was minted, to the millisecond, and reports whether it was.
func MintedAt(id ID) (Instant, bool) {
	u, err := uuid.Parse(string(id))
	if err != nil || u.Version() != 7 {
		return 0, false
	}
	var ms int64
	for _, b := range u[:6] {
		ms = ms<<8 | int64(b)
	}
	return At(time.UnixMilli(ms)), true
}

// DerivedID returns an id that depends on its parts alone, so that two processes with the same conclusion use
// the same id.
func DerivedID(kind string, parts ...string) ID {
	h := sha256.New()
	h.Write([]byte(kind))
	for _, p := range parts {
		h.Write([]byte{0})
		h.Write([]byte(p))
	}
	var u uuid.UUID
	copy(u[:], h.Sum(nil))
	u[6] = u[6]&0x0f | 0x80 // version 8: custom
	u[8] = u[8]&0x3f | 0x80
	return ID(u.String())
}

// followingID returns an id that depends on its parts alone, and comes after those minted in the millisecond of another
// one, in the order of the numbers.
func followingID(minted ID, number int, kind string, parts ...string) ID {
	u := uuid.MustParse(string(DerivedID(kind, append([]string{string(minted)}, parts...)...)))
	if m, err := uuid.Parse(string(minted)); err == nil {
		copy(u[:6], m[:6]) // the milliseconds of version 7; its version is less than 8
	}
	u[6], u[7] = 0x80|byte(number>>8)&0x0f, byte(number)
	return ID(u.String())
}

// Mint is what a decision may take from the outside world: one instant and a source of ids.
type Mint struct {
	Now   Instant
	NewID func() ID
}

// NewMint returns a mint of the instant now and of random ids of version 7.
func NewMint(now time.Time) Mint {
	return Mint{Now: At(now), NewID: func() ID { return ID(uuid.Must(uuid.NewV7()).String()) }}
}
