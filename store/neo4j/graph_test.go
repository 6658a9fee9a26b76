package neo4j

import (
	"context"
	"testing"

	"tenure"
	"tenure/store/neo4j/graph"
)

// written is a tenant's graph that a test writes and counts patterns in.
type written struct {
	*testing.T
	s      *Store
	tenant string
	seq    tenure.Seq
	ids    args // the parameters of patterns
}

func newGraph(t *testing.T, ids map[string]tenure.ID) *written {
	g := &written{T: t, s: internal(t), tenant: "t-" + string(newID())}
	g.ids = args{"tenant": g.tenant, "forever": graph.Forever}
	for name, id := range ids {
		g.ids[name] = string(id)
	}
	return g
}

func (g *written) apply(changes ...tenure.Change) {
	g.Helper()
	sets := []tenure.ChangeSet{{ID: newID(), Changes: changes}}
	if _, err := g.s.Apply(context.Background(), g.tenant, g.seq, sets); err != nil {
		g.Fatal(err)
	}
	g.seq++
}

func (g *written) count(want int64, pattern string) {
	g.Helper()
	rows, err := g.s.query(context.Background(), `MATCH `+pattern+` RETURN count(*)`, g.ids)
	if err != nil || rows[0].number(0) != want {
		g.Errorf("%v instead of %d, %v: %s", rows, want, err, pattern)
	}
}

// The graph has the edges and labels of the model, not all of which the store's own reads need.
func TestTheGraphThatAnalystsSee(t *testing.T) {
	jon, acme, observation := newID(), newID(), newID()
	mention := tenure.Mention{ID: newID(), Observation: observation, Name: "Jon"}
	window := tenure.Window{From: 1, Until: tenure.MaxTime}
	claim := func(predicate string) tenure.Claim {
		return tenure.Claim{
			ID: newID(), Observation: observation, Subject: jon, Predicate: predicate, Window: window,
			Value: tenure.Value{JSON: []byte(`"Chicago"`)},
		}
	}
	standing := func(c tenure.Claim, cause tenure.Cause) tenure.StandingPut {
		return tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{
			Belief: c.ID, Segments: []tenure.Segment{{Window: window, Cause: cause}},
		}}
	}
	works, office, next := claim("works_for"), claim("office"), claim("office")
	works.Value = tenure.Value{Entity: acme, Canonical: string(acme)}
	next.Supersedes, next.DependsOn = []tenure.ID{office.ID}, []tenure.ID{works.ID}
	held := tenure.Case{ID: newID(), Subject: jon, Predicate: "office", State: tenure.CaseOpen, Holds: []tenure.ID{office.ID}}
	g := newGraph(t, map[string]tenure.ID{"jon": jon, "acme": acme, "office": office.ID, "works": works.ID})
	const (
		person  = `(e:Entity {tenant: $tenant, id: $jon})`
		company = `(o:Entity {tenant: $tenant, id: $acme})`
	)
	g.apply(
		tenure.ObservationAdded{Observation: tenure.Observation{ID: observation}},
		tenure.MentionAdded{Mention: mention}, tenure.EntityPut{Entity: tenure.Entity{ID: jon, Name: "Jon"}},
		tenure.EntityPut{Entity: tenure.Entity{ID: acme, Name: "Acme"}},
		tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: mention.ID, Entity: jon, Score: 1, Outcome: tenure.NewEntity}},
		tenure.AliasAdded{Alias: tenure.Alias{Key: tenure.AliasKey{Kind: tenure.NameAlias, Key: "jon"}, Entity: jon}},
		tenure.ClaimAdded{Claim: works}, standing(works, tenure.Stands),
		tenure.ClaimAdded{Claim: office}, standing(office, tenure.Stands),
	)
	g.count(1, `(:Observation)-[:MENTIONS]->(:Mention {name: 'Jon'})-[a:ASSIGNED {decision: 'new_entity'}]->`+person)
	g.count(1, person+`-[:HAS_ALIAS]->(:Alias {kind: 'name', key: 'jon'})`)
	g.count(2, `(:Observation)-[:ASSERTS]->(:Belief:Current {status: 'clean'})-[:ABOUT]->`+person)
	g.count(1, person+`<-[:ABOUT]-(:Relation {predicate: 'works_for'})-[:VALUE]->`+company)
	g.count(1, person+`-[:REL {predicate: 'works_for', belief: $works}]->`+company)
	g.count(1, person+`<-[:ABOUT]-(:Belief {predicate: 'office', value: 'Chicago'})`)

	g.apply(
		tenure.ClaimAdded{Claim: next}, standing(next, tenure.Stands), standing(office, tenure.ByTie),
		standing(works, tenure.ByRetraction), tenure.CasePut{Case: held},
		tenure.Amended{Slot: works.Slot(), Amendment: tenure.Amendment{ID: newID(), Kind: tenure.Retract, Belief: works.ID}},
		tenure.EntityPut{Entity: tenure.Entity{ID: jon, Status: tenure.EntityMerged, MergedInto: acme}},
	)
	g.count(1, `(:Belief)-[:NAMES]->(:Belief {tenant: $tenant, id: $office, status: 'disputed'})`)
	g.count(1, `(:Belief)-[:DEPENDS_ON]->(:Belief {tenant: $tenant, id: $works, status: 'overridden'})`)
	g.count(1, `(:QuarantineCase {state: 'open'})-[:HOLDS]->(:Belief {tenant: $tenant, id: $office})`)
	g.count(1, `(:Amendment {kind: 'retract'})-[:AMENDS]->(:Belief {tenant: $tenant, id: $works})-[:STOOD]->(:Standing {status: 'clean'})`)
	g.count(1, person+`<-[:ABOUT]-(:Current)`)
	g.count(0, person+`-[:REL]->()`)
	g.count(1, person+`-[m:MERGED_INTO]->`+company+` WHERE m.tx_end = 9223372036854775807`)
	g.count(1, person+`-[:WAS]->(:EntityVersion {name: 'Jon'})`)

	held.Holds = nil
	g.apply(standing(works, tenure.Stands), tenure.CasePut{Case: held},
		tenure.EntityPut{Entity: tenure.Entity{ID: jon, Name: "Jon"}})
	g.count(1, person+`-[:REL {belief: $works}]->`+company)
	g.count(0, `(:QuarantineCase)-[:HOLDS]->(:Belief {tenant: $tenant, id: $office})`)
	g.count(0, person+`-[m:MERGED_INTO]->`+company+` WHERE m.tx_end = 9223372036854775807`)
	g.count(1, person+`-[m:MERGED_INTO]->`+company)
}

