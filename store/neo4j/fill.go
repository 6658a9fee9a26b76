package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

// filledAtOnce bounds what one statement of migration 6 fills.
const filledAtOnce = 500

// formerNames gives the edges from a claim to what it names as superseded their own type. They had no rule.
const formerNames = `MATCH (a:Belief)-[x:SUPERSEDES]->(b:Belief) WHERE x.rule IS NULL WITH a, x, b LIMIT $limit
DELETE x CREATE (a)-[:NAMES]->(b) RETURN count(*)`

// drawGraph brings a graph of an earlier version to what migration 6 describes.
func (s *Store) drawGraph(ctx context.Context) error {
	if err := s.repeat(ctx, formerNames); err != nil {
		return err
	}
	tenants, err := s.query(ctx, `MATCH (t:Tenant) RETURN t.name`, args{})
	if err != nil {
		return err
	}
	for _, t := range tenants {
		if err := s.drawTenant(ctx, t.text(0)); err != nil {
			return err
		}
	}
	return nil
}

// saidFilled fills the text by which a belief is found.
var saidFilled = filler{
	label: "Belief", columns: "n.id, n.body, n.value_json", write: []string{fmt.Sprintf(setFilled, "Belief")},
	compute: func(r row) (args, error) {
		c, err := graph.DecodeClaim(r.text(1), r.text(2))
		return args{"id": r.text(0), "set": args{"said": graph.OrNull(engine.SaidBy(c.Value))}}, err
	},
}

// placeFilled fills the place of the scope of a belief, and marks what was remarked.
var placeFilled = filler{
	label: "Belief", columns: "n.id, n.body, n.value_json", write: []string{
		fmt.Sprintf(setFilled, "Belief") + ` FOREACH (_ IN CASE WHEN r.remark THEN [1] ELSE [] END | SET n:Remark)`,
	},
	compute: func(r row) (args, error) {
		c, err := graph.DecodeClaim(r.text(1), r.text(2))
		return args{
			"id": r.text(0), "set": args{"place": engine.Place(c.Scope)}, "remark": c.Predicate == tenure.Remark,
		}, err
	},
}

// directiveFilled marks what directs.
var directiveFilled = filler{
	label: "Belief", columns: "n.id, n.body, n.value_json", write: []string{
		fmt.Sprintf(setFilled, "Belief") + ` FOREACH (_ IN CASE WHEN r.directive THEN [1] ELSE [] END | SET n:Directive)`,
	},
	compute: func(r row) (args, error) {
		c, err := graph.DecodeClaim(r.text(1), r.text(2))
		return args{"id": r.text(0), "set": args{}, "directive": c.Directs()}, err
	},
}

// markDirectives brings the beliefs of an earlier version to what migration 18 describes.
func (s *Store) markDirectives(ctx context.Context) error { return s.fillEach(ctx, directiveFilled) }

// placeTexts brings the beliefs of an earlier version to what migration 10 describes.
func (s *Store) placeTexts(ctx context.Context) error { return s.fillEach(ctx, saidFilled) }

// placeScopes brings the beliefs of an earlier version to what migration 11 describes.
func (s *Store) placeScopes(ctx context.Context) error { return s.fillEach(ctx, placeFilled) }

// proposalsFilled draws the edges from an observation to the entities of which it proposes a change.
var proposalsFilled = filler{
	label: "Observation", where: "n.proposes IS NOT NULL", columns: "n.id, n.body, n.tx_start, n.tenant",
	compute: func(r row) (args, error) {
		var o tenure.Observation
		err := engine.Decode(r.text(1), &o)
		return args{"edges": graph.Proposals(r.text(3), o, r.number(2))}, err
	},
	write: []string{`UNWIND $rows AS of UNWIND of.edges AS r` + strings.TrimPrefix(addProposals, `UNWIND $rows AS r`)},
}

// drawProposals brings the observations of an earlier version to what migration 15 describes.
func (s *Store) drawProposals(ctx context.Context) error { return s.fillEach(ctx, proposalsFilled) }

// fillEach fills the nodes of every tenant.
func (s *Store) fillEach(ctx context.Context, f filler) error {
	tenants, err := s.query(ctx, `MATCH (t:Tenant) RETURN t.name`, args{})
	if err != nil {
		return err
	}
	for _, t := range tenants {
		if err := s.fill(ctx, t.text(0), f); err != nil {
			return fmt.Errorf("%s of %s: %w", f.label, t.text(0), err)
		}
	}
	return nil
}

func (s *Store) drawTenant(ctx context.Context, tenant string) error {
	for _, f := range fillers {
		if err := s.fill(ctx, tenant, f); err != nil {
			return fmt.Errorf("%s of %s: %w", f.label, tenant, err)
		}
	}
	return nil
}

// filler computes from the columns of each node of a label, of those that a condition is true of if there is one, in
// pages, what the write statement takes.
type filler struct {
	label   string
	where   string
	columns string
	compute func(r row) (args, error)
	write   []string
}

