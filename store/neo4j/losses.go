package neo4j

import (
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

// lossVersion is what a claim lost according to its standing from a transaction time on.
type lossVersion struct {
	tx     int64
	losses []loss
}

// putLosses adds the next version; of two with the same time the second replaces the first.
func putLosses(list []lossVersion, tx int64, s tenure.Standing) []lossVersion {
	v := lossVersion{tx, lossesIn(s)}
	if n := len(list); n > 0 && list[n-1].tx == tx {
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
func lossSpans(before []loss, versions []lossVersion) (added, closed []lossSpan) {
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
		case until != forever:
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
				end(l, v.tx)
			}
		}
		open = v.losses
		for _, l := range open {
			if _, have := since[l]; !have {
				since[l] = v.tx
			}
		}
	}
	for _, l := range open {
		if _, have := since[l]; have {
			end(l, forever)
		}
	}
	return added, closed
}

// lossRows are the rows of [linkLosses].
type lossRows struct{ closed, untied, superseded, overridden, tied []any }

// add adds the edges of a belief. A tie is an edge from the lesser id to the greater one; both sides may say it.
func (r *lossRows) add(tenant string, loser tenure.ID, before []loss, versions []lossVersion) {
	added, closed := lossSpans(before, versions)
	row := func(s lossSpan) args {
		set := args{
			"tenant": tenant, "valid_from": int64(s.window.From), "valid_until": int64(s.window.Until),
			"tx_start": s.from, "tx_end": s.until,
		}
		withTimes(set, "valid_from", "valid_until", "tx_start", "tx_end")
		return args{
			"by": string(s.by), "loser": string(loser), "rule": s.edge.Rule, "set": set,
			"least": string(min(s.by, loser)), "greatest": string(max(s.by, loser)),
		}
	}
	for _, s := range closed {
		if s.edge.Type == queries.Contradicts {
			r.untied = append(r.untied, row(s))
		} else {
			r.closed = append(r.closed, row(s))
		}
	}
	for _, s := range added {
		one := row(s)
		switch s.edge.Type {
		case queries.Supersedes:
			one["set"].(args)["rule"] = s.edge.Rule
			r.superseded = append(r.superseded, one)
		case queries.Overrides:
			one["set"].(args)["rule"] = s.edge.Rule
			r.overridden = append(r.overridden, one)
		case queries.Contradicts:
			r.tied = append(r.tied, one)
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

// statement returns the parts that have rows, and their parameters. Without any it is "".
func (r *lossRows) statement() (string, args) {
	rows := map[string][]any{
		"closed": r.closed, "untied": r.untied, "superseded": r.superseded, "overridden": r.overridden, "tied": r.tied,
	}
	var parts []string
	params := args{}
	for _, l := range linking {
		if len(rows[l.rows]) > 0 {
			parts = append(parts, l.cypher+"\n")
			params[l.rows] = rows[l.rows]
		}
	}
	return strings.Join(parts, ""), params
}

// findLosses finds the edges of the batch's standings, which are written with the log. Before holds, by belief, the
// JSON of the standing that the first one replaces, as far as either has a loss.
func (w *txWriter) findLosses(b *batch, before map[tenure.ID]string) error {
	var rows lossRows
	for _, id := range b.judged {
		was, err := lossesBefore(before[id])
		if err != nil {
			return err
		}
		rows.add(b.tenant, id, was, b.losses[id])
	}
	w.edges, w.edgeRows = rows.statement()
	return nil
}

// lossesBefore reads a stored standing; "" and that of a claim without one have no losses.
func lossesBefore(stored string) ([]loss, error) {
	_, body, ok := unstamp(stored)
	if !ok || body == "null" {
		return nil, nil
	}
	var s tenure.Standing
	if err := engine.Decode(body, &s); err != nil {
		return nil, err
	}
	return lossesIn(s), nil
}
