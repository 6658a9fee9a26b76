package observe

import (
	"cmp"
	"runtime/debug"
)

// Build is what the build recorded of the program.
type Build struct {
	Version  string // of the module
	Revision string // of the repository; followed by "+dirty" if the files differed from it
	Time     string // of the revision, RFC 3339
	Go       string
}

// ReadBuild returns what the build recorded, "unknown" for what it did not.
func ReadBuild() Build {
	recorded, ok := debug.ReadBuildInfo()
	if !ok {
		recorded = &debug.BuildInfo{}
	}
	return buildOf(recorded)
}

func buildOf(recorded *debug.BuildInfo) Build {
	const unknown = "unknown"
	settings := map[string]string{}
	for _, s := range recorded.Settings {
		settings[s.Key] = s.Value
	}
	b := Build{
		Version: cmp.Or(recorded.Main.Version, unknown), Revision: cmp.Or(settings["vcs.revision"], unknown),
		Time: cmp.Or(settings["vcs.time"], unknown), Go: cmp.Or(recorded.GoVersion, unknown),
	}
	if b.Revision != unknown && settings["vcs.modified"] == "true" {
		b.Revision += "+dirty"
	}
	return b
}
