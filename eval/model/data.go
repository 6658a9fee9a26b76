package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tenure"
	"tenure/registry"
)

// record is a row of any set: one side of a pair, a row to be clustered, a row
// of a registry, or a query.
type record struct {
	ID      string              `json:"id"`
	I       string              `json:"i"`
	Query   string              `json:"query"`
	Type    string              `json:"type"`
	Name    string              `json:"name"`
	Aliases []string            `json:"aliases"`
	Attrs   map[string][]string `json:"attrs"`
	Cluster string              `json:"cluster"`
	Group   string              `json:"group"`
	Source  string              `json:"source"`
	Gold    []string            `json:"gold"`
}

// profile is the row as the service would know it.
func (r record) profile() registry.Profile {
	p := registry.Profile{Names: append([]string{r.Name + r.Query}, r.Aliases...), Type: r.Type, Attributes: map[string][]string{}}
	for k, v := range r.Attrs {
		if k == "context" {
			p.Context = v
			continue
		}
		p.Attributes[k] = v
	}
	if r.Source != "" {
		p.Records = []tenure.Record{{Source: r.Source, ID: r.ID}}
	}
	return p
}

// labelled is a row of a set of pairs.
type labelled struct {
	I       string `json:"i"`
	Left    record `json:"left"`
	Right   record `json:"right"`
	Match   bool   `json:"match"`
	Group   string `json:"group"`
	Quality string `json:"quality"`
}

// data is everything that is learned from.
type data struct {
	pairs   map[string][]labelled
	records map[string][]record
	ofac    []record // the registry
	aliases []record // the registry with aliases
	un      []record // the registry
	queries map[string][]record
}

var (
	pairSets   = []string{"namebench", "entity_checks"}
	recordSets = []string{"senzing_truthset", "er_kg_bench", "er_kg_ghsuite", "febrl3", "historical_50k", "dblp_acm"}
	querySets  = map[string]string{
		"ofac": "ofac/dev", "ofac_ambiguous": "ofac/ambiguous_dev", "yente_un": "yente_un/dev",
		"negatives_global": "yente_negatives/global_dev", "negatives_us": "yente_negatives/us_dev", "negatives_congress": "yente_negatives/congress_dev",
	}
)

func load(dir string) (*data, error) {
	d := &data{pairs: map[string][]labelled{}, records: map[string][]record{}, queries: map[string][]record{}}
	var err error
	for _, name := range pairSets {
		if d.pairs[name], err = read[labelled](dir, name+"/dev"); err != nil {
			return nil, err
		}
	}
	for _, name := range recordSets {
		if d.records[name], err = read[record](dir, name+"/dev"); err != nil {
			return nil, err
		}
	}
	for name, path := range querySets {
		if d.queries[name], err = read[record](dir, path); err != nil {
			return nil, err
		}
	}
	for path, into := range map[string]*[]record{"ofac/registry": &d.ofac, "ofac/registry_aliases": &d.aliases, "yente_un/registry": &d.un} {
		if *into, err = read[record](dir, path); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// read reads JSON lines, gzipped or not.
func read[T any](dir, name string) (list []T, err error) {
	path := filepath.Join(dir, filepath.FromSlash(name)+".jsonl")
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		path += ".gz"
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, err
		}
	}
	dec := json.NewDecoder(in)
	for {
		var row T
		switch err := dec.Decode(&row); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("%s: row %d: %w", path, len(list)+1, err)
		}
		list = append(list, row)
	}
}
