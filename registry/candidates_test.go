package registry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"tenure"
	"tenure/registry"
	"tenure/similarity"
)

// TestWhoMayBeMeant checks which entities that are known by a mention's name or identifier can be meant by the mention.
func TestWhoMayBeMeant(t *testing.T) {
	ada := func(edit func(*tenure.Entity)) func(*memory) tenure.ID {
		return func(m *memory) tenure.ID {
			id := m.know(one("Ada Featherstone", attributeMap{"passport": {"X1234567"}}))
			e := m.entities[id]
			edit(&e)
			m.entities[id] = e
			return id
		}
	}
	for _, c := range []struct {
		behaviour string
		known     func(*memory) tenure.ID
		want      string
		same      bool
	}{
		{"a-canonical-one", ada(func(*tenure.Entity) {}), "auto_merge identifier", true},
		{"a-retired-one", ada(func(e *tenure.Entity) { e.Status = tenure.EntityRetired }), "new_entity no_candidate", false},
		{"one-of-another-project", ada(func(e *tenure.Entity) { e.Project = "nova" }), "new_entity no_candidate", false},
		{"one-of-the-project", ada(func(e *tenure.Entity) { e.Project = "atlas" }), "auto_merge identifier", true},
		{"one-of-another-type", ada(func(e *tenure.Entity) { e.Type = "ship" }), "new_entity no_candidate", false},
		{"one-that-waits", ada(func(e *tenure.Entity) { e.Status, e.Reason = tenure.EntityPending, registry.BySimilarity }), "review joins_pending", true},
		{"one-that-is-gone", func(m *memory) tenure.ID {
			id := m.know(one("Ada Featherstone", attributeMap{"passport": {"X1234567"}}))
			delete(m.entities, id)
			return id
		}, "new_entity no_candidate", false},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			m := newMemory(t)
			known := c.known(m)
			mention := one("Ada Featherstone", attributeMap{"passport": {"X1234567"}})
			mention.Project = "atlas"
			if d := m.decide(mention); said(d) != c.want || (d.Root == known) != c.same {
				t.Errorf("decided %q, want %q; the same: %v\n%s", said(d), c.want, d.Root == known, candidates(d))
			}
		})
	}
}

// TestAMergedEntityIsMeantByItsRoot checks that a mention known by the alias of a merged entity means the root and is
// assigned to the member.
func TestAMergedEntityIsMeantByItsRoot(t *testing.T) {
	m := newMemory(t)
	root, member := m.know(one("Ada Park", nil)), m.know(one("Ada Featherstone", nil))
	e := m.entities[member]
	e.Status, e.MergedInto = tenure.EntityMerged, root
	m.entities[member] = e
	r := m.entities[root]
	r.Members = []tenure.ID{member}
	m.entities[root] = r
	for name, want := range map[string]tenure.ID{"Ada Featherstone": member, "Ada Park": root} {
		d := m.decide(one(name, nil))
		if said(d) != "auto_merge exact_name" || d.Root != root || d.Entity != want {
			t.Errorf("%s: %q, %s of %s", name, said(d), d.Entity, d.Root)
		}
	}
}

// TestARowIsKnownAgain checks when a row that was resolved before keeps its entity, whatever it says now.
func TestARowIsKnownAgain(t *testing.T) {
	for _, c := range []struct {
		behaviour string
		edit      func(*tenure.Entity)
		project   string
		want      string
		same      bool
	}{
		{"the-same", func(*tenure.Entity) {}, "", "auto_merge record", true},
		{"in-a-project", func(*tenure.Entity) {}, "atlas", "auto_merge record", true},
		{"of-the-project", func(e *tenure.Entity) { e.Project = "atlas" }, "atlas", "auto_merge record", true},
		{"of-another-project", func(e *tenure.Entity) { e.Project = "nova" }, "atlas", "new_entity no_candidate", false},
		{"of-a-project-for-everybody", func(e *tenure.Entity) { e.Project = "nova" }, "", "new_entity no_candidate", false},
		{"retired", func(e *tenure.Entity) { e.Status = tenure.EntityRetired }, "", "new_entity no_candidate", false},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			m := newMemory(t)
			known := m.know(row("crm", "7", one("Ada Featherstone", nil)))
			e := m.entities[known]
			c.edit(&e)
			m.entities[known] = e
			mention := row("crm", "7", one("Bruno Kessel", nil))
			mention.Project = c.project
			d := m.decide(mention)
			if said(d) != c.want || (d.Root == known) != c.same || d.KnownRecord != c.same {
				t.Errorf("decided %q, want %q; the same: %v", said(d), c.want, d.Root == known)
			}
			if c.same && d.Score != 0.99 {
				t.Errorf("the score is %v", d.Score)
			}
		})
	}
}

