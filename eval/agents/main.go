// Command agents measures what a first agent gets out of the service by its defaults: each agent tells some thirty
// plain statements, whose triples were made by hand, and asks some ten questions. It knows its entities and their
// types, and nothing else: no vocabulary, no alias, no named supersession. Every agent runs with its statements 20
// seconds apart and a day apart, each time in a tenant of its own.
//
//	go run ./eval/agents [--engine sqlite|neo4j|both] [--api observations|remember] [--only NAME,...] [--json FILE]
//
// With --api remember the statements are told by names (POST /v1/remember), with the same types.
//
// An answer is right when the compiled context of the question has every wanted value and no line that ends in a
// forbidden one. Questions that nothing in their words leads to but a value ("Who is away in July?") are counted
// apart, too. Neo4j is the server at NEO4J_URI, or one that is started for the run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"tenure/internal/run"
)

type options struct {
	engine, api, only, json string
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
	flag.StringVar(&o.api, "api", "observations", "observations or remember: how statements are told")
	flag.StringVar(&o.only, "only", "", "agents to run, separated by commas")
	flag.StringVar(&o.json, "json", "", "write every answer to this file")
	flag.Parse()
	run.Main("agents", func(ctx context.Context) error { return evaluate(ctx, o) })
}

func evaluate(ctx context.Context, o options) error {
	all, err := agents()
	if err != nil {
		return err
	}
	chosen, err := run.Only(all, func(a agent) string { return a.Name }, o.only, "agent")
	if err != nil {
		return err
	}
	tell, ok := roads[o.api]
	if !ok {
		return fmt.Errorf("--api %s is neither observations nor remember", o.api)
	}
	var done []outcome
	err = run.OnEngines(ctx, "agents", o.engine, func(p run.Place) error {
		for _, a := range chosen {
			for _, s := range spacings {
				out, err := a.run(ctx, p, s, tell)
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
	return run.WriteJSON(o.json, done)
}
