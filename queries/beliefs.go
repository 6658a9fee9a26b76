package queries

var beliefQueries = []Query{
	{
		Name: "beliefs_of", Description: "What is believed of an entity.",
		Parameters: []Parameter{entity, at},
		Columns:    []Column{{"predicate", Text}, {"value", Text}, {"speaker", Text}, {"valid_from", Time}, {"belief", ID}},
		Cypher: members + `MATCH (e)<-[:ABOUT]-(b:Current)<-[:ASSERTS]-(o:Observation)
WHERE ` + standsAt + `
RETURN b.predicate AS predicate, b.value AS value, o.speaker AS speaker, b.valid_from_time AS valid_from, b.id AS belief
ORDER BY predicate, value, belief LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlMembers + `
SELECT predicate, value, speaker, valid_from, id FROM segments
WHERE subject IN (SELECT id FROM members) AND cause = 'stands' AND since <= :at AND :at < until
ORDER BY predicate, value, id LIMIT :limit`,
		Example: map[string]any{"entity": "Heron"},
	},
	{
		Name: "value_history", Description: "How a value of an entity changed: who said it, for when, and what it was lost to.",
		Parameters: []Parameter{entity, predicate},
		Columns: []Column{
			{"value", Text}, {"speaker", Text}, {"said", Time}, {"valid_from", Time}, {"rule", Text}, {"lost_to", Text},
			{"lost_from", Time}, {"belief", ID},
		},
		Cypher: members + `MATCH (e)<-[:ABOUT]-(b:Belief {predicate: $predicate})<-[:ASSERTS]-(o:Observation)
OPTIONAL MATCH (b)<-[x:SUPERSEDES|OVERRIDES]-(w) WHERE x.tx_end = ` + open + `
RETURN b.value AS value, o.speaker AS speaker, o.observed_at_time AS said, b.valid_from_time AS valid_from,
  x.rule AS rule, w.value AS lost_to, x.valid_from_time AS lost_from, b.id AS belief
ORDER BY b.valid_from, b.tx_start, belief, x.valid_from LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `, ` + sqlMembers + `,
lost AS (
  SELECT c.id, g.value ->> '$.cause' AS cause, g.value ->> '$.by' AS lost_to, g.value ->> '$.from' AS since
  FROM claims c, json_each(c.standing, '$.segments') g
  WHERE g.value ->> '$.by' IS NOT NULL AND g.value ->> '$.cause' IN ` + sqlLosing + `)
SELECT c.value, c.speaker, c.said, c.valid_from, ` + sqlRule + `, w.value, l.since, c.id
FROM claims c LEFT JOIN lost l ON l.id = c.id LEFT JOIN claims w ON w.id = l.lost_to
WHERE c.subject IN (SELECT id FROM members) AND c.predicate = :predicate
ORDER BY c.valid_from, c.tx, c.id, l.since LIMIT :limit`,
		Example: map[string]any{"entity": "Heron", "predicate": "order_database"},
	},
	{
		Name: "slot_timeline", Description: "The values of a predicate of an entity that stand, one after the other.",
		Parameters: []Parameter{entity, predicate},
		Columns:    []Column{{"value", Text}, {"from", Time}, {"until", Time}, {"speaker", Text}, {"belief", ID}},
		Cypher: members + `MATCH (e)<-[:ABOUT]-(b:Current {predicate: $predicate})<-[:ASSERTS]-(o:Observation)
UNWIND range(1, size(b.stands) - 2, 2) AS i
RETURN b.value AS value, b.stands[i] AS from, b.stands[i + 1] AS until, o.speaker AS speaker, b.id AS belief
ORDER BY from, until, belief LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlMembers + `
SELECT value, since, until, speaker, id FROM segments
WHERE subject IN (SELECT id FROM members) AND predicate = :predicate AND cause = 'stands'
ORDER BY since, until, id LIMIT :limit`,
		Example: map[string]any{"entity": "Lena Brandt", "predicate": "based_in"},
	},
	{
		Name: "beliefs_at", Description: "The values of a predicate that stand at an instant of the world, as it is known now.",
		Parameters: []Parameter{predicate, at},
		Columns:    []Column{{"entity", Text}, {"value", Text}, {"belief", ID}},
		Cypher: `MATCH (b:Belief)-[:ABOUT]->(e:Entity)
WHERE b.tenant = $tenant AND b.predicate = $predicate AND b.id > '' AND ` + standsAt + `
RETURN e.name AS entity, b.value AS value, b.id AS belief ORDER BY entity, value, belief LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlNames + `
SELECT n.name, value, s.id FROM segments s JOIN names n ON n.id = subject
WHERE predicate = :predicate AND cause = 'stands' AND since <= :at AND :at < until
ORDER BY n.name, value, s.id LIMIT :limit`,
		Example: map[string]any{"predicate": "based_in", "at": "2025-03-01T00:00:00Z"},
	},
	{
		Name: "beliefs_known", Description: "The values of a predicate that stood at an instant of the world, as it was known after a change set.",
		Parameters: []Parameter{predicate, at, {
			Name: "seq", Kind: Integer, Required: true, Least: 1, Most: 1 << 53, Description: "The number of the change set.",
		}},
		Columns: []Column{{"entity", Text}, {"value", Text}, {"belief", ID}},
		Cypher: `MATCH (entry:Entry {tenant: $tenant, seq: $seq})
MATCH (b:Belief)-[:ABOUT]->(e:Entity)
WHERE b.tenant = $tenant AND b.predicate = $predicate AND b.id > '' AND b.tx_start <= entry.tx
OPTIONAL MATCH (b)-[:STOOD]->(s:Standing) WHERE s.tx_start <= entry.tx < s.tx_end
WITH b, e, CASE WHEN b.standing_tx <= entry.tx THEN b.stands ELSE s.stands END AS v
WHERE any(i IN range(1, size(v) - 2, 2) WHERE v[i] <= $at < v[i + 1])
RETURN e.name AS entity, b.value AS value, b.id AS belief ORDER BY entity, value, belief LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `, ` + sqlNames + `
SELECT n.name, c.value, c.id
FROM log l JOIN standing s ON s.tenant = l.tenant AND s.tx_start <= l.tx AND l.tx < s.tx_end
JOIN claims c ON c.id = s.belief JOIN names n ON n.id = s.subject, json_each(s.body, '$.segments') g
WHERE l.tenant = :tenant AND l.seq = :seq AND c.predicate = :predicate AND g.value ->> '$.cause' = 'stands'
  AND g.value ->> '$.from' <= :at AND :at < g.value ->> '$.until'
ORDER BY n.name, c.value, c.id LIMIT :limit`,
		Example: map[string]any{"predicate": "based_in", "at": "2025-03-01T00:00:00Z", "seq": 8},
	},
	{
		Name: "beliefs_as_of", Description: "What was believed of an entity when it was known what the service knew at a time.",
		Parameters: []Parameter{entity, at, {
			Name: "known_at", Kind: Time, Description: "The instant of what was known. Default now.",
		}},
		Columns: []Column{{"predicate", Text}, {"value", Text}, {"belief", ID}},
		Cypher: members + `MATCH (e)<-[:ABOUT]-(b:Belief) WHERE b.tx_start <= $known_at
OPTIONAL MATCH (b)-[:STOOD]->(s:Standing) WHERE s.tx_start <= $known_at < s.tx_end
WITH b, CASE WHEN b.standing_tx <= $known_at THEN b.stands ELSE s.stands END AS v
WHERE any(i IN range(1, size(v) - 2, 2) WHERE v[i] <= $at < v[i + 1])
RETURN b.predicate AS predicate, b.value AS value, b.id AS belief ORDER BY predicate, value, belief LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `, ` + sqlMembers + `
SELECT c.predicate, c.value, c.id
FROM standing s JOIN claims c ON c.id = s.belief, json_each(s.body, '$.segments') g
WHERE s.tenant = :tenant AND s.subject IN (SELECT id FROM members) AND s.tx_start <= :known_at AND :known_at < s.tx_end
  AND g.value ->> '$.cause' = 'stands' AND g.value ->> '$.from' <= :at AND :at < g.value ->> '$.until'
ORDER BY c.predicate, c.value, c.id LIMIT :limit`,
		Example: map[string]any{"entity": "Lena Brandt", "at": "2025-03-01T00:00:00Z"},
	},
	{
		Name: "relations", Description: "Who is related to whom by a predicate.",
		Parameters: []Parameter{predicate, at},
		Columns:    []Column{{"from", Text}, {"to", Text}, {"belief", ID}},
		Cypher: `MATCH (a:Entity)-[r:REL]->(b:Entity)
WHERE r.tenant = $tenant AND r.predicate = $predicate AND r.valid_from <= $at < r.valid_until
RETURN a.name AS from, r.value AS to, r.belief AS belief ORDER BY from, to, belief LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlNames + `
SELECT n.name, value, s.id FROM segments s JOIN names n ON n.id = subject
WHERE object <> '' AND predicate = :predicate AND cause = 'stands' AND since <= :at AND :at < until
ORDER BY n.name, value, s.id LIMIT :limit`,
		Example: map[string]any{"predicate": "works_on"},
	},
	{
		Name: "relations_of", Description: "Everything that an entity is related to, in both directions.",
		Parameters: []Parameter{entity, at},
		Columns:    []Column{{"from", Text}, {"relation", Text}, {"to", Text}, {"belief", ID}},
		Cypher: members + `MATCH (e)-[r:REL]-(:Entity) WHERE r.valid_from <= $at < r.valid_until
RETURN DISTINCT startNode(r).name AS from, r.predicate AS relation, r.value AS to, r.belief AS belief
ORDER BY relation, from, to, belief LIMIT $limit`,
		SQL: `WITH ` + sqlSegments + `, ` + sqlNames + `, ` + sqlMembers + `
SELECT n.name, predicate, value, s.id FROM segments s JOIN names n ON n.id = subject
WHERE object <> '' AND (subject IN (SELECT id FROM members) OR object IN (SELECT id FROM members))
  AND cause = 'stands' AND since <= :at AND :at < until
ORDER BY predicate, n.name, value, s.id LIMIT :limit`,
		Example: map[string]any{"entity": "Heron", "at": "2025-02-01T00:00:00Z"},
	},
}