// The graph shows analysts identity decisions, reviews, closed aliases and moved claims.
func TestTheGraphOfWhoIsWho(t *testing.T) {
	jon, ann, acme, corp, observation := newID(), newID(), newID(), newID(), newID()
	window := tenure.Window{From: 1, Until: tenure.MaxTime}
	works := tenure.Claim{
		ID: newID(), Observation: observation, Subject: jon, Predicate: "works_for", Window: window,
		Value: tenure.Value{Entity: acme},
	}
	moved := works.Slot()
	moved.Subject = ann
	standing := func(cause tenure.Cause, at ...tenure.ID) tenure.StandingPut {
		s := tenure.Standing{Belief: works.ID, Segments: []tenure.Segment{{Window: window, Cause: cause}}}
		slot := works.Slot()
		if len(at) > 0 {
			slot.Subject, s.Subject, s.Object = at[0], at[0], at[1]
		}
		return tenure.StandingPut{Slot: slot, Standing: s}
	}
	decision := tenure.IdentityDecision{ID: newID(), Kind: tenure.Split, From: jon, Into: ann, Actor: "x"}
	review := tenure.Review{
		ID: newID(), State: tenure.ReviewOpen, Entity: jon, Candidates: []tenure.Candidate{{Entity: ann, Score: 0.5}},
	}
	alias := tenure.Alias{Key: tenure.AliasKey{Kind: tenure.NameAlias, Key: "jon"}, Entity: jon, Mention: newID()}
	g := newGraph(t, map[string]tenure.ID{"jon": jon, "ann": ann, "acme": acme, "corp": corp, "works": works.ID})
	const (
		person  = `(e:Entity {tenant: $tenant, id: $jon})`
		other   = `(f:Entity {tenant: $tenant, id: $ann})`
		company = `(o:Entity {tenant: $tenant, id: $acme})`
		next    = `(p:Entity {tenant: $tenant, id: $corp})`
		belief  = `(b:Belief {tenant: $tenant, id: $works})`
	)
	g.apply(tenure.ObservationAdded{Observation: tenure.Observation{ID: observation}},
		tenure.EntityPut{Entity: tenure.Entity{ID: jon, Attributes: map[string][]string{"role": {"a", "b"}, "dob": {"1999"}}}},
		tenure.EntityPut{Entity: tenure.Entity{ID: ann}}, tenure.EntityPut{Entity: tenure.Entity{ID: acme}},
		tenure.EntityPut{Entity: tenure.Entity{ID: corp}}, tenure.AliasAdded{Alias: alias},
		tenure.ClaimAdded{Claim: works}, standing(tenure.Stands), tenure.ReviewPut{Review: review})
	g.count(1, person+` WHERE e.attributes = ['dob: 1999', 'role: a', 'role: b']`)
	g.count(1, person+`-[h:HAS_ALIAS]->(:Alias) WHERE h.tx_end = $forever`)
	g.count(1, `(:Review {state: 'open'})-[:ASKS_ABOUT {role: 'entity', tx_end: $forever}]->`+person)
	g.count(1, `(:Review)-[:ASKS_ABOUT {role: 'candidate', score: 0.5, tx_end: $forever}]->`+other)

	// An edge written before aliases could be closed has no tx_end.
	if _, err := g.s.execute(t.Context(), `MATCH `+person+`-[h:HAS_ALIAS]->() REMOVE h.tx_end`, g.ids); err != nil {
		t.Fatal(err)
	}
	review.State, review.Candidates = tenure.ReviewSettled, nil
	g.apply(tenure.IdentityDecisionPut{Decision: decision}, tenure.ReviewPut{Review: review}, tenure.AliasClosed{Alias: alias},
		tenure.ClaimMoved{Claim: works.ID, From: works.Slot(), To: moved, Object: corp}, standing(tenure.Stands, ann, corp))
	g.count(1, person+`<-[:CONCERNS {role: 'from'}]-(:IdentityDecision {kind: 'split'})-[:CONCERNS {role: 'into'}]->`+other)
	g.count(1, `(:Review {state: 'settled'})-[:WAS]->(:ReviewVersion {tenant: $tenant, state: 'open'})`)
	g.count(1, `(:Review)-[x:ASKS_ABOUT]->`+person+` WHERE x.tx_end = $forever`)
	g.count(0, `(:Review)-[x:ASKS_ABOUT]->`+other+` WHERE x.tx_end = $forever`)
	g.count(1, person+`-[h:HAS_ALIAS]->(:Alias) WHERE h.tx_end < $forever`)
	g.count(1, other+`<-[:ABOUT]-`+belief+`-[:VALUE]->`+next)
	g.count(1, belief+`-[:MOVED_TO]->(:Relocation {subject: $ann, object: $corp, tx_end: $forever})`)
	g.count(1, belief+` WHERE b.value = $corp`)
	g.count(1, other+`-[:REL {belief: $works}]->`+next)
	g.count(0, belief+`-[:ABOUT]->`+person)
	g.count(0, person+`-[:REL]->()`)

	// A relation has an edge for each span in which it stands.
	twice := standing(tenure.Stands, ann, corp)
	twice.Standing.Segments = []tenure.Segment{
		{Window: tenure.Window{From: 1, Until: 10}, Cause: tenure.Stands},
		{Window: tenure.Window{From: 10, Until: 20}, Cause: tenure.ByAuthority},
		{Window: tenure.Window{From: 20, Until: tenure.MaxTime}, Cause: tenure.Stands},
	}
	g.apply(twice)
	spans := func() {
		t.Helper()
		g.count(2, `()-[:REL {belief: $works}]->()`)
		g.count(1, other+`-[:REL {belief: $works, valid_from: 1, valid_until: 10}]->`+next)
		g.count(1, other+`-[:REL {belief: $works, valid_from: 20, valid_until: $forever}]->`+next)
	}
	spans()

	// Before migration 5 the one edge had the window of the claim.
	if _, err := g.s.execute(t.Context(), `MATCH (s)-[x:REL {belief: $works}]->(o) DELETE x WITH DISTINCT s, o
CREATE (s)-[:REL {tenant: $tenant, belief: $works, valid_from: 1, valid_until: $forever}]->(o)`, g.ids); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the migration can be run again
		if err := g.s.spreadRelations(t.Context()); err != nil {
			t.Fatal(err)
		}
		spans()
	}

	// The edge of a relation that stands again connects the new ends.
	g.apply(standing(tenure.ByRetraction, ann, corp))
	g.count(0, `()-[:REL {belief: $works}]->()`)
	g.apply(standing(tenure.Stands, ann, corp))
	g.count(1, other+`-[:REL {belief: $works}]->`+next)

	decision.Undone = true
	g.apply(tenure.IdentityDecisionPut{Decision: decision}, standing(tenure.Stands),
		tenure.ClaimMoved{Claim: works.ID, From: moved, To: works.Slot(), Object: acme})
	g.count(1, person+`<-[:CONCERNS {role: 'from'}]-(:IdentityDecision {undone: true})-[:WAS]->(:IdentityDecisionVersion {undone: false})`)
	g.count(1, person+`<-[:ABOUT]-`+belief+`-[:VALUE]->`+company)
	g.count(1, person+`-[:REL {belief: $works}]->`+company)
	g.count(1, belief+`-[:MOVED_TO]->(:Relocation {subject: $ann}) `)
	g.count(1, belief+`-[:MOVED_TO]->(h:Relocation {subject: $jon}) WHERE h.tx_end = $forever`)
	g.count(0, other+`<-[:ABOUT]-()`)
}
