package main

import (
	"math"
	"slices"

	"tenure/calibrate"
	"tenure/similarity"
)

// scored is the evidence of an example with its prior, before calibration.
type scored struct {
	source     source
	pair       *labelled // nil where blocking proposed it
	fold       int
	bare       bool // the only evidence is in names
	odds       float64
	calibrated float64
	match      bool
	weight     float64
	why        string
}

// calibrations fits the maps for names with other evidence and for names alone. What other evidence proves hardly
// depends on the set, so that its map is fitted to what was seen, if anything was; what names alone prove does.
func calibrations(seen, unseen []scored) (all, bare []similarity.Knot) {
	other := func(s scored) bool { return !s.bare && s.source.calibrates() }
	names := func(s scored) bool { return s.bare && s.source.calibrates() }
	rich := only(seen, other)
	if len(rich) == 0 {
		rich = only(unseen, other)
	}
	alone := only(seen, names)
	for _, s := range only(unseen, names) {
		s.weight *= unseenWeight
		alone = append(alone, s)
	}
	return calibrateScores(rich), calibrateScores(alone)
}

// unseenWeight is the weight of a pair whose family is left out, in that of a pair whose like was seen.
const unseenWeight = 0.25

// bends are the knots at which the calibration may change its slope, in evidence.
var bends = []float64{-4, -1, 0, 1, 2, 4}

// calibrateScores fits the map from evidence to log-odds by logistic regression on the evidence (Platt 1999),
// piecewise linear with non-negative slopes between the bends. Single pairs influence it less than they do
// isotonic regression, which matters at the thresholds.
func calibrateScores(list []scored) []similarity.Knot {
	n := len(bends) + 2
	w := make([]float64, n) // at 0 evidence, then the slope of each part
	for i := 1; i < n; i++ {
		w[i] = 1
	}
	for range 30 {
		gradient, hessian := make([]float64, n), make([]float64, n*n)
		for _, s := range list {
			x := parts(s.odds)
			z := 0.0
			for i := range x {
				z += w[i] * x[i]
			}
			p, y := sigmoid(z), 0.0
			if s.match {
				y = 1
			}
			for i := range x {
				gradient[i] += s.weight * (p - y) * x[i]
				for j := range x {
					hessian[i*n+j] += s.weight * max(p*(1-p), 1e-4) * x[i] * x[j]
				}
			}
		}
		for i := smoothFrom; i < n; i++ {
			calibrate.Level(w, gradient, hessian, i, smooth)
		}
		descend(w, gradient, hessian)
	}
	var knots []similarity.Knot
	for _, at := range append(append([]float64{-12}, bends...), 12) {
		z := 0.0
		for i, x := range parts(at) {
			z += w[i] * x
		}
		knots = append(knots, similarity.Knot{Evidence: at, LogOdds: round(z)})
	}
	return knots
}

// flattest is the least slope. From the part after 0 evidence on, smooth pulls the slopes of adjacent parts
// together, like a normal prior on their difference with variance 1/smooth: that region has few non-matching
// pairs, and the merge threshold must not follow single pairs.
const (
	flattest   = 0.2
	smooth     = 10
	smoothFrom = 3
)

// descend solves a step of Newton's method by coordinate descent.
func descend(w, gradient, hessian []float64) {
	n := len(w)
	d := make([]float64, n)
	for range 100 {
		for i := range w {
			g := gradient[i]
			for j, v := range d {
				g += hessian[i*n+j] * v
			}
			next := w[i] + d[i] - g/(hessian[i*n+i]+1e-9)
			if i > 0 {
				next = max(next, flattest)
			}
			d[i] = min(max(next-w[i], -1), 1)
		}
	}
	for i := range w {
		w[i] += d[i]
	}
}

// parts splits evidence into a constant and the lengths covered between the bends, measured from 0.
func parts(x float64) []float64 {
	out := []float64{1}
	low := math.Inf(-1)
	for _, high := range append(slices.Clone(bends), math.Inf(1)) {
		out = append(out, min(max(x, low), high)-min(max(0, low), high))
		low = high
	}
	return out
}
