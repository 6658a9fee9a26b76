package roles_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/roles"
)

func TestBaseOrder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"policy", "board", true},
		{"board", "CEO", true},
		{"ceo", "CTO", true},
		{"Board of Directors", "guest", true},
		{"executive", "director", true},
		{"VP", "head of department", true},
		{"manager", "employee", true},
		{"Team Lead", "staff", true},
		{"team-lead", "intern", true},
		{" manager ", "Freelancer", true},
		{"customer", "visitor", true},
		{"policy", "customer", true},
		{"manager", "boss", false}, // one role
		{"cto", "cfo", false},
		{"intern", "contractor", false},
		{"employee", "customer", false},
		{"customer", "employee", false},
		{"employee", "manager", false},
		{"manager", "astronaut", false},
		{"astronaut", "guest", false},
		{"manager", "", false},
		{"", "guest", false},
		{"", "", false},
		{"???", "guest", false},
	} {
		if got := roles.Base().Outranks(c.a, c.b); got != c.want {
			t.Errorf("%q outranks %q: %v", c.a, c.b, got)
		}
	}
}

func term(name string, outranks ...string) tenure.Term {
	return tenure.Term{Vocabulary: tenure.SpeakerRoles, Name: name, Outranks: outranks}
}

func alias(name, parent string) tenure.Term {
	return tenure.Term{Vocabulary: tenure.SpeakerRoles, Name: name, Parent: parent}
}

func TestATenantsOwnTerms(t *testing.T) {
	open := roles.New([]tenure.Term{
		term("Abbot", "prior", "employee"), term("prior", "novice"), term("novice"), alias("Father Superior", "abbot"),
		term("manager", "employee"), term("lead", "manager"), alias("boss", "ceo"),
	}, false)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"abbot", "novice", true},
		{"father superior", "Novice", true},
		{"abbot", "guest", true},    // by employee, of the base order
		{"board", "director", true}, // which stays
		{"lead", "manager", true},   // in the place of the base term
		{"manager", "lead", false},
		{"team lead", "manager", true}, // still another name of it
		{"boss", "vp", true},           // a synonym with another meaning
		{"manager", "prior", false},
	} {
		if got := open.Outranks(c.a, c.b); got != c.want {
			t.Errorf("%q outranks %q: %v", c.a, c.b, got)
		}
	}
	closed := roles.New([]tenure.Term{term("abbot", "novice"), term("novice")}, true)
	if !closed.Outranks("abbot", "novice") || closed.Outranks("board", "guest") {
		t.Error("a closed order is not that of its terms alone")
	}
	if _, known := closed.Role("manager"); known {
		t.Error("a closed order knows a role of the base order")
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		own    []tenure.Term
		closed bool
		want   []string // term, field
	}{
		{name: "nothing"},
		{name: "good", own: []tenure.Term{term("abbot", "prior"), term("prior", "guest"), alias("dom", "abbot")}},
		{name: "itself", own: []tenure.Term{term("abbot", "Abbot")}, want: []string{"abbot outranks/0"}},
		{name: "itself by another name", own: []tenure.Term{term("abbot", "dom"), alias("dom", "abbot")},
			want: []string{"abbot outranks/0", "dom parent"}},
		{name: "loop", own: []tenure.Term{term("a", "b"), term("b", "guest", "c"), term("c", "a")},
			want: []string{"a outranks/0", "b outranks/1", "c outranks/0"}},
		{name: "loop through the base order", own: []tenure.Term{term("guest", "board")}, want: []string{"guest outranks/0"}},
		{name: "loop by a name", own: []tenure.Term{alias("guest", "board")}, want: []string{"guest parent"}},
		{name: "parents in a loop", own: []tenure.Term{alias("a", "b"), alias("b", "a")}, want: []string{"a parent", "b parent"}},
		{name: "unknown parent", own: []tenure.Term{alias("dom", "abbot")}, want: []string{"dom parent"}},
		{name: "unknown role", own: []tenure.Term{term("abbot", "guest", "prior")}, want: []string{"abbot outranks/1"}},
		{name: "duplicate", own: []tenure.Term{term("Team Lead"), term("team_lead")}, want: []string{"team_lead name"}},
		{name: "no name", own: []tenure.Term{term("?!")}, want: []string{"?! name"}},
		{name: "both", own: []tenure.Term{{Name: "dom", Parent: "board", Outranks: []string{"guest"}}}, want: []string{"dom outranks"}},
		{name: "closed", own: []tenure.Term{term("abbot", "guest")}, closed: true, want: []string{"abbot outranks/0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range roles.Check(c.own, c.closed) {
				got = append(got, f.Term+" "+f.Field)
				if f.Reason == "" {
					t.Errorf("%v has no reason", f)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLaws draws terms, many of them at odds with each other. Whatever they are, no role outranks itself; and what
// Check accepts is transitive and has no loop.
func TestLaws(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	accepted := 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		names := []string{"a", "b", "c", "d", "e", "Team Lead", "guest", "board", "manager", "boss"}
		var own []tenure.Term
		for _, i := range r.Perm(len(names))[:1+r.IntN(6)] {
			x := tenure.Term{Name: names[i]}
			if r.IntN(4) == 0 {
				x.Parent = names[r.IntN(len(names))]
			} else {
				for range r.IntN(3) {
					x.Outranks = append(x.Outranks, names[r.IntN(len(names))])
				}
			}
			own = append(own, x)
		}
		closed := r.IntN(3) == 0
		o := roles.New(own, closed)
		sound := len(roles.Check(own, closed)) == 0
		if sound {
			accepted++
		}
		names = append(names, "employee", "ceo", "unheard of")
		for _, a := range names {
			if o.Outranks(a, a) {
				t.Fatalf("seed %d: %s outranks itself", seed, a)
			}
			for _, b := range names {
				if sound && o.Outranks(a, b) && o.Outranks(b, a) {
					t.Fatalf("seed %d: %s and %s outrank each other: %+v", seed, a, b, own)
				}
				for _, c := range names {
					if sound && o.Outranks(a, b) && o.Outranks(b, c) && !o.Outranks(a, c) {
						t.Fatalf("seed %d: %s > %s > %s and not %s > %s: %+v", seed, a, b, c, a, c, own)
					}
				}
			}
		}
	}
	if accepted < rounds/20 {
		t.Fatalf("only %d of %d sets of terms were accepted", accepted, rounds)
	}
}

func TestDiffer(t *testing.T) {
	differs := roles.Differ(roles.Base(), roles.New([]tenure.Term{term("intern", "manager")}, false))
	for role, want := range map[string]bool{
		"intern": true, "Trainee": true, "manager": true, "employee": true, "board": false, "customer": false, "x": false, "": false,
	} {
		if got := differs(role); got != want {
			t.Errorf("%q: %v", role, got)
		}
	}
}

// TestDocument holds the table of docs/roles.md to the base order.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/roles.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range roles.Table() {
		want = append(want, fmt.Sprintf("| %s | %s | %s |", code([]string{r.Name}), code(r.Outranks), strings.Join(r.Synonyms, ", ")))
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| `") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/roles.md is not the base order:\n%s", diff)
	}
}

func code(names []string) string {
	list := slices.Clone(names)
	for i := range list {
		list[i] = "`" + list[i] + "`"
	}
	return strings.Join(list, ", ")
}
