package resolution

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/index"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"

	"tenure/similarity"
	"tenure/store"
)

const tenant = "t"

func id(n int) tenure.ID { return tenure.ID(fmt.Sprintf("0198c1f0-0000-7000-8000-%012d", n)) }

// said returns a change set with one mention of an entity in a session.
func said(s tenure.Scope, name string, entity tenure.ID) []tenure.Change {
	return []tenure.Change{
		tenure.ObservationAdded{Observation: tenure.Observation{ID: "o", Scope: s}},
		tenure.MentionAdded{Mention: tenure.Mention{ID: "m", Observation: "o", Name: name}},
		tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: "m", Entity: entity}},
	}
}

func TestSessionsRecallWhomANameMayMean(t *testing.T) {
	here := tenure.Scope{SessionID: "s1", UserID: "u"}
	s := newSessions()
	s.note(tenant, said(here, "Katharina Lindqvist", id(1)))
	s.note(tenant, said(here, "Bo Okafor", id(2)))
	s.note(tenant, said(here, "Katharina Wilk", id(3)))
	s.note(tenant, said(here, "Katharina Lindqvist", id(1)))
	s.note(tenant, said(tenure.Scope{UserID: "u"}, "Katharina Ruiz", id(4))) // without a session
	other := here
	other.UserID = "v"
	for _, c := range []struct {
		what, tenant, name string
		scope              tenure.Scope
		want               []tenure.ID
	}{
		{"a first name, the last mentioned first", tenant, "Katharina", here, []tenure.ID{id(1), id(3)}},
		{"a last name", tenant, "Okafor", here, []tenure.ID{id(2)}},
		{"another name", tenant, "Amaya", here, nil},
		{"another user's session", tenant, "Katharina", other, nil},
		{"another tenant", "other", "Katharina", here, nil},
		{"no session", tenant, "Katharina", tenure.Scope{UserID: "u"}, nil},
	} {
		if got := s.recall(c.tenant, c.name, c.scope, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// TestWhatASessionSaidLately: the session of a source counts where the scope has none.
func TestWhatASessionSaidLately(t *testing.T) {
	c := &Candidates{sessions: newSessions()}
	for i, source := range []string{"s1", "s1", "s2"} {
		changes := said(tenure.Scope{ProjectID: "p"}, fmt.Sprint("Katharina ", i), id(i))
		o := changes[0].(tenure.ObservationAdded)
		o.Observation.Source.Session = source
		changes[0] = o
		c.sessions.note(tenant, changes)
	}
	want := []Mentioned{{Name: "Katharina 1", Entity: id(1)}, {Name: "Katharina 0", Entity: id(0)}}
	here := tenure.Scope{ProjectID: "p"}
	if got := c.Lately(tenant, here.InSession("s1"), nil); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for what, scope := range map[string]tenure.Scope{"no session": here, "another project": {SessionID: "s1"}} {
		if got := c.Lately(tenant, scope, nil); len(got) > 0 {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// TestASessionTellsOfWhatIsSeen checks that a session neither recalls mentions above the caller's clearance nor forgets
// visible ones because of them.
func TestASessionTellsOfWhatIsSeen(t *testing.T) {
	here := tenure.Scope{SessionID: "s1"}
	c := &Candidates{sessions: newSessions()}
	c.sessions.note(tenant, said(here, "Katharina Lindqvist", id(0)))
	for i := range mentionsKept + 1 {
		hidden := said(here, "Katharina Berg", id(i+1))
		m := hidden[1].(tenure.MentionAdded)
		m.Mention.Label.Classification = tenure.Confidential
		hidden[1] = m
		c.sessions.note(tenant, hidden)
	}
	sees := tenure.Label{}.Covers
	if got := c.sessions.recall(tenant, "Katharina", here, sees); !slices.Equal(got, []tenure.ID{id(0)}) {
		t.Errorf("recalled %v", got)
	}
	if got := c.Lately(tenant, here, sees); len(got) != 1 || got[0].Entity != id(0) {
		t.Errorf("lately %v", got)
	}
}

func TestASessionRemembersItsLastMentions(t *testing.T) {
	here := tenure.Scope{SessionID: "s1"}
	s := newSessions()
	for i := range mentionsKept + 1 {
		s.note(tenant, said(here, "Katharina Lindqvist", id(i)))
	}
	got := s.recall(tenant, "Katharina", here, nil)
	if len(got) != mentionsKept || got[0] != id(mentionsKept) || slices.Contains(got, id(0)) {
		t.Errorf("%d mentions are remembered: %v", len(got), got)
	}
}

// newWorker returns a worker over a store and an index, with a writer; it follows no log by itself.
func newWorker(t *testing.T, s store.Store, x *index.Index) *Worker {
	t.Helper()
	w := NewWorker(s, x, Config{
		Logger: slog.New(slog.DiscardHandler), Now: time.Now, Matcher: registry.Matcher{Model: similarity.DefaultModel()},
	})
	mint := func() tenure.Mint { return tenure.NewMint(time.Now()) }
	var err error
	if w.writer, err = ledger.NewWriter(s, mint, registry.Policies(w.matcher.Model, ledger.Unobserved), ledger.Config{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.writer.Close)
	return w
}

func newIndex(t *testing.T) *index.Index {
	t.Helper()
	x, err := index.Open(t.TempDir(), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestCandidatesAreOfCompatibleTypes(t *testing.T) {
	s, x := world.NewState(t), newIndex(t)
	defer func() { _ = x.Close() }()
	w := newWorker(t, s, x)
	for i, typ := range []string{"person", "employee", "robot", ""} {
		e := tenure.Entity{ID: id(i), Type: typ, Status: tenure.EntityCanonical, Name: "Katharina Lindqvist"}
		s.Put(tenant, tenure.EntityPut{Entity: e}, tenure.AliasAdded{Alias: tenure.Alias{
			Key: similarity.NameAliasKey(e.Name), Entity: e.ID, Type: typ, Spelling: e.Name, Mention: e.ID,
		}})
	}
	s.Put(tenant, tenure.TermPut{Term: tenure.Term{Vocabulary: tenure.EntityTypes, Name: "employee", Parent: "person"}})
	x.Checkpoints().Set(tenant, s.Seq(tenant)) // only index results are compared here
	if err := w.CatchUp(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
	for typ, want := range map[string][]tenure.ID{
		"person":   {id(0), id(1), id(3)},
		"employee": {id(0), id(1), id(3)},
		"robot":    {id(2), id(3)},
		"":         {id(0), id(1), id(2), id(3)},
	} {
		got := w.Candidates.Propose(t.Context(), tenure.Mention{Name: "Katarina Lindqvist", Type: typ}, ingest.Talk{Tenant: tenant}, 10).Proposed
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("of a mention of type %q: %v, want %v", typ, got, want)
		}
		got, err := w.Candidates.ProposeFor(t.Context(), tenant, tenure.Entity{Name: "Katarina Lindqvist", Type: typ}, 10)
		if slices.Sort(got); !slices.Equal(got, want) || err != nil {
			t.Errorf("of an entity of type %q: %v, %v, want %v", typ, got, err, want)
		}
	}
}

// TestReresolutionWithoutCandidatesComesAgain checks that re-resolution is retried after a failed search.
func TestReresolutionWithoutCandidatesComesAgain(t *testing.T) {
	s := world.NewState(t)
	s.Put(tenant, world.Person(id(1), "Katharina Lindqvist", "")...)
	x, closed := newIndex(t), newIndex(t)
	defer func() { _ = x.Close() }()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	reresolve := func(x *index.Index) error {
		return newWorker(t, s, x).reresolve(t.Context(), tenant, []tenure.ID{id(1)})
	}
	if err := reresolve(closed); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("without an index: %v", err)
	}
	if err := reresolve(x); err != nil {
		t.Errorf("with it: %v", err)
	}
}

// TestReresolutionAsksAndCounts checks that a review is opened and counted for two possibly identical
// entities once the index holds both.
func TestReresolutionAsksAndCounts(t *testing.T) {
	s, x := world.NewState(t), newIndex(t)
	defer func() { _ = x.Close() }()
	for i := range 2 {
		e := tenure.Entity{
			ID: id(i), Type: "person", Status: tenure.EntityCanonical, Name: "Katharina Lindqvist", CreatedAt: tenure.Instant(i),
			Attributes: map[string][]string{"email": {"k.lindqvist@example.org"}, "dob": {"1981-04-02"}},
		}
		s.Put(tenant, tenure.EntityPut{Entity: e}, tenure.AliasAdded{Alias: tenure.Alias{
			Key: similarity.NameAliasKey(e.Name), Entity: e.ID, Type: e.Type, Spelling: e.Name, Mention: e.ID,
		}})
	}
	w := newWorker(t, s, x)
	if err := w.CatchUp(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
	if got := w.Outcomes(); got != (Outcomes{Opened: 1}) {
		t.Errorf("outcomes: %+v", got)
	}
	r, err := s.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	open, err := r.ListReviews(t.Context(), store.ReviewQuery{State: tenure.ReviewOpen, Ranked: true})
	if err != nil || len(open) != 1 || open[0].Priority <= 0 || open[0].Model == "" {
		t.Errorf("open reviews: %+v, %v", open, err)
	}
}

// TestTheFirstTextKnowsTheNames checks that a text waits for the names of a tenant that are not in memory: at first, and
// after the tenant was let go.
func TestTheFirstTextKnowsTheNames(t *testing.T) {
	s, x := world.NewState(t), newIndex(t)
	defer func() { _ = x.Close() }()
	e := tenure.Entity{ID: id(1), Type: "system", Status: tenure.EntityCanonical, Name: "zorblax"}
	s.Put(tenant, tenure.EntityPut{Entity: e}, tenure.AliasAdded{Alias: tenure.Alias{
		Key: similarity.NameAliasKey(e.Name), Entity: e.ID, Type: e.Type, Spelling: e.Name, Mention: e.ID,
	}})
	w := newWorker(t, s, x)
	const text = "we think that zorblax is slow today"
	if got, err := w.Extract(t.Context(), "another", text, "", nil); len(got) > 0 || err != nil {
		t.Fatalf("without the name: %+v, %v", got, err)
	}
	for range 2 {
		if got, err := w.Extract(t.Context(), tenant, text, "", nil); len(got) != 1 || err != nil {
			t.Errorf("found %+v, %v", got, err)
		}
		if err := w.dictionary.Reset(t.Context(), tenant); err != nil {
			t.Fatal(err)
		}
	}
}
