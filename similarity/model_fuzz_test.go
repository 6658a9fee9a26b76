package similarity_test

import (
	"os"
	"testing"

	"tenure/similarity"
)

// FuzzModel checks that a file of a scoring model is refused, or gives scores that keep the laws of scores.
func FuzzModel(f *testing.F) {
	model, err := os.ReadFile("model/default.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(model[:min(len(model), 4000)])
	for _, s := range []string{
		`{}`, `null`, `[]`, `{"version":"x","prior":1e308}`, `{"attributes":{"email_equal":1e308}}`, `{"attributes":{"none":1}}`,
		`{"calibration":[{"evidence":1,"log_odds":2},{"evidence":0,"log_odds":3}]}`,
		`{"calibration":[{"evidence":0,"log_odds":-1e308},{"evidence":1e-300,"log_odds":1e308}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := similarity.ParseModel(raw)
		if err != nil {
			return
		}
		l := m.Prepare(similarity.Profile{Names: []string{"Ada Park"}, Type: "person", Attributes: attrs{"email": {"a@b.example"}}})
		r := m.Prepare(similarity.Profile{Names: []string{"Ada M. Park"}, Type: "person", Attributes: attrs{"email": {"a@b.example"}}})
		there, back := m.Score(l, r, similarity.EvenPrior()), m.Score(r, l, similarity.EvenPrior())
		if !(there >= 0 && there <= 1) || there != back {
			t.Errorf("%v there, %v back", there, back)
		}
	})
}
