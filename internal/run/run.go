// Package run builds and starts the real server program for tests, evaluations and benchmarks, so that they
// measure what a user sees.
package run

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Binary is a built server program.
type Binary struct{ path string }

// At returns a server program that was built before.
func At(path string) Binary { return Binary{path} }

// sqliteUnwatched exempts the SQLite engine, a C program in Go text whose memory is outside the heap, from the race
// detector, and its packages from pointer checks: neither sees anything there, and both take most of their time there.
// No package with generic code may be exempt from the race detector, since the linker keeps one copy of an
// instantiation for all packages.
var sqliteUnwatched = []string{
	"-gcflags=modernc.org/...=-d=checkptr=0", "-gcflags=modernc.org/sqlite/lib=-race=false -d=checkptr=0",
}

// Build builds cmd/server into dir, with the race detector if race is set.
func Build(ctx context.Context, dir string, race bool) (Binary, error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return Binary{}, err
	}
	b, args := Binary{path: filepath.Join(dir, "tenure-server")}, []string{"build"}
	if race {
		b.path += "-race"
		args = append(append(args, "-race"), sqliteUnwatched...)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", b.path, "./cmd/server")...) //nolint:gosec // our own program
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return Binary{}, fmt.Errorf("go build ./cmd/server: %w\n%s", err, out)
	}
	return b, nil
}

// WithServer builds cmd/server in a temporary folder, and runs work with both. It says on standard error what takes
// so long.
func WithServer(ctx context.Context, name string, work func(dir string, server Binary) error) error {
	dir, err := os.MkdirTemp("", "tenure-"+name+"-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	fmt.Fprintln(os.Stderr, "building the server")
	server, err := Build(ctx, dir, false)
	if err != nil {
		return err
	}
	return work(dir, server)
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return "", errors.New("not inside the module")
	}
	return filepath.Dir(mod), nil
}

// Command runs one of the program's commands to completion and returns its standard output without the last
// newline.
func (b Binary) Command(ctx context.Context, args ...string) (string, error) {
	out, _, err := b.Run(ctx, args...)
	return out, err
}

// Run is like Command and also returns standard error.
func (b Binary) Run(ctx context.Context, args ...string) (out, log string, err error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, b.path, args...) //nolint:gosec // our own program
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), stderr.String(), fmt.Errorf("server %s: %w\n%s", strings.Join(args, " "), err,
			stderr.String())
	}
	return strings.TrimSuffix(stdout.String(), "\n"), stderr.String(), nil
}

// Follow runs one of the program's commands to completion, and calls line with the process id and each line of its
// standard error. The command is killed when the context ends.
func (b Binary) Follow(ctx context.Context, args []string, line func(pid int, text string)) error {
	cmd := exec.CommandContext(ctx, b.path, args...) //nolint:gosec // our own program
	log, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	last := &tail{}
	for lines := bufio.NewScanner(log); lines.Scan(); {
		fmt.Fprintln(last, lines.Text())
		line(cmd.Process.Pid, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("server %s: %w\n%s", strings.Join(args, " "), err, last)
	}
	return nil
}

// Key creates an API key with every role and the highest clearance and authority; flags may override these.
func (b Binary) Key(ctx context.Context, store, tenant string, flags ...string) (string, error) {
	args := []string{
		"keys", "create", "--store", store, "--tenant", tenant, "--roles", "agent,reviewer,analyst,admin",
		"--clearance", "highly_restricted", "--max-authority", "0", "--act-for",
	}
	return b.Command(ctx, append(args, flags...)...)
}

// Server is a running server.
type Server struct {
	URL string

	cmd  *exec.Cmd
	log  *tail
	done chan struct{}
	err  error
}

// Start runs "server serve" on a free port of the loopback address and waits until it listens. The store
// needs a credential: see Key.
func (b Binary) Start(ctx context.Context, store string, flags ...string) (*Server, error) {
	args := append([]string{"serve", "--store", store, "--listen", "127.0.0.1:0", "--log-level", "warn"}, flags...)
	//nolint:gosec // our own program
	s := &Server{cmd: exec.CommandContext(context.WithoutCancel(ctx), b.path, args...), log: &tail{},
		done: make(chan struct{})}
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	url := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		url <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, out)
		s.err = s.cmd.Wait()
		close(s.done)
	}()
	select {
	case s.URL = <-url:
	case <-ctx.Done():
		s.Kill()
		return nil, fmt.Errorf("the server did not listen in time: %w\n%s", ctx.Err(), s.Log())
	}
	if s.URL == "" {
		<-s.done
		return nil, fmt.Errorf("the server ended while starting: %w\n%s", errors.Join(s.err, errors.New("no address")),
			s.Log())
	}
	return s, nil
}

// PID returns the process id of the server.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Kill kills the server, which simulates a crash.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.done
}

// stopping bounds how long a server may take to shut down.
const stopping = 5 * time.Minute

// Stop shuts the server down, and kills it after a timeout.
func (s *Server) Stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
		return s.err
	case <-time.After(stopping):
		s.Kill()
		return fmt.Errorf("the server did not stop within %s", stopping)
	}
}

// Log returns the end of the server's log.
func (s *Server) Log() string { return s.log.String() }

// tail keeps the end of the bytes written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailBytes = 64 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - tailBytes; extra > 0 {
		t.buf = t.buf[extra:]
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
