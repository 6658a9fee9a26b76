package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/internal/run"
	"tenure/store"
	"tenure/store/neo4j"
	"tenure/store/sqlite"
)

// engine is a store to measure: open returns its --store address, the store itself, and a cleanup function.
type engine struct {
	name string
	open func(ctx context.Context, w *workshop) (address string, s store.Store, end func(), err error)
}

// tenants is the maximum number of tenants for the belief data: one for each timeline, and a few for each
// scenario of memorycheck.
const tenants = 1500

func sqliteStore(ctx context.Context, w *workshop) (string, store.Store, func(), error) {
	path := filepath.Join(w.dir, "beliefs.db")
	s, err := sqlite.Open(ctx, path, sqlite.Config{Now: time.Now})
	if err != nil {
		return "", nil, nil, err
	}
	return "sqlite:" + path, s, func() {}, nil
}

// neo4jStore uses the server at NEO4J_URI, or starts one.
func neo4jStore(ctx context.Context, _ *workshop) (string, store.Store, func(), error) {
	db, err := run.OpenNeo4j(ctx, "beliefs")
	if err != nil {
		return "", nil, nil, err
	}
	s, err := neo4j.Open(ctx, db.URI, neo4j.Config{
		Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD"), Now: time.Now,
	})
	if err != nil {
		db.Close()
		return "", nil, nil, err
	}
	return db.URI, s, db.Close, nil
}

// measure runs the referees against a server on the engine.
func (w *workshop) measure(ctx context.Context, e engine) (result, error) {
	address, s, end, err := e.open(ctx, w)
	if err != nil {
		return result{}, err
	}
	defer end()
	keys, err := issue(ctx, s)
	if err := errors.Join(err, s.Close()); err != nil {
		return result{}, err
	}
	keyFile := filepath.Join(w.dir, e.name+"-keys.json")
	if err := writeJSON(keyFile, keys); err != nil {
		return result{}, err
	}
	server, err := w.server.Start(ctx, address)
	if err != nil {
		return result{}, err
	}
	args := []string{"run.py", "service"}
	stream := ""
	if w.digests {
		stream = filepath.Join(w.dir, e.name+"-answers")
		args = append(args, "--stream", stream)
	}
	r := result{Stream: stream}
	err = w.python(ctx, []string{"TENURE_URL=" + server.URL, "TENURE_KEYS=" + keyFile}, &r, args...)
	if stopped := server.Stop(); err == nil && stopped != nil {
		err = fmt.Errorf("stopping the server: %w", stopped)
	}
	if err != nil {
		return r, fmt.Errorf("%w\n%s", err, server.Log())
	}
	r.Log = server.Log()
	return r, nil
}

// issue creates keys, each for a fresh tenant. A key may state the identities of others, as that of an
// application which serves people.
func issue(ctx context.Context, s store.Store) ([]string, error) {
	var run [6]byte
	if _, err := rand.Read(run[:]); err != nil {
		return nil, err
	}
	keys, faults := make([]string, tenants), make([]error, tenants)
	var all sync.WaitGroup
	const atOnce = 16
	for first := range atOnce {
		all.Go(func() {
			for i := first; i < tenants; i += atOnce {
				keys[i], faults[i] = key(ctx, s, fmt.Sprintf("beliefs-%x-%04d", run, i))
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

func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}
