package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"tenure/similarity"
	"tenure/text"
)

// example is a labelled pair.
type example struct {
	set      string
	pair     *labelled // nil where blocking proposed it
	left     *similarity.Prepared
	right    *similarity.Prepared
	match    bool
	fold     int
	weight   float64
	registry bool // a candidate from blocking, not a curated pair
	x        []entry
}

// entry is a feature of an example: its column and amount.
type entry struct {
	column int
	amount float64
}

const folds = 5

// Sample sizes for each set: the first candidates of a record or a query, and the number of records or
// queries.
const (
	perRecord = 12
	perQuery  = 8
	mostRows  = 3000
)

func examples(d *data, m *similarity.Model) []example {
	list := chosen(d, m)
	for _, name := range recordSets {
		list = append(list, proposed(name, d.records[name], m)...)
	}
	ofac, un := newBlocks(d.ofac), newBlocks(d.un)
	for _, name := range slices.Sorted(mapKeys(querySets)) {
		switch name {
		case "ofac_ambiguous":
		case "yente_un":
			list = append(list, asked(name, d.queries[name], un, m)...)
		default:
			list = append(list, asked(name, d.queries[name], ofac, m)...)
		}
	}
	balance(list)
	return list
}

// chosen returns the sets of pairs. Pairs that share a name fall into one fold, even across sets, which
// prevents leakage.
func chosen(d *data, m *similarity.Model) []example {
	var list []example
	group := unions{}
	for _, set := range pairSets {
		for _, p := range d.pairs[set] {
			group.join(text.Key(p.Left.Name), text.Key(p.Right.Name))
		}
	}
	for _, set := range pairSets {
		for _, p := range d.pairs[set] {
			list = append(list, example{
				set: set, pair: &p, left: m.Prepare(p.Left.Profile()), right: m.Prepare(p.Right.Profile()),
				match: p.Match, fold: foldOf(group.find(text.Key(p.Left.Name))),
			})
		}
	}
	return list
}

// proposed returns rows of a set with their candidates from blocking.
func proposed(set string, rows []record, m *similarity.Model) []example {
	b := newBlocks(rows)
	prepared := make([]*similarity.Prepared, len(rows))
	for i, r := range rows {
		prepared[i] = m.Prepare(r.Profile())
	}
	var list []example
	for _, i := range sample(len(rows), mostRows) {
		for _, j := range b.candidates(rows[i], perRecord) {
			list = append(list, example{
				set: set, left: prepared[i], right: prepared[j], registry: true,
				match: rows[i].Cluster == rows[j].Cluster, fold: foldOf(rows[i].Cluster),
			})
		}
	}
	return list
}

// asked returns queries with their candidates from blocking.
func asked(set string, queries []record, b *blocks, m *similarity.Model) []example {
	prepared := map[int32]*similarity.Prepared{}
	var list []example
	for _, i := range sample(len(queries), mostRows) {
		q := m.Prepare(queries[i].Profile())
		for _, j := range b.candidates(queries[i], perQuery) {
			if prepared[j] == nil {
				prepared[j] = m.Prepare(b.rows[j].Profile())
			}
			list = append(list, example{
				set: set, left: q, right: prepared[j], registry: true,
				match: slices.Contains(queries[i].Gold, b.rows[j].ID), fold: foldOf(queries[i].I),
			})
		}
	}
	return list
}

// sample returns at most k of n numbers, deterministically.
func sample(n, k int) []int {
	r := rand.New(rand.NewPCG(1, uint64(n))) //nolint:gosec // G404: the same numbers every time are the point
	list := r.Perm(n)[:min(n, k)]
	slices.Sort(list)
	return list
}

func foldOf(group string) int {
	h := fnv.New32a()
	h.Write([]byte(group))
	return int(h.Sum32() % folds)
}

// chosenWeight is the weight of a curated, labelled pair: there are few, and each tests something different.
const chosenWeight = 12

// doubtfulWeight bounds the weight of a pair with different numerals, since such labels contradict each
// other: some sets match Fund III with Fund IV, others do not.
const doubtfulWeight = 2

// heaviest bounds the weight of one example, and full is the total weight of a large set: less for the
// aliases of sanctions lists, many of which no evidence links.
const heaviest = 4

func full(set string) float64 {
	switch set {
	case "historical_50k":
		return 9000
	case "ofac":
		return 2000
	}
	return 3000
}

// balance weights the sets so that large sets do not dominate small ones.
func balance(list []example) {
	n := map[string]float64{}
	for _, e := range list {
		n[e.set]++
	}
	for i := range list {
		list[i].weight = min(heaviest, full(list[i].set)/n[list[i].set])
		if list[i].pair != nil {
			list[i].weight = chosenWeight
		}
	}
}

// unions is a disjoint-set forest of names.
type unions map[string]string

func (u unions) find(x string) string {
	for u[x] != "" && u[x] != x {
		x = u[x]
	}
	return x
}

func (u unions) join(x, y string) {
	x, y = u.find(x), u.find(y)
	u[max(x, y)] = min(x, y)
	u[min(x, y)] = min(x, y)
}
