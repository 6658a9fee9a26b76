package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// fate is the outcome of a mutant.
type fate int

const (
	survived fate = iota
	killedByPackage
	killedByE2E
	killedByTime
	refused // by the compiler
)

// trial is a mutant with the text of its file.
type trial struct {
	mutant
	text []byte
}

// outcome is a finished trial.
type outcome struct {
	mutant
	fate    fate
	reached bool // a test other than the end-to-end tests runs the code
	err     error
}

// tester runs tests over mutants. Unless a build cache is named, it has one of its own, since thousands of single-use
// builds would fill the user's cache.
type tester struct {
	root  string // of the module, where tests run
	dir   string // for temporary files, removed at the end
	cache string
	e2e   func(ctx context.Context) (baseline, error) // runs once
}

// baseline is a run of tests over the unchanged code.
type baseline struct {
	args   []string // of go test
	limit  time.Duration
	blocks map[string][]block // by file, relative to the module
}

// block is a range of a file in a coverage profile.
type block struct {
	fromLine, fromCol, toLine, toCol int
	reached                          bool
}

func newTester(root, e2e, cache string) (*tester, error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	if cache == "" {
		cache = filepath.Join(dir, "cache")
	}
	t := &tester{root: root, dir: dir, cache: cache}
	if args := strings.Fields(e2e); len(args) > 0 {
		var once sync.Once
		var b baseline
		t.e2e = func(ctx context.Context) (baseline, error) {
			once.Do(func() { b, err = t.measure(ctx, args) })
			return b, err
		}
	}
	return t, nil
}

func (t *tester) close() { _ = os.RemoveAll(t.dir) }

// baseline runs tests, which must pass on the unchanged package, and records the code that they cover.
func (t *tester) baseline(ctx context.Context, p *pkg, args []string) (baseline, error) {
	profile := filepath.Join(t.dir, "cover")
	b, err := t.measure(ctx, args, "-coverpkg="+p.path, "-coverprofile="+profile)
	if err != nil {
		return b, err
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return b, err
	}
	b.blocks, err = readProfile(text, p)
	return b, err
}

const (
	patience      = time.Hour // far longer than any test run takes
	waitForOutput = 10 * time.Second
)

func (t *tester) measure(ctx context.Context, args []string, flags ...string) (baseline, error) {
	b := baseline{args: args, limit: patience}
	out, err := t.goTest(ctx, b, "", flags...)
	if err != nil {
		return b, fmt.Errorf("the tests do not pass without a mutant: %w\n%s", err, out)
	}
	b.limit = limitOf(out)
	return b, nil
}

var elapsed = regexp.MustCompile(`(?m)^ok\s+\S+\s+([0-9.]+)s`)

// limitOf returns the time limit of a run over a mutant, given the output of the run without one. The limit
// is generous, since the machine may have become busier.
func limitOf(out []byte) time.Duration {
	const least = 10 * time.Second
	limit := least
	for _, m := range elapsed.FindAllSubmatch(out, -1) {
		if s, err := strconv.ParseFloat(string(m[1]), 64); err == nil {
			limit += time.Duration(4 * s * float64(time.Second))
		}
	}
	return limit
}

// goTest runs go test, with an overlay of files if one is named.
func (t *tester) goTest(ctx context.Context, b baseline, overlay string, flags ...string) ([]byte, error) {
	const building = 10 * time.Minute // on a busy machine
	ctx, cancel := context.WithTimeout(ctx, b.limit+building)
	defer cancel()
	args := []string{
		"test", "-count=1", "-short", "-vet=off", "-failfast", "-ldflags=-s -w", "-timeout=" + b.limit.String(),
	}
	args = append(args, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, b.args...)...) //nolint:gosec // the tests of this module
	cmd.Dir = t.root
	goflags := os.Getenv("GOFLAGS")
	if overlay != "" {
		goflags += " -overlay=" + overlay // also for programs that a test builds
	}
	cmd.Env = append(os.Environ(), "GOCACHE="+t.cache, "GOFLAGS="+goflags)
	out, err := grouped(cmd)
	return out, errors.Join(err, context.Cause(ctx))
}

