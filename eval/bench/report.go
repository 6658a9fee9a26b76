package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"tenure/internal/measure"
)

// place is a measured store, and what filling it cost.
type place struct {
	engine         string
	size           int
	note           string
	filled         float64 // beliefs a second
	full, bytes    int64   // on disk, after filling and at the end
	rss, engineRSS int64
}

type result struct {
	place     place
	benchmark benchmark
	measured  measured
}

// report is the result of a run of some benchmarks.
type report struct {
	benchmarks []benchmark
	results    []result
	places     []place
	loads      []string // before and after
}

func (r *report) add(p place, b benchmark, m measured) {
	r.results = append(r.results, result{p, b, m})
}

// table writes the results, with the benchmarks to compare in adjacent lines.
func (r *report) table(out io.Writer) {
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "BENCHMARK\tENGINE\tSTORE\tN\tP50\tP99\tRATE\tCPU\tTARGET\tMET")
	for _, b := range r.benchmarks {
		title := b.title
		for _, x := range r.results {
			if x.benchmark.name == b.name {
				fmt.Fprintln(t, x.line(title))
				title = ""
			}
		}
	}
	_ = t.Flush()
	fmt.Fprintln(out)
}

// print writes the table, what was measured of the stores, and how.
func (r *report) print(out io.Writer) {
	r.table(out)
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "ENGINE\tSTORE\tFILLED AT\tON DISK, FILLED\tAT THE END\tSERVER RSS\tENGINE RSS\tNOTE")
	for _, p := range r.places {
		filled := "-"
		if p.filled > 0 {
			filled = fmt.Sprintf("%.0f beliefs/s", p.filled)
		}
		fmt.Fprintln(t, strings.Join([]string{
			p.engine, sized(p.size), filled, megabytes(p.full), megabytes(p.bytes), megabytes(p.rss), megabytes(p.engineRSS),
			p.note,
		}, "\t"))
	}
	_ = t.Flush()
	fmt.Fprintf(out, `
Compared within this run, on this machine (%d CPUs, load %s): SQLite with Neo4j, an empty store with a full one.
/healthz is the floor: what HTTP alone costs. CPU is the server's own, for each of N. The client and Neo4j share the CPUs
with the server. Stores are filled by one POST /v1/observations:batch of 5 claims a line.
`, runtime.NumCPU(), strings.Join(r.loads, " before, ")+" after")
}

// wanted is the target of some figures, in words, and whether a figure misses it.
type wanted struct {
	wants  []string
	missed bool
}

func (a *wanted) want(asked, ok bool, text string) {
	if asked {
		a.wants = append(a.wants, text)
		a.missed = a.missed || !ok
	}
}

// targetsOf returns the target of two latencies; 0 sets none.
func targetsOf(p50, target50, p99, target99 time.Duration) wanted {
	var a wanted
	a.want(target50 > 0, p50 <= target50, "p50 <= "+millis(target50))
	a.want(target99 > 0, p99 <= target99, "p99 <= "+millis(target99))
	return a
}

func (x result) line(title string) string {
	m, t := x.measured, x.benchmark.targets[x.place.engine]
	p50, p99 := measure.Quantile(m.latencies, .5), measure.Quantile(m.latencies, .99)
	w := targetsOf(p50, t.p50, p99, t.p99)
	w.want(t.rate > 0, m.rate >= t.rate, fmt.Sprintf(">= %.0f/s", t.rate))
	verdict := "-"
	switch {
	case len(w.wants) == 0:
		w.wants = []string{"-"}
	case !w.missed:
		verdict = "yes"
	default:
		verdict = "NO"
	}
	rate := "-"
	if m.rate > 0 {
		rate = fmt.Sprintf("%.0f/s", m.rate)
	}
	tail := millis(p99)
	if len(m.latencies) < 100 {
		tail = "-"
	}
	return strings.Join([]string{
		title, x.place.engine, sized(x.place.size), fmt.Sprint(m.n), millis(p50), tail, rate, micros(m.cpu),
		strings.Join(w.wants, ", "), verdict,
	}, "\t")
}

func sized(size int) string {
	if size == 0 {
		return "empty"
	}
	return fmt.Sprintf("%dk", size/1000)
}

func millis(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	ms := d.Seconds() * 1000
	if ms >= 10 || ms == math.Trunc(ms) {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f ms", ms)
}

func micros(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%d us", d.Microseconds())
}

func megabytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f MB", float64(n)/1e6)
}
