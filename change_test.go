package tenure_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
)

// oneOfEach is a change of each kind, with all that an entry of the log tells of it.
func oneOfEach() []tenure.Change {
	slot := tenure.Slot{Subject: "e1", Predicate: "office", Scope: tenure.Scope{Kind: tenure.ScopeGlobal}}
	moved := slot
	moved.Subject = "e2"
	alias := tenure.Alias{Key: tenure.AliasKey{Kind: "exact", Key: "ann"}, Entity: "e1", Mention: "m1"}
	return []tenure.Change{
		tenure.ObservationAdded{Observation: tenure.Observation{ID: "o1"}},
		tenure.MentionAdded{Mention: tenure.Mention{ID: "m1", Observation: "o1"}},
		tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: "m1", Entity: "e1"}},
		tenure.EntityPut{Entity: tenure.Entity{ID: "e1"}},
		tenure.AliasAdded{Alias: alias},
		tenure.AliasClosed{Alias: alias},
		tenure.IdentityDecisionPut{Decision: tenure.IdentityDecision{ID: "v1", From: "e2", Into: "e1"}},
		tenure.ReviewPut{Review: tenure.Review{ID: "r1", Entity: "e1"}},
		tenure.ClaimAdded{Claim: tenure.Claim{
			ID: "c1", Subject: "e1", Predicate: "office", Scope: slot.Scope, Key: "k", Value: tenure.Value{Entity: "e3"},
			Supersedes: []tenure.ID{"c0"}, DependsOn: []tenure.ID{"c9"},
		}},
		tenure.ClaimMoved{Claim: "c1", From: slot, To: moved, Object: "e3"},
		tenure.StandingPut{Slot: slot, Standing: tenure.Standing{Belief: "c1"}},
		tenure.Amended{Slot: slot, Amendment: tenure.Amendment{ID: "a1", Belief: "c1"}},
		tenure.CasePut{Case: tenure.Case{ID: "q1", Subject: "e1", Predicate: "office", Scope: slot.Scope}},
		tenure.VocabularyPut{Vocabulary: tenure.Vocabulary{Name: "predicates"}},
		tenure.TermPut{Term: tenure.Term{Vocabulary: "predicates", Name: "office"}},
		tenure.ContentErased{Kind: tenure.ErasedClaim, ID: "c1", Entity: "e1"},
		tenure.DocumentPut{Document: tenure.Document{ID: "d1"}, Passages: []tenure.Passage{{ID: "p1", Document: "d1"}}},
	}
}

// called is a visitor that remembers which of its methods was called.
type called struct{ method string }

func (v *called) is(method string) error { v.method = method; return nil }

func (v *called) ObservationAdded(tenure.ObservationAdded) error { return v.is("ObservationAdded") }
func (v *called) MentionAdded(tenure.MentionAdded) error         { return v.is("MentionAdded") }
func (v *called) MentionAssigned(tenure.MentionAssigned) error   { return v.is("MentionAssigned") }
func (v *called) EntityPut(tenure.EntityPut) error               { return v.is("EntityPut") }
func (v *called) AliasAdded(tenure.AliasAdded) error             { return v.is("AliasAdded") }
func (v *called) AliasClosed(tenure.AliasClosed) error           { return v.is("AliasClosed") }
func (v *called) IdentityDecisionPut(tenure.IdentityDecisionPut) error {
	return v.is("IdentityDecisionPut")
}
func (v *called) ReviewPut(tenure.ReviewPut) error         { return v.is("ReviewPut") }
func (v *called) ClaimAdded(tenure.ClaimAdded) error       { return v.is("ClaimAdded") }
func (v *called) ClaimMoved(tenure.ClaimMoved) error       { return v.is("ClaimMoved") }
func (v *called) StandingPut(tenure.StandingPut) error     { return v.is("StandingPut") }
func (v *called) Amended(tenure.Amended) error             { return v.is("Amended") }
func (v *called) CasePut(tenure.CasePut) error             { return v.is("CasePut") }
func (v *called) VocabularyPut(tenure.VocabularyPut) error { return v.is("VocabularyPut") }
func (v *called) TermPut(tenure.TermPut) error             { return v.is("TermPut") }
func (v *called) DocumentPut(tenure.DocumentPut) error     { return v.is("DocumentPut") }
func (v *called) ContentErased(tenure.ContentErased) error { return v.is("ContentErased") }

