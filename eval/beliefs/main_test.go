package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func figure(x float64) *float64 { return &x }

func TestFloors(t *testing.T) {
	bound := floors[0]
	scored := func(clean, resurrection *float64, failures ...string) []result {
		r := result{Engine: "sqlite", Importer: bound.importer, Failures: failures, StateBench: scores{}}
		v1 := r.StateBench["v1"]
		v1.Overall = summary{Clean: clean, SFRR: resurrection}
		r.StateBench["v1"] = v1
		return []result{r}
	}
	for _, c := range []struct {
		name    string
		runs    []result
		partial bool
		want    bool
	}{
		{"at-the-floors", scored(figure(bound.clean), figure(bound.resurrection)), false, true},
		{"too-little-is-clean", scored(figure(bound.clean-.001), figure(0)), false, false},
		{"too-much-comes-back", scored(figure(1), figure(bound.resurrection+.001)), false, false},
		{"no-score-is-no-pass", scored(nil, nil), false, false},
		{"a-failed-request", scored(figure(1), figure(0), "observe: 500"), false, false},
		{"part-of-the-data-has-no-score-to-judge", scored(figure(0), figure(1)), true, true},
		{"part-of-the-data-with-a-failed-request", scored(figure(0), figure(1), "observe: 500"), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judgeFloors(io.Discard, c.runs, c.partial); got != c.want {
				t.Errorf("met %v, want %v", got, c.want)
			}
		})
	}
}

func TestDigests(t *testing.T) {
	const one = "dev\ta\t[1, 2]\ndev\tb\t[3]\ntrain\tc\t[4]\n"
	for _, c := range []struct {
		name, other string
		same        bool
		shows       string
	}{
		{"same", one, true, "answered the same"},
		{"another-answer", strings.Replace(one, "[3]", "[5]", 1), false, "first difference in dev: timeline b, byte 3"},
		{"a-timeline-is-missing", strings.Replace(one, "dev\tb\t[3]\n", "", 1), false, "differ"},
		{"a-file-is-missing", strings.Replace(one, "train\tc\t[4]\n", "", 1), false, "differ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs := []result{{Engine: "sqlite"}, {Engine: "neo4j"}}
			for i, text := range []string{one, c.other} {
				runs[i].Stream = filepath.Join(t.TempDir(), runs[i].Engine)
				if err := os.WriteFile(runs[i].Stream, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var out strings.Builder
			same, err := digests(&out, runs)
			if err != nil || same != c.same || !strings.Contains(out.String(), c.shows) {
				t.Errorf("same %v, error %v, want %v and %q in:\n%s", same, err, c.same, c.shows, out.String())
			}
		})
	}
}
