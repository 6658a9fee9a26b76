package oidc_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/auth/oidc"
	"tenure/internal/issuer"
)

var start = time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)

// clock is a clock that a test sets.
type clock struct{ passed atomic.Int64 }

func (c *clock) now() time.Time           { return start.Add(time.Duration(c.passed.Load())) }
func (c *clock) advance(by time.Duration) { c.passed.Add(int64(by)) }

func verifier(t *testing.T, cfg oidc.Config) *oidc.Verifier {
	t.Helper()
	if cfg.Now == nil {
		cfg.Now = new(clock).now
	}
	cfg.Audience = "tenure"
	v, err := oidc.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func dana() tenure.Caller {
	return tenure.Caller{
		Tenant: "acme", Actor: "oidc:dana", Roles: []tenure.Role{tenure.RoleAgent, tenure.RoleReviewer},
		Clearance: tenure.Confidential, MaxAuthority: tenure.UserLevel, Bound: tenure.Scope{UserID: "dana"},
	}
}

func TestATokenSpeaksForItsHolder(t *testing.T) {
	i := issuer.New(t, start)
	for name, tc := range map[string]struct {
		cfg     oidc.Config
		changes map[string]any
		want    func(*tenure.Caller)
	}{
		"all-that-is-claimed": {want: func(*tenure.Caller) {}},
		"one-audience-of-several": {
			changes: map[string]any{"aud": []string{"other", "tenure"}}, want: func(*tenure.Caller) {},
		},
		"roles-as-a-text": {
			changes: map[string]any{"roles": "offline_access admin"},
			want:    func(c *tenure.Caller) { c.Roles = []tenure.Role{tenure.RoleAdmin} },
		},
		"no-roles":     {changes: map[string]any{"roles": nil}, want: func(c *tenure.Caller) { c.Roles = nil }},
		"odd-roles":    {changes: map[string]any{"roles": 7}, want: func(c *tenure.Caller) { c.Roles = nil }},
		"no-clearance": {changes: map[string]any{"clearance": nil}, want: func(c *tenure.Caller) { c.Clearance = tenure.Restricted }},
		"claims-of-other-names": {
			cfg: oidc.Config{TenantClaim: "https://acme.example/tenant", RolesClaim: "/realm_access/roles", UserClaim: "/ids/0/a~1b"},
			changes: map[string]any{
				"https://acme.example/tenant": "zeta", "realm_access": map[string]any{"roles": []string{"analyst"}},
				"ids": []any{map[string]any{"a/b": "u-7"}},
			},
			want: func(c *tenure.Caller) {
				c.Tenant, c.Roles, c.Bound.UserID = "zeta", []tenure.Role{tenure.RoleAnalyst}, "u-7"
			},
		},
		"bound-to-nobody": {cfg: oidc.Config{UserClaim: oidc.Nobody}, want: func(c *tenure.Caller) { c.Bound = tenure.Scope{} }},
		"a-minute-of-skew": {
			changes: map[string]any{"exp": start.Add(-59 * time.Second).Unix(), "nbf": start.Add(59 * time.Second).Unix()},
			want:    func(*tenure.Caller) {},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.cfg.Issuer = i.URL
			got, err := verifier(t, tc.cfg).Verify(t.Context(), i.Token(tc.changes))
			want := dana()
			tc.want(&want)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestTokensThatDoNotCountAreRefused(t *testing.T) {
	i := issuer.New(t, start)
	other := issuer.New(t, start)
	with := func(changes map[string]any) string { return i.Token(changes) }
	encoded := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	none := encoded(map[string]any{"alg": "none", "kid": i.KeyID()}) + "." + encoded(i.Claims(nil)) + "."
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good := with(nil)
	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"nothing":                    "",
		"no-jwt":                     "a.b.c",
		"alg-none":                   none,
		"alg-none-with-a-signature":  none + parts[2],
		"hmac-with-the-public-key":   withPublicKey(t, i, encoded),
		"another-issuers-key":        issuer.Sign(t, jose.RS256, other.Key(), i.KeyID(), i.Claims(nil)),
		"another-kind-of-key":        issuer.Sign(t, jose.ES256, curve, i.KeyID(), i.Claims(nil)),
		"another-issuer":             other.Token(nil),
		"the-name-of-another-issuer": with(map[string]any{"iss": other.URL}),
		"an-issuer-that-begins-so":   with(map[string]any{"iss": i.URL + "/"}),
		"no-issuer":                  with(map[string]any{"iss": nil}),
		"another-audience":           with(map[string]any{"aud": "other"}),
		"no-audience":                with(map[string]any{"aud": nil}),
		"expired":                    with(map[string]any{"exp": start.Add(-61 * time.Second).Unix()}),
		"without-an-expiry":          with(map[string]any{"exp": nil}),
		"not-valid-yet":              with(map[string]any{"nbf": start.Add(62 * time.Second).Unix()}),
		"odd-not-before":             with(map[string]any{"nbf": "soon"}),
		"changed-claims":             parts[0] + "." + encoded(i.Claims(map[string]any{"tenant": "zeta"})) + "." + parts[2],
		"no-signature":               parts[0] + "." + parts[1] + ".",
		"no-subject":                 with(map[string]any{"sub": nil}),
		"no-tenant":                  with(map[string]any{"tenant": nil}),
		"an-odd-tenant":              with(map[string]any{"tenant": []string{"acme"}}),
		"an-unknown-clearance":       with(map[string]any{"clearance": "cosmic"}),
		"an-odd-clearance":           with(map[string]any{"clearance": 4}),
		"too-long":                   with(map[string]any{"x": strings.Repeat("x", 1<<15)}),
	} {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		_, err := verifier(t, oidc.Config{Issuer: i.URL, Logger: logger}).Verify(t.Context(), token)
		if tenure.CodeOf(err) != tenure.Unauthenticated {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(log.String(), "a token was refused") || token != "" && strings.Contains(log.String(), token) {
			t.Errorf("%s is logged as %s", name, log.String())
		}
	}
	_, err = verifier(t, oidc.Config{Issuer: i.URL, UserClaim: "user"}).Verify(t.Context(), good)
	if tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Errorf("a token without the user to bind to: %v", err)
	}
}

// withPublicKey returns a token that is signed by HMAC with the public key of the issuer as the secret.
func withPublicKey(t *testing.T, i *issuer.Issuer, encoded func(any) string) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(i.Key().Public())
	if err != nil {
		t.Fatal(err)
	}
	text := encoded(map[string]any{"alg": "HS256", "kid": i.KeyID()}) + "." + encoded(i.Claims(nil))
	mac := hmac.New(sha256.New, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func TestTheKeysOfAnIssuerMayChange(t *testing.T) {
	i := issuer.New(t, start)
	var c clock
	v := verifier(t, oidc.Config{Issuer: i.URL, Now: c.now})
	old := i.Token(nil)
	for range 3 {
		if _, err := v.Verify(t.Context(), old); err != nil {
			t.Fatal(err)
		}
	}
	if n := i.Fetched(); n != 1 {
		t.Errorf("the keys were fetched %d times", n)
	}
	i.Rotate("two")
	c.advance(5 * time.Second)
	if _, err := v.Verify(t.Context(), i.Token(nil)); err != nil {
		t.Error(err)
	}
	for end := time.Now().Add(time.Minute); ; { // the new keys take their place a moment after they are used
		_, err := v.Verify(t.Context(), old)
		if tenure.CodeOf(err) == tenure.Unauthenticated {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the old key still counts: %v", err)
		}
	}
}

func TestUnknownKeysDoNotFloodTheIssuer(t *testing.T) {
	i := issuer.New(t, start)
	v := verifier(t, oidc.Config{Issuer: i.URL})
	if _, err := v.Verify(t.Context(), i.Token(nil)); err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		token := issuer.Sign(t, jose.RS256, i.Key(), strings.Repeat("k", n+1), i.Claims(nil))
		if _, err := v.Verify(t.Context(), token); tenure.CodeOf(err) != tenure.Unauthenticated {
			t.Fatal(err)
		}
	}
	if n := i.Fetched(); n != 1 {
		t.Errorf("the keys were fetched %d times", n)
	}
	if _, err := v.Verify(t.Context(), i.Token(nil)); err != nil {
		t.Errorf("a good token after that: %v", err)
	}
}

func TestAnIssuerThatIsDownIsUnavailable(t *testing.T) {
	i := issuer.New(t, start)
	token := i.Token(nil)
	i.Stop()
	var c clock
	v := verifier(t, oidc.Config{Issuer: i.URL, Now: c.now}) // a server starts all the same
	for range 3 {
		if _, err := v.Verify(t.Context(), token); tenure.CodeOf(err) != tenure.Unavailable {
			t.Errorf("before discovery: %v", err)
		}
	}
	i.Resume()
	c.advance(5 * time.Second)
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Error(err)
	}
	i.Rotate("two")
	i.Stop()
	c.advance(5 * time.Second)
	if _, err := v.Verify(t.Context(), i.Token(nil)); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("a key that cannot be had: %v", err)
	}
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Errorf("a key that is known: %v", err)
	}
}

func TestNewReportsWhatIsWrong(t *testing.T) {
	now := new(clock).now
	for name, tc := range map[string]struct {
		cfg  oidc.Config
		want string
	}{
		"no-audience":     {oidc.Config{Issuer: "https://id.example", Now: now}, "no audience"},
		"no-issuer":       {oidc.Config{Audience: "a", Now: now}, "the issuer"},
		"plain-http":      {oidc.Config{Issuer: "http://id.example", Audience: "a", Now: now}, "not https"},
		"no-clock":        {oidc.Config{Issuer: "https://id.example", Audience: "a"}, "no Now"},
		"a-host-like-one": {oidc.Config{Issuer: "http://localhost.example", Audience: "a", Now: now}, "not https"},
	} {
		_, err := oidc.New(context.Background(), tc.cfg)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
