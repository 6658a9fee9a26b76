package main

import "tenure/internal/erdata"

type (
	record   = erdata.Record
	labelled = erdata.Pair
)

// data is the training data.
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
		if d.pairs[name], err = erdata.Read[labelled](dir, name+"/dev"); err != nil {
			return nil, err
		}
	}
	for _, name := range recordSets {
		if d.records[name], err = erdata.Read[record](dir, name+"/dev"); err != nil {
			return nil, err
		}
	}
	for name, path := range querySets {
		if d.queries[name], err = erdata.Read[record](dir, path); err != nil {
			return nil, err
		}
	}
	for path, into := range map[string]*[]record{"ofac/registry": &d.ofac, "ofac/registry_aliases": &d.aliases,
		"yente_un/registry": &d.un} {
		if *into, err = erdata.Read[record](dir, path); err != nil {
			return nil, err
		}
	}
	return d, nil
}
