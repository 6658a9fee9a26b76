package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"tenure/internal/measure"
	"tenure/internal/run"
)

// importOptions are the flags of bench import.
type importOptions struct {
	engines []string
	rows    int
	kill    float64
}

// benchImport measures "server import" of people, a third of them again with slips, into an empty registry: the rate
// by tenths of the rows, and what a killed import costs when it is run again.
func benchImport(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("bench import", flag.ExitOnError)
	engines := f.String("engine", "sqlite", "engines to measure")
	var o importOptions
	f.IntVar(&o.rows, "rows", 100_000, "how many rows")
	f.Float64Var(&o.kill, "kill", .5, "share of the rows after which the import is killed and run again, 0 for never")
	if err := f.Parse(args); err != nil {
		return err
	}
	o.engines = strings.Split(*engines, ",")
	return run.WithServer(ctx, "import", func(dir string, binary run.Binary) error {
		file := filepath.Join(dir, "rows.jsonl")
		if err := createRows(file, o.rows); err != nil {
			return err
		}
		for _, name := range o.engines {
			e, err := open(ctx, name, dir)
			if err != nil {
				return err
			}
			err = importInto(ctx, e, binary, o, file)
			e.close()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
}

func createRows(file string, n int) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(generateRows(out, n), out.Close())
}

// importInto imports the rows into a new tenant of an engine and prints what it measured.
func importInto(ctx context.Context, e engine, binary run.Binary, o importOptions, file string) error {
	store, load := e.store(0), measure.Load()
	tenant := fmt.Sprintf("import-%d", time.Now().UnixNano())
	if _, err := binary.Key(ctx, store, tenant); err != nil {
		return err
	}
	mapping := filepath.Join(filepath.Dir(file), "entities-"+e.name+".jsonl")
	args := []string{"import", "--store", store, "--tenant", tenant, "--source", "bench", "--ignore", "cluster",
		"--output", mapping, "--progress", "1s", file}
	w := &importWatch{began: time.Now()}
	if o.kill > 0 {
		w.killAt = int(o.kill * float64(o.rows))
		if err := w.watch(ctx, binary, args); err != nil {
			return err
		}
	}
	w.killAt = 0
	if err := w.watch(ctx, binary, args); err != nil {
		return err
	}
	quality, err := judge(file, mapping)
	if err != nil {
		return err
	}
	w.print(os.Stdout, e, store, o)
	fmt.Printf("%s. Load %s before, %s after.\n\n", quality, load, measure.Load())
	return nil
}

// sample is the state of an import: its rows so far, and the time and processor time that it took for them.
type sample struct {
	rows  int
	took  time.Duration
	cpu   time.Duration
	known int // rows that were imported before
	rss   int64
}

// importWatch follows an import, and the one that resumes it if it is killed.
type importWatch struct {
	began   time.Time
	killAt  int // rows, 0 for never
	samples []sample
	resumed *sample // when the second import had passed what the first one wrote, as far as was seen
	end     sample  // with re-resolution
	peak    int64

	before sample // of the killed import
}

var (
	progressLine = regexp.MustCompile(`^(\d+) of \d+ rows.* (\d+) unchanged$`)
	sumLine      = regexp.MustCompile(`^(\d+) rows: .* (\d+) unchanged$`)
)

// watch runs an import to its end, or kills it.
func (w *importWatch) watch(ctx context.Context, binary run.Binary, args []string) error {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	killed, last := false, sample{}
	began, first := time.Now(), len(w.samples) == 0
	err := binary.Follow(ctx, args, func(pid int, line string) {
		found := progressLine.FindStringSubmatch(line)
		all := sumLine.FindStringSubmatch(line)
		if found = append(found, all...); len(found) == 0 || killed {
			return
		}
		s := sample{took: time.Since(began), cpu: measure.CPU(pid)}
		s.rows, _ = strconv.Atoi(found[1])
		s.known, _ = strconv.Atoi(found[2])
		var most int64
		s.rss, most = measure.Memory(pid)
		w.peak = max(w.peak, most)
		if len(all) > 0 {
			w.end = sample{rows: s.rows, took: w.before.took + s.took, cpu: w.before.cpu + s.cpu, rss: s.rss}
			return
		}
		if w.add(s, first); w.killAt > 0 && s.rows >= w.killAt {
			killed, last = true, s
			kill()
		}
	})
	if killed {
		w.before = last
		return nil
	}
	return err
}

// add notes a sample. Of an import that was resumed only what it wrote counts.
func (w *importWatch) add(s sample, first bool) {
	if !first {
		if w.resumed == nil || s.rows == s.known {
			w.resumed = &s
			return
		}
		s.took += w.before.took - w.resumed.took
		s.cpu += w.before.cpu - w.resumed.cpu
	}
	if n := len(w.samples); n > 0 && s.rows <= w.samples[n-1].rows {
		return
	}
	w.samples = append(w.samples, s)
}

// at returns the state after a number of rows, in between two samples.
func (w *importWatch) at(rows int) sample {
	before := sample{}
	for _, s := range w.samples {
		if s.rows >= rows {
			part := float64(rows-before.rows) / float64(s.rows-before.rows)
			return sample{
				rows: rows, rss: s.rss,
				took: before.took + time.Duration(part*float64(s.took-before.took)),
				cpu:  before.cpu + time.Duration(part*float64(s.cpu-before.cpu)),
			}
		}
		before = s
	}
	return before
}

const tenths = 10

// print writes the table.
func (w *importWatch) print(out io.Writer, e engine, store string, o importOptions) {
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "IMPORT, %s\tROWS\tRATE\tCPU A ROW\tRESIDENT\n", e.name)
	var rates, costs []float64
	before := sample{}
	for i := range tenths {
		s := w.at(o.rows * (i + 1) / tenths)
		n := float64(s.rows - before.rows)
		if n <= 0 {
			continue
		}
		rates, costs = append(rates, n/(s.took-before.took).Seconds()), append(costs, (s.cpu-before.cpu).Seconds()/n)
		fmt.Fprintf(t, "tenth %d\t%d\t%.0f/s\t%.2f ms\t%s\n", i+1, s.rows, rates[len(rates)-1],
			1000*costs[len(costs)-1], megabytes(s.rss))
		before = s
	}
	fmt.Fprintf(t, "re-resolution, at the end\t\t\t%.2f ms\t%s\n",
		1000*max(0, w.end.cpu-before.cpu).Seconds()/float64(o.rows), megabytes(w.end.rss))
	fmt.Fprintf(t, "all\t%d\t%.0f/s\t%.2f ms\t%s\n", w.end.rows, float64(w.end.rows)/w.end.took.Seconds(),
		1000*w.end.cpu.Seconds()/float64(w.end.rows), megabytes(w.peak))
	_ = t.Flush()
	fmt.Fprintf(out, "In %s. Slowest tenth: %.0f %% of the rate of the fastest, by CPU %.0f %%. On disk %s.\n",
		w.end.took.Round(time.Second), 100*slices.Min(rates)/slices.Max(rates), 100*slices.Min(costs)/slices.Max(costs),
		megabytes(e.bytes(store)))
	if w.resumed != nil {
		fmt.Fprintf(out, "Killed after %d rows, run again: past the %d rows that were written within %s, %.2f ms of CPU each.\n",
			w.before.rows, w.resumed.known, w.resumed.took.Round(time.Second/10),
			1000*w.resumed.cpu.Seconds()/float64(w.resumed.rows))
	}
}

// judge compares the entities of the rows with those that they were generated from.
func judge(file, mapping string) (string, error) {
	type mapped struct {
		Entity string `json:"entity_id"`
	}
	truth, err := readAll(file, func(r row) string { return r.Cluster })
	if err != nil {
		return "", err
	}
	found, err := readAll(mapping, func(m mapped) string { return m.Entity })
	if err != nil {
		return "", err
	}
	if len(found) != len(truth) || slices.Contains(found, "") {
		return "", fmt.Errorf("%d rows have %d entities, or none", len(truth), len(found))
	}
	together := make([]string, len(truth))
	for i := range truth {
		together[i] = truth[i] + " " + found[i]
	}
	right := pairsWithin(together)
	return fmt.Sprintf("Pairs of rows: precision %.4f, recall %.4f", right/max(1, pairsWithin(found)),
		right/max(1, pairsWithin(truth))), nil
}

// pairsWithin counts the pairs of equal texts.
func pairsWithin(list []string) (pairs float64) {
	count := map[string]float64{}
	for _, s := range list {
		pairs += count[s]
		count[s]++
	}
	return pairs
}

// readAll reads a text of each line of a file.
func readAll[T any](file string, text func(T) string) (list []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for lines := json.NewDecoder(bufio.NewReader(f)); ; {
		var v T
		switch err := lines.Decode(&v); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, text(v))
	}
}
