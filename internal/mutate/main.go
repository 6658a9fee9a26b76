// Mutate measures how well tests hold the code: it changes one place of a package at a time (a mutant), runs the
// tests, and reports which changes no test noticed.
//
// In: packages of this module, and a plan. Out: for each package the survivors with file, line and change, and the
// share of mutants that the tests killed.
//
//	go run ./internal/mutate [--sample N] [--seed S] [--jobs N] [--e2e ARGS] [--only PLACES] [--cache DIR] [PACKAGE...]
//
// The plan, mutate.json, names the packages that are mutated when none is given, whose tests hold them beside their
// own, and the equivalents: mutants that are known to change nothing a caller can see, each with its reason.
//
// A mutant is first compiled in memory: a change that does not compile is no mutant, and is not counted. One
// test binary holds all mutants of the functions of a package, see [schema]; the others are built one by one.
// Then the tests of the package run, if they reach the changed code, then those that the plan adds; with
// --e2e, those end to end run over what is left. A run that takes many times as long as without the mutant is
// ended, and counts as killed.
//
// The rule that lives here is which changes are worth trying: see the finder.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

// options holds the flags of the command.
type options struct {
	sample int
	seed   uint64
	jobs   int
	e2e    string
	only   string
	cache  string
	plan   string
}

func main() {
	var o options
	flag.IntVar(&o.sample, "sample", 0, "try N mutants a package, drawn at random; 0 tries all")
	flag.Uint64Var(&o.seed, "seed", 1, "draw the same sample again")
	flag.IntVar(&o.jobs, "jobs", max(1, runtime.NumCPU()/2), "mutants at once")
	flag.StringVar(&o.e2e, "e2e", "", "arguments of go test that run what survived its package, for example \"./e2e\"")
	flag.StringVar(&o.only, "only", "",
		"mutate only these files, by their base names, or lines, as in score.go:12, separated by commas")
	flag.StringVar(&o.cache, "cache", "", "build in this cache and keep it; a new one is built and removed without")
	flag.StringVar(&o.plan, "plan", "internal/mutate/mutate.json", "the file of the plan")
	flag.Parse()
	limitMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, patterns []string) error {
	plan, err := readPlan(o.plan)
	if err != nil {
		return err
	}
	if len(patterns) == 0 {
		patterns = plan.patterns()
	}
	packages, err := load(ctx, patterns)
	if err != nil {
		return err
	}
	t, err := newTester(packages[0].root, o.e2e, o.cache)
	if err != nil {
		return err
	}
	defer t.close()
	var all tally
	for _, p := range packages {
		r, err := mutatePackage(ctx, t, p, plan, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.dir, err)
		}
		r.print(os.Stdout)
		all.add(r.tally)
	}
	if len(packages) > 1 {
		fmt.Printf("all: %s\n", all)
	}
	return ctx.Err()
}

// mutatePackage tries the mutants of one package.
func mutatePackage(ctx context.Context, t *tester, p *pkg, plan plan, o options) (result, error) {
	found := p.mutants(places(o.only))
	r := result{dir: p.dir, found: len(found)}
	if o.only == "" {
		r.stale = plan.Equivalents.stale(p.dir, found)
	}
	var runs []baseline
	for _, args := range plan.tests(p.dir) {
		b, err := t.baseline(ctx, p, args)
		if err != nil {
			return r, err
		}
		runs = append(runs, b)
	}
	chosen, refused := choose(p, found, plan.Equivalents, o)
	r.tally = refused
	s, err := t.newSchema(ctx, p, runs, chosen)
	if err != nil {
		return r, err
	}
	for done := range t.try(ctx, runs, s, chosen, o.jobs) {
		if done.err != nil {
			return r, done.err
		}
		r.record(done)
		if done.fate == survived {
			fmt.Fprintln(os.Stderr, "survived:", done)
		}
		if n := r.killed + r.survived; n%20 == 0 {
			fmt.Fprintf(os.Stderr, "%s: %d of %d tried, %d survived\n", p.dir, n, len(chosen), r.survived)
		}
	}
	return r, nil
}

// places splits a list of files and lines; the empty list stands for every file.
func places(list string) map[string]bool {
	if list == "" {
		return nil
	}
	set := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		set[name] = true
	}
	return set
}

// limitMemory bounds the address space of every process started afterwards, since a mutant in an endless
// append would exhaust the machine. On systems without such a limit, only the time limit stops the mutant.
func limitMemory() {
	const most = 8 << 30
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most})
}
