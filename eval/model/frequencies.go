package main

import (
	"tenure/calibrate"
	"tenure/similarity"
	"tenure/text"
)

// counted are the sets that list enough names, or attributes in words, to count words in.
var counted = []string{"ofac", "historical_50k", "febrl3", "senzing_truthset", "er_kg_bench", "er_kg_ghsuite", "negatives_global",
	"negatives_us", "dblp_acm", "abt_buy", "amazon_google"}

// wordy are the attributes in words, which show how frequent a word is.
var wordy = []string{"address", "suburb", "state", "birth_place", "occupation", "venue", "authors", "pob", "nationality",
	"program", "title"}

// collections are the words of each counted set: those of names by class, and those of attributes.
type collections map[string][]counts

type counts struct {
	class string
	words *calibrate.Collection
}

// frequencies builds the tables per class: for each word the highest frequency in any collection, without those of a
// family that is left out.
func (all collections) frequencies(without string) (map[string]similarity.FrequencyFile, error) {
	lists := map[string][]*calibrate.Collection{}
	for _, name := range counted {
		if sourceOf(name).family == without {
			continue
		}
		for _, c := range all[name] {
			lists[c.class] = append(lists[c.class], c.words)
		}
	}
	out := map[string]similarity.FrequencyFile{}
	for class, list := range lists {
		var err error
		if out[class], err = calibrate.Frequencies(similarity.FrequencyFile{}, list...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// count counts the words of each set.
func count(d *data) collections {
	out := collections{}
	for _, name := range counted {
		s := sourceOf(name)
		rows := d.entities(s)
		for class, c := range namesOf(rows) {
			out[name] = append(out[name], counts{class, c})
		}
		if s.form != records && name != "ofac" {
			continue
		}
		for _, key := range wordy {
			words := &calibrate.Collection{}
			for _, r := range rows {
				for _, v := range r.Attrs[key] {
					words.Add(v, "thing")
				}
			}
			out[name] = append(out[name], counts{"thing", words})
		}
	}
	return out
}

// entities returns a row for each entity of a set: of queries that name nothing in their registry the queries
// themselves.
func (d *data) entities(s source) []record {
	switch {
	case s.form == pairs:
		var rows []record
		for _, p := range d.pairs[s.name] {
			rows = append(rows, p.Left, p.Right)
		}
		return rows
	case s.name == "ofac":
		return d.rows[s.registry]
	}
	return firstOfCluster(d.rows[s.name])
}

// namesOf counts the words of names by class, each name once.
func namesOf(rows []record) map[string]*calibrate.Collection {
	out := map[string]*calibrate.Collection{}
	seen := map[string]bool{}
	for _, r := range rows {
		n := r.Name + r.Query
		k := r.Cluster + "\x1f" + text.Key(n)
		if n == "" || seen[k] {
			continue
		}
		seen[k] = true
		class := classOf(r.Type)
		if out[class] == nil {
			out[class] = &calibrate.Collection{}
		}
		out[class].Add(n, r.Type)
	}
	return out
}

// firstOfCluster returns the first row of each cluster; rows without one are an entity each.
func firstOfCluster(rows []record) []record {
	seen := map[string]bool{}
	var out []record
	for _, r := range rows {
		if r.Cluster == "" || !seen[r.Cluster] {
			seen[r.Cluster] = true
			out = append(out, r)
		}
	}
	return out
}

func classOf(typ string) string {
	switch typ {
	case "person":
		return "person"
	case "organization", "org", "company", "legal":
		return "organization"
	}
	return "thing"
}
