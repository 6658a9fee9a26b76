package compile_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

func (w *world) AliasesOf(_ context.Context, ids []tenure.ID) ([]tenure.Alias, error) {
	w.called("AliasesOf")
	return filter(w, w.aliases, func(o tenure.Alias) bool { return slices.Contains(ids, o.Entity) }), nil
}

// everybody proposes all entities of a world for every name: what is proposed decides nothing.
type everybody struct{ w *world }

func (e everybody) Named(context.Context, string, []string, string, int) []tenure.ID {
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
	c, err := compile.New(tokens, compile.Config{Names: everybody{w}})
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
		"a-slip-in-a-full-name":           {"Where does Hana Kobayasi live?", people, []string{"Hana Kobayasi = Hana Kobayashi"}, nil},
		"a-slip-in-a-single-word":         {"What runs on kubernets?", people, nil, []string{"kubernets: similar_name, Kubernetes"}},
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
