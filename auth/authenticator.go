package auth

import (
	"context"
	"strings"
	"sync"
	"time"

	"tenure"
)

// CredentialSource finds a credential by its id; NotFound if there is none.
type CredentialSource interface {
	Credential(ctx context.Context, id tenure.ID) (tenure.Credential, error)
}

// TokenVerifier maps tokens that an issuer signed to callers; Unauthenticated for one that does not count.
type TokenVerifier interface {
	Verify(ctx context.Context, token string) (tenure.Caller, error)
}

// Config tunes an authenticator; the zero value has the defaults.
type Config struct {
	// Tokens verifies what does not begin as a key does. Default: nothing else is taken.
	Tokens TokenVerifier
	// TTL is how long a credential is cached, and so how long a revoked key still works. Default 5 s.
	TTL time.Duration
	// Size bounds the number of cached credentials. Default 10,000.
	Size int
}

// Authenticator maps API keys and tokens to callers. It is safe for concurrent use.
type Authenticator struct {
	source CredentialSource
	now    func() time.Time
	cfg    Config
	notes  *notebook
	// Failed attempts, by the address that they came from and by the credential and the address.
	ofClient, ofKey *throttle

	mu    sync.Mutex
	cache map[tenure.ID]cached
}

type cached struct {
	credential tenure.Credential
	until      time.Time
}

// How many failed attempts are answered as such: of an address, and of a credential from an address.
var (
	clientBudget = budget{burst: 60, every: time.Second}
	keyBudget    = budget{burst: 10, every: 6 * time.Second}
)

// coarse is how far the last use that is kept of a credential may be behind.
const coarse = time.Minute

// New returns an authenticator over a source.
func New(source CredentialSource, now func() time.Time, cfg Config) *Authenticator {
	if cfg.TTL <= 0 {
		cfg.TTL = 5 * time.Second
	}
	if cfg.Size <= 0 {
		cfg.Size = 10_000
	}
	return &Authenticator{
		source: source, now: now, cfg: cfg, cache: map[tenure.ID]cached{}, notes: newNotebook(),
		ofClient: newThrottle(clientBudget, cfg.Size), ofKey: newThrottle(keyBudget, cfg.Size),
	}
}

// Authenticate returns the caller that a key or token belongs to, where client is the address that it came from. A
// malformed, unknown, wrong, revoked or expired one is Unauthenticated, always with the same message; after too many of
// them from one address it is TooMany, which tells how long to wait. If the source fails, its error is returned.
func (a *Authenticator) Authenticate(ctx context.Context, key, client string) (tenure.Caller, error) {
	if key == "" { // not counted as a failure: it guesses no key and costs nothing
		return tenure.Caller{}, denied()
	}
	now := a.now()
	if a.cfg.Tokens != nil && !strings.HasPrefix(key, prefix) {
		caller, err := a.cfg.Tokens.Verify(ctx, key)
		if tenure.CodeOf(err) == tenure.Unauthenticated {
			err = a.fail(nil, client, now)
		}
		caller.Client = client
		return caller, err
	}
	id, secret, ok := parse(key)
	if !ok {
		return tenure.Caller{}, a.fail(nil, client, now)
	}
	c, err := a.credential(ctx, id)
	switch {
	case tenure.CodeOf(err) == tenure.NotFound:
		return tenure.Caller{}, a.fail(nil, client, now)
	case err != nil:
		return tenure.Caller{}, err
	case !matches(c, secret), c.Ended(tenure.At(now)):
		return tenure.Caller{}, a.fail(&c, client, now)
	}
	a.use(c, now)
	caller := c.Caller()
	caller.Client = client
	return caller, nil
}

// fail counts a failed attempt and returns its error. The credential is nil if the key names none.
func (a *Authenticator) fail(c *tenure.Credential, client string, now time.Time) error {
	from := Network(client)
	wait := a.ofClient.fail(from, now)
	if c != nil {
		wait = max(wait, a.ofKey.fail(string(c.ID)+" "+from, now))
	}
	if wait > 0 {
		return &tenure.Error{
			Code: tenure.TooMany, Message: "too many attempts to authenticate failed", RetryAfter: wait,
		}
	}
	if c != nil {
		a.notes.refuse(*c, client, tenure.At(now))
	}
	return denied()
}

// use notes a use of a credential, at most once in a while.
func (a *Authenticator) use(c tenure.Credential, now time.Time) {
	at := tenure.At(now)
	if c.LastUsedAt != 0 && at < c.LastUsedAt.Add(coarse) {
		return
	}
	c.LastUsedAt = at
	a.mu.Lock()
	if have, ok := a.cache[c.ID]; ok {
		have.credential.LastUsedAt = at
		a.cache[c.ID] = have
	}
	a.mu.Unlock()
	a.notes.use(c)
}

// Noted returns a channel that holds a value while there are notes to take.
func (a *Authenticator) Noted() <-chan struct{} { return a.notes.noted }

// Take returns the notes since it was called last.
func (a *Authenticator) Take() Notes { return a.notes.take() }

// Forget drops a credential from the cache.
func (a *Authenticator) Forget(id tenure.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.cache, id)
}

func (a *Authenticator) credential(ctx context.Context, id tenure.ID) (tenure.Credential, error) {
	now := a.now()
	a.mu.Lock()
	have, ok := a.cache[id]
	a.mu.Unlock()
	if ok && now.Before(have.until) {
		return have.credential, nil
	}
	c, err := a.source.Credential(ctx, id)
	if err != nil {
		return tenure.Credential{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.cache) >= a.cfg.Size {
		a.evict(now)
	}
	a.cache[id] = cached{credential: c, until: now.Add(a.cfg.TTL)}
	return c, nil
}

// evict makes room: it drops expired credentials, or all if none has expired.
func (a *Authenticator) evict(now time.Time) {
	for id, have := range a.cache {
		if !now.Before(have.until) {
			delete(a.cache, id)
		}
	}
	if len(a.cache) >= a.cfg.Size {
		clear(a.cache)
	}
}

func denied() error {
	return tenure.Errorf(tenure.Unauthenticated, "a valid key is needed: Authorization: Bearer tnr_...")
}
