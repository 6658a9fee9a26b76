package similarity_test

import (
	"strings"
	"testing"

	"tenure/similarity"
)

func TestModelFile(t *testing.T) {
	for _, c := range []struct{ behaviour, content, fault string }{
		{"an unknown kind of evidence is an error", `{"attributes": {"shoe_size": 1}}`, "shoe_size"},
		{"a calibration that falls is an error", `{"calibration": [{"evidence": 0, "log_odds": 1}, {"evidence": 1, "log_odds": 0}]}`, "falls"},
		{"an empty one weighs nothing", `{}`, ""},
	} {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "-"), func(t *testing.T) {
			m, err := similarity.ParseModel([]byte(c.content))
			switch {
			case c.fault != "":
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("got %v, want an error about %q", err, c.fault)
				}
			case err != nil:
				t.Error(err)
			default:
				p := m.Prepare(person("Ada Park", nil))
				if s := m.Score(p, p, similarity.EvenPrior()); s != 0.5 {
					t.Errorf("score %v", s)
				}
			}
		})
	}
	if similarity.DefaultModel().Version == "" {
		t.Error("the default model has no version")
	}
}
