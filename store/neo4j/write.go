package neo4j

import (
	"context"
	"fmt"
	"maps"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
	"tenure/tracing"
)

// takeLock takes a tenant's lock, which is held until the transaction ends. It must be a statement of its
// own, so that what it returns is read under the lock.
const takeLock = `MERGE (t:Tenant {name: $tenant})
ON CREATE SET t.seq = 0, t.last_tx = 0, t.head_hash = ''
SET t.locked = true, t.salt = coalesce(t.salt, $salt)
RETURN t.seq, t.last_tx, t.head_hash, t.salt, coalesce(t.salted, 0)`

// putVersions puts the next versions of things of a label. It returns the ids of the things that existed
// before, and whether their name was another.
const putVersions = `UNWIND $rows AS r
MERGE (n:%[1]s {tenant: $tenant, id: r.id})
WITH n, r, n.version_tx AS before, coalesce(n.name, '') <> coalesce(r.set.name, '') AS renamed
FOREACH (_ IN CASE WHEN before IS NULL THEN [] ELSE [1] END |
  CREATE (n)-[:WAS]->(w:%[1]sVersion)
  SET w = properties(n), w.tx_start = before, w.tx_end = r.first, w.version_tx = null)
FOREACH (v IN r.past |
  CREATE (n)-[:WAS]->(w:%[1]sVersion) SET w = v, w.tenant = $tenant, w.id = r.id)
SET n += r.set, n.tx_start = coalesce(n.tx_start, r.first), n.version_tx = r.tx%[2]s
WITH r, before, renamed WHERE before IS NOT NULL
RETURN r.id, renamed`

// labelType replaces the label of an entity's type. An entity's other label is Entity.
const labelType = `
WITH n, r, before, renamed, [l IN labels(n) WHERE l <> 'Entity' AND NOT l IN r.labels] AS others
REMOVE n:$(others)
SET n:$(r.labels)`

var (
	putEntities          = fmt.Sprintf(putVersions, "Entity", labelType)
	putIdentityDecisions = fmt.Sprintf(putVersions, "IdentityDecision", "")
	putReviews           = fmt.Sprintf(putVersions, "Review", "")
	putCases             = fmt.Sprintf(putVersions, "QuarantineCase", "")
	putVocabularies      = fmt.Sprintf(putVersions, "Vocabulary", "")
	putTerms             = fmt.Sprintf(putVersions, "Term", "")
)

// setMention and setBelief are shared by the statements that write observations and by those that add to
// existing observations.
const (
	setMention = `SET n = m.set
  WITH n, m WHERE m.entity IS NOT NULL
  MERGE (e:Entity {tenant: $tenant, id: m.entity})
  CREATE (n)-[a:ASSIGNED]->(e) SET a = m.assigned`
	setBelief = `SET b = c.set
  FOREACH (_ IN CASE WHEN c.current THEN [1] ELSE [] END | SET b:Current)
  FOREACH (_ IN CASE WHEN c.contested THEN [1] ELSE [] END | SET b:WasContested)
  FOREACH (_ IN CASE WHEN c.relation THEN [1] ELSE [] END | SET b:Relation)
  FOREACH (_ IN CASE WHEN c.remark THEN [1] ELSE [] END | SET b:Remark)
  FOREACH (_ IN CASE WHEN c.directive THEN [1] ELSE [] END | SET b:Directive)
  FOREACH (v IN c.past |
    CREATE (b)-[:STOOD]->(s:Standing) SET s = v, s.tenant = $tenant, s.belief = b.id)
  WITH b, c
  MATCH (e:Entity {tenant: $tenant, id: c.subject})
  CREATE (b)-[:ABOUT]->(e)`
)

const addObservations = `UNWIND $rows AS r
CREATE (o:Observation) SET o = r.set
WITH o, r
CALL (o, r) {
  UNWIND r.mentions AS m
  CREATE (o)-[:MENTIONS]->(n:Mention)
  ` + setMention + `
}
CALL (o, r) {
  UNWIND r.claims AS c
  CREATE (o)-[:ASSERTS]->(b:Belief)
  ` + setBelief + `
}`

// addProposals, like addAliases, creates a bare node for an entity that does not exist yet.
const addProposals = `UNWIND $rows AS r
MATCH (o:Observation {tenant: $tenant, id: r.set.observation})
MERGE (e:Entity {tenant: $tenant, id: r.set.entity})
MERGE (o)-[x:PROPOSES {entity: r.set.entity}]->(e)
SET x = r.set`

