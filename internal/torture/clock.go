package torture

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/store"
	"tenure/store/neo4j"
	"tenure/store/sqlite"
)

// clock is the clock of this machine, put forward or back.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// jumping is a server in this process, with the handler, the index and the store of the program: nobody can set the
// clock of one process alone from outside.
type jumping struct {
	front *httptest.Server
	api   *serving.Server
	index *index.Index
	store store.Store
}

func (r *Round) openStore(ctx context.Context, now func() time.Time) (store.Store, error) {
	if r.Engine == SQLite {
		return sqlite.Open(ctx, r.file(), sqlite.Config{Now: now})
	}
	return neo4j.Open(ctx, r.store, neo4j.Config{Username: r.Username, Password: r.Password, Now: now})
}

// serve starts a server in this process.
func (r *Round) serve(ctx context.Context, now func() time.Time) (*jumping, error) {
	s, err := r.openStore(ctx, now)
	if err != nil {
		return nil, err
	}
	x, err := index.Open(r.index(), index.Config{})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	api, err := serving.HTTP(s, service.Config{Now: now, Index: x},
		serving.Options{CursorKey: make([]byte, 32), Network: time.Now})
	if err != nil {
		return nil, errors.Join(err, x.Close(), s.Close())
	}
	return &jumping{httptest.NewServer(api.Handler), api, x, s}, nil
}

// Stop ends the server.
func (j *jumping) Stop() error {
	j.front.Close()
	j.api.Close()
	return errors.Join(j.index.Close(), j.store.Close())
}

// Kill is Stop: a process does not kill a part of itself.
func (j *jumping) Kill() { _ = j.Stop() }

// Log is empty.
func (j *jumping) Log() string { return "" }

// clockJump puts the clock forward and back by up to some hours, which is less than idempotency keys are kept.
func clockJump(ctx context.Context, r *Round) error {
	c := &clock{}
	j, err := r.serve(ctx, c.now)
	if err != nil {
		return err
	}
	r.place(0, j, j.front.URL)
	if err := r.awaitReady(ctx, 0, time.Now()); err != nil {
		return err
	}
	r.startLoad(ctx, writers, breathing)
	for range 3 + r.random.IntN(4) {
		if err := r.some(ctx); err != nil {
			return err
		}
		c.ahead.Store(int64(r.between(-6*time.Hour, 6*time.Hour)))
		if err := r.awaitReady(ctx, 0, time.Now()); err != nil {
			return err
		}
	}
	if err := r.some(ctx); err != nil {
		return err
	}
	c.ahead.Store(0)
	if err := r.some(ctx); err != nil {
		return err
	}
	a, err := r.ask(ctx, r.url(), http.MethodGet, "/metrics", "", nil)
	if err != nil || !strings.Contains(string(a.body), "tenure_clock_jumps_total") {
		r.wrong("the metrics count no jumps of the clock: %v", err)
	}
	return nil
}
