package oidc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"tenure"
)

// Config says whose tokens count and what their claims mean. Issuer, Audience and Now are required.
type Config struct {
	// Issuer is the URL of the issuer, where its configuration is discovered. It is https, except on this machine.
	Issuer string
	// Audience is the audience (aud) that a token must name.
	Audience string
	// The claims with the tenant, the roles, the clearance and the user id of the holder: names, or JSON pointers.
	// They default to those of the constants; a holder without a clearance is cleared for restricted.
	TenantClaim, RolesClaim, ClearanceClaim string
	// UserClaim is the claim with the user id to which the holder is bound; with [Nobody] holders are not bound.
	UserClaim string
	// Now is the clock.
	Now func() time.Time
	// Logger is told why tokens are refused. Default: discarded.
	Logger *slog.Logger
}

// Nobody is the value of UserClaim that binds no holder to a user.
const Nobody = "none"

// skew is how far the clocks of the issuer and of the service may differ.
const skew = time.Minute

const (
	// longestToken bounds a token, in bytes.
	longestToken = 16 << 10
	// fetchTime bounds a request to the issuer.
	fetchTime = 10 * time.Second
	// fetchEvery is the least time between two requests for the keys of the issuer, or for its configuration. Whoever
	// sends tokens with unknown keys does not have the service send a request for each.
	fetchEvery = 5 * time.Second
)

// algorithms are those of public keys. An HMAC with the public key as its secret is not among them, nor is none.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// Verifier maps tokens to callers. It is safe for concurrent use.
type Verifier struct {
	cfg    Config
	client *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier // nil until the issuer was discovered
	tried    time.Time             // when discovery was tried last
}

// New returns a verifier of the tokens of an issuer. It reports every configuration error. If the issuer does not
// answer, it is asked again when a token comes.
func New(ctx context.Context, cfg Config) (*Verifier, error) {
	cfg.TenantClaim = cmp.Or(cfg.TenantClaim, TenantClaim)
	cfg.RolesClaim = cmp.Or(cfg.RolesClaim, RolesClaim)
	cfg.ClearanceClaim = cmp.Or(cfg.ClearanceClaim, ClearanceClaim)
	cfg.UserClaim = cmp.Or(cfg.UserClaim, UserClaim)
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	var faults []error
	if cfg.Now == nil {
		faults = append(faults, errors.New("oidc: no Now"))
	}
	if cfg.Audience == "" {
		faults = append(faults, errors.New("oidc: no audience, without which the tokens of every program would count"))
	}
	if err := trustworthy(cfg.Issuer); err != nil {
		faults = append(faults, fmt.Errorf("oidc: the issuer: %w", err))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	v := &Verifier{cfg: cfg, client: &http.Client{Timeout: fetchTime}}
	if _, err := v.ready(ctx); err != nil {
		cfg.Logger.WarnContext(ctx, "the issuer of tokens does not answer, it is asked again when one comes", "error", err)
	}
	return v, nil
}

// trustworthy returns an error for a URL whose answer others on the network could change.
func trustworthy(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%q is no URL", text)
	}
	addr, err := netip.ParseAddr(u.Hostname())
	here := u.Hostname() == "localhost" || err == nil && addr.IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !here) {
		return fmt.Errorf("%q is not https", text)
	}
	return nil
}

