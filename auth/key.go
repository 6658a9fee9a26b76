package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"tenure"
	"tenure/roles"
)

const (
	prefix      = "tnr_"
	secretBytes = 32 // 256 bits
	maxKey      = 256
	maxLabel    = 200
	maxRole     = 200
)

// Issue returns the credential that c describes and its key: "tnr_", the id, "_" and a secret of 256 bits
// read from random. The credential keeps only the hash of the secret; the key cannot be shown again.
//
// Issue sets the id, hash and creation time of c. It is Invalid, with JSON pointers, if c names no role, an
// unknown role, values out of range, or an expiry that has passed; a missing clearance means restricted.
func Issue(m tenure.Mint, random io.Reader, c tenure.Credential) (tenure.Credential, string, error) {
	if c.Clearance == "" {
		c.Clearance = tenure.Restricted
	}
	if err := check(c, m.Now); err != nil {
		return tenure.Credential{}, "", err
	}
	raw := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, raw); err != nil {
		return tenure.Credential{}, "", &tenure.Error{Code: tenure.Internal, Message: "no key could be made", Err: err}
	}
	secret := base64.RawURLEncoding.EncodeToString(raw)
	c.ID, c.Hash, c.CreatedAt, c.LastUsedAt, c.RevokedAt = m.NewID(), hash(secret), m.Now, 0, 0
	return c, prefix + string(c.ID) + "_" + secret, nil
}

func check(c tenure.Credential, now tenure.Instant) error {
	var faults []tenure.Field
	fault := func(pointer, format string, args ...any) {
		faults = append(faults, tenure.Field{Pointer: pointer, Reason: fmt.Sprintf(format, args...)})
	}
	if c.Tenant == "" {
		fault("/tenant", "is required")
	}
	if len(c.Label) > maxLabel {
		fault("/label", "must be at most %d bytes", maxLabel)
	}
	if len(c.Role) > maxRole || c.Role != "" && roles.Normal(c.Role) == "" {
		fault("/role", "must name a role in at most %d bytes", maxRole)
	}
	if len(c.Roles) == 0 {
		fault("/roles", "must name a role")
	}
	for i, r := range c.Roles {
		if !slices.Contains(tenure.Roles, r) {
			fault(fmt.Sprintf("/roles/%d", i), "must be agent, reviewer, analyst or admin")
		}
	}
	if c.Clearance.Rank() > tenure.HighlyRestricted.Rank() {
		fault("/clearance", "must be public, restricted, confidential or highly_restricted")
	}
	if c.MaxAuthority < 0 || c.MaxAuthority > 4 {
		fault("/max_authority", "must be 0 to 4")
	}
	if c.ExpiresAt != 0 && c.ExpiresAt <= now {
		fault("/expires_at", "must be in the future")
	}
	if len(faults) > 0 {
		return &tenure.Error{Code: tenure.Invalid, Message: "there can be no such key", Fields: faults}
	}
	return nil
}

// parse splits a key into id and secret.
func parse(key string) (tenure.ID, string, bool) {
	rest, ok := strings.CutPrefix(key, prefix)
	if !ok || len(key) > maxKey {
		return "", "", false
	}
	text, secret, ok := strings.Cut(rest, "_")
	if !ok || secret == "" {
		return "", "", false
	}
	id, ok := tenure.ParseID(text)
	return id, secret, ok
}

func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func matches(c tenure.Credential, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(c.Hash), []byte(hash(secret))) == 1
}
