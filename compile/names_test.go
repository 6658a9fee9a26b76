package compile_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/audience"
	"tenure/compile"
	"tenure/linking"
)

func (w *world) AliasesOf(_ context.Context, ids []tenure.ID) ([]tenure.Alias, error) {
	w.called("AliasesOf")
	return filter(w, w.aliases, func(o tenure.Alias) bool { return slices.Contains(ids, o.Entity) }), nil
}

// everybody proposes all entities of a world for every name: what is proposed decides nothing.
type everybody struct{ w *world }

func (e everybody) Named(context.Context, string, []string, string, *audience.Bounds, int) []tenure.ID {
	var ids []tenure.ID
	for _, x := range e.w.entities {
		ids = append(ids, x.ID)
	}
	return mixed(e.w, ids)
}

// found compiles with proposals, and returns the names of the entities asked about, those unresolved with their reason
// and candidates, and the result.
func (w *world) found(t *testing.T, req compile.Request) (named, unresolved []string, res compile.Result) {
	t.Helper()
	c, err := compile.New(tokens, compile.Config{Linker: linking.New(everybody{w}, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if res, err = c.Compile(t.Context(), w, agent(), req, day(15)); err != nil {
		t.Fatal(err)
	}
	name := func(id tenure.ID) string {
		return w.entities[slices.IndexFunc(w.entities, func(e tenure.Entity) bool { return e.ID == id })].Name
	}
	for _, e := range res.Trace.State.ResolvedEntities {
		if e.Hops == 0 {
			named = append(named, e.Text+" = "+name(e.EntityID))
		}
	}
	for _, u := range res.Trace.State.UnresolvedEntities {
		line := u.Text + ": " + u.Reason
		for _, id := range u.Candidates {
			line += ", " + name(id)
		}
		unresolved = append(unresolved, line)
	}
	return named, unresolved, res
}

func typed(typ string) func(*tenure.Entity) { return func(e *tenure.Entity) { e.Type = typ } }

func of(project string) func(*tenure.Entity) { return func(e *tenure.Entity) { e.Project = project } }

// TestNamesThatNobodyHasExactly checks which entities a query names by a part of their name, a slip or another case, and
// what is said where that is not sure.
func TestNamesThatNobodyHasExactly(t *testing.T) {
	pending := func(e *tenure.Entity) { e.Status = tenure.EntityPending }
	people := func(w *world) {
		w.entity(1, "Ben Ortiz")
		w.entity(2, "Hana Kobayashi")
		w.entity(3, "Leon Adeyemi")
		w.entity(4, "Leon Fischer")
		w.entity(5, "Grace Lind")
		w.entity(6, "Mark Webb")
		w.entity(7, "Karen Voss")
		w.entity(8, "Kubernetes", typed("system"))
		w.entity(9, "Aurora Lamp", typed("product"))
		w.entity(10, "Cuvée Noor", typed("product"))
		w.entity(11, "Noor Haddad")
		w.entity(12, "House Rules", typed("document"))
		w.entity(13, "Brandt Cooperage", typed("organization"))
		w.entity(14, "Kieselt", typed("system"))
	}
	for name, tc := range map[string]struct {
		query             string
		build             func(*world)
		named, unresolved []string
	}{
		"a-first-name-in-small-letters":   {"Where does ben live?", people, []string{"ben = Ben Ortiz"}, nil},
		"a-surname":                       {"What of ORTIZ today?", people, []string{"ORTIZ = Ben Ortiz"}, nil},
		"a-first-name-of-two":             {"Where does Leon live?", people, nil, []string{"Leon: ambiguous_name, Leon Adeyemi, Leon Fischer"}},
		"the-one-that-was-named-in-full":  {"Does Leon Fischer know that Leon is late?", people, []string{"Leon Fischer = Leon Fischer"}, nil},
		"a-slip-in-a-full-name":           {"Where does Hana Kobayashy live?", people, []string{"Hana Kobayashy = Hana Kobayashi"}, nil},
		"a-slip-that-sounds-otherwise":    {"Where does Hana Kobayasi live?", people, nil, []string{"Hana Kobayasi: similar_name, Hana Kobayashi"}},
		"a-slip-in-a-single-word":         {"What runs on kubernets?", people, nil, []string{"kubernets: similar_name, Kubernetes"}},
		"a-slip-in-a-surname":             {"Where does Kobayahsi live?", people, nil, []string{"Kobayahsi: similar_name, Hana Kobayashi"}},
		"two-letters-that-changed-places": {"Who runs Kieslet?", people, nil, []string{"Kieslet: similar_name, Kieselt"}},
		"no-slip-in-a-first-letter":       {"What was said in Gortiz?", people, nil, nil},
		"a-slip-in-a-first-name":          {"Where does Karin live?", people, nil, nil},
		"another-surname":                 {"Where does Ben Carter live?", people, nil, []string{"Ben: similar_name, Ben Ortiz"}},
		"a-word-that-begins-the-sentence": {"Mark this as read. Grace days?", people, nil, nil},
		"a-name-that-is-a-word":           {"Is Grace in?", people, []string{"Grace = Grace Lind"}, nil},
		"a-common-word":                   {"What does the house cost, and whose rules hold?", people, nil, nil},
		"a-plural":                        {"How many aurora lamps are left?", people, []string{"aurora lamps = Aurora Lamp"}, nil},
		"a-part-of-a-thing":               {"What does Brandt supply?", people, []string{"Brandt = Brandt Cooperage"}, nil},
		"a-part-of-a-thing-in-small":      {"What does brandt supply?", people, nil, nil},
		"people-before-things":            {"Where is Noor?", people, []string{"Noor = Noor Haddad"}, nil},
		"without-marks":                   {"What is cuvee noor?", people, []string{"cuvee noor = Cuvée Noor"}, nil},
		"a-pending-one-and-a-part": {"Where is Ben?", func(w *world) {
			w.entity(1, "Ben Ortiz")
			w.entity(2, "Ben", pending)
		}, []string{"Ben = Ben", "Ben = Ben Ortiz"}, []string{"Ben: pending_entity, Ben"}},
		"the-project's-own-first": {"Where is Leon?", func(w *world) {
			w.entity(1, "Leon Adeyemi")
			w.entity(2, "Leon Fischer", of("p"))
			w.entity(3, "Leon Weiss", of("q"))
		}, []string{"Leon = Leon Fischer"}, nil},
		"the-project's-own-of-one-name-first": {"Where is Nova?", func(w *world) {
			w.entity(1, "Nova")
			w.entity(2, "Nova", of("p"), typed("project"))
		}, []string{"Nova = Nova"}, nil},
		"the-project's-own-and-the-same-outside": {"What of Nova?", func(w *world) {
			w.entity(1, "Nova", typed("system"))
			w.entity(2, "Nova", of("p"), typed("system"))
		}, []string{"Nova = Nova"}, nil},
		"the-project's-own-and-several-outside": {"What of Nova?", func(w *world) {
			w.entity(1, "Nova", typed("system"))
			w.entity(2, "Nova", of("p"), typed("system"))
			w.entity(3, "Nova", typed("system"))
		}, []string{"Nova = Nova"}, nil},
		"a-person-of-one-word-and-one-outside": {"Where is Leon?", func(w *world) {
			w.entity(1, "Leon")
			w.entity(2, "Leon", of("p"))
		}, []string{"Leon = Leon"}, nil},
		"a-name-of-another-project": {"Where is Leon?", func(w *world) {
			w.entity(1, "Leon Weiss", of("q"))
			w.entity(2, "Sam Poe")
			w.aliases = append(w.aliases, tenure.Alias{
				Key: tenure.AliasKey{Kind: tenure.NameAlias, Key: "leon poe"}, Entity: id(2), Project: "q", Spelling: "Leon Poe",
			})
		}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			tc.build(w)
			req := ask(tc.query)
			req.Scope.ProjectID = "p"
			named, unresolved, res := w.found(t, req)
			if d := cmp.Diff(tc.named, named); d != "" {
				t.Error("named", d)
			}
			if d := cmp.Diff(tc.unresolved, unresolved); d != "" {
				t.Error("unresolved", d)
			}
			if want := len(tc.unresolved) > 0; (res.Trace.ValidationStatus == "UNRESOLVED") != want {
				t.Errorf("status %s, unresolved %v", res.Trace.ValidationStatus, want)
			}
			if w.calls["AliasesOf"] > 1 || w.calls["Entities"] > 3 {
				t.Errorf("reads: %v", w.calls)
			}
		})
	}
}

// TestAnUnresolvedNameIsSaidToTheModel checks that the envelope names whom an ambiguous name may mean.
func TestAnUnresolvedNameIsSaidToTheModel(t *testing.T) {
	w := &world{}
	for i, surname := range strings.Fields("Abel Berg Cole Dorn Ekman Frey Gold") {
		w.claim(20+i, w.entity(i+1, "Leon "+surname), "office", "Oslo")
	}
	_, _, res := w.found(t, ask("Where is Leon?"))
	want := []string{"Leon: unresolved, may be Leon Abel or Leon Berg or Leon Cole or Leon Dorn or Leon Ekman or 2 more"}
	if d := cmp.Diff(want, lines(res, "unconfirmed")); d != "" {
		t.Error(d)
	}
	if strings.Contains(res.Envelope.Text, "Oslo") {
		t.Errorf("facts of one of them: %s", res.Envelope.Text)
	}
}

// TestARelationIsSaidFromTheSideThatWasAskedAbout checks both sides of relations whose predicates have an inverse, and
// one that has none.
func TestARelationIsSaidFromTheSideThatWasAskedAbout(t *testing.T) {
	w := &world{}
	ben, ada := w.entity(1, "Ben Ortiz"), w.entity(2, "Ada Novak")
	apollo := w.entity(3, "Apollo", typed("project"))
	w.claim(11, apollo, "lead", "", toEntity(ada))
	w.claim(12, ben, "manager", "", toEntity(ada))
	w.claim(13, apollo, "mascot_of", "", toEntity(ada))
	w.claim(14, ada, "office", "Oslo")
	w.claim(15, apollo, "deadline", "June")
	for _, c := range []struct {
		query string
		hops  int
		want  []string
	}{
		{"What of Ada Novak?", 0, []string{
			"Ada Novak / office: Oslo", "Ada Novak / manages: Ben Ortiz", "Ada Novak / leads: Apollo", "Apollo / mascot_of: Ada Novak",
		}},
		{"What of Ada Novak?", 1, []string{
			"Ada Novak / office: Oslo", "Ada Novak / manages: Ben Ortiz", "Ada Novak / leads: Apollo", "Apollo / mascot_of: Ada Novak",
			"Apollo / deadline: June",
		}},
		{"Who does Ada Novak manage?", 0, []string{"Ada Novak / manages: Ben Ortiz", "Ada Novak / leads: Apollo"}},
		{"What of Ben Ortiz?", 0, []string{"Ben Ortiz / manager: Ada Novak"}},
		{"What of Ben Ortiz and Ada Novak?", 0, []string{
			"Ben Ortiz / manager: Ada Novak", "Ada Novak / office: Oslo", "Ada Novak / leads: Apollo", "Apollo / mascot_of: Ada Novak",
		}},
	} {
		req := ask(c.query)
		req.Hops = &c.hops
		res := w.compiled(t, req)
		got := lines(res, "facts")
		slices.Sort(got[1:])
		slices.Sort(c.want[1:])
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s, %d hops: %s", c.query, c.hops, d)
		}
		for _, o := range res.Trace.State.CompiledObjects {
			if said := map[string]string{"lead": "leads", "manager": "manages"}[o.Predicate]; o.SaidAs != said && o.SaidAs != "" {
				t.Errorf("%s: %s is said as %q", c.query, o.Predicate, o.SaidAs)
			}
		}
	}
}

// TestATenantsOwnInverseIsSaid checks that a relation is said, and found, in the words that a tenant has for it.
func TestATenantsOwnInverseIsSaid(t *testing.T) {
	w := &world{terms: []tenure.Term{
		{Vocabulary: tenure.Predicates, Name: "mascot_of", Cardinality: tenure.Many, Inverse: "has_mascot"},
		{Vocabulary: tenure.Predicates, Name: "has_mascot", Cardinality: tenure.Many, Inverse: "mascot_of",
			Synonyms: []string{"emblem"}},
	}}
	ada, apollo := w.entity(1, "Ada Novak"), w.entity(2, "Apollo", typed("project"))
	w.claim(11, apollo, "mascot_of", "", toEntity(ada))
	w.claim(12, ada, "office", "Oslo")
	req, hops := ask("What emblem does Ada Novak have?"), 0
	req.Hops = &hops
	if d := cmp.Diff([]string{"Ada Novak / has_mascot: Apollo"},
		lines(w.compiled(t, req), "facts")); d != "" {
		t.Error(d)
	}
}

// TestARelationToWhatWasAskedAboutIsChosenAcrossScopes checks that a relation that loses to one of another scope is not
// compiled because it leads to what was asked about.
func TestARelationToWhatWasAskedAboutIsChosenAcrossScopes(t *testing.T) {
	w := &world{}
	ben, ada, apollo := w.entity(1, "Ben"), w.entity(2, "Ada"), w.entity(3, "Apollo", typed("project"))
	w.claim(11, apollo, "lead", "", toEntity(ben))
	w.claim(12, apollo, "lead", "", toEntity(ada), scoped(tenure.Scope{UserID: "u"}))
	for user, want := range map[string][]string{"": {"Ben / leads: Apollo"}, "u": nil} {
		req, hops := ask("What of Ben?"), 0
		req.Hops, req.Scope.UserID = &hops, user
		if d := cmp.Diff(want, lines(w.compiled(t, req), "facts")); d != "" {
			t.Errorf("user %q: %s", user, d)
		}
	}
}

// TestValidationStatus checks what the status says, and in which order its reasons go.
func TestValidationStatus(t *testing.T) {
	tie := lost(tenure.ByTie, "")
	closed := with(func(c *tenure.Claim) { c.Classification = tenure.HighlyRestricted })
	for _, c := range []struct {
		name, want string
		build      func(w *world, ann, ben tenure.ID)
		budget     int
	}{
		{"clean", "CLEAN", func(*world, tenure.ID, tenure.ID) {}, 0},
		{"held", "CONTESTED", func(w *world, ann, _ tenure.ID) {
			w.claim(12, ann, "desk", "one", tie)
			w.claim(13, ann, "desk", "two", tie)
		}, 0},
		{"held-of-a-neighbour", "CLEAN", func(w *world, ann, ben tenure.ID) {
			w.claim(12, ben, "desk", "one", tie)
			w.claim(13, ann, "friend", "", toEntity(ben))
		}, 0},
		{"closed", "CLEAN", func(w *world, ann, _ tenure.ID) { w.claim(12, ann, "salary", "9", closed) }, 0},
		{"closed-and-dead", "CLEAN", func(w *world, ann, _ tenure.ID) {
			w.claim(12, ann, "salary", "9", closed, lost(tenure.ByRetraction, ""))
		}, 0},
		{"of-another-scope", "CLEAN", func(w *world, ann, _ tenure.ID) {
			w.claim(12, ann, "salary", "9", scoped(tenure.Scope{UserID: "u"}))
		}, 0},
		{"without-its-ground", "WITHHELD", func(w *world, ann, _ tenure.ID) {
			w.claim(12, ann, "total", "9", lost(tenure.ByDependency, ""))
		}, 0},
		{"too-long", "TRUNCATED", func(w *world, ann, _ tenure.ID) { w.claim(12, ann, "bio", strings.Repeat("word ", 200)) }, 60},
		{"held-before-too-long", "CONTESTED", func(w *world, ann, _ tenure.ID) {
			w.claim(12, ann, "bio", strings.Repeat("word ", 200))
			w.claim(13, ann, "desk", "one", tie)
		}, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{}
			ann, ben := w.entity(1, "Ann"), w.entity(2, "Ben")
			w.claim(11, ann, "office", "Oslo")
			c.build(w, ann, ben)
			req := ask("Where is Ann?")
			req.BudgetTokens = c.budget
			if got := w.compiled(t, req).Trace.ValidationStatus; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	w := &world{}
	if got := w.compiled(t, ask("Where is Ann?")).Trace.ValidationStatus; got != "EMPTY" {
		t.Errorf("of nothing: %s", got)
	}
}

// TestAHubIsSaidToBeCut checks that more relations than are read are said, and make no clean answer.
func TestAHubIsSaidToBeCut(t *testing.T) {
	w := &world{}
	hub := w.entity(1, "Hub")
	for i := range 3 {
		w.claim(20+i, w.entity(2+i, "Spoke "+string(rune('A'+i))), "near", "", toEntity(hub))
	}
	for bound, want := range map[int]int{3: 1, 4: 0} {
		c, err := compile.New(tokens, compile.Config{Relations: [2]int{bound, 9}})
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Compile(t.Context(), w, agent(), ask("What is near Hub?"), day(15))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Trace.State.Retrieval.RelationsCut; got != want || (res.Trace.ValidationStatus == "TRUNCATED") != (want > 0) {
			t.Errorf("at most %d relations: %d cut, %s", bound, got, res.Trace.ValidationStatus)
		}
	}
}

// TestABiographyIsSaidToBeCut checks that more beliefs about an entity than are read are said, and make no clean answer.
func TestABiographyIsSaidToBeCut(t *testing.T) {
	w := &world{}
	ann := w.entity(1, "Ann")
	for i := range 3 {
		w.claim(11+i, ann, "hobby"+string(rune('a'+i)), "chess")
	}
	for bound, want := range map[int]int{3: 1, 4: 0} {
		c, err := compile.New(tokens, compile.Config{Beliefs: bound})
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Compile(t.Context(), w, agent(), ask("Who is Ann?"), day(15))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Trace.State.Retrieval.BeliefsCut; got != want || (res.Trace.ValidationStatus == "TRUNCATED") != (want > 0) {
			t.Errorf("at most %d beliefs: %d cut, %s", bound, got, res.Trace.ValidationStatus)
		}
	}
}

// TestOtherWordsForAPredicateMakeARelevantFact checks that a question in words that a fact has only in the synonyms of
// its predicate finds it, behind one that has the words themselves.
func TestOtherWordsForAPredicateMakeARelevantFact(t *testing.T) {
	w := &world{}
	ann := w.entity(1, "Ann")
	w.claim(11, ann, "desk", "seven", from(9))
	w.claim(12, ann, "home_city", "Oslo")
	w.claim(13, ann, "note", "where she wants to live", from(3))
	got := lines(w.compiled(t, compile.Request{Query: "Where does she live?", Entities: []tenure.ID{ann}}), "facts")
	want := []string{"Ann / note: where she wants to live", "Ann / home_city: Oslo"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestANamesakeOutsideOfTheProject checks that what is known outside of a project of the one thing that has the name of
// one of the project is compiled, too, unless the project says otherwise.
func TestANamesakeOutsideOfTheProject(t *testing.T) {
	w := &world{}
	outside := w.entity(1, "Nova", typed("system"))
	own := w.entity(2, "Nova", of("p"), typed("system"))
	w.claim(11, outside, "runner", "Make")
	w.claim(12, outside, "opening_hours", "9 to 5")
	w.claim(13, own, "runner", "Jenkins", scoped(tenure.Scope{ProjectID: "p"}))
	want := []string{"Nova / opening_hours: 9 to 5", "Nova / runner: Jenkins"}
	req := ask("Everything about Nova")
	req.Scope.ProjectID = "p"
	res := w.compiled(t, req)
	if d := cmp.Diff(want, slices.Sorted(slices.Values(lines(res, "facts")))); d != "" {
		t.Error(d)
	}
	if got := reasonOf(res, id(11)); got != "narrower_scope" {
		t.Errorf("the other runner: %s", got)
	}
	req.Scope.ProjectID = "q"
	if d := cmp.Diff([]string{"Nova / opening_hours: 9 to 5", "Nova / runner: Make"},
		slices.Sorted(slices.Values(lines(w.compiled(t, req), "facts")))); d != "" {
		t.Error(d)
	}
}
