package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tenure/internal/run"
)

// tenants is the maximum number of tenants for the belief data: one for each timeline, and a few for each scenario of
// memorycheck, of which each is told twice.
const tenants = 1500

// measure runs the referees against a server on the engine, with each importer.
func (w *workshop) measure(ctx context.Context, p run.Place) ([]result, error) {
	var results []result
	for _, importer := range w.importers {
		began := time.Now()
		r, err := w.measureOne(ctx, p, importer)
		if err != nil {
			return nil, fmt.Errorf("%s importer: %w\n%s", importer, err, p.Server.Log())
		}
		r.Engine, r.Importer, r.Total, r.Log = p.Engine, importer, time.Since(began), p.Server.Log()
		results = append(results, r)
	}
	return results, nil
}

func (w *workshop) measureOne(ctx context.Context, p run.Place, importer string) (result, error) {
	keys, err := p.Keys(ctx, "beliefs-"+importer, tenants)
	if err != nil {
		return result{}, err
	}
	name := filepath.Join(w.dir, p.Engine+"-"+importer)
	if err := writeJSON(name+"-keys.json", keys); err != nil {
		return result{}, err
	}
	args := []string{"run.py", "service", "--importer", importer}
	if importer == reading && w.without != "" {
		args = append(args, "--without", w.without)
	}
	if w.rows != "" {
		args = append(args, "--rows", fmt.Sprintf("%s-%s-%s.jsonl", w.rows, p.Engine, importer))
	}
	var r result
	if w.digests {
		r.Stream = name + "-answers"
		args = append(args, "--stream", r.Stream)
	}
	env := []string{"TENURE_URL=" + p.Server.URL, "TENURE_KEYS=" + name + "-keys.json"}
	err = w.python(ctx, env, &r, args...)
	return r, err
}

func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}
