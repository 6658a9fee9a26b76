package compile_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
	"tenure/store"
)

// varied adds to a random world what [random] leaves out: tasks, decay, keys, guidance, merged, pending and retired
// entities, and the fields of a request.
func varied(seed uint64) (*world, compile.Request) {
	r := rand.New(rand.NewPCG(seed, 5))
	w, req, _ := random(r)
	for i := range w.beliefs {
		c := &w.beliefs[i].Claim
		switch r.IntN(9) {
		case 0:
			c.ApplicableTaskTypes = []string{[]string{"report", "review"}[r.IntN(2)]}
			c.BehavioralImplication = "be brief"
		case 1:
			c.DecayRule = &tenure.DecayRule{HalfLifeDays: float64(r.IntN(20)), MinimumThreshold: .5}
			w.beliefs[i].Standing.LastConfirmed = day(1 + r.IntN(14))
		case 2:
			c.Key = fmt.Sprint("a key ", r.IntN(3))
		case 3:
			c.WhyItMatters = "value 2 decides"
		case 4:
			c.ObjectType = tenure.ActionableConstraint
		case 5:
			c.Window.Until = day(10 + r.IntN(10))
			w.beliefs[i].Standing.Segments = []tenure.Segment{{Window: c.Window, Cause: tenure.Stands}}
		case 6:
			c.Permission.AllowRoles = []string{[]string{"Sales", "board"}[r.IntN(2)]}
		}
	}
	for i := range w.entities {
		switch e := &w.entities[i]; r.IntN(12) {
		case 0:
			e.Status = tenure.EntityPending
		case 1:
			e.Status = tenure.EntityRetired
		case 2:
			e.Project = "q"
		case 3:
			e.Type = "team"
		case 4:
			if i > 0 && w.entities[0].Status == tenure.EntityCanonical {
				e.Status, e.MergedInto = tenure.EntityMerged, w.entities[0].ID
				w.entities[0].Members = append(w.entities[0].Members, e.ID)
			}
		}
	}
	if w.entities[0].Project != "" {
		req.Entities = nil
	}
	share := float64(r.IntN(5)) / 4
	req.FactsShare, req.Task = &share, compile.Task{Type: "report", Name: "write value 1"}
	if r.IntN(2) == 0 {
		req.BudgetTokens = 0
	}
	if r.IntN(3) == 0 {
		req.ValidAt = day(3 + r.IntN(15))
	}
	if r.IntN(2) == 0 {
		req.Identity = &compile.Identity{Name: "Name3", Roles: []string{"sales"}, Department: "East"}
		req.Environment = map[string]string{"p1": "value 0", "zone": "Oslo"}
		req.WorkingSet = []string{"a draft", " ", "a list of things to do"}
	}
	return w, req
}

// tail shortens an id to its number.
func tail(id tenure.ID) string {
	if id == "" {
		return ""
	}
	return strings.TrimLeft(string(id)[max(0, len(id)-6):], "0")
}

