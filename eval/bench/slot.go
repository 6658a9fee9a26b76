package main

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	api "tenure/client"
	"tenure/internal/measure"
	"tenure/internal/run"
)

// newClaims is how many claims are measured at each size of a slot.
const newClaims = 60

// filled is what a claim costs in a slot that has a number of claims.
type filled struct {
	engine, kind string
	claims       int
	measured     measured
	filling      time.Duration // CPU of the server, to fill the slot
}

// benchSlot measures what one more claim costs in a slot of many claims, of a predicate with one value at a time and
// of one with many.
func benchSlot(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("slot", flag.ExitOnError)
	engines := f.String("engine", "sqlite,neo4j", "engines to measure")
	sizes := f.String("claims", "0,1000,3000,10000", "claims in the slot before measuring")
	if err := f.Parse(args); err != nil {
		return err
	}
	var claims []int
	for _, s := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return fmt.Errorf("--claims: %q is no number of claims", s)
		}
		claims = append(claims, n)
	}
	return run.WithServer(ctx, "slot", func(dir string, binary run.Binary) error {
		var rows []filled
		for _, name := range strings.Split(*engines, ",") {
			e, err := open(ctx, name, dir)
			if err != nil {
				return err
			}
			s := session{binary: binary, engine: e, store: e.store(0)}
			err = s.serve(ctx, fmt.Sprintf("slot-%d", time.Now().UnixNano()), func() error {
				found, err := s.slots(ctx, claims)
				rows = append(rows, found...)
				return err
			})
			e.close()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		printSlots(os.Stdout, rows)
		return nil
	})
}

// slots measures each kind of predicate at each size.
func (s *session) slots(ctx context.Context, claims []int) ([]filled, error) {
	kinds := []string{"one", "many"}
	err := s.define(ctx, []api.Term{
		{Name: "one", Cardinality: api.TermCardinalityOne}, {Name: "many", Cardinality: api.TermCardinalityMany},
	})
	if err != nil {
		return nil, err
	}
	var rows []filled
	for _, kind := range kinds {
		for _, n := range claims {
			fmt.Fprintf(os.Stderr, "%s: a slot of %d claims, %s\n", s.engine.name, n, kind)
			row := filled{engine: s.engine.name, kind: kind, claims: n}
			if err := s.slot(ctx, &row); err != nil {
				return rows, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// slot fills a slot and measures further claims. Claims of an empty slot are each about somebody else, who is known.
func (s *session) slot(ctx context.Context, row *filled) error {
	person := func(i int) string {
		if row.claims > 0 {
			i = 0
		}
		// names that are alike would be matched with each other
		h := fnv.New64a()
		fmt.Fprint(h, row.kind, row.claims, i)
		return "Zenobia " + strings.Map(func(r rune) rune { return 'a' + r%26 }, fmt.Sprint(h.Sum64()))
	}
	said := func(i int) obj {
		return said(i, person(i), row.kind, fmt.Sprintf("value %d", i), started.Add(time.Duration(i)*time.Hour))
	}
	before := measure.CPU(s.server.PID())
	if err := s.stream(ctx, row.claims, said); err != nil {
		return err
	}
	row.filling = measure.CPU(s.server.PID()) - before
	if row.claims == 0 {
		for i := range 2 * newClaims {
			if _, _, err := s.client.observe(ctx, obj{
				"source": source(i), "text": "Hello.", "mentions": list{obj{"name": person(i), "type": "person"}},
			}); err != nil {
				return err
			}
		}
	}
	var err error
	row.measured, err = s.sequence(newClaims, newClaims, func(i int) error {
		_, _, err := s.client.observe(ctx, said(row.claims+i))
		return err
	})
	return err
}

func printSlots(out io.Writer, rows []filled) {
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "ENGINE\tVALUES\tCLAIMS\tFILLING\tN\tP50\tCPU\tOF AN EMPTY SLOT")
	empty := map[string]time.Duration{}
	for _, r := range rows {
		p50 := measure.Quantile(r.measured.latencies, .5)
		if r.claims == 0 {
			empty[r.engine+r.kind] = p50
		}
		times := "-"
		if e := empty[r.engine+r.kind]; e > 0 {
			times = fmt.Sprintf("%.1f times", p50.Seconds()/e.Seconds())
		}
		fmt.Fprintln(t, strings.Join([]string{
			r.engine, r.kind, fmt.Sprint(r.claims), fmt.Sprintf("%.1f s", r.filling.Seconds()), fmt.Sprint(r.measured.n),
			millis(p50), micros(r.measured.cpu), times,
		}, "\t"))
	}
	_ = t.Flush()
	fmt.Fprintln(out, "\nA claim is one observation about somebody who is known, from one client. CPU is the server's own, for each.")
}
