package main

import (
	"cmp"
	"fmt"
	"slices"

	"tenure/similarity"
)

// reportRecords clusters a set as the service would: best links first, and a link joins two clusters only if
// the clusters as a whole score over the threshold.
func reportRecords(s source, rows []record, m *similarity.Model, errors int) {
	c := newClusters(rows, m)
	for _, l := range c.links(newBlocks(rows)) {
		c.join(l.i, l.j)
	}
	p, r, f := c.measure(s.crossed())
	fmt.Printf("  %-18s n %6d precision %.4f recall %.4f f1 %.4f\n", s.name, len(rows), p, r, f)
	c.show(errors)
}

type clusters struct {
	rows    []record
	model   *similarity.Model
	root    []int32
	members [][]int32
	whole   []*similarity.Prepared
}

func newClusters(rows []record, m *similarity.Model) *clusters {
	c := &clusters{rows: rows, model: m, root: make([]int32, len(rows)), members: make([][]int32, len(rows)),
		whole: make([]*similarity.Prepared, len(rows))}
	for i, r := range rows {
		c.root[i] = int32(i)
		c.members[i] = []int32{int32(i)}
		c.whole[i] = m.Prepare(r.Profile())
	}
	return c
}

type link struct {
	i, j  int32
	score float64
}

// perRow is how many candidates of a row are compared.
const perRow = 40

func (c *clusters) links(b *blocks) []link {
	var list []link
	for i := range c.rows {
		for _, j := range b.candidates(c.rows[i], perRow) {
			if s := c.model.Score(c.whole[i], c.whole[j], c.model.RegistryPrior()); s > newAt {
				list = append(list, link{int32(i), j, s})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b link) int { return cmp.Compare(b.score, a.score) })
	return list
}

// join merges the clusters of two rows if the clusters as a whole score over the threshold.
func (c *clusters) join(i, j int32) {
	i, j = c.root[i], c.root[j]
	if i == j {
		return
	}
	r := c.model.Compare(c.whole[i], c.whole[j], c.model.RegistryPrior())
	if r.Score < mergeAt || r.Veto != "" {
		return
	}
	if len(c.members[i]) < len(c.members[j]) {
		i, j = j, i
	}
	for _, k := range c.members[j] {
		c.root[k] = i
	}
	c.members[i] = append(c.members[i], c.members[j]...)
	c.members[j] = nil
	p := similarity.Profile{Type: c.rows[i].Type, Attributes: map[string][]string{}}
	for _, k := range c.members[i] {
		q := c.rows[k].Profile()
		p.Names = append(p.Names, q.Names...)
		p.Context = append(p.Context, q.Context...)
		p.Records = append(p.Records, q.Records...)
		for key, v := range q.Attributes {
			p.Attributes[key] = append(p.Attributes[key], v...)
		}
	}
	c.whole[i] = c.model.Prepare(p)
}

// measure returns pairwise precision, recall and F1; cross counts pairs of two sources only.
func (c *clusters) measure(cross bool) (p, r, f float64) {
	key := func(source string) string {
		if cross {
			return source
		}
		return ""
	}
	count := func(by func(int) string) int {
		n, own := map[string]int{}, map[string]int{}
		for i, row := range c.rows {
			n[by(i)]++
			if cross {
				own[by(i)+"\x1f"+key(row.Source)]++
			}
		}
		total := 0
		for _, v := range n {
			total += v * (v - 1) / 2
		}
		for _, v := range own {
			total -= v * (v - 1) / 2
		}
		return total
	}
	predicted := func(i int) string { return fmt.Sprint(c.root[i]) }
	gold := func(i int) string { return c.rows[i].Cluster }
	both := count(func(i int) string { return predicted(i) + "\x1f" + gold(i) })
	p, r = ratio(both, count(predicted)), ratio(both, count(gold))
	return p, r, 2 * p * r / (p + r)
}

func (c *clusters) show(n int) {
	c.showSplit(n)
	for _, list := range c.members {
		names := map[string]bool{}
		for _, i := range list {
			names[c.rows[i].Cluster] = true
		}
		if len(names) < 2 || n <= 0 {
			continue
		}
		n--
		fmt.Print("    merged:")
		for _, i := range list[:min(len(list), 6)] {
			fmt.Printf(" %s <%s> %v", c.rows[i].Name, c.rows[i].Cluster, c.rows[i].Attrs)
		}
		fmt.Println()
	}
}

// showSplit prints pairs of one entity that ended in two clusters, with the evidence for and against.
func (c *clusters) showSplit(n int) {
	first := map[string]int{}
	for i, r := range c.rows {
		j, ok := first[r.Cluster]
		if !ok {
			first[r.Cluster] = i
			continue
		}
		if c.root[i] == c.root[j] || n <= 0 {
			continue
		}
		n--
		x := c.model.Compare(c.whole[c.root[j]], c.whole[c.root[i]], c.model.RegistryPrior())
		fmt.Printf("    split: %s %v / %s %v\n      %.3f %s", c.rows[j].Name, c.rows[j].Attrs, r.Name, r.Attrs, x.Score,
			x.Veto)
		for _, l := range x.Contributions {
			fmt.Printf(" %s %+.1f", l.Feature, l.LogOdds)
		}
		fmt.Println()
	}
}
