package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tenure/registry"
)

// Words are counted per collection of names and kept from this count on: a
// table of what is common, not of who is in the data.
const (
	leastCount = 5
	unseen     = 9.5 // nats: a word in fewer than one name of ten thousand
)

// collection is a list of names, each counted once.
type collection struct {
	counts map[string]int
	names  int
}

func (c *collection) add(words []string) {
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		c.counts[w]++
	}
	c.names++
}

// frequencies makes the tables per class of the most that any collection says
// of a word.
func frequencies(d *data) map[string]registry.FrequencyFile {
	lists := map[string][]*collection{}
	collect := func(rows []record, class string, name func(record) string) {
		c := &collection{}
		seen := map[string]bool{}
		for _, r := range rows {
			n := name(r)
			if classOf(r.Type) != class || n == "" || seen[r.Cluster+"\x1f"+registry.Key(n)] {
				continue
			}
			seen[r.Cluster+"\x1f"+registry.Key(n)] = true
			c.add(registry.Tokens(n, r.Type))
		}
		if c.names >= 300 {
			lists[class] = append(lists[class], c)
		}
	}
	named := func(r record) string { return r.Name + r.Query }
	for _, class := range []string{"person", "organization", "thing"} {
		for _, rows := range [][]record{d.ofac, firstOfCluster(d.records["historical_50k"]), firstOfCluster(d.records["febrl3"]), d.queries["negatives_global"], d.queries["negatives_us"], firstOfCluster(d.records["dblp_acm"])} {
			collect(rows, class, named)
		}
	}
	for _, key := range []string{"address", "suburb", "state", "birth_place", "occupation", "venue", "authors", "pob", "nationality", "program", "title"} {
		texts(d, key, lists)
	}
	out := map[string]registry.FrequencyFile{}
	for class, list := range lists {
		out[class] = table(list)
	}
	return out
}

// texts counts the words of an attribute for the table of things.
func texts(d *data, key string, lists map[string][]*collection) {
	c := &collection{}
	for _, name := range recordSets {
		for _, r := range firstOfCluster(d.records[name]) {
			for _, v := range r.Attrs[key] {
				c.add(registry.Tokens(v, "thing"))
			}
		}
	}
	for _, r := range d.ofac {
		for _, v := range r.Attrs[key] {
			c.add(registry.Tokens(v, "thing"))
		}
	}
	if c.names >= 300 {
		lists["thing"] = append(lists["thing"], c)
	}
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

func table(list []*collection) registry.FrequencyFile {
	info := map[string]float64{}
	for _, c := range list {
		for w, n := range c.counts {
			if n < leastCount || w == "" || strings.ContainsAny(w, " \n") {
				continue
			}
			v := math.Round(-4*math.Log(float64(n)/float64(c.names))) / 4
			if old, ok := info[w]; !ok || v < old {
				info[w] = max(v, 0.25)
			}
		}
	}
	by := map[string][]string{}
	for w, v := range info {
		if v < unseen {
			k := strconv.FormatFloat(v, 'g', -1, 64)
			by[k] = append(by[k], w)
		}
	}
	f := registry.FrequencyFile{Unseen: unseen, Words: map[string]string{}}
	for k, words := range by {
		slices.Sort(words)
		f.Words[k] = strings.Join(words, " ")
	}
	return f
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
