package main

import (
	"tenure/calibrate"
	"tenure/similarity"
	"tenure/text"
)

// frequencies builds the tables per class: for each word the highest frequency in any collection.
func frequencies(d *data) (map[string]similarity.FrequencyFile, error) {
	lists := map[string][]*calibrate.Collection{}
	collect := func(rows []record, class string, name func(record) string) {
		c := &calibrate.Collection{}
		seen := map[string]bool{}
		for _, r := range rows {
			n := name(r)
			if classOf(r.Type) != class || n == "" || seen[r.Cluster+"\x1f"+text.Key(n)] {
				continue
			}
			seen[r.Cluster+"\x1f"+text.Key(n)] = true
			c.Add(n, r.Type)
		}
		lists[class] = append(lists[class], c)
	}
	named := func(r record) string { return r.Name + r.Query }
	for _, class := range []string{"person", "organization", "thing"} {
		for _, rows := range [][]record{d.ofac, firstOfCluster(d.records["historical_50k"]),
			firstOfCluster(d.records["febrl3"]), d.queries["negatives_global"], d.queries["negatives_us"],
			firstOfCluster(d.records["dblp_acm"])} {
			collect(rows, class, named)
		}
	}
	for _, key := range []string{"address", "suburb", "state", "birth_place", "occupation", "venue", "authors", "pob",
		"nationality", "program", "title"} {
		texts(d, key, lists)
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

// texts counts the words of an attribute for the table of things.
func texts(d *data, key string, lists map[string][]*calibrate.Collection) {
	c := &calibrate.Collection{}
	for _, name := range recordSets {
		for _, r := range firstOfCluster(d.records[name]) {
			for _, v := range r.Attrs[key] {
				c.Add(v, "thing")
			}
		}
	}
	for _, r := range d.ofac {
		for _, v := range r.Attrs[key] {
			c.Add(v, "thing")
		}
	}
	lists["thing"] = append(lists["thing"], c)
}

func firstOfCluster(rows []record) []record {
	seen := map[string]bool{}
	var out []record
	for _, r := range rows {
		if !seen[r.Cluster] {
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
