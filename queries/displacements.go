package queries

var displacementQueries = []Query{
	{
		Name: "superseded", Description: "Who superseded whom: every displacement that holds, those of the latest claims first.",
		Columns: []Column{
			{"entity", Text}, {"predicate", Text}, {"winner", Text}, {"by", Text}, {"rule", Text}, {"loser", Text}, {"of", Text},
			{"from", Time}, {"until", Time}, {"belief", ID},
		},
		Cypher: `MATCH (w:Belief)-[x:SUPERSEDES]->(b:Belief)
WHERE x.tenant = $tenant AND x.tx_start > 0 AND x.tx_end = ` + open + `
MATCH (b)-[:ABOUT]->(e:Entity), (b)<-[:ASSERTS]-(o:Observation), (w)<-[:ASSERTS]-(p:Observation)
RETURN e.name AS entity, b.predicate AS predicate, w.value AS winner, p.speaker AS by, x.rule AS rule,
  b.value AS loser, o.speaker AS of, x.valid_from_time AS from, x.valid_until_time AS until, b.id AS belief
ORDER BY b.tx_start DESC, belief, from LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlNames + `
SELECT n.name, s.predicate, w.value, w.speaker, ` + sqlRule + `, s.value, s.speaker, s.since, s.until, s.id
FROM segments s JOIN claims w ON w.id = s.lost_to JOIN names n ON n.id = s.subject
WHERE cause IN ` + sqlDisplacing + ` AND s.since < s.until
ORDER BY s.tx DESC, s.id, s.since LIMIT :limit`,
	},
	{
		Name: "supersession_chain", Description: "What a belief displaced, what that had displaced, and so on.",
		Parameters: []Parameter{entity, predicate, at},
		Columns:    []Column{{"chain", Texts}, {"rules", Texts}},
		Cypher: members + `MATCH (e)<-[:ABOUT]-(b:Current {predicate: $predicate}) WHERE ` + standsAt + `
MATCH path = (b)-[x:SUPERSEDES*1..20]->(last:Belief)
WHERE all(s IN x WHERE s.tx_end = ` + open + `)
  AND NOT EXISTS { (last)-[more:SUPERSEDES]->(:Belief) WHERE more.tx_end = ` + open + ` }
RETURN [n IN nodes(path) | n.value] AS chain, [s IN x | s.rule] AS rules ORDER BY chain, rules LIMIT $limit`,
		Example: map[string]any{"entity": "Heron", "predicate": "order_database"},
	},
	{
		Name: "contested_slots", Description: "Where most was said against each other: the claims, values and displacements of a slot.",
		Parameters: []Parameter{least},
		Columns: []Column{
			{"entity", Text}, {"predicate", Text}, {"claims", Integer}, {"values", Integer}, {"lost", Integer},
		},
		Cypher: `MATCH (b:WasContested) WHERE b.tenant = $tenant AND b.id > ''
MATCH (b)-[:ABOUT]->(e:Entity)
WITH DISTINCT e, b.predicate AS predicate
MATCH (e)<-[:ABOUT]-(c:Belief {predicate: predicate})
OPTIONAL MATCH (c)<-[x:SUPERSEDES]-(:Belief) WHERE x.tx_end = ` + open + `
WITH e, predicate, count(DISTINCT c) AS claims, count(DISTINCT c.value) AS values, count(DISTINCT x) AS lost
WHERE claims >= $least
RETURN e.name AS entity, predicate, claims, values, lost ORDER BY claims DESC, entity, predicate LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `, ` + sqlNames + `
SELECT n.name, c.predicate, count(*) AS claims, count(DISTINCT c.value), sum((SELECT count(*)
    FROM json_each(c.standing, '$.segments') g JOIN claim w ON w.tenant = :tenant AND w.id = g.value ->> '$.by'
    WHERE g.value ->> '$.cause' IN ` + sqlDisplacing + `
      AND g.value ->> '$.from' < g.value ->> '$.until'))
FROM claims c JOIN names n ON n.id = c.subject
WHERE EXISTS (SELECT 1 FROM claims d JOIN standing s ON s.tenant = :tenant AND s.belief = d.id AND s.contested = 1
  WHERE d.subject = c.subject AND d.predicate = c.predicate)
GROUP BY c.subject, c.predicate HAVING count(*) >= :least
ORDER BY claims DESC, n.name, c.predicate LIMIT :limit`,
		Example: map[string]any{"least": 2},
	},
	{
		Name: "open_contradictions", Description: "Contradictions that wait for an answer, and who said what.",
		Columns: []Column{{"entity", Text}, {"predicate", Text}, {"speaker", Text}, {"value", Text}, {"case", ID}},
		Cypher: `MATCH (c:QuarantineCase)-[:HOLDS]->(b:Belief)
WHERE c.tenant = $tenant AND c.state = 'open' AND c.id > ''
MATCH (b)<-[:ASSERTS]-(o:Observation), (b)-[:ABOUT]->(e:Entity)
RETURN e.name AS entity, c.predicate AS predicate, o.speaker AS speaker, b.value AS value, c.id AS case
ORDER BY entity, predicate, case, value LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `, ` + sqlNames + `
SELECT n.name, c.predicate, c.speaker, c.value, q.id
FROM quarantine q, json_each(q.body, '$.holds') h JOIN claims c ON c.id = h.value JOIN names n ON n.id = c.subject
WHERE q.tenant = :tenant AND q.state = 'open' AND q.tx_end = ` + open + `
ORDER BY n.name, c.predicate, q.id, c.value LIMIT :limit`,
	},
	{
		Name: "contradictions", Description: "Pairs of claims that tie, and how long they have.",
		Columns: []Column{
			{"entity", Text}, {"predicate", Text}, {"one", Text}, {"by", Text}, {"other", Text}, {"of", Text}, {"recorded", Time},
		},
		Cypher: `MATCH (b:Belief)-[x:CONTRADICTS]->(c:Belief)
WHERE x.tenant = $tenant AND x.tx_start > 0 AND x.tx_end = ` + open + `
MATCH (b)-[:ABOUT]->(e:Entity), (b)<-[:ASSERTS]-(o:Observation), (c)<-[:ASSERTS]-(p:Observation)
RETURN e.name AS entity, b.predicate AS predicate, b.value AS one, o.speaker AS by, c.value AS other, p.speaker AS of,
  x.tx_start_time AS recorded
ORDER BY recorded, entity, predicate, one, other LIMIT $limit`,
	},
	{
		Name: "disputed", Description: "Everything that is disputed: it ties, or lost to a more trusted source.",
		Parameters: []Parameter{at},
		Columns:    []Column{{"entity", Text}, {"predicate", Text}, {"value", Text}, {"valid_from", Time}, {"belief", ID}},
		Cypher: `MATCH (b:WasContested)-[:ABOUT]->(e:Entity)
WHERE b.tenant = $tenant AND b.id > '' AND (
  EXISTS {
    (b)-[x:CONTRADICTS]-()
    WHERE b.id IN x.sides AND x.tx_end = ` + open + ` AND x.valid_from <= $at < x.valid_until
  } OR EXISTS {
    (b)<-[x:SUPERSEDES {rule: 'trust'}]-()
    WHERE x.tx_end = ` + open + ` AND x.valid_from <= $at < x.valid_until
  })
RETURN e.name AS entity, b.predicate AS predicate, b.value AS value, b.valid_from_time AS valid_from, b.id AS belief
ORDER BY entity, predicate, value, belief LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlNames + `
SELECT n.name, predicate, value, valid_from, s.id FROM segments s JOIN names n ON n.id = subject
WHERE cause IN ('tie', 'trust') AND since <= :at AND :at < until
ORDER BY n.name, predicate, value, s.id LIMIT :limit`,
	},
	{
		Name: "overridden_sources", Description: "Whose claims were displaced most often.",
		Parameters: []Parameter{least},
		Columns:    []Column{{"speaker", Text}, {"claims", Integer}, {"displaced", Integer}},
		Cypher: `MATCH (o:Observation)-[:ASSERTS]->(b:Belief) WHERE o.tenant = $tenant AND o.id > ''
WITH coalesce(o.speaker, o.origin) AS speaker, b,
  EXISTS { (b)<-[x:SUPERSEDES]-() WHERE x.tx_end = ` + open + ` } AS lost
WITH speaker, count(b) AS claims, sum(CASE WHEN lost THEN 1 ELSE 0 END) AS displaced WHERE displaced >= $least
RETURN speaker, claims, displaced ORDER BY displaced DESC, claims, speaker LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `
SELECT coalesce(c.speaker, c.origin) AS who, count(*) AS claims, sum(EXISTS (
    SELECT 1 FROM json_each(c.standing, '$.segments') g
    WHERE g.value ->> '$.cause' IN ` + sqlDisplacing + `
      AND g.value ->> '$.from' < g.value ->> '$.until')) AS displaced
FROM claims c GROUP BY who HAVING displaced >= :least ORDER BY displaced DESC, claims, who LIMIT :limit`,
	},
	{
		Name: "overrulers", Description: "Whose word displaced whose, and by which rule.",
		Columns: []Column{{"winner", Text}, {"loser", Text}, {"rule", Text}, {"displaced", Integer}},
		Cypher: `MATCH (w:Belief)-[x:SUPERSEDES]->(b:Belief)
WHERE x.tenant = $tenant AND x.tx_start > 0 AND x.tx_end = ` + open + `
MATCH (b)<-[:ASSERTS]-(o:Observation), (w)<-[:ASSERTS]-(p:Observation)
RETURN coalesce(p.speaker, p.origin) AS winner, coalesce(o.speaker, o.origin) AS loser, x.rule AS rule,
  count(x) AS displaced
ORDER BY displaced DESC, winner, loser, rule LIMIT $limit`,
	},
	{
		Name: "contradicted_predicates", Description: "The predicates whose claims are lost most often, and how many of their claims tie.",
		Columns: []Column{{"predicate", Text}, {"lost", Integer}, {"tied", Integer}},
		Cypher: `MATCH (b:WasContested) WHERE b.tenant = $tenant AND b.id > ''
WITH b.predicate AS predicate,
  COUNT { (b)<-[x:SUPERSEDES]-() WHERE x.tx_end = ` + open + ` AND NOT x.rule IN ['explicit', 'succession'] } AS lost,
  CASE WHEN EXISTS { (b)-[x:CONTRADICTS]-() WHERE b.id IN x.sides AND x.tx_end = ` + open + ` }
    THEN 1 ELSE 0 END AS ties
WITH predicate, sum(lost) AS lost, sum(ties) AS tied WHERE lost + tied > 0
RETURN predicate, lost, tied ORDER BY lost + tied DESC, predicate LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, counted AS (
  SELECT predicate, sum(cause IN ` + sqlDisplacing + ` AND NOT ` + sqlRule + ` IN ('explicit', 'succession')
    AND since < until) AS lost,
    count(DISTINCT CASE WHEN cause = 'tie' THEN id END) AS tied
  FROM segments GROUP BY predicate)
SELECT predicate, lost, tied FROM counted WHERE lost + tied > 0 ORDER BY lost + tied DESC, predicate LIMIT :limit`,
	},
	{
		Name: "amended", Description: "What people withdrew or ended, and every claim that fell by it.",
		Columns: []Column{
			{"kind", Text}, {"entity", Text}, {"predicate", Text}, {"value", Text}, {"from", Time}, {"until", Time},
			{"reason", Text}, {"belief", ID},
		},
		Cypher: `MATCH (a:Amendment)-[x:OVERRIDES]->(b:Belief)
WHERE a.tenant = $tenant AND a.id > '' AND x.tx_end = ` + open + `
MATCH (b)-[:ABOUT]->(e:Entity)
RETURN x.rule AS kind, e.name AS entity, b.predicate AS predicate, b.value AS value, x.valid_from_time AS from,
  x.valid_until_time AS until, a.reason AS reason, b.id AS belief
ORDER BY a.tx_start, belief, from LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlNames + `
SELECT s.cause, n.name, s.predicate, s.value, s.since, s.until, a.body ->> '$.reason', s.id
FROM segments s JOIN amendment a ON a.tenant = :tenant AND a.id = s.lost_to JOIN names n ON n.id = s.subject
WHERE s.since < s.until
ORDER BY a.tx, s.id, s.since LIMIT :limit`,
	},
}
