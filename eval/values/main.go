// Command values measures how values are compared: which spellings of one value
// are found equal, and which near misses are kept apart, by type of value.
//
//	go run ./eval/values [-failures N] [-type T] [-heldout-failures N] [-write DIR]
//
// Its data have two halves with other spellings, units and languages, and with
// other numbers. Rules may be fitted to the failures of the first (dev); those of
// the second (heldout) are counted, and listed only if asked for. README.md has the
// conventions that the gold follows.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

type options struct {
	failures, held int
	kind, dir      string
}

func main() {
	var o options
	flag.IntVar(&o.failures, "failures", 0, "list the first N failures of each type in dev")
	flag.IntVar(&o.held, "heldout-failures", 0, "list the first N failures of each type in heldout, which then is unseen no more")
	flag.StringVar(&o.kind, "type", "", "only this type")
	flag.StringVar(&o.dir, "write", "", "write the data anew under this folder (eval/values/testdata) and measure nothing")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "values:", err)
		os.Exit(1)
	}
}

func run(o options, w io.Writer) error {
	if o.dir != "" {
		return write(o.dir)
	}
	for i, half := range halves {
		pairs, err := load(half)
		if err != nil {
			return err
		}
		report(w, half, measure(present, pairs, o.kind), []int{o.failures, o.held}[i])
	}
	return nil
}
