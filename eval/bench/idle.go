package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"tenure/internal/measure"
	"tenure/internal/run"
)

// idled is what a server costs that has served a number of tenants, each once, and does nothing now.
type idled struct {
	engine         string
	tenants        int
	calls          float64 // of the store, a second
	cpu            float64 // seconds a second
	rss            int64
	ready, metrics time.Duration
}

// benchIdle measures what tenants cost that are not in use.
func benchIdle(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("idle", flag.ExitOnError)
	engines := f.String("engine", "sqlite,neo4j", "engines to measure")
	sizes := f.String("tenants", "100,1000,10000", "tenants that were in use once")
	most := f.Int("neo4j-tenants", 1000, "most tenants on Neo4j")
	window := f.Duration("for", 20*time.Second, "how long the idle server is observed")
	program := f.String("program", "", "the server program to measure; default: this one")
	if err := f.Parse(args); err != nil {
		return err
	}
	var tenants []int
	for _, s := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("--tenants: %q is no number of tenants", s)
		}
		tenants = append(tenants, n)
	}
	return run.WithServer(ctx, "idle", func(dir string, binary run.Binary) error {
		if *program != "" {
			binary = run.At(*program)
		}
		var rows []idled
		for _, name := range strings.Split(*engines, ",") {
			e, err := open(ctx, name, dir)
			if err != nil {
				return err
			}
			sizes := tenants
			if e.jit {
				sizes = slices.DeleteFunc(slices.Clone(tenants), func(n int) bool { return n > *most })
			}
			found, err := idleOn(ctx, e, binary, sizes, *window)
			e.close()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			rows = append(rows, found...)
		}
		printIdle(os.Stdout, rows)
		return nil
	})
}

// idleOn measures a server over an engine for each number of tenants.
func idleOn(
	ctx context.Context, e engine, binary run.Binary, tenants []int, window time.Duration,
) (rows []idled, err error) {
	for i, n := range tenants {
		fmt.Fprintf(os.Stderr, "%s: %d tenants\n", e.name, n)
		s := session{binary: binary, engine: e, store: e.store(i)}
		err := s.serve(ctx, fmt.Sprintf("idle-%d", time.Now().UnixNano()), func() error {
			row, err := s.idled(ctx, n, window)
			rows = append(rows, row)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// idled uses each of n tenants once, waits until the server has done what follows from it, and observes it.
func (s *session) idled(ctx context.Context, n int, window time.Duration) (idled, error) {
	row := idled{engine: s.engine.name, tenants: n}
	keys, err := run.Place{Store: s.store}.Keys(ctx, "idle", n)
	if err != nil {
		return row, err
	}
	if err := s.touch(ctx, keys); err != nil {
		return row, err
	}
	settle, cancel := context.WithTimeout(ctx, time.Minute) // a server that polls is never idle
	s.idle(settle)
	cancel()
	before, _, err := s.storeCalls(ctx)
	if err != nil {
		return row, err
	}
	cpu, began := measure.CPU(s.server.PID()), time.Now()
	select {
	case <-ctx.Done():
		return row, ctx.Err()
	case <-time.After(window):
	}
	seconds := time.Since(began).Seconds()
	row.cpu = (measure.CPU(s.server.PID()) - cpu).Seconds() / seconds
	after, took, err := s.storeCalls(ctx)
	if err != nil {
		return row, err
	}
	row.calls, row.metrics = (after-before)/seconds, took
	row.rss = resident(s.server.PID())
	row.ready, err = measure.Timed(func() error {
		_, err := s.client.Send(ctx, "GET", "/readyz", nil)
		return err
	})
	return row, err
}

// touch makes an observation with each of the keys.
func (s *session) touch(ctx context.Context, keys []string) error {
	body := encode(obj{
		"source": source(0), "text": "Hello.", "mentions": list{obj{"name": "Ada Lind", "type": "person"}},
	})
	var all sync.WaitGroup
	const atOnce = 8
	faults := make([]error, atOnce)
	for first := range atOnce {
		all.Go(func() {
			c := *s.client.Client
			for i := first; i < len(keys) && faults[first] == nil; i += atOnce {
				c.Key = keys[i]
				_, faults[first] = c.Send(ctx, "POST", "/v1/observations", body)
			}
		})
	}
	all.Wait()
	return errors.Join(faults...)
}

// storeCalls returns how often the server has called its store, and how long its metrics took to read.
func (s *session) storeCalls(ctx context.Context) (sum float64, took time.Duration, err error) {
	var text []byte
	took, err = measure.Timed(func() (err error) {
		text, err = s.client.Send(ctx, "GET", "/metrics", nil)
		return err
	})
	lines := bufio.NewScanner(bytes.NewReader(text))
	for err == nil && lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "}")
		if !strings.HasPrefix(name, "tenure_store_call_seconds_count") &&
			!strings.HasPrefix(name, "tenure_store_read_seconds_count") {
			continue
		}
		var n float64
		n, err = strconv.ParseFloat(strings.TrimSpace(value), 64)
		sum += n
	}
	return sum, took, err
}

func printIdle(out io.Writer, rows []idled) {
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "ENGINE\tTENANTS\tSTORE CALLS A SECOND\tCPU\tRESIDENT\t/readyz\t/metrics")
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(slices.Concat([]string{r.engine, fmt.Sprint(r.tenants)}, []string{
			fmt.Sprintf("%.1f", r.calls), fmt.Sprintf("%.2f %%", 100*r.cpu), fmt.Sprintf("%d MB", r.rss>>20),
			millis(r.ready), millis(r.metrics),
		}), "\t"))
	}
	_ = t.Flush()
	fmt.Fprintln(out, "\nEach tenant made one observation before. CPU is the server's own, of one processor.")
}
