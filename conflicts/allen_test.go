package conflicts_test

import (
	"fmt"
	"testing"

	"tenure"
	"tenure/conflicts"
)

func ExampleRelate() {
	january := tenure.Window{From: 1, Until: 32}
	firstWeek := tenure.Window{From: 1, Until: 8}
	fmt.Println(conflicts.Relate(firstWeek, january))
	fmt.Println(conflicts.Relate(january, firstWeek))
	// Output:
	// starts
	// started_by
}

// byDefinition are the relations as Allen defines them, one condition each.
func byDefinition(a, b tenure.Window) []conflicts.Relation {
	var list []conflicts.Relation
	for r, holds := range map[conflicts.Relation]bool{
		conflicts.Before:       a.Until < b.From,
		conflicts.Meets:        a.Until == b.From,
		conflicts.Overlaps:     a.From < b.From && b.From < a.Until && a.Until < b.Until,
		conflicts.Starts:       a.From == b.From && a.Until < b.Until,
		conflicts.During:       b.From < a.From && a.Until < b.Until,
		conflicts.Finishes:     b.From < a.From && a.Until == b.Until,
		conflicts.Equals:       a == b,
		conflicts.After:        b.Until < a.From,
		conflicts.MetBy:        b.Until == a.From,
		conflicts.OverlappedBy: b.From < a.From && a.From < b.Until && b.Until < a.Until,
		conflicts.StartedBy:    a.From == b.From && b.Until < a.Until,
		conflicts.Contains:     a.From < b.From && b.Until < a.Until,
		conflicts.FinishedBy:   a.From < b.From && a.Until == b.Until,
	} {
		if holds {
			list = append(list, r)
		}
	}
	return list
}

func TestEveryPairOfWindowsHasOneRelation(t *testing.T) {
	ends := []tenure.Instant{tenure.MinTime, -1, 0, 1, 2, 3, tenure.MaxTime}
	seen := map[conflicts.Relation]bool{}
	var windows []tenure.Window
	for i, from := range ends {
		for _, until := range ends[i+1:] {
			windows = append(windows, tenure.Window{From: from, Until: until})
		}
	}
	for _, a := range windows {
		for _, b := range windows {
			want := byDefinition(a, b)
			got := conflicts.Relate(a, b)
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
