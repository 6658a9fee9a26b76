package engine

import (
	"tenure"
)

// AfterIDs comes after every id in the order of texts.
const AfterIDs = tenure.ID("g")

// MergeCredential returns the credential that replaces another one of its id, with the earlier end and the later use
// of the two.
func MergeCredential(have, put tenure.Credential) tenure.Credential {
	put.RevokedAt = earlier(have.RevokedAt, put.RevokedAt)
	put.ExpiresAt = earlier(have.ExpiresAt, put.ExpiresAt)
	put.LastUsedAt = max(have.LastUsedAt, put.LastUsedAt)
	if have.Rotated {
		put.Rotated, put.MeantUntil = true, have.MeantUntil
	}
	return put
}

// earlier returns the earlier of two instants, of which 0 is none.
func earlier(a, b tenure.Instant) tenure.Instant {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
