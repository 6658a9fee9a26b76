package neo4j_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/store"
)

var newID = tenure.NewMint(time.Time{}).NewID

// observed returns the change set of one observation: a mention of a new entity, its alias, and a claim that
// stands.
func observed(name string, entity tenure.ID) tenure.ChangeSet {
	o := tenure.Observation{
		ID: newID(), Source: tenure.Source{Origin: "bench://1", AuthorityLevel: 2, SourceAuthority: 0.9},
		ObservedAt: 1_700_000_000_000_000, ReceivedAt: 1_700_000_000_000_000,
		Text: name + " works at the Chicago office.", Actor: "bench",
	}
	m := tenure.Mention{ID: newID(), Observation: o.ID, Name: name, Type: "person"}
	form := tenure.AliasKey{Kind: tenure.NameAlias, Key: name}
	c := stated(entity, "office", o.ID)
	return tenure.ChangeSet{ID: newID(), Operation: "observe", Actor: "bench",
		ReadSet: []tenure.ConflictKey{
			tenure.AliasConflict(form), tenure.EntityConflict(entity), tenure.SlotConflict(c.Slot()), tenure.ClaimKeyConflict(c.Key),
		},
		Changes: append([]tenure.Change{
			tenure.ObservationAdded{Observation: o}, tenure.MentionAdded{Mention: m},
			tenure.EntityPut{Entity: tenure.Entity{
				ID: entity, Type: "person", Status: tenure.EntityCanonical, Name: name, CreatedAt: 1,
			}},
			tenure.MentionAssigned{Assignment: tenure.Assignment{
				Mention: m.ID, Entity: entity, Score: 0.97, Outcome: tenure.NewEntity, Reason: "nobody goes by this name",
			}},
			tenure.AliasAdded{Alias: tenure.Alias{
				Key: form, Entity: entity, Type: "person", Spelling: name, Mention: m.ID,
			}},
		}, believed(c)...),
	}
}

// stated returns a claim with a value.
func stated(subject tenure.ID, predicate string, observation tenure.ID) tenure.Claim {
	return tenure.Claim{
		ID: newID(), Observation: observation, Subject: subject, Predicate: predicate,
		Value: tenure.Value{JSON: json.RawMessage(`"Chicago"`), Canonical: `"chicago"`},
		Key:   string(subject) + "/" + predicate,
		Scope: tenure.Scope{Kind: tenure.ScopeGlobal}, Layer: tenure.LayerFact,
		Source:     tenure.Source{Origin: "bench://1", AuthorityLevel: 2, SourceAuthority: 0.9},
		Confidence: 0.9, Window: tenure.Window{From: 1_700_000_000_000_000, Until: tenure.MaxTime}, Basis: tenure.Observed,
		ObservedAt: 1_700_000_000_000_000, Description: tenure.Description{
			ObjectType: tenure.IdentityFact, Content: "Jon works at the Chicago office.",
			NormalizedClaim: "office: Chicago", Classification: tenure.Public,
		},
	}
}

// believed returns the changes that add a claim standing throughout its window.
func believed(c tenure.Claim) []tenure.Change {
	return []tenure.Change{tenure.ClaimAdded{Claim: c}, stood(c, tenure.Stands)}
}

// stood returns the standing of a claim with one cause for its whole window.
func stood(c tenure.Claim, cause tenure.Cause) tenure.StandingPut {
	return tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{
		Belief: c.ID, Segments: []tenure.Segment{{Window: c.Window, Cause: cause}}, LastConfirmed: c.ObservedAt,
	}}
}

func randomTenant() string { return "t-" + string(newID()) }

func apply(t testing.TB, s store.Store, tenant string, base tenure.Seq, sets ...tenure.ChangeSet) tenure.Seq {
	t.Helper()
	receipts, err := s.Apply(context.Background(), tenant, base, sets)
	if err != nil {
		t.Fatal(err)
	}
	return receipts[len(receipts)-1].Seq
}

// report reports the median and the 99th percentile in milliseconds.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	ms := func(share float64) float64 {
		return float64(took[min(len(took)-1, int(share*float64(len(took))))]) / float64(time.Millisecond)
	}
	b.ReportMetric(ms(0.5), "p50-ms")
	b.ReportMetric(ms(0.99), "p99-ms")
}

