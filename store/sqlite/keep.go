package sqlite

import (
	"context"
	"database/sql"

	"tenure"
	"tenure/store/engine"
)

// PutCredential implements [store.Store].
func (s *Store) PutCredential(ctx context.Context, c tenure.Credential) error {
	body, err := engine.Encode(c)
	if err != nil {
		return fault(err)
	}
	return s.write(ctx, func(w *writer) error {
		return w.exec(`INSERT OR REPLACE INTO credential (id, tenant, created_at, body) VALUES (?1, ?2, ?3, ?4)`,
			string(c.ID), c.Tenant, int64(c.CreatedAt), body)
	})
}

// Credential implements [store.Store].
func (s *Store) Credential(ctx context.Context, id tenure.ID) (tenure.Credential, error) {
	found, err := collect(ctx, s, `SELECT body FROM credential WHERE id = ?1`, scanBody[tenure.Credential], string(id))
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
	found, err := collect(ctx, s, `SELECT created_at, body FROM compilation WHERE tenant = ?1 AND id = ?2`,
		func(rows *sql.Rows, c *tenure.Compilation) error {
			c.ID = id
			return rows.Scan(&c.CreatedAt, &c.Body)
		}, pk, string(id))
	if err != nil {
		return tenure.Compilation{}, err
	}
	if len(found) == 0 {
		return tenure.Compilation{}, tenure.Errorf(tenure.NotFound, "there is no compilation %s", id)
	}
	return found[0], nil
}
