package calibrate

import (
	"math"
	"slices"

	"tenure/similarity"
)

// Label is the decision about a pair that was compared. Evidence is in log-odds, prior included, before
// calibration. Undisputed marks a merge by score that was not undone: weak evidence that the model was right.
type Label struct {
	Evidence   float64
	Same       bool
	Undisputed bool
}

// Curve is a calibration: a piecewise linear map from evidence to log-odds, of slope 1 outside its knots.
type Curve []similarity.Knot

// At returns the log-odds of evidence.
func (c Curve) At(x float64) float64 {
	return along(c, x, func(k similarity.Knot) (float64, float64) { return k.Evidence, k.LogOdds })
}

// Evidence returns the inverse of [Curve.At]: the least evidence with these log-odds.
func (c Curve) Evidence(odds float64) float64 {
	return along(c, odds, func(k similarity.Knot) (float64, float64) { return k.LogOdds, k.Evidence })
}

// Stated returns the identity curve. Labels fitted against it are in the log-odds that a model states,
// independent of the calibrations of the model.
func Stated() Curve { return Curve{{Evidence: -12, LogOdds: -12}, {Evidence: 12, LogOdds: 12}} }

// After returns the composition of two curves: first, then this one.
func (c Curve) After(first Curve) Curve {
	var places []float64
	for _, k := range first {
		places = append(places, k.Evidence)
	}
	for _, k := range c {
		places = append(places, first.Evidence(k.Evidence))
	}
	slices.Sort(places)
	var out Curve
	for _, x := range places {
		if len(out) == 0 || x > out[len(out)-1].Evidence+1e-6 {
			out = append(out, similarity.Knot{Evidence: x, LogOdds: c.At(first.At(x))})
		}
	}
	return out
}

func along(c Curve, x float64, axes func(similarity.Knot) (float64, float64)) float64 {
	if len(c) == 0 {
		return x
	}
	if from, to := axes(c[0]); x <= from {
		return to + x - from
	}
	for i := 1; i < len(c); i++ {
		a, b := c[i-1], c[i]
		x0, y0 := axes(a)
		if x1, y1 := axes(b); x <= x1 && x1 > x0 {
			return y0 + (x-x0)*(y1-y0)/(x1-x0)
		}
	}
	from, to := axes(c[len(c)-1])
	return to + x - from
}

const (
	// reach is the distance, in evidence, over which the correction falls to 0 outside the labels.
	reach = 3
	// apart is the least distance between the knots of the correction.
	apart = 0.5
	// pull is the weight of the prior on each knot's correction, a normal of mean 0 and deviation 0.5; level
	// is the weight of the same prior on the difference of neighbouring knots.
	pull, level = 4, 4
	// flattest is the least slope of a fitted curve.
	flattest = 0.05
)

// Fit returns the curve with a correction that minimises the penalised log loss on the labels, by Newton's
// method. The correction is piecewise linear and 0 away from the labels. The result is increasing.
func Fit(c Curve, labels []Label) Curve {
	places := placesOf(labels)
	if len(places) == 0 {
		return c
	}
	b := bend{at: slices.Concat([]float64{places[0] - reach}, places, []float64{places[len(places)-1] + reach})}
	b.by = make([]float64, len(b.at))
	samples := samplesOf(c, labels)
	for range 30 {
		b.step(samples)
	}
	return b.apply(c)
}

// placesOf returns the knots of the correction: the quantiles 0.1, 0.3, 0.5, 0.7 and 0.9 of the labels'
// evidence, without knots that are too close to the one before.
func placesOf(labels []Label) []float64 {
	var sorted []float64
	for _, l := range labels {
		sorted = append(sorted, l.Evidence)
	}
	slices.Sort(sorted)
	var places []float64
	for _, q := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		if len(sorted) == 0 {
			break
		}
		x := sorted[int(q*float64(len(sorted)-1))]
		if len(places) == 0 || x >= places[len(places)-1]+apart {
			places = append(places, x)
		}
	}
	return places
}

// sample is a label as the fit reads it; want is the target probability. The target of an undisputed label is
// the curve's own probability, so that undisputed merges never make the curve more confident.
type sample struct{ evidence, odds, want, weight float64 }

