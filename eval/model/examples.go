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
	source   source
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

// How many candidates of a record or of a query are pairs of a set.
const (
	perRecord = 12
	perQuery  = 8
)

// unprepared is a pair before a model has looked at it: what it is made of does not depend on the model.
type unprepared struct {
	example
	l, r *record
}

// choose returns the pairs of all sets that are learned from or measured, at most so many of each.
func choose(d *data, most int) []unprepared {
	var list []unprepared
	group := unions{}
	for _, s := range sources {
		for _, p := range d.pairs[s.name] {
			group.join(text.Key(p.Left.Name), text.Key(p.Right.Name))
		}
	}
	registries := map[string]*blocks{}
	for _, s := range sources {
		switch {
		case s.form == records:
			list = append(list, proposed(s, d.rows[s.name], most)...)
		case s.form == queries && s.learned():
			if registries[s.registry] == nil {
				registries[s.registry] = newBlocks(d.rows[s.registry])
			}
			list = append(list, asked(s, d.rows[s.name], registries[s.registry], most)...)
		case s.form != queries:
			list = append(list, chosen(s, d.pairs[s.name], group)...)
		}
	}
	list = thin(list, most)
	balance(list)
	return list
}

// thin returns at most so many pairs of each set.
func thin(list []unprepared, most int) []unprepared {
	of := map[string][]unprepared{}
	for _, e := range list {
		of[e.source.name] = append(of[e.source.name], e)
	}
	var out []unprepared
	for _, s := range sources {
		for _, i := range sample(len(of[s.name]), most) {
			out = append(out, of[s.name][i])
		}
	}
	return out
}

// chosen returns the pairs of a set. Pairs that share a name fall into one fold, even across sets, which prevents
// leakage.
func chosen(s source, all []labelled, group unions) []unprepared {
	var list []unprepared
	for i := range all {
		p := &all[i]
		list = append(list, unprepared{l: &p.Left, r: &p.Right, example: example{
			source: s, pair: p, match: p.Match, fold: foldOf(group.find(text.Key(p.Left.Name))),
		}})
	}
	return list
}

// proposed returns rows of a set with their candidates from blocking.
func proposed(s source, rows []record, most int) []unprepared {
	b := newBlocks(rows)
	var list []unprepared
	for _, i := range sample(len(rows), most) {
		for _, j := range b.candidates(rows[i], perRecord) {
			if s.crossed() && rows[i].Source == rows[j].Source {
				continue
			}
			list = append(list, unprepared{l: &rows[i], r: &rows[j], example: example{
				source: s, registry: true, match: rows[i].Cluster == rows[j].Cluster, fold: foldOf(rows[i].Cluster),
			}})
		}
	}
	return list
}

// asked returns queries with their candidates from blocking.
func asked(s source, queries []record, b *blocks, most int) []unprepared {
	var list []unprepared
	for _, i := range sample(len(queries), most) {
		for _, j := range b.candidates(queries[i], perQuery) {
			list = append(list, unprepared{l: &queries[i], r: &b.rows[j], example: example{
				source: s, registry: true, match: slices.Contains(queries[i].Gold, b.rows[j].ID), fold: foldOf(queries[i].I),
			}})
		}
	}
	return list
}

// prepare returns the examples as a model reads them, with their features.
func prepare(list []unprepared, m *similarity.Model, l layout) []example {
	prepared := map[*record]*similarity.Prepared{}
	of := func(r *record) *similarity.Prepared {
		if prepared[r] == nil {
			prepared[r] = m.Prepare(r.Profile())
		}
		return prepared[r]
	}
	out := make([]example, len(list))
	for i, u := range list {
		out[i] = u.example
		out[i].left, out[i].right = of(u.l), of(u.r)
		l.fill(&out[i], m)
	}
	return out
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

// curatedWeight is the weight of a curated, labelled pair: there are few, and each tests something different.
const curatedWeight = 12

// doubtfulWeight bounds the weight of a pair with different numerals, since such labels contradict each
// other: some sets match Fund III with Fund IV, others do not.
const doubtfulWeight = 2

// heaviest bounds the weight of one example.
const heaviest = 4

// full is the total weight of the large sets of a family: what a model knows of a family does not grow with the number
// of its pairs. Of rows with most fields missing there is one set.
func full(family string) float64 {
	if family == "historical" {
		return 9000
	}
	return 4000
}

// balance weights the sets so that large sets do not dominate small ones, nor families of many sets those of one.
func balance(list []unprepared) {
	n, sets := map[string]float64{}, map[string]float64{}
	for _, e := range list {
		if n[e.source.name]++; n[e.source.name] == 1 {
			sets[e.source.family]++
		}
	}
	for i := range list {
		e := &list[i]
		switch e.source.form {
		case curated:
			e.weight = curatedWeight
		default:
			e.weight = min(heaviest, full(e.source.family)/sets[e.source.family]/n[e.source.name])
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
