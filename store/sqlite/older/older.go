// Package older gives a SQLite file the schema that an earlier program made, with what is in it now, so that a
// migration has something to do. It is for tests.
package older

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"tenure/migrations"
)

// First is the oldest schema that Make makes: migration 4 has renamed tables and words.
const First = 4

// Make replaces the file at a path, which no process has open, by one with the first migrations, up to the given
// number, and with what the tables of that schema hold of it: tables and columns of later migrations are left out.
func Make(ctx context.Context, path string, number int) error {
	list, err := migrations.SQLite()
	if err != nil {
		return err
	}
	former := path + ".older"
	db, err := sql.Open("sqlite", former)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	err = fill(ctx, db, path, list[:number])
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Rename(former, path)
}

func fill(ctx context.Context, db *sql.DB, from string, list []migrations.Migration) error {
	statements := []string{
		`PRAGMA foreign_keys = 0`, `CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT`,
	}
	for _, m := range list {
		statements = append(statements, m.Statements...)
	}
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%w in %s", err, s)
		}
	}
	if _, err := db.ExecContext(ctx, `ATTACH ? AS now`, from); err != nil {
		return err
	}
	tables, err := texts(ctx, db, `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
		AND name IN (SELECT name FROM now.sqlite_schema) AND name <> 'migration'`)
	if err != nil {
		return err
	}
	for _, table := range tables {
		columns, err := texts(ctx, db, `SELECT name FROM pragma_table_info(?1, 'main')
			WHERE name IN (SELECT name FROM pragma_table_info(?1, 'now'))`, table)
		if err != nil {
			return err
		}
		names := strings.Join(columns, ", ")
		//nolint:gosec // the names are those of the schema
		copied := fmt.Sprintf(`INSERT INTO main.%[1]s (%[2]s) SELECT %[2]s FROM now.%[1]s`, table, names)
		if _, err := db.ExecContext(ctx, copied); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	_, err = db.ExecContext(ctx, `INSERT INTO main.migration SELECT * FROM now.migration WHERE number <= ?`, len(list))
	return err
}

func texts(ctx context.Context, db *sql.DB, query string, args ...any) (list []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}