// TestEachKindOfChange holds the visitor, the kinds and the list of this test to each other: a kind that one of
// them lacks fails it.
func TestEachKindOfChange(t *testing.T) {
	visitor := reflect.TypeFor[tenure.ChangeVisitor]()
	unseen := map[reflect.Type]bool{}
	for i := range visitor.NumMethod() {
		unseen[visitor.Method(i).Type.In(0)] = true
	}
	kinds := map[tenure.ChangeKind]bool{}
	for _, c := range oneOfEach() {
		name := reflect.TypeOf(c).Name()
		var v called
		if err := c.Accept(&v); err != nil || v.method != name {
			t.Errorf("%s calls the visitor's method %q, %v", name, v.method, err)
		}
		kind := c.Entry().Kind
		if kind == "" || kinds[kind] {
			t.Errorf("the kind %q of %s is none of its own", kind, name)
		}
		kinds[kind] = true
		delete(unseen, reflect.TypeOf(c))
	}
	for missing := range unseen {
		t.Errorf("%s is a kind of change that this test has none of", missing)
	}
}

// TestLogOfEachKind holds what a log says of each kind of change to the bytes that logs were sealed with: stored
// chains must verify.
func TestLogOfEachKind(t *testing.T) {
	want := []string{
		`{"kind":"observation_added","id":"o1"}`,
		`{"kind":"mention_added","id":"m1"}`,
		`{"kind":"mention_assigned","id":"m1","entity":"e1"}`,
		`{"kind":"entity_put","id":"e1","entity":"e1"}`,
		`{"kind":"alias_added","id":"e1","entity":"e1"}`,
		`{"kind":"alias_closed","id":"e1","entity":"e1"}`,
		`{"kind":"identity_decision_put","id":"v1","entity":"e2","other":"e1"}`,
		`{"kind":"review_put","id":"r1","entity":"e1"}`,
		`{"kind":"claim_added","id":"c1","entity":"e1","belief":"c1"}`,
		`{"kind":"claim_moved","id":"c1","entity":"e2","belief":"c1"}`,
		`{"kind":"standing_put","id":"c1","entity":"e1","belief":"c1"}`,
		`{"kind":"amended","id":"a1","entity":"e1","belief":"c1"}`,
		`{"kind":"case_put","id":"q1","entity":"e1"}`,
		`{"kind":"vocabulary_put","name":"predicates"}`,
		`{"kind":"term_put","name":"predicates/office"}`,
		`{"kind":"content_erased","id":"c1","entity":"e1","belief":"c1","name":"claim"}`,
		`{"kind":"document_put","id":"d1"}`,
	}
	const seal = "21f616e0e45643c19dc7a781701d04bf289334dfb003c6fa55045c25f564dadb"
	e := tenure.EntryOf(tenure.ChangeSet{ID: "s1", Operation: "observe", Actor: "key:1", Changes: oneOfEach()}, 7, 1000)
	var got []string
	for _, c := range e.Changes {
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	e.Changes = e.Changes[:15] // the kinds of the first version
	if got := e.Seal("before"); got != seal {
		t.Errorf("the entry is sealed with %s", got)
	}
}

// The digest of evidence is part of the seal: one that changed would break every log that there is.
func TestDigest(t *testing.T) {
	const digest = "eb6e9db085915f44b36ff6637424028d57885091b5ac62fafb62efed0ffb932a"
	cs := tenure.ChangeSet{Changes: oneOfEach()}
	got, err := cs.Digest([]byte("salt"))
	if err != nil || got != digest {
		t.Errorf("the digest is %s, %v", got, err)
	}
	if other, err := cs.Digest([]byte("another")); err != nil || other == got {
		t.Errorf("with another salt the digest is %s, %v", other, err)
	}
	reasons := tenure.ChangeSet{Changes: slices.Clone(cs.Changes)}
	for i, c := range reasons.Changes {
		switch c := c.(type) {
		case tenure.Amended:
			c.Amendment.Reason = "because"
			reasons.Changes[i] = c
		case tenure.IdentityDecisionPut:
			c.Decision.Reason, c.Decision.UndoneReason = "because", "because"
			reasons.Changes[i] = c
		}
	}
	if other, err := reasons.Digest([]byte("salt")); err != nil || other != got {
		t.Errorf("with reasons the digest is %s, %v", other, err)
	}
	derived := tenure.ChangeSet{Changes: []tenure.Change{tenure.EntityPut{}, tenure.StandingPut{}, tenure.AliasAdded{}}}
	if none, err := derived.Digest([]byte("salt")); err != nil || none != "" {
		t.Errorf("of what is derived the digest is %s, %v", none, err)
	}
}

// An entry of an earlier version keeps the names that it was sealed with, and is read by the present ones.
func TestFormerKinds(t *testing.T) {
	e := tenure.Entry{Seq: 7, Tx: 1000, ID: "s1", Operation: "observe", Actor: "key:1", Changes: []tenure.EntryChange{
		{Kind: "owner_added", ID: "e1", Entity: "e1"}, {Kind: "verdict_put", ID: "v1", Entity: "e2", Other: "e1"},
		{Kind: "owner_closed", ID: "e1", Entity: "e1"}, {Kind: "entity_put", ID: "e1", Entity: "e1"},
	}}
	const seal = "19f563f1c1199ac81cd0358cd02100e6a8a3f59ddd626db8e00dce2d6957f9bb"
	if got := e.Seal("before"); got != seal {
		t.Errorf("the entry is sealed with %s", got)
	}
	var got []tenure.ChangeKind
	for _, c := range e.Changes {
		got = append(got, c.Kind.Current())
	}
	want := []tenure.ChangeKind{
		tenure.KindAliasAdded, tenure.KindIdentityDecisionPut, tenure.KindAliasClosed, tenure.KindEntityPut,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestConflictsOfEachKind holds each kind of change to the conflict keys that decisions of others may have read.
func TestConflictsOfEachKind(t *testing.T) {
	const slot = "slot e1/office/global"
	want := [][]string{
		nil,
		nil,
		{"entity e1"},
		{"entity e1"},
		{"alias exact ann", "entity e1"},
		{"alias exact ann", "entity e1"},
		{"entity e2", "entity e1"},
		{"review r1", "entity e1"},
		{slot, "predicate office", "about e1", "referring e3", "key k", "belief c0", "belief c9"},
		{slot, "slot e2/office/global", "belief c1", "predicate office", "about e1", "about e2", "referring e3"},
		{slot, "belief c1"},
		{slot, "belief c1"},
		{"case q1", slot},
		{"vocabulary predicates"},
		{"term predicates/office"},
		{"belief c1"},
		{"document d1"},
	}
	readable := strings.NewReplacer("\x1f\x1f\x1f\x1f", "", "\x1f", " ", "\x1e", "/")
	var got [][]string
	once := map[string]bool{}
	for _, c := range oneOfEach() {
		var keys []string
		for _, key := range c.WriteSet() {
			keys = append(keys, readable.Replace(string(key)))
			once[string(key)] = true
		}
		got = append(got, keys)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	cs := tenure.ChangeSet{Changes: oneOfEach(), Key: &tenure.IdempotencyKey{Scope: "x"}}
	if n := len(cs.WriteSet()); n != len(once)+1 {
		t.Errorf("the set touches %d conflict keys, its changes and its key %d", n, len(once)+1)
	}
}

func BenchmarkEntryOf(b *testing.B) {
	cs := tenure.ChangeSet{ID: "s1", Operation: "observe", Actor: "key:1", Changes: oneOfEach(), Key: &tenure.IdempotencyKey{Scope: "x"}}
	b.ReportAllocs()
	for b.Loop() {
		_ = tenure.EntryOf(cs, 7, 1000)
		_ = cs.WriteSet()
	}
}