// summary formats all of an answer that a caller would act on.
func summary(res compile.Result) string {
	var b strings.Builder
	s, m := res.Trace.State, res.Trace
	fmt.Fprintf(&b, "%s\ntokens %d of %d", res.Envelope.Text, m.CompiledPromptTokens, m.BudgetTokens)
	for _, z := range res.Envelope.Zones {
		fmt.Fprintf(&b, ", %s %d", z.Name, z.Tokens)
	}
	fmt.Fprintf(&b, "; cached %d, not %d; messages", s.Cache.StaticPrefixTokens, s.Cache.DynamicSuffixTokens)
	for _, x := range res.Envelope.Messages {
		fmt.Fprintf(&b, " %s %d", x.Role, len(x.Content))
	}
	fmt.Fprintf(&b, "\nretrieved %d, compiled %d, precision %v, decayed %d, conflicts %d, denied %v\n",
		s.Retrieval.RetrievedCandidateCount, s.Retrieval.CompiledCandidateCount, s.Retrieval.ContextPrecisionEstimate,
		m.Metrics.StateDecayEvictions, m.Metrics.EntityResolutionConflicts, s.DeniedCounts)
	for _, e := range s.ResolvedEntities {
		fmt.Fprintf(&b, "about %s %s by %s %q after %d\n", e.Type, tail(e.EntityID), e.FoundBy, e.Text, e.Hops)
	}
	for _, u := range s.UnresolvedEntities {
		fmt.Fprintf(&b, "unresolved %q%s %s:", u.Text, u.Pointer, u.Reason)
		for _, c := range u.Candidates {
			fmt.Fprintf(&b, " %s", tail(c))
		}
		b.WriteString("\n")
	}
	for _, o := range s.CompiledObjects {
		fmt.Fprintf(&b, "%s %d: %s of %s %s as %s, relevance %v, %s to %s\n",
			o.Zone, o.Line, tail(o.ObjectID), tail(o.EntityID), o.PriorityTier, o.CompiledAs, o.Relevance, dayOf(o.ValidFrom), dayOf(o.ValidUntil))
	}
	for _, o := range s.OmittedObjects {
		fmt.Fprintf(&b, "omitted %s of %s: %s %s %s by %s, %s to %s\n", tail(o.ObjectID), tail(o.EntityID), o.Reason, o.PriorityTier,
			o.ContradictionStatus, tail(o.DisplacedBy), dayOf(o.ValidFrom), dayOf(o.ValidUntil))
	}
	for _, o := range s.QuarantinedObjects {
		fmt.Fprintf(&b, "held %s of %s: %s\n", tail(o.ObjectID), tail(o.EntityID), o.Reason)
	}
	for _, o := range s.OmittedInputs {
		fmt.Fprintf(&b, "omitted %s: %s\n", o.Pointer, o.Reason)
	}
	for _, x := range res.Ties {
		fmt.Fprintf(&b, "tie about %s %s from %s to %s:", tail(x.Subject), x.Predicate, x.Window.From, x.Window.Until)
		for _, side := range x.Sides {
			fmt.Fprintf(&b, " %s", tail(side))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func dayOf(s string) string { return s[:min(len(s), 10)] }

// TestVariedCompilations checks the lines, tiers, reasons and figures of many random states against the golden file.
func TestVariedCompilations(t *testing.T) {
	var b strings.Builder
	for seed := range uint64(60) {
		w, req := varied(seed)
		req.BudgetTokens = w.leastOf(t, req)
		fmt.Fprintf(&b, "---- %d\n%s", seed, summary(w.compiled(t, req)))
	}
	path := filepath.Join("testdata", "varied.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("compilations have changed; -update writes the file: %s", diff)
	}
}

// away is a world whose n-th read fails.
type away struct {
	*world
	left int
}

var errAway = errors.New("the store is away")

func (w *away) fails() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left--
	if w.left == 0 {
		return errAway
	}
	return nil
}

func (w *away) Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	list, _ := w.world.Entities(ctx, ids)
	return list, w.fails()
}

func (w *away) AliasesByKey(ctx context.Context, keys []tenure.AliasKey) ([]tenure.Alias, error) {
	list, _ := w.world.AliasesByKey(ctx, keys)
	return list, w.fails()
}

func (w *away) Live(ctx context.Context, ids []tenure.ID, in tenure.Window, n int) ([]tenure.Belief, error) {
	list, _ := w.world.Live(ctx, ids, in, n)
	return list, w.fails()
}

func (w *away) Displaced(ctx context.Context, ids []tenure.ID, in tenure.Window, n int) ([]tenure.Belief, error) {
	list, _ := w.world.Displaced(ctx, ids, in, n)
	return list, w.fails()
}

func (w *away) Relations(ctx context.Context, ids []tenure.ID, in tenure.Window, n int) ([]tenure.Belief, error) {
	list, _ := w.world.Relations(ctx, ids, in, n)
	return list, w.fails()
}

func (w *away) Terms(ctx context.Context, ids []string) ([]tenure.Term, error) {
	list, _ := w.world.Terms(ctx, ids)
	return list, w.fails()
}

func (w *away) Cases(ctx context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	list, _ := w.world.Cases(ctx, ids)
	return list, w.fails()
}

func (w *away) ProposalsOn(
	ctx context.Context, ids []tenure.ID, in tenure.Scope, n int,
) ([]store.ObservationRecord, error) {
	list, _ := w.world.ProposalsOn(ctx, ids, in, n)
	return list, w.fails()
}

func (w *away) Observations(ctx context.Context, ids []tenure.ID) ([]tenure.Observation, error) {
	list, _ := w.world.Observations(ctx, ids)
	return list, w.fails()
}

func (w *away) Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, _ := w.world.Beliefs(ctx, ids)
	return list, w.fails()
}

