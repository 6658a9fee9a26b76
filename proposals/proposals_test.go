package proposals_test

import (
	"context"
	"slices"
	"testing"

	"tenure"
	"tenure/audience"
	"tenure/proposals"
	"tenure/store"
)

// state is a reader of what a test writes down.
type state struct {
	proposals.Reader
	observations []tenure.Observation
	beliefs      []tenure.Belief
}

func (s state) Observations(_ context.Context, ids []tenure.ID) (list []tenure.Observation, err error) {
	for _, o := range s.observations {
		if slices.Contains(ids, o.ID) {
			list = append(list, o)
		}
	}
	return list, nil
}

func (s state) Beliefs(_ context.Context, ids []tenure.ID) (list []tenure.Belief, err error) {
	for _, b := range s.beliefs {
		if slices.Contains(ids, b.Claim.ID) {
			list = append(list, b)
		}
	}
	return list, nil
}

func (s state) Facts(
	_ context.Context, ids []tenure.ID, in tenure.Window, _ int,
) (list []tenure.Belief, err error) {
	for _, b := range s.beliefs {
		if g, ok := b.Standing.At(in.From); ok && g.Cause == tenure.Stands && slices.Contains(ids, b.Claim.Subject) {
			list = append(list, b)
		}
	}
	return list, nil
}

const (
	at   = tenure.Instant(1000) // the instant that is asked about
	said = tenure.Instant(500)  // when the words were recorded
)

func belief(id, subject tenure.ID, value string, recorded tenure.Instant) tenure.Belief {
	w := tenure.Window{From: 1, Until: tenure.MaxTime}
	return tenure.Belief{RecordedAt: recorded, Claim: tenure.Claim{
		ID: id, Subject: subject, Predicate: "budget", Value: tenure.Value{JSON: []byte(`"` + value + `"`)},
		Description: tenure.Description{Classification: tenure.Restricted},
	}, Standing: tenure.Standing{Segments: []tenure.Segment{{Window: w, Cause: tenure.Stands}}}}
}

// scene is a change that waits: of the old budget of Atlas to 5000.
type scene struct {
	state
	words  tenure.Observation
	reader tenure.Caller
}

func newScene() *scene {
	s := &scene{reader: tenure.Caller{Clearance: tenure.Restricted}}
	s.words = tenure.Observation{ID: "words", Text: "5000 then?", Statements: []tenure.Said{
		{Effect: tenure.Keeps},
		{Effect: tenure.Unsure, Entity: "atlas", Predicate: "budget", Proposal: &tenure.Proposal{
			Effect: tenure.Set, Value: "5000", Stands: []tenure.ID{"old"},
		}},
	}}
	s.beliefs = []tenure.Belief{belief("old", "atlas", "4000", 100)}
	return s
}

// would is what the words propose.
func (s *scene) would() *tenure.Proposal { return s.words.Statements[1].Proposal }

func (s *scene) outcome(t *testing.T) string {
	t.Helper()
	list := proposals.Of(store.ObservationRecord{Observation: s.words, RecordedAt: said})
	if len(list) != 1 || list[0].Number != 2 || list[0].ID != tenure.ProposalID("words", 2) {
		t.Fatalf("the words propose %+v", list)
	}
	c := &list[0]
	sees := func(c tenure.Claim) bool { return audience.Of(s.reader).Sees(c.Label()) }
	if err := proposals.Load(t.Context(), s, []*proposals.Change{c}, sees, at); err != nil {
		t.Fatal(err)
	}
	members := func(*proposals.Change) []tenure.ID { return []tenure.ID{"atlas", "atlas ltd"} }
	err := proposals.Dissolve(t.Context(), s, []*proposals.Change{c}, members, sees, at)
	if err != nil {
		t.Fatal(err)
	}
	if c.State == "" && (c.Stands != nil || c.Answered != nil) {
		t.Errorf("what is hidden has %+v", c)
	}
	return c.State
}

