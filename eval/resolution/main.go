// Command resolution measures entity resolution over HTTP: it runs the
// entity-resolution data sets against a freshly built server on each engine, has
// the referee score the answers, and prints the figures next to those of the best
// peers and the floors.
//
//	go run ./eval/resolution [--engines sqlite,neo4j] [--sets a,b] [--limit N] [--errors N] [--keep DIR]
//
// Needs python3. Neo4j is the server at NEO4J_URI (with NEO4J_USERNAME and
// NEO4J_PASSWORD), which keeps the tenants of the evaluation; without one,
// scripts/neo4j starts a server for this run and removes it again.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenure/internal/run"
)

type options struct {
	engines []string
	sets    []string
	data    string
	referee string
	keep    string
	limit   int
	errors  int
}

// errFloor reports that every run completed, but a floor was missed.
var errFloor = errors.New("a floor is not met")

func main() {
	run.Main("resolution", func(ctx context.Context) error {
		o, err := parseFlags(os.Args[1:])
		if err != nil {
			return err
		}
		return run.WithServer(ctx, "resolution", func(dir string, server run.Binary) error {
			return evaluate(ctx, o, dir, server)
		})
	})
}

func parseFlags(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("resolution", flag.ExitOnError)
	engines := f.String("engines", "sqlite,neo4j", "engines to measure")
	names := f.String("sets", "", "sets to run: "+strings.Join(setNames(), ", "))
	f.StringVar(&o.data, "data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"), "folder of the data sets")
	f.StringVar(&o.referee, "referee", "", "the referee's program (default eval/er_score.py beside the data)")
	f.StringVar(&o.keep, "keep", "", "keep the predictions in this folder")
	f.IntVar(&o.limit, "limit", 0, "only the first N rows of each set; floors on scores are not judged")
	f.IntVar(&o.errors, "errors", 0, "print the referee's N worst errors of each set")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.engines = strings.Split(*engines, ",")
	o.referee = cmp.Or(o.referee, filepath.Join(filepath.Dir(o.data), "eval", "er_score.py"))
	if *names != "" {
		o.sets = strings.Split(*names, ",")
	}
	for _, name := range o.sets {
		if !slices.Contains(setNames(), name) {
			return o, fmt.Errorf("there is no set %q: %s", name, strings.Join(setNames(), ", "))
		}
	}
	_, err := os.Stat(o.referee)
	return o, err
}

func setNames() (list []string) {
	for _, s := range sets() {
		list = append(list, s.name)
	}
	return list
}

func evaluate(ctx context.Context, o options, dir string, binary run.Binary) error {
	met := true
	for _, name := range o.engines {
		e, err := open(ctx, name, dir)
		if err != nil {
			return err
		}
		w := workshop{options: o, dir: dir, binary: binary, engine: e}
		results, err := w.measure(ctx)
		e.close()
		met = show(os.Stdout, e, results, o.limit > 0) && met
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if !met {
		return errFloor
	}
	return nil
}
