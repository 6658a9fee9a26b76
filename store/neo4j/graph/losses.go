package graph

import (
	"slices"
	"strings"

	"tenure"
	"tenure/queries"
	"tenure/store/engine"
)

// loss is what a claim lost in a window of valid time, by which rule, and to whom.
type loss struct {
	edge   queries.Edge
	by     tenure.ID
	window tenure.Window
}

// lossesIn returns what the claim lost, in the order of its segments.
func lossesIn(s tenure.Standing) []loss {
	var list []loss
	for _, g := range s.Segments {
		if e := queries.Edges[g.Cause]; e.Type != "" && g.By != "" && !g.Empty() {
			list = append(list, loss{e, g.By, g.Window})
		}
	}
	return list
}

// LossVersion is what a claim lost according to its standing from a transaction time on.
type LossVersion struct {
	Tx     int64
	losses []loss
}

// ReadLosses reads what a stored standing says; it returns false for a text that is none.
func ReadLosses(stored string) (v LossVersion, ok bool, err error) {
	if v.Tx, _, ok = Unstamp(stored); ok {
		v.losses, err = lossesBefore(stored)
	}
	return v, ok, err
}

// putLosses adds the next version; of two with the same time the second replaces the first.
func putLosses(list []LossVersion, tx int64, s tenure.Standing) []LossVersion {
	v := LossVersion{tx, lossesIn(s)}
	if n := len(list); n > 0 && list[n-1].Tx == tx {
		list[n-1] = v
		return list
	}
	return append(list, v)
}

// lossSpan is a loss with the window of transaction time in which the standing said so.
type lossSpan struct {
	loss
	from, until int64
}

// lossSpans returns the edges that versions add, and of those that are open before the first version the ones that
// they close. A loss that the next version repeats goes on.
func lossSpans(before []loss, versions []LossVersion) (added, closed []lossSpan) {
	const stored = -1
	since := map[loss]int64{}
	open := before
	for _, l := range open {
		since[l] = stored
	}
	end := func(l loss, until int64) {
		span := lossSpan{l, since[l], until}
		switch {
		case span.from != stored:
			added = append(added, span)
		case until != Forever:
			closed = append(closed, span)
		}
		delete(since, l)
	}
	for _, v := range versions {
		still := map[loss]bool{}
		for _, l := range v.losses {
			still[l] = true
		}
		for _, l := range open {
			if !still[l] {
				end(l, v.Tx)
			}
		}
		open = v.losses
		for _, l := range open {
			if _, have := since[l]; !have {
				since[l] = v.Tx
			}
		}
	}
	for _, l := range open {
		if _, have := since[l]; have {
			end(l, Forever)
		}
	}
	return added, closed
}

// LossRows are the rows of the statement that closes and adds the edges of displacements.
type LossRows struct{ Closed, Untied, Superseded, Overridden, Tied []any }

// Draw adds the edges of a belief by all of its standings, oldest first.
func (r *LossRows) Draw(tenant string, loser tenure.ID, versions []LossVersion) {
	r.add(tenant, loser, nil, versions)
}

// add adds the edges that versions add, and closes those of before. A tie is an edge from the lesser id to the greater
// one; both sides may say it.
func (r *LossRows) add(tenant string, loser tenure.ID, before []loss, versions []LossVersion) {
	added, closed := lossSpans(before, versions)
	row := func(s lossSpan) props {
		set := props{
			"tenant": tenant, "valid_from": int64(s.window.From), "valid_until": int64(s.window.Until),
			"tx_start": s.from, "tx_end": s.until,
		}
		withTimes(set, "valid_from", "valid_until", "tx_start", "tx_end")
		return props{
			"by": string(s.by), "loser": string(loser), "rule": s.edge.Rule, "set": set,
			"least": string(min(s.by, loser)), "greatest": string(max(s.by, loser)),
		}
	}
	for _, s := range closed {
		if s.edge.Type == queries.Contradicts {
			r.Untied = append(r.Untied, row(s))
		} else {
			r.Closed = append(r.Closed, row(s))
		}
	}
	for _, s := range added {
		one := row(s)
		switch s.edge.Type {
		case queries.Supersedes:
			one["set"].(props)["rule"] = s.edge.Rule
			r.Superseded = append(r.Superseded, one)
		case queries.Overrides:
			one["set"].(props)["rule"] = s.edge.Rule
			r.Overridden = append(r.Overridden, one)
		case queries.Contradicts:
			r.Tied = append(r.Tied, one)
		}
	}
}