// TestCoMentions checks the evidence of co-mentions: an entity that beliefs relate to a co-mentioned
// entity may be meant by a short name, and gains on a similar one.
func TestCoMentions(t *testing.T) {
	m := newMemory(t)
	project := m.know(tenure.Mention{Name: "Heronwell", Type: "project"})
	ada := m.know(one("Ada Featherstone", nil))
	stranger := m.know(one("Ranulph Twisleton", nil))
	m.related[project] = []tenure.ID{ada, stranger}
	m.related[ada] = []tenure.ID{project}
	rank := func(name string, company ...tenure.ID) registry.Decision {
		judge := registry.Matcher{Model: similarity.DefaultModel()}
		d, err := judge.Rank(t.Context(), m, m.ready(one(name, nil)), registry.Hints{CoMentions: company, Proposed: nil}, 5)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	roots := func(d registry.Decision) (ids []tenure.ID) {
		for _, c := range d.Candidates {
			ids = append(ids, c.Root.ID)
		}
		return ids
	}
	if got := roots(rank("Ada")); len(got) != 0 {
		t.Errorf("without company: %v", got)
	}
	if got := roots(rank("Ada", project)); !slices.Equal(got, []tenure.ID{ada}) {
		t.Errorf("in company: %v, want %s", got, ada)
	}
	if got := roots(rank("Ada", stranger)); len(got) != 0 {
		t.Errorf("in other company: %v", got)
	}
	if got := roots(rank("Ada Featherstone", project)); !slices.Equal(got, []tenure.ID{ada}) {
		t.Errorf("the full name in company: %v", got)
	}
	score := func(company ...tenure.ID) float64 {
		judge := registry.Matcher{Model: similarity.DefaultModel()}
		d, err := judge.Rank(t.Context(), m, m.ready(one("Ada Fetherstone", nil)), registry.Hints{CoMentions: company, Proposed: []tenure.ID{ada}}, 5)
		if err != nil || len(d.Candidates) != 1 {
			t.Fatal(d.Candidates, err)
		}
		if sum := total(d.Candidates[0].Comparison.Contributions); d.Candidates[0].Comparison.LogOdds-sum > 1e-9 || sum-d.Candidates[0].Comparison.LogOdds > 1e-9 {
			t.Errorf("the contributions add up to %v, not %v", sum, d.Candidates[0].Comparison.LogOdds)
		}
		return d.Candidates[0].Comparison.Score
	}
	alone, among, others := score(), score(project), score(stranger)
	if among <= alone || others != alone {
		t.Errorf("a similar name scores %v alone, %v in company, %v in other company", alone, among, others)
	}
}

func total(list []similarity.Contribution) (sum float64) {
	for _, c := range list {
		sum += c.LogOdds
	}
	return sum
}

// TestRankIsWhatResolveDecides checks that a query about a mention is answered with the decision that a write takes,
// and that only so many candidates are explained.
func TestRankIsWhatResolveDecides(t *testing.T) {
	for _, c := range []struct {
		behaviour string
		known     []tenure.Mention
		mention   tenure.Mention
	}{
		{"a-match", []tenure.Mention{one("Ada Featherstone", nil)}, one("Ada Featherstone", nil)},
		{"nobody", nil, one("Ada Featherstone", nil)},
		{"two", []tenure.Mention{one("Ada Featherstone", nil), one("Ada Featherstone", nil)}, one("Ada Featherstone", nil)},
		{"a-row", []tenure.Mention{row("crm", "7", one("Ada Featherstone", nil))}, row("crm", "7", one("Bruno Kessel", nil))},
		{"likeness", []tenure.Mention{one("Ottoline Featherstonehaugh", nil)}, one("Ottoline Fetherstonehaugh", nil)},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			m := newMemory(t)
			var all []tenure.ID
			for _, k := range c.known {
				all = append(all, m.know(k))
			}
			judge := registry.Matcher{Model: similarity.DefaultModel()}
			for range 2 { // the second time, a pending entity may be there
				for explained := range 3 {
					ranked, err := judge.Rank(t.Context(), m, m.ready(c.mention), registry.Hints{CoMentions: nil, Proposed: all}, explained)
					if err != nil {
						t.Fatal(err)
					}
					for i, s := range ranked.Candidates {
						if got := len(s.Comparison.Contributions) > 0; got != (i < explained) && !ranked.KnownRecord {
							t.Errorf("candidate %d of %d explained: %v", i, explained, got)
						}
					}
					if len(ranked.Changes) > 0 {
						t.Errorf("a query changes %v", ranked.Changes)
					}
				}
				ranked, err := judge.Rank(t.Context(), m, m.ready(c.mention), registry.Hints{CoMentions: nil, Proposed: all}, 1)
				if err != nil {
					t.Fatal(err)
				}
				d := m.decide(c.mention)
				if ranked.Outcome != d.Outcome || ranked.Reason != d.Reason || ranked.Score != d.Score || !d.Created && ranked.Root != d.Root {
					t.Errorf("ranked %q %v of %s, decided %q %v of %s", said(ranked), ranked.Score, ranked.Root, said(d), d.Score, d.Root)
				}
				if d.Created && d.Outcome == tenure.NewEntity {
					return
				}
				if d.Created {
					all = append(all, d.Root)
				}
			}
		})
	}
}