func (w *away) Facts(ctx context.Context, ids []tenure.ID, in tenure.Window, n int) ([]tenure.Belief, error) {
	list, _ := w.world.Facts(ctx, ids, in, n)
	return list, w.fails()
}

// TestAReadThatFailsIsNoAnswer checks that a compilation during which any one read fails is an error, even if the read
// has returned a part.
func TestAReadThatFailsIsNoAnswer(t *testing.T) {
	w := &world{}
	ann, ben := w.entity(1, "Ann"), w.entity(2, "Ben")
	w.claim(11, ann, "manager", "", toEntity(ben))
	w.claim(12, ann, "office", "Oslo", scoped(tenure.Scope{UserID: "u"}))
	w.claim(13, ann, "office", "Rome", scoped(tenure.Scope{ProjectID: "p"}))
	w.claim(14, ben, "friend", "", toEntity(w.entity(3, "Cid")))
	w.propose(30, ann, "manager", "Cid", []tenure.ID{id(11)})
	req := ask("Who is Ann?")
	req.Scope = tenure.Scope{UserID: "u", ProjectID: "p"}
	c, err := compile.New(tokens, compile.Config{})
	if err != nil {
		t.Fatal(err)
	}
	reads := &away{world: w}
	res, err := c.Compile(t.Context(), reads, agent(), req, day(15))
	if err != nil || len(res.Ties) != 1 || -reads.left < 11 {
		t.Fatalf("%d reads, %d ties, %v", -reads.left, len(res.Ties), err)
	}
	for n := 1; n <= -reads.left; n++ {
		res, err := c.Compile(t.Context(), &away{world: w, left: n}, agent(), req, day(15))
		if !errors.Is(err, errAway) || len(res.Envelope.Zones) > 0 {
			t.Errorf("read %d: %v, %d zones", n, err, len(res.Envelope.Zones))
		}
	}
}

