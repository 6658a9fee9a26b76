-- The schema of the SQLite engine. Transaction times are microseconds since
-- 1970 in UTC; 9223372036854775807 in tx_end marks the version that is open,
-- and in hull_until a standing without an end. What nowhere stands has
-- hull_from at the greatest and hull_until at the least number, so that no
-- window meets it. Columns are what is searched; body is the rest as JSON.

CREATE TABLE tenant (
  pk   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- cells: the cells that the entry touches, 8 bytes of FNV-1a each.
CREATE TABLE log (
  tenant INTEGER NOT NULL,
  seq    INTEGER NOT NULL,
  tx     INTEGER NOT NULL,
  id     TEXT NOT NULL,
  hash   TEXT NOT NULL,
  cells  BLOB NOT NULL,
  body   TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX log_seq ON log (tenant, seq);
CREATE UNIQUE INDEX log_tx ON log (tenant, tx, seq);

CREATE TABLE history (
  tenant INTEGER NOT NULL,
  entity TEXT NOT NULL,
  seq    INTEGER NOT NULL,
  PRIMARY KEY (tenant, entity, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt (
  tenant INTEGER NOT NULL,
  scope  TEXT NOT NULL,
  seq    INTEGER NOT NULL,
  tx     INTEGER NOT NULL,
  hash   TEXT NOT NULL,
  answer BLOB,
  PRIMARY KEY (tenant, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_tx ON receipt (tx);

CREATE TABLE observation (
  tenant INTEGER NOT NULL,
  id     TEXT NOT NULL,
  tx     INTEGER NOT NULL,
  body   TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX observation_id ON observation (tenant, id);

CREATE TABLE mention (
  tenant      INTEGER NOT NULL,
  id          TEXT NOT NULL,
  tx          INTEGER NOT NULL,
  observation TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX mention_id ON mention (tenant, id);
CREATE INDEX mention_observation ON mention (tenant, observation);

CREATE TABLE assignment (
  tenant   INTEGER NOT NULL,
  mention  TEXT NOT NULL,
  tx_start INTEGER NOT NULL,
  tx_end   INTEGER NOT NULL,
  entity   TEXT NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (tenant, mention, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX assignment_entity ON assignment (tenant, entity, mention, tx_start, tx_end);

CREATE TABLE entity (
  tenant   INTEGER NOT NULL,
  id       TEXT NOT NULL,
  tx_start INTEGER NOT NULL,
  tx_end   INTEGER NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (tenant, id, tx_start)
) STRICT, WITHOUT ROWID;

CREATE TABLE owner (
  tenant   INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  form     TEXT NOT NULL,
  entity   TEXT NOT NULL,
  mention  TEXT NOT NULL,
  tx_start INTEGER NOT NULL,
  tx_end   INTEGER NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, form, entity, mention, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX owner_entity ON owner (tenant, entity);

-- slot and key are FNV-1a of the slot's key and of the claim's key: who finds
-- by them compares the claims that they find.
CREATE TABLE claim (
  tenant    INTEGER NOT NULL,
  id        TEXT NOT NULL,
  tx        INTEGER NOT NULL,
  slot      INTEGER NOT NULL,
  key       INTEGER NOT NULL,
  subject   TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object    TEXT NOT NULL,
  value     TEXT,
  body      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX claim_id ON claim (tenant, id);
CREATE INDEX claim_slot ON claim (tenant, slot);
CREATE INDEX claim_key ON claim (tenant, key);
CREATE INDEX claim_subject ON claim (tenant, subject, id);
CREATE INDEX claim_predicate ON claim (tenant, predicate, id);

CREATE TABLE slot (
  tenant INTEGER NOT NULL,
  key    TEXT NOT NULL,
  tx     INTEGER NOT NULL,
  body   TEXT NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;

-- kind: 1 the source supersedes the target, 2 it depends on it.
CREATE TABLE link (
  tenant INTEGER NOT NULL,
  kind   INTEGER NOT NULL,
  target TEXT NOT NULL,
  source TEXT NOT NULL,
  tx     INTEGER NOT NULL,
  PRIMARY KEY (tenant, kind, target, source)
) STRICT, WITHOUT ROWID;

-- recorded: the transaction time of the claim. gaps: 1 where the claim does
-- not stand all through its hull.
CREATE TABLE standing (
  tenant     INTEGER NOT NULL,
  belief     TEXT NOT NULL,
  tx_start   INTEGER NOT NULL,
  tx_end     INTEGER NOT NULL,
  subject    TEXT NOT NULL,
  object     TEXT NOT NULL,
  recorded   INTEGER NOT NULL,
  hull_from  INTEGER NOT NULL,
  hull_until INTEGER NOT NULL,
  gaps       INTEGER NOT NULL,
  contested  INTEGER NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (tenant, belief, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_about ON standing (tenant, subject, hull_until, recorded, belief, tx_start, hull_from, gaps)
  WHERE tx_end = 9223372036854775807;
CREATE INDEX standing_ended ON standing (tenant, subject, recorded, belief)
  WHERE tx_end = 9223372036854775807 AND hull_until < 9223372036854775807;
CREATE INDEX standing_out ON standing (tenant, subject, hull_until, recorded, belief, tx_start, hull_from, gaps)
  WHERE tx_end = 9223372036854775807 AND object <> '';
CREATE INDEX standing_in ON standing (tenant, object, hull_until, recorded, belief, tx_start, hull_from, gaps)
  WHERE tx_end = 9223372036854775807 AND object <> '';
CREATE INDEX standing_past ON standing (tenant, subject, tx_end)
  WHERE tx_end < 9223372036854775807;
CREATE INDEX standing_past_in ON standing (tenant, object, tx_end)
  WHERE tx_end < 9223372036854775807 AND object <> '';
CREATE INDEX standing_contested ON standing (tenant, belief, tx_start, tx_end)
  WHERE contested = 1;

CREATE TABLE amendment (
  tenant INTEGER NOT NULL,
  belief TEXT NOT NULL,
  tx     INTEGER NOT NULL,
  id     TEXT NOT NULL,
  body   TEXT NOT NULL,
  PRIMARY KEY (tenant, belief, tx, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX amendment_id ON amendment (tenant, id);

-- slot as in claim; 0 for a case across scopes.
CREATE TABLE quarantine (
  tenant   INTEGER NOT NULL,
  id       TEXT NOT NULL,
  tx_start INTEGER NOT NULL,
  tx_end   INTEGER NOT NULL,
  slot     INTEGER NOT NULL,
  subject  TEXT NOT NULL,
  state    TEXT NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (tenant, id, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX quarantine_slot ON quarantine (tenant, slot);
CREATE INDEX quarantine_state ON quarantine (tenant, state, id, tx_start) WHERE tx_end = 9223372036854775807;
CREATE INDEX quarantine_subject ON quarantine (tenant, subject, id, tx_start) WHERE tx_end = 9223372036854775807;
CREATE INDEX quarantine_past ON quarantine (tenant, tx_end) WHERE tx_end < 9223372036854775807;

CREATE TABLE vocabulary (
  tenant   INTEGER NOT NULL,
  name     TEXT NOT NULL,
  tx_start INTEGER NOT NULL,
  tx_end   INTEGER NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (tenant, name, tx_start)
) STRICT, WITHOUT ROWID;

CREATE TABLE term (
  tenant     INTEGER NOT NULL,
  id         TEXT NOT NULL,
  tx_start   INTEGER NOT NULL,
  tx_end     INTEGER NOT NULL,
  vocabulary TEXT NOT NULL,
  name       TEXT NOT NULL,
  removed    INTEGER NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (tenant, id, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX term_name ON term (tenant, vocabulary, name);

CREATE TABLE credential (
  id         TEXT PRIMARY KEY,
  tenant     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX credential_created ON credential (created_at, id);
CREATE INDEX credential_tenant ON credential (tenant, created_at, id);

CREATE TABLE compilation (
  tenant     INTEGER NOT NULL,
  id         TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body       BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX compilation_id ON compilation (tenant, id);
