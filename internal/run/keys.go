package run

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/store"
	"tenure/store/neo4j"
	"tenure/store/sqlite"
)

// Keys creates n keys, each of an agent in a fresh tenant of its own, whose names begin with the given one. A key may
// state any authority and the identities of others, as that of an application which serves people.
func (p Place) Keys(ctx context.Context, name string, n int) ([]string, error) {
	s, err := OpenStore(ctx, p.Store)
	if err != nil {
		return nil, err
	}
	keys, err := issue(ctx, s, name, n)
	return keys, errors.Join(err, s.Close())
}

// OpenStore opens the store at an address, as the server does.
func OpenStore(ctx context.Context, address string) (store.Store, error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		return sqlite.Open(ctx, path, sqlite.Config{Now: time.Now})
	}
	return neo4j.Open(ctx, address, neo4j.Config{
		Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD"), Now: time.Now,
	})
}

func issue(ctx context.Context, s store.Store, name string, n int) ([]string, error) {
	keys, faults := make([]string, n), make([]error, n)
	began := time.Now().UnixMicro()
	var all sync.WaitGroup
	const atOnce = 16
	for first := range min(atOnce, n) {
		all.Go(func() {
			for i := first; i < n; i += atOnce {
				keys[i], faults[i] = key(ctx, s, fmt.Sprintf("%s-%x-%04d", name, began, i))
			}
		})
	}
	all.Wait()
	return keys, errors.Join(faults...)
}

func key(ctx context.Context, s store.Store, tenant string) (string, error) {
	credential, key, err := auth.Issue(tenure.NewMint(time.Now()), rand.Reader, tenure.Credential{
		Tenant: tenant, Roles: []tenure.Role{tenure.RoleAgent},
		Clearance: tenure.Confidential, MaxAuthority: 0, ActFor: true,
	})
	if err != nil {
		return "", err
	}
	return key, s.PutCredential(ctx, credential)
}
