-- What became of compilations, as was reported, and which objects their answers used.

CREATE TABLE outcome (
  tenant      INTEGER NOT NULL,
  compilation TEXT NOT NULL,
  actor       TEXT NOT NULL,
  clearance   TEXT NOT NULL,
  version     INTEGER NOT NULL,
  body        TEXT NOT NULL,
  PRIMARY KEY (tenant, compilation)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_actor ON outcome (tenant, actor, compilation);

CREATE TABLE usage (
  tenant      INTEGER NOT NULL,
  object      TEXT NOT NULL,
  actor       TEXT NOT NULL,
  clearance   TEXT NOT NULL,
  compiled_at INTEGER NOT NULL,
  compilation TEXT NOT NULL,
  PRIMARY KEY (tenant, object, actor, compiled_at, compilation)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_clearance ON usage (tenant, object, clearance, compiled_at);
CREATE INDEX usage_compilation ON usage (tenant, compilation);