// TestBoundsOfARequest checks each bound: a request on the bound is taken, and one beyond it is refused at its field.
func TestBoundsOfARequest(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	list := func(n int) []string { return slices.Repeat([]string{"x"}, n) }
	number := func(x float64) *float64 { return &x }
	hops := func(n int) *int { return &n }
	for _, c := range []struct {
		pointer  string
		on, over func(*compile.Request)
	}{
		{"/task/type", func(r *compile.Request) { r.Task.Type = text(512) }, func(r *compile.Request) { r.Task.Type = text(513) }},
		{"/task/name", func(r *compile.Request) { r.Task.Name = text(512) }, func(r *compile.Request) { r.Task.Name = text(513) }},
		{"/query", func(r *compile.Request) { r.Query = text(32768) }, func(r *compile.Request) { r.Query = text(32769) }},
		{"/query", func(r *compile.Request) { r.Query, r.Entities = " ", []tenure.ID{id(1)} }, func(r *compile.Request) { r.Query = " " }},
		{"/scope/user_id", func(r *compile.Request) { r.Scope.UserID = text(512) }, func(r *compile.Request) { r.Scope.UserID = text(513) }},
		{"/scope/project_id", func(r *compile.Request) { r.Scope.ProjectID = text(512) }, func(r *compile.Request) { r.Scope.ProjectID = text(513) }},
		{"/scope/session_id", func(r *compile.Request) { r.Scope.SessionID = text(512) }, func(r *compile.Request) { r.Scope.SessionID = text(513) }},
		{"/scope/task_id", func(r *compile.Request) { r.Scope.TaskID = text(512) }, func(r *compile.Request) { r.Scope.TaskID = text(513) }},
		{"/budget_tokens", func(r *compile.Request) { r.BudgetTokens = 200_000 }, func(r *compile.Request) { r.BudgetTokens = 200_001 }},
		{"/budget_tokens", func(r *compile.Request) { r.BudgetTokens = 0 }, func(r *compile.Request) { r.BudgetTokens = -1 }},
		{"/facts_share", func(r *compile.Request) { r.FactsShare = number(1) }, func(r *compile.Request) { r.FactsShare = number(1.01) }},
		{"/facts_share", func(r *compile.Request) { r.FactsShare = number(0) }, func(r *compile.Request) { r.FactsShare = number(-.01) }},
		{"/hops", func(r *compile.Request) { r.Hops = hops(2) }, func(r *compile.Request) { r.Hops = hops(3) }},
		{"/hops", func(r *compile.Request) { r.Hops = hops(0) }, func(r *compile.Request) { r.Hops = hops(-1) }},
		{"/entities", func(r *compile.Request) { r.Entities = slices.Repeat([]tenure.ID{id(1)}, 100) }, func(r *compile.Request) { r.Entities = slices.Repeat([]tenure.ID{id(1)}, 101) }},
		{"/entities/1", func(r *compile.Request) { r.Entities = []tenure.ID{id(1), id(2)} }, func(r *compile.Request) { r.Entities = []tenure.ID{id(1), "x"} }},
		{"/identity/entity_id", func(r *compile.Request) { r.Identity = &compile.Identity{EntityID: id(1)} }, func(r *compile.Request) { r.Identity = &compile.Identity{EntityID: "x"} }},
		{"/identity/name", func(r *compile.Request) { r.Identity = &compile.Identity{Name: text(512)} }, func(r *compile.Request) { r.Identity = &compile.Identity{Name: text(513)} }},
		{"/identity/user_id", func(r *compile.Request) { r.Identity = &compile.Identity{UserID: text(512)} }, func(r *compile.Request) { r.Identity = &compile.Identity{UserID: text(513)} }},
		{"/identity/authority", func(r *compile.Request) { r.Identity = &compile.Identity{Authority: text(512)} }, func(r *compile.Request) { r.Identity = &compile.Identity{Authority: text(513)} }},
		{"/identity/department", func(r *compile.Request) { r.Identity = &compile.Identity{Department: text(512)} }, func(r *compile.Request) { r.Identity = &compile.Identity{Department: text(513)} }},
		{"/identity/organization", func(r *compile.Request) { r.Identity = &compile.Identity{Organization: text(512)} }, func(r *compile.Request) { r.Identity = &compile.Identity{Organization: text(513)} }},
		{"/identity/communication_style", func(r *compile.Request) { r.Identity = &compile.Identity{CommunicationStyle: text(512)} }, func(r *compile.Request) { r.Identity = &compile.Identity{CommunicationStyle: text(513)} }},
		{"/identity/roles", func(r *compile.Request) { r.Identity = &compile.Identity{Roles: list(100)} }, func(r *compile.Request) { r.Identity = &compile.Identity{Roles: list(101)} }},
		{"/identity/permissions", func(r *compile.Request) { r.Identity = &compile.Identity{Permissions: list(100)} }, func(r *compile.Request) { r.Identity = &compile.Identity{Permissions: list(101)} }},
		{"/identity/permissions/0", func(r *compile.Request) { r.Identity = &compile.Identity{Permissions: []string{text(512)}} }, func(r *compile.Request) { r.Identity = &compile.Identity{Permissions: []string{text(513)}} }},
		{"/environment", func(r *compile.Request) { r.Environment = entriesOf(200) }, func(r *compile.Request) { r.Environment = entriesOf(201) }},
		{"/environment/a~1b", func(r *compile.Request) { r.Environment = map[string]string{"a/b": text(8192)} }, func(r *compile.Request) { r.Environment = map[string]string{"a/b": text(8193)} }},
		{"/environment/" + text(513), func(r *compile.Request) { r.Environment = map[string]string{text(512): ""} }, func(r *compile.Request) { r.Environment = map[string]string{text(513): ""} }},
		{"/working_set", func(r *compile.Request) { r.WorkingSet = list(500) }, func(r *compile.Request) { r.WorkingSet = list(501) }},
		{"/working_set/1", func(r *compile.Request) { r.WorkingSet = []string{"", text(8192)} }, func(r *compile.Request) { r.WorkingSet = []string{"", text(8193)} }},
	} {
		on, over := ask("x"), ask("x")
		c.on(&on)
		c.over(&over)
		if err := on.Validate(agent()); err != nil {
			t.Errorf("%.40s on its bound: %v", c.pointer, err)
		}
		var refused *tenure.Error
		if err := over.Validate(agent()); !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Pointer != c.pointer {
			t.Errorf("%.40s beyond its bound: %v", c.pointer, err)
		}
	}
}

