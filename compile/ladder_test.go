package compile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

// TestOneRemarkInThreeTaskContexts compiles what follows from one remark for three tasks (Context Architecture, the
// Fact-to-Instruction Conversion Ladder, its example): the remark is guidance where it tells the model how to act, a
// fact where it answers the query, and is left out where it says nothing for the task. What it binds the model to is a
// constraint in the task that it is for.
func TestOneRemarkInThreeTaskContexts(t *testing.T) {
	w := &world{}
	noor := w.entity(1, "Noor Haddad")
	hers := scoped(tenure.Scope{UserID: "noor"})
	w.claim(11, noor, tenure.Remark, "I am a senior prompt engineer and I specialize in high-dimensional model steering.", hers,
		with(func(c *tenure.Claim) { c.Source.Speaker = "Noor Haddad" }))
	w.claim(12, noor, "job_title", "senior prompt engineer", hers)
	w.claim(13, noor, "specialization", "high-dimensional model steering", hers)
	w.claim(14, noor, "explanation_depth", "expert", hers, with(func(c *tenure.Claim) {
		c.ObjectType, c.ApplicableTaskTypes = tenure.Preference, []string{"code_generation", "analytical_reporting"}
		c.WhyItMatters = "when code or a report about steering a model is written for her"
		c.BehavioralImplication = "leave out introductions, name the method and its parameters"
	}))
	w.claim(15, noor, "steering_config", "a versioned file", hers, level(1), with(func(c *tenure.Claim) {
		c.ApplicableTaskTypes = []string{"code_generation"}
		c.BehavioralImplication = "read every steering vector from a versioned file"
	}))
	var got strings.Builder
	for _, c := range []struct{ title, query, task string }{
		{"code", "Write a module that steers the model", "code_generation"},
		{"report", "Report how steering changed the answers of the model", "analytical_reporting"},
		{"extraction", "Extract the totals of these invoices", "data_extraction"},
		{"a question", "What is the job title of Noor Haddad?", ""},
	} {
		res := w.compiled(t, compile.Request{
			Query: c.query, Task: compile.Task{Type: c.task}, Scope: tenure.Scope{UserID: "noor"},
			Identity: &compile.Identity{EntityID: noor},
		})
		fmt.Fprintf(&got, "---- %s: %s\n%s\n", c.title, c.query, res.Envelope.Text)
		for _, o := range res.Trace.State.CompiledObjects {
			fmt.Fprintf(&got, "%s %s, %s\n", o.Predicate, o.CompiledAs, o.PriorityTier)
		}
		for _, o := range res.Trace.State.OmittedObjects {
			fmt.Fprintf(&got, "%s left out: %s\n", o.Predicate, o.Reason)
		}
		got.WriteByte('\n')
	}
	path := filepath.Join("testdata", "ladder.golden")
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}
