-- Verdicts on who is who, reviews, and claims that a split moved.

CREATE TABLE verdict (
  tenant   INTEGER NOT NULL,
  id       TEXT NOT NULL,
  tx_start INTEGER NOT NULL,
  tx_end   INTEGER NOT NULL,
  source   TEXT NOT NULL,
  target   TEXT NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (tenant, id, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX verdict_source ON verdict (tenant, source);
CREATE INDEX verdict_target ON verdict (tenant, target);

CREATE TABLE review (
  tenant   INTEGER NOT NULL,
  id       TEXT NOT NULL,
  tx_start INTEGER NOT NULL,
  tx_end   INTEGER NOT NULL,
  state    TEXT NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (tenant, id, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_state ON review (tenant, state, id, tx_start);

-- The entities that some version of a review names.
CREATE TABLE review_entity (
  tenant INTEGER NOT NULL,
  entity TEXT NOT NULL,
  review TEXT NOT NULL,
  PRIMARY KEY (tenant, entity, review)
) STRICT, WITHOUT ROWID;

-- Where claims are found, at some time, beside the place that they were made
-- in: their standing tells where they are. slot as in claim.
CREATE TABLE home (
  tenant  INTEGER NOT NULL,
  belief  TEXT NOT NULL,
  slot    INTEGER NOT NULL,
  subject TEXT NOT NULL,
  object  TEXT NOT NULL,
  PRIMARY KEY (tenant, belief, slot, object)
) STRICT, WITHOUT ROWID;
CREATE INDEX home_slot ON home (tenant, slot);
CREATE INDEX home_subject ON home (tenant, subject, belief);
CREATE INDEX home_object ON home (tenant, object) WHERE object <> '';
CREATE INDEX claim_object ON claim (tenant, object) WHERE object <> '';
