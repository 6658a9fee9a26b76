package queries

// open is the end of an open window.
const open = "9223372036854775807"

// members matches the entities e of the cluster of a named entity, in Cypher.
const members = `MATCH (named:Entity {tenant: $tenant, name: $entity})
WITH DISTINCT coalesce(named.merged_into, named.id) AS root
MATCH (:Entity {tenant: $tenant, id: root})<-[merged:MERGED_INTO*0..1]-(e:Entity)
WHERE all(m IN merged WHERE m.tx_end = ` + open + `)
`

// standsAt is the condition that a belief b stands at an instant, in Cypher.
const standsAt = `any(i IN range(1, size(b.stands) - 2, 2) WHERE b.stands[i] <= $at < b.stands[i + 1])`

// The parts of queries in SQL. Claims are those of the tenant with their newest standing, segments its parts,
// members the entities of the cluster of a named entity.
const (
	sqlClaims = `claims AS MATERIALIZED (
  SELECT c.id, s.subject, c.predicate, c.tx, c.body ->> '$.source.speaker' AS speaker,
    c.body ->> '$.source.origin' AS origin, c.body ->> '$.observed_at' AS said,
    c.body ->> '$.window.from' AS valid_from, c.body ->> '$.window.until' AS valid_until, s.body AS standing,
    CASE WHEN s.object <> '' THEN coalesce((SELECT e.body ->> '$.name' FROM entity e
        WHERE e.tenant = s.tenant AND e.id = s.object AND e.tx_end = ` + open + `), s.object)
      WHEN json_type(coalesce(c.value, c.body -> '$.value.json')) = 'text'
      THEN coalesce(c.value, c.body -> '$.value.json') ->> '$'
      ELSE coalesce(c.value, c.body -> '$.value.json') END AS value, s.object
  FROM standing s JOIN claim c ON c.tenant = s.tenant AND c.id = s.belief
  WHERE s.tenant = :tenant AND s.tx_end = ` + open + `)`
	sqlSegments = sqlClaims + `,
segments AS (
  SELECT c.*, g.value ->> '$.cause' AS cause, g.value ->> '$.by' AS lost_to,
    g.value ->> '$.from' AS since, g.value ->> '$.until' AS until
  FROM claims c, json_each(c.standing, '$.segments') g)`
	sqlMembers = `members AS (
  SELECT e.id FROM entity e
  WHERE e.tenant = :tenant AND e.tx_end = ` + open + ` AND coalesce(e.body ->> '$.merged_into', e.id) IN (
    SELECT coalesce(n.body ->> '$.merged_into', n.id) FROM entity n
    WHERE n.tenant = :tenant AND n.tx_end = ` + open + ` AND n.body ->> '$.name' = :entity))`
	sqlNames = `names AS (
  SELECT e.id, e.body ->> '$.name' AS name FROM entity e WHERE e.tenant = :tenant AND e.tx_end = ` + open + `)`
)

// What is said of causes in SQL follows from the table of edges.
var (
	sqlRule = ruleOf()
	// sqlDisplacing are the causes by which something is lost to another belief, sqlLosing those and the ones by
	// which it is lost to an amendment.
	sqlDisplacing = causesOf(Supersedes)
	sqlLosing     = causesOf(Supersedes, Overrides)
)
