package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"time"
)

//go:embed worlds
var worldFiles embed.FS

// world is a small company or family: what its agents wrote, and questions with what a context for them needs.
type world struct {
	Name         string              `json:"world"`
	Now          time.Time           `json:"now"`
	Observations []keyed             `json:"observations"`
	Documents    []document          `json:"documents"`
	Questions    []question          `json:"questions"`
	Set          string              `json:"-"` // developed, documents or unseen
	claims       map[string]id       // by "o1#0"
	passages     map[string][]string // the keys of passages, by document and number
	names        map[id]string       // of entities, as far as they were asked for
}

// id is the id of a belief.
type id string

// keyed is the body of a request, under a name.
type keyed struct {
	Key  string          `json:"key"`
	Body json.RawMessage `json:"body"`
}

// document is a text, with quotations by which its passages are known.
type document struct {
	keyed
	Passages map[string]string `json:"passages"`
}

// question is a query with what a context for it needs. What is in none of the lists is a distractor.
type question struct {
	ID        string          `json:"id"`
	Kind      string          `json:"kind"`
	Query     string          `json:"query"`
	Task      json.RawMessage `json:"task,omitempty"`
	Scope     json.RawMessage `json:"scope,omitempty"`
	Identity  json.RawMessage `json:"identity,omitempty"`
	ValidAt   *time.Time      `json:"valid_at,omitempty"`
	Clearance string          `json:"clearance,omitempty"`
	Needed    []string        `json:"needed"`
	Allowed   []string        `json:"allowed"`
	Forbidden []string        `json:"forbidden"`
}

// worldsOf reads the worlds of a set.
func worldsOf(set string) ([]*world, error) {
	files, err := fs.Glob(worldFiles, path.Join("worlds", set, "*.json"))
	if err != nil {
		return nil, err
	}
	var list []*world
	for _, name := range files {
		raw, err := worldFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		w := &world{Set: set, claims: map[string]id{}, passages: map[string][]string{}, names: map[id]string{}}
		if err := json.Unmarshal(raw, w); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, w)
	}
	return list, nil
}
