package conflicts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/conflicts"
)

// second is the unit of the windows in these tests.
const second = tenure.Instant(1_000_000)

// says is a claim of a source with the middle authority, from an instant on for a hundred seconds, in seconds.
func says(id tenure.ID, source, value string, from tenure.Instant, edits ...func(*tenure.Claim)) conflicts.Claimant {
	c := &tenure.Claim{
		ID: id, Source: tenure.Source{Speaker: source, AuthorityLevel: 2, SourceAuthority: .5}, Confidence: .5,
		Value: tenure.Value{Canonical: value}, Window: tenure.Window{From: from * second, Until: (from + 100) * second},
	}
	for _, edit := range edits {
		edit(c)
	}
	return conflicts.Claimant{Claim: c, Window: c.Window}
}

func until(s tenure.Instant) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Window.Until = s * second }
}

func level(n int) func(*tenure.Claim) { return func(c *tenure.Claim) { c.Source.AuthorityLevel = n } }

func trust(x float64) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Source.SourceAuthority = x }
}

func confident(x float64) func(*tenure.Claim) { return func(c *tenure.Claim) { c.Confidence = x } }

// observed makes a claim that was seen without a stated start.
func observed(c *tenure.Claim) { c.Basis = tenure.Observed }

// in makes a claim one of an observation; ids are in the order of receipt.
func in(observation tenure.ID) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Observation = observation }
}