func samplesOf(c Curve, labels []Label) []sample {
	weight := automaticWeight(labels)
	list := make([]sample, len(labels))
	for i, l := range labels {
		s := sample{evidence: l.Evidence, odds: c.At(l.Evidence), weight: 1}
		switch {
		case l.Undisputed:
			s.want, s.weight = probability(s.odds), weight
		case l.Same:
			s.want = 1
		}
		list[i] = s
	}
	return list
}

// automaticWeight returns the weight of an undisputed label, which bounds the sum of these weights by twice
// the number of the other labels.
func automaticWeight(labels []Label) float64 {
	undisputed := 0
	for _, l := range labels {
		if l.Undisputed {
			undisputed++
		}
	}
	return min(1, 2*float64(len(labels)-undisputed)/float64(max(undisputed, 1)))
}

// bend is a piecewise linear correction, 0 at both ends.
type bend struct{ at, by []float64 }

// parts returns the index of the interval that contains x, and the position of x within the interval, 0 to 1.
func (b bend) parts(x float64) (i int, near float64, inside bool) {
	for i := 1; i < len(b.at); i++ {
		if x >= b.at[i-1] && x <= b.at[i] {
			return i - 1, (x - b.at[i-1]) / (b.at[i] - b.at[i-1]), true
		}
	}
	return 0, 0, false
}

func (b bend) of(x float64) float64 {
	i, near, inside := b.parts(x)
	if !inside {
		return 0
	}
	return (1-near)*b.by[i] + near*b.by[i+1]
}

// step performs one step of Newton's method on the penalised log loss, by coordinate descent.
func (b bend) step(samples []sample) {
	n := len(b.at)
	gradient, hessian := make([]float64, n), make([]float64, n*n)
	for _, s := range samples {
		i, near, inside := b.parts(s.evidence)
		if !inside {
			continue
		}
		p := probability(s.odds + b.of(s.evidence))
		share := [2]float64{1 - near, near}
		for k, x := range share {
			gradient[i+k] += s.weight * (p - s.want) * x
			for m, y := range share {
				hessian[(i+k)*n+i+m] += s.weight * max(p*(1-p), 1e-4) * x * y
			}
		}
	}
	for i := 1; i < n-1; i++ {
		gradient[i] += pull * b.by[i]
		hessian[i*n+i] += pull
		if i > 1 {
			Level(b.by, gradient, hessian, i, level)
		}
	}
	move := make([]float64, n)
	for range 100 {
		for i := 1; i < n-1; i++ {
			g := gradient[i]
			for j, v := range move {
				g += hessian[i*n+j] * v
			}
			move[i] = min(max(move[i]-g/hessian[i*n+i], -1), 1)
		}
	}
	for i, v := range move {
		b.by[i] += v
	}
}

// apply adds the correction to a curve.
func (b bend) apply(c Curve) Curve {
	var at []float64
	for _, k := range c {
		at = append(at, k.Evidence)
	}
	at = append(at, b.at...)
	slices.Sort(at)
	var next Curve
	for _, x := range slices.Compact(at) {
		k := similarity.Knot{Evidence: round(x), LogOdds: round(c.At(x) + b.of(x))}
		if n := len(next); n > 0 {
			if k.Evidence <= next[n-1].Evidence {
				continue
			}
			k.LogOdds = max(k.LogOdds, round(next[n-1].LogOdds+flattest*(k.Evidence-next[n-1].Evidence)))
		}
		next = append(next, k)
	}
	return next
}

// Level adds a smoothness penalty between the values at i-1 and i to the derivatives of a loss: a normal
// prior on the difference, whose variance is the inverse of the weight. The Hessian is square, in row-major
// order.
func Level(values, gradient, hessian []float64, i int, weight float64) {
	n := len(values)
	d := weight * (values[i] - values[i-1])
	gradient[i] += d
	gradient[i-1] -= d
	hessian[i*n+i] += weight
	hessian[(i-1)*n+i-1] += weight
	hessian[i*n+i-1] -= weight
	hessian[(i-1)*n+i] -= weight
}

func round(x float64) float64 { return math.Round(x*1000) / 1000 }

func probability(odds float64) float64 { return 1 / (1 + math.Exp(-min(max(odds, -30), 30))) }
