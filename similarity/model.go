package similarity

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Model holds the fitted parameters: a weight in log-odds for each kind of evidence, word frequencies, the
// calibration, and the priors. eval/model writes its file. A model is immutable once loaded.
//
// Source: Fellegi and Sunter, A theory for record linkage (JASA 1969); calibration after Platt, Probabilistic
// outputs for support vector machines (1999), piecewise linear here.
type Model struct {
	Version string

	name        [classes][nameFeatures]float64
	attr        [attrFeatures]float64
	frequencies [classes]frequencies
	calibration [2][]Knot // for names with other evidence, for names alone
	prior       PriorFile
	caches      caches
}

// frequencies holds the information content of words in the names of one class.
type frequencies struct {
	unseen float64
	words  map[string]float64
}

// File is the JSON representation of a model.
type File struct {
	Version     string                        `json:"version"`
	Description string                        `json:"description"`
	Names       map[string]map[string]float64 `json:"names"`      // class, feature: log-odds
	Attributes  map[string]float64            `json:"attributes"` // feature: log-odds
	Prior       PriorFile                     `json:"prior"`
	Calibration []Knot                        `json:"calibration"`
	// for evidence from names alone; default Calibration
	BareNames   []Knot                   `json:"calibration_names,omitempty"`
	Frequencies map[string]FrequencyFile `json:"frequencies"` // by class
}

// Knot is a point of the calibration, a non-decreasing, piecewise linear map from evidence to calibrated
// log-odds.
type Knot struct {
	Evidence float64 `json:"evidence"`
	LogOdds  float64 `json:"log_odds"`
}

// PriorFile holds the priors in log-odds, by how a candidate was found.
type PriorFile struct {
	Registry   float64 `json:"registry"`
	UniqueName float64 `json:"unique_name"`
	Identified float64 `json:"identified"`
}

// FrequencyFile lists words by information content in nats: the keys of Words are the values, in steps of a
// quarter.
type FrequencyFile struct {
	Unseen float64           `json:"unseen"`
	Words  map[string]string `json:"words"`
}

//go:embed model/default.json
var defaultModel []byte

// DefaultModel returns the built-in model, parsed once.
var DefaultModel = sync.OnceValue(func() *Model {
	m, err := ParseModel(defaultModel)
	if err != nil {
		panic("similarity: model/default.json: " + err.Error()) // the model is embedded, and a test loads it
	}
	return m
})

// ParseModel parses a model's file. Kinds of evidence that the file omits have weight 0; an unknown kind is
// an error.
func ParseModel(data []byte) (*Model, error) {
	var f File
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	return NewModel(f)
}

// NewModel builds a model from the content of its file.
func NewModel(f File) (*Model, error) {
	m := &Model{
		Version: f.Version, calibration: [2][]Knot{f.Calibration, f.BareNames}, prior: f.Prior, caches: newCaches(),
	}
	for k := range classes {
		if err := fillWeights(m.name[k][:], f.Names[classNames[k]],
			func(i int) string { return nameWords[i].name }); err != nil {
			return nil, err
		}
		words, err := f.Frequencies[classNames[k]].Table()
		if err != nil {
			return nil, err
		}
		m.frequencies[k] = frequencies{f.Frequencies[classNames[k]].Unseen, words}
	}
	if err := fillWeights(m.attr[:], f.Attributes, func(i int) string { return attrWords[i].name }); err != nil {
		return nil, err
	}
	if f.BareNames == nil {
		m.calibration[1] = f.Calibration
	}
	for _, c := range m.calibration {
		for i := 1; i < len(c); i++ {
			if c[i-1].Evidence >= c[i].Evidence || c[i-1].LogOdds > c[i].LogOdds {
				return nil, fmt.Errorf("the calibration falls at %v", c[i].Evidence)
			}
		}
	}
	return m, nil
}

func fillWeights(out []float64, from map[string]float64, name func(int) string) error {
	known := map[string]bool{}
	for i := range out {
		w := from[name(i)]
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("the weight of %s is no number", name(i))
		}
		out[i], known[name(i)] = w, true
	}
	for n := range from {
		if !known[n] {
			return fmt.Errorf("unknown kind of evidence %q", n)
		}
	}
	return nil
}

// Table returns the information content of each word, in nats.
func (f FrequencyFile) Table() (map[string]float64, error) {
	table := map[string]float64{}
	for value, list := range f.Words {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("frequencies: %q is no number of nats", value)
		}
		for _, w := range strings.Fields(list) {
			table[w] = v
		}
	}
	return table, nil
}

// info returns the information content of a word in names of a class, in nats: -ln of its frequency; for a
// word outside the table an estimate from its length.
func (m *Model) info(w string, k class) float64 {
	if len(w) <= 1 {
		return initialInfo
	}
	f := &m.frequencies[k]
	if v, ok := f.words[w]; ok {
		return v
	}
	switch {
	case len(w) == 2:
		return min(f.unseen, 5)
	case len(w) == 3:
		return min(f.unseen, 8)
	}
	return f.unseen
}

// calibrated maps evidence to calibrated log-odds. Names alone have a map of their own, because the same sum
// proves less or more without other evidence.
func (m *Model) calibrated(x float64, bare bool) float64 {
	c := m.calibration[0]
	if bare {
		c = m.calibration[1]
	}
	if len(c) == 0 {
		return x
	}
	if x <= c[0].Evidence {
		return c[0].LogOdds + (x - c[0].Evidence)
	}
	for i := 1; i < len(c); i++ {
		if x <= c[i].Evidence {
			a, b := c[i-1], c[i]
			return a.LogOdds + (x-a.Evidence)*(b.LogOdds-a.LogOdds)/(b.Evidence-a.Evidence)
		}
	}
	last := c[len(c)-1]
	return last.LogOdds + (x - last.Evidence)
}

// DefaultFile returns the content of the built-in model.
func DefaultFile() (File, error) {
	var f File
	err := json.Unmarshal(defaultModel, &f)
	return f, err
}
