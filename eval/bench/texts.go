package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tenure/index"
	"tenure/internal/measure"
	"tenure/internal/run"
)

// textBenchmark is one measurement over a registry of which some people are talked of.
type textBenchmark struct {
	benchmark

	run func(ctx context.Context, s *session, t *talk) (measured, error)
}

var textBenchmarks = []textBenchmark{
	{benchmark{name: "text", title: "one text of some 60 words, one client", targets: map[string]target{
		"sqlite": {p50: 6 * time.Millisecond}, "neo4j": {p50: 25 * time.Millisecond},
	}}, oneText},
	{benchmark{name: "batch", title: "batch of such texts, eight a thread, in turns", targets: both(target{rate: 800})}, textBatch},
	{benchmark{name: "context", title: "compile after them, a question about somebody"}, textContext},
	{benchmark{name: "chat", title: "import of a chat log, messages of some 12 words"}, chatImport},
}

// textOptions are the flags of bench texts.
type textOptions struct {
	engines                   []string
	entities, batch, messages int
	only                      string
}

// benchTexts measures what texts cost over a registry of many entities.
func benchTexts(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("texts", flag.ExitOnError)
	engines := f.String("engine", "sqlite,neo4j", "engines to measure")
	var o textOptions
	f.IntVar(&o.entities, "entities", 100_000, "entities in the registry")
	f.IntVar(&o.batch, "batch", 4_000, "texts in the batch")
	f.IntVar(&o.messages, "messages", 1_000, "messages in the chat log")
	f.StringVar(&o.only, "only", "", "benchmarks to run: text, batch, context, chat")
	if err := f.Parse(args); err != nil {
		return err
	}
	o.engines = strings.Split(*engines, ",")
	chosen, err := run.Only(textBenchmarks, func(b textBenchmark) string { return b.name }, o.only, "benchmark")
	if err != nil {
		return err
	}
	r := report{loads: []string{measure.Load()}}
	for _, b := range chosen {
		r.benchmarks = append(r.benchmarks, b.benchmark)
	}
	err = run.WithServer(ctx, "texts", func(dir string, binary run.Binary) error {
		for _, name := range o.engines {
			e, err := open(ctx, name, dir)
			if err != nil {
				return err
			}
			s := session{binary: binary, engine: e, store: e.store(0), size: o.entities}
			err = s.texts(ctx, dir, o, chosen, &r)
			e.close()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.table(os.Stdout)
	fmt.Printf(`The registry is written directly, its index built before the server starts. Texts name two or three people of it; %d people have four beliefs each. STORE counts entities. CPU is the server's own, for each of N; the
client and Neo4j share the %d CPUs with it (load %s before, %s after).
`, talkedOf, runtime.NumCPU(), r.loads[0], measure.Load())
	return nil
}

// texts fills a registry and runs the benchmarks over it.
func (s *session) texts(ctx context.Context, dir string, o textOptions, chosen []textBenchmark, r *report) error {
	tenant := fmt.Sprintf("texts-%d", time.Now().UnixNano())
	folder := filepath.Join(dir, "index-"+s.engine.name)
	t := &talk{w: newWorld(31), texts: o.batch, messages: o.messages, dir: dir, tenant: tenant}
	took, err := measure.Timed(func() (err error) {
		t.known, err = fillIndexed(ctx, s.store, folder, tenant, o.entities)
		return err
	})
	if err != nil {
		return fmt.Errorf("filling: %w", err)
	}
	fmt.Fprintf(os.Stderr, "%s: a registry of %d entities, in %.0f s\n", s.engine.name, o.entities, took.Seconds())
	s.flags = []string{"--index", folder}
	p := place{engine: s.engine.name, size: o.entities}
	return s.serve(ctx, tenant, func() error {
		if err := s.stream(ctx, talkedOf, t.fact); err != nil {
			return fmt.Errorf("beliefs: %w", err)
		}
		s.idle(ctx)
		for _, b := range chosen {
			fmt.Fprintf(os.Stderr, "%s with %d entities: %s\n", s.engine.name, o.entities, b.name)
			m, err := b.run(ctx, s, t)
			if err != nil {
				return fmt.Errorf("%s: %w", b.name, err)
			}
			r.add(p, b.benchmark, m)
		}
		return nil
	})
}

// fillIndexed writes a registry and its index, as if all of it were re-resolved.
func fillIndexed(ctx context.Context, address, folder, tenant string, n int) (known []registered, err error) {
	s, err := run.OpenStore(ctx, address)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if known, err = fillRegistry(ctx, s, tenant, n, 1); err != nil {
		return nil, err
	}
	if err := index.Rebuild(ctx, folder, s, index.Config{}); err != nil {
		return nil, err
	}
	x, err := index.Open(folder, index.Config{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	end, err := x.Checkpoint(ctx, tenant)
	if err == nil {
		x.Checkpoints().Set(tenant, end)
	}
	return known, err
}

// threadTurns is how many texts a thread has.
const threadTurns = 8

func oneText(ctx context.Context, s *session, t *talk) (measured, error) {
	const warm, n = 40, 400
	return s.sequence(warm, n, func(i int) error {
		body := encode(t.observation("one", i, (warm+n)/threadTurns))
		_, err := s.client.Send(ctx, http.MethodPost, "/v1/observations", body)
		return err
	})
}

func textBatch(ctx context.Context, s *session, t *talk) (measured, error) {
	var lines bytes.Buffer
	for i := range t.texts {
		lines.Write(append(encode(t.observation("batch", i, max(t.texts/threadTurns, 1))), '\n'))
	}
	m, cpu := measured{n: t.texts}, measure.CPU(s.server.PID())
	took, err := measure.Timed(func() error {
		n, err := s.client.batch(ctx, &lines)
		if err == nil && n != t.texts {
			err = fmt.Errorf("%d results", n)
		}
		return err
	})
	if err != nil {
		return m, err
	}
	m.rate = float64(t.texts) / took.Seconds()
	return s.withFollowing(ctx, m, cpu)
}

func textContext(ctx context.Context, s *session, t *talk) (measured, error) {
	s.idle(ctx)
	return s.sequence(20, 200, func(i int) error {
		_, err := s.client.Send(ctx, http.MethodPost, "/v1/compile", encode(obj{
			"task":          obj{"type": "system_orchestration", "name": "plan_visit"},
			"query":         fmt.Sprintf("Which office does %s work at, and who has the budget?", t.person(i)),
			"budget_tokens": 2000, "provider": "plain",
		}))
		return err
	})
}

var messagesRate = regexp.MustCompile(`, (\d+) messages/s`)

// chatImport imports a chat log into an empty tenant while no server runs, and takes the rate that the command tells.
func chatImport(ctx context.Context, s *session, t *talk) (measured, error) {
	m := measured{n: t.messages}
	if err := s.server.Stop(); err != nil {
		return m, err
	}
	tenant := t.tenant + "-chat"
	if _, err := s.binary.Key(ctx, s.store, tenant); err != nil {
		return m, err
	}
	file := filepath.Join(t.dir, "chat.jsonl")
	if err := os.WriteFile(file, t.chat(), 0o600); err != nil {
		return m, err
	}
	before := childrensCPU()
	_, log, err := s.binary.Run(ctx, "import-chat", "--store", s.store, "--tenant", tenant, "--output", os.DevNull, file)
	if err != nil {
		return m, err
	}
	m.cpu = (childrensCPU() - before) / time.Duration(m.n)
	found := messagesRate.FindStringSubmatch(log)
	if found == nil {
		return m, fmt.Errorf("the import does not tell its rate: %s", log)
	}
	m.rate, err = strconv.ParseFloat(found[1], 64)
	return m, err
}

// childrensCPU returns the processor time of the programs that were run to their ends.
func childrensCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
