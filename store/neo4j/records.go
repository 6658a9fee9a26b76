package neo4j

import (
	"cmp"
	"context"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

const (
	// The first SET takes the lock of the node, under which its ends are read.
	putCredential = `MERGE (c:Credential {id: $id})
SET c.tenant = $tenant, c.created_at = $created_at, c.label = $label, c.body = $body
WITH c
SET c.revoked_at = CASE WHEN c.revoked_at < $revoked_at THEN c.revoked_at ELSE coalesce($revoked_at, c.revoked_at) END,
  c.expires_at = CASE WHEN c.expires_at < $expires_at THEN c.expires_at ELSE coalesce($expires_at, c.expires_at) END,
  c.last_used_at = CASE WHEN c.last_used_at > $last_used_at THEN c.last_used_at
    ELSE coalesce($last_used_at, c.last_used_at) END
WITH c UNWIND $rows AS e
MERGE (a:Audit {tenant: e.tenant, id: e.id})
ON CREATE SET a.key = e.key, a.kind = e.kind, a.body = e.body`
	putAudit = `UNWIND $rows AS e
MERGE (a:Audit {tenant: e.tenant, id: e.id})
ON CREATE SET a.key = e.key, a.kind = e.kind, a.body = e.body`

	credentialParts = ` RETURN c.body, c.revoked_at, c.expires_at, c.last_used_at`

	credentialByID = `MATCH (c:Credential {id: $id})` + credentialParts
	credentialsAll = `MATCH (c:Credential) USING INDEX c:Credential(created_at, id)
WHERE c.created_at >= $dawn AND c.id > ''` + credentialParts + ` ORDER BY c.created_at, c.id`
	credentialsTenant = `MATCH (c:Credential) USING INDEX c:Credential(tenant, created_at, id)
WHERE c.tenant = $tenant AND c.created_at >= $dawn AND c.id > ''` + credentialParts + `
ORDER BY c.tenant, c.created_at, c.id`
)

// PutCredential implements [store.Store].
func (s *Store) PutCredential(ctx context.Context, c tenure.Credential, events ...tenure.AuditEvent) error {
	rows, err := auditRows(c.Tenant, events)
	if err != nil {
		return err
	}
	body, err := engine.Encode(c)
	if err != nil {
		return fault(err)
	}
	_, err = s.execute(ctx, putCredential, args{
		"id": string(c.ID), "tenant": c.Tenant, "created_at": int64(c.CreatedAt), "label": graph.OrNull(c.Label), "body": body,
		"revoked_at": instantOrNull(c.RevokedAt), "expires_at": instantOrNull(c.ExpiresAt),
		"last_used_at": instantOrNull(c.LastUsedAt), "rows": rows,
	})
	return err
}

// instantOrNull returns the instant, or nil for none.
func instantOrNull(at tenure.Instant) any {
	if at == 0 {
		return nil
	}
	return int64(at)
}

// credentialOf decodes a row of a credential. Its ends and its last use are properties, which are compared as they are
// set; those of one that an earlier version stored are in the body alone.
func credentialOf(r row) (tenure.Credential, error) {
	var c tenure.Credential
	if err := engine.Decode(r.text(0), &c); err != nil {
		return c, fault(err)
	}
	return engine.MergeCredential(tenure.Credential{
		RevokedAt: tenure.Instant(r.number(1)), ExpiresAt: tenure.Instant(r.number(2)),
		LastUsedAt: tenure.Instant(r.number(3)),
	}, c), nil
}

// Credential implements [store.Store].
func (s *Store) Credential(ctx context.Context, id tenure.ID) (tenure.Credential, error) {
	rows, err := s.query(ctx, credentialByID, args{"id": string(id)})
	if err != nil {
		return tenure.Credential{}, err
	}
	if len(rows) == 0 {
		return tenure.Credential{}, tenure.Errorf(tenure.NotFound, "there is no credential %s", id)
	}
	return credentialOf(rows[0])
}

// Credentials implements [store.Store].
func (s *Store) Credentials(ctx context.Context, tenant string) ([]tenure.Credential, error) {
	cypher := credentialsTenant
	if tenant == "" {
		cypher = credentialsAll
	}
	rows, err := s.query(ctx, cypher, args{"tenant": tenant, "dawn": int64(tenure.MinTime)})
	if err != nil {
		return nil, err
	}
	list := make([]tenure.Credential, len(rows))
	for i, r := range rows {
		if list[i], err = credentialOf(r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// The statements of audit trails, by what chooses the events.
const (
	auditAll = `MATCH (a:Audit) USING INDEX a:Audit(tenant, id)
WHERE a.tenant = $tenant AND a.id < $before_id
RETURN a.body ORDER BY a.tenant DESC, a.id DESC LIMIT $limit`
	auditOfKind = `MATCH (a:Audit) USING INDEX a:Audit(tenant, kind, id)
WHERE a.tenant = $tenant AND a.kind = $kind AND a.id < $before_id
RETURN a.body ORDER BY a.tenant DESC, a.kind DESC, a.id DESC LIMIT $limit`
	auditOfKey = `MATCH (a:Audit) USING INDEX a:Audit(tenant, key, id)
WHERE a.tenant = $tenant AND a.key = $key AND a.id < $before_id
WITH a ORDER BY a.tenant DESC, a.key DESC, a.id DESC WHERE $kind IS NULL OR a.kind = $kind
RETURN a.body LIMIT $limit`
)

// PutAudit implements [store.Store].
func (s *Store) PutAudit(ctx context.Context, tenant string, events ...tenure.AuditEvent) error {
	rows, err := auditRows(tenant, events)
	if err != nil {
		return err
	}
	_, err = s.execute(ctx, putAudit, args{"rows": rows})
	return err
}

func auditRows(tenant string, events []tenure.AuditEvent) ([]any, error) {
	rows := make([]any, len(events))
	for i, e := range events {
		body, err := engine.Encode(e)
		if err != nil {
			return nil, fault(err)
		}
		rows[i] = args{
			"tenant": tenant, "id": string(e.ID), "key": graph.OrNull(e.Key), "kind": string(e.Kind), "body": body,
		}
	}
	return rows, nil
}

// Audit implements [store.Store].
func (s *Store) Audit(ctx context.Context, tenant string, q store.AuditQuery) ([]tenure.AuditEvent, error) {
	if q.Limit <= 0 {
		return nil, nil
	}
	cypher, p := auditAll, args{
		"tenant": tenant, "before_id": string(cmp.Or(q.Before, engine.AfterIDs)), "limit": q.Limit,
	}
	switch {
	case q.Key != "":
		cypher, p["key"], p["kind"] = auditOfKey, string(q.Key), graph.OrNull(q.Kind)
	case q.Kind != "":
		cypher, p["kind"] = auditOfKind, string(q.Kind)
	}
	rows, err := s.query(ctx, cypher, p)
	if err != nil {
		return nil, err
	}
	return decodeAll[tenure.AuditEvent](rows, 0)
}

const (
	putCompilation = `MERGE (c:Compilation {tenant: $tenant, id: $id})
ON CREATE SET c.created_at = $created_at, c.body = $body`
	compilationByID = `MATCH (c:Compilation {tenant: $tenant, id: $id})
OPTIONAL MATCH (o:Outcome {tenant: $tenant, id: $id})
RETURN c.id, c.created_at, c.body, o.body`
)

// PutCompilation implements [store.Store].
func (s *Store) PutCompilation(ctx context.Context, tenant string, c tenure.Compilation) error {
	body := c.Body
	if body == nil {
		body = []byte{}
	}
	_, err := s.execute(ctx, putCompilation, args{
		"tenant": tenant, "id": string(c.ID), "created_at": int64(c.CreatedAt), "body": body,
	})
	return err
}

// Compilation implements [store.Store].
func (s *Store) Compilation(ctx context.Context, tenant string, id tenure.ID) (tenure.Compilation, error) {
	rows, err := s.query(ctx, compilationByID, args{"tenant": tenant, "id": string(id)})
	if err != nil {
		return tenure.Compilation{}, err
	}
	if len(rows) == 0 {
		return tenure.Compilation{}, engine.NoCompilation(id)
	}
	return compilationOf(rows[0])
}

// compilationOf decodes a row of a compilation with its outcome.
func compilationOf(r row) (tenure.Compilation, error) {
	body, _ := r[2].([]byte)
	c := tenure.Compilation{ID: tenure.ID(r.text(0)), CreatedAt: tenure.Instant(r.number(1)), Body: body}
	if r[3] == nil {
		return c, nil
	}
	c.Outcome = new(tenure.CompilationOutcome)
	return c, fault(engine.Decode(r.text(3), c.Outcome))
}
