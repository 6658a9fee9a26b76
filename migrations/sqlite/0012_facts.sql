-- What was remarked of a subject is apart from its other beliefs, so that neither hides the other. See Facts.

ALTER TABLE standing ADD COLUMN remark INTEGER NOT NULL DEFAULT 0;
UPDATE standing SET remark = 1
  WHERE EXISTS (SELECT 1 FROM claim c WHERE c.tenant = standing.tenant AND c.id = standing.belief AND c.predicate = 'remark');
DROP INDEX standing_about;
CREATE INDEX standing_about ON standing (tenant, subject, remark, span_until, recorded, belief, tx_start, span_from, gaps)
  WHERE tx_end = 9223372036854775807;
