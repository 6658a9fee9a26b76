package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"tenure/statements/align"
)

// Gradient boosting of decision trees: second-order gains on histograms, trees grown leaf by leaf (Friedman 2001; Chen
// and Guestrin 2016; Ke et al. 2017). The loss is of each group of competing readings: which of them is right, if any is
// (listwise, with the score of "none" held at 0; Cao et al. 2007). The same examples give the same forest.

// example is a row with its class. Of the examples of a group, which are readings of one slot in one turn, a right one
// excludes the wrong ones.
type example struct {
	row   []float64
	yes   bool
	group int
}

// settings are those of a model.
type settings struct {
	trees, leaves, smallest int
	rate, ridge             float64
	rows, features          float64 // the shares that a tree sees
}

var usual = settings{trees: 400, leaves: 8, smallest: 20, rate: .05, ridge: 5, rows: .8, features: .4}

// mostBins bounds the values that are told apart of a feature.
const mostBins = 64

// booster is a model on its way.
type booster struct {
	settings
	yes    []bool
	group  []int
	groups int         // how many there are
	splits [][]float64 // of each feature, the greatest value of each bin but the last
	bins   [][]uint8   // of each feature, of each example
	score  []float64
	grad   []float64
	hess   []float64
	random *rand.Rand
}

// boost returns a model that tells the classes of examples apart.
func boost(list []example, s settings) align.Model {
	b := newBooster(list, s)
	positives := 0
	for _, yes := range b.yes {
		if yes {
			positives++
		}
	}
	m := align.Model{Features: align.Features()}
	if positives == 0 || positives == len(list) {
		return m
	}
	m.Base = math.Log(float64(positives) / float64(len(list)-positives))
	for i := range b.score {
		b.score[i] = m.Base
	}
	for range s.trees {
		b.derive()
		m.Trees = append(m.Trees, b.tree())
	}
	return m
}

func newBooster(list []example, s settings) *booster {
	n := len(list)
	b := &booster{settings: s, score: make([]float64, n), grad: make([]float64, n), hess: make([]float64, n)}
	b.random = rand.New(rand.NewPCG(1, 2)) //nolint:gosec // G404: the same numbers every time are the point
	for _, e := range list {
		b.yes, b.group = append(b.yes, e.yes), append(b.group, e.group)
		b.groups = max(b.groups, e.group+1)
	}
	for f := range list[0].row {
		column := make([]float64, n)
		for i, e := range list {
			column[i] = e.row[f]
		}
		b.splits = append(b.splits, splitsOf(column))
		bins := make([]uint8, n)
		for i, x := range column {
			at, _ := slices.BinarySearch(b.splits[f], x)
			bins[i] = uint8(at)
		}
		b.bins = append(b.bins, bins)
	}
	return b
}

// splitsOf returns where the values of a feature are divided: between all of them, or into parts of equal size.
func splitsOf(column []float64) []float64 {
	all := slices.Sorted(slices.Values(column))
	distinct := slices.Compact(slices.Clone(all))
	if len(distinct) > mostBins {
		distinct = distinct[:0]
		for i := range mostBins {
			distinct = append(distinct, all[i*len(all)/mostBins])
		}
		distinct = slices.Compact(append(distinct, all[len(all)-1]))
	}
	splits := make([]float64, 0, len(distinct))
	for i := range len(distinct) - 1 {
		splits = append(splits, (distinct[i]+distinct[i+1])/2)
	}
	return splits
}

// derive takes the derivatives of the loss at the present score.
func (b *booster) derive() {
	all, right := make([]float64, b.groups), make([]float64, b.groups)
	for i, yes := range b.yes {
		e := math.Exp(b.score[i])
		all[b.group[i]] += e
		if yes {
			right[b.group[i]] += e
		}
	}
	for i, yes := range b.yes {
		e, g := math.Exp(b.score[i]), b.group[i]
		p := e / (1 + all[g])
		b.grad[i], b.hess[i] = p, p*(1-p)
		if yes {
			b.grad[i] -= e / right[g]
		}
	}
}

