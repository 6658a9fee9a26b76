-- Observations are listed by when they were observed, of a session, a project or a speaker alone, too.

ALTER TABLE observation ADD COLUMN observed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observation ADD COLUMN session TEXT NOT NULL DEFAULT '';
ALTER TABLE observation ADD COLUMN project TEXT NOT NULL DEFAULT '';
ALTER TABLE observation ADD COLUMN speaker TEXT NOT NULL DEFAULT '';
UPDATE observation SET observed_at = body ->> '$.observed_at', session = coalesce(body ->> '$.scope.session_id', ''),
  project = coalesce(body ->> '$.scope.project_id', ''), speaker = coalesce(body ->> '$.source.speaker', '');
CREATE INDEX observation_observed ON observation (tenant, observed_at, id);
CREATE INDEX observation_session ON observation (tenant, session, observed_at, id) WHERE session <> '';
CREATE INDEX observation_project ON observation (tenant, project, observed_at, id) WHERE project <> '';
CREATE INDEX observation_speaker ON observation (tenant, speaker, observed_at, id) WHERE speaker <> '';
