package observe

import (
	"runtime"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Process registers the metrics of the Go runtime and of the process, and tenure_build_info, whose value is
// 1.
func Process(reg prometheus.Registerer) error {
	version, revision := Build()
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tenure_build_info", Help: "The program that runs, as labels.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "go_version": runtime.Version()},
	})
	info.Set(1)
	for _, c := range []prometheus.Collector{
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), info,
	} {
		if err := reg.Register(c); err != nil {
			return err
		}
	}
	return nil
}

// Build returns the version of the program's module and the revision that it was built from, "unknown" if the
// build did not record them.
func Build() (version, revision string) {
	version, revision = "unknown", "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, revision
	}
	if info.Main.Version != "" {
		version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = s.Value
		}
	}
	return version, revision
}