// leaf is a set of examples of a growing tree, with its best division.
type leaf struct {
	rows       []int
	grad, hess float64
	parent     int // node, -1 for the root
	right      bool
	gain       float64
	feature    int
	bin        uint8
}

// tree grows a tree on some of the examples, and adds it to the score of all.
func (b *booster) tree() align.Tree {
	var seen []int
	for i := range b.yes {
		if b.random.Float64() < b.rows {
			seen = append(seen, i)
		}
	}
	features := b.random.Perm(len(b.bins))[:max(1, int(b.features*float64(len(b.bins))))]
	slices.Sort(features)
	leaves := []leaf{b.leaf(seen, -1, false, features)}
	var t align.Tree
	for len(leaves) < b.leaves {
		best := 0
		for i := range leaves {
			if leaves[i].gain > leaves[best].gain {
				best = i
			}
		}
		l := leaves[best]
		if l.gain <= 1e-9 {
			break
		}
		node := len(t.Feature)
		link(&t, l, node)
		t.Feature, t.Split = append(t.Feature, l.feature), append(t.Split, b.splits[l.feature][l.bin])
		t.Left, t.Right = append(t.Left, 0), append(t.Right, 0)
		left, right := b.divide(l)
		leaves[best] = b.leaf(left, node, false, features)
		leaves = append(leaves, b.leaf(right, node, true, features))
	}
	for _, l := range leaves {
		link(&t, l, -1-len(t.Leaf))
		t.Leaf = append(t.Leaf, rounded(-b.rate*l.grad/(l.hess+b.ridge)))
	}
	b.add(t)
	return t
}

// link makes a node or a leaf the child of a leaf's parent.
func link(t *align.Tree, l leaf, child int) {
	switch {
	case l.parent < 0:
	case l.right:
		t.Right[l.parent] = child
	default:
		t.Left[l.parent] = child
	}
}

// rounded keeps the file small: no leaf needs more digits.
func rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// leaf returns a set of examples with its best division.
func (b *booster) leaf(rows []int, parent int, right bool, features []int) leaf {
	l := leaf{rows: rows, parent: parent, right: right}
	for _, i := range rows {
		l.grad += b.grad[i]
		l.hess += b.hess[i]
	}
	for _, f := range features {
		b.search(&l, f)
	}
	return l
}

// search looks for a better division of a leaf by a feature.
func (b *booster) search(l *leaf, f int) {
	var grad, hess [mostBins + 1]float64
	var count [mostBins + 1]int
	bins := b.bins[f]
	for _, i := range l.rows {
		k := bins[i]
		grad[k] += b.grad[i]
		hess[k] += b.hess[i]
		count[k]++
	}
	whole := l.grad * l.grad / (l.hess + b.ridge)
	g, h, n := 0.0, 0.0, 0
	for k := range len(b.splits[f]) {
		g, h, n = g+grad[k], h+hess[k], n+count[k]
		if n < b.smallest || len(l.rows)-n < b.smallest {
			continue
		}
		og, oh := l.grad-g, l.hess-h
		if gain := g*g/(h+b.ridge) + og*og/(oh+b.ridge) - whole; gain > l.gain {
			l.gain, l.feature, l.bin = gain, f, uint8(k)
		}
	}
}

func (b *booster) divide(l leaf) (left, right []int) {
	for _, i := range l.rows {
		if b.bins[l.feature][i] <= l.bin {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}

// add adds a tree to the score of all examples.
func (b *booster) add(t align.Tree) {
	if len(t.Feature) == 0 {
		return
	}
	for i := range b.score {
		n := 0
		for n >= 0 {
			f := t.Feature[n]
			x := b.bins[f][i]
			at, _ := slices.BinarySearch(b.splits[f], t.Split[n])
			if int(x) <= at {
				n = t.Left[n]
			} else {
				n = t.Right[n]
			}
		}
		b.score[i] += t.Leaf[-1-n]
	}
}