// Verify returns the caller that a token belongs to. A token that does not count is Unauthenticated, for a reason that
// is logged and not told; while the issuer's keys cannot be had, it is Unavailable.
func (v *Verifier) Verify(ctx context.Context, token string) (tenure.Caller, error) {
	if len(token) > longestToken {
		return v.refuse(ctx, "it is too long")
	}
	verifier, err := v.ready(ctx)
	if err != nil {
		return tenure.Caller{}, unavailable(err)
	}
	var outage error
	checked, err := verifier.Verify(context.WithValue(ctx, outageKey{}, &outage), token)
	switch {
	case outage != nil:
		return tenure.Caller{}, unavailable(outage)
	case err != nil:
		return v.refuse(ctx, err.Error())
	}
	var claims map[string]any
	var times struct {
		NotBefore float64 `json:"nbf"`
	}
	if err := errors.Join(checked.Claims(&claims), checked.Claims(&times)); err != nil {
		return v.refuse(ctx, "its claims cannot be read")
	}
	now := v.cfg.Now()
	switch {
	case now.Add(-skew).After(checked.Expiry): // without an expiry it had at the beginning of time
		return v.refuse(ctx, "it has expired")
	case times.NotBefore > float64(now.Add(skew).Unix()):
		return v.refuse(ctx, "it is not valid yet")
	}
	caller, why := v.cfg.callerOf(checked.Subject, claims)
	if why != "" {
		return v.refuse(ctx, why)
	}
	return caller, nil
}

func (v *Verifier) refuse(ctx context.Context, why string) (tenure.Caller, error) {
	v.cfg.Logger.DebugContext(ctx, "a token was refused", "why", why)
	return tenure.Caller{}, tenure.Errorf(tenure.Unauthenticated, "a valid token is needed")
}

func unavailable(err error) error {
	return &tenure.Error{Code: tenure.Unavailable, Message: "the issuer of the token does not answer", Err: err}
}

// errTried says that discovery failed a moment ago, or is being tried.
var errTried = errors.New("it did not answer a moment ago")

// ready returns the verifier of the issuer's tokens, which it discovers first.
func (v *Verifier) ready(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	v.mu.Lock()
	verifier, now := v.verifier, v.cfg.Now()
	wait := verifier == nil && !v.tried.IsZero() && now.Sub(v.tried) < fetchEvery
	if verifier == nil && !wait {
		v.tried = now
	}
	v.mu.Unlock()
	if verifier != nil {
		return verifier, nil
	}
	if wait {
		return nil, errTried
	}
	// whoever asked may hang up, and the others wait for the answer
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime)
	defer cancel()
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, v.client), v.cfg.Issuer)
	if err != nil {
		return nil, err
	}
	var found struct {
		KeysURL string `json:"jwks_uri"`
	}
	if err := provider.Claims(&found); err != nil {
		return nil, err
	}
	if err := trustworthy(found.KeysURL); err != nil {
		return nil, err
	}
	paced := &http.Client{Timeout: fetchTime, Transport: &pace{now: v.cfg.Now}}
	keys := keySet{oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), paced), found.KeysURL)}
	verifier = oidc.NewVerifier(v.cfg.Issuer, keys, &oidc.Config{
		ClientID: v.cfg.Audience, SupportedSigningAlgs: algorithms, SkipExpiryCheck: true, // Verify has its own skew
	})
	v.mu.Lock()
	defer v.mu.Unlock()
	v.verifier = verifier
	return verifier, nil
}

// pace sends requests no more often than every fetchEvery. The failure of a server is an error, as no answer is.
type pace struct {
	now func() time.Time

	mu   sync.Mutex
	last time.Time
}

var errPaced = errors.New("the keys were fetched a moment ago")

// RoundTrip implements [http.RoundTripper].
func (p *pace) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	now := p.now()
	early := !p.last.IsZero() && now.Sub(p.last) < fetchEvery
	if !early {
		p.last = now
	}
	p.mu.Unlock()
	if early {
		return nil, errPaced
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && res.StatusCode >= http.StatusInternalServerError {
		_ = res.Body.Close()
		return nil, fmt.Errorf("the issuer answers with %s", res.Status)
	}
	return res, err
}

// outageKey is the context key of a pointer to the error of fetching keys.
type outageKey struct{}

// keySet distinguishes a signature that is wrong from keys that cannot be had.
type keySet struct{ remote *oidc.RemoteKeySet }

// VerifySignature implements [oidc.KeySet].
func (k keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.remote.VerifySignature(ctx, jwt)
	var failed *url.Error
	if out, ok := ctx.Value(outageKey{}).(*error); ok && errors.As(err, &failed) && !errors.Is(err, errPaced) {
		*out = err
	}
	return payload, err
}
