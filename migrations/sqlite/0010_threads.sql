-- Observations are listed by their thread: that of the source, or else its session, or the scope's, or else the origin.

ALTER TABLE observation ADD COLUMN thread TEXT NOT NULL DEFAULT '';
UPDATE observation SET thread = coalesce(nullif(body ->> '$.source.thread', ''), nullif(session, ''),
  body ->> '$.source.origin', '');
CREATE INDEX observation_thread ON observation (tenant, thread, observed_at, id) WHERE thread <> '';
