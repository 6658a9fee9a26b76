package neo4j

import (
	"context"

	"tenure"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

const (
	putCredential = `MERGE (c:Credential {id: $id})
SET c.tenant = $tenant, c.created_at = $created_at, c.label = $label, c.body = $body`
	credentialByID = `MATCH (c:Credential {id: $id}) RETURN c.body`
	credentialsAll = `MATCH (c:Credential) USING INDEX c:Credential(created_at, id)
WHERE c.created_at >= $dawn AND c.id > ''
RETURN c.body ORDER BY c.created_at, c.id`
	credentialsTenant = `MATCH (c:Credential) USING INDEX c:Credential(tenant, created_at, id)
WHERE c.tenant = $tenant AND c.created_at >= $dawn AND c.id > ''
RETURN c.body ORDER BY c.tenant, c.created_at, c.id`
)

// PutCredential implements [store.Store].
func (s *Store) PutCredential(ctx context.Context, c tenure.Credential) error {
	body, err := engine.Encode(c)
	if err != nil {
		return fault(err)
	}
	_, err = s.execute(ctx, putCredential, args{
		"id": string(c.ID), "tenant": c.Tenant, "created_at": int64(c.CreatedAt), "label": graph.OrNull(c.Label), "body": body,
	})
	return err
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
	var c tenure.Credential
	err = engine.Decode(rows[0].text(0), &c)
	return c, fault(err)
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
	return decodeAll[tenure.Credential](rows, 0)
}

const (
	putCompilation = `MERGE (c:Compilation {tenant: $tenant, id: $id})
ON CREATE SET c.created_at = $created_at, c.body = $body`
	compilationByID = `MATCH (c:Compilation {tenant: $tenant, id: $id}) RETURN c.created_at, c.body`
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
		return tenure.Compilation{}, tenure.Errorf(tenure.NotFound, "there is no compilation %s", id)
	}
	body, _ := rows[0][1].([]byte)
	return tenure.Compilation{ID: id, CreatedAt: tenure.Instant(rows[0].number(0)), Body: body}, nil
}
