package quarantine_test

import (
	"math"
	"testing"

	"tenure"
	"tenure/quarantine"
)

const day = tenure.Instant(24 * 3600 * 1_000_000)

// side is a belief that was observed and recorded on a day, on an authority level, of a source that is trusted so far.
func side(value string, on tenure.Instant, level int, trust float64) tenure.Belief {
	return tenure.Belief{RecordedAt: on * day, Claim: tenure.Claim{
		Value: tenure.Value{Canonical: value}, ObservedAt: on * day,
		Source: tenure.Source{AuthorityLevel: level, SourceAuthority: trust},
	}}
}

// TestPriority checks what an answer is worth: doubt in bits, things that wait, the strongest voice, and age.
func TestPriority(t *testing.T) {
	two := []tenure.Belief{side("a", 100, 2, 0.5), side("b", 100, 3, 1)}
	for _, c := range []struct {
		behaviour string
		kase      tenure.Case
		sides     []tenure.Belief
		on        tenure.Instant
		want      float64
	}{
		{"two values, two beliefs, the voice of the trusted one", tenure.Case{PendingBeliefs: 2}, two, 100, 1 * 3 * 0.4},
		{"four values are two bits", tenure.Case{}, append(two, side("c", 0, 4, 0), side("d", 0, 4, 0)), 100, 2 * 1 * 0.4},
		{"equal values are no doubt more", tenure.Case{}, append(two, side("b", 0, 4, 0)), 100, 0.4},
		{"what waits counts", tenure.Case{PendingBeliefs: 9}, two, 100, 10 * 0.4},
		{"a strong voice counts", tenure.Case{}, append(two, side("b", 0, 0, 1)), 100, 1},
		{"nobody who is trusted still counts", tenure.Case{}, []tenure.Belief{side("a", 9, 2, 0), side("b", 9, 2, 0)}, 9, 0.01},
		{"thirty days halve it", tenure.Case{}, two, 130, 0.2},
		{"said again it is fresh", tenure.Case{}, append(two, side("b", 130, 4, 0)), 130, 0.4},
		{"put off without a date it is a quarter", tenure.Case{DeferredBy: "x"}, two, 100, 0.1},
		{"put off to a date it is what it was", tenure.Case{DeferredBy: "x", DeferredUntil: 1}, two, 100, 0.4},
	} {
		c.kase.Score = quarantine.Score(c.kase, c.sides)
		if got := quarantine.Priority(c.kase, c.on*day); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.behaviour, got, c.want)
		}
	}
}

// TestWhatIsSaidOfTheFutureIsNotFresher checks that a clock that is ahead does not put a case before all others.
func TestWhatIsSaidOfTheFutureIsNotFresher(t *testing.T) {
	ahead := side("b", 100, 2, 1)
	ahead.Claim.ObservedAt = tenure.MaxTime
	now := []tenure.Belief{side("a", 100, 2, 1), side("b", 100, 2, 1)}
	if got, want := quarantine.Score(tenure.Case{}, []tenure.Belief{side("a", 1, 2, 1), ahead}), quarantine.Score(tenure.Case{}, now); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPriorityIsFinite checks the ends of time.
func TestPriorityIsFinite(t *testing.T) {
	for _, on := range []tenure.Instant{tenure.MinTime, 0, tenure.MaxTime} {
		c := tenure.Case{Score: quarantine.Score(tenure.Case{}, []tenure.Belief{{RecordedAt: on, Claim: tenure.Claim{ObservedAt: on}}})}
		for _, now := range []tenure.Instant{tenure.MinTime, 0, tenure.MaxTime} {
			if p := quarantine.Priority(c, now); math.IsNaN(p) || math.IsInf(p, 0) || p < 0 {
				t.Errorf("said at %d, asked at %d: %v", on, now, p)
			}
		}
	}
}
