package bulk

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"tenure"

	"tenure/calibrate"
	"tenure/similarity"
	"tenure/store"
)

// Calibration compares the scores of a model with the decisions of a tenant. Model is the recalibrated model;
// it differs from the previous one only if Improved.
type Calibration struct {
	Decisions calibrate.Decisions
	Result    calibrate.Result
	Model     similarity.File
	// Advice explains in words what the answers of people imply for the thresholds.
	Advice []string
}

// Improved reports whether the fit is clearly better on held-out decisions.
func (c Calibration) Improved() bool { return c.Result.Outcome == calibrate.Better }

// Calibrate fits the scores of a model to the decisions that people made in a tenant.
func Calibrate(
	ctx context.Context, s store.Store, tenant string, file similarity.File, now time.Time,
) (Calibration, error) {
	model, err := similarity.NewModel(file)
	if err != nil {
		return Calibration{}, err
	}
	curve := calibrate.Stated()
	decisions, err := calibrate.CollectLabels(ctx, s, tenant, model, curve)
	if err != nil {
		return Calibration{}, err
	}
	c := Calibration{
		Decisions: decisions, Result: calibrate.Recalibrate(curve, decisions.Labels), Model: file,
		Advice: calibrate.ReportThresholds(decisions.Answers).Findings,
	}
	if c.Improved() {
		c.Model.Version = versionFor(file.Version, tenant, now)
		c.Model.Calibration = c.Result.Curve.After(file.Calibration)
		if len(file.BareNames) > 0 {
			c.Model.BareNames = c.Result.Curve.After(file.BareNames)
		}
	}
	return c, nil
}

// Frequencies lists the words that are more common in a tenant than a model assumes. Model includes their
// counts; it differs from the previous one only if Changed.
type Frequencies struct {
	Classes []ClassFrequencies
	Model   similarity.File
}

// ClassFrequencies lists the name words of a class, largest change of frequency first. TooFew reports that
// the sample of names is too small.
type ClassFrequencies struct {
	Class  string
	Names  int
	TooFew bool
	Words  []WordFrequency
}

// WordFrequency is the information content of a word, in nats, in the model and in the tenant.
type WordFrequency struct {
	Word          string
	Before, After float64
}

// Changed reports whether any word is more common than the model assumes.
func (f Frequencies) Changed() bool {
	return slices.ContainsFunc(f.Classes, func(c ClassFrequencies) bool { return len(c.Words) > 0 })
}

// LearnFrequencies counts the words of a tenant's names and merges the counts into the tables of a model.
func LearnFrequencies(
	ctx context.Context, s store.Store, tenant string, file similarity.File, now time.Time,
) (Frequencies, error) {
	collections, err := NameFrequencies(ctx, s, tenant)
	if err != nil {
		return Frequencies{}, err
	}
	f := Frequencies{Model: file}
	f.Model.Frequencies = maps.Clone(file.Frequencies)
	for _, class := range slices.Sorted(maps.Keys(collections)) {
		before := file.Frequencies[class]
		after, err := calibrate.Frequencies(before, collections[class])
		if err != nil {
			return Frequencies{}, err
		}
		f.Model.Frequencies[class] = after
		words, err := moreCommon(before, after)
		if err != nil {
			return Frequencies{}, err
		}
		names := collections[class].Names
		c := ClassFrequencies{Class: class, Names: names, TooFew: names < calibrate.LeastNames}
		if !c.TooFew {
			c.Words = words
		}
		f.Classes = append(f.Classes, c)
	}
	if f.Changed() {
		f.Model.Version = versionFor(file.Version, tenant, now)
	}
	return f, nil
}

// moreCommon lists the words whose information content fell between before and after.
func moreCommon(before, after similarity.FrequencyFile) ([]WordFrequency, error) {
	was, err := before.Table()
	if err != nil {
		return nil, err
	}
	is, err := after.Table()
	if err != nil {
		return nil, err
	}
	var list []WordFrequency
	for word, to := range is {
		from, known := was[word]
		if !known {
			from = before.Unseen
		}
		if to < from {
			list = append(list, WordFrequency{word, from, to})
		}
	}
	slices.SortFunc(list, func(a, b WordFrequency) int {
		return cmp.Or(cmp.Compare(a.After-a.Before, b.After-b.Before), strings.Compare(a.Word, b.Word))
	})
	return list, nil
}

// versionFor returns the version of a model derived from another for a tenant.
func versionFor(version, tenant string, now time.Time) string {
	base, _, _ := strings.Cut(version, "+")
	return base + "+" + tenant + "." + tenure.At(now).Time().Format("20060102")
}
