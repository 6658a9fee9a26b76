package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"tenure/internal/measure"
	"tenure/internal/run"
)

// loadOptions says how long each part of the load benchmark lasts, what the heavy tenant sends, and at which multiples
// of the capacity.
type loadOptions struct {
	each        time.Duration
	kinds       []string
	factors     []float64
	outstanding int // requests of the heavy tenant under way at a time, at most
}

// loaded is what came of a load.
type loaded struct {
	factor   float64
	offered  float64 // requests a second that were due
	goodput  float64 // answers of 2xx a second
	answered share   // of what was due
	p50, p99 time.Duration
	quiet    quiet
	rss      int64
}

// share counts how requests ended.
type share struct{ good, refused, failed, unsent int }

// benchLoad offers a server more than it can carry out, from one tenant, while another asks for little.
func benchLoad(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("load", flag.ExitOnError)
	engines := f.String("engine", "sqlite,neo4j", "engines to measure")
	factors := f.String("factors", "1,2,5", "multiples of the measured capacity")
	kinds := f.String("heavy", "writes,reads", "what the heavy tenant sends: observations, compilations, or one after the other")
	o := loadOptions{}
	f.DurationVar(&o.each, "for", 20*time.Second, "how long each part lasts")
	f.IntVar(&o.outstanding, "outstanding", 3000, "requests under way at a time; what is due beyond them is not sent")
	if err := f.Parse(args); err != nil {
		return err
	}
	for _, text := range strings.Split(*factors, ",") {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n <= 0 {
			return fmt.Errorf("--factors: %q is no multiple", text)
		}
		o.factors = append(o.factors, n)
	}
	for _, kind := range strings.Split(*kinds, ",") {
		if kind != heavyWrites && kind != heavyReads {
			return fmt.Errorf("--heavy: %q is neither %s nor %s", kind, heavyWrites, heavyReads)
		}
		o.kinds = append(o.kinds, kind)
	}
	return run.WithServer(ctx, "load", func(dir string, binary run.Binary) error {
		var broken []error
		for _, name := range strings.Split(*engines, ",") {
			e, err := open(ctx, name, dir)
			if err != nil {
				return err
			}
			if err = loadEngine(ctx, o, session{binary: binary, engine: e, store: e.store(0)}); err != nil {
				broken = append(broken, fmt.Errorf("%s: %w", name, err))
			}
			e.close()
		}
		return errors.Join(broken...)
	})
}

// What the heavy tenant sends.
const (
	heavyWrites = "writes"
	heavyReads  = "reads"
)

// loadEngine measures one engine and prints what came of it.
func loadEngine(ctx context.Context, o loadOptions, s session) error {
	tenant := fmt.Sprintf("load-%d", time.Now().UnixNano())
	return s.serve(ctx, tenant, func() error {
		key, err := s.binary.Key(ctx, s.store, tenant+"-quiet")
		if err != nil {
			return err
		}
		still, err := startQuietTenant(ctx, s.server.URL, key)
		if err != nil {
			return err
		}
		if err := s.known(ctx); err != nil { // what compilations are about
			return err
		}
		var broken []error
		for _, kind := range o.kinds {
			broken = append(broken, loadWith(ctx, o, s, kind, still))
		}
		return errors.Join(append(broken, still.stop())...)
	})
}

// loadWith measures one engine while the heavy tenant sends requests of one kind. The server, and the cache of its
// store, is warm before anything counts.
func loadWith(ctx context.Context, o loadOptions, s session, kind string, still *quietTenant) error {
	heavy := &sender{send: writes(s.client, "H"), outstanding: o.outstanding}
	what := "observations"
	if kind == heavyReads {
		heavy.send, what = compilations(&s), "compilations"
	}
	heavy.capacity(ctx, o.each/2)
	if _, err := still.offer(o.each / 2); err != nil {
		return err
	}
	s.idle(ctx)
	alone, err := still.offer(o.each)
	if err != nil {
		return err
	}
	capacity := heavy.capacity(ctx, o.each)
	s.idle(ctx)
	fmt.Printf("%s: capacity %.0f %s a second; the quiet tenant alone, p99: writes %s, reads %s; %s\n",
		s.engine.name, capacity, what, alone.Writes.Round(time.Millisecond), alone.Reads.Round(time.Millisecond),
		measure.Load())
	var rows []loaded
	for _, factor := range o.factors {
		var calm quiet
		var beside sync.WaitGroup
		beside.Go(func() { calm, err = still.offer(o.each) })
		got := heavy.offer(ctx, capacity*factor, o.each)
		if beside.Wait(); err != nil {
			return err
		}
		rows = append(rows, summary(factor, o.each, got, calm, resident(s.server.PID())))
		s.idle(ctx)
	}
	if err := printLoaded(os.Stdout, rows); err != nil {
		return err
	}
	m := judged(rows, capacity, alone)
	for _, line := range m.slower {
		fmt.Println(line)
	}
	return errors.Join(m.broken...)
}

// marks are what a load fell short of: what must hold on any machine, and what depends on how the clients, who have the
// same processors, share them.
type marks struct {
	broken []error
	slower []string
}

