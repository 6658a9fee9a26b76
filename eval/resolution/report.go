package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// value returns a measure of the referee; false if undefined, as the precision without merges.
func (r result) value(key string) (float64, bool) {
	v, ok := r.scores[key].(float64)
	if n, whole := r.scores[key].(int); whole {
		return float64(n), true
	}
	return v, ok
}

// judge compares a figure with its floor; "" where no floor applies.
func (r result) judge(f figure, e engine, partial bool) string {
	v, ok := r.value(f.key)
	switch {
	case f.floor == nil, partial, r.set.kind == scale && !e.judged && f.key != "found":
		return ""
	case ok && f.floor.met(v):
		return "pass"
	}
	return "FAIL"
}

// show writes the tables of an engine, and reports whether all floors are met.
func show(out io.Writer, e engine, results []result, partial bool) bool {
	met := true
	fmt.Fprintf(out, "\n%s: entity resolution over HTTP\n", e.name)
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SET\tROWS\tMEASURE\tOURS\tBEST PEER\tFLOOR\t")
	for _, r := range results {
		name, rows := r.set.name, fmt.Sprint(r.scores["n"])
		for _, f := range r.set.figures {
			verdict := r.judge(f, e, partial)
			met = met && verdict != "FAIL"
			fmt.Fprintln(t, strings.Join([]string{name, rows, f.title, r.number(f.key), orDash(f.peer), f.floor.String(),
				verdict}, "\t"))
			name, rows = "", ""
		}
	}
	_ = t.Flush()
	costs(out, results)
	if partial {
		fmt.Fprintln(out, "--limit: floors are for whole sets and are not judged")
	}
	return met
}

// costs writes the time and the memory of the sets.
func costs(out io.Writer, results []result) {
	fmt.Fprintln(out)
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SET\tLOADED\tLOAD\tSETTLED\tREVIEWS\tASKED\tRATE\tP50\tP99\tSERVER P50\tP99\tRSS\tPEAK\tMACHINE")
	for _, r := range results {
		c := r.taken
		rate := "-"
		if c.asked > 0 {
			rate = fmt.Sprintf("%.0f/s", float64(c.asked)/c.asking.Seconds())
		}
		fmt.Fprintln(t, strings.Join([]string{
			r.set.name, count(c.rows), seconds(c.load), seconds(c.settle), count(c.open), count(c.asked), rate,
			ms(c.p50), ms(c.p99), ms(c.serverP50), ms(c.server9), megabytes(c.rss), megabytes(c.peak), c.load1,
		}, "\t"))
	}
	_ = t.Flush()
	for _, r := range results {
		if r.taken.reasons != "" {
			fmt.Fprintf(out, "%s: open reviews: %s\n", r.set.name, r.taken.reasons)
		}
		for _, n := range r.taken.notes {
			fmt.Fprintf(out, "%s: %s\n", r.set.name, n)
		}
	}
	fmt.Fprintf(out, "SETTLED: until re-resolution has nothing more to write. P50, P99: requests of one mention, one after the other, by the\n"+
		"client's clock and, interpolated from its histogram, by the server's. MACHINE: load of the last minute, %d CPUs.\n", runtime.NumCPU())
}

// progress writes the result of a set on one line.
func progress(out io.Writer, r result) {
	var parts []string
	for _, f := range r.set.figures {
		parts = append(parts, f.title+" "+r.number(f.key))
	}
	fmt.Fprintf(out, "  %s; load %s, settled %s, %d reviews, RSS %s\n", strings.Join(parts, ", "), seconds(r.taken.load),
		seconds(r.taken.settle),
		r.taken.open, megabytes(r.taken.rss))
}

func (r result) number(key string) string {
	v, ok := r.value(key)
	switch {
	case !ok:
		return "-"
	case v == float64(int(v)) && v != 1:
		return fmt.Sprintf("%.0f", v)
	case v > 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.4f", v)
}

func (f *floor) String() string {
	switch {
	case f == nil:
		return ""
	case f.atLeast:
		return fmt.Sprintf(">= %g", f.value)
	}
	return fmt.Sprintf("<= %g", f.value)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func count(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func seconds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func ms(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f ms", millis(d))
}

func megabytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f MB", float64(n)/1e6)
}
