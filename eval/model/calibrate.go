package main

import (
	"cmp"
	"math"
	"slices"

	"tenure/registry"
)

// scored is an example's evidence with its prior, before calibration.
type scored struct {
	set    string
	odds   float64
	match  bool
	weight float64
}

// bins of equal weight that the calibration is learned from.
const bins = 40

// calibrate makes the map from evidence to log-odds by isotonic regression
// over bins (pool adjacent violators; Zadrozny and Elkan 2002).
func calibrate(list []scored) []registry.Knot {
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(a.odds, b.odds) })
	total := 0.0
	for _, s := range list {
		total += s.weight
	}
	var blocks []block
	b := block{}
	for _, s := range list {
		b.add(s)
		if b.weight >= total/bins {
			blocks = append(blocks, b)
			b = block{}
		}
	}
	if b.weight > 0 {
		blocks = append(blocks, b)
	}
	var out []block
	for _, b := range blocks {
		out = append(out, b)
		for len(out) > 1 && out[len(out)-2].rate() >= out[len(out)-1].rate() {
			out[len(out)-2].merge(out[len(out)-1])
			out = out[:len(out)-1]
		}
	}
	var knots []registry.Knot
	for _, b := range out {
		k := registry.Knot{Evidence: round(b.sum / b.weight), LogOdds: round(logit(b.rate()))}
		if len(knots) == 0 || k.Evidence > knots[len(knots)-1].Evidence {
			knots = append(knots, k)
		}
	}
	return knots
}

type block struct{ weight, sum, true float64 }

func (b *block) add(s scored) {
	b.weight += s.weight
	b.sum += s.weight * s.odds
	if s.match {
		b.true += s.weight
	}
}

func (b *block) merge(o block) {
	b.weight, b.sum, b.true = b.weight+o.weight, b.sum+o.sum, b.true+o.true
}

// rate is the share that matches, with half a match and half a miss added.
func (b *block) rate() float64 { return (b.true + 0.5) / (b.weight + 1) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
