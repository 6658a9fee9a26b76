package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// summary is one line of the StateBench referee; a nil field has no questions.
type summary struct {
	Queries   int      `json:"queries"`
	Clean     *float64 `json:"clean_and_complete"`
	Recall    *float64 `json:"must_mention_recall"`
	SFRR      *float64 `json:"live_sfrr"`
	Ceiling   *float64 `json:"oracle_clean_and_complete"`
	Tokens    *float64 `json:"tokens_mean"`
	TokensP95 *float64 `json:"tokens_p95"`
}

// scores holds the referee's tables by rule, v1 and v2.
type scores map[string]struct {
	Overall summary            `json:"overall"`
	ByTrack map[string]summary `json:"by_track"`
	ByKind  map[string]summary `json:"by_kind"`
	BySplit map[string]summary `json:"by_split"`
}

// check is the result of the memorycheck referee; a pair is failures, questions.
type check struct {
	Scenarios int               `json:"scenarios"`
	Passed    int               `json:"passed"`
	Fails     []string          `json:"fails"`
	Checks    map[string][2]int `json:"checks"`
}

type baselines struct {
	StateBench  map[string]scores `json:"statebench"`
	MemoryCheck map[string]check  `json:"memorycheck"`
}

// result is the result of one engine with one importer.
type result struct {
	StateBench  scores             `json:"statebench"`
	MemoryCheck check              `json:"memorycheck"`
	Sentences   check              `json:"sentences"` // memorycheck, told in words
	Requests    map[string]int     `json:"requests"`
	Imported    map[string]int     `json:"imported"`
	Failures    []string           `json:"failures"`
	Seconds     float64            `json:"seconds"`
	CompileMS   map[string]float64 `json:"compile_ms"`

	Engine, Importer, Stream, Log string
	Total                         time.Duration
}

func (r result) name() string { return r.Engine + " " + r.Importer }

// column is one system in a table.
type column struct {
	name   string
	scores scores
}

func columns(base baselines, runs []result) []column {
	var list []column
	for _, name := range []string{"everything", "transcript", "valid-facts", "valid-facts+env"} {
		list = append(list, column{name, base.StateBench[name]})
	}
	for _, r := range runs {
		list = append(list, column{r.name(), r.StateBench})
	}
	return list
}

func report(w io.Writer, base baselines, runs []result) {
	list := columns(base, runs)
	overall(w, list)
	pick := func(s summary) *float64 { return s.Clean }
	split(w, "clean and complete, by file (v1)", list,
		func(c column) map[string]summary { return c.scores["v1"].BySplit }, pick)
	split(w, "clean and complete, by track (v1)", list,
		func(c column) map[string]summary { return c.scores["v1"].ByTrack }, pick)
	split(w, "clean and complete, by how the supersession is told (v1)", list,
		func(c column) map[string]summary { return c.scores["v1"].ByKind }, pick)
	split(w, "live resurrection, by track (v1)", list,
		func(c column) map[string]summary { return c.scores["v1"].ByTrack }, func(s summary) *float64 { return s.SFRR })
	memory(w, base, runs)
	requests(w, runs)
}

func overall(w io.Writer, list []column) {
	fmt.Fprintf(w, "StateBench, %d questions\n", list[0].scores["v1"].Overall.Queries)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	header(t, list)
	for _, row := range []struct {
		name, rule, verb string
		of               func(summary) *float64
	}{
		{"clean and complete, v1", "v1", "%.3f", func(s summary) *float64 { return s.Clean }},
		{"clean and complete, v2", "v2", "%.3f", func(s summary) *float64 { return s.Clean }},
		{"live resurrection, v1", "v1", "%.3f", func(s summary) *float64 { return s.SFRR }},
		{"live resurrection, v2", "v2", "%.3f", func(s summary) *float64 { return s.SFRR }},
		{"must-mention recall, v1", "v1", "%.3f", func(s summary) *float64 { return s.Recall }},
		{"must-mention recall, v2", "v2", "%.3f", func(s summary) *float64 { return s.Recall }},
		{"extractive ceiling, v1", "v1", "%.3f", func(s summary) *float64 { return s.Ceiling }},
		{"tokens, mean", "v1", "%.0f", func(s summary) *float64 { return s.Tokens }},
		{"tokens, p95", "v1", "%.0f", func(s summary) *float64 { return s.TokensP95 }},
	} {
		fmt.Fprint(t, row.name, "\t")
		for _, c := range list {
			fmt.Fprint(t, number(row.verb, row.of(c.scores[row.rule].Overall)), "\t")
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush()
}

func split(w io.Writer, title string, list []column, group func(column) map[string]summary, of func(summary) *float64) {
	fmt.Fprintf(w, "\n%s\n", title)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	header(t, list)
	for _, name := range slices.Sorted(maps.Keys(group(list[0]))) {
		fmt.Fprint(t, name, "\t")
		for _, c := range list {
			fmt.Fprint(t, number("%.3f", of(group(c)[name])), "\t")
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush()
}

func header(w io.Writer, list []column) {
	fmt.Fprint(w, "\t")
	for _, c := range list {
		fmt.Fprint(w, c.name, "\t")
	}
	fmt.Fprintln(w)
}

func number(verb string, x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(verb, *x)
}

func memory(w io.Writer, base baselines, runs []result) {
	fmt.Fprintln(w, "\nmemorycheck")
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(name string, c check) {
		fmt.Fprintf(t, "%s\t%d/%d scenarios", name, c.Passed, c.Scenarios)
		for _, k := range slices.Sorted(maps.Keys(c.Checks)) {
			fmt.Fprintf(t, "\t%s %d/%d", k, c.Checks[k][0], c.Checks[k][1])
		}
		fmt.Fprintln(t, "\t"+strings.Join(c.Fails, " "))
	}
	for _, name := range slices.Sorted(maps.Keys(base.MemoryCheck)) {
		line(name, base.MemoryCheck[name])
	}
	for _, r := range runs {
		if r.Importer == runs[0].Importer { // no importer has a part in it
			line(r.Engine, r.MemoryCheck)
			line(r.Engine+", in sentences", r.Sentences)
		}
	}
	_ = t.Flush()
}

func requests(w io.Writer, runs []result) {
	fmt.Fprintln(w, "\nrequests")
	for _, r := range runs {
		fmt.Fprintf(w, "%s: %s; compile p50 %.1f ms, p95 %.1f ms; %.1f s of requests, %.1f s in all\n", r.name(),
			counts(r.Requests), r.CompileMS["p50"], r.CompileMS["p95"], r.Seconds, r.Total.Seconds())
		if r.Log != "" {
			fmt.Fprintf(w, "%s: the server logged:\n%s\n", r.name(), r.Log)
		}
		fmt.Fprintf(w, "%s: imported %s\n", r.name(), counts(r.Imported))
	}
}

func counts(m map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(parts, ", ")
}
