package statements

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"sync"
)

// Weights tell how likely the words of a clause change what stands: they are summed over what holds of the clause. See
// eval/talk/model, which makes them.
type Weights struct {
	// Version is that of the traits: see [TraitsVersion].
	Version string `json:"version"`
	// Table has a weight for each place of a trait, a signed byte each.
	Table []byte `json:"table"`
	// Base and Scale make log-odds of a sum.
	Base  float64 `json:"base"`
	Scale float64 `json:"scale"`
}

// Log returns the log-odds of a clause.
func (w *Weights) Log(traits []uint16) float64 {
	sum := 0
	for _, t := range traits {
		sum += int(int8(w.Table[t]))
	}
	return w.Base + w.Scale*float64(sum)
}

// Likely returns the probability that a clause changes what stands.
func (w *Weights) Likely(traits []uint16) float64 { return 1 / (1 + math.Exp(-w.Log(traits))) }

//go:embed acts.json
var actsFile []byte

// weights are read when they are first needed, so that the program which makes them can be built without them.
var weights = sync.OnceValue(func() *Weights {
	w := &Weights{}
	if err := json.Unmarshal(actsFile, w); err != nil {
		panic(fmt.Sprintf("statements: acts.json: %v", err))
	}
	if len(w.Table) != Traits {
		panic("statements: acts.json is of other traits: make model")
	}
	return w
})
