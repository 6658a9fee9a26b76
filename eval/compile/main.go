// Command compile measures how well a compiled context fits its question: on worlds of claims and documents with
// distractors, in questions that mostly name nothing (eval/compile/worlds). It prints precision and recall of the
// context at several budgets, by words and with vectors, beside those of plain search by words and by vectors; what was
// in a context and must not be; and how stable the prefix is.
//
//	go run ./eval/compile [--engine sqlite|neo4j|both] [--set developed|documents|unseen|all] [--json FILE] [--show]
//	                      [--system TEXT]
//
// The unseen set was written by others than the compiler, who had read the README alone, and nothing is chosen by it.
// Half of the questions of the set "documents" are about what only a document says.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"tenure/encode/minilm"
	"tenure/internal/measure"
	"tenure/internal/run"
)

type options struct {
	engine, set, json, system string
	show                      bool
}

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "both", "sqlite, neo4j or both")
	flag.StringVar(&o.set, "set", "all", "developed, documents, unseen, several of them with commas between, or all")
	flag.StringVar(&o.json, "json", "", "write every context to this file")
	flag.StringVar(&o.system, "system", "", "measure only the systems with this in their names")
	flag.BoolVar(&o.show, "show", false, "list what is missing and what is too much, but of the unseen set")
	flag.Parse()
	run.Main("compile", func(ctx context.Context) error { return evaluate(ctx, o) })
}

func evaluate(ctx context.Context, o options) error {
	sets := []string{"developed", "documents", "unseen"}
	if o.set != "all" {
		sets = strings.Split(o.set, ",")
	}
	weights, err := weightsOf(ctx)
	if err != nil {
		return err
	}
	encoder, err := minilm.Open(weights)
	if err != nil {
		return err
	}
	var all []answer
	for _, s := range []struct {
		systems []system
		flags   []string
	}{{byWords, nil}, {byVectors(encoder), []string{"--embedder", "local", "--weights", weights}}} {
		systems := slices.DeleteFunc(s.systems, func(s system) bool { return !strings.Contains(s.name, o.system) })
		if len(systems) == 0 {
			continue
		}
		err := run.OnEngines(ctx, "compile", o.engine, func(p run.Place) error {
			answers, err := measureAll(ctx, p, sets, systems)
			all = append(all, answers...)
			return err
		}, s.flags...)
		if err != nil {
			return err
		}
	}
	report(os.Stdout, all, o.show)
	return run.WriteJSON(o.json, all)
}

// weightsOf returns the folder of the weights of the local encoder, which are fetched where they are missing.
func weightsOf(ctx context.Context) (string, error) {
	c := exec.CommandContext(ctx, "scripts/weights")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("scripts/weights: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// measureAll asks the questions of sets of worlds.
func measureAll(ctx context.Context, p run.Place, sets []string, systems []system) (all []answer, err error) {
	for _, set := range sets {
		list, err := worldsOf(set)
		if err != nil {
			return nil, err
		}
		for _, w := range list {
			answers, err := measureWorld(ctx, p, w, systems)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", w.Name, err)
			}
			all = append(all, answers...)
		}
	}
	return all, nil
}

// measureWorld tells a world to a new tenant and asks its questions.
func measureWorld(ctx context.Context, p run.Place, w *world, systems []system) ([]answer, error) {
	t := &teller{ctx: ctx, clients: map[string]*measure.Client{}}
	tenant := fmt.Sprintf("%s-%x", strings.ToLower(w.Name), time.Now().UnixMicro())
	for _, clearance := range []string{"", "public", "restricted", "confidential", "highly_restricted"} {
		flags := []string{"--clearance", clearance}
		if clearance == "" {
			flags = nil // to write with
		}
		key, err := p.Binary.Key(ctx, p.Store, tenant, flags...)
		if err != nil {
			return nil, err
		}
		if t.clients[clearance], err = measure.NewClient(p.Server.URL, key); err != nil {
			return nil, err
		}
	}
	if err := t.tell(w); err != nil {
		return nil, err
	}
	var all []answer
	for _, q := range w.Questions {
		for _, s := range systems {
			a, err := s.ask(t, w, q)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q.ID, err)
			}
			a.Engine, a.Set, a.World, a.System, a.Question = p.Engine, w.Set, w.Name, s.name, q
			a.judge(q)
			if err := t.explain(w, q, &a); err != nil {
				return nil, fmt.Errorf("%s: %w", q.ID, err)
			}
			all = append(all, a)
		}
	}
	return all, nil
}
