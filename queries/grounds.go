package queries

var groundQueries = []Query{
	{
		Name: "rests_on", Description: "What rests on a belief, directly or by what rests on it.",
		Parameters: []Parameter{belief},
		Columns: []Column{
			{"steps", Integer}, {"entity", Text}, {"predicate", Text}, {"value", Text}, {"needs_review", Boolean}, {"belief", ID},
		},
		Cypher: `MATCH (g:Belief {tenant: $tenant, id: $belief}) USING INDEX SEEK g:Belief(tenant, id)
MATCH path = (g)<-[:DEPENDS_ON*1..20]-(b:Belief)
WITH b, min(length(path)) AS steps
MATCH (b)-[:ABOUT]->(e:Entity)
RETURN steps, e.name AS entity, b.predicate AS predicate, b.value AS value,
  coalesce(b.needs_review, false) AS needs_review, b.id AS belief
ORDER BY steps, entity, predicate, belief LIMIT $limit`,
		SQL: `WITH RECURSIVE ` + sqlClaims + `, ` + sqlNames + `, resting(id, steps) AS (
  SELECT :belief, 0
  UNION
  SELECT l.source, r.steps + 1 FROM resting r JOIN link l ON l.tenant = :tenant AND l.kind = 2 AND l.target = r.id
  WHERE r.steps < 20)
SELECT min(r.steps) AS least, n.name, c.predicate, c.value, coalesce(c.standing ->> '$.needs_review', 0), c.id
FROM resting r JOIN claims c ON c.id = r.id JOIN names n ON n.id = c.subject
WHERE r.steps > 0 GROUP BY c.id ORDER BY least, n.name, c.predicate, c.id LIMIT :limit`,
		Example: map[string]any{"belief": "…"},
	},
	{
		Name: "orphaned_grounds", Description: "What was concluded from something that no longer stands, and from what.",
		Columns: []Column{
			{"entity", Text}, {"predicate", Text}, {"value", Text}, {"ground", Text}, {"ground_value", Text}, {"belief", ID},
		},
		Cypher: `MATCH (b:Belief)-[:DEPENDS_ON]->(g:Belief)
WHERE b.tenant = $tenant AND b.id > '' AND b.needs_review
  AND EXISTS { (g)<-[x:SUPERSEDES|OVERRIDES]-() WHERE x.tx_end = ` + open + ` }
MATCH (b)-[:ABOUT]->(e:Entity)
RETURN e.name AS entity, b.predicate AS predicate, b.value AS value, g.predicate AS ground, g.value AS ground_value,
  b.id AS belief
ORDER BY entity, predicate, belief, ground_value LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `, ` + sqlNames + `
SELECT n.name, c.predicate, c.value, g.predicate, g.value, c.id
FROM claims c JOIN json_each((SELECT b.body FROM claim b WHERE b.tenant = :tenant AND b.id = c.id), '$.depends_on') d
JOIN claims g ON g.id = d.value JOIN names n ON n.id = c.subject
WHERE c.standing ->> '$.needs_review' AND EXISTS (SELECT 1 FROM json_each(g.standing, '$.segments') s
  WHERE s.value ->> '$.by' IS NOT NULL AND s.value ->> '$.cause' IN ` + sqlLosing + `)
ORDER BY n.name, c.predicate, c.id, g.value LIMIT :limit`,
	},
	{
		Name: "co_mentioned", Description: "Whom the same observations mention, most often first.",
		Parameters: []Parameter{entity},
		Columns:    []Column{{"other", Text}, {"type", Text}, {"observations", Integer}, {"entity", ID}},
		Cypher: members + `MATCH (e)<-[a:ASSIGNED]-(:Mention)<-[:MENTIONS]-(o:Observation) WHERE a.tx_end = ` + open + `
MATCH (o)-[:MENTIONS]->(:Mention)-[c:ASSIGNED]->(other:Entity)
WHERE c.tx_end = ` + open + ` AND coalesce(other.merged_into, other.id) <> root
RETURN other.name AS other, other.type AS type, count(DISTINCT o) AS observations, other.id AS entity
ORDER BY observations DESC, other, entity LIMIT $limit`,
		SQL: `WITH ` + sqlMembers + `
SELECT e.body ->> '$.name' AS name, e.body ->> '$.type', count(DISTINCT m.observation) AS observations, e.id
FROM assignment a JOIN mention m ON m.tenant = a.tenant AND m.id = a.mention
JOIN mention k ON k.tenant = a.tenant AND k.observation = m.observation
JOIN assignment b ON b.tenant = a.tenant AND b.mention = k.id AND b.tx_end = ` + open + `
JOIN entity e ON e.tenant = a.tenant AND e.id = b.entity AND e.tx_end = ` + open + `
WHERE a.tenant = :tenant AND a.tx_end = ` + open + ` AND a.entity IN (SELECT id FROM members)
  AND e.id NOT IN (SELECT id FROM members)
GROUP BY e.id ORDER BY observations DESC, name, e.id LIMIT :limit`,
		Example: map[string]any{"entity": "Lena Brandt"},
	},
	{
		Name: "said_about", Description: "The texts that claims about an entity were made of, the latest first.",
		Parameters: []Parameter{entity},
		Columns:    []Column{{"said", Time}, {"speaker", Text}, {"text", Text}, {"observation", ID}},
		Cypher: members + `MATCH (e)<-[:ABOUT]-(:Belief)<-[:ASSERTS]-(o:Observation) WHERE o.text IS NOT NULL
WITH DISTINCT o
RETURN o.observed_at_time AS said, o.speaker AS speaker, o.text AS text, o.id AS observation
ORDER BY said DESC, observation LIMIT $limit`,
		SQL: `WITH ` + sqlMembers + `
SELECT DISTINCT o.body ->> '$.observed_at' AS said, o.body ->> '$.source.speaker', o.body ->> '$.text', o.id
FROM standing s JOIN claim c ON c.tenant = s.tenant AND c.id = s.belief
JOIN observation o ON o.tenant = s.tenant AND o.id = c.body ->> '$.observation'
WHERE s.tenant = :tenant AND s.tx_end = ` + open + ` AND s.subject IN (SELECT id FROM members)
  AND o.body ->> '$.text' IS NOT NULL
ORDER BY said DESC, o.id LIMIT :limit`,
		Example: map[string]any{"entity": "Lena Brandt"},
	},
}
