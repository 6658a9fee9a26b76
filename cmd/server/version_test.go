package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestRecordedBuild(t *testing.T) {
	recorded := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.3"}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}
	when := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-23T09:00:00Z"}
	for _, c := range []struct {
		name string
		in   *debug.BuildInfo
		want buildInfo
	}{
		{
			"a-clean-checkout", recorded(revision, when, debug.BuildSetting{Key: "vcs.modified", Value: "false"}),
			buildInfo{Version: "v1.2.3", Revision: "abc", Time: when.Value, Go: "go1.26.8"},
		},
		{
			"files-that-were-changed", recorded(debug.BuildSetting{Key: "vcs.modified", Value: "true"}, revision),
			buildInfo{Version: "v1.2.3", Revision: "abc+dirty", Go: "go1.26.8"},
		},
		{"no-repository", recorded(), buildInfo{Version: "v1.2.3", Go: "go1.26.8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, recordedBuild(c.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