// try runs the tests over the trials, up to jobs of them concurrently, and yields outcomes as they arrive. It
// ends early if ctx is done or the iteration stops.
func (t *tester) try(ctx context.Context, runs []baseline, s *schema, trials []trial, jobs int) iter.Seq[outcome] {
	return func(yield func(outcome) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		todo, done := make(chan trial, len(trials)), make(chan outcome, len(trials)) // buffered, so that no sender blocks
		for _, m := range trials {
			todo <- m
		}
		close(todo)
		var workers sync.WaitGroup
		for range jobs {
			workers.Go(func() {
				for m := range todo {
					if o := t.one(ctx, runs, s, m); ctx.Err() == nil {
						done <- o
					}
				}
			})
		}
		go func() {
			workers.Wait()
			close(done)
		}()
		for o := range done {
			if !yield(o) {
				return
			}
		}
	}
}

// one runs tests over a mutant until one fails: the covering tests first, then the end-to-end tests.
func (t *tester) one(ctx context.Context, runs []baseline, s *schema, m trial) outcome {
	o := outcome{mutant: m.mutant}
	overlay, remove, err := t.overlay(map[string][]byte{m.file.abs: m.text})
	if err != nil {
		o.err = err
		return o
	}
	defer remove()
	number := s.numbers[m.mutant]
	for i, b := range runs {
		if !b.reaches(m.mutant) {
			continue
		}
		o.reached = true
		if number > 0 {
			o.fate = fateOf(s.run(ctx, i, b, number))
		} else {
			o.fate = fateOf(t.goTest(ctx, b, overlay))
		}
		if o.fate != survived {
			return o
		}
	}
	if t.e2e == nil {
		return o
	}
	e2e, err := t.e2e(ctx)
	if err != nil {
		o.err = err
		return o
	}
	if o.fate = fateOf(t.goTest(ctx, e2e, overlay)); o.fate == killedByPackage {
		o.fate = killedByE2E
	}
	return o
}

// fateOf returns the fate of a mutant, given the output of its tests.
func fateOf(out []byte, err error) fate {
	switch {
	case err == nil:
		return survived
	case bytes.Contains(out, []byte("[build failed]")):
		return refused
	case errors.Is(err, context.DeadlineExceeded), bytes.Contains(out, []byte("panic: test timed out")):
		return killedByTime
	}
	return killedByPackage
}

// overlay writes texts by the names of the files that they replace, and the overlay file by which the go command builds
// them in place of the originals.
func (t *tester) overlay(texts map[string][]byte) (name string, remove func(), err error) {
	dir, err := os.MkdirTemp(t.dir, "mutant-")
	if err != nil {
		return "", nil, err
	}
	replace := map[string]string{}
	for abs, text := range texts {
		replace[abs] = filepath.Join(dir, filepath.Base(abs))
		err = errors.Join(err, os.WriteFile(replace[abs], text, 0o600))
	}
	name = filepath.Join(dir, "overlay.json")
	list, fault := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err = errors.Join(err, fault); err == nil {
		err = os.WriteFile(name, list, 0o600)
	}
	return name, func() { _ = os.RemoveAll(dir) }, err
}

// readProfile reads the blocks of a coverage profile.
func readProfile(text []byte, p *pkg) (map[string][]block, error) {
	blocks := map[string][]block{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		var b block
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d",
			&b.fromLine, &b.fromCol, &b.toLine, &b.toCol, &statements, &count); err != nil || !ok {
			return nil, fmt.Errorf("no line of a coverage profile: %q", line)
		}
		b.reached = count > 0
		rel := p.dir + strings.TrimPrefix(name, p.path)
		blocks[rel] = append(blocks[rel], b)
	}
	return blocks, nil
}

// reaches reports whether a test covers the code of a mutant. Code outside functions does not appear in a
// profile.
func (b baseline) reaches(m mutant) bool {
	reached, listed := false, false
	for _, s := range b.blocks[m.file.rel] {
		if s.contains(m.line, m.col) {
			listed = true
			reached = reached || s.reached
		}
	}
	return reached || !listed
}

func (s block) contains(line, col int) bool {
	after := line > s.fromLine || line == s.fromLine && col >= s.fromCol
	before := line < s.toLine || line == s.toLine && col < s.toCol
	return after && before
}
