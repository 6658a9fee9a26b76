package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tenure"
	"tenure/queries"
	"tenure/store"
	"tenure/visible"
	"tenure/vocabulary"
)

const (
	// maxRows and defaultRows bound the rows that a query returns.
	maxRows     = 1000
	defaultRows = 100
	// queryTime bounds the time that a query takes.
	queryTime = 10 * time.Second
)

// Asked is the answer to a query: cells are texts, lists of texts, whole numbers, numbers, booleans or null, times
// RFC 3339. More reports whether there are more rows.
type Asked struct {
	Query queries.Query
	Rows  [][]any
	More  bool
}

// openWhole opens the present state for a caller who sees everything in the tenant, and returns Forbidden to others.
func (s *Service) openWhole(ctx context.Context, c tenure.Caller) (store.Reader, error) {
	if c.Clearance.Rank() < tenure.HighlyRestricted.Rank() || c.Bound != (tenure.Scope{}) {
		return nil, tenure.Errorf(tenure.Forbidden,
			"queries tell of the whole tenant: the key needs the clearance highly_restricted and no bound scope, and has the "+
				"clearance %s (keys create --clearance highly_restricted)", cmp.Or(string(c.Clearance), "public"))
	}
	reader, err := s.open(ctx, c, tenure.Present)
	if err != nil {
		return nil, err
	}
	all, err := visible.ShowsAll(ctx, reader)
	if err == nil && !all {
		err = tenure.Errorf(tenure.Forbidden,
			"queries tell of the whole tenant: it has evidence with a permission_scope that leaves out the roles of this key")
	}
	return reader, err
}

// Ask runs a query about the whole tenant. It returns NotFound for a name that is none, Invalid for parameters and a
// limit that break their rules, Unsupported for a query that the engine cannot answer, and Forbidden unless the
// caller may see everything in the tenant, since rows and counts tell of what is hidden from others.
func (s *Service) Ask(
	ctx context.Context, c tenure.Caller, name string, parameters map[string]any, limit int,
) (Asked, error) {
	reader, err := s.openWhole(ctx, c)
	if err != nil {
		return Asked{}, err
	}
	q, ok := queries.Find(name)
	if !ok {
		return Asked{}, tenure.Errorf(tenure.NotFound, "there is no query of that name")
	}
	bound, err := q.Bind(parameters, s.mint().Now)
	if err != nil {
		return Asked{}, err
	}
	if p, ok := bound["predicate"].(string); ok && p != "" {
		t, err := vocabulary.Resolve(ctx, store.NewTerms(reader), p)
		if err != nil {
			return Asked{}, err
		}
		bound["predicate"] = t.Name
	}
	if limit == 0 {
		limit = defaultRows
	}
	if limit < 1 || limit > maxRows {
		return Asked{}, tenure.FieldError(tenure.Invalid, "/limit", fmt.Sprintf("must be from 1 to %d", maxRows))
	}
	rows, err := s.store.Ask(ctx, c.Tenant, store.Question{
		Cypher: q.Cypher, SQL: q.SQL, Parameters: bound, Limit: limit + 1, Timeout: queryTime,
	})
	if err != nil {
		return Asked{}, err
	}
	out := Asked{Query: q, Rows: append([][]any{}, rows[:min(len(rows), limit)]...), More: len(rows) > limit}
	for _, row := range out.Rows {
		for i, column := range q.Columns {
			row[i] = cell(column.Kind, row[i])
		}
	}
	return out, nil
}

// cell returns what an engine answered, as the kind of the column says.
func cell(kind queries.Kind, value any) any {
	switch kind {
	case queries.Time:
		switch at := value.(type) {
		case time.Time:
			return at.UTC().Format(time.RFC3339Nano)
		case int64:
			if i := tenure.Instant(at); i != tenure.MaxTime && i != tenure.MinTime {
				return i.String()
			}
		}
		return nil
	case queries.Boolean:
		if n, ok := value.(int64); ok {
			return n != 0
		}
	case queries.Texts:
		var list []string
		if text, ok := value.(string); ok && json.Unmarshal([]byte(text), &list) == nil {
			return list
		}
	}
	return value
}
