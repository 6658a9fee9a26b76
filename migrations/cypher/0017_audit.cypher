// What happened to the credentials of a tenant.

CREATE CONSTRAINT audit_id IF NOT EXISTS FOR (n:Audit) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX audit_key IF NOT EXISTS FOR (n:Audit) ON (n.tenant, n.key, n.id);
CREATE INDEX audit_kind IF NOT EXISTS FOR (n:Audit) ON (n.tenant, n.kind, n.id);
