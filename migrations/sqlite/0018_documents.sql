-- Documents by version, and the passages that a version was cut into. A passage never changes: it is read as long as the
-- version of its document is the one in view.

CREATE TABLE document (
  tenant    INTEGER NOT NULL,
  id        TEXT NOT NULL,
  tx_start  INTEGER NOT NULL,
  tx_end    INTEGER NOT NULL,
  version   INTEGER NOT NULL,
  uri       TEXT NOT NULL,
  withdrawn INTEGER NOT NULL,
  body      TEXT NOT NULL,
  PRIMARY KEY (tenant, id, tx_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_uri ON document (tenant, uri, id, tx_start, tx_end);

CREATE TABLE passage (
  tenant   INTEGER NOT NULL,
  id       TEXT NOT NULL,
  tx       INTEGER NOT NULL,
  document TEXT NOT NULL,
  version  INTEGER NOT NULL,
  number   INTEGER NOT NULL,
  place    TEXT NOT NULL,
  body     TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX passage_id ON passage (tenant, id);
CREATE UNIQUE INDEX passage_document ON passage (tenant, document, version, number);
CREATE INDEX passage_place ON passage (tenant, place, id, document, version);