const setFilled = `UNWIND $rows AS r MATCH (n:%s {tenant: $tenant, id: r.id}) SET n += r.set`

// timesOf returns the filler of native times, and of one text that the body has.
func timesOf(label, text string, names ...string) filler {
	return filler{
		label: label, columns: "n.id, n.body, [n." + strings.Join(names, ", n.") + "]",
		write: []string{fmt.Sprintf(setFilled, label)},
		compute: func(r row) (args, error) {
			set := args{}
			for i, name := range names {
				set[name+"_time"] = graph.NativeTime(r.list(2)[i])
			}
			if text != "" {
				body := map[string]any{}
				if err := engine.Decode(r.text(1), &body); err != nil {
					return nil, err
				}
				set[text] = body[text]
			}
			return args{"id": r.text(0), "set": set}, nil
		},
	}
}

var fillers = []filler{
	timesOf("Observation", "text", "observed_at", "tx_start"),
	timesOf("Amendment", "reason", "at", "tx_start"),
	timesOf("IdentityDecision", "", "at"),
	timesOf("Review", "", "opened_at"),
	timesOf("Entry", "", "tx"),
	{
		label: "Entity", columns: "n.id, coalesce(n.type, '')",
		compute: func(r row) (args, error) {
			return args{"id": r.text(0), "set": args{"type": r.text(1)}}, nil
		},
		write: []string{`UNWIND $rows AS r
MATCH (n:Entity {tenant: $tenant, id: r.id})
WITH n, r, null AS before, false AS renamed` + labelType, `UNWIND $rows AS r
MATCH (:Entity {tenant: $tenant, id: r.id})-[m:MERGED_INTO]->(:Entity)
SET m.tx_start_time = ` + graph.TimeOf("m.tx_start") + `, m.tx_end_time = ` + graph.TimeOf("m.tx_end")},
	},
	{
		label:   "Belief",
		columns: "n.id, [n.valid_from, n.valid_until, n.tx_start], [(n)-[:STOOD]->(s:Standing) | s.standing] + n.standing",
		compute: beliefFilled,
		write: []string{`UNWIND $rows AS r
MATCH (n:Belief {tenant: $tenant, id: r.id})
SET n += r.set
WITH n
CALL (n) {
  MATCH (n)<-[x:SUPERSEDES|OVERRIDES]-() DELETE x
}
CALL (n) {
  MATCH (n)-[:VALUE]->(e:Entity) SET n.value = ` + nameOf + `
}`, unlinkCurrent, linkCurrent},
	},
}

// beliefFilled computes the times of a belief and the versions of its losses, oldest first.
func beliefFilled(r row) (args, error) {
	set := args{}
	for i, name := range []string{"valid_from", "valid_until", "tx_start"} {
		set[name+"_time"] = graph.NativeTime(r.list(1)[i])
	}
	var versions []graph.LossVersion
	for _, stored := range r.list(2) {
		text, _ := stored.(string)
		v, ok, err := graph.ReadLosses(text)
		if err != nil {
			return nil, err
		}
		if ok {
			versions = append(versions, v)
		}
	}
	slices.SortFunc(versions, func(a, b graph.LossVersion) int { return cmp.Compare(a.Tx, b.Tx) })
	return args{"id": r.text(0), "set": set, "versions": versions}, nil
}

// fill pages through the nodes of a label. It may be run again.
func (s *Store) fill(ctx context.Context, tenant string, f filler) error {
	page := fmt.Sprintf(`MATCH (n:%[1]s) USING INDEX n:%[1]s(tenant, id)
WHERE n.tenant = $tenant AND n.id > $after AND %[3]s
WITH n ORDER BY n.tenant, n.id LIMIT $limit
RETURN %[2]s`, f.label, f.columns, cmp.Or(f.where, "true"))
	for after := ""; ; {
		found, err := s.query(ctx, page, args{"tenant": tenant, "after": after, "limit": filledAtOnce})
		if err != nil || len(found) == 0 {
			return err
		}
		rows := make([]any, len(found))
		var lost graph.LossRows
		for i, r := range found {
			one, err := f.compute(r)
			if err != nil {
				return err
			}
			if versions, ok := one["versions"].([]graph.LossVersion); ok {
				lost.Draw(tenant, tenure.ID(r.text(0)), versions)
				delete(one, "versions")
			}
			rows[i] = one
			after = max(after, r.text(0))
		}
		if err := s.writeFilled(ctx, tenant, f, rows, lost); err != nil {
			return err
		}
	}
}

func (s *Store) writeFilled(ctx context.Context, tenant string, f filler, rows []any, lost graph.LossRows) error {
	if f.label == "Entity" {
		s.labels.Add(rows)
	}
	for _, statement := range f.write {
		if _, err := s.execute(ctx, statement, args{"tenant": tenant, "rows": rows, "forever": graph.Forever}); err != nil {
			return err
		}
	}
	statement, params := lost.Statement()
	if statement == "" {
		return nil
	}
	params["tenant"], params["forever"] = tenant, graph.Forever
	_, err := s.execute(ctx, statement, params)
	return err
}
