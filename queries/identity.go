package queries

var identityQueries = []Query{
	{
		Name: "merged_into", Description: "What was merged into an entity, when, and whether it still is.",
		Parameters: []Parameter{entity},
		Columns:    []Column{{"entity", Text}, {"type", Text}, {"since", Time}, {"until", Time}, {"entity_id", ID}},
		Cypher: `MATCH (:Entity {tenant: $tenant, name: $entity})<-[m:MERGED_INTO]-(e:Entity)
RETURN e.name AS entity, e.type AS type, m.tx_start_time AS since, m.tx_end_time AS until, e.id AS entity_id
ORDER BY since, entity_id LIMIT $limit`,
		Example: map[string]any{"entity": "Lena Brandt"},
	},
	{
		Name: "merges", Description: "What was merged into what, and from when until when the service held it so.",
		Columns: []Column{{"entity", Text}, {"into", Text}, {"since", Time}, {"until", Time}},
		Cypher: `MATCH (a:Entity)-[m:MERGED_INTO]->(b:Entity) WHERE a.tenant = $tenant AND a.id > ''
RETURN a.name AS entity, b.name AS into, m.tx_start_time AS since, m.tx_end_time AS until
ORDER BY since, entity LIMIT $limit`,
	},
	{
		Name: "aliases_of", Description: "Every spelling and identifier of an entity, over all its members.",
		Parameters: []Parameter{entity},
		Columns:    []Column{{"member", Text}, {"kind", Text}, {"spelling", Text}},
		Cypher: members + `MATCH (e)-[h:HAS_ALIAS]->(a:Alias) WHERE coalesce(h.tx_end, ` + open + `) = ` + open + ` AND a.kind <> 'record'
RETURN DISTINCT e.name AS member, a.kind AS kind, h.spelling AS spelling ORDER BY member, kind, spelling LIMIT $limit`,
		SQL: `WITH ` + sqlMembers + `, ` + sqlNames + `
SELECT DISTINCT n.name, a.kind, a.body ->> '$.spelling' AS spelling
FROM members m JOIN names n ON n.id = m.id JOIN alias a ON a.tenant = :tenant AND a.entity = m.id
WHERE a.tx_end = ` + open + ` AND a.kind <> 'record'
ORDER BY n.name, a.kind, spelling LIMIT :limit`,
		Example: map[string]any{"entity": "Jonas Feld"},
	},
	{
		Name: "open_reviews", Description: "Open reviews with the names of their candidates, the oldest first.",
		Columns: []Column{{"name", Text}, {"reason", Text}, {"candidates", Texts}, {"best", Number}, {"review", ID}},
		Cypher: `MATCH (r:Review)-[x:ASKS_ABOUT {role: 'candidate'}]->(c:Entity)
WHERE r.tenant = $tenant AND r.state = 'open' AND r.id > '' AND x.tx_end = ` + open + `
WITH r, c, x ORDER BY x.score DESC
WITH r, collect(c.name) AS candidates, max(x.score) AS best
RETURN r.name AS name, r.reason AS reason, candidates, best, r.id AS review ORDER BY r.opened_at, review LIMIT $limit`,
	},
	{
		Name: "waiting_duplicates", Description: "Entities that stand in contexts as two, although a review asks whether they are one.",
		Columns: []Column{{"one", Text}, {"other", Text}, {"score", Number}, {"review", ID}},
		Cypher: `MATCH (r:Review) WHERE r.tenant = $tenant AND r.state = 'open' AND r.id > ''
MATCH (a:Entity {status: 'canonical'})<-[x:ASKS_ABOUT {role: 'entity'}]-(r)
  -[y:ASKS_ABOUT {role: 'candidate'}]->(b:Entity {status: 'canonical'})
WHERE x.tx_end = ` + open + ` AND y.tx_end = ` + open + `
RETURN a.name AS one, b.name AS other, y.score AS score, r.id AS review ORDER BY score DESC, one, other LIMIT $limit`,
	},
	{
		Name: "decisions_on", Description: "All identity decisions about an entity, undone or not.",
		Parameters: []Parameter{entity},
		Columns: []Column{
			{"decision", Text}, {"role", Text}, {"other", Text}, {"automatic", Boolean}, {"reason", Text}, {"undone", Boolean}, {"at", Time},
		},
		Cypher: `MATCH (e:Entity {tenant: $tenant, name: $entity})<-[j:CONCERNS]-(v:IdentityDecision)-[:CONCERNS]->(other:Entity)
WHERE other <> e
RETURN v.kind AS decision, j.role AS role, other.name AS other, v.automatic AS automatic, v.reason AS reason,
  v.undone AS undone, v.at_time AS at
ORDER BY at, other LIMIT $limit`,
		Example: map[string]any{"entity": "Lena Brandt"},
	},
	{
		Name: "doubtful_merges", Description: "Merges by re-resolution, the least certain first.",
		Columns: []Column{{"entity", Text}, {"into", Text}, {"reason", Text}, {"score", Number}, {"decision", ID}},
		Cypher: `MATCH (v:IdentityDecision {kind: 'merge', automatic: true, undone: false})
WHERE v.tenant = $tenant AND v.id > ''
MATCH (v)-[:CONCERNS {role: 'from'}]->(a:Entity), (v)-[:CONCERNS {role: 'into'}]->(b:Entity)
RETURN a.name AS entity, b.name AS into, v.reason AS reason, v.score AS score, v.id AS decision
ORDER BY score, decision LIMIT $limit`,
	},
	{
		Name: "spellings_of", Description: "The spellings that were assigned to an entity, and by which rule.",
		Parameters: []Parameter{entity},
		Columns:    []Column{{"name", Text}, {"decision", Text}, {"reason", Text}, {"score", Number}, {"mention", ID}},
		Cypher: members + `MATCH (e)<-[a:ASSIGNED]-(m:Mention) WHERE a.tx_end = ` + open + `
RETURN m.name AS name, a.decision AS decision, a.reason AS reason, a.score AS score, m.id AS mention
ORDER BY m.tx_start, mention LIMIT $limit`,
		Example: map[string]any{"entity": "Lena Brandt"},
	},
	{
		Name: "mentions_by_source", Description: "How much each kind of source mentions, and how much of it had to wait for a person.",
		Columns: []Column{{"source", Text}, {"mentions", Integer}, {"waited", Integer}},
		Cypher: `MATCH (o:Observation)-[:MENTIONS]->(m:Mention)-[a:ASSIGNED]->(:Entity)
WHERE o.tenant = $tenant AND o.id > '' AND a.tx_end = ` + open + `
RETURN split(o.origin, '://')[0] AS source, count(m) AS mentions,
  sum(CASE a.decision WHEN 'review' THEN 1 ELSE 0 END) AS waited
ORDER BY mentions DESC, source LIMIT $limit`,
	},
	{
		Name: "well_known", Description: "The entities that most is said of, by how many sources.",
		Parameters: []Parameter{least},
		Columns:    []Column{{"entity", Text}, {"type", Text}, {"claims", Integer}, {"sources", Integer}, {"entity_id", ID}},
		Cypher: `MATCH (e:Entity)<-[:ABOUT]-(b:Belief)<-[:ASSERTS]-(o:Observation) WHERE e.tenant = $tenant AND e.id > ''
WITH e, count(b) AS claims, count(DISTINCT coalesce(o.speaker, o.origin)) AS sources WHERE claims >= $least
RETURN e.name AS entity, e.type AS type, claims, sources, e.id AS entity_id
ORDER BY claims DESC, entity, entity_id LIMIT $limit`,
		SQL: `WITH ` + sqlClaims + `
SELECT e.body ->> '$.name' AS name, e.body ->> '$.type', count(*) AS claims,
  count(DISTINCT coalesce(c.speaker, c.origin)), e.id
FROM claims c JOIN entity e ON e.tenant = :tenant AND e.id = c.subject AND e.tx_end = ` + open + `
GROUP BY e.id HAVING count(*) >= :least ORDER BY claims DESC, name, e.id LIMIT :limit`,
		Example: map[string]any{"least": 2},
	},
}
