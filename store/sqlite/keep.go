package sqlite

import (
	"cmp"
	"context"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// PutCredential implements [store.Store].
func (s *Store) PutCredential(ctx context.Context, c tenure.Credential, events ...tenure.AuditEvent) error {
	return s.write(ctx, func(w *writer) error {
		have, err := query(w, scanBody[tenure.Credential], credentialByID, string(c.ID))
		if err != nil {
			return err
		}
		for _, h := range have {
			c = engine.MergeCredential(h, c)
		}
		body, err := engine.Encode(c)
		if err != nil {
			return err
		}
		if err := w.exec(`INSERT OR REPLACE INTO credential (id, tenant, created_at, body) VALUES (?1, ?2, ?3, ?4)`,
			string(c.ID), c.Tenant, int64(c.CreatedAt), body); err != nil {
			return err
		}
		return w.audit(c.Tenant, events)
	})
}

const credentialByID = `SELECT body FROM credential WHERE id = ?1`

// Credential implements [store.Store].
func (s *Store) Credential(ctx context.Context, id tenure.ID) (tenure.Credential, error) {
	found, err := collect(ctx, s, credentialByID, scanBody[tenure.Credential], string(id))
	if err != nil {
		return tenure.Credential{}, err
	}
	if len(found) == 0 {
		return tenure.Credential{}, tenure.Errorf(tenure.NotFound, "there is no credential %s", id)
	}
	return found[0], nil
}

// Credentials implements [store.Store].
func (s *Store) Credentials(ctx context.Context, tenant string) ([]tenure.Credential, error) {
	if tenant == "" {
		return collect(ctx, s, `SELECT body FROM credential ORDER BY created_at, id`, scanBody[tenure.Credential])
	}
	return collect(ctx, s, `SELECT body FROM credential WHERE tenant = ?1 ORDER BY created_at, id`,
		scanBody[tenure.Credential], tenant)
}

// PutAudit implements [store.Store].
func (s *Store) PutAudit(ctx context.Context, tenant string, events ...tenure.AuditEvent) error {
	return s.write(ctx, func(w *writer) error { return w.audit(tenant, events) })
}

// audit appends events to the audit trail of a tenant.
func (w *writer) audit(tenant string, events []tenure.AuditEvent) error {
	for _, e := range events {
		body, err := engine.Encode(e)
		if err != nil {
			return err
		}
		if err := w.exec(`INSERT OR IGNORE INTO audit (tenant, id, key, kind, body) VALUES (?1, ?2, ?3, ?4, ?5)`,
			tenant, string(e.ID), string(e.Key), string(e.Kind), body); err != nil {
			return err
		}
	}
	return nil
}

// The statements of audit trails, by what chooses the events.
const (
	auditAll = `SELECT body FROM audit
		WHERE tenant = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3`
	auditOfKind = `SELECT body FROM audit INDEXED BY audit_kind
		WHERE tenant = ?1 AND id < ?2 AND kind = ?4 ORDER BY id DESC LIMIT ?3`
	auditOfKey = `SELECT body FROM audit INDEXED BY audit_key
		WHERE tenant = ?1 AND id < ?2 AND key = ?4 AND (?5 = '' OR kind = ?5) ORDER BY id DESC LIMIT ?3`
)

// Audit implements [store.Store].
func (s *Store) Audit(ctx context.Context, tenant string, q store.AuditQuery) ([]tenure.AuditEvent, error) {
	args := []any{tenant, string(cmp.Or(q.Before, engine.AfterIDs)), atLeast(q.Limit)}
	text := auditAll
	switch {
	case q.Key != "":
		text, args = auditOfKey, append(args, string(q.Key), string(q.Kind))
	case q.Kind != "":
		text, args = auditOfKind, append(args, string(q.Kind))
	}
	return collect(ctx, s, text, scanBody[tenure.AuditEvent], args...)
}

// PutCompilation implements [store.Store]. The first compilation under an id is kept.
func (s *Store) PutCompilation(ctx context.Context, tenant string, c tenure.Compilation) error {
	return s.write(ctx, func(w *writer) error {
		pk, err := w.tenant(tenant)
		if err != nil {
			return err
		}
		body := c.Body
		if body == nil {
			body = []byte{} // nil would be NULL
		}
		return w.exec(`INSERT OR IGNORE INTO compilation (tenant, id, created_at, body) VALUES (?1, ?2, ?3, ?4)`,
			pk, string(c.ID), int64(c.CreatedAt), body)
	})
}

// Compilation implements [store.Store].
func (s *Store) Compilation(ctx context.Context, tenant string, id tenure.ID) (tenure.Compilation, error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return tenure.Compilation{}, err
	}
	found, err := collect(ctx, s, withOutcome+` WHERE c.tenant = ?1 AND c.id = ?2`, scanCompilation, pk, string(id))
	if err != nil {
		return tenure.Compilation{}, err
	}
	if len(found) == 0 {
		return tenure.Compilation{}, engine.NoCompilation(id)
	}
	return found[0], nil
}