func timed(b *testing.B, f func()) {
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		f()
		took = append(took, time.Since(begin))
	}
	report(b, took)
}

// BenchmarkApply measures change sets of one observation with one mention and
// one claim each, alone and in groups.
func BenchmarkApply(b *testing.B) {
	for _, size := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("sets=%d", size), func(b *testing.B) {
			s, tenant := open(b), randomTenant()
			seq := apply(b, s, tenant, 0, observed("first", newID()))
			n := 0
			timed(b, func() {
				sets := make([]tenure.ChangeSet, size)
				for i := range sets {
					n++
					sets[i] = observed(fmt.Sprintf("name %d", n), newID())
				}
				seq = apply(b, s, tenant, seq, sets...)
			})
			b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "sets/s")
		})
	}
}

// BenchmarkSupersede measures the next claim of a slot, which displaces the previous one.
func BenchmarkSupersede(b *testing.B) {
	s, tenant, e := open(b), randomTenant(), newID()
	seq := apply(b, s, tenant, 0, observed("first", e))
	last := stated(e, "status", newID())
	seq = apply(b, s, tenant, seq, tenure.ChangeSet{ID: newID(), Changes: believed(last)})
	timed(b, func() {
		next := stated(e, "status", newID())
		lost := stood(last, tenure.BySuccession)
		lost.Standing.Segments[0].By = next.ID
		seq = apply(b, s, tenant, seq, tenure.ChangeSet{ID: newID(), Changes: append(believed(next), lost)})
		last = next
	})
}

// BenchmarkRead measures the reads of decisions and compilations, on an entity with 1,000 beliefs and on 20
// entities with 50 each.
func BenchmarkRead(b *testing.B) {
	s, tenant := open(b), randomTenant()
	ctx, now := context.Background(), tenure.Window{From: 1_750_000_000_000_000, Until: 1_750_000_000_000_001}
	hub, many := newID(), make([]tenure.ID, 20)
	seq := apply(b, s, tenant, 0, observed("hub", hub))
	fill := func(e tenure.ID, n int) {
		var changes []tenure.Change
		for i := range n {
			changes = append(changes, believed(stated(e, fmt.Sprintf("p%d", i), newID()))...)
		}
		seq = apply(b, s, tenant, seq, tenure.ChangeSet{ID: newID(), Changes: changes})
	}
	fill(hub, 1000)
	var forms []tenure.AliasKey
	var slots []tenure.Slot
	for i := range many {
		many[i] = newID()
		name := fmt.Sprintf("one of many %d", i)
		seq = apply(b, s, tenant, seq, observed(name, many[i]))
		fill(many[i], 50)
		forms = append(forms, tenure.AliasKey{Kind: tenure.NameAlias, Key: name})
		slots = append(slots, stated(many[i], "p7", "").Slot())
	}
	view, err := s.View(ctx, tenant, tenure.Present)
	if err != nil {
		b.Fatal(err)
	}
	check := func(n int, want int, err error) {
		b.Helper()
		if err != nil || n != want {
			b.Fatalf("got %d instead of %d: %v", n, want, err)
		}
	}
	for _, c := range []struct {
		name string
		read func()
	}{
		{"View", func() { _, err := s.View(ctx, tenant, tenure.Present); check(0, 0, err) }},
		{"Live=1x1000", func() { l, err := view.Live(ctx, []tenure.ID{hub}, now, 1000); check(len(l), 1000, err) }},
		{"Live=20x50", func() { l, err := view.Live(ctx, many, now, 50); check(len(l), 1000, err) }},
		{"Live=1x50", func() { l, err := view.Live(ctx, []tenure.ID{hub}, now, 50); check(len(l), 50, err) }},
		{"Slots=20", func() { l, err := view.Slots(ctx, slots); check(len(l), 20, err) }},
		{"Aliases=20", func() { l, err := view.AliasesByKey(ctx, forms); check(len(l), 20, err) }},
		{"Entities=20", func() { l, err := view.Entities(ctx, many); check(len(l), 20, err) }},
		{"Relations=20", func() { l, err := view.Relations(ctx, many, now, 50); check(len(l), 0, err) }},
		{"Displaced=20", func() { l, err := view.Displaced(ctx, many, now, 50); check(len(l), 0, err) }},
	} {
		b.Run(c.name, func(b *testing.B) { timed(b, c.read) })
	}
}