const addMentions = `UNWIND $rows AS m
CREATE (n:Mention)
WITH n, m
CALL (n, m) {
  MATCH (o:Observation {tenant: $tenant, id: m.observation})
  CREATE (o)-[:MENTIONS]->(n)
}
` + setMention

const addClaims = `UNWIND $rows AS c
CREATE (b:Belief)
WITH b, c
CALL (b, c) {
  MATCH (o:Observation {tenant: $tenant, id: c.observation})
  CREATE (o)-[:ASSERTS]->(b)
}
` + setBelief

// assignMentions puts the next assignment of mentions. A mention must occur once in the rows.
const assignMentions = `UNWIND $rows AS r
MATCH (m:Mention {tenant: $tenant, id: r.id})
MERGE (e:Entity {tenant: $tenant, id: r.entity})
WITH m, e, r
CALL (m, r) {
  MATCH (m)-[a:ASSIGNED]->(:Entity) WHERE a.tx_end = $forever SET a.tx_end = r.tx
}
CREATE (m)-[n:ASSIGNED]->(e) SET n = r.set`

const addRelations = `UNWIND $rows AS r
MATCH (b:Belief {tenant: $tenant, id: r.id})
MATCH (e:Entity {tenant: $tenant, id: r.object})
CREATE (b)-[:VALUE]->(e)
SET b.value = ` + nameOf

// createRel creates an edge from s to o for each span of valid time in which the relation b stands.
var createRel = `UNWIND range(1, size(b.stands) - 2, 2) AS i
WITH b, s, o, b.stands[i] AS since, b.stands[i + 1] AS until
CREATE (s)-[:REL {tenant: b.tenant, belief: b.id, predicate: coalesce(b.held, b.predicate), value: b.value,
  valid_from: since, valid_until: until, tx_start: b.standing_tx,
  valid_from_time: ` + graph.TimeOf("since") + `,
  valid_until_time: ` + graph.TimeOf("until") + `}]->(o)`

// linkCurrent creates the edges between two entities for each relation that stands.
var linkCurrent = `UNWIND $rows AS r
MATCH (b:Belief {tenant: $tenant, id: r.id}) WHERE b:Current
MATCH (b)-[:ABOUT]->(s:Entity)
MATCH (b)-[:VALUE]->(o:Entity)
` + createRel

const unlinkCurrent = `UNWIND $rows AS r
MATCH (:Entity)-[x:REL]->(:Entity) WHERE x.tenant = $tenant AND x.belief = r.id
DELETE x`

const (
	addNames = `UNWIND $rows AS r
MATCH (a:Belief {tenant: $tenant, id: r.from})
MATCH (b:Belief {tenant: $tenant, id: r.to})
CREATE (a)-[:NAMES]->(b)`
	addDepends = `UNWIND $rows AS r
MATCH (a:Belief {tenant: $tenant, id: r.from})
MATCH (b:Belief {tenant: $tenant, id: r.to})
CREATE (a)-[:DEPENDS_ON]->(b)`
)

// putStandings puts the next standing of existing beliefs. It returns the relations among them that stand in
// other spans than before (turned), and the standing before where that or the next one has a loss.
const putStandings = `UNWIND $rows AS r
MATCH (b:Belief {tenant: $tenant, id: r.id})
CREATE (b)-[:STOOD]->(s:Standing {tenant: $tenant, belief: r.id, standing: b.standing, stands: b.stands,
  status: b.status, contested: b.contested, tx_start: b.standing_tx, tx_end: r.first})
FOREACH (v IN r.past |
  CREATE (b)-[:STOOD]->(w:Standing) SET w = v, w.tenant = $tenant, w.belief = r.id)
WITH b, r, size(b.stands) > 1 AS was, size(r.set.stands) > 1 AS is, b.stands[1..] <> r.set.stands[1..] AS turned,
  CASE WHEN r.lost OR b.standing CONTAINS '"by":' THEN b.standing END AS before
SET b += r.set,
  b.tx_end = CASE WHEN is THEN $forever WHEN was THEN r.tx ELSE b.tx_end END
FOREACH (_ IN CASE WHEN is AND NOT was THEN [1] ELSE [] END | SET b:Current)
FOREACH (_ IN CASE WHEN was AND NOT is THEN [1] ELSE [] END | REMOVE b:Current)
FOREACH (_ IN CASE WHEN r.contested THEN [1] ELSE [] END | SET b:WasContested)
WITH b, turned AND b.object IS NOT NULL AS turned, before WHERE turned OR before IS NOT NULL
RETURN b.id, turned, before`

