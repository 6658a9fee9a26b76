package observe

import (
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuildOf(t *testing.T) {
	recorded := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.3"}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}
	when := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-23T09:00:00Z"}
	for _, c := range []struct {
		name string
		in   *debug.BuildInfo
		want Build
	}{
		{
			"a-clean-checkout", recorded(revision, when, debug.BuildSetting{Key: "vcs.modified", Value: "false"}),
			Build{Version: "v1.2.3", Revision: "abc", Time: when.Value, Go: "go1.26.8"},
		},
		{
			"files-that-were-changed", recorded(debug.BuildSetting{Key: "vcs.modified", Value: "true"}, revision),
			Build{Version: "v1.2.3", Revision: "abc+dirty", Time: "unknown", Go: "go1.26.8"},
		},
		{
			"nothing-recorded", &debug.BuildInfo{},
			Build{Version: "unknown", Revision: "unknown", Time: "unknown", Go: "unknown"},
		},
		{"no-repository", recorded(), Build{Version: "v1.2.3", Revision: "unknown", Time: "unknown", Go: "go1.26.8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, buildOf(c.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
