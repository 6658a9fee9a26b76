// Package issuer is an OpenID Connect issuer for tests, on this machine: it answers discovery and serves its public
// key, and signs tokens that count or, as a test asks, do not.
package issuer

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Audience is whom the tokens are for.
const Audience = "tenure"

// Issuer signs tokens for an hour around an instant.
type Issuer struct {
	*httptest.Server
	t   testing.TB
	now time.Time

	mu      sync.Mutex
	keyID   string
	key     crypto.Signer
	down    bool
	fetched int
}

// New starts an issuer, which is closed when the test ends.
func New(t testing.TB, now time.Time) *Issuer {
	t.Helper()
	i := &Issuer{t: t, now: now}
	i.Rotate("one")
	i.Server = httptest.NewServer(i)
	t.Cleanup(i.Close)
	return i
}

// ServeHTTP implements [http.Handler].
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var answer any
	switch {
	case i.down:
		http.Error(w, "down", http.StatusBadGateway)
		return
	case r.URL.Path == "/.well-known/openid-configuration":
		answer = map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys"}
	case r.URL.Path == "/keys":
		i.fetched++
		answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: i.keyID, Use: "sig"}}}
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		i.t.Error(err)
	}
}

// Rotate replaces the key of the issuer.
func (i *Issuer) Rotate(keyID string) {
	i.t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		i.t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keyID, i.key = keyID, key
}

// Key returns the key that signs now.
func (i *Issuer) Key() crypto.Signer {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.key
}

// KeyID returns the id of the key that signs now.
func (i *Issuer) KeyID() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.keyID
}

// Stop has the issuer answer nothing but 502, until Resume.
func (i *Issuer) Stop() { i.set(true) }

// Resume ends what Stop began.
func (i *Issuer) Resume() { i.set(false) }

func (i *Issuer) set(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Fetched returns how often the keys were fetched.
func (i *Issuer) Fetched() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetched
}

// Claims returns the claims of a token that counts, with changes; nil takes a claim away.
func (i *Issuer) Claims(changes map[string]any) map[string]any {
	c := map[string]any{
		"iss": i.URL, "aud": Audience, "sub": "dana", "exp": i.now.Add(time.Hour).Unix(), "nbf": i.now.Add(-time.Hour).Unix(),
		"tenant": "acme", "roles": []string{"reviewer", "agent", "editor-of-another-program"}, "clearance": "confidential",
	}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

// Token returns a signed token with these claims.
func (i *Issuer) Token(changes map[string]any) string {
	i.t.Helper()
	return Sign(i.t, jose.RS256, i.Key(), i.KeyID(), i.Claims(changes))
}

// Sign returns a token of any claims, signed with any key.
func Sign(t testing.TB, alg jose.SignatureAlgorithm, key any, keyID string, claims map[string]any) string {
	t.Helper()
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: keyID}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	jws, err := s.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jws.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
