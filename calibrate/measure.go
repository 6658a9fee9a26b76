package calibrate

import (
	"math"

	"tenure/similarity"
)

// Measure is the agreement of a curve with labels. LogLoss and Error (the expected calibration error over ten
// bins, 0 to 1) are over the labels from people. Merged counts labels over the merge threshold, undisputed
// ones included, and WronglySo the different pairs among these; New counts labels from people under the
// threshold of a new entity, and WronglyApart the same pairs among these.
type Measure struct {
	Labels            int
	LogLoss, Error    float64
	Merged, WronglySo int
	New, WronglyApart int
	losses            []float64
}

// Measured returns the agreement of a curve with labels.
func Measured(c Curve, labels []Label) Measure {
	return measured(labels, func(i int) float64 { return c.At(labels[i].Evidence) })
}

func measured(labels []Label, odds func(i int) float64) Measure {
	var m Measure
	var count, said, same [10]float64
	for i, l := range labels {
		p := probability(odds(i))
		if p >= similarity.MergeAt {
			m.Merged++
			m.WronglySo += one(!l.Same)
		}
		if l.Undisputed {
			continue
		}
		if p <= similarity.NewAt {
			m.New++
			m.WronglyApart += one(l.Same)
		}
		y := float64(one(l.Same))
		b := min(int(10*p), 9)
		count[b], said[b], same[b] = count[b]+1, said[b]+p, same[b]+y
		loss := -y*math.Log(p) - (1-y)*math.Log(1-p)
		m.losses = append(m.losses, loss)
		m.LogLoss += loss
		m.Labels++
	}
	for b := range count {
		m.Error += math.Abs(said[b]-same[b]) / float64(max(m.Labels, 1))
	}
	m.LogLoss /= float64(max(m.Labels, 1))
	return m
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Least is the least number of labels from people for a fit.
const Least = 50

// Outcome is the outcome of a recalibration.
type Outcome string

// The outcomes of a recalibration. Worse means that the fit is not clearly better on held-out labels.
const (
	TooFew Outcome = "too_few"
	Stands Outcome = "stands"
	Better Outcome = "better"
)

// Result is the result of a recalibration. After measures the fit by cross-validation. Curve is the fit on
// all labels if the outcome is Better, else the former curve.
type Result struct {
	Outcome       Outcome
	Curve         Curve
	Before, After Measure
}

// folds is the number of folds of the cross-validation.
const folds = 5

// Recalibrate fits a curve to labels. It accepts the fit if cross-validation lowers the log loss by more than
// two standard errors.
func Recalibrate(c Curve, labels []Label) Result {
	r := Result{Outcome: TooFew, Curve: c, Before: Measured(c, labels)}
	r.After = r.Before
	if r.Before.Labels < Least {
		return r
	}
	r.After = measured(labels, crossed(c, labels))
	r.Outcome = Stands
	mean, deviation := gain(r.Before.losses, r.After.losses)
	if mean > 2*deviation && mean > 0 {
		r.Outcome, r.Curve = Better, Fit(c, labels)
	}
	return r
}

// crossed returns, for each label, the log-odds of a fit without the label's fold.
func crossed(c Curve, labels []Label) func(i int) float64 {
	var fits [folds]Curve
	for f := range fits {
		var rest []Label
		for i, l := range labels {
			if i%folds != f {
				rest = append(rest, l)
			}
		}
		fits[f] = Fit(c, rest)
	}
	return func(i int) float64 { return fits[i%folds].At(labels[i].Evidence) }
}

// gain returns the mean decrease of the losses and its standard error.
func gain(before, after []float64) (mean, deviation float64) {
	n := float64(len(before))
	for i := range before {
		mean += (before[i] - after[i]) / n
	}
	for i := range before {
		d := before[i] - after[i] - mean
		deviation += d * d / (n - 1)
	}
	return mean, math.Sqrt(deviation / n)
}
