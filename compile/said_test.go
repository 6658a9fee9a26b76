package compile_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
)

// TestATextIsFound: what a query names as the text of a value is compiled, as far as it stands and is visible, after
// what is about what was asked.
func TestATextIsFound(t *testing.T) {
	w := &world{}
	play, other, gone := w.entity(1, "Hamlet"), w.entity(2, "Macbeth"), w.entity(3, "Lear", func(e *tenure.Entity) { e.Status = tenure.EntityRetired })
	w.claim(11, play, "played_by", "Dmitri")
	w.claim(12, play, "hall", "Globe")
	w.claim(13, other, "played_by", "DMITRI", scoped(tenure.Scope{ProjectID: "p"}))
	w.claim(14, other, "sung_by", "Dmitri", lost(tenure.BySuccession, ""))
	w.claim(15, other, "danced_by", "Dmitri", with(func(c *tenure.Claim) { c.Classification = tenure.HighlyRestricted }))
	w.claim(16, gone, "played_by", "Dmitri")
	w.claim(17, other, "props", "a skull")
	for query, want := range map[string][]string{
		"What does Dmitri play?":      {"Hamlet / played_by: Dmitri"},
		"what does dmitri do?":        {"Hamlet / played_by: Dmitri"},
		"What about Dmitri Orlov?":    {"Hamlet / played_by: Dmitri"},
		"Who has a skull?":            {"Macbeth / props: a skull"}, // by a word
		"What happens in the Globe?":  {"Hamlet / hall: Globe"},
		"Is Dmitri played in Hamlet?": {"Hamlet / played_by: Dmitri"},
	} {
		res := w.compiled(t, ask(query))
		if diff := cmp.Diff(want, lines(res, "facts")); diff != "" {
			t.Errorf("%s\n%s", query, diff)
		}
		for _, o := range res.Trace.State.CompiledObjects {
			if other := o.ByWords || len(res.Trace.State.ResolvedEntities) > 0; o.ByValue == other {
				t.Errorf("%s: %s by value: %v", query, o.Predicate, o.ByValue)
			}
		}
	}
	in := ask("What does Dmitri play?")
	in.Scope.ProjectID = "p"
	if got := lines(w.compiled(t, in), "facts"); !slices.Contains(got, "Macbeth / played_by: DMITRI") {
		t.Errorf("in the project: %q", got)
	}
	// Once somebody has the name, both are found.
	w.claim(18, w.entity(4, "Dmitri"), "office", "Riga")
	if diff := cmp.Diff([]string{"Dmitri / office: Riga", "Hamlet / played_by: Dmitri"},
		lines(w.compiled(t, ask("Who is Dmitri?")), "facts"), sorted); diff != "" {
		t.Error(diff)
	}
}

// TestATextThatManyHaveLeadsToNobody: beside what a request names, a text leads to others if it is the value of few.
func TestATextThatManyHaveLeadsToNobody(t *testing.T) {
	w := &world{}
	ann := w.entity(1, "Ann")
	w.claim(11, ann, "office", "Riga")
	for i := range 4 {
		w.claim(20+i, w.entity(2+i, "Other "+string(rune('A'+i))), "city", []string{"Oslo", "oslo", "OSLO", "Oslo"}[i])
	}
	for i := range 3 {
		w.claim(30+i, w.entity(12+i, "Band "+string(rune('A'+i))), "played_by", "Dmitri")
	}
	for i := range 5 {
		w.claim(40+i, w.entity(22+i, "Team "+string(rune('A'+i))), "lead", "Ann")
	}
	for query, want := range map[string]struct{ lines, common int }{
		"What does Ann do in Oslo?":  {1 + 5, 1}, // her own, and those who name her
		"Who is in Oslo?":            {4, 0},     // nobody else is asked about
		"Does Ann know Dmitri?":      {1 + 5 + 3, 0},
		"Ann, Dmitri and then Oslo.": {1 + 5 + 3, 1},
	} {
		res := w.compiled(t, ask(query))
		if got := lines(res, "facts"); len(got) != want.lines || res.Trace.State.Retrieval.CommonTexts != want.common {
			t.Errorf("%s: %d common, %q", query, res.Trace.State.Retrieval.CommonTexts, got)
		}
	}
}

var sorted = cmp.Transformer("sorted", func(l []string) []string { return slices.Sorted(slices.Values(l)) })

// TestATextAndItsEntityAreOneValue: of one subject, whatever the scopes.
func TestATextAndItsEntityAreOneValue(t *testing.T) {
	w := &world{}
	ann, acme := w.entity(1, "Ann"), w.entity(2, "Acme")
	w.claim(11, ann, "employer", "acme")
	w.claim(12, ann, "employer", "", toEntity(acme), scoped(tenure.Scope{UserID: "u"}))
	w.claim(13, ann, "past_employer", "acme")
	req := ask("Who is Ann?")
	req.Scope.UserID = "u"
	res := w.compiled(t, req)
	if diff := cmp.Diff([]string{"Ann / employer: Acme", "Ann / past_employer: acme"}, lines(res, "facts"), sorted); diff != "" {
		t.Error(diff)
	}
	if got := reasonOf(res, id(11)); got != "duplicate" {
		t.Errorf("the text: %s", got)
	}
}

// TestStaleIsSaid: what was not confirmed for the half-life of its predicate is compiled, and the trace says it.
func TestStaleIsSaid(t *testing.T) {
	ago := func(days int) func(*tenure.Belief) {
		return func(b *tenure.Belief) {
			b.Standing.LastConfirmed = day(15) - tenure.Instant(days)*86400*1_000_000
			b.Claim.Window.From = b.Standing.LastConfirmed
		}
	}
	w := &world{}
	ann := w.entity(1, "Ann")
	w.claim(11, ann, "current_location", "Oslo", ago(6))
	w.claim(12, ann, "last_login", "2026-06-01", ago(7))
	w.claim(13, ann, "status", "away", ago(100))
	w.claim(14, ann, "birth_date", "1980-01-02", ago(5000))
	w.claim(15, ann, "motto", "onward", ago(5000))
	w.claim(16, ann, "motto_of_old", "upward", ago(5), with(func(c *tenure.Claim) { c.DecayRule = &tenure.DecayRule{HalfLifeDays: 4} }))
	stale := []string{}
	res := w.compiled(t, ask("Who is Ann?"))
	for _, o := range res.Trace.State.CompiledObjects {
		if o.Stale {
			stale = append(stale, o.Predicate)
		}
	}
	if diff := cmp.Diff([]string{"last_login", "motto_of_old", "status"}, stale, sorted); diff != "" {
		t.Error(diff)
	}
	if n := len(lines(res, "facts")); n != 6 {
		t.Errorf("%d lines", n)
	}
}
