// Command talk measures what the service understands of plain talk. It tells each conversation to a tenant of its own,
// what is known as claims and what is said as text alone, asks the questions by POST /v1/compile, and scores the
// contexts beside those of systems that only keep lines.
//
//	go run ./eval/talk [--engine sqlite|neo4j|both] [--half odd|even] [--limit N] [--failures N] [--json FILE] [FILE ...]
//
// Without files it runs talk and the forgetting cases of the belief data, and our own paraphrases (paraphrases/).
// A context is right when it has every value that it must have, and none that nobody holds; README.md of the belief data
// has the format and the rule (v2). A wrong one is empty, or clean with something missing, or complete with what nobody
// holds beside it, or stale: neither. Of the unseen half of the paraphrases only totals are shown, unless --open is set.
// The server listens to nothing but the turns: no act, aim, register or writer is sent. Neo4j is the server at
// NEO4J_URI, or one that is started for the run.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"tenure/internal/run"
)

type options struct {
	engine, data, half, json string
	limit, failures          int
	open                     bool
}

// errFloor reports that every run completed, but a floor was missed.
var errFloor = errors.New("a floor is not met")

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "both", "sqlite, neo4j, both, or none for the baselines alone")
	flag.StringVar(&o.data, "data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"), "folder of the data sets")
	flag.StringVar(&o.half, "half", "", "odd or even: every other conversation, or slot where conversations have one")
	flag.IntVar(&o.limit, "limit", 0, "only the first N conversations of each set")
	flag.IntVar(&o.failures, "failures", 0, "show so many wrong answers of each set")
	flag.StringVar(&o.json, "json", "", "write every answer to this file")
	flag.BoolVar(&o.open, "open", false, "show splits and wrong answers of the unseen half too")
	flag.Parse()
	run.Main("talk", func(ctx context.Context) error { return evaluate(ctx, o, flag.Args()) })
}

func evaluate(ctx context.Context, o options, files []string) error {
	list, err := sets(o, files)
	if err != nil {
		return err
	}
	if o.engine == "none" {
		for _, s := range list {
			rows, err := keepers(ctx, s)
			if err != nil {
				return err
			}
			showTotals(os.Stdout, s, rows)
		}
		return nil
	}
	met, written := true, []row{}
	err = run.OnEngines(ctx, "talk", o.engine, func(p run.Place) error {
		done, ok, err := measureOn(ctx, o, p, list)
		met = met && ok
		for _, s := range done {
			written = append(written, rowsOf(s)...)
		}
		return err
	})
	if err := errors.Join(err, run.WriteJSON(o.json, written)); err != nil {
		return err
	}
	if !met {
		return errFloor
	}
	return nil
}

// keepers scores the baselines.
func keepers(ctx context.Context, s set) ([]scored, error) {
	var rows []scored
	for _, b := range baselines() {
		got, err := answers(ctx, b, s.list)
		if err != nil {
			return nil, err
		}
		rows = append(rows, scored{s, b.name, got})
	}
	return rows, nil
}

// measureOn scores a server on every set, prints what it reached, and reports whether the floors are met.
func measureOn(ctx context.Context, o options, p run.Place, list []set) (done []scored, met bool, err error) {
	conversations := 0
	for _, s := range list {
		conversations += len(s.list)
	}
	server, err := newService(ctx, p, conversations)
	if err != nil {
		return nil, false, err
	}
	for _, s := range list {
		rows, err := keepers(ctx, s)
		if err != nil {
			return nil, false, err
		}
		got, err := answers(ctx, server, s.list)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", s.name, err)
		}
		one := scored{s, p.Engine, got}
		showTotals(os.Stdout, s, append(rows, one))
		if !s.closed {
			showSplits(os.Stdout, one)
			showCauses(os.Stdout, one)
			showFailures(os.Stdout, one, o.failures)
		}
		done = append(done, one)
	}
	showTimes(os.Stdout, p.Engine, server)
	showCalibration(os.Stdout, p.Engine, server.took)
	whole := o.half == "" && o.limit == 0
	var judged []scored
	if whole {
		judged = done
	}
	return done, judgeFloors(os.Stdout, p.Engine, judged, server.failed), nil
}

// row is an answer as it is written to a file.
type row struct {
	Set      string   `json:"set"`
	System   string   `json:"system"`
	ID       string   `json:"id"`
	Aim      string   `json:"aim"`
	Act      string   `json:"act"`
	Question string   `json:"question"`
	Must     []string `json:"must"`
	MustNot  []string `json:"must_not"`
	Got      []string `json:"got"`
	Wrong    []string `json:"wrong"`
	Right    bool     `json:"right"`
	Fault    string   `json:"fault,omitempty"`
	Cause    string   `json:"cause,omitempty"`
	Context  string   `json:"context"`
}

// rowsOf returns the answers to a set that is not closed.
func rowsOf(s scored) []row {
	if s.set.closed {
		return nil
	}
	var rows []row
	for _, a := range s.answers {
		rows = append(rows, row{
			Set: s.set.name, System: s.system, ID: a.Conversation.ID, Aim: a.Aim, Act: a.Act, Question: a.Question,
			Must: a.Must, MustNot: a.MustNot, Got: a.Got, Wrong: a.Bad, Right: a.right(),
			Fault: a.fault(), Cause: a.cause(), Context: a.Context,
		})
	}
	return rows
}
