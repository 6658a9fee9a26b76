package bulk

import (
	"fmt"
	"slices"
	"testing"

	"tenure"

	"tenure/similarity"
)

// TestReasonsToReportAnEntity checks each reporting threshold from both sides.
func TestReasonsToReportAnEntity(t *testing.T) {
	sound := Overmerge{Compared: 4, WeakestLink: .99, SmallerSide: 2}
	for name, c := range map[string]struct {
		change func(*Overmerge)
		want   []string
	}{
		"sound":                        {func(*Overmerge) {}, nil},
		"a-contradiction":              {func(x *Overmerge) { x.Contradicting = 1 }, []string{ContradictingIdentifiers}},
		"half-of-the-pairs-disagree":   {func(x *Overmerge) { x.Disagreement = .5 }, []string{MembersDisagree}},
		"less-than-half":               {func(x *Overmerge) { x.Disagreement = .49 }, nil},
		"two-mentions-may-disagree":    {func(x *Overmerge) { x.Disagreement, x.Compared = 1, 2 }, nil},
		"a-link-of-two-entities":       {func(x *Overmerge) { x.WeakestLink = similarity.NewAt }, []string{WeakLink}},
		"a-link-that-asks":             {func(x *Overmerge) { x.WeakestLink = similarity.NewAt + .01 }, nil},
		"a-single-mention-may-be-weak": {func(x *Overmerge) { x.WeakestLink, x.SmallerSide = .1, 1 }, nil},
		"everything": {
			func(x *Overmerge) { x.Contradicting, x.Disagreement, x.WeakestLink = 2, .9, .1 },
			[]string{ContradictingIdentifiers, WeakLink, MembersDisagree},
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := sound
			c.change(&x)
			if got := reasons(x); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// fill adds n sound entities of a size.
func fill(o *OvermergeReport, n, mentions int) {
	for i := range n {
		o.add(tenure.Entity{ID: tenure.ID(fmt.Sprintf("%d-%d", mentions, i))}, mentions, similarity.Cohesion{Compared: mentions, Pairs: 1, Weakest: 1})
	}
}

// TestOversizedEntities checks that oversize is relative to the other entities and starts at eleven mentions.
func TestOversizedEntities(t *testing.T) {
	for name, c := range map[string]struct {
		usual, size int
		want        bool
	}{
		"ten-are-never-many":      {2, 10, false},
		"eleven-are":              {2, 11, true},
		"three-times-the-usual":   {5, 15, false},
		"more-than-three-times":   {5, 16, true},
		"as-large-as-the-largest": {20, 20, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := NewOvermergeReport(nil, nil, "t", 5)
			fill(o, 200, c.usual)
			fill(o, 1, c.size)
			worst := o.Worst()
			if (len(worst) == 1) != c.want || c.want && !slices.Equal(worst[0].Reasons, []string{Oversized}) {
				t.Errorf("reported: %+v", worst)
			}
		})
	}
}

// TestTheWorstAreKept checks that the report keeps the worst entities in order, whatever their number.
func TestTheWorstAreKept(t *testing.T) {
	o := NewOvermergeReport(nil, nil, "t", 3)
	for i := range 50 {
		c := similarity.Cohesion{Compared: 10, Pairs: 100, Apart: 50 + i, Weakest: 1, Side: 5}
		if i == 7 {
			c.Contradicting = 1
		}
		o.add(tenure.Entity{ID: tenure.ID(fmt.Sprint(i))}, 10, c)
	}
	var got []tenure.ID
	for _, x := range o.Worst() {
		got = append(got, x.Entity)
	}
	if want := []tenure.ID{"7", "49", "48"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
