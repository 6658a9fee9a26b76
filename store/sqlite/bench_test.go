package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tenure"
	"tenure/store/engine"
)

var newID = tenure.NewMint(time.Time{}).NewID

// observed returns the change set of an observation with one claim.
func observed(i int, subject tenure.ID) tenure.ChangeSet {
	o := tenure.Observation{
		ID: newID(), Source: tenure.Source{Origin: "conversation://s1/7", AuthorityLevel: 2, SourceAuthority: 0.9, Speaker: "ann"},
		ObservedAt: 1000, ReceivedAt: 1001, Text: "Jon Smith now works from the Chicago office.", Actor: "agent",
	}
	m := tenure.Mention{ID: newID(), Observation: o.ID, Name: "Jon Smith", Type: "person"}
	o.Mentions = []tenure.ID{m.ID}
	value := fmt.Sprintf(`"Chicago %d"`, i)
	c := tenure.Claim{
		ID: newID(), Observation: o.ID, Subject: subject, Predicate: fmt.Sprintf("office%d", i),
		Value: tenure.Value{JSON: json.RawMessage(value), Canonical: value}, Key: fmt.Sprintf("%s office %d", subject, i),
		Scope: tenure.Scope{Kind: tenure.ScopeGlobal, ProjectID: "p1"}, Layer: tenure.LayerFact, Source: o.Source, Confidence: 0.9,
		Window: tenure.Window{From: 1000, Until: tenure.MaxTime}, Basis: tenure.Stated, ObservedAt: 1000,
		Description: tenure.Description{
			ObjectType: tenure.IdentityFact, Content: "Jon Smith works from the Chicago office.", Classification: tenure.Public,
		},
	}
	o.Claims = []tenure.ID{c.ID}
	return tenure.ChangeSet{
		ID: newID(), Operation: "observe", Actor: "agent",
		ReadSet: []tenure.ConflictKey{tenure.SlotConflict(c.Slot()), tenure.EntityConflict(subject), tenure.ClaimKeyConflict(c.Key)},
		Key:     &tenure.IdempotencyKey{Scope: "agent\x1fobserve\x1f" + string(o.ID), Hash: "8c3f0d3a9b"},
		Answer:  fmt.Appendf(nil, `{"observation_id":%q,"beliefs":[{"belief_id":%q,"status":"clean"}]}`, o.ID, c.ID),
		Changes: []tenure.Change{
			tenure.ObservationAdded{Observation: o}, tenure.MentionAdded{Mention: m},
			tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: m.ID, Entity: subject, Score: 0.97, Outcome: tenure.AutoMerge}},
			tenure.ClaimAdded{Claim: c},
			tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{
				Belief: c.ID, Segments: []tenure.Segment{{Window: c.Window, Cause: tenure.Stands}}, LastConfirmed: 1000,
			}},
		},
	}
}

// processTime returns the processor time used by this process, which on a shared machine is more accurate
// than a clock.
func processTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkApply(b *testing.B) {
	for _, group := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("group=%d", group), func(b *testing.B) {
			s := testStore(b, filepath.Join(b.TempDir(), "tenure.db"))
			subjects := make([]tenure.ID, 1000)
			for i := range subjects {
				subjects[i] = newID()
			}
			base, n := tenure.Seq(0), 0
			var spent time.Duration
			for b.Loop() {
				b.StopTimer()
				sets := make([]tenure.ChangeSet, group)
				for i := range sets {
					sets[i] = observed(n, subjects[n%len(subjects)])
					n++
				}
				before := processTime(b)
				b.StartTimer()
				receipts, err := s.Apply(context.Background(), "t", base, sets)
				if err != nil {
					b.Fatal(err)
				}
				spent += processTime(b) - before
				base = receipts[len(receipts)-1].Seq
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "sets/s")
			b.ReportMetric(float64(spent.Microseconds())/float64(n), "cpu-us/set")
		})
	}
}

// BenchmarkLive reads 1,000 beliefs: five of each of 200 entities, each of which also has twenty displaced
// ones.
func BenchmarkLive(b *testing.B) {
	s := testStore(b, filepath.Join(b.TempDir(), "tenure.db"))
	entities := make([]tenure.ID, 200)
	for i := range entities {
		entities[i] = newID()
		sets := make([]tenure.ChangeSet, 25)
		for k := range sets {
			sets[k] = observed(k, entities[i])
			if k >= 5 {
				put, ok := sets[k].Changes[4].(tenure.StandingPut)
				if !ok {
					b.Fatal("an observation has another change in fifth place")
				}
				put.Standing.Segments[0].Cause = tenure.BySuccession
			}
		}
		if _, err := s.Apply(b.Context(), "t", 1<<40, sets); err == nil {
			b.Fatal("a base that has not come is taken")
		}
		if _, err := s.Apply(b.Context(), "t", tenure.Seq(i*25), sets); err != nil {
			b.Fatal(err)
		}
	}
	for _, kind := range []string{"warm", "cold"} {
		b.Run(kind, func(b *testing.B) {
			before := processTime(b)
			defer func() { b.ReportMetric(float64((processTime(b)-before).Microseconds())/float64(b.N), "cpu-us/op") }()
			for b.Loop() {
				if kind == "cold" {
					s.cache = engine.NewCurrent[int64](0)
				}
				view, err := s.View(b.Context(), "t", tenure.Present)
				if err != nil {
					b.Fatal(err)
				}
				list, err := view.Live(b.Context(), entities, tenure.Window{From: 2000, Until: 2001}, 50)
				if err != nil || len(list) != 1000 {
					b.Fatal(len(list), err)
				}
			}
		})
	}
}
