package align

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Model tells how likely the new value of a statement holds for a slot: a sum of decision trees over the features of
// both. See eval/talk/model, which makes it.
type Model struct {
	Features []string `json:"features"`
	Base     float64  `json:"base"`
	Trees    []Tree   `json:"trees"`
	// Stretch and Move calibrate the odds: see [Model.Confidence].
	Stretch float64 `json:"stretch"`
	Move    float64 `json:"move"`
}

// Tree is a decision tree. Node i asks whether a row's Feature[i] is at most Split[i]: then it goes on with Left[i],
// else with Right[i]. A negative index is the end: the leaf of index -1-i, whose value is added.
type Tree struct {
	Feature []int     `json:"feature"`
	Split   []float64 `json:"split"`
	Left    []int     `json:"left"`
	Right   []int     `json:"right"`
	Leaf    []float64 `json:"leaf"`
}

// Log returns the log-odds of a row.
func (m Model) Log(row []float64) float64 {
	sum := m.Base
	for _, t := range m.Trees {
		sum += t.value(row)
	}
	return sum
}

// sumNow and read are the columns of a row with the sum of the evidence and the confidence of the reader.
var sumNow, read = slices.Index(Features(), "sum now"), slices.Index(Features(), "confidence")

// Odds returns the log-odds of a row by the model, by the evidence, and by the reader.
func (m Model) Odds(row []float64) float64 {
	return m.Log(row) + trust*(row[sumNow]-evens+logit(row[read])-logit(usual))
}

// logit returns the log-odds of a probability, within bounds.
func logit(p float64) float64 {
	const least = .1
	p = max(least, min(1-least, p))
	return math.Log(p / (1 - p))
}

// Confidence returns the calibrated probability of odds.
func (m Model) Confidence(odds float64) float64 { return logistic(m.Stretch*odds + m.Move) }

func (t Tree) value(row []float64) float64 {
	i := 0
	for len(t.Feature) > 0 {
		next := t.Right[i]
		if row[t.Feature[i]] <= t.Split[i] {
			next = t.Left[i]
		}
		if next < 0 {
			return t.Leaf[-1-next]
		}
		i = next
	}
	return 0
}

//go:embed model.json
var modelFile []byte

// model is read when it is first needed, so that the program which makes it can be built without it.
var model = sync.OnceValue(func() Model {
	var m Model
	if err := json.Unmarshal(modelFile, &m); err != nil {
		panic(fmt.Sprintf("align: model.json: %v", err))
	}
	if !slices.Equal(m.Features, Features()) {
		panic("align: model.json is of other features: make model")
	}
	return m
})
