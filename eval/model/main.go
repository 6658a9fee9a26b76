// Command model retrains the scoring model of package registry from the labelled
// data: word frequencies, weights, calibration. It cross-validates, prints the
// measures of the model, and writes the file. The output is deterministic.
//
//	go run ./eval/model [--data DIR] [--out FILE] [--dry-run] [--errors N] [--only-report] [--quick] [--pairs N]
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
	"reflect"
	"slices"
	"strings"

	"tenure/similarity"
)

type options struct {
	data   string
	out    string
	dry    bool
	report bool
	quick  bool
	pairs  int
	errors int
	set    string
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"), "folder of the data sets")
	flag.StringVar(&o.out, "out", "similarity/model/default.json", "the model's file")
	flag.BoolVar(&o.dry, "dry-run", false, "report, and write nothing")
	flag.BoolVar(&o.report, "only-report", false, "report on the model as it is")
	flag.BoolVar(&o.quick, "quick", false, "report on left-out pairs alone")
	flag.IntVar(&o.pairs, "pairs", 3000, "learn from at most N pairs of each set")
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
	if !o.quick {
		report(d, m, o)
	}
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

// train learns the frequencies and the weights, and calibrates them by what each pair scores where the model has
// seen its like, and where its family is left out: a tenant may have names of either sort.
func train(d *data, o options) (similarity.File, error) {
	list := choose(d, o.pairs)
	all := count(d)
	freq, err := all.frequencies("")
	if err != nil {
		return similarity.File{}, err
	}
	t, err := read(list, freq)
	if err != nil {
		return similarity.File{}, err
	}
	t.weights = t.fit(nil, func(e *example) bool { return true })
	for i, s := range t.layout.sets {
		fmt.Printf("  odd about %s: %+.2f\n", s, t.weights[t.layout.set(i)])
	}
	seen, err := t.crossValidate()
	if err != nil {
		return similarity.File{}, err
	}
	unseen, err := t.leaveOut(all, list, freq, seen)
	if err != nil {
		return similarity.File{}, err
	}
	f := t.layout.file(t.weights, freq)
	f.Calibration, f.BareNames = calibrations(seen, unseen)
	f.Prior.UniqueName, f.Prior.Identified = uniqueName, identified
	reportGap(seen, unseen, o)
	return f, nil
}

// trained are the weights that were learned from some of the examples, and the examples as the model reads them.
type trained struct {
	layout   layout
	weights  []float64
	examples []example
}

// read returns the examples as a model with these frequencies reads them, without weights.
func read(list []unprepared, freq map[string]similarity.FrequencyFile) (trained, error) {
	t := trained{layout: newLayout()}
	m, err := similarity.NewModel(similarity.File{Frequencies: freq, Names: start(t.layout)})
	if err != nil {
		return t, err
	}
	t.examples = prepare(list, m, t.layout)
	return t, nil
}

// fit returns the weights that fit the examples that are kept. It begins at weights that are near, if there are any.
func (t trained) fit(near []float64, keep func(*example) bool) []float64 {
	return fit(t.examples, t.layout, near, func(e *example) bool { return e.source.learned() && keep(e) })
}

// score returns the examples of some sets with their evidence.
func (t trained) score(of func(*example) bool) []scored {
	var out []scored
	for i := range t.examples {
		if e := &t.examples[i]; of(e) {
			out = append(out, scored{source: e.source, pair: e.pair, fold: e.fold, bare: t.layout.bare(e), match: e.match,
				odds: t.layout.odds(e, t.weights), weight: e.weight, why: t.layout.why(e, t.weights)})
		}
	}
	return out
}

// crossValidate scores each example by weights and a calibration fitted without its fold, but with the rest of its set.
func (t trained) crossValidate() ([]scored, error) {
	var out []scored
	whole := t.weights
	for k := range folds {
		t.weights = t.fit(whole, func(e *example) bool { return e.fold != k })
		out = append(out, t.score(func(e *example) bool { return e.fold == k })...)
	}
	return out, calibrateApart(out, nil, func(s *scored) string { return fmt.Sprint(s.fold) })
}

// leaveOut scores the examples of each family by words, weights and a calibration that are learned without the family,
// and those of the ordinary cases by what is learned from all.
func (t trained) leaveOut(all collections, list []unprepared, freq map[string]similarity.FrequencyFile,
	seen []scored) ([]scored, error) {
	var out []scored
	whole := t.weights
	for _, family := range append(families(), sourceOf("ordinary").family) {
		part := t
		without, err := all.frequencies(family)
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(freq, without) {
			if part, err = read(list, without); err != nil {
				return nil, err
			}
		}
		part.weights = part.fit(whole, func(e *example) bool { return e.source.family != family })
		out = append(out, part.score(func(e *example) bool { return e.source.family == family })...)
	}
	return out, calibrateApart(out, seen, func(s *scored) string { return s.source.family })
}

// calibrateApart calibrates the scores of each part by those of all others, and by those of other parts that were scored
// otherwise.
func calibrateApart(list, also []scored, part func(*scored) string) error {
	parts := map[string]bool{}
	for i := range list {
		parts[part(&list[i])] = true
	}
	for p := range parts {
		out := func(s scored) bool { return part(&s) != p && s.source.learned() }
		all, bare := calibrations(only(also, out), only(list, out))
		m, err := similarity.NewModel(similarity.File{Calibration: all, BareNames: bare})
		if err != nil {
			return err
		}
		for i := range list {
			if s := &list[i]; part(s) == p {
				s.calibrated = m.Calibrated(s.odds, s.bare)
			}
		}
	}
	return nil
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
