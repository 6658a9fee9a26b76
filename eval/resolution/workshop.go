package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"tenure/internal/erdata"
	"tenure/internal/measure"
	"tenure/internal/run"
)

// workshop runs the sets on one engine.
type workshop struct {
	options
	dir    string // for everything that is written
	binary run.Binary
	engine engine
}

// result is the result of a set: the referee's measures and the cost.
type result struct {
	set    set
	scores map[string]any
	taken  taken
}

// measure returns the results so far even when it returns an error.
func (w *workshop) measure(ctx context.Context) (results []result, err error) {
	var s *service
	defer func() {
		if s != nil {
			_ = s.server.Stop()
		}
	}()
	for _, x := range sets() {
		if len(w.sets) > 0 && !slices.Contains(w.sets, x.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", w.engine.name, x.name)
		var t taken
		if s == nil || x.registry == "" || x.registry != s.registry {
			if s != nil {
				_ = s.server.Stop()
			}
			if s, err = start(ctx, w.binary, w.engine, x.name); err != nil {
				return results, err
			}
		}
		scores, err := w.run(ctx, s, x, &t)
		if err != nil {
			return results, fmt.Errorf("%s: %w\n%s", x.name, err, s.server.Log())
		}
		if log := s.server.Log(); log != "" {
			fmt.Fprintf(os.Stderr, "the server logged:\n%s\n", log)
		}
		t.rss, t.peak = measure.Memory(s.server.PID())
		t.load1 = measure.Load()
		results = append(results, result{x, scores, t})
		progress(os.Stderr, results[len(results)-1])
	}
	return results, nil
}

// run queries the service and has the referee score the answers.
func (w *workshop) run(ctx context.Context, s *service, x set, t *taken) (map[string]any, error) {
	er := filepath.Join(w.data, "er")
	if x.kind == scale {
		return measureScale(ctx, s, cmp.Or(w.limit, inventedNames), t)
	}
	raw, gold, err := w.goldOf(er, x)
	if err != nil {
		return nil, err
	}
	if x.registry != "" && s.registry != x.registry {
		if err := loadRegistry(ctx, s, er, x.registry, t); err != nil {
			return nil, err
		}
	}
	switch x.kind {
	case stories:
		rows, err := parse[ordinaryCase](raw)
		if err != nil {
			return nil, err
		}
		return measureOrdinary(ctx, w, s, x, rows, t)
	case orders:
		rows, err := parse[erdata.Record](raw)
		if err != nil {
			return nil, err
		}
		return measureOrders(ctx, w, s, x, rows, t)
	}
	said, err := predict(ctx, s, x, raw, t)
	if err != nil {
		return nil, err
	}
	return w.score(ctx, x, gold, said)
}

// predict asks the service about the rows of a set.
func predict(ctx context.Context, s *service, x set, raw []json.RawMessage, t *taken) ([]prediction, error) {
	if x.kind == pairs {
		rows, err := parse[erdata.Pair](raw)
		if err != nil {
			return nil, err
		}
		return comparePairs(ctx, s, rows, t)
	}
	rows, err := parse[erdata.Record](raw)
	if err != nil {
		return nil, err
	}
	if x.kind == records {
		return clusterRecords(ctx, s, x, rows, t)
	}
	return runQueries(ctx, s, x, rows, t)
}

// goldOf returns the selected rows of a set, and a file of just those rows for the referee.
func (w *workshop) goldOf(dir string, x set) ([]json.RawMessage, string, error) {
	all, err := erdata.Read[json.RawMessage](dir, x.gold)
	if err != nil {
		return nil, "", err
	}
	var rows []json.RawMessage
	for _, raw := range all {
		var r struct {
			Group string `json:"group"`
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, "", err
		}
		if len(x.groups) == 0 || slices.Contains(x.groups, r.Group) {
			rows = append(rows, raw)
		}
	}
	if w.limit > 0 && x.kind != orders {
		rows = rows[:min(len(rows), w.limit)]
	}
	path := filepath.Join(w.dir, x.name+"-gold.jsonl")
	return rows, path, writeLines(path, rows)
}

func writeLines[T any](path string, list []T) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, v := range list {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}

// score has the referee compare the predictions with the gold. The referee prints the worst errors after its
// one line of JSON.
func (w *workshop) score(ctx context.Context, x set, gold string, said []prediction) (map[string]any, error) {
	dir := cmp.Or(w.keep, w.dir)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, w.engine.name+"-"+x.name+".jsonl")
	if err := writeLines(path, said); err != nil {
		return nil, err
	}
	args := []string{w.referee, string(x.kind), gold, path, "--json"}
	if x.cross {
		args = append(args, "--cross")
	}
	if w.errors > 0 {
		args = append(args, "--errors", strconv.Itoa(w.errors))
	}
	cmd := exec.CommandContext(ctx, "python3", args...) //nolint:gosec // the operator's own flag
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the referee: %w", err)
	}
	line, rest, _ := bytes.Cut(out, []byte("\n"))
	if len(rest) > 0 {
		fmt.Printf("%s, %s: %s\n", w.engine.name, x.name, rest)
	}
	scores := map[string]any{}
	err = json.Unmarshal(line, &scores)
	return scores, err
}
