package main

import (
	"encoding/json"
	"os"
	"testing"

	"tenure/statements/align"
)

// The model in the tree is one for the features that are measured now; whoever changes these makes it again.
func TestModelIsCurrent(t *testing.T) {
	data, err := os.ReadFile("../../../statements/align/model.json")
	if err != nil {
		t.Fatal(err)
	}
	var m align.Model
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if got, want := len(m.Features), len(align.Features()); got != want {
		t.Fatalf("the model has %d features, %d are measured: make model", got, want)
	}
	for i, name := range align.Features() {
		if m.Features[i] != name {
			t.Errorf("feature %d is %q, %q is measured", i, m.Features[i], name)
		}
	}
}

// Two classes that one feature tells apart, and another does not.
func TestBoostTellsApart(t *testing.T) {
	var list []example
	for i := range 200 {
		x := float64(i % 10)
		list = append(list, example{row: []float64{float64(i % 7), x, 1}, yes: x > 6})
	}
	m := boost(list, settings{trees: 40, leaves: 4, smallest: 5, rate: .2, ridge: 1, rows: 1, features: 1})
	for _, c := range []struct {
		row []float64
		yes bool
	}{{[]float64{3, 9, 1}, true}, {[]float64{3, 7, 1}, true}, {[]float64{3, 6, 1}, false}, {[]float64{3, 0, 1}, false}} {
		if odds := m.Log(c.row); odds > 0 != c.yes {
			t.Errorf("%v has log-odds of %.2f, want yes: %t", c.row, odds, c.yes)
		}
	}
	again := boost(list, settings{trees: 40, leaves: 4, smallest: 5, rate: .2, ridge: 1, rows: 1, features: 1})
	one, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	two, err := json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	if string(one) != string(two) {
		t.Error("the same examples give another model")
	}
}
