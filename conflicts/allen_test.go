package conflicts

import (
	"testing"

	"tenure"
)

// byDefinition are the relations as Allen defines them, one condition each.
func byDefinition(a, b tenure.Window) []relation {
	var list []relation
	for r, holds := range map[relation]bool{
		before:       a.Until < b.From,
		meets:        a.Until == b.From,
		overlaps:     a.From < b.From && b.From < a.Until && a.Until < b.Until,
		starts:       a.From == b.From && a.Until < b.Until,
		during:       b.From < a.From && a.Until < b.Until,
		finishes:     b.From < a.From && a.Until == b.Until,
		equals:       a == b,
		after:        b.Until < a.From,
		metBy:        b.Until == a.From,
		overlappedBy: b.From < a.From && a.From < b.Until && b.Until < a.Until,
		startedBy:    a.From == b.From && b.Until < a.Until,
		contains:     a.From < b.From && b.Until < a.Until,
		finishedBy:   a.From < b.From && a.Until == b.Until,
	} {
		if holds {
			list = append(list, r)
		}
	}
	return list
}

func TestEveryPairOfWindowsHasOneRelation(t *testing.T) {
	ends := []tenure.Instant{tenure.MinTime, -1, 0, 1, 2, 3, tenure.MaxTime}
	seen := map[relation]bool{}
	var windows []tenure.Window
	for i, from := range ends {
		for _, until := range ends[i+1:] {
			windows = append(windows, tenure.Window{From: from, Until: until})
		}
	}
	for _, a := range windows {
		for _, b := range windows {
			want := byDefinition(a, b)
			got := relate(a, b)
			if len(want) != 1 || got != want[0] {
				t.Errorf("%v and %v: got %q, want %v", a, b, got, want)
			}
			seen[got] = true
		}
	}
	if len(seen) != 13 {
		t.Errorf("%d relations were met, want 13", len(seen))
	}
}