// TestState checks in which state a proposed change is, "" where the reader may not know of it.
func TestState(t *testing.T) {
	answered := func(accepted bool) tenure.Observation {
		return tenure.Observation{ID: tenure.AnswerID("words", 2), Answer: &tenure.ProposalAnswer{Number: 2, Accepted: accepted}}
	}
	later := func(change func(*tenure.Belief)) func(*scene) {
		return func(s *scene) {
			b := belief("new", "atlas ltd", "6000", said)
			change(&b)
			s.beliefs = append(s.beliefs, b)
		}
	}
	nothing := func(*tenure.Belief) {}
	for name, c := range map[string]struct {
		change func(*scene)
		want   string
	}{
		"it waits":                            {func(*scene) {}, proposals.Open},
		"accepted":                            {func(s *scene) { s.observations = append(s.observations, answered(true)) }, proposals.Accepted},
		"refused":                             {func(s *scene) { s.observations = append(s.observations, answered(false)) }, proposals.Refused},
		"an answer stays where nothing does":  {func(s *scene) { s.observations = append(s.observations, answered(false)); end(&s.beliefs[0]) }, proposals.Refused},
		"what it would change has ended":      {func(s *scene) { end(&s.beliefs[0]) }, proposals.Dissolved},
		"another value since":                 {later(nothing), proposals.Dissolved},
		"another value before":                {later(func(b *tenure.Belief) { b.RecordedAt = said - 1 }), proposals.Open},
		"another value that has ended":        {later(end), proposals.Open},
		"a value of another property":         {later(func(b *tenure.Belief) { b.Claim.Predicate = "owner" }), proposals.Open},
		"a value of another entity":           {later(func(b *tenure.Belief) { b.Claim.Subject = "orion" }), proposals.Open},
		"a value in a scope of its own":       {later(func(b *tenure.Belief) { b.Claim.Scope.UserID = "ann" }), proposals.Open},
		"a value that the reader may not see": {later(func(b *tenure.Belief) { b.Claim.Classification = tenure.Confidential }), proposals.Open},
		"what would change was said since":    {func(s *scene) { s.beliefs[0].RecordedAt = said + 1 }, proposals.Open},
		"another of many":                     {func(s *scene) { s.would().Many = true; later(nothing)(s) }, proposals.Open},
		"the same of many":                    {func(s *scene) { s.would().Many, s.would().Value = true, "6,000"; later(nothing)(s) }, proposals.Dissolved},
		"the same of many by name": {func(s *scene) {
			s.would().Many, s.would().Value = true, "acme"
			later(func(b *tenure.Belief) { b.Claim.Value = tenure.Value{Entity: "x", Name: "Acme"} })(s)
		}, proposals.Dissolved},

		"little clearance":    {func(s *scene) { s.reader.Clearance = tenure.Public }, ""},
		"of another user":     {func(s *scene) { s.words.Scope.UserID, s.reader.Bound.UserID = "ann", "bob" }, ""},
		"of the user":         {func(s *scene) { s.words.Scope.UserID, s.reader.Bound.UserID = "ann", "ann" }, proposals.Open},
		"what stands is shut": {func(s *scene) { s.beliefs[0].Claim.Classification = tenure.Confidential }, ""},
		"what stands is gone": {func(s *scene) { s.beliefs = nil }, ""},
		"labelled":            {func(s *scene) { s.words.Text = "[CONFIDENTIAL] 5000 then?" }, ""},
		"labelled, in a role": {func(s *scene) { s.words.Text = "[VP] [CONFIDENTIAL] 5000 then?" }, ""},
		"labelled, and cleared": {func(s *scene) {
			s.words.Text, s.reader.Clearance = "[CONFIDENTIAL] 5000 then?", tenure.Confidential
		}, proposals.Open},
		"the words also say what is shut": {func(s *scene) {
			shut := belief("shut", "orion", "9", said)
			shut.Claim.Classification = tenure.Confidential
			s.words.Claims, s.beliefs = []tenure.ID{"shut"}, append(s.beliefs, shut)
		}, ""},
		"a further reading of a text": {func(s *scene) {
			s.words.Of, s.words.Text, s.observations = "text", "", []tenure.Observation{{ID: "text", Text: "5000 then?"}}
		}, proposals.Open},
		"a further reading of a labelled text": {func(s *scene) {
			s.words.Of, s.words.Text, s.observations = "text", "", []tenure.Observation{{ID: "text", Text: "[CONFIDENTIAL] 5000 then?"}}
		}, ""},
		"a further reading of a text that says what is shut": {func(s *scene) {
			shut := belief("shut", "orion", "9", said)
			shut.Claim.Classification = tenure.Confidential
			s.beliefs = append(s.beliefs, shut)
			s.words.Of, s.words.Text = "text", ""
			s.observations = []tenure.Observation{{ID: "text", Text: "5000 then?", Claims: []tenure.ID{"shut"}}}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene()
			c.change(s)
			if got := s.outcome(t); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// end ends a belief before the instant.
func end(b *tenure.Belief) { b.Standing.Segments[0].Until = at }

// TestAudience checks that the gate of a reader sees for which roles the words are.
func TestAudience(t *testing.T) {
	s := newScene()
	s.words.Text = "[CONFIDENTIAL - only for HR] 5000 then?"
	list := proposals.Of(store.ObservationRecord{Observation: s.words})
	var roles []string
	sees := func(c tenure.Claim) bool {
		roles = append(roles, c.Permission.AllowRoles...)
		return true
	}
	if err := proposals.Load(t.Context(), s, []*proposals.Change{&list[0]}, sees, at); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(roles, []string{"HR"}) {
		t.Errorf("they are for %q", roles)
	}
}
