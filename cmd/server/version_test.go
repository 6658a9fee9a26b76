package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	var out bytes.Buffer
	if err := (&versionCmd{}).Run(&world{out: &out}); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		got[strings.TrimSpace(line[:15])] = strings.TrimSpace(line[15:])
	}
	steps := func(pattern string) string {
		files, err := filepath.Glob(filepath.Join("..", "..", "migrations", pattern))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(len(files))
	}
	for name, want := range map[string]string{
		"go": runtime.Version(), "schema sqlite": steps("sqlite/*.sql"), "schema neo4j": steps("cypher/*.cypher"),
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q:\n%s", name, got[name], want, out.String())
		}
	}
}