// away is a memory whose n-th read fails.
type away struct {
	*memory
	reads, fails int
}

var errAway = errors.New("the store is away")

func (a *away) read() error {
	a.reads++
	if a.reads == a.fails {
		return errAway
	}
	return nil
}

func (a *away) AliasesByKey(ctx context.Context, f tenure.AliasKey) ([]tenure.Alias, error) {
	list, _ := a.memory.AliasesByKey(ctx, f)
	return list, a.read()
}

func (a *away) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	e, _ := a.memory.Entity(ctx, id)
	return e, a.read()
}

func (a *away) Term(ctx context.Context, id string) (*tenure.Term, error) {
	term, _ := a.memory.Term(ctx, id)
	return term, a.read()
}

func (a *away) IdentityDecisionsOn(ctx context.Context, id tenure.ID) ([]tenure.IdentityDecision, error) {
	list, _ := a.memory.IdentityDecisionsOn(ctx, id)
	return list, a.read()
}

func (a *away) ReviewsOf(ctx context.Context, id tenure.ID) ([]tenure.Review, error) {
	list, _ := a.memory.ReviewsOf(ctx, id)
	return list, a.read()
}

func (a *away) Related(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	list, _ := a.memory.Related(ctx, ids)
	return list, a.read()
}

func (a *away) Facts(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, _ := a.memory.Facts(ctx, ids)
	return list, a.read()
}

func (a *away) MentionsOf(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	return []tenure.Mention{{ID: "m" + id, Name: a.entities[id].Name}}, a.read()
}

// TestADecisionNeedsEveryRead checks that resolution, a query, re-resolution and clustering during which any one read
// fails end in that error, even if the read has returned something.
func TestADecisionNeedsEveryRead(t *testing.T) {
	judge := registry.Matcher{Model: similarity.DefaultModel()}
	m := newMemory(t)
	m.define(tenure.EntityTypes, tenure.Term{Name: "engineer", Parent: "person"})
	m.define(tenure.Sources, tenure.Term{Name: "crm"})
	root := m.know(row("crm", "1", one("Ada Featherstone", attributeMap{"passport": {"X1234567"}})))
	member := m.know(one("Ada Fetherstone", nil))
	e, r := m.entities[member], m.entities[root]
	e.Status, e.MergedInto, r.Members = tenure.EntityMerged, root, []tenure.ID{member}
	m.entities[member], m.entities[root] = e, r
	other := m.know(row("crm", "2", one("Ada Featherston", nil)))
	m.related[other] = []tenure.ID{root}
	pending := m.decide(one("Ada Feathersten", nil))
	mention := one("Ada Fetherstone", attributeMap{"passport": {"X1234567"}})
	mention.Type = "engineer"
	mention = m.ready(mention)
	again := m.ready(row("crm", "1", one("Ada", nil)))
	fresh := m.ready(row("crm", "9", one("Ada Featherstone", nil)))
	proposals := []tenure.ID{root, member, other, pending.Entity}
	for name, run := range map[string]func(*away) (any, error){
		"resolve": func(a *away) (any, error) {
			d, err := judge.Resolve(t.Context(), a, mention, registry.Hints{CoMentions: []tenure.ID{other}, Proposed: proposals}, m.mint())
			return d.Changes, err
		},
		"resolve-a-name": func(a *away) (any, error) {
			d, err := judge.Resolve(t.Context(), a, m.ready(one("Ada Feathersten", nil)), registry.Hints{CoMentions: []tenure.ID{other}, Proposed: proposals}, m.mint())
			return d.Changes, err
		},
		"resolve-a-known-row": func(a *away) (any, error) {
			d, err := judge.Resolve(t.Context(), a, again, registry.Hints{CoMentions: nil, Proposed: proposals}, m.mint())
			return d.Changes, err
		},
		"resolve-a-row": func(a *away) (any, error) {
			d, err := judge.Resolve(t.Context(), a, fresh, registry.Hints{CoMentions: nil, Proposed: proposals}, m.mint())
			return d.Changes, err
		},
		"rank": func(a *away) (any, error) {
			d, err := judge.Rank(t.Context(), a, mention, registry.Hints{CoMentions: []tenure.ID{other}, Proposed: proposals}, 3)
			return d.Candidates, err
		},
		"reassess": func(a *away) (any, error) {
			s, err := judge.Reassess(t.Context(), a, m.entities[root], proposals)
			return s.Candidates, err
		},
		"recluster": func(a *away) (any, error) {
			return judge.Recluster(t.Context(), a, []tenure.Entity{m.entities[root], m.entities[other]}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := &away{memory: m}
			if _, err := run(whole); err != nil || whole.reads < 4 {
				t.Fatalf("%d reads, %v", whole.reads, err)
			}
			for n := 1; n <= whole.reads; n++ {
				if got, err := run(&away{memory: m, fails: n}); !errors.Is(err, errAway) {
					t.Errorf("read %d of %d: %v, %v", n, whole.reads, fmt.Sprintf("%.60v", got), err)
				}
			}
		})
	}
}