func entriesOf(n int) map[string]string {
	m := map[string]string{}
	for i := range n {
		m[fmt.Sprint("k", i)] = "v"
	}
	return m
}

// TestDefaultsOfARequest checks what a request without these fields gets: two hops, 2,000 tokens, seven tenths for
// facts, plain marks and the present.
func TestDefaultsOfARequest(t *testing.T) {
	w := &world{}
	ann, ben, cid := w.entity(1, "Ann"), w.entity(2, "Ben"), w.entity(3, "Cid")
	w.claim(11, ann, "manager", "", toEntity(ben))
	w.claim(12, ben, "manager", "", toEntity(cid))
	w.claim(13, cid, "office", "Rome")
	w.claim(14, ann, "office", "Oslo", from(16))
	for i := range 300 {
		w.claim(100+i, ann, fmt.Sprint("p", i), strings.Repeat("Oslo ", 4))
	}
	got := w.compiled(t, ask("Who is Ann?"))
	hops, share := 2, .7
	want := w.compiled(t, compile.Request{
		Query: "Who is Ann?", BudgetTokens: 2000, FactsShare: &share, Hops: &hops, Provider: compile.Plain, ValidAt: day(15),
	})
	if diff := cmp.Diff(summary(want), summary(got)); diff != "" {
		t.Error(diff)
	}
	if n := len(got.Trace.State.ResolvedEntities); n != 3 || got.Trace.BudgetTokens != 2000 {
		t.Errorf("%d entities and %d tokens", n, got.Trace.BudgetTokens)
	}
}

// TestWhatARequestMayNotBeAbout checks what is said of a listed entity and of the requester, if the entity waits for an
// answer or nothing is known of it any more.
func TestWhatARequestMayNotBeAbout(t *testing.T) {
	for status, want := range map[tenure.EntityStatus]string{
		tenure.EntityCanonical: "", tenure.EntityPending: "pending_entity", tenure.EntityRetired: "retired_entity",
	} {
		w := &world{}
		ann := w.entity(1, "Ann", func(e *tenure.Entity) { e.Status = status })
		w.entity(2, "Ben")
		for pointer, req := range map[string]compile.Request{
			"/entities/0":         {Query: "who", Entities: []tenure.ID{ann}},
			"/identity/entity_id": {Query: "who", Identity: &compile.Identity{EntityID: ann}},
		} {
			list := w.compiled(t, req).Trace.State.UnresolvedEntities
			switch {
			case want == "" && len(list) > 0, want != "" && (len(list) != 1 || list[0].Reason != want || list[0].Pointer != pointer):
				t.Errorf("%s that is %s: %+v", pointer, status, list)
			}
		}
	}
}
