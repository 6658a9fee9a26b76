package neo4j

import (
	"context"
	"testing"

	"tenure"
)

// TestTheGraphThatAnalystsSee holds the engine to the edges and labels of the
// model, which the store's own reads do not all need.
func TestTheGraphThatAnalystsSee(t *testing.T) {
	ctx, s, tenant := context.Background(), internal(t), "t-"+string(newID())
	jon, acme, observation := newID(), newID(), newID()
	mention := tenure.Mention{ID: newID(), Observation: observation, Name: "Jon"}
	window := tenure.Window{From: 1, Until: tenure.Forever}
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
	seq := tenure.Seq(0)
	apply := func(changes ...tenure.Change) {
		t.Helper()
		if _, err := s.Apply(ctx, tenant, seq, []tenure.ChangeSet{{ID: newID(), Changes: changes}}); err != nil {
			t.Fatal(err)
		}
		seq++
	}
	count := func(want int64, pattern string) {
		t.Helper()
		rows, err := s.query(ctx, `MATCH `+pattern+` RETURN count(*)`, args{
			"tenant": tenant, "jon": string(jon), "acme": string(acme), "office": string(office.ID), "works": string(works.ID),
		})
		if err != nil || rows[0].number(0) != want {
			t.Errorf("%v instead of %d, %v: %s", rows, want, err, pattern)
		}
	}
	const (
		person  = `(e:Entity {tenant: $tenant, id: $jon})`
		company = `(o:Entity {tenant: $tenant, id: $acme})`
	)
	apply(
		tenure.ObservationAdded{Observation: tenure.Observation{ID: observation}},
		tenure.MentionAdded{Mention: mention}, tenure.EntityPut{Entity: tenure.Entity{ID: jon, Name: "Jon"}},
		tenure.EntityPut{Entity: tenure.Entity{ID: acme, Name: "Acme"}},
		tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: mention.ID, Entity: jon, Score: 1, Outcome: tenure.NewEntity}},
		tenure.OwnerAdded{Owner: tenure.Owner{Form: tenure.Form{Kind: tenure.NameKind, Key: "jon"}, Entity: jon}},
		tenure.ClaimAdded{Claim: works}, standing(works, tenure.Stands),
		tenure.ClaimAdded{Claim: office}, standing(office, tenure.Stands),
	)
	count(1, `(:Observation)-[:MENTIONS]->(:Mention {name: 'Jon'})-[a:ASSIGNED {decision: 'new_entity'}]->`+person)
	count(1, person+`-[:HAS_ALIAS]->(:Alias {kind: 'name', key: 'jon'})`)
	count(2, `(:Observation)-[:ASSERTS]->(:Belief:Current {status: 'clean'})-[:ABOUT]->`+person)
	count(1, person+`<-[:ABOUT]-(:Relation {predicate: 'works_for'})-[:VALUE]->`+company)
	count(1, person+`-[:REL {predicate: 'works_for', belief: $works}]->`+company)
	count(1, person+`<-[:ABOUT]-(:Belief {predicate: 'office', value: 'Chicago'})`)

	apply(
		tenure.ClaimAdded{Claim: next}, standing(next, tenure.Stands), standing(office, tenure.ByTie),
		standing(works, tenure.ByRetraction), tenure.CasePut{Case: held},
		tenure.Amended{Slot: works.Slot(), Amendment: tenure.Amendment{ID: newID(), Kind: tenure.Retract, Belief: works.ID}},
		tenure.EntityPut{Entity: tenure.Entity{ID: jon, Status: tenure.EntityMerged, MergedInto: acme}},
	)
	count(1, `(:Belief)-[:SUPERSEDES]->(:Belief {tenant: $tenant, id: $office, status: 'disputed'})`)
	count(1, `(:Belief)-[:DEPENDS_ON]->(:Belief {tenant: $tenant, id: $works, status: 'overridden'})`)
	count(1, `(:QuarantineCase {state: 'open'})-[:HOLDS]->(:Belief {tenant: $tenant, id: $office})`)
	count(1, `(:Amendment {kind: 'retract'})-[:AMENDS]->(:Belief {tenant: $tenant, id: $works})-[:STOOD]->(:Standing {status: 'clean'})`)
	count(1, person+`<-[:ABOUT]-(:Current)`)
	count(0, person+`-[:REL]->()`)
	count(1, person+`-[m:MERGED_INTO]->`+company+` WHERE m.tx_end = 9223372036854775807`)
	count(1, person+`-[:WAS]->(:EntityVersion {name: 'Jon'})`)

	held.Holds = nil
	apply(standing(works, tenure.Stands), tenure.CasePut{Case: held},
		tenure.EntityPut{Entity: tenure.Entity{ID: jon, Name: "Jon"}})
	count(1, person+`-[:REL {belief: $works}]->`+company)
	count(0, `(:QuarantineCase)-[:HOLDS]->(:Belief {tenant: $tenant, id: $office})`)
	count(0, person+`-[m:MERGED_INTO]->`+company+` WHERE m.tx_end = 9223372036854775807`)
	count(1, person+`-[m:MERGED_INTO]->`+company)
}
