package similarity

import (
	"math"
	"testing"
)

// logOdds is the inverse of Probability.
func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

// TestLinks checks which pairs of clusters may be joined: from the merge threshold on, without a bar.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		odds   float64
		barred bool
		want   bool
	}{
		{logOdds(MergeAt) + 1e-9, false, true},
		{logOdds(MergeAt) - 1e-9, false, false},
		{logOdds(MergeAt) + 1, true, false},
	} {
		if got := (Pair{Registry: c.odds, Barred: c.barred}).Links(); got != c.want {
			t.Errorf("%v, barred %v: %v", c.odds, c.barred, got)
		}
	}
}

// TestCannotLink checks which pairs of clusters must stay apart: barred ones, ones as surely different as merged ones
// are the same, and ones that score as different with one strong contradiction.
func TestCannotLink(t *testing.T) {
	for _, c := range []struct {
		behaviour string
		pair      Pair
		want      bool
	}{
		{"barred", Pair{even: 9, Barred: true}, true},
		{"surely-different", Pair{even: logOdds(1-MergeAt) - 1e-9}, true},
		{"not-so-surely", Pair{even: logOdds(1-MergeAt) + 1e-9}, false},
		{"one-strong-contradiction", Pair{even: logOdds(NewAt) - 1e-9, worst: Margin}, true},
		{"a-weaker-one", Pair{even: logOdds(NewAt) - 1e-9, worst: Margin - 1e-9}, false},
		{"one-strong-contradiction-outweighed", Pair{even: logOdds(NewAt) + 1e-9, worst: Margin + 1}, false},
		{"the-registry-alone-says-so", Pair{Registry: -9, even: 1}, false},
	} {
		if got := c.pair.CannotLink(); got != c.want {
			t.Errorf("%s: %v", c.behaviour, got)
		}
	}
}

// TestProbability checks the logistic function and its bounds, which keep every answer short of certainty.
func TestProbability(t *testing.T) {
	for _, p := range []float64{.01, .5, .7, .95, .999} {
		if got := Probability(logOdds(p)); math.Abs(got-p) > 1e-12 {
			t.Errorf("%v: %v", p, got)
		}
	}
	if Probability(30) != Probability(40) || Probability(-30) != Probability(-40) || Probability(29) >= Probability(30) {
		t.Error("log-odds are not bounded at 30")
	}
	if p := Probability(math.Inf(1)); p >= 1 {
		t.Errorf("certainty: %v", p)
	}
}

// TestCalibration checks the map from evidence to log-odds: linear between its points and with slope one beyond them,
// with a map of its own for names alone.
func TestCalibration(t *testing.T) {
	m, err := ParseModel([]byte(`{"calibration": [{"evidence": -2, "log_odds": -1}, {"evidence": 2, "log_odds": 1}, {"evidence": 4, "log_odds": 5}],
		"calibration_names": [{"evidence": 0, "log_odds": -3}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    float64
		bare bool
		want float64
	}{
		{-5, false, -4}, {-2, false, -1}, {0, false, 0}, {1, false, .5}, {2, false, 1}, {3, false, 3}, {4, false, 5}, {6, false, 7},
		{-1, true, -4}, {0, true, -3}, {2, true, -1},
	} {
		if got := m.Calibrated(c.x, c.bare); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v, names alone %v: %v, want %v", c.x, c.bare, got, c.want)
		}
	}
	none, err := ParseModel([]byte(`{}`))
	if err != nil || none.Calibrated(1.5, true) != 1.5 {
		t.Errorf("without a map: %v, %v", none.Calibrated(1.5, true), err)
	}
}

// TestFaultsOfAModel checks which files are no models.
func TestFaultsOfAModel(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		ok      bool
	}{
		"equal-log-odds":              {`{"calibration": [{"evidence": 0, "log_odds": 1}, {"evidence": 1, "log_odds": 1}]}`, true},
		"equal-evidence":              {`{"calibration": [{"evidence": 0, "log_odds": 1}, {"evidence": 0, "log_odds": 2}]}`, false},
		"falling-for-names":           {`{"calibration_names": [{"evidence": 0, "log_odds": 1}, {"evidence": 1, "log_odds": 0}]}`, false},
		"unknown-evidence-of-names":   {`{"names": {"person": {"shoe_size": 1}}}`, false},
		"a-word-for-a-frequency":      {`{"frequencies": {"person": {"words": {"many": "ada"}}}}`, false},
		"no-number-for-a-frequency":   {`{"frequencies": {"person": {"words": {"NaN": "ada"}}}}`, false},
		"infinity-for-a-frequency":    {`{"frequencies": {"person": {"words": {"Inf": "ada"}}}}`, false},
		"a-frequency":                 {`{"frequencies": {"person": {"unseen": 9, "words": {"4.5": "ada bea"}}}}`, true},
		"something-that-is-no-object": {`[]`, false},
	} {
		if _, err := ParseModel([]byte(c.content)); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInformation checks how much a word tells: by its frequency, else by its length.
func TestInformation(t *testing.T) {
	m, err := ParseModel([]byte(`{"frequencies": {"person": {"unseen": 9, "words": {"4.5": "ada li"}}, "organization": {"unseen": 4, "words": {}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		word string
		k    class
		want float64
	}{
		{"ada", people, 4.5}, {"li", people, 4.5}, {"xu", people, 5}, {"bea", people, 8}, {"beate", people, 9},
		{"xu", organizations, 4}, {"bea", organizations, 4}, {"a", people, initialInfo}, {"", people, initialInfo},
	} {
		if got := m.info(c.word, c.k); got != c.want {
			t.Errorf("%q of %s: %v, want %v", c.word, classNames[c.k], got, c.want)
		}
	}
}

// TestPriors checks by which names explanations call what is assumed before a comparison, and that an identifier is
// assumed to mean more than a name alone, and a name more than mere likeness.
func TestPriors(t *testing.T) {
	m := DefaultModel()
	l, r := m.Prepare(Profile{Names: []string{"Ada"}}), m.Prepare(Profile{Names: []string{"Bea"}})
	for _, c := range []struct {
		prior Prior
		name  string
	}{
		{EvenPrior(), "prior_even"}, {m.RegistryPrior(), "prior_registry"}, {m.UniqueHolderPrior(), "prior_unique_name"}, {m.IdentifiedPrior(), "prior_identified"},
	} {
		lines := m.Compare(l, r, c.prior).Contributions
		if last := lines[len(lines)-1]; last.Feature != c.name || last.LogOdds != c.prior.LogOdds || last.Reason == "" {
			t.Errorf("%s: the last line is %+v", c.name, last)
		}
	}
	if even, likely := EvenPrior().LogOdds, m.RegistryPrior().LogOdds; even != 0 || likely >= even || m.UniqueHolderPrior().LogOdds <= likely || m.IdentifiedPrior().LogOdds <= likely {
		t.Errorf("even odds %v, in a registry %v", even, likely)
	}
}
