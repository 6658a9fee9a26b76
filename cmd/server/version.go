package main

import (
	"fmt"
	"runtime/debug"

	"tenure/migrations"
)

// buildInfo describes the running program. Fields that the build did not record are empty.
type buildInfo struct {
	Version  string // of the module
	Revision string // of the repository; followed by "+dirty" if the files differed from it
	Time     string // of the revision, RFC 3339
	Go       string
	SQLite   int // the number of the last migration that the program has for each engine
	Neo4j    int
}

// readBuildInfo returns what the build recorded, with the versions of the schemas.
func readBuildInfo() (buildInfo, error) {
	var b buildInfo
	if recorded, ok := debug.ReadBuildInfo(); ok {
		b = recordedBuild(recorded)
	}
	sqlite, err := migrations.SQLite()
	if err != nil {
		return b, err
	}
	cypher, err := migrations.Cypher()
	if err != nil {
		return b, err
	}
	b.SQLite, b.Neo4j = len(sqlite), len(cypher)
	return b, nil
}

func recordedBuild(recorded *debug.BuildInfo) buildInfo {
	b := buildInfo{Version: recorded.Main.Version, Go: recorded.GoVersion}
	dirty := ""
	for _, s := range recorded.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+dirty"
			}
		}
	}
	if b.Revision != "" {
		b.Revision += dirty
	}
	return b
}

type versionCmd struct{}

// Run prints a line for each part of the build information.
func (*versionCmd) Run(w *world) error {
	b, err := readBuildInfo()
	if err != nil {
		return err
	}
	for _, line := range [][2]string{
		{"version", b.Version}, {"revision", b.Revision}, {"time", b.Time}, {"go", b.Go},
		{"schema sqlite", fmt.Sprint(b.SQLite)}, {"schema neo4j", fmt.Sprint(b.Neo4j)},
	} {
		value := line[1]
		if value == "" {
			value = "unknown"
		}
		fmt.Fprintf(w.out, "%-14s %s\n", line[0], value)
	}
	return nil
}
