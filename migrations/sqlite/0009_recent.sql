-- The newest claims of a scope are found, and of these what was remarked. See engine.Place.
ALTER TABLE claim ADD COLUMN place TEXT NOT NULL DEFAULT '/';
UPDATE claim SET place = '/' || rtrim(
  CASE WHEN body ->> '$.scope.kind' IN ('hypothetical', 'draft') THEN body ->> '$.scope.kind' ELSE '' END || char(31) ||
  coalesce(body ->> '$.scope.user_id', '') || char(31) || coalesce(body ->> '$.scope.project_id', '') || char(31) ||
  coalesce(body ->> '$.scope.session_id', '') || char(31) || coalesce(body ->> '$.scope.task_id', ''), char(31))
  WHERE body ->> '$.scope' IS NOT NULL;
CREATE INDEX claim_recent ON claim (tenant, place, tx, id);
CREATE INDEX claim_remark ON claim (tenant, place, tx, id) WHERE predicate = 'remark';
