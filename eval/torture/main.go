// Command torture plays random faults against the real server on both engines while clients write to it, and checks
// after each that everything that was acknowledged is there exactly once, that the store agrees with itself, and how
// long the server took to be ready again. It exits with 1 if anything was lost, doubled or otherwise wrong, and prints
// the seed that plays the round again.
//
//	go run ./eval/torture [--rounds N] [--seed S] [--engine sqlite|neo4j|both] [--only FAULT,...]
//
// Round i of an engine has the seed S + i, so --seed S --rounds 1 plays one again: the same fault with the same bounds,
// though not at the same moment. Neo4j is always a server of the program's own, since it is killed, too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tenure/internal/measure"
	"tenure/internal/run"
	"tenure/internal/torture"
)

type options struct {
	rounds          int
	seed            uint64
	engine, only    string
	patience, slack time.Duration
}

func main() {
	var names []string
	for _, f := range torture.All {
		names = append(names, f.Name)
	}
	var o options
	flag.IntVar(&o.rounds, "rounds", 100, "rounds on each engine")
	flag.Uint64Var(&o.seed, "seed", 1, "of the first round")
	flag.StringVar(&o.engine, "engine", "both", "sqlite, neo4j or both")
	flag.StringVar(&o.only, "only", "", "faults to play, separated by commas: "+strings.Join(names, ", "))
	flag.DurationVar(&o.patience, "ready", time.Minute, "how long the server may take to be ready")
	flag.DurationVar(&o.slack, "slack", time.Second, "how much longer than --grace the server may take to stop")
	flag.Parse()
	run.Main("torture", func(ctx context.Context) error { return tortureAll(ctx, o) })
}

func tortureAll(ctx context.Context, o options) error {
	faults, err := run.Only(torture.All, func(f torture.Fault) string { return f.Name }, o.only, "fault")
	if err != nil {
		return err
	}
	engines, err := run.Engines(o.engine)
	if err != nil {
		return err
	}
	return run.WithServer(ctx, "torture", func(dir string, binary run.Binary) error {
		var wrong []error
		for _, engine := range engines {
			t := torture.Target{Engine: engine, Binary: binary, Dir: dir, Patience: o.patience, Slack: o.slack}
			if err := onEngine(ctx, t, o, faults); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %w", engine, err))
			}
		}
		return errors.Join(wrong...)
	})
}

func onEngine(ctx context.Context, t torture.Target, o options, faults []torture.Fault) error {
	if t.Engine == torture.Neo4j {
		db, err := run.StartNeo4j(ctx, filepath.Join(t.Dir, "neo4j"))
		if err != nil {
			return err
		}
		defer db.Close()
		t.Own, t.URI, t.Username, t.Password = db, db.URI, os.Getenv("NEO4J_USERNAME"), os.Getenv("NEO4J_PASSWORD")
	}
	if faults = t.Of(faults); len(faults) == 0 {
		return errors.New("it has none of these faults")
	}
	rounds, err := playAll(ctx, t, o, faults)
	bad := 0
	for _, r := range rounds {
		if wrong(r) {
			bad++
		}
	}
	if bad > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d rounds went wrong", bad, len(rounds)))
	}
	return errors.Join(err, torture.Print(os.Stdout, t.Engine, torture.Sum(rounds)))
}

// playAll plays the rounds of an engine. One that is interrupted returns those that were played.
func playAll(ctx context.Context, t torture.Target, o options, faults []torture.Fault) (all []torture.Result, err error) {
	for i := range o.rounds {
		seed := o.seed + uint64(i)
		f := torture.Draw(faults, seed)
		began := time.Now()
		r, err := torture.Play(ctx, t, f, seed)
		if err != nil {
			return all, fmt.Errorf("seed %d: %w", seed, err)
		}
		all = append(all, r)
		fmt.Printf("%s  seed %d  %-16s  %4d writes, %3d sent again, %d lost, %d doubled, ready within %s, %s\n",
			t.Engine, seed, f.Name, r.Acknowledged, r.Again, r.Lost, r.Doubled, shown(measure.Quantile(r.Ready, 1)),
			shown(time.Since(began)))
		if wrong(r) {
			fmt.Printf("  wrong; again with --engine %s --seed %d --rounds 1%s\n", t.Engine, seed, onlyFlag(o.only))
			for _, what := range r.Wrong {
				fmt.Println("  " + strings.ReplaceAll(what, "\n", "\n  "))
			}
		}
	}
	return all, nil
}

// wrong reports whether a round went wrong; here a stop that takes too long counts, too.
func wrong(r torture.Result) bool { return !r.Good() || r.Late > 0 }

func shown(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }

// onlyFlag is what chose among the same faults.
func onlyFlag(only string) string {
	if only == "" {
		return ""
	}
	return " --only " + only
}
