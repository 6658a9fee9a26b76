package compile_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGolden holds the whole of one answer, so that a change of its shape or
// of a rule is seen.
func TestGolden(t *testing.T) {
	w := &world{}
	alice, nova := w.entity(1, "Alice Johnson"), w.entity(2, "Nova", func(e *tenure.Entity) { e.Type = "project" })
	w.entity(3, "Sam")
	w.entity(4, "Sam")
	user := scoped(tenure.Scope{UserID: "u"})
	w.claim(11, alice, "office", "Boston", lost(tenure.BySuccession, id(12)))
	w.claim(12, alice, "office", "Chicago", from(6))
	w.claim(13, alice, "leads", "", toEntity(nova))
	w.claim(14, nova, "discount_limit", "at most 15%", constraint(), level(1), with(func(c *tenure.Claim) {
		c.Classification, c.Source.Origin = tenure.Restricted, "system://tenant-policy/sales"
	}))
	w.claim(15, nova, "deadline", "30 June", until(10))
	w.claim(16, nova, "deadline", "14 July", from(10))
	w.claim(17, nova, "launch_market", "Norway", user)
	w.claim(18, nova, "launch_market", "Sweden", scoped(tenure.Scope{ProjectID: "p"}))
	w.claim(19, nova, "acquisition", "secret", with(func(c *tenure.Claim) { c.Classification = tenure.Confidential }))
	w.claim(20, nova, "build", "red", layer(tenure.LayerEnvironment))
	w.claim(21, nova, "style", "tabs", with(func(c *tenure.Claim) { c.ApplicableTaskTypes = []string{"data_extraction"} }))
	w.claim(22, nova, "budget", "10k", lost(tenure.ByTie, ""), func(b *tenure.Belief) { b.Standing.Case = id(90) })
	w.propose(30, nova, "deadline", "21 July", []tenure.ID{id(16)})
	res := w.compiled(t, compile.Request{
		Task: compile.Task{Type: "analytical_reporting", Name: "plan the launch"}, Query: "Can Sam and I offer 25% on Nova before the deadline?",
		Scope: tenure.Scope{UserID: "u", ProjectID: "p"}, Provider: compile.Anthropic,
		Identity:    &compile.Identity{Name: "Alice Johnson", Authority: "manager", Roles: []string{"sales"}},
		Environment: map[string]string{"timezone": "Europe/Oslo"}, WorkingSet: []string{"comparing two offers"},
	})
	got, err := json.MarshalIndent(map[string]any{"envelope": res.Envelope, "trace": res.Trace, "constraints": res.Constraints, "ties": res.Ties}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "launch.json")
	if *update {
		if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)+"\n"); d != "" {
		t.Error(d)
	}
}
