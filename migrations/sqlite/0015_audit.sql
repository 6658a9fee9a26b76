-- What happened to the credentials of a tenant, by the name of the tenant as in credential.

CREATE TABLE audit (
  tenant TEXT NOT NULL,
  id     TEXT NOT NULL,
  key    TEXT NOT NULL,
  kind   TEXT NOT NULL,
  body   TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_key ON audit (tenant, key, id);
CREATE INDEX audit_kind ON audit (tenant, kind, id);
