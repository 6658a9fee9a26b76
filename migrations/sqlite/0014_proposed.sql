-- Observations that propose a change are found by the entities that it is of, as far as a scope sees them. place as in
-- claim.

CREATE TABLE proposal (
  tenant      INTEGER NOT NULL,
  entity      TEXT NOT NULL,
  tx          INTEGER NOT NULL,
  observation TEXT NOT NULL,
  place       TEXT NOT NULL,
  PRIMARY KEY (tenant, entity, tx, observation)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO proposal (tenant, entity, tx, observation, place)
  SELECT o.tenant, s.value ->> '$.entity_id', o.tx, o.id, '/' || rtrim(
    CASE WHEN o.body ->> '$.scope.kind' IN ('hypothetical', 'draft') THEN o.body ->> '$.scope.kind' ELSE '' END || char(31) ||
    coalesce(o.body ->> '$.scope.user_id', '') || char(31) || coalesce(o.body ->> '$.scope.project_id', '') || char(31) ||
    coalesce(o.body ->> '$.scope.session_id', '') || char(31) || coalesce(o.body ->> '$.scope.task_id', ''), char(31))
  FROM observation o CROSS JOIN json_each(o.body, '$.statements') s
  WHERE o.proposes <> '' AND s.value -> '$.proposal' IS NOT NULL AND s.value ->> '$.entity_id' <> '';
