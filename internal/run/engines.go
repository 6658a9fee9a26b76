package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Place is a server that runs for an evaluation, and where its data are.
type Place struct {
	Engine string // sqlite or neo4j
	Store  string // the address of the store
	Binary Binary
	Server *Server
}

// Engines returns the engines that a flag names: "sqlite", "neo4j" or "both".
func Engines(flag string) ([]string, error) {
	switch flag {
	case "both":
		return []string{"sqlite", "neo4j"}, nil
	case "sqlite", "neo4j":
		return []string{flag}, nil
	}
	return nil, fmt.Errorf("there is no engine %q: sqlite, neo4j or both", flag)
}

// OnEngines builds the server and runs work with a server on each engine that the flag names, one after the other.
// The name is that of the evaluation, the flags those of the server.
func OnEngines(ctx context.Context, name, flag string, work func(Place) error, flags ...string) error {
	engines, err := Engines(flag)
	if err != nil {
		return err
	}
	return WithServer(ctx, name, func(dir string, binary Binary) error {
		for _, engine := range engines {
			if err := onEngine(ctx, Place{Engine: engine, Binary: binary}, name, dir, work, flags); err != nil {
				return fmt.Errorf("%s: %w", engine, err)
			}
		}
		return nil
	})
}

func onEngine(ctx context.Context, p Place, name, dir string, work func(Place) error, flags []string) error {
	p.Store = "sqlite:" + filepath.Join(dir, name+".db")
	if p.Engine == "neo4j" {
		db, err := OpenNeo4j(ctx, name)
		if err != nil {
			return err
		}
		defer db.Close()
		p.Store = db.URI
	}
	if _, err := p.Binary.Key(ctx, p.Store, "main"); err != nil {
		return err
	}
	var err error
	if p.Server, err = p.Binary.Start(ctx, p.Store, flags...); err != nil {
		return err
	}
	return errors.Join(work(p), p.Server.Stop())
}

// Neo4j is a Neo4j server that a program uses. Home is its folder, "" for the server at NEO4J_URI.
type Neo4j struct {
	URI, Home string
	script    func(ctx context.Context, args ...string) (string, error)
}

// OpenNeo4j returns the server at NEO4J_URI. Without one, it starts a server, which Close removes.
func OpenNeo4j(ctx context.Context, name string) (*Neo4j, error) {
	if err := defaults(); err != nil {
		return nil, err
	}
	if uri := os.Getenv("NEO4J_URI"); uri != "" {
		return &Neo4j{URI: uri}, nil
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	return StartNeo4j(ctx, filepath.Join(root, ".neo4j", fmt.Sprintf("%s-%d", name, os.Getpid())))
}

// defaults sets the variables of scripts/neo4j that are not set.
func defaults() error {
	for name, value := range map[string]string{
		"NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": "testpassword", "NEO4J_HEAP": "1g", "NEO4J_PAGECACHE": "1g",
	} {
		if err := os.Setenv(name, cmp.Or(os.Getenv(name), value)); err != nil {
			return err
		}
	}
	return nil
}

// StartNeo4j starts a server whose data are in a folder of their own, which Close removes. Vars are further variables
// of scripts/neo4j, "NAME=value".
func StartNeo4j(ctx context.Context, home string, vars ...string) (*Neo4j, error) {
	if err := defaults(); err != nil {
		return nil, err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	n := &Neo4j{Home: home}
	n.script = func(ctx context.Context, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, filepath.Join(root, "scripts", "neo4j"), args...) //nolint:gosec // our own script
		cmd.Env, cmd.Stderr = append(os.Environ(), vars...), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("scripts/neo4j %s: %w", args[0], err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	fmt.Fprintln(os.Stderr, "starting Neo4j")
	if n.URI, err = n.script(ctx, "start", n.Home); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// Kill ends a server that was started as a crash would.
func (n *Neo4j) Kill(ctx context.Context) error {
	_, err := n.script(ctx, "kill", n.Home)
	return err
}

// Restart starts a server that was killed again, on the port that it had.
func (n *Neo4j) Restart(ctx context.Context) error {
	_, err := n.script(ctx, "start", n.Home, n.URI[strings.LastIndex(n.URI, ":")+1:])
	return err
}

// PID returns the process id of a server that was started.
func (n *Neo4j) PID(ctx context.Context) (int, error) {
	pid, err := n.script(ctx, "pid", n.Home)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(pid)
}

// Close removes a server that was started. What fails is printed.
func (n *Neo4j) Close() {
	if n.Home == "" {
		return
	}
	if _, err := n.script(context.Background(), "remove", n.Home); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
