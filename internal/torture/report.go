package torture

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"tenure/internal/measure"
)

// Total is what came of all rounds of a fault.
type Total struct {
	Rounds, Good int
	Result
}

// Sum adds the rounds of each fault, in the order of the faults.
func Sum(rounds []Result) []Total {
	var list []Total
	for _, f := range All {
		t := Total{Result: Result{Fault: f.Name}}
		for _, r := range rounds {
			if r.Fault == f.Name {
				t.add(r)
			}
		}
		if t.Rounds > 0 {
			list = append(list, t)
		}
	}
	return list
}

func (t *Total) add(r Result) {
	t.Rounds++
	if r.Good() {
		t.Good++
	}
	t.Acknowledged += r.Acknowledged
	t.Again += r.Again
	t.Lost += r.Lost
	t.Doubled += r.Doubled
	t.Torn += r.Torn
	t.Late += r.Late
	t.Ready = slices.Concat(t.Ready, r.Ready)
	t.Stops = slices.Concat(t.Stops, r.Stops)
	t.Wrong = slices.Concat(t.Wrong, r.Wrong)
}

// Print prints a row for each fault, and one for all.
func Print(out io.Writer, engine string, totals []Total) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ENGINE\tFAULT\tROUNDS\tGOOD\tWRITES\tSENT AGAIN\tLOST\tDOUBLED\tREADY P50\tREADY MAX")
	all := Total{Result: Result{Fault: "all"}}
	for _, t := range totals {
		printRow(table, engine, t)
		good := all.Good + t.Good
		rounds := all.Rounds + t.Rounds
		all.add(t.Result)
		all.Rounds, all.Good = rounds, good
	}
	printRow(table, engine, all)
	if err := table.Flush(); err != nil {
		return err
	}
	if all.Torn > 0 {
		fmt.Fprintf(out, "%d acknowledged writes were in torn parts of a log, and sent again\n", all.Torn)
	}
	if len(all.Stops) > 0 {
		fmt.Fprintf(out, "%d of %d stops within the time of grace\n", len(all.Stops)-all.Late, len(all.Stops))
	}
	return nil
}

func printRow(out io.Writer, engine string, t Total) {
	fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", engine, t.Fault, t.Rounds, t.Good, t.Acknowledged, t.Again,
		t.Lost, t.Doubled, shown(measure.Quantile(t.Ready, .5)), shown(measure.Quantile(t.Ready, 1)))
}

func shown(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
