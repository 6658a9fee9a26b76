package auth

import (
	"context"
	"sync"
	"time"

	"tenure"
)

// CredentialSource finds a credential by its id; NotFound if there is none.
type CredentialSource interface {
	Credential(ctx context.Context, id tenure.ID) (tenure.Credential, error)
}

// Config tunes an authenticator; the zero value has the defaults.
type Config struct {
	// TTL is how long a credential is cached, and so how long a revoked key still works. Default 5 s.
	TTL time.Duration
	// Size bounds the number of cached credentials. Default 10,000.
	Size int
}

// Authenticator maps API keys to callers. It is safe for concurrent use.
type Authenticator struct {
	source CredentialSource
	now    func() time.Time
	cfg    Config

	mu    sync.Mutex
	cache map[tenure.ID]cached
}

type cached struct {
	credential tenure.Credential
	until      time.Time
}

// New returns an authenticator over a source.
func New(source CredentialSource, now func() time.Time, cfg Config) *Authenticator {
	if cfg.TTL <= 0 {
		cfg.TTL = 5 * time.Second
	}
	if cfg.Size <= 0 {
		cfg.Size = 10_000
	}
	return &Authenticator{source: source, now: now, cfg: cfg, cache: map[tenure.ID]cached{}}
}

// Authenticate returns the caller that a key belongs to. A malformed, unknown, wrong or revoked key is
// Unauthenticated, always with the same message; if the source fails, its error is returned.
func (a *Authenticator) Authenticate(ctx context.Context, key string) (tenure.Caller, error) {
	id, secret, ok := parse(key)
	if !ok {
		return tenure.Caller{}, denied()
	}
	c, err := a.credential(ctx, id)
	switch {
	case tenure.CodeOf(err) == tenure.NotFound:
		return tenure.Caller{}, denied()
	case err != nil:
		return tenure.Caller{}, err
	case !matches(c, secret), c.RevokedAt != 0:
		return tenure.Caller{}, denied()
	}
	return c.Caller(), nil
}

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
