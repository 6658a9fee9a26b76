-- The queue of reviews is read by rank: by what an answer is worth, and what is
-- closed by when it was decided.

ALTER TABLE review ADD COLUMN rank TEXT NOT NULL DEFAULT '';
UPDATE review SET rank = printf('%019d', 9223372036854775807 -
  CASE state WHEN 'open' THEN 0 ELSE coalesce(body ->> 'decided_at', 0) END) || '/' || id;
CREATE INDEX review_rank ON review (tenant, state, rank, tx_start);
