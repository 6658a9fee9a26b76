package main

import (
	"slices"

	"tenure/internal/erdata"
)

type (
	record   = erdata.Record
	labelled = erdata.Pair
)

// form is how a set states what is the same.
type form int

const (
	curated  form = iota // pairs that people chose, each of which tests something else
	pairs                // pairs that a program proposed, in large numbers
	records              // rows with their cluster
	queries              // queries to a registry of rows
	ordinary             // pairs of everyday life, written for this service: measured, never learned from
)

// source is a data set. Sets of one family are of one kind of names, or from one place: what a model learns from one
// of them it knows of the others, too.
type source struct {
	name, family string
	form         form
	path         string
	registry     string // of queries
}

var sources = []source{
	{name: "namebench", family: "names", form: curated, path: "namebench/dev"},
	{name: "entity_checks", family: "names", form: curated, path: "entity_checks/dev"},
	{name: "translit_pairs", family: "scripts", form: pairs, path: "translit_pairs/dev"},
	{name: "abt_buy", family: "products", form: pairs, path: "abt_buy/dev"},
	{name: "amazon_google", family: "products", form: pairs, path: "amazon_google/dev"},
	{name: "org_aliases", family: "sanctions", form: pairs, path: "org_aliases/dev"},
	{name: "ordinary", family: "ordinary", form: ordinary, path: "ordinary/dev"},
	{name: "senzing_truthset", family: "customers", form: records, path: "senzing_truthset/dev"},
	{name: "er_kg_bench", family: "memories", form: records, path: "er_kg_bench/dev"},
	{name: "er_kg_ghsuite", family: "memories", form: records, path: "er_kg_ghsuite/dev"},
	{name: "febrl3", family: "registers", form: records, path: "febrl3/dev"},
	{name: "historical_50k", family: "historical", form: records, path: "historical_50k/dev"},
	{name: "dblp_acm", family: "publications", form: records, path: "dblp_acm/dev"},
	{name: "restaurants", family: "restaurants", form: records, path: "restaurants/dev"},
	{name: "ofac", family: "sanctions", form: queries, path: "ofac/dev", registry: "ofac/registry"},
	{name: "ofac_ambiguous", family: "sanctions", form: queries, path: "ofac/ambiguous_dev", registry: "ofac/registry_aliases"},
	{name: "yente_un", family: "sanctions", form: queries, path: "yente_un/dev", registry: "yente_un/registry"},
	{name: "negatives_congress", family: "sanctions", form: queries, path: "yente_negatives/congress_dev", registry: "ofac/registry"},
	{name: "negatives_global", family: "sanctions", form: queries, path: "yente_negatives/global_dev", registry: "ofac/registry"},
	{name: "negatives_us", family: "sanctions", form: queries, path: "yente_negatives/us_dev", registry: "ofac/registry"},
}

// crossed reports whether only pairs of rows of two sources count, since each source has a row once.
func (s source) crossed() bool { return s.name == "dblp_acm" || s.name == "restaurants" }

// learned reports whether the model learns from the set. Of names that belong to several entities there is nothing to
// learn: which of them is meant is no matter of evidence.
func (s source) learned() bool { return s.form != ordinary && s.name != "ofac_ambiguous" }

// calibrates reports whether the scores of the set show how likely a score is right. Those of offers do not: two of one
// title, edition and price are labelled different as often as equal, for reasons that no field holds.
func (s source) calibrates() bool { return s.learned() && s.family != "products" }

func families() (list []string) {
	for _, s := range sources {
		if s.learned() && !slices.Contains(list, s.family) {
			list = append(list, s.family)
		}
	}
	return list
}

// data is the content of the sets, by name; of registries, by path.
type data struct {
	pairs map[string][]labelled
	rows  map[string][]record
}

func load(dir string) (*data, error) {
	d := &data{pairs: map[string][]labelled{}, rows: map[string][]record{}}
	for _, s := range sources {
		var err error
		switch s.form {
		case curated, pairs, ordinary:
			d.pairs[s.name], err = readPairs(dir, s.path)
		case records, queries:
			d.rows[s.name], err = erdata.Read[record](dir, s.path)
		}
		if err != nil {
			return nil, err
		}
		if s.registry != "" && d.rows[s.registry] == nil {
			if d.rows[s.registry], err = erdata.Read[record](dir, s.registry); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// readPairs reads the pairs of a set, of which some also has stories.
func readPairs(dir, path string) ([]labelled, error) {
	list, err := erdata.Read[labelled](dir, path)
	return slices.DeleteFunc(list, func(p labelled) bool { return p.Left.Name == "" && p.Right.Name == "" }), err
}

func sourceOf(name string) source {
	return sources[slices.IndexFunc(sources, func(s source) bool { return s.name == name })]
}