const addAmendments = `UNWIND $rows AS r
MATCH (b:Belief {tenant: $tenant, id: r.belief})
CREATE (a:Amendment)-[:AMENDS]->(b) SET a = r.set`

const linkUndone = `UNWIND $rows AS r
MATCH (a:Amendment {tenant: $tenant, id: r.from})
MATCH (o:Amendment {tenant: $tenant, id: r.to})
CREATE (a)-[:UNDOES]->(o)`

// linkHeld replaces the edges from cases to the beliefs that they hold.
const linkHeld = `UNWIND $rows AS r
MATCH (c:QuarantineCase {tenant: $tenant, id: r.id})
CALL (c, r) {
  MATCH (c)-[h:HOLDS]->(b:Belief) WHERE NOT b.id IN r.set.holds DELETE h
}
CALL (c, r) {
  UNWIND r.set.holds AS id
  MATCH (b:Belief {tenant: $tenant, id: id})
  MERGE (c)-[:HOLDS]->(b)
}`

// addEntries appends to the log and advances the tenant. The first entity that an entry touches is a property
// of the entry's node.
const addEntries = `MATCH (t:Tenant {name: $tenant})
SET t.seq = $seq, t.last_tx = $tx, t.head_hash = $hash
WITH t
UNWIND $rows AS r
CREATE (x:Entry:Touch) SET x = r.set
FOREACH (id IN r.others | CREATE (:Touch {tenant: $tenant, entity: id, seq: r.seq}))`

// txWriter runs the statements of one transaction.
type txWriter struct {
	tx     driver.ExplicitTransaction
	tenant string
	// salting hashes conflict keys, once the lock is taken.
	salting engine.Salting
	// edges are what the statement that writes the log also does, for the edges of displacements: one statement
	// less. edgeRows are its parameters.
	edges    string
	edgeRows args
}

// writeLog appends the entries of the batch to the log, of which last is the newest then.
func (w *txWriter) writeLog(ctx context.Context, b *graph.Batch, last engine.Head) error {
	params := args{"rows": b.Entries, "seq": int64(last.Seq), "tx": int64(last.Tx), "hash": last.Hash}
	maps.Copy(params, w.edgeRows)
	_, _, err := w.run(ctx, w.edges+addEntries, params)
	return err
}

func (w *txWriter) run(ctx context.Context, cypher string, params args) ([]row, driver.ResultSummary, error) {
	params["tenant"], params["forever"] = w.tenant, graph.Forever
	ctx, span := tracing.Statement(ctx, system, cypher)
	rows, summary, err := w.runOnce(ctx, cypher, params)
	span.End(failure(err))
	return rows, summary, err
}

func (w *txWriter) runOnce(ctx context.Context, cypher string, params args) ([]row, driver.ResultSummary, error) {
	text, all, err := asOneMap(cypher, params)
	if err != nil {
		return nil, nil, err
	}
	result, err := w.tx.Run(ctx, text, all)
	if err != nil {
		return nil, nil, err
	}
	records, err := result.Collect(ctx)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]row, len(records))
	for i, r := range records {
		rows[i] = r.Values
	}
	summary, err := result.Consume(ctx)
	return rows, summary, err
}

// each runs a statement over rows, unless there are none.
func (w *txWriter) each(ctx context.Context, cypher string, rows []any) ([]row, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	found, _, err := w.run(ctx, cypher, args{"rows": rows})
	return found, err
}

// add runs a statement that must create a given number of nodes or edges: fewer mean that the rows name a
// thing that does not exist.
func (w *txWriter) add(ctx context.Context, cypher string, rows []any, nodes, edges int) error {
	if len(rows) == 0 {
		return nil
	}
	_, summary, err := w.run(ctx, cypher, args{"rows": rows})
	if err != nil {
		return err
	}
	made := summary.Counters()
	if made.NodesCreated() < nodes || made.RelationshipsCreated() < edges {
		return &tenure.Error{
			Code: tenure.Internal, Message: "a change names something that is not there",
			Err: fmt.Errorf("%d nodes instead of %d, %d edges instead of %d: %s",
				made.NodesCreated(), nodes, made.RelationshipsCreated(), edges, cypher),
		}
	}
	return nil
}

