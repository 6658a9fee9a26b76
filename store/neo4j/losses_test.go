package neo4j

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
)

// drawn lists the edges between what was displaced and what displaced it, in words.
func (g *written) drawn(names map[tenure.ID]string) []string {
	g.Helper()
	rows, err := g.s.query(g.Context(), `MATCH (b:Belief)<-[x:SUPERSEDES|OVERRIDES|CONTRADICTS|NAMES]-(w)
WHERE b.tenant = $tenant AND b.id > ''
RETURN w.id, type(x), coalesce(x.rule, ''), b.id, coalesce(toString(x.valid_from_time.year), ''),
  coalesce(toString(x.valid_until_time.year), ''), x.tx_end = $forever,
  x.tx_end_time IS NULL = (x.tx_end = $forever) AND x.tx_start_time IS NOT NULL AND x.tx_start < x.tx_end`, g.ids)
	if err != nil {
		g.Fatal(err)
	}
	var list []string
	for _, r := range rows {
		line := fmt.Sprintf("%s %s %s %s %s-%s", names[tenure.ID(r.text(0))], r.text(1), r.text(2), names[tenure.ID(r.text(3))],
			r.text(4), r.text(5))
		if r.text(1) == "NAMES" {
			line = strings.Join(strings.Fields(line)[:3], " ")
		} else if r[7] != true {
			g.Errorf("%s: the times of the record are not as they should be: %v", line, r)
		}
		if open, _ := r[6].(bool); !open && r.text(1) != "NAMES" {
			line += " once"
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

// Every displacement is an edge, as long as the standing says so.
func TestDisplacementsAreEdges(t *testing.T) {
	year := func(y int) tenure.Instant {
		return tenure.Instant(int64(y-1970)*365_2425*24*3600*100 + 100*24*3600*1_000_000)
	}
	subject, observation := newID(), newID()
	claim := func(from int) tenure.Claim {
		return tenure.Claim{
			ID: newID(), Observation: observation, Subject: subject, Predicate: "office",
			Window: tenure.Window{From: year(from), Until: tenure.MaxTime}, Value: tenure.Value{JSON: []byte(`"x"`)},
		}
	}
	// The ids are in the order of the letters, as minted ids are.
	a, b, c := claim(2020), claim(2021), claim(2022)
	c.Supersedes = []tenure.ID{a.ID}
	end := tenure.Amendment{ID: newID(), Kind: tenure.End, Belief: b.ID}
	names := map[tenure.ID]string{a.ID: "a", b.ID: "b", c.ID: "c", end.ID: "end"}
	put := func(c tenure.Claim, segments ...tenure.Segment) tenure.StandingPut {
		return tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{Belief: c.ID, Segments: segments}}
	}
	part := func(from, until int, cause tenure.Cause, by tenure.ID) tenure.Segment {
		w := tenure.Window{From: year(from), Until: tenure.MaxTime}
		if until > 0 {
			w.Until = year(until)
		}
		return tenure.Segment{Window: w, Cause: cause, By: by}
	}
	g := newGraph(t, nil)
	expect := func(want ...string) {
		t.Helper()
		slices.Sort(want)
		if d := cmp.Diff(want, g.drawn(names)); d != "" {
			t.Error(d)
		}
	}
	g.apply(tenure.ObservationAdded{Observation: tenure.Observation{ID: observation, Text: "They say so.", ObservedAt: year(2020)}},
		tenure.EntityPut{Entity: tenure.Entity{ID: subject, Name: "Zoe", Type: "Web shop"}},
		tenure.ClaimAdded{Claim: a}, put(a, part(2020, 0, tenure.Stands, "")))
	expect()
	g.apply(tenure.ClaimAdded{Claim: b}, put(b, part(2021, 0, tenure.ByTie, a.ID)),
		put(a, part(2020, 2021, tenure.Stands, ""), part(2021, 0, tenure.ByTie, b.ID)))
	expect("a CONTRADICTS  b 2021-")
	g.apply(put(a, part(2020, 2021, tenure.Stands, ""), part(2021, 0, tenure.ByAuthority, b.ID)), put(b, part(2021, 0, tenure.Stands, "")))
	expect("a CONTRADICTS  b 2021- once", "b SUPERSEDES authority a 2021-")

	// Two change sets of one transaction, and a standing that says the same again.
	_, err := g.s.Apply(t.Context(), g.tenant, g.seq, []tenure.ChangeSet{
		{ID: newID(), Changes: []tenure.Change{tenure.ClaimAdded{Claim: c},
			put(c, part(2022, 0, tenure.Stands, "")), put(b, part(2021, 2022, tenure.Stands, ""), part(2022, 0, tenure.ByTrust, c.ID)),
			put(a, part(2020, 2021, tenure.Stands, ""), part(2021, 2022, tenure.ByAuthority, b.ID), part(2022, 0, tenure.ByName, c.ID))}},
		{ID: newID(), Changes: []tenure.Change{tenure.Amended{Slot: b.Slot(), Amendment: end},
			put(b, part(2021, 2022, tenure.Stands, ""), part(2022, 0, tenure.ByEnd, end.ID)),
			put(a, part(2020, 2021, tenure.Stands, ""), part(2021, 2022, tenure.ByAuthority, b.ID), part(2022, 0, tenure.ByName, c.ID))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	g.seq += 2
	all := []string{
		"a CONTRADICTS  b 2021- once", "b SUPERSEDES authority a 2021- once", "b SUPERSEDES authority a 2021-2022",
		"c SUPERSEDES explicit a 2022-", "c NAMES a", "c SUPERSEDES trust b 2022- once", "end OVERRIDES end b 2022-",
	}
	expect(all...)
	g.count(1, `(:Entity:web_shop {tenant: $tenant, name: 'Zoe'})`)
	g.count(1, `(o:Observation {tenant: $tenant, text: 'They say so.'}) WHERE o.observed_at_time.year = 2020`)

	// A graph of an earlier version is brought to the same.
	for _, old := range []string{
		`MATCH (b:Belief {tenant: $tenant})<-[x:SUPERSEDES|OVERRIDES|CONTRADICTS]-() DELETE x`,
		`MATCH (b:Belief {tenant: $tenant})<-[x:NAMES]-(a) DELETE x CREATE (a)-[:SUPERSEDES]->(b)`,
		`MATCH (b:Belief {tenant: $tenant}) REMOVE b.valid_from_time`,
		`MATCH (o:Observation {tenant: $tenant}) REMOVE o.text, o.observed_at_time`,
		`MATCH (e:Entity {tenant: $tenant}) REMOVE e:web_shop`,
	} {
		if _, err := g.s.execute(t.Context(), old, g.ids); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the migration can be run again
		if err := g.s.repeat(t.Context(), formerNames); err != nil {
			t.Fatal(err)
		}
		if err := g.s.drawTenant(t.Context(), g.tenant); err != nil {
			t.Fatal(err)
		}
		expect(all...)
		g.count(1, `(:Entity:web_shop {tenant: $tenant, name: 'Zoe'})`)
		g.count(1, `(o:Observation {tenant: $tenant, text: 'They say so.'}) WHERE o.observed_at_time.year = 2020`)
		g.count(3, `(b:Belief {tenant: $tenant}) WHERE b.valid_from_time.year > 2019`)
	}
	g.apply(tenure.EntityPut{Entity: tenure.Entity{ID: subject, Name: "Zoe", Type: "person"}})
	g.count(1, `(e:Entity:person {tenant: $tenant}) WHERE NOT e:web_shop`)
}

// Values that are entities are shown by name, and by the new one after a renaming.
func TestRelationsAreReadable(t *testing.T) {
	jon, acme, observation := newID(), newID(), newID()
	window := tenure.Window{From: 1, Until: tenure.MaxTime}
	works := tenure.Claim{ID: newID(), Observation: observation, Subject: jon, Predicate: "works_for", Window: window,
		Value: tenure.Value{Entity: acme}}
	g := newGraph(t, map[string]tenure.ID{"works": works.ID, "acme": acme})
	g.apply(tenure.ObservationAdded{Observation: tenure.Observation{ID: observation}},
		tenure.EntityPut{Entity: tenure.Entity{ID: jon, Name: "Jon"}}, tenure.EntityPut{Entity: tenure.Entity{ID: acme, Name: "Acme"}},
		tenure.ClaimAdded{Claim: works},
		tenure.StandingPut{Slot: works.Slot(), Standing: tenure.Standing{Belief: works.ID, Segments: []tenure.Segment{{Window: window, Cause: tenure.Stands}}}})
	g.count(1, `(:Belief {tenant: $tenant, id: $works, value: 'Acme', object: $acme})`)
	g.count(1, `()-[x:REL {tenant: $tenant, predicate: 'works_for', value: 'Acme'}]->() WHERE x.valid_from_time.year = 1970 AND x.valid_until_time IS NULL`)
	g.apply(tenure.EntityPut{Entity: tenure.Entity{ID: acme, Name: "Acme Ltd"}})
	g.count(1, `(:Belief {tenant: $tenant, id: $works, value: 'Acme Ltd'})`)
	g.count(1, `()-[:REL {tenant: $tenant, value: 'Acme Ltd'}]->()`)
}
