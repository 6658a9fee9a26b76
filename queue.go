package tenure

import (
	"fmt"
	"math"
)

// Lease is exclusive work on a question that waits for an answer, a review or a case, for a while.
type Lease struct {
	// LeasedBy is the credential that works on it until LeasedUntil; LeasedFor is the person that the credential
	// named, if any.
	LeasedBy    string  `json:"leased_by,omitempty"`
	LeasedFor   string  `json:"leased_for,omitempty"`
	LeasedUntil Instant `json:"leased_until,omitempty"`
}

// Leased reports whether the lease runs at the instant.
func (l Lease) Leased(at Instant) bool { return l.LeasedBy != "" && at < l.LeasedUntil }

// rank returns the sort key of a question: by descending weight, then by id.
func rank(weight int64, id ID) string { return fmt.Sprintf("%019d/%s", math.MaxInt64-weight, id) }
