package compile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

// gated is a request of some caller, and what of a world may be compiled for it.
type gated struct {
	w      *world
	caller tenure.Caller
	req    compile.Request
	wrong  map[string]string // why a value may not be in the envelope
	inside map[string]bool   // values that may be in it as content from outside alone
	facts  map[string]bool   // values that may direct nothing
}

// one picks from a list.
func one[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomGates makes a world of beliefs with every kind of bound, and a request of a caller with any rights. What each
// value may do is said by rules of its own, one for each gate.
func randomGates(r *rand.Rand) gated {
	w := &world{}
	g := gated{w: w, wrong: map[string]string{}, inside: map[string]bool{}, facts: map[string]bool{}}
	var all []tenure.ID
	for n := 1; n <= 2+r.IntN(4); n++ {
		all = append(all, w.entity(n, fmt.Sprintf("Name%d", r.IntN(3)), func(e *tenure.Entity) {
			e.Type = one(r, "person", "system", "project")
			e.Project = one(r, "", "", "", "p1", "p2")
			if r.IntN(8) == 0 {
				e.Status = tenure.EntityPending
			}
		}))
	}
	g.caller = tenure.Caller{
		Tenant: "t", Actor: "k", ActFor: true, Roles: []tenure.Role{tenure.RoleAgent},
		Clearance: one(r, tenure.Public, tenure.Restricted, tenure.Confidential),
	}
	hops := r.IntN(3)
	g.req = compile.Request{
		Query: one(r, "What of Name0 and Name1?", "Write a poem", "m7x and m9x?", "Who knows Name2, p1?"), Hops: &hops,
		Scope: tenure.Scope{
			UserID: one(r, "", "u1", "u2"), ProjectID: one(r, "", "p1", "p2"), SessionID: one(r, "", "s1"), TaskID: one(r, "", "t1"),
		},
		Task: compile.Task{Type: one(r, "", "code_generation", "writing")}, ValidAt: day(5 + r.IntN(12)),
		BudgetTokens: 100_000, Provider: one(r, compile.Plain, compile.OpenAI, compile.Anthropic),
		Identity: &compile.Identity{Roles: one(r, nil, []string{"lead"}, []string{"guest"})},
	}
	if r.IntN(2) == 0 {
		g.req.Payloads = []compile.Payload{{Origin: "https://here.example/x", Content: "a page"}}
	}
	for n := range 5 + r.IntN(50) {
		g.add(n, one(r, all...), r)
	}
	return g
}

// add adds a belief with bounds of every kind, and what it may do.
func (g *gated) add(n int, about tenure.ID, r *rand.Rand) {
	value := fmt.Sprintf("m%dx", n)
	claim := func(c *tenure.Claim) {
		c.Scope = tenure.Scope{
			Kind: one(r, "", "", "", tenure.ScopeDraft), UserID: one(r, "", "", "", "u1", "u2"), ProjectID: one(r, "", "", "", "p1", "p2"),
			SessionID: one(r, "", "", "", "s1", "s2"), TaskID: one(r, "", "", "", "t1", "t2"),
		}
		c.Classification = one(r, tenure.Public, tenure.Public, tenure.Restricted, tenure.Confidential, tenure.HighlyRestricted)
		c.Permission.AllowRoles = one(r, nil, nil, nil, []string{"lead"})
		c.Permission.DenyRoles = one(r, nil, nil, nil, []string{"guest"})
		c.ApplicableTaskTypes = one(r, nil, nil, nil, []string{"code_generation"}, []string{"writing", "summary"})
		c.Source.AuthorityLevel = r.IntN(5)
		c.Source.Origin = one(r, "chat", "https://here.example/a", "https://there.example/b")
		c.ObjectType = one(r, "", "", tenure.Preference, tenure.PolicyRule)
		c.BehavioralImplication = one(r, "", "", "do "+value)
		c.IsConstraint = r.IntN(6) == 0
		c.WhyItMatters = one(r, "", "", "when poems are written")
	}
	start, end := day(2+r.IntN(8)), day(10+r.IntN(8))
	cause := one(r, tenure.Stands, tenure.Stands, tenure.Stands, tenure.ByTie, tenure.ByName, tenure.ByRetraction)
	g.w.claim(100+n, about, fmt.Sprintf("p%d", r.IntN(6)), value, with(claim), func(b *tenure.Belief) {
		b.Claim.Window = tenure.Window{From: start, Until: end}
	}, lost(cause, id(100+r.IntN(50))))
	c := &g.w.beliefs[len(g.w.beliefs)-1].Claim
	at := slices.IndexFunc(g.w.entities, func(e tenure.Entity) bool { return e.ID == about })
	g.judge(c, &g.w.entities[at], cause, value)
}

// judge says why a value may not be compiled, or may be so only as content from outside or as a fact.
func (g *gated) judge(c *tenure.Claim, about *tenure.Entity, cause tenure.Cause, value string) {
	asks := g.req.Scope
	other := func(of, in string) bool { return of != "" && of != in }
	for why, holds := range map[string]bool{
		"another user": other(c.Scope.UserID, asks.UserID), "another project": other(c.Scope.ProjectID, asks.ProjectID),
		"another session": other(c.Scope.SessionID, asks.SessionID), "another task": other(c.Scope.TaskID, asks.TaskID),
		"a draft":                    c.Scope.Kind == tenure.ScopeDraft,
		"clearance":                  c.Classification.Rank() > g.caller.Clearance.Rank(),
		"a role that is not allowed": c.Permission.AllowRoles != nil && !slices.Contains(g.req.Identity.Roles, "lead"),
		"a role that is denied":      c.Permission.DenyRoles != nil && slices.Contains(g.req.Identity.Roles, "guest"),
		"another type of task":       c.ApplicableTaskTypes != nil && !slices.Contains(c.ApplicableTaskTypes, g.req.Task.Type),
		"not yet valid":              g.req.ValidAt < c.Window.From,
		"no longer valid":            g.req.ValidAt >= c.Window.Until,
		"it does not stand":          cause != tenure.Stands,
		"its entity is of elsewhere": other(about.Project, asks.ProjectID),
	} {
		if holds {
			g.wrong[value] = why
		}
	}
	g.inside[value] = c.Source.AuthorityLevel == tenure.RetrievedLevel
	g.facts[value] = about.Status == tenure.EntityPending || c.Source.AuthorityLevel > tenure.UserLevel
}

// FuzzGates: nothing that fails a gate is in an envelope, whatever the graph, the scopes, the roles, the clocks and the
// request; content from outside stands in its zone alone; what is pending, or has too little authority, directs
// nothing; and the order of rows decides nothing.
func FuzzGates(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := randomGates(rand.New(rand.NewPCG(seed, 3)))
		res := g.w.compiledFor(t, g.caller, g.req)
		for _, z := range res.Envelope.Zones {
			for _, value := range strings.FieldsFunc(z.Text, func(c rune) bool { return strings.ContainsRune(" \n:()/,;.|\"", c) }) {
				why, made := g.wrong[value]
				switch directs := z.Name == "policy" || z.Name == "guidance" || z.Name == "constraints"; {
				case made:
					t.Errorf("%s: %s is compiled in %s", why, value, z.Name)
				case g.inside[value] && z.Name != "untrusted":
					t.Errorf("%s is from outside, and compiled in %s", value, z.Name)
				case g.facts[value] && directs:
					t.Errorf("%s directs in %s", value, z.Name)
				}
			}
		}
		first := bytesOf(t, res)
		for n := range uint64(2) {
			g.w.shuffle = rand.New(rand.NewPCG(seed, n))
			if d := cmp.Diff(first, bytesOf(t, g.w.compiledFor(t, g.caller, g.req))); d != "" {
				t.Fatal(d)
			}
		}
	})
}
