// Command stories tells little stories about beliefs to the service over HTTP, each in a tenant of its own, and
// checks what a user of the product would expect. It prints each story with the checks that fail, and a table at the
// end.
//
//	go run ./eval/stories [--engine sqlite|neo4j|both] [--only NAME,...] [--json FILE]
//
// A story passes when all its checks do. A failed check is "documented" where the documents promise what happens: a
// gap of the product rather than an error of the code. Neo4j is the server at NEO4J_URI, or one that is started for
// the run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"tenure/internal/run"
)

type options struct {
	engine, only, json string
}

// story is one story: its name, what it is about, and how it is told.
type story struct {
	name, title string
	tell        func(*teller)
}

// outcome is what came of one story on one engine.
type outcome struct {
	Engine string     `json:"engine"`
	Story  string     `json:"story"`
	Title  string     `json:"title"`
	OK     bool       `json:"ok"`
	Error  string     `json:"error,omitempty"` // why it could not be told to its end
	Checks []*check   `json:"checks"`
	Log    []exchange `json:"log"`
}

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "both", "sqlite, neo4j or both")
	flag.StringVar(&o.only, "only", "", "stories to tell, separated by commas")
	flag.StringVar(&o.json, "json", "", "write every check, request and answer to this file")
	flag.Parse()
	run.Main("stories", func(ctx context.Context) error { return evaluate(ctx, o) })
}

func evaluate(ctx context.Context, o options) error {
	list, err := run.Only(stories, func(s story) string { return s.name }, o.only, "story")
	if err != nil {
		return err
	}
	var done []outcome
	err = run.OnEngines(ctx, "stories", o.engine, func(p run.Place) error {
		for _, s := range list {
			out, err := tell(ctx, p, s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			show(os.Stdout, out)
			done = append(done, out)
		}
		return nil
	})
	if err != nil {
		return err
	}
	showTable(os.Stdout, done)
	return run.WriteJSON(o.json, done)
}

// tell tells a story to a new tenant. A story that cannot be told to its end has failed; it is no error of the run.
func tell(ctx context.Context, p run.Place, s story) (outcome, error) {
	out := outcome{Engine: p.Engine, Story: s.name, Title: s.title}
	tenant := strings.ReplaceAll(s.name, "_", "-")
	key, err := p.Binary.Key(ctx, p.Store, fmt.Sprintf("%s-%x", tenant, time.Now().UnixMicro()))
	if err != nil {
		return out, err
	}
	t := &teller{ctx: ctx, url: p.Server.URL, key: key, entities: map[string]string{}}
	out.Error = t.finish(s.tell)
	out.Checks, out.Log = t.checks, t.log
	good, _ := tally(t.checks)
	out.OK = out.Error == "" && good == len(t.checks)
	return out, ctx.Err()
}