// segmentsOf formats the segments of each claimant in seconds.
func segmentsOf(claimants []conflicts.Claimant, out [][]tenure.Segment) string {
	var list []string
	for i, p := range claimants {
		line := string(p.Claim.ID) + ":"
		for _, g := range out[i] {
			line += fmt.Sprintf(" %d-%d %s", g.From/second, g.Until/second, g.Cause)
			if g.By != "" {
				line += fmt.Sprintf(" by %s %s", g.By, g.Relation)
			}
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// TestArguments checks the order of the arguments between claims that overlap, and each at its line.
func TestArguments(t *testing.T) {
	one, constant := tenure.Term{SuccessionGap: 10}, tenure.Term{Constant: true, SuccessionGap: 10}
	for _, c := range []struct {
		behaviour string
		term      tenure.Term
		claimants []conflicts.Claimant
		want      string
	}{
		{"one-alone", one, []conflicts.Claimant{says("a", "x", "1", 0)}, "a: 0-100 stands"},
		{
			"many-values-stand-beside-one-another", tenure.Term{Cardinality: tenure.Many},
			[]conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 0)}, "a: 0-100 stands\nb: 0-100 stands",
		},
		{
			"authority-before-a-newer-start", one, []conflicts.Claimant{says("a", "x", "1", 0, level(1)), says("b", "y", "2", 50)},
			"a: 0-100 stands\nb: 50-100 authority by a overlapped_by 100-150 stands",
		},
		{
			"a-newer-start-succeeds", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 50)},
			"a: 0-50 stands 50-100 succession by b overlaps\nb: 50-150 stands",
		},
		{
			"windows-that-meet-do-not-overlap", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 100)},
			"a: 0-100 stands\nb: 100-200 stands",
		},
		{
			"an-old-value-is-back-when-the-newer-ends", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 50, until(60))},
			"a: 0-50 stands 50-60 succession by b contains 60-100 stands\nb: 50-60 stands",
		},
		{
			"the-same-value-is-no-contradiction", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "1", 0, trust(.9))},
			"a: 0-100 stands\nb: 0-100 stands",
		},
		{
			"an-older-one-of-the-same-value-stands-with-the-newest", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "1", 50)},
			"a: 0-100 stands\nb: 50-150 stands",
		},
		{
			"trust-decides-from-one-start", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 0, trust(.6))},
			"a: 0-100 trust by b equals\nb: 0-100 stands",
		},
		{
			"confidence-decides-for-one-trust", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 0, confident(.6))},
			"a: 0-100 trust by b equals\nb: 0-100 stands",
		},
		{
			"trust-before-confidence", one, []conflicts.Claimant{says("a", "x", "1", 0, trust(.55)), says("b", "y", "2", 0, confident(1))},
			"a: 0-100 stands\nb: 0-100 trust by a equals",
		},
		{
			"one-step-of-trust-is-a-tie", one, []conflicts.Claimant{says("a", "x", "1", 0, trust(.524)), says("b", "y", "2", 0)},
			"a: 0-100 tie by b equals\nb: 0-100 tie by a equals",
		},
		{
			"half-a-step-is-the-next", one, []conflicts.Claimant{says("a", "x", "1", 0, trust(.525)), says("b", "y", "2", 0)},
			"a: 0-100 stands\nb: 0-100 trust by a equals",
		},
		{
			"a-third-loses-to-both-that-are-tied", one,
			[]conflicts.Claimant{says("b", "x", "1", 0), says("a", "y", "2", 0), says("c", "z", "3", 0, trust(.4))},
			"a: 0-100 tie by b equals\nb: 0-100 tie by a equals\nc: 0-100 trust by a equals",
		},
		{
			"the-values-of-a-constant-do-not-succeed", constant, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 50)},
			"a: 0-50 stands 50-100 tie by b overlaps\nb: 50-100 tie by a overlapped_by 100-150 stands",
		},
		{
			"a-constant-by-trust", constant, []conflicts.Claimant{says("a", "x", "1", 0, trust(.6)), says("b", "y", "2", 50)},
			"a: 0-100 stands\nb: 50-100 trust by a overlapped_by 100-150 stands",
		},
		{
			"observed-within-the-gap-is-a-tie", one, []conflicts.Claimant{says("a", "x", "1", 0, observed), says("b", "y", "2", 10, observed)},
			"a: 0-10 stands 10-100 tie by b overlaps\nb: 10-100 tie by a overlapped_by 100-110 stands",
		},
		{
			"observed-before-1970", one, []conflicts.Claimant{says("a", "x", "1", -20, observed), says("b", "y", "2", -15, observed)},
			"a: -20--15 stands -15-80 tie by b overlaps\nb: -15-80 tie by a overlapped_by 80-85 stands",
		},
		{
			"observed-after-the-gap-succeeds", one, []conflicts.Claimant{says("a", "x", "1", 0, observed), says("b", "y", "2", 11, observed)},
			"a: 0-11 stands 11-100 succession by b overlaps\nb: 11-111 stands",
		},
		{
			"within-the-gap-by-trust", one, []conflicts.Claimant{says("a", "x", "1", 0, observed, trust(.6)), says("b", "y", "2", 10, observed)},
			"a: 0-100 stands\nb: 10-100 trust by a overlapped_by 100-110 stands",
		},
		{
			"one-source-does-not-contradict-itself", one, []conflicts.Claimant{says("a", "x", "1", 0, observed), says("b", "x", "2", 10, observed)},
			"a: 0-10 stands 10-100 succession by b overlaps\nb: 10-110 stands",
		},
		{
			"a-stated-start-succeeds-what-was-observed", one, []conflicts.Claimant{says("a", "x", "1", 0, observed), says("b", "y", "2", 10)},
			"a: 0-10 stands 10-100 succession by b overlaps\nb: 10-110 stands",
		},
		{
			"what-was-observed-succeeds-a-stated-start", one, []conflicts.Claimant{says("a", "x", "1", 0), says("b", "y", "2", 10, observed)},
			"a: 0-10 stands 10-100 succession by b overlaps\nb: 10-110 stands",
		},
		{
			"a-source-that-said-more-since-is-not-concurrent", one,
			[]conflicts.Claimant{says("a", "x", "1", 0, observed), says("b", "y", "2", 8, observed), says("c", "x", "3", 4, observed)},
			"a: 0-4 stands 4-100 succession by c overlaps\nb: 8-104 tie by c overlapped_by 104-108 stands\nc: 4-8 stands 8-104 tie by b overlaps",
		},
		{
			"of-what-people-say-the-later-succeeds", one,
			[]conflicts.Claimant{says("a", "x", "1", 0, observed, in("1")), says("b", "y", "2", 5, observed, in("2"))},
			"a: 0-5 stands 5-100 succession by b overlaps\nb: 5-105 stands",
		},
		{
			"what-people-say-is-concurrent-where-it-came-the-other-way-round", one,
			[]conflicts.Claimant{says("a", "x", "1", 0, observed, in("2")), says("b", "y", "2", 5, observed, in("1"))},
			"a: 0-5 stands 5-100 tie by b overlaps\nb: 5-100 tie by a overlapped_by 100-105 stands",
		},
		{
			"what-people-say-at-once-is-a-tie", one,
			[]conflicts.Claimant{says("a", "x", "1", 0, observed, in("1")), says("b", "y", "2", 0, observed, in("2"))},
			"a: 0-100 tie by b equals\nb: 0-100 tie by a equals",
		},
		{
			"what-tools-read-is-concurrent", one,
			[]conflicts.Claimant{says("a", "x", "1", 0, observed, level(4), in("1")), says("b", "y", "2", 5, observed, level(4), in("2"))},
			"a: 0-5 stands 5-100 tie by b overlaps\nb: 5-100 tie by a overlapped_by 100-105 stands",
		},
		{
			"what-nobody-says-is-concurrent", one,
			[]conflicts.Claimant{says("a", "x", "1", 0, observed, in("1")), says("b", "", "2", 5, observed, in("2"))},
			"a: 0-5 stands 5-100 tie by b overlaps\nb: 5-100 tie by a overlapped_by 100-105 stands",
		},
		{
			"what-somebody-succeeded-does-not-contradict-a-third", one,
			[]conflicts.Claimant{
				says("a", "x", "1", 0, observed, in("1"), trust(.9)), says("b", "y", "2", 4, observed, in("2")), says("c", "", "3", 8, observed, in("3")),
			},
			"a: 0-4 stands 4-100 succession by b overlaps\nb: 4-8 stands 8-104 tie by c overlaps\nc: 8-104 tie by b overlapped_by 104-108 stands",
		},
		{
			"a-constant-said-again-by-another", constant,
			[]conflicts.Claimant{says("a", "x", "1", 0, observed, in("1")), says("b", "y", "2", 5, observed, in("2"))},
			"a: 0-5 stands 5-100 tie by b overlaps\nb: 5-100 tie by a overlapped_by 100-105 stands",
		},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			for range 2 { // the order of the claimants decides nothing
				if got := segmentsOf(c.claimants, conflicts.Reconcile(c.claimants, nil, conflicts.Rule{Term: c.term})); got != c.want {
					t.Errorf("got\n%s\nwant\n%s", got, c.want)
				}
				slices.Reverse(c.claimants)
			}
		})
	}
}

