package neo4j

import (
	"context"
	"maps"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store"
	"tenure/tracing"
)

// Ask implements [store.Store]. The database refuses a write in a transaction that reads.
func (s *Store) Ask(ctx context.Context, tenant string, q store.Question) ([][]any, error) {
	if q.Cypher == "" {
		return nil, tenure.Errorf(tenure.Unsupported, "this cannot be asked of Neo4j")
	}
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	params := maps.Clone(q.Parameters)
	if params == nil {
		params = args{}
	}
	params["tenant"], params["limit"] = tenant, q.Limit
	ctx, cancel := context.WithTimeout(ctx, q.Timeout+pingTimeout) // the database ends it first
	defer cancel()
	ctx, span := tracing.Statement(ctx, system, q.Cypher)
	found, err := retry(ctx, transient, func() ([]row, error) { return s.askOnce(ctx, q, params) })
	err = fault(cutShort(ctx, err))
	span.End(failure(err))
	if err != nil {
		return nil, err
	}
	rows := make([][]any, 0, min(len(found), q.Limit))
	for _, r := range found[:min(len(found), q.Limit)] {
		rows = append(rows, r)
	}
	return rows, nil
}

func (s *Store) askOnce(ctx context.Context, q store.Question, params args) ([]row, error) {
	session := s.session(ctx, driver.AccessModeRead)
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	result, err := session.Run(ctx, q.Cypher, params, driver.WithTxTimeout(q.Timeout))
	return gather(ctx, result, err)
}
