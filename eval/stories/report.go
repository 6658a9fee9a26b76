package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// shown is how many bytes of a wrong answer are printed; the JSON file has all.
const shown = 400

// tally counts the checks that hold, and reports whether all others are documented.
func tally(checks []*check) (good int, documented bool) {
	documented = true
	for _, c := range checks {
		if c.OK {
			good++
		} else if !c.Documented {
			documented = false
		}
	}
	return good, documented
}

func show(w io.Writer, o outcome) {
	good, documented := tally(o.Checks)
	verdict, gap := "pass", ""
	if !o.OK {
		verdict = "FAIL"
		if o.Error == "" && documented {
			gap = " (documented)"
		}
	}
	fmt.Fprintf(w, "%s  %-26s %d/%d  %s%s\n", verdict, o.Story, good, len(o.Checks), o.Title, gap)
	for _, c := range o.Checks {
		if !c.OK {
			fmt.Fprintf(w, "        - %s; got %s\n", c.Check, cut(asJSON(c.Got)))
		}
	}
	if o.Error != "" {
		fmt.Fprintf(w, "        ! %s\n", cut(o.Error))
	}
}

// showTable prints a row for each engine.
func showTable(w io.Writer, done []outcome) {
	type sum struct{ passed, told, good, checks, documented int }
	sums, order := map[string]*sum{}, []string{}
	for _, o := range done {
		s := sums[o.Engine]
		if s == nil {
			s = &sum{}
			sums[o.Engine], order = s, append(order, o.Engine)
		}
		good, documented := tally(o.Checks)
		s.told++
		s.good += good
		s.checks += len(o.Checks)
		switch {
		case o.OK:
			s.passed++
		case o.Error == "" && documented:
			s.documented++
		}
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer func() { _ = t.Flush() }()
	fmt.Fprintln(t, "engine\tstories\tfailed as documented\tchecks")
	for _, engine := range order {
		s := sums[engine]
		fmt.Fprintf(t, "%s\t%d of %d\t%d\t%d of %d\n", engine, s.passed, s.told, s.documented, s.good, s.checks)
	}
}

func cut(s string) string {
	if len(s) > shown {
		return s[:shown] + "..."
	}
	return s
}

// asJSON returns a value as one line of JSON.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%v", v)
	}
	return string(text)
}
