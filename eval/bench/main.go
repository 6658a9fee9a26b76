// Command bench measures the server program as a client sees it: over HTTP, on
// SQLite and on Neo4j, with an empty store and with a full one.
//
//	go run ./eval/bench [--engine sqlite,neo4j] [--sizes 0,500000] [--quick] [--only NAME,NAME] [--clearance restricted]
//	go run ./eval/bench resolve [--names 10000,1000000] [--aliases 1]
//	go run ./eval/bench slot [--engine sqlite,neo4j] [--claims 0,1000,10000]
//	go run ./eval/bench texts [--engine sqlite,neo4j] [--entities 100000]
//	go run ./eval/bench import [--engine sqlite,neo4j] [--rows 100000] [--kill .5]
//	go run ./eval/bench idle [--engine sqlite,neo4j] [--tenants 100,1000,10000] [--program SERVER]
//	go run ./eval/bench load [--engine sqlite,neo4j] [--factors 1,2,5] [--for 20s] [--heavy writes,reads]
//	go run ./eval/bench rows --rows 100000 > rows.jsonl
//
// resolve measures entity resolution over registries of the given sizes, in its
// own process. slot measures what one more claim costs in a slot that has many.
// texts measures observations of texts over a registry of that many entities, and
// the import of a chat log. import measures "server import" by tenths of the rows,
// killed and resumed on the way. idle measures what tenants cost that were in use
// once. load offers multiples of the capacity from one tenant, which writes or reads, and
// measures it and another one that asks for little. rows writes rows of people for "server import", a third of them again with
// slips.
//
// Neo4j is the server at NEO4J_URI (with NEO4J_USERNAME and NEO4J_PASSWORD);
// without one, scripts/neo4j starts a server for this run and removes it again.
// Every run of the program sends the same requests in the same order.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tenure/internal/measure"
	"tenure/internal/run"
)

// quickSize is the size of the full store under --quick.
const quickSize = 20_000

type options struct {
	engines []string
	sizes   []int
	only    []string
	// clearance is that of the key that asks: one that is not cleared for all is answered from what it may see.
	clearance string
}

func main() {
	run.Main("bench", func(ctx context.Context) error { return choose(ctx, os.Args[1:]) })
}

// choose runs the benchmark that the first argument names, by default the server benchmarks.
func choose(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "resolve":
			return benchResolve(ctx, args[1:])
		case "slot":
			return benchSlot(ctx, args[1:])
		case "idle":
			return benchIdle(ctx, args[1:])
		case "load":
			return benchLoad(ctx, args[1:])
		case "quiet": // a part of load
			return beQuiet(ctx, args[1:])
		case "texts":
			return benchTexts(ctx, args[1:])
		case "import":
			return benchImport(ctx, args[1:])
		case "rows":
			return writeRows(args[1:])
		}
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	return run.WithServer(ctx, "bench", func(dir string, server run.Binary) error { return bench(ctx, o, dir, server) })
}

func parse(args []string) (options, error) {
	f := flag.NewFlagSet("bench", flag.ExitOnError)
	engines := f.String("engine", "sqlite,neo4j", "engines to measure")
	sizes := f.String("sizes", "0,500000", "beliefs in the store before measuring")
	quick := f.Bool("quick", false, fmt.Sprintf("sizes 0 and %d", quickSize))
	only := f.String("only", "", "benchmarks to run: "+strings.Join(benchmarkNames(), ", "))
	clearance := f.String("clearance", "highly_restricted", "clearance of the key that asks")
	if err := f.Parse(args); err != nil {
		return options{}, err
	}
	o := options{engines: strings.Split(*engines, ","), clearance: *clearance}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	for _, name := range o.only {
		if !slices.Contains(benchmarkNames(), name) {
			return o, fmt.Errorf("there is no benchmark %q: %s", name, strings.Join(benchmarkNames(), ", "))
		}
	}
	if *quick {
		*sizes = fmt.Sprintf("0,%d", quickSize)
	}
	for _, s := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return o, fmt.Errorf("--sizes: %q is no number of beliefs", s)
		}
		o.sizes = append(o.sizes, n)
	}
	return o, nil
}

func bench(ctx context.Context, o options, dir string, binary run.Binary) error {
	r := report{benchmarks: benchmarks, loads: []string{measure.Load()}}
	for _, name := range o.engines {
		e, err := open(ctx, name, dir)
		if err != nil {
			return err
		}
		err = takeThrough(ctx, binary, e, o, &r)
		e.close()
		if err != nil {
			return err
		}
	}
	r.loads = append(r.loads, measure.Load())
	r.print(os.Stdout)
	return nil
}

// takeThrough measures an engine at each size. A server on a JVM is slow until warmed up, so that a first
// measurement is discarded.
func takeThrough(ctx context.Context, binary run.Binary, e engine, o options, r *report) error {
	if e.jit {
		fmt.Fprintln(os.Stderr, e.name, "warms up")
		s := session{binary: binary, engine: e, store: e.store(0), size: quickSize}
		if err := s.run(ctx, options{only: []string{"observe", "compile", "asof"}, clearance: o.clearance}, &report{}); err != nil {
			return fmt.Errorf("%s warms up: %w", e.name, err)
		}
	}
	for i, size := range o.sizes {
		s := session{binary: binary, engine: e, store: e.store(i), size: size}
		if err := s.run(ctx, o, r); err != nil {
			return fmt.Errorf("%s with %d beliefs: %w", e.name, size, err)
		}
	}
	return nil
}

// engine is a storage engine for a server.
type engine struct {
	name  string
	jit   bool
	store func(i int) string
	bytes func(store string) int64 // on disk; 0 if unknown
	rss   func() int64             // of a separate database server; 0 if there is none
	note  string
	close func()
}

func open(ctx context.Context, name, dir string) (engine, error) {
	switch name {
	case "sqlite":
		return engine{
			name:  name,
			store: func(i int) string { return "sqlite:" + filepath.Join(dir, fmt.Sprintf("bench-%d.db", i)) },
			bytes: func(store string) int64 { return measure.Size(strings.TrimPrefix(store, "sqlite:") + "*") },
			rss:   func() int64 { return 0 },
			note:  "one file for each size",
			close: func() {},
		}, nil
	case "neo4j":
		return openNeo4j(ctx)
	}
	return engine{}, fmt.Errorf("there is no engine %q: sqlite or neo4j", name)
}
