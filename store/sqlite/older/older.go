// Package older gives a SQLite file the schema that an earlier program made, with what is in it now, so that a
// migration has something to do. It is for tests.
package older

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"tenure"
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
		if table == "log" && !slices.Contains(columns, "salt") {
			if err := dropDigests(ctx, db); err != nil {
				return err
			}
		}
	}
	_, err = db.ExecContext(ctx, `INSERT INTO main.migration SELECT * FROM now.migration WHERE number <= ?`, len(list))
	return err
}

// dropDigests takes the digests out of the log, which has no place for their salts, and chains its entries anew.
func dropDigests(ctx context.Context, db *sql.DB) error {
	bodies, err := texts(ctx, db, `SELECT body FROM main.log ORDER BY tenant, seq`)
	if err != nil {
		return err
	}
	var previous string
	for _, body := range bodies {
		var e tenure.Entry
		if err := json.Unmarshal([]byte(body), &e); err != nil {
			return err
		}
		if e.Seq == 1 {
			previous = ""
		}
		e.Digest = ""
		e.Hash = e.Seal(previous)
		previous = e.Hash
		chained, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE main.log SET hash = ?, body = ? WHERE id = ?`, e.Hash, string(chained), e.ID); err != nil {
			return err
		}
	}
	return nil
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
