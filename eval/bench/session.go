package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"tenure/internal/measure"
	"tenure/internal/run"
)

// session measures one engine with a store of one size.
type session struct {
	binary run.Binary
	engine engine
	store  string
	size   int
	flags  []string // of the server
	server *run.Server
	client *client
}

func (s *session) run(ctx context.Context, o options, r *report) error {
	tenant := fmt.Sprintf("bench-%d-%d", time.Now().UnixNano(), s.size)
	return s.serve(ctx, tenant, func() error { return s.all(ctx, o, r) }, "--clearance", o.clearance)
}

// serve starts a server and runs work with a client of a new tenant, whose key has the flags.
func (s *session) serve(ctx context.Context, tenant string, work func() error, flags ...string) error {
	key, err := s.binary.Key(ctx, s.store, tenant, flags...)
	if err != nil {
		return err
	}
	if s.server, err = s.binary.Start(ctx, s.store, s.flags...); err != nil {
		return err
	}
	defer func() { _ = s.server.Stop() }()
	if s.client, err = newClient(s.server.URL, key); err != nil {
		return err
	}
	return work()
}

// all runs the benchmarks.
func (s *session) all(ctx context.Context, o options, r *report) error {
	p := place{engine: s.engine.name, size: s.size, note: s.engine.note}
	if s.size > 0 {
		fmt.Fprintf(os.Stderr, "%s: filling with %d beliefs\n", s.engine.name, s.size)
		took, err := measure.Timed(func() error { return s.fill(ctx) })
		if err != nil {
			return fmt.Errorf("filling: %w", err)
		}
		p.filled = float64(s.size) / took.Seconds()
		p.full = s.engine.bytes(s.store)
	}
	for _, b := range benchmarks {
		if len(o.only) > 0 && !slices.Contains(o.only, b.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s with %d beliefs: %s\n", s.engine.name, s.size, b.name)
		m, err := b.run(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		r.add(p, b, m)
		p.rss = max(p.rss, resident(s.server.PID())) // compile-first begins with a new one
	}
	p.engineRSS = s.engine.rss()
	p.bytes = s.engine.bytes(s.store)
	r.places = append(r.places, p)
	return nil
}

// idle waits until the server hardly works: what follows writes, and the first request of a tenant, goes on in the
// background.
func (s *session) idle(ctx context.Context) {
	idleOf(ctx, func() time.Duration { return measure.CPU(s.server.PID()) })
}

// restart shuts the server down and starts it again.
func (s *session) restart(ctx context.Context) error {
	if err := s.server.Stop(); err != nil {
		return err
	}
	next, err := s.binary.Start(ctx, s.store, s.flags...)
	if err != nil {
		return err
	}
	s.server = next
	s.client, err = newClient(next.URL, s.client.Key)
	return err
}

// fill writes observations as one batch.
func (s *session) fill(ctx context.Context) error {
	w := newWorld(uint64(s.size))
	return s.stream(ctx, s.size/filedClaims, w.filed)
}

// stream sends generated observations as lines of one batch.
func (s *session) stream(ctx context.Context, n int, make func(i int) obj) error {
	in, out := io.Pipe()
	go func() {
		b := bufio.NewWriterSize(out, 256<<10)
		for i := range n {
			_, _ = b.Write(append(encode(make(i)), '\n'))
		}
		_ = out.CloseWithError(b.Flush())
	}()
	got, err := s.client.batch(ctx, in)
	_ = in.Close()
	if err == nil && got != n {
		err = fmt.Errorf("%d results for %d lines", got, n)
	}
	return err
}
