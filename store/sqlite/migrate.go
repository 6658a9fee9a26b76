package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"tenure"
	"tenure/migrations"
	"tenure/store/engine"
)

// Migrate brings the schema of the file at a path up to date, and creates the file if necessary. It may be
// run again after it was killed, and concurrently with another run. It returns Internal if the file's schema
// is newer than this program's, or was made by other migrations with the same numbers.
func Migrate(ctx context.Context, path string) error {
	if err := checkPath(path); err != nil {
		return err
	}
	list, err := migrations.SQLite()
	if err != nil {
		return fault(err)
	}
	if err := private(path); err != nil {
		return fault(err)
	}
	db, err := sql.Open("sqlite", dsn(path, writerPages))
	if err != nil {
		return fault(err)
	}
	db.SetMaxOpenConns(1)
	err = migrate(ctx, db, list)
	if e := db.Close(); err == nil {
		err = e
	}
	return fault(err)
}

// creating is held while a file is created. Closing a file drops all locks that the process has on it, those of SQLite
// too: so none that exists is opened, and none is closed after another connection of the process has opened it.
var creating sync.Mutex

// private creates the file, if there is none, so that its owner alone reads it. SQLite gives the files beside it the
// same permissions.
func private(path string) error {
	creating.Lock()
	defer creating.Unlock()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return &tenure.Error{Code: tenure.Internal, Message: "the file of the store cannot be opened", Err: err}
	}
	return f.Close()
}

func migrate(ctx context.Context, db *sql.DB, list []migrations.Migration) error {
	for _, m := range list {
		done, err := applied(ctx, db)
		if err != nil {
			return err
		}
		if _, err := engine.Pending(list, done); err != nil {
			return err
		}
		if m.Number <= len(done) {
			continue
		}
		if err := step(ctx, db, m); err != nil {
			return err
		}
	}
	return nil
}

// step runs one migration, unless another process has run it meanwhile.
func step(ctx context.Context, db *sql.DB, m migrations.Migration) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	bg := context.Background() // a context that ends inside would end the transaction
	if _, err := conn.ExecContext(bg, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if err := stepLocked(bg, conn, m); err != nil {
		_, _ = conn.ExecContext(bg, `ROLLBACK`)
		return err
	}
	_, err = conn.ExecContext(bg, `COMMIT`)
	return err
}

func stepLocked(ctx context.Context, conn *sql.Conn, m migrations.Migration) error {
	_, err := conn.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migration (
		number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT`)
	if err != nil {
		return err
	}
	done, err := applied(ctx, conn)
	if err != nil || m.Number <= len(done) {
		return err
	}
	for _, statement := range m.Statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("migration %s: %w", m.Name, err)
		}
	}
	_, err = conn.ExecContext(ctx, `INSERT INTO migration (number, name, checksum) VALUES (?1, ?2, ?3)`,
		m.Number, m.Name, m.Checksum)
	return err
}

type querier interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}

// applied lists the migrations that the file records as run, without their statements.
func applied(ctx context.Context, q querier) (list []migrations.Migration, err error) {
	rows, err := q.QueryContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'migration'`)
	exists, err := scanAll(rows, err, scanOne[int])
	if err != nil || exists[0] == 0 {
		return nil, err
	}
	rows, err = q.QueryContext(ctx, `SELECT number, name, checksum FROM migration ORDER BY number`)
	return scanAll(rows, err, func(rows *sql.Rows, m *migrations.Migration) error {
		return rows.Scan(&m.Number, &m.Name, &m.Checksum)
	})
}

// pending lists the migrations that the file lacks.
func pending(ctx context.Context, q querier) ([]migrations.Migration, error) {
	list, err := migrations.SQLite()
	if err != nil {
		return nil, err
	}
	done, err := applied(ctx, q)
	if err != nil {
		return nil, err
	}
	return engine.Pending(list, done)
}
