package remote

import (
	"math"
	"testing"

	"tenure/endpoint"
)

// FuzzAnswer checks that an answer is refused, or is what was asked for: for each text a vector of length one or zero, all of
// the same dimension, and a score that is a number.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,0]}]}`, `{"data":[{"index":0,"embedding":[]}]}`,
		`{"data":[{"index":0,"embedding":[1e-40,0]},{"index":1,"embedding":[3e38,3e38]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, `{"data":[{"embedding":[1]},{"index":9}]}`,
		`{"results":[{"index":1,"relevance_score":-3},{"index":0,"relevance_score":1e308}]}`,
		`{"results":[{"index":0},{"index":1}]}`, `{"results":[{"index":-1,"relevance_score":1}]}`, `null`, `[`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		const texts = 2
		e, err := NewEmbedder(Config{Config: endpoint.Config{URL: "http://127.0.0.1:9", Model: "m"}})
		if err != nil {
			t.Fatal(err)
		}
		if list, err := e.vectors(raw, texts); err == nil {
			if len(list) != texts || len(list[0]) != len(list[1]) || len(list[0]) != e.Dimension() {
				t.Errorf("%d vectors", len(list))
			}
			for _, v := range list {
				var sum float64
				for _, x := range v {
					sum += float64(x) * float64(x)
				}
				if math.IsNaN(sum) || sum != 0 && math.Abs(sum-1) > 1e-3 {
					t.Errorf("the vector %v has the length %v", v, math.Sqrt(sum))
				}
			}
		}
		if scores, err := scoresOf(raw, texts); err == nil {
			for _, s := range scores {
				if math.IsNaN(s) || math.IsInf(s, 0) || len(scores) != texts {
					t.Errorf("the scores %v", scores)
				}
			}
		}
	})
}
