// Command agents measures what a first agent gets out of the service by its defaults: each agent tells some thirty
// plain statements, whose triples were made by hand, and asks some ten questions. It knows its entities and their
// types, and nothing else: no vocabulary, no alias, no named supersession. Every agent runs with its statements 20
// seconds apart and a day apart, each time in a tenant of its own.
//
//	go run ./eval/agents [--engine sqlite|neo4j|both] [--only NAME,...] [--json FILE]
//
// An answer is right when the compiled context of the question has every wanted value and no line that ends in a
// forbidden one. Questions that nothing in their words leads to but a value ("Who is away in July?") are counted
// apart, too. Neo4j is the server at NEO4J_URI, or one that is started for the run.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"tenure/internal/run"
)

type options struct {
	engine string
	only   []string
	json   string
}

// spacing is the time between the statements of an agent.
type spacing struct {
	name  string
	apart time.Duration
}

var spacings = []spacing{{"20 s", 20 * time.Second}, {"a day", 24*time.Hour + 20*time.Second}}

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "both", "sqlite, neo4j or both")
	only := flag.String("only", "", "agents to run, separated by commas")
	flag.StringVar(&o.json, "json", "", "write every answer to this file")
	flag.Parse()
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := evaluate(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(1)
	}
}

func evaluate(ctx context.Context, o options) error {
	agents, err := load(o.only)
	if err != nil {
		return err
	}
	var done []outcome
	err = run.OnEngines(ctx, "agents", o.engine, func(p run.Place) error {
		for _, a := range agents {
			for _, s := range spacings {
				out, err := a.run(ctx, p, s)
				if err != nil {
					return fmt.Errorf("agent %s, %s apart: %w", a.Name, s.name, err)
				}
				showFailures(os.Stdout, out)
				done = append(done, out)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	showTable(os.Stdout, done)
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(done, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, text, 0o600)
}

// load reads the agents, all where none is named.
func load(only []string) ([]agent, error) {
	all, err := agents()
	if err != nil || len(only) == 0 {
		return all, err
	}
	var list []agent
	for _, name := range only {
		i := slices.IndexFunc(all, func(a agent) bool { return a.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no agent %q", name)
		}
		list = append(list, all[i])
	}
	return list, nil
}
