package main

import (
	"math"

	"tenure/statements"
)

// clause is a clause with what its author says that it does.
type clause struct {
	writer string
	traits []uint16
	yes    bool
}

// regression are the settings of a logistic regression.
type regression struct {
	rounds      int
	rate, ridge float64
	traits      int // places
	levels      float64
}

var usualRegression = regression{rounds: 120, rate: .15, ridge: 8, traits: statements.Traits, levels: 127}

// fit returns the weights of a logistic regression with an L2 penalty, by gradient descent with a step of its own for each
// weight (Duchi, Hazan and Singer 2011). The same clauses give the same weights.
func (s regression) fit(list []clause) ([]float64, float64) {
	w, grad, sum := make([]float64, s.traits+1), make([]float64, s.traits+1), make([]float64, s.traits+1)
	base := s.traits
	for range s.rounds {
		for j := range w {
			grad[j] = s.ridge * w[j]
		}
		grad[base] = 0
		for _, c := range list {
			z := w[base]
			for _, t := range c.traits {
				z += w[t]
			}
			d := 1 / (1 + math.Exp(-z))
			if c.yes {
				d--
			}
			grad[base] += d
			for _, t := range c.traits {
				grad[t] += d
			}
		}
		for j, g := range grad {
			if g != 0 {
				sum[j] += g * g
				w[j] -= s.rate * g / math.Sqrt(sum[j])
			}
		}
	}
	return w[:base], w[base]
}

// calibrate returns the factor and the offset that fit log-odds to outcomes (Platt 1999).
func calibrate(odds []float64, yes []bool) (stretch, move float64) {
	stretch = 1
	const longest = .25
	step := func(x float64) float64 { return max(-longest, min(longest, x)) }
	for range 100 { // Newton's method, by short steps
		var g0, g1, h00, h01, h11 float64
		for i, z := range odds {
			p := 1 / (1 + math.Exp(-stretch*z-move))
			d, h := p, p*(1-p)
			if yes[i] {
				d--
			}
			g0, g1 = g0+d*z, g1+d
			h00, h01, h11 = h00+h*z*z, h01+h*z, h11+h
		}
		h00, h11 = h00+1e-6, h11+1e-6
		det := h00*h11 - h01*h01
		stretch -= step((h11*g0 - h01*g1) / det)
		move -= step((h00*g1 - h01*g0) / det)
	}
	return rounded(stretch), rounded(move)
}
