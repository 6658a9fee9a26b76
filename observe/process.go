package observe

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Process registers the metrics of the Go runtime and of the process, and tenure_build_info, whose value is
// 1.
func Process(reg prometheus.Registerer) error {
	b := ReadBuild()
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tenure_build_info", Help: "The program that runs, as labels.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "go_version": runtime.Version()},
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
