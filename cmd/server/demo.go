package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tenure"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/store"
	"tenure/store/sqlite"
)

type demoCmd struct {
	Store string `placeholder:"STORE" env:"TENURE_DEMO_STORE" help:"Tell the story to this store, neo4j://HOST:7687 or bolt://HOST:7687, in a tenant of its own that stays there. Default: a file that is removed at the end."`
	neo4jFlags

	Listen string `default:"127.0.0.1:8080" env:"TENURE_DEMO_LISTEN" help:"Address to listen on, of this machine only. If the port is in use, a free one is taken."`
	Once   bool   `env:"TENURE_DEMO_ONCE" help:"Exit after the calls have been shown, instead of serving on."`
}

// demoGrace bounds how long a stopping demo waits for requests in progress.
const demoGrace = 5 * time.Second

// Run serves a temporary folder, or a Neo4j, posts a story to the server, prints how to query it, and serves until the
// context ends. At the end it removes the folder and revokes the key.
func (c *demoCmd) Run(w *world) error {
	if err := loopback(c.Listen); err != nil {
		return err
	}
	// A closed output pipe would kill the process by signal and leave the folder behind.
	signal.Ignore(syscall.SIGPIPE)
	defer signal.Reset(syscall.SIGPIPE)
	dir, err := os.MkdirTemp("", "tenure-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, tenant, err := c.open(w, dir)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	x, err := index.Open(filepath.Join(dir, "index"), index.Config{})
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	issued, err := demoKey(w, s, tenant)
	if err != nil {
		return err
	}
	key := issued.Key
	defer func() {
		// of a file that is gone, too
		_ = keysOf(w, s).RevokeKey(context.WithoutCancel(w.ctx), service.Operator(tenant, operator), issued.Credential.ID)
	}()
	if c.Store != "" {
		fmt.Fprintf(w.out, "In Neo4j Browser, first say: :param tenant => '%s'\n\n", tenant)
	}
	err = c.serve(w, s, x, c.Listen, key)
	if errors.Is(err, syscall.EADDRINUSE) {
		host, _, _ := net.SplitHostPort(c.Listen)
		fmt.Fprintf(w.errOut, "%s is taken; looking for a free port\n", c.Listen)
		err = c.serve(w, s, x, net.JoinHostPort(host, "0"), key)
	}
	return err
}

// loopback returns an error for an address that other machines reach, since the demo prints its key.
func loopback(listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen %q is not HOST:PORT: %w", listen, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && !ip.IsLoopback() {
		return fmt.Errorf("--listen %q can be reached by others; the demo listens on this machine only, such as 127.0.0.1:8080", listen)
	}
	return nil
}

// open opens the store and returns the tenant that the story is told to: a new one in a store that has others.
func (c *demoCmd) open(w *world, dir string) (store.Store, string, error) {
	if c.Store == "" {
		s, err := sqlite.Open(w.ctx, filepath.Join(dir, "tenure.db"), sqlite.Config{Now: w.now})
		return s, "demo", err
	}
	if !isNeo4j(c.Store) {
		return nil, "", fmt.Errorf("--store %q is neither neo4j://HOST:PORT nor bolt://HOST:PORT", c.Store)
	}
	s, err := storeFlags{Store: c.Store, neo4jFlags: c.neo4jFlags}.open(w.ctx, w.now)
	return s, "demo-" + strings.ToLower(rand.Text()[:8]), err
}

// demoKey makes the key of the story, which quotes developer rules: it may state their level.
func demoKey(w *world, s store.Store, tenant string) (service.IssuedKey, error) {
	developer := 1
	return keysOf(w, s).CreateKey(w.ctx, service.Operator(tenant, "demo"), service.KeyRequest{
		Label: "demo", Roles: tenure.Roles, Clearance: tenure.HighlyRestricted, ActFor: true,
		MaxAuthority: &developer,
	})
}

// end says what becomes of the story.
func (c *demoCmd) end() string {
	if c.Store == "" {
		return "everything is removed"
	}
	return "the key is revoked, and the story stays in the graph"
}

func (c *demoCmd) serve(w *world, s store.Store, x *index.Index, listen, key string) error {
	ctx, stop := context.WithCancel(w.ctx)
	defer stop()
	inner := *w
	inner.ctx = ctx
	cursors, err := cursorKey("", "")
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(w.errOut, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var told error
	err = serve(&inner, s, service.Config{Now: w.now, Logger: logger, Index: x}, serving.Options{CursorKey: cursors},
		listening{listen, connections(0), demoGrace, nil}, func(url string) {
			out := bufio.NewWriter(w.out)
			told = errors.Join(tell(ctx, out, url, key), out.Flush())
			switch {
			case told != nil && w.ctx.Err() != nil:
				told = nil // interrupted
			case told != nil || c.Once:
				stop()
			default:
				fmt.Fprintf(w.out, "\nServing at %s until Ctrl-C; then %s.\n", url, c.end())
			}
		})
	return errors.Join(told, err)
}
