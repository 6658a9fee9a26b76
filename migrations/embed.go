// Package migrations holds the schema of each engine as numbered files, and
// reads them. The engines run them: each file once, in order, under a lock,
// with its checksum recorded; a recorded checksum that differs is refused.
package migrations

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed cypher/*.cypher
var cypher embed.FS

//go:embed sqlite/*.sql
var sqlite embed.FS

// Migration is one step of a schema.
type Migration struct {
	Number   int
	Name     string
	Checksum string // SHA-256 of the file, hex
	// Former are the checksums of earlier forms of the file, which made the same
	// schema of the same data.
	Former []string
	// Statements are the parts of the file between semicolons at line ends,
	// without comment lines.
	Statements []string
}

// former are the checksums of files that were written otherwise before.
var former = map[string][]string{
	"0003_reviews.cypher": {"3f5563956d96b67eb1b3b45941df5f25bea7347c8b151e58bff6cadfe25169af"},
}

// Made reports whether a store with the recorded checksum was made by the migration.
func (m Migration) Made(checksum string) bool {
	return checksum == m.Checksum || slices.Contains(m.Former, checksum)
}

// Cypher lists the migrations of Neo4j in order.
func Cypher() ([]Migration, error) { return load(cypher, "cypher") }

// SQLite lists the migrations of SQLite in order.
func SQLite() ([]Migration, error) { return load(sqlite, "sqlite") }

func load(files fs.FS, dir string) ([]Migration, error) {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, err
	}
	var list []Migration
	for _, e := range entries {
		number, _, ok := strings.Cut(e.Name(), "_")
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			return nil, fmt.Errorf("migration %s: the name does not start with a number and an underscore", e.Name())
		}
		body, err := fs.ReadFile(files, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		list = append(list, Migration{n, e.Name(), hex.EncodeToString(sum[:]), former[e.Name()], statements(string(body))})
	}
	slices.SortFunc(list, func(a, b Migration) int { return cmp.Compare(a.Number, b.Number) })
	for i, m := range list {
		if m.Number != i+1 {
			return nil, fmt.Errorf("migration %s: number %d is missing or doubled", m.Name, i+1)
		}
	}
	return list, nil
}

func statements(body string) []string {
	var list []string
	var b strings.Builder
	for line := range strings.Lines(body) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "--") || strings.HasPrefix(trimmed, "//") {
			continue
		}
		b.WriteString(line)
		if strings.HasSuffix(trimmed, ";") {
			list = append(list, strings.TrimSuffix(strings.TrimSpace(b.String()), ";"))
			b.Reset()
		}
	}
	if rest := strings.TrimSpace(b.String()); rest != "" {
		list = append(list, rest)
	}
	return list
}
