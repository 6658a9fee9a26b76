-- The queue of quarantine cases is read by rank, as that of reviews: by what an answer is worth, and what is closed
-- by when it was closed.

ALTER TABLE quarantine ADD COLUMN rank TEXT NOT NULL DEFAULT '';
UPDATE quarantine SET rank = printf('%019d', 9223372036854775807 -
  CASE state WHEN 'open' THEN 0 ELSE coalesce(body ->> 'closed_at', 0) END) || '/' || id;
CREATE INDEX quarantine_rank ON quarantine (tenant, state, rank, tx_start) WHERE tx_end = 9223372036854775807;
