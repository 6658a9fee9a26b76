package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
)

// preparer is a connection, or a pool of them.
type preparer interface {
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

// bareLimit is a variable that alone is a LIMIT.
var bareLimit = regexp.MustCompile(`LIMIT (\?[0-9]+)`)

// prepare prepares a statement that is kept. SQLite plans a statement with a bare variable for its LIMIT anew whenever
// that is bound, which takes longer than most queries; a sum it does not look into.
func prepare(ctx context.Context, p preparer, text string) (*sql.Stmt, error) {
	stmt, err := p.PrepareContext(ctx, bareLimit.ReplaceAllString(text, "LIMIT $1 + 0"))
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, text)
	}
	return stmt, nil
}
