package compile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

// TestCompareTellsTheDifferences checks that Compare returns the lines, objects and statuses that differ between two
// compilations of one request, and reports equal ones as identical.
func TestCompareTellsTheDifferences(t *testing.T) {
	w := &world{}
	heron := w.entity(1, "Heron", typed("project"))
	w.claim(11, heron, "database", "MySQL")
	then := w.compiled(t, ask("What of Heron?"))
	w.claim(12, heron, "office", "Oslo")
	w.beliefs = w.beliefs[1:]
	now := w.compiled(t, ask("What of Heron?"))
	none := w.compiled(t, ask("What of Swift?"))
	if d := compile.Compare(then, then); !d.Identical || !d.EnvelopeSame || len(d.OnlyThen)+len(d.ObjectsNow) > 0 {
		t.Errorf("of equal ones: %+v", d)
	}
	for name, tc := range map[string]struct {
		now  compile.Result
		want compile.Differences
	}{
		"another fact": {now, compile.Differences{
			OnlyThen: []string{"Heron / database: MySQL"}, OnlyNow: []string{"Heron / office: Oslo"},
			ObjectsThen: []tenure.ID{id(11)}, ObjectsNow: []tenure.ID{id(12)}, StatusThen: "CLEAN", StatusNow: "CLEAN",
		}},
		"nothing": {none, compile.Differences{
			OnlyThen: []string{"== Facts ==", "Heron / database: MySQL"}, OnlyNow: []string{""},
			ObjectsThen: []tenure.ID{id(11)}, ObjectsNow: []tenure.ID{}, StatusThen: "CLEAN", StatusNow: "EMPTY",
		}},
	} {
		if d := cmp.Diff(tc.want, compile.Compare(then, tc.now)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