// write writes everything in a batch except the log.
func (w *txWriter) write(ctx context.Context, b *graph.Batch) error {
	for _, part := range []func(context.Context, *graph.Batch) error{
		w.writeEntities, w.writeIdentityDecisions, w.writeObservations, w.writeBeliefs, w.writeStandings, w.writeMoves,
		w.writeWords, w.writeDocuments, w.erase,
	} {
		if err := part(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

func (w *txWriter) writeObservations(ctx context.Context, b *graph.Batch) error {
	if err := w.add(ctx, addObservations, b.Observations, nodesOf(b.Observations), 0); err != nil {
		return err
	}
	if _, err := w.each(ctx, addProposals, b.Proposals); err != nil {
		return err
	}
	if err := w.add(ctx, addMentions, b.Mentions, len(b.Mentions), 0); err != nil {
		return err
	}
	for _, rows := range rounds(b.Assignments) {
		if err := w.add(ctx, assignMentions, rows, 0, len(rows)); err != nil {
			return err
		}
	}
	return nil
}

// nodesOf counts observations with their mentions and claims.
func nodesOf(observations []any) int {
	n := len(observations)
	for _, o := range observations {
		n += len(o.(args)["mentions"].([]any)) + len(o.(args)["claims"].([]any))
	}
	return n
}

// rounds splits rows, in order, into parts in which no id occurs twice.
func rounds(rows []any) [][]any {
	var parts [][]any
	seen := map[any]int{}
	for _, r := range rows {
		id := r.(args)["id"]
		n := seen[id]
		seen[id]++
		if n == len(parts) {
			parts = append(parts, nil)
		}
		parts[n] = append(parts[n], r)
	}
	return parts
}

func (w *txWriter) writeBeliefs(ctx context.Context, b *graph.Batch) error {
	if err := w.add(ctx, addClaims, b.Claims, len(b.Claims), 0); err != nil {
		return err
	}
	if _, err := w.each(ctx, addRelations, b.Relations); err != nil {
		return err
	}
	if _, err := w.each(ctx, linkCurrent, b.Relations); err != nil {
		return err
	}
	if err := w.add(ctx, addNames, b.Names, 0, len(b.Names)); err != nil {
		return err
	}
	return w.add(ctx, addDepends, b.Depends, 0, len(b.Depends))
}

func (w *txWriter) writeStandings(ctx context.Context, b *graph.Batch) error {
	before, err := w.putStandings(ctx, b)
	if err != nil {
		return err
	}
	if err := w.add(ctx, addAmendments, b.Amendments, 0, len(b.Amendments)); err != nil {
		return err
	}
	if err := w.add(ctx, linkUndone, b.Undone, 0, len(b.Undone)); err != nil {
		return err
	}
	w.edges, w.edgeRows, err = b.Lost(before)
	return err
}

// putStandings puts the standings of existing beliefs, and returns what [putStandings] returns of the ones before.
func (w *txWriter) putStandings(ctx context.Context, b *graph.Batch) (map[tenure.ID]string, error) {
	if len(b.Standings.Rows) == 0 {
		return nil, nil
	}
	want := 0
	for _, r := range b.Standings.Rows {
		r := r.(args)
		want += 1 + len(r["past"].([]any))
		r["contested"] = r["set"].(args)["contested"]
		for _, p := range r["past"].([]any) {
			if p.(args)["contested"] == true {
				r["contested"] = true
			}
		}
		r["lost"] = b.Loses(tenure.ID(r["id"].(string)))
	}
	found, summary, err := w.run(ctx, putStandings, args{"rows": b.Standings.Rows})
	if err != nil {
		return nil, err
	}
	if summary.Counters().RelationshipsCreated() != want {
		return nil, tenure.Errorf(tenure.Internal, "a standing is of a claim that is not there")
	}
	before := map[tenure.ID]string{}
	var turned []any
	for _, r := range found {
		before[tenure.ID(r.text(0))] = r.text(2)
		if turns, _ := r[1].(bool); turns {
			turned = append(turned, args{"id": r[0]})
		}
	}
	return before, w.relink(ctx, turned)
}

// relink replaces the edges of relations.
func (w *txWriter) relink(ctx context.Context, rows []any) error {
	if _, err := w.each(ctx, unlinkCurrent, rows); err != nil {
		return err
	}
	_, err := w.each(ctx, linkCurrent, rows)
	return err
}

func (w *txWriter) writeWords(ctx context.Context, b *graph.Batch) error {
	if _, err := w.each(ctx, putCases, b.Cases.Rows); err != nil {
		return err
	}
	if _, err := w.each(ctx, linkHeld, b.Cases.Rows); err != nil {
		return err
	}
	if _, err := w.each(ctx, putVocabularies, b.Vocabularies.Rows); err != nil {
		return err
	}
	_, err := w.each(ctx, putTerms, b.Terms.Rows)
	return err
}
