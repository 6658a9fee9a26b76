package main

import (
	"fmt"

	"tenure/migrations"
	"tenure/observe"
)

type versionCmd struct{}

// Run prints a line for each part of the build information, and the number of the last migration that the program
// has for each engine.
func (*versionCmd) Run(w *world) error {
	sqlite, err := migrations.SQLite()
	if err != nil {
		return err
	}
	cypher, err := migrations.Cypher()
	if err != nil {
		return err
	}
	b := observe.ReadBuild()
	for _, line := range [][2]string{
		{"version", b.Version}, {"revision", b.Revision}, {"time", b.Time}, {"go", b.Go},
		{"schema sqlite", fmt.Sprint(len(sqlite))}, {"schema neo4j", fmt.Sprint(len(cypher))},
	} {
		fmt.Fprintf(w.out, "%-14s %s\n", line[0], line[1])
	}
	return nil
}
