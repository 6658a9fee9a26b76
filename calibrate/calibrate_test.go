package calibrate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenure/calibrate"
	"tenure/similarity"
)

// shipped is the calibration curve of the tests.
var shipped = calibrate.Curve{
	{Evidence: -12, LogOdds: -8}, {Evidence: -4, LogOdds: -2.8}, {Evidence: 0, LogOdds: 0.3}, {Evidence: 3, LogOdds: 3.4}, {Evidence: 12, LogOdds: 12.2},
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// reviewers returns the labels of n questions from between the thresholds. The true curve is the shipped one
// plus shift, in log-odds.
func reviewers(r *rand.Rand, n int, shift float64) []calibrate.Label {
	low, high := shipped.Evidence(math.Log(0.7/0.3)), shipped.Evidence(math.Log(0.95/0.05))
	labels := make([]calibrate.Label, n)
	for i := range labels {
		x := low + (high-low)*r.Float64()
		labels[i] = calibrate.Label{Evidence: x, Same: r.Float64() < sigmoid(shipped.At(x)+shift)}
	}
	return labels
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func TestATooBoldCurveIsCorrected(t *testing.T) {
	for seed := range uint64(10) {
		labels := reviewers(seeded(seed), 300, -1.5)
		got := calibrate.Recalibrate(shipped, labels)
		if got.Outcome != calibrate.Better {
			t.Fatalf("seed %d: %s", seed, got.Outcome)
		}
		fresh := reviewers(seeded(seed+1000), 5000, -1.5)
		before, after := calibrate.Measured(shipped, fresh), calibrate.Measured(got.Curve, fresh)
		if after.Error > before.Error/2 || after.LogLoss >= before.LogLoss {
			t.Errorf("seed %d: the error went from %.3f to %.3f, the loss from %.3f to %.3f", seed, before.Error, after.Error, before.LogLoss, after.LogLoss)
		}
		for _, x := range []float64{-20, -5, 8, 20} { // far from the labels
			if math.Abs(got.Curve.At(x)-shipped.At(x)) > 0.002 { // knots are rounded
				t.Errorf("seed %d: at %v it moved from %v to %v", seed, x, shipped.At(x), got.Curve.At(x))
			}
		}
	}
}

func TestATooTimidCurveIsCorrected(t *testing.T) {
	got := calibrate.Recalibrate(shipped, reviewers(seeded(1), 400, 1.5))
	if got.Outcome != calibrate.Better || got.Curve.At(1.5) <= shipped.At(1.5) {
		t.Errorf("%s: %v", got.Outcome, got.Curve)
	}
}

func TestARightCurveStays(t *testing.T) {
	changed := 0
	for seed := range uint64(40) {
		if got := calibrate.Recalibrate(shipped, reviewers(seeded(seed), 300, 0)); got.Outcome != calibrate.Stands {
			changed++
		}
	}
	if changed > 2 {
		t.Errorf("a right curve was changed %d times of 40", changed)
	}
}

func TestTooFewAnswersChangeNothing(t *testing.T) {
	got := calibrate.Recalibrate(shipped, reviewers(seeded(1), calibrate.Least-1, -4))
	if got.Outcome != calibrate.TooFew || got.Curve.At(1) != shipped.At(1) {
		t.Errorf("%+v", got)
	}
}

func TestMergesThatNobodyUndidMakeNothingBolder(t *testing.T) {
	r := seeded(1)
	labels := reviewers(r, 200, 0)
	for range 2000 {
		labels = append(labels, calibrate.Label{Evidence: 2.6 + 2*r.Float64(), Same: true, Undisputed: true})
	}
	if got := calibrate.Fit(shipped, labels); got.At(3.5) > shipped.At(3.5)+0.05 {
		t.Errorf("at 3.5 it went from %v to %v", shipped.At(3.5), got.At(3.5))
	}
	undone := append([]calibrate.Label{}, labels...)
	for range 400 {
		undone = append(undone, calibrate.Label{Evidence: 2.6 + 2*r.Float64()})
	}
	if got := calibrate.Fit(shipped, undone); got.At(3.5) > shipped.At(3.5)-0.5 {
		t.Errorf("with a sixth of them undone it went from %v to %v", shipped.At(3.5), got.At(3.5))
	}
}

func TestTheInverseOfACurve(t *testing.T) {
	for x := -20.0; x < 20; x += 0.37 {
		if back := shipped.Evidence(shipped.At(x)); math.Abs(back-x) > 1e-9 {
			t.Errorf("%v comes back as %v", x, back)
		}
	}
}

// FuzzFit checks that any labels yield a finite curve that a model accepts.
func FuzzFit(f *testing.F) {
	f.Add(uint64(1), 100, 0.5, 1.0, 3.0)
	f.Add(uint64(2), 3, 1.0, -50.0, 1e-9)
	f.Add(uint64(3), 200, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, n int, same, middle, spread float64) {
		if math.IsNaN(middle+spread) || math.Abs(middle) > 1000 || math.Abs(spread) > 1000 {
			return // no model produces such evidence
		}
		r := seeded(seed)
		var labels []calibrate.Label
		for range min(max(n, 0), 300) {
			labels = append(labels, calibrate.Label{
				Evidence: middle + spread*r.NormFloat64(), Same: r.Float64() < same, Undisputed: r.IntN(4) == 0,
			})
		}
		got := calibrate.Fit(shipped, labels)
		if _, err := similarity.NewModel(similarity.File{Calibration: got}); err != nil {
			t.Fatalf("%v: %v", err, got)
		}
		for _, k := range got {
			if math.IsNaN(k.LogOdds) || math.IsInf(k.LogOdds, 0) {
				t.Fatalf("%v", got)
			}
		}
	})
}

func TestAfter(t *testing.T) {
	first := calibrate.Curve{{Evidence: -6, LogOdds: -3}, {Evidence: 0, LogOdds: 0.5}, {Evidence: 8, LogOdds: 9}}
	then := calibrate.Curve{{Evidence: -12, LogOdds: -12}, {Evidence: 1, LogOdds: 1}, {Evidence: 2, LogOdds: 1.2}, {Evidence: 12, LogOdds: 11.2}}
	both := then.After(first)
	for x := -14.0; x <= 14; x += 0.25 {
		if got, want := both.At(x), then.At(first.At(x)); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %v: %v, want %v", x, got, want)
		}
	}
}
