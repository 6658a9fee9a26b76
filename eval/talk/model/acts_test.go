package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"tenure/statements"
)

// The weights in the tree are of as many places as there are, few bytes, and tell what everybody would.
func TestActsAreCurrent(t *testing.T) {
	data, err := os.ReadFile("../../../statements/acts.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 200_000 {
		t.Errorf("the file has %d bytes", len(data))
	}
	var w statements.Weights
	if err := json.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	if len(w.Table) != statements.Traits {
		t.Fatalf("the weights are of %d places, there are %d: make model", len(w.Table), statements.Traits)
	}
	if now := statements.TraitsVersion(); w.Version != now {
		t.Errorf("the weights are of traits %q, those measured are %q: make model", w.Version, now)
	}
	for _, tt := range []struct {
		text    string
		changes bool
	}{
		{"The launch city is Namur now.", true}, {"we moved the retro to Friday", true},
		{"could we move the retro to Friday?", false}, {"what if the launch city were Namur", false},
		{"I wish the launch city were Namur", false},
	} {
		c := statements.Measure(statements.Turn{Text: tt.text, At: 1}, nil)
		if len(c) == 0 {
			t.Fatalf("%q has no clause", tt.text)
		}
		if p := w.Likely(c[0].Traits); p > .5 != tt.changes {
			t.Errorf("%q changes something with %.2f, want %t", tt.text, p, tt.changes)
		}
	}
}

// A regression finds the trait that decides, and its odds are calibrated to how often it does.
func TestRegressionIsCalibrated(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var list []clause
	for range 2000 {
		c := clause{traits: []uint16{uint16(random.IntN(2)), uint16(2 + random.IntN(5))}}
		c.yes = random.Float64() < []float64{.2, .9}[c.traits[0]]
		list = append(list, c)
	}
	w := regression{rounds: 120, rate: .15, ridge: 1, traits: 8, levels: 127}.weights(list)
	for trait, want := range []float64{.2, .9} {
		if p := w.Likely([]uint16{uint16(trait), 4}); p < want-.05 || p > want+.05 {
			t.Errorf("trait %d has %.2f, want %.2f", trait, p, want)
		}
	}
	var odds []float64
	var yes []bool
	for _, c := range list {
		odds, yes = append(odds, 3*w.Log(c.traits)+1), append(yes, c.yes)
	}
	stretch, move := calibrate(odds, yes)
	if stretch < .28 || stretch > .4 || move > -.2 || move < -.5 {
		t.Errorf("stretched by %.2f and moved by %.2f, want about .33 and -.33", stretch, move)
	}
}
