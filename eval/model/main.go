// Command model retrains the scoring model of package registry from the labelled
// data: word frequencies, weights, calibration. It cross-validates, prints the
// measures of the model, and writes the file. The output is deterministic.
//
//	go run ./eval/model [--data DIR] [--out FILE] [--dry-run] [--errors N] [--only-report]
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenure/similarity"
)

type options struct {
	data   string
	out    string
	dry    bool
	report bool
	errors int
	set    string
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"), "folder of the data sets")
	flag.StringVar(&o.out, "out", "similarity/model/default.json", "the model's file")
	flag.BoolVar(&o.dry, "dry-run", false, "report, and write nothing")
	flag.BoolVar(&o.report, "only-report", false, "report on the model as it is")
	flag.IntVar(&o.errors, "errors", 0, "show the N worst errors of each set")
	flag.StringVar(&o.set, "set", "", "report on this set alone")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	d, err := load(filepath.Join(o.data, "er"))
	if err != nil {
		return err
	}
	var m *similarity.Model
	if o.report {
		m = similarity.DefaultModel()
	} else {
		// The embedded model may lack the kinds of evidence of this program.
		if m, err = remake(d, o); err != nil {
			return err
		}
	}
	report(d, m, o.set, o.errors)
	return nil
}

// remake trains a model and writes its file.
func remake(d *data, o options) (*similarity.Model, error) {
	f, err := train(d, o)
	if err != nil {
		return nil, err
	}
	content, err := encode(f)
	if err != nil {
		return nil, err
	}
	if !o.dry {
		if err := os.WriteFile(o.out, content, 0o600); err != nil {
			return nil, err
		}
	}
	fmt.Printf("\nmodel: %d bytes\n", len(content))
	return similarity.NewModel(f)
}

func encode(f similarity.File) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(f)
	return b.Bytes(), err
}

// train learns the frequencies, cross-validates the weights, calibrates on the held-out scores, and fits the
// weights to all data.
func train(d *data, o options) (similarity.File, error) {
	freq, err := frequencies(d)
	if err != nil {
		return similarity.File{}, err
	}
	sets := slices.Concat(pairSets, recordSets, slices.Sorted(mapKeys(querySets)))
	l := newLayout(sets[len(pairSets):])
	m, err := similarity.NewModel(similarity.File{Frequencies: freq, Names: start(l)})
	if err != nil {
		return similarity.File{}, err
	}
	list := examples(d, m)
	for i := range list {
		l.fill(&list[i], m)
	}
	out := l.crossValidate(list)
	w := fit(list, l, func(*example) bool { return true })
	f := l.file(w, freq)
	for i, s := range l.sets {
		fmt.Printf("  odd about %s: %+.2f\n", s, w[l.set(i)])
	}
	f.Calibration, f.BareNames = calibrations(out)
	f.Prior.UniqueName, f.Prior.Identified = uniqueName, identified
	reportCrossValidated(sets, out, o.errors)
	return f, nil
}

// crossValidate scores each example by weights and a calibration fitted without its fold.
func (l layout) crossValidate(list []example) []scored {
	out := make([]scored, len(list))
	for k := range folds {
		w := fit(list, l, func(e *example) bool { return e.fold != k })
		for i := range list {
			if e := &list[i]; e.fold == k {
				out[i] = scored{set: e.set, pair: e.pair, fold: k, bare: l.bare(e), odds: l.odds(e, w), match: e.match,
					weight: e.weight, why: l.why(e, w)}
			}
		}
	}
	for k := range folds {
		all, bare := calibrations(slices.DeleteFunc(slices.Clone(out), func(s scored) bool { return s.fold == k }))
		m, err := similarity.NewModel(similarity.File{Calibration: all, BareNames: bare})
		if err != nil {
			panic(err) // calibrations are monotonic
		}
		for i := range out {
			if s := &out[i]; s.fold == k {
				s.calibrated = m.Calibrated(s.odds, s.bare)
			}
		}
	}
	return out
}

// bare reports whether the only evidence of an example is in its names.
func (l layout) bare(e *example) bool {
	return !slices.ContainsFunc(e.x, func(x entry) bool { return x.column >= l.attribute(0) && x.column < l.registry() })
}

// why formats the evidence of an example.
func (l layout) why(e *example, w []float64) string {
	if e.pair == nil {
		return ""
	}
	var parts []string
	sum := map[int]float64{}
	for _, x := range e.x {
		c := x.column
		if n := len(l.names); c < l.attribute(0) {
			c %= n
		}
		sum[c] += w[x.column] * x.amount
	}
	for _, c := range slices.Sorted(maps.Keys(sum)) {
		name := ""
		switch {
		case c < len(l.names):
			name = l.names[c].Name
		case c < l.registry():
			name = l.attributes[c-l.attribute(0)].Name
		default:
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %+.1f", strings.TrimPrefix(name, "name_"), sum[c]))
	}
	return strings.Join(parts, " ")
}

// The priors that no set can teach, in log-odds.
const (
	uniqueName = 4 // in one scope a name means one entity, 50 to 1
	identified = 2 // few exclusive identifiers are wrong or passed on
)

// start returns the initial weights, by which the best of several names is chosen.
func start(l layout) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, c := range classes {
		out[c] = map[string]float64{}
		for _, k := range l.names {
			out[c][k.Name] = float64(k.Sign)
		}
	}
	return out
}

// odds returns the evidence of an example with its prior, without the peculiarities of its set.
func (l layout) odds(e *example, w []float64) float64 {
	z := 0.0
	for _, x := range e.x {
		if x.column <= l.registry() {
			z += w[x.column] * x.amount
		}
	}
	return z
}
