package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"tenure/internal/measure"
)

// figures are the headings of the figures of a group.
const figures = "QUESTIONS\tPRECISION\tRECALL\tCLEAN AND COMPLETE\tFORBIDDEN\tUNKNOWN\tTOKENS\tPREFIXES"

// report prints the tables.
func report(out io.Writer, all []answer, show bool) {
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "ENGINE\tSET\tSYSTEM\t"+figures)
	for _, key := range groups(all, func(a answer) string { return a.Engine + "\t" + a.Set + "\t" + a.System }) {
		row(t, key, all, func(a answer) string { return a.Engine + "\t" + a.Set + "\t" + a.System })
	}
	flush(t)
	fmt.Fprintln(out)
	fmt.Fprintln(t, "ENGINE\tSET\tSYSTEM\tKIND\t"+figures)
	middle := slices.DeleteFunc(slices.Clone(all), func(a answer) bool {
		return a.System != middle && a.System != middleWithVectors
	})
	kind := func(a answer) string { return a.Engine + "\t" + a.Set + "\t" + a.System + "\t" + a.Question.Kind }
	for _, key := range groups(middle, kind) {
		row(t, key, middle, kind)
	}
	flush(t)
	fmt.Fprintln(out)
	fmt.Fprintln(t, "ENGINE\tSET\tSYSTEM\tKIND\tMISSING BECAUSE\tTIMES")
	for _, key := range groups(middle, kind) {
		times := map[string]int{}
		for _, a := range middle {
			if kind(a) == key {
				for _, why := range a.Why {
					times[why]++
				}
			}
		}
		for _, why := range slices.Sorted(maps.Keys(times)) {
			fmt.Fprintf(t, "%s\t%s\t%d\n", key, why, times[why])
		}
	}
	flush(t)
	if !show {
		return
	}
	for _, a := range middle {
		if a.Set == "unseen" || len(a.Missing)+len(a.Extra) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s: %s %s %s: %s\n", a.System, a.World, a.Question.ID, a.Question.Kind, a.Question.Query)
		fmt.Fprintf(out, "  missing %v\n", a.Missing)
		for _, x := range a.Extra {
			fmt.Fprintf(out, "  extra %s\n", x)
		}
	}
}

func flush(t *tabwriter.Writer) {
	if err := t.Flush(); err != nil {
		panic(err)
	}
}

// groups lists the keys of answers, in their order.
func groups(all []answer, key func(answer) string) (keys []string) {
	for _, a := range all {
		if k := key(a); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// row prints the figures of one group. Precision and recall are of all objects of the group; what is allowed counts for
// neither. Unknown are the contexts that say so of a property, and false those that have something of the answer.
// Prefixes are the share of contexts whose stable prefix equals that of another question of the same caller.
func row(t io.Writer, name string, all []answer, key func(answer) string) {
	var questions, found, needed, extra, clean, wrong, unknown, alarms, tokens int
	prefixes, callers := map[string]bool{}, map[string]bool{}
	for _, a := range all {
		if key(a) != name {
			continue
		}
		questions++
		if len(a.Unknown) > 0 {
			unknown++
		}
		if len(a.Unknown) > 0 && len(a.Found) > 0 {
			alarms++
		}
		found, needed = found+len(a.Found), needed+len(a.Found)+len(a.Missing)
		extra, wrong, tokens = extra+len(a.Extra), wrong+len(a.Wrong), tokens+a.Tokens
		if len(a.Missing)+len(a.Wrong) == 0 {
			clean++
		}
		caller := a.World + string(a.Question.Scope) + string(a.Question.Identity) + a.Question.Clearance
		callers[caller] = true
		prefixes[caller+a.Prefix] = true
	}
	fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%d\t%d, %d false\t%d\t%d of %d callers\n", name, questions,
		measure.Share(found, found+extra), measure.Share(found, needed), measure.Share(clean, questions), wrong,
		unknown, alarms, tokens/max(questions, 1),
		len(prefixes), len(callers))
}