// judged compares rows with what is promised: no request of the quiet tenant is lost, four fifths of the capacity are
// answered whatever is offered, and the quiet tenant waits at most twice as long as alone.
func judged(rows []loaded, capacity float64, alone quiet) (m marks) {
	const share, times = .8, 2
	for _, r := range rows {
		if r.quiet.Lost > 0 {
			m.broken = append(m.broken, fmt.Errorf("at %gx, %d requests of the quiet tenant were not answered", r.factor, r.quiet.Lost))
		}
		if r.factor >= 1 && r.goodput < share*capacity {
			m.broken = append(m.broken, fmt.Errorf("at %gx, %.0f of %.0f a second were answered", r.factor, r.goodput, capacity))
		}
		for _, p := range []struct {
			what        string
			then, alone time.Duration
		}{{"writes", r.quiet.Writes, alone.Writes}, {"reads", r.quiet.Reads, alone.Reads}} {
			if p.then > times*p.alone {
				m.slower = append(m.slower, fmt.Sprintf("at %gx, quiet %s take %.1f times as long as alone (p99)",
					r.factor, p.what, float64(p.then)/float64(p.alone)))
			}
		}
	}
	return m
}

// sender sends the requests of one tenant, which have numbers from 1.
type sender struct {
	send        func(ctx context.Context, number int) error
	outstanding int
	sent        atomic.Int64
}

func (s *sender) next(ctx context.Context) error { return s.send(ctx, int(s.sent.Add(1))) }

// writes returns a function that writes an observation about a new person.
func writes(c *client, world string) func(context.Context, int) error {
	return func(ctx context.Context, i int) error {
		name := fmt.Sprintf("%s%d Person%d", world, i, i)
		_, err := c.Send(ctx, http.MethodPost, "/v1/observations", encode(said(i, name, "office", "Riga", started)))
		return err
	}
}

// compilations returns a request that compiles what is known of a person with 1,000 beliefs.
func compilations(s *session) func(context.Context, int) error {
	return func(ctx context.Context, i int) error { return s.compileOnce(ctx, newWorld(uint64(i)), i) }
}

// capacity returns how many requests a second are answered to clients that each wait for their answers.
func (s *sender) capacity(ctx context.Context, within time.Duration) float64 {
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	var good atomic.Int64
	var work sync.WaitGroup
	for range clients {
		work.Go(func() {
			for ctx.Err() == nil {
				if s.next(ctx) == nil {
					good.Add(1)
				}
			}
		})
	}
	work.Wait()
	return float64(good.Load()) / within.Seconds()
}

// ending is when a request was due, how long after that it ended, and how.
type ending struct {
	due, took time.Duration
	err       error
}

var errUnsent = errors.New("too many requests are under way")

type endings []ending

// offer sends requests at a rate, whether those before are answered or not, and returns how each that was due ended.
// The time of a request runs from when it was due, so that a server that makes requests wait gains nothing by it.
func (s *sender) offer(ctx context.Context, rate float64, within time.Duration) endings {
	list := make(endings, due(rate, within))
	room := make(chan struct{}, s.outstanding)
	var work sync.WaitGroup
	began := time.Now()
	for i := range list {
		at := began.Add(dueAt(i, rate))
		time.Sleep(time.Until(at))
		select {
		case room <- struct{}{}:
		default:
			list[i].err = errUnsent
			continue
		}
		work.Go(func() {
			err := s.next(ctx)
			list[i] = ending{dueAt(i, rate), time.Since(at), err}
			<-room
		})
	}
	work.Wait()
	return list
}

// due returns how many requests are due within a time.
func due(rate float64, within time.Duration) int { return int(rate * within.Seconds()) }

// dueAt returns when a request is due.
func dueAt(i int, rate float64) time.Duration {
	return time.Duration(float64(i) / rate * float64(time.Second))
}

// quantile returns a quantile of the latencies of what was answered well, 0 if nothing was.
func (r endings) quantile(q float64) time.Duration {
	var good []time.Duration
	for _, one := range r {
		if one.err == nil {
			good = append(good, one.took)
		}
	}
	if len(good) == 0 {
		return 0
	}
	return measure.Quantile(good, q)
}

func (r endings) share() (s share) {
	for _, one := range r {
		switch {
		case one.err == nil:
			s.good++
		case errors.Is(one.err, errUnsent):
			s.unsent++
		case refusal(one.err):
			s.refused++
		default:
			s.failed++
		}
	}
	return s
}

// refusal reports whether a server refused a request for the load.
func refusal(err error) bool {
	return strings.Contains(err.Error(), ": 429 ") || strings.Contains(err.Error(), ": 503 ")
}

// lasted returns how long it took until the last good answer, at least as long as requests were due.
func (r endings) lasted(within time.Duration) time.Duration {
	for _, one := range r {
		if one.err == nil {
			within = max(within, one.due+one.took)
		}
	}
	return within
}

// summary computes a row. Good answers that came after the last request was due count with the time that they took.
func summary(factor float64, within time.Duration, heavy endings, calm quiet, rss int64) loaded {
	s := heavy.share()
	return loaded{
		factor: factor, offered: float64(len(heavy)) / within.Seconds(), answered: s,
		goodput: float64(s.good) / heavy.lasted(within).Seconds(),
		p50:     heavy.quantile(.5), p99: heavy.quantile(.99), quiet: calm, rss: rss,
	}
}

func printLoaded(out io.Writer, rows []loaded) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "LOAD\tOFFERED/S\tGOODPUT/S\tREFUSED\tFAILED\tUNSENT\tP50\tP99\tQUIET WRITES\tQUIET READS\tQUIET LOST\tRESIDENT")
	for _, r := range rows {
		fmt.Fprintf(t, "%gx\t%.0f\t%.0f\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%d MB\n",
			r.factor, r.offered, r.goodput, r.answered.refused, r.answered.failed, r.answered.unsent,
			r.p50.Round(time.Millisecond), r.p99.Round(time.Millisecond), r.quiet.Writes.Round(time.Millisecond),
			r.quiet.Reads.Round(time.Millisecond), r.quiet.Lost, r.rss>>20)
	}
	return t.Flush()
}
