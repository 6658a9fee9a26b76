-- Observations that propose a change are listed. Before this migration none says what it would do.

ALTER TABLE observation ADD COLUMN proposes TEXT NOT NULL DEFAULT '';
CREATE INDEX observation_proposes ON observation (tenant, proposes, observed_at, id) WHERE proposes <> '';
