package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

// TestEachSignalMovesAnObjectUp compares two facts that differ in one signal of their priority. The second is newer:
// with equal signals it would come first.
func TestEachSignalMovesAnObjectUp(t *testing.T) {
	type option = func(*tenure.Belief)
	confirmed := func(n int) option { return func(b *tenure.Belief) { b.Standing.LastConfirmed = day(n) } }
	decaying := with(func(c *tenure.Claim) { c.DecayRule = &tenure.DecayRule{HalfLifeDays: 2} })
	for name, c := range map[string]struct{ better, worse []option }{
		"authority":  {[]option{level(1)}, []option{level(2)}},
		"confidence": {[]option{with(func(c *tenure.Claim) { c.Confidence = .9 })}, []option{with(func(c *tenure.Claim) { c.Confidence = .6 })}},
		"freshness":  {[]option{decaying, confirmed(14)}, []option{decaying, confirmed(10)}},
		"task_fit": {
			[]option{with(func(c *tenure.Claim) { c.ApplicableTaskTypes = []string{"code_generation"} })}, nil,
		},
		"relevance": {[]option{with(func(c *tenure.Claim) { c.WhyItMatters = "for the harbour" })}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			ann := w.entity(1, "Ann")
			w.claim(11, ann, "first", "one", append(c.better, from(2))...)
			w.claim(12, ann, "second", "two", append(c.worse, from(3))...)
			req := ask("A summary of Ann for the harbour")
			req.Task.Type = "code_generation"
			res := w.compiled(t, req)
			if d := cmp.Diff([]string{"Ann / first: one", "Ann / second: two"}, lines(res, "facts")); d != "" {
				t.Error(d)
			}
			list := res.Trace.State.CompiledObjects
			if a, b := signal(list[0].Priority, name), signal(list[1].Priority, name); a <= b {
				t.Errorf("the signal is %v for the first and %v for the second", a, b)
			}
		})
	}
}

func signal(p compile.Priority, name string) float64 {
	return map[string]float64{
		"authority": p.Authority, "confidence": p.Confidence, "freshness": p.Freshness, "task_fit": p.TaskFit,
		"relevance": p.Relevance,
	}[name]
}

// TestTheNearestKindsOfRelationHaveTheRoom checks that where more entities are related than are followed, those remain
// that a near kind of relation leads to, and that the trace says how many do not.
func TestTheNearestKindsOfRelationHaveTheRoom(t *testing.T) {
	w := &world{}
	hub, firm := w.entity(1, "Harbour Office"), w.entity(2, "Portwerk")
	w.claim(11, hub, "part_of", "", toEntity(firm), from(1))
	for i := range 6 {
		w.claim(20+i, w.entity(30+i, fmt.Sprint("Crane ", i)), "part_of", "", toEntity(hub), from(2))
		w.claim(40+i, hub, "mentioned_beside", "", toEntity(w.entity(50+i, fmt.Sprint("Ferry ", i))), from(9))
	}
	w.claim(60, w.entity(61, "Dock Office"), "part_of", "", toEntity(firm))
	for _, c := range []struct {
		room, hops int
		want       string
	}{
		{1, 1, "cut 12: Portwerk parent .8"},
		{3, 1, "cut 10: Crane child .7, Crane child .7, Portwerk parent .8"},
		{8, 1, "cut 5: Crane child .7, Crane child .7, Crane child .7, Crane child .7, Crane child .7, Crane child .7, " +
			"Ferry cross_reference .6, Portwerk parent .8"},
		{1000, 2, "cut 0: Crane child .7, Crane child .7, Crane child .7, Crane child .7, Crane child .7, Crane child .7, " +
			"Ferry cross_reference .6, Ferry cross_reference .6, Ferry cross_reference .6, Ferry cross_reference .6, " +
			"Ferry cross_reference .6, Ferry cross_reference .6, Portwerk parent .8, Dock sibling .5"},
	} {
		compiler, err := compile.New(tokens, compile.Config{Neighbours: c.room})
		if err != nil {
			t.Fatal(err)
		}
		req := ask("A summary of the Harbour Office")
		req.Hops = &c.hops
		res, err := compiler.Compile(t.Context(), w, agent(), req, day(15))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, e := range res.Trace.State.ResolvedEntities {
			if e.FoundBy == "relation" {
				known, err := w.Entities(t.Context(), []tenure.ID{e.EntityID})
				if err != nil {
					t.Fatal(err)
				}
				name, _, _ := strings.Cut(known[0].Name, " ")
				list = append(list, fmt.Sprintf("%s %s %s", name, e.Relation, strings.TrimPrefix(fmt.Sprint(e.Nearness), "0")))
			}
		}
		cut := res.Trace.State.Retrieval.NeighboursCut
		if got := fmt.Sprintf("cut %d: %s", cut, strings.Join(list, ", ")); got != c.want {
			t.Errorf("room for %d over %d:\n got %s\nwant %s", c.room, c.hops, got, c.want)
		}
		if status := res.Trace.ValidationStatus; (status == "TRUNCATED") != (cut > 0) {
			t.Errorf("room for %d: %s", c.room, status)
		}
	}
}
