// Command beliefs measures which beliefs the service lets a model see. It starts
// the server on each engine, has the referees of the belief data use the server as
// their memory over REST (driver.py), and prints the scores next to those of the
// referees' own drivers, then whether the floors are met.
//
//	go run ./eval/beliefs [--engine sqlite|neo4j|both] [--data DIR] [--limit N] [--digests]
//
// Needs python3, and for Neo4j what scripts/neo4j needs. A Neo4j that is not
// ours (NEO4J_URI) keeps the tenants of the evaluation.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tenure/internal/run"
)

type options struct {
	engine  string
	data    string
	limit   int
	workers int
	digests bool
}

// errFloor reports that every run completed, but a floor was missed.
var errFloor = errors.New("a floor is not met")

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "both", "sqlite, neo4j or both")
	flag.StringVar(&o.data, "data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"),
		"folder of the data sets; the referees are in eval/ beside it")
	flag.IntVar(&o.limit, "limit", 0, "only the first N timelines of each file; floors on scores are not judged")
	flag.IntVar(&o.workers, "workers", 4, "timelines at once")
	flag.BoolVar(&o.digests, "digests", false,
		"compare every answer between the engines, byte for byte but for ids and clock")
	flag.Parse()
	run.Main("beliefs", func(ctx context.Context) error { return evaluate(ctx, o) })
}

func evaluate(ctx context.Context, o options) error {
	engines, err := chosen(o)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tenure-beliefs-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w := workshop{options: o, dir: dir}
	if err := w.settle(ctx); err != nil {
		return err
	}
	var base baselines
	if err := w.python(ctx, nil, &base, "run.py", "baselines"); err != nil {
		return err
	}
	var runs []result
	for _, e := range engines {
		began := time.Now()
		r, err := w.measure(ctx, e)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		r.Engine, r.Total = e.name, time.Since(began)
		runs = append(runs, r)
	}
	report(os.Stdout, base, runs)
	met := floors(os.Stdout, runs, o.limit > 0)
	if o.digests {
		same, err := digests(os.Stdout, runs)
		if err != nil {
			return err
		}
		met = met && same
	}
	if !met {
		return errFloor
	}
	return nil
}

func chosen(o options) ([]engine, error) {
	all := []engine{{"sqlite", sqliteStore}, {"neo4j", neo4jStore}}
	switch {
	case o.digests && o.engine != "both":
		return nil, errors.New("--digests compares two engines: it needs --engine both")
	case o.engine == "both":
		return all, nil
	}
	for _, e := range all {
		if e.name == o.engine {
			return []engine{e}, nil
		}
	}
	return nil, fmt.Errorf("--engine %q is neither sqlite nor neo4j nor both", o.engine)
}

// workshop holds what the runs share: the options, an output folder, and paths.
type workshop struct {
	options
	dir    string
	root   string // of the module
	server run.Binary
}

// settle locates the folders, checks the importer's examples and builds the server.
func (w *workshop) settle(ctx context.Context) error {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	w.root = strings.TrimSpace(string(root))
	if !filepath.IsAbs(w.data) {
		w.data = filepath.Join(w.root, w.data)
	}
	if _, err := os.Stat(filepath.Join(w.data, "beliefs")); err != nil {
		return fmt.Errorf("no belief data; set TENURE_DATA or --data: %w", err)
	}
	if err := w.script(ctx, nil, "-m", "unittest", "-q", "importer_test"); err != nil {
		return err
	}
	w.server, err = run.Build(ctx, w.dir, false)
	return err
}

// python runs a command of run.py and decodes its output.
func (w *workshop) python(ctx context.Context, env []string, into any, args ...string) error {
	out := filepath.Join(w.dir, "result.json")
	args = append(args, "--referees", filepath.Join(filepath.Dir(w.data), "eval"), "--data",
		filepath.Join(w.data, "beliefs"),
		"--out", out, "--workers", strconv.Itoa(w.workers))
	if w.limit > 0 {
		args = append(args, "--limit", strconv.Itoa(w.limit))
	}
	if err := w.script(ctx, env, args...); err != nil {
		return err
	}
	return readJSON(out, into)
}

func (w *workshop) script(ctx context.Context, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "python3", append([]string{"-B"}, args...)...) //nolint:gosec // our own scripts
	cmd.Dir = filepath.Join(w.root, "eval", "beliefs")
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("python3 %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
