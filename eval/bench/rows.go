package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"

	"tenure/internal/names"
)

// row is a line for "server import". Cluster is the true entity.
type row struct {
	ID         string              `json:"id"`
	Type       string              `json:"type"`
	Name       string              `json:"name"`
	Attributes map[string][]string `json:"attributes"`
	Cluster    string              `json:"cluster"`
}

// writeRows writes rows to standard output.
func writeRows(args []string) error {
	f := flag.NewFlagSet("bench rows", flag.ExitOnError)
	n := f.Int("rows", 100_000, "how many")
	if err := f.Parse(args); err != nil {
		return err
	}
	return generateRows(os.Stdout, *n)
}

// generateRows writes n rows: two new people, then a repetition of one of the last ten thousand, half of these with a
// typo.
func generateRows(w io.Writer, n int) error {
	const remembered = 10_000
	namer, rnd := names.New(13), mathrand.New(mathrand.NewPCG(17, 19)) //nolint:gosec // counted, not secret
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	var last []row
	for i := range n {
		var r row
		if i%3 == 2 {
			r = last[rnd.IntN(len(last))]
			if rnd.IntN(2) == 0 {
				r.Name = names.Mistyped(rnd, r.Name, 1)
			}
		} else {
			r = row{Type: "person", Name: namer.Name(), Attributes: attributes(rnd), Cluster: fmt.Sprint("c", i)}
			if last = append(last, r); len(last) > remembered {
				last = last[1:]
			}
		}
		r.ID = fmt.Sprint("r", i)
		if err := lines.Encode(r); err != nil {
			return err
		}
	}
	return out.Flush()
}
