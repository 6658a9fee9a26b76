-- Observations with a text that is read are listed by speaker and by thread. Of those that are there all with a text are
-- listed, also those whose text was not read.

ALTER TABLE observation ADD COLUMN text_speaker TEXT NOT NULL DEFAULT '';
ALTER TABLE observation ADD COLUMN text_thread TEXT NOT NULL DEFAULT '';
UPDATE observation SET text_speaker = speaker, text_thread = thread
  WHERE coalesce(body ->> '$.text', body ->> '$.of', '') <> '';
CREATE INDEX observation_text_speaker ON observation (tenant, text_speaker, observed_at, id) WHERE text_speaker <> '';
CREATE INDEX observation_text_thread ON observation (tenant, text_thread, observed_at, id) WHERE text_thread <> '';
