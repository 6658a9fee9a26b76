package store

import "time"

// Question is a read-only question in the language of each engine; see package queries.
type Question struct {
	// Cypher and SQL are "" for an engine that cannot be asked.
	Cypher, SQL string
	// Parameters are texts and whole numbers by name. The engine adds tenant and limit.
	Parameters map[string]any
	// Limit bounds the rows, Timeout the time that the engine spends on them.
	Limit   int
	Timeout time.Duration
}