// linking are the parts of the statement that closes and adds edges, each with the rows that it takes. An edge between
// two that tie lists the beliefs whose standing says so in sides, and is closed with the last of them.
var linking = []struct{ rows, cypher string }{
	{"closed", `CALL () {
  UNWIND $closed AS r
  MATCH (b:Belief {tenant: $tenant, id: r.loser})<-[x:SUPERSEDES|OVERRIDES]-(w)
  WHERE x.tx_end = $forever AND x.rule = r.rule AND w.id = r.by
    AND x.valid_from = r.set.valid_from AND x.valid_until = r.set.valid_until
  SET x.tx_end = r.set.tx_end, x.tx_end_time = r.set.tx_end_time
}`},
	{"untied", `CALL () {
  UNWIND $untied AS r
  MATCH (b:Belief {tenant: $tenant, id: r.least})-[x:CONTRADICTS]->(c:Belief {tenant: $tenant, id: r.greatest})
  WHERE x.tx_end = $forever AND r.loser IN x.sides
    AND x.valid_from = r.set.valid_from AND x.valid_until = r.set.valid_until
  SET x.sides = [s IN x.sides WHERE s <> r.loser]
  FOREACH (_ IN CASE WHEN x.sides = [] THEN [1] ELSE [] END |
    SET x.tx_end = r.set.tx_end, x.tx_end_time = r.set.tx_end_time)
}`},
	{"superseded", `CALL () {
  UNWIND $superseded AS r
  MATCH (w:Belief {tenant: $tenant, id: r.by})
  MATCH (b:Belief {tenant: $tenant, id: r.loser})
  CREATE (w)-[x:SUPERSEDES]->(b) SET x = r.set
}`},
	{"overridden", `CALL () {
  UNWIND $overridden AS r
  MATCH (w:Amendment {tenant: $tenant, id: r.by})
  MATCH (b:Belief {tenant: $tenant, id: r.loser})
  CREATE (w)-[x:OVERRIDES]->(b) SET x = r.set
}`},
	{"tied", `CALL () {
  UNWIND $tied AS r
  MATCH (b:Belief {tenant: $tenant, id: r.least})
  MATCH (c:Belief {tenant: $tenant, id: r.greatest})
  MERGE (b)-[x:CONTRADICTS {valid_from: r.set.valid_from, valid_until: r.set.valid_until, tx_end: r.set.tx_end}]->(c)
  ON CREATE SET x = r.set, x.sides = [r.loser]
  ON MATCH SET x.sides = [s IN x.sides WHERE s <> r.loser] + r.loser
}`},
}

// Statement returns the parts that have rows, and their parameters. Without any it is "".
func (r *LossRows) Statement() (string, map[string]any) {
	rows := map[string][]any{
		"closed": r.Closed, "untied": r.Untied, "superseded": r.Superseded, "overridden": r.Overridden, "tied": r.Tied,
	}
	var parts []string
	params := props{}
	for _, l := range linking {
		if len(rows[l.rows]) > 0 {
			parts = append(parts, l.cypher+"\n")
			params[l.rows] = rows[l.rows]
		}
	}
	return strings.Join(parts, ""), params
}

// Lost returns the statement that closes and adds the edges of the batch's standings, "" without any, and its
// parameters. Before holds, by belief, the JSON of the standing that the first one replaces, as far as either has a
// loss.
func (b *Batch) Lost(before map[tenure.ID]string) (string, map[string]any, error) {
	var rows LossRows
	for _, id := range b.judged {
		was, err := lossesBefore(before[id])
		if err != nil {
			return "", nil, err
		}
		rows.add(b.tenant, id, was, b.losses[id])
	}
	statement, params := rows.Statement()
	return statement, params, nil
}

// Loses reports whether a standing of the batch has a loss of the belief.
func (b *Batch) Loses(id tenure.ID) bool {
	return slices.ContainsFunc(b.losses[id], func(v LossVersion) bool { return len(v.losses) > 0 })
}

// lossesBefore reads a stored standing; "" and that of a claim without one have no losses.
func lossesBefore(stored string) ([]loss, error) {
	_, body, ok := Unstamp(stored)
	if !ok || body == "null" {
		return nil, nil
	}
	var s tenure.Standing
	if err := engine.Decode(body, &s); err != nil {
		return nil, err
	}
	return lossesIn(s), nil
}
