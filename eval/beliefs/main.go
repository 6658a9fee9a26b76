// Command beliefs measures which beliefs the service lets a model see. It starts
// the server on each engine, has the referees of the belief data use the server as
// their memory over REST (driver.py), and prints the scores next to those of the
// referees' own drivers, then whether the floors are met.
//
//	go run ./eval/beliefs [--engine sqlite|neo4j|both] [--importer plain|reading|both] [--without RULE,...]
//	    [--data DIR] [--sample N] [--rows PREFIX] [--digests]
//
// The plain importer hands the data over as given; the reading one first turns what it reads in texts and names of keys
// into fields. Needs python3, and for Neo4j what scripts/neo4j needs. A Neo4j that is not ours (NEO4J_URI) keeps the
// tenants of the evaluation.
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
	"slices"
	"strconv"
	"strings"
	"syscall"

	"tenure/internal/run"
)

type options struct {
	engine, importer, without string
	data, rows                string
	sample, workers           int
	digests                   bool
}

// The importers.
const (
	plain   = "plain"
	reading = "reading"
)

// errFloor reports that every run completed, but a floor was missed.
var errFloor = errors.New("a floor is not met")

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "both", "sqlite, neo4j or both")
	flag.StringVar(&o.importer, "importer", "both", "plain, reading or both")
	flag.StringVar(&o.without, "without", "", "rules that the reading importer does without, separated by commas")
	flag.StringVar(&o.data, "data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"),
		"folder of the data sets; the referees are in eval/ beside it")
	flag.IntVar(&o.sample, "sample", 0,
		"only the first N timelines of each track and file; floors on scores are not judged")
	flag.IntVar(&o.workers, "workers", 4, "timelines at once")
	flag.StringVar(&o.rows, "rows", "", "write every question with its context to PREFIX-ENGINE-IMPORTER.jsonl")
	flag.BoolVar(&o.digests, "digests", false,
		"compare every answer between the engines, byte for byte but for ids and clock")
	flag.Parse()
	run.Main("beliefs", func(ctx context.Context) error { return evaluate(ctx, o) })
}

func evaluate(ctx context.Context, o options) error {
	importers, err := chosen(o)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tenure-beliefs-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w := workshop{options: o, importers: importers, dir: dir}
	if err := w.settle(ctx); err != nil {
		return err
	}
	var base baselines
	if err := w.python(ctx, nil, &base, "run.py", "baselines"); err != nil {
		return err
	}
	var runs []result
	err = run.OnEngines(ctx, "beliefs", o.engine, func(p run.Place) error {
		results, err := w.measure(ctx, p)
		runs = append(runs, results...)
		return err
	})
	if err != nil {
		return err
	}
	report(os.Stdout, base, runs)
	met := judgeFloors(os.Stdout, runs, o.sample > 0 || o.without != "")
	if o.digests {
		for _, importer := range importers {
			same, err := digests(os.Stdout, by(runs, importer))
			if err != nil {
				return err
			}
			met = met && same
		}
	}
	if !met {
		return errFloor
	}
	return nil
}

// chosen returns the importers that the options name.
func chosen(o options) ([]string, error) {
	if o.digests && o.engine != "both" {
		return nil, errors.New("--digests compares two engines: it needs --engine both")
	}
	switch o.importer {
	case "both":
		return []string{plain, reading}, nil
	case plain, reading:
		return []string{o.importer}, nil
	}
	return nil, fmt.Errorf("--importer %q is neither plain nor reading nor both", o.importer)
}

// by returns the runs with an importer.
func by(runs []result, importer string) []result {
	return slices.DeleteFunc(slices.Clone(runs), func(r result) bool { return r.Importer != importer })
}

// workshop holds what the runs share: the options, an output folder, and paths.
type workshop struct {
	options
	importers []string
	dir       string
	root      string // of the module
}

// settle locates the folders and checks the importer's examples.
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
	return w.script(ctx, nil, "-m", "unittest", "-q", "importer_test")
}

// python runs a command of run.py and decodes its output.
func (w *workshop) python(ctx context.Context, env []string, into any, args ...string) error {
	out := filepath.Join(w.dir, "result.json")
	args = append(args, "--referees", filepath.Join(filepath.Dir(w.data), "eval"), "--data",
		filepath.Join(w.data, "beliefs"),
		"--out", out, "--workers", strconv.Itoa(w.workers))
	if w.sample > 0 {
		args = append(args, "--sample", strconv.Itoa(w.sample))
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
