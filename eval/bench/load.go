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

// loadOptions says how long each part of the load benchmark lasts, and at which multiples of the capacity.
type loadOptions struct {
	each        time.Duration
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
	quiet    time.Duration // p99 of the quiet tenant
	rss      int64
}

// share counts how requests ended.
type share struct{ good, refused, failed, unsent int }

// quietEvery is the pause between the requests of the quiet tenant.
const quietEvery = 100 * time.Millisecond

// benchLoad offers a server more than it can carry out, from one tenant, while another asks for little.
func benchLoad(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("load", flag.ExitOnError)
	engines := f.String("engine", "sqlite,neo4j", "engines to measure")
	factors := f.String("factors", "1,2,5", "multiples of the measured capacity")
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
	return run.WithServer(ctx, "load", func(dir string, binary run.Binary) error {
		for _, name := range strings.Split(*engines, ",") {
			e, err := open(ctx, name, dir)
			if err != nil {
				return err
			}
			err = loadEngine(ctx, o, session{binary: binary, engine: e, store: e.store(0)})
			e.close()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
}

// loadEngine measures one engine and prints what came of it.
func loadEngine(ctx context.Context, o loadOptions, s session) error {
	tenant := fmt.Sprintf("load-%d", time.Now().UnixNano())
	return s.serve(ctx, tenant, func() error {
		key, err := s.binary.Key(ctx, s.store, tenant+"-quiet")
		if err != nil {
			return err
		}
		quiet, err := newClient(s.server.URL, key)
		if err != nil {
			return err
		}
		heavy := sender{client: s.client, world: "H", outstanding: o.outstanding}
		still := sender{client: quiet, world: "Q", outstanding: o.outstanding}
		alone := still.offer(ctx, 1/quietEvery.Seconds(), o.each)
		capacity := heavy.capacity(ctx, o.each)
		fmt.Printf("%s: capacity %.0f observations a second; the quiet tenant alone, p99: %s; %s\n",
			s.engine.name, capacity, alone.quantile(.99).Round(time.Millisecond), measure.Load())
		var rows []loaded
		for _, factor := range o.factors {
			var calm endings
			var beside sync.WaitGroup
			beside.Go(func() { calm = still.offer(ctx, 1/quietEvery.Seconds(), o.each) })
			got := heavy.offer(ctx, capacity*factor, o.each)
			beside.Wait()
			rows = append(rows, summary(factor, o.each, got, calm, resident(s.server.PID())))
			s.idle(ctx)
		}
		return printLoaded(os.Stdout, rows)
	})
}

// sender sends observations of one tenant.
type sender struct {
	client      *client
	world       string
	outstanding int
	sent        atomic.Int64
}

func (s *sender) send(ctx context.Context) error {
	i := int(s.sent.Add(1))
	name := fmt.Sprintf("%s%d Person%d", s.world, i, i)
	_, err := s.client.Send(ctx, http.MethodPost, "/v1/observations", encode(said(i, name, "office", "Riga", started)))
	return err
}

// capacity returns how many observations a second are answered to clients that each wait for their answers.
func (s *sender) capacity(ctx context.Context, within time.Duration) float64 {
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	var good atomic.Int64
	var work sync.WaitGroup
	for range clients {
		work.Go(func() {
			for ctx.Err() == nil {
				if s.send(ctx) == nil {
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
			err := s.send(ctx)
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
func summary(factor float64, within time.Duration, heavy, quiet endings, rss int64) loaded {
	s := heavy.share()
	return loaded{
		factor: factor, offered: float64(len(heavy)) / within.Seconds(), answered: s,
		goodput: float64(s.good) / heavy.lasted(within).Seconds(),
		p50:     heavy.quantile(.5), p99: heavy.quantile(.99), quiet: quiet.quantile(.99), rss: rss,
	}
}

func printLoaded(out io.Writer, rows []loaded) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "LOAD\tOFFERED/S\tGOODPUT/S\tREFUSED\tFAILED\tUNSENT\tP50\tP99\tQUIET P99\tRESIDENT")
	for _, r := range rows {
		fmt.Fprintf(t, "%gx\t%.0f\t%.0f\t%d\t%d\t%d\t%s\t%s\t%s\t%d MB\n",
			r.factor, r.offered, r.goodput, r.answered.refused, r.answered.failed, r.answered.unsent,
			r.p50.Round(time.Millisecond), r.p99.Round(time.Millisecond), r.quiet.Round(time.Millisecond), r.rss>>20)
	}
	return t.Flush()
}