// TestResidues checks that the residue of a terminated claim defeats what the claim had displaced, and nothing that
// started at the termination or later.
func TestResidues(t *testing.T) {
	one := tenure.Term{SuccessionGap: 10}
	for _, c := range []struct {
		behaviour string
		term      tenure.Term
		claimant  conflicts.Claimant
		residue   conflicts.Claimant
		want      string
	}{
		{"what-it-had-succeeded", one, says("a", "x", "1", 0), says("r", "y", "2", 20), "a: 0-50 stands 50-80 succession by r overlaps 80-100 stands"},
		{"what-began-at-the-termination", one, says("a", "x", "1", 60), says("r", "y", "2", 70), "a: 60-160 stands"},
		{"what-began-just-before", one, says("a", "x", "1", 59), says("r", "y", "2", 70), "a: 59-80 succession by r overlaps 80-159 stands"},
		{"the-same-value", one, says("a", "x", "2", 0), says("r", "y", "2", 20), "a: 0-100 stands"},
		{"a-stronger-one", one, says("a", "x", "1", 0, level(1)), says("r", "y", "2", 20), "a: 0-100 stands"},
		{"a-weaker-one", one, says("a", "x", "1", 30, level(3)), says("r", "y", "2", 20), "a: 30-50 stands 50-80 authority by r overlapped_by 80-130 stands"},
		{"a-newer-one", one, says("a", "x", "1", 30), says("r", "y", "2", 20), "a: 30-130 stands"},
		{"one-from-the-same-start-by-trust", one, says("a", "x", "1", 20, trust(.4)), says("r", "y", "2", 20), "a: 20-50 stands 50-80 trust by r equals 80-120 stands"},
		{"one-from-the-same-start-with-equal-trust", one, says("a", "x", "1", 20), says("r", "y", "2", 20), "a: 20-120 stands"},
		{"an-observation-within-the-gap", one, says("a", "x", "1", 10, observed), says("r", "y", "2", 20, observed), "a: 10-110 stands"},
		{"an-observation-after-it-within-the-gap", one, says("a", "x", "1", 30, observed, trust(.4)), says("r", "y", "2", 20, observed), "a: 30-50 stands 50-80 trust by r overlapped_by 80-130 stands"},
		{"an-observation-long-after-it", one, says("a", "x", "1", 35, observed, trust(.4)), says("r", "y", "2", 20, observed), "a: 35-135 stands"},
		{"an-observation-before-the-gap", one, says("a", "x", "1", 9, observed), says("r", "y", "2", 20, observed), "a: 9-50 stands 50-80 succession by r overlaps 80-109 stands"},
		{"an-observation-of-one-source", one, says("a", "x", "1", 10, observed), says("r", "x", "2", 20, observed), "a: 10-50 stands 50-80 succession by r overlaps 80-110 stands"},
		{"a-stated-start-within-the-gap", one, says("a", "x", "1", 10), says("r", "y", "2", 20, observed), "a: 10-50 stands 50-80 succession by r overlaps 80-110 stands"},
		{"within-the-gap-of-a-stated-start", one, says("a", "x", "1", 10, observed), says("r", "y", "2", 20), "a: 10-50 stands 50-80 succession by r overlaps 80-110 stands"},
		{"the-turn-before-within-the-gap", one, says("a", "x", "1", 10, observed, in("1")), says("r", "y", "2", 20, observed, in("2")), "a: 10-50 stands 50-80 succession by r overlaps 80-110 stands"},
		{"a-turn-that-came-later-within-the-gap", one, says("a", "x", "1", 10, observed, in("2")), says("r", "y", "2", 20, observed, in("1")), "a: 10-110 stands"},
		{"a-constant-of-equal-trust", tenure.Term{Constant: true}, says("a", "x", "1", 0), says("r", "y", "2", 20), "a: 0-100 stands"},
		{"a-constant-by-trust", tenure.Term{Constant: true}, says("a", "x", "1", 0, trust(.4)), says("r", "y", "2", 20), "a: 0-50 stands 50-80 trust by r overlaps 80-100 stands"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			residues := []conflicts.Residue{{Claimant: conflicts.Claimant{Claim: c.residue.Claim, Window: tenure.Window{From: 50 * second, Until: 80 * second}}, TerminatedAt: 60 * second}}
			claimants := []conflicts.Claimant{c.claimant}
			if got := segmentsOf(claimants, conflicts.Reconcile(claimants, residues, conflicts.Rule{Term: c.term})); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestTheNewestResidueIsNamed checks which of several residues a claim is said to lose to: the one that started last,
// of several the one with the lowest id.
func TestTheNewestResidueIsNamed(t *testing.T) {
	party := []conflicts.Claimant{says("a", "x", "1", 0)}
	var residues []conflicts.Residue
	for _, r := range []conflicts.Claimant{says("r1", "y", "2", 10), says("r3", "y", "2", 20), says("r2", "y", "3", 20), says("r0", "y", "3", 5)} {
		residues = append(residues, conflicts.Residue{Claimant: conflicts.Claimant{Claim: r.Claim, Window: tenure.Window{From: 50 * second, Until: 100 * second}}, TerminatedAt: 60 * second})
	}
	for range residues {
		residues = append(residues[1:], residues[0])
		const want = "a: 0-50 stands 50-100 succession by r2 overlaps"
		if got := segmentsOf(party, conflicts.Reconcile(party, residues, conflicts.Rule{})); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
