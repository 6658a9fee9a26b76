// Command notes measures how well plain notes are read: short stories of ordinary sentences about a few people and
// things, each told over HTTP in a session of a tenant of its own. It compares the facts that are held at the end with
// those that hold by the story.
//
//	go run ./eval/notes [--engine sqlite|neo4j|both] [--set developed|unseen|all] [--json FILE] [--show]
//
// The unseen set was written by others than the reader of texts, who had read the README alone, and nothing is chosen by
// it.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"tenure/internal/run"
)

type options struct {
	engine, set, json string
	show              bool
}

// story is what is said in one session, and the facts that hold at its end.
type story struct {
	ID    string     `json:"id"`
	Turns []turn     `json:"turns"`
	State []expected `json:"state"`
}

type turn struct {
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
}

// expected is a fact: Property has words of which the name of its property has one, Value is a part of its value.
type expected struct {
	Subject  string   `json:"subject"`
	Property []string `json:"property"`
	Value    string   `json:"value"`
}

//go:embed stories/*.jsonl
var files embed.FS

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "sqlite", "sqlite, neo4j or both")
	flag.StringVar(&o.set, "set", "all", "developed, unseen or all")
	flag.StringVar(&o.json, "json", "", "write what was held of every story to this file")
	flag.BoolVar(&o.show, "show", false, "list what is missing and what is false, but of the unseen set")
	flag.Parse()
	run.Main("notes", func(ctx context.Context) error { return evaluate(ctx, o) })
}

func evaluate(ctx context.Context, o options) error {
	sets := []string{"developed", "unseen"}
	if o.set != "all" {
		sets = []string{o.set}
	}
	var all []result
	err := run.OnEngines(ctx, "notes", o.engine, func(p run.Place) error {
		for _, set := range sets {
			list, err := storiesOf(set)
			if err != nil {
				return err
			}
			for _, s := range list {
				r, err := tell(ctx, p, s)
				if err != nil {
					return fmt.Errorf("%s: %w", s.ID, err)
				}
				r.Engine, r.Set = p.Engine, set
				if all = append(all, r); o.show && set != "unseen" {
					r.show(os.Stdout)
				}
			}
		}
		return nil
	}, "--rate-per-key", "0", "--rate-per-tenant", "0")
	if err != nil {
		return err
	}
	report(os.Stdout, all)
	return run.WriteJSON(o.json, all)
}

func storiesOf(set string) (list []story, err error) {
	text, err := files.ReadFile("stories/" + set + ".jsonl")
	if err != nil {
		return nil, fmt.Errorf("--set %s: there is no such set", set)
	}
	for line := range strings.Lines(string(text)) {
		var s story
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			return nil, fmt.Errorf("%s: %w", set, err)
		}
		list = append(list, s)
	}
	return slices.Clip(list), nil
}
