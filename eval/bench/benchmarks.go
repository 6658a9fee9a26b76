package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	api "tenure/client"
	"tenure/internal/measure"
)

// benchmark is one measurement of the service. Targets are by engine.
type benchmark struct {
	name, title string
	targets     map[string]target
	run         func(ctx context.Context, s *session) (measured, error)
}

// target is the goal of a benchmark; a zero field sets none.
type target struct {
	p50, p99 time.Duration
	rate     float64 // a second
}

func both(t target) map[string]target { return map[string]target{"sqlite": t, "neo4j": t} }

// measured is the result of a benchmark: a latency for each call, or none, and the rate per second.
type measured struct {
	latencies []time.Duration
	n         int
	rate      float64
	cpu       time.Duration // of the server, for each of n operations
}

var benchmarks = []benchmark{
	{"healthz", "GET /healthz, the floor", nil, healthz},
	{"observe", "one observation, one claim, one client", map[string]target{
		"sqlite": {p50: 3 * time.Millisecond, p99: 25 * time.Millisecond}, "neo4j": {p50: 20 * time.Millisecond},
	}, observe},
	{"observe64", "the same from 64 clients, different names", map[string]target{
		"sqlite": {rate: 800}, "neo4j": {rate: 400},
	}, observe64},
	{"observe-names", "one observation, realistic names, one client", nil, observeNames},
	{"observe64-names", "the same from 64 clients", nil, observe64Names},
	{"batch-names", "the same as one batch", nil, batchNames},
	{"batch", "batch of 10,000 lines, 1,000 entities", both(target{rate: 1500}), batch},
	{"compile", "compile over 1,000 beliefs of a person", both(target{p50: 20 * time.Millisecond}), compile},
	{"compile8", "compile over two hops and 1,000 beliefs, 8 clients", map[string]target{
		"sqlite": {p50: 8 * time.Millisecond, p99: 25 * time.Millisecond},
		"neo4j":  {p50: 15 * time.Millisecond, p99: 50 * time.Millisecond},
	}, compile8},
	{"compile-first", "compile of the person, first request after a start", nil, compileFirst},
	{"asof", "beliefs of a slot on two clocks", both(target{p50: 5 * time.Millisecond}), asOf},
}

func benchmarkNames() []string {
	var list []string
	for _, b := range benchmarks {
		list = append(list, b.name)
	}
	return list
}

// sequence calls f for i from 0 on one connection; the first warm calls are not counted.
func (s *session) sequence(warm, n int, f func(i int) error) (measured, error) {
	m := measured{n: n}
	var began time.Time
	var cpu time.Duration
	for i := range warm + n {
		if i == warm {
			began, cpu = time.Now(), measure.CPU(s.server.PID())
		}
		took, err := measure.Timed(func() error { return f(i) })
		if err != nil {
			return m, err
		}
		if i >= warm {
			m.latencies = append(m.latencies, took)
		}
	}
	m.rate = float64(n) / time.Since(began).Seconds()
	m.cpu = (measure.CPU(s.server.PID()) - cpu) / time.Duration(n)
	return m, nil
}

func healthz(ctx context.Context, s *session) (measured, error) {
	return s.sequence(100, 2000, func(int) error {
		_, err := s.client.Send(ctx, http.MethodGet, "/healthz", nil)
		return err
	})
}

func observe(ctx context.Context, s *session) (measured, error) {
	w := newWorld(2)
	return s.sequence(100, 1000, func(i int) error {
		body := encode(said(i, w.name("O", i), "office", w.pick(cities), started))
		_, err := s.client.Send(ctx, http.MethodPost, "/v1/observations", body)
		return err
	})
}

const (
	clients = 64
	each    = 150 // observations of one client, the first ten not counted
)

func observe64(ctx context.Context, s *session) (measured, error) {
	worlds := make([]*world, clients)
	for c := range worlds {
		worlds[c] = newWorld(uint64(100 + c))
	}
	return s.observeFromClients(ctx, func(c, i int) obj {
		w := worlds[c]
		return said(i, w.name(fmt.Sprintf("C%d-", c), i), "office", w.pick(cities), started)
	})
}

// observeFromClients sends the observations of many clients.
func (s *session) observeFromClients(ctx context.Context, body func(c, i int) obj) (measured, error) {
	return s.fromClients(clients, each, func(c, i int) error {
		_, err := s.client.Send(ctx, http.MethodPost, "/v1/observations", encode(body(c, i)))
		return err
	})
}

// fromClients makes the calls of each client in sequence, and the clients concurrently.
func (s *session) fromClients(clients, each int, call func(c, i int) error) (measured, error) {
	parts := make([]measured, clients)
	errs := make([]error, clients)
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(clients)
	for c := range clients {
		done.Go(func() {
			for i := range 10 {
				errs[c] = errors.Join(errs[c], call(c, i))
			}
			ready.Done()
			<-start
			if errs[c] == nil {
				parts[c], errs[c] = s.sequence(0, each, func(i int) error { return call(c, 10+i) })
			}
		})
	}
	ready.Wait()
	cpu := measure.CPU(s.server.PID())
	took, _ := measure.Timed(func() error { close(start); done.Wait(); return nil })
	var m measured
	for c, p := range parts {
		if errs[c] != nil {
			return m, errs[c]
		}
		m.n += p.n
		m.latencies = append(m.latencies, p.latencies...)
	}
	m.rate = float64(m.n) / took.Seconds()
	m.cpu = (measure.CPU(s.server.PID()) - cpu) / time.Duration(m.n)
	return m, nil
}

const (
	batchLines    = 10_000
	batchEntities = 1_000
	batchRuns     = 3
)

// batch measures the median of several batches, each about distinct people.
func batch(ctx context.Context, s *session) (measured, error) {
	m := measured{n: batchRuns * batchLines}
	var took []time.Duration
	for run := range batchRuns {
		w := newWorld(uint64(200 + run))
		people := make([]string, batchEntities)
		for i := range people {
			people[i] = w.name(fmt.Sprintf("B%d-", run), i)
		}
		var lines bytes.Buffer
		for i := range batchLines {
			p := []string{"office", "title", "phone", "speaks"}[w.rand.IntN(4)]
			line := said(i, w.pick(people), p, w.pick(cities), started.Add(time.Duration(i)*time.Minute))
			line["key"] = fmt.Sprintf("batch-%d-%d", run, i)
			lines.Write(append(encode(line), '\n'))
		}
		cpu := measure.CPU(s.server.PID())
		t, err := measure.Timed(func() error {
			n, err := s.client.batch(ctx, &lines)
			if err == nil && n != batchLines {
				err = fmt.Errorf("%d results", n)
			}
			return err
		})
		if err != nil {
			return m, err
		}
		took = append(took, t)
		m.cpu += (measure.CPU(s.server.PID()) - cpu) / time.Duration(m.n)
	}
	m.rate = batchLines / measure.Quantile(took, .5).Seconds()
	return m, nil
}

const (
	knownName  = "Nadia Okonkwo-Reyes"
	knownFacts = 1000
)

// known writes a person with 1,000 standing beliefs: 50 multi-valued predicates with 20 values each.
func (s *session) known(ctx context.Context) error {
	const values = 20
	var terms []api.Term
	for p := range knownFacts / values {
		terms = append(terms, api.Term{Name: fmt.Sprintf("interest_%02d", p), Cardinality: api.TermCardinalityMany})
	}
	if err := s.define(ctx, terms); err != nil {
		return err
	}
	w := newWorld(3)
	for p := range terms {
		o := said(p, knownName, "", "", started)
		var claims list
		for i := range values {
			claims = append(claims, obj{
				"subject": obj{"mention": 0}, "predicate": fmt.Sprintf("interest_%02d", p),
				"value": fmt.Sprintf("%s in %s, group %d", w.pick(last), w.pick(cities), i), "confidence_score": 0.9,
			})
		}
		o["claims"] = claims
		if _, _, err := s.client.observe(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// define adds predicates.
func (s *session) define(ctx context.Context, terms []api.Term) error {
	v, err := s.client.GetVocabularyWithResponse(ctx, "predicates", nil)
	if err != nil {
		return err
	}
	_, err = s.client.PutVocabularyWithResponse(ctx, "predicates", api.VocabularyInput{
		Closed: v.JSON200.Closed, Version: v.JSON200.Version, Terms: terms,
	})
	return err
}

// compileOnce requests a context about the person, with different words each time.
func (s *session) compileOnce(ctx context.Context, w *world, i int) error {
	_, err := s.client.Send(ctx, http.MethodPost, "/v1/compile", encode(obj{
		"task":          obj{"type": "system_orchestration", "name": "plan_visit"},
		"query":         fmt.Sprintf("What does %s do in %s with %s? (%d)", knownName, w.pick(cities), w.pick(last), i),
		"budget_tokens": 2000, "provider": "plain",
	}))
	return err
}

func compile(ctx context.Context, s *session) (measured, error) {
	if err := s.known(ctx); err != nil {
		return measured{}, err
	}
	w := newWorld(4)
	return s.sequence(20, 200, func(i int) error { return s.compileOnce(ctx, w, i) })
}

const (
	hubName   = "Alder Signal Works"
	hubPeople = 100
)

// hub writes a firm and its people, with ten beliefs of each.
func (s *session) hub(ctx context.Context) error {
	w := newWorld(6)
	return s.stream(ctx, hubPeople, func(i int) obj {
		o := said(i, w.name("H", i), "works_at", "", started)
		o["mentions"] = append(o["mentions"].(list), obj{"name": hubName, "type": "organization"})
		claims := list{obj{"subject": obj{"mention": 0}, "predicate": "works_at", "value": obj{"mention": 1}}}
		for _, p := range []string{"office", "title", "phone", "speaks", "desk", "manages", "trained_in", "shift", "vehicle"} {
			claims = append(claims, obj{"subject": obj{"mention": 0}, "predicate": p,
				"value": fmt.Sprintf("%s %s %d", w.pick(cities), w.pick(last), i)})
		}
		o["claims"] = claims
		return o
	})
}

// compile8 measures contexts about a firm with all that is known of its people, from eight clients.
func compile8(ctx context.Context, s *session) (measured, error) {
	if err := s.hub(ctx); err != nil {
		return measured{}, err
	}
	const clients, each = 8, 50
	return s.fromClients(clients, each, func(c, i int) error {
		_, err := s.client.Send(ctx, http.MethodPost, "/v1/compile", encode(obj{
			"query": fmt.Sprintf("Summary of %s, everything (%d-%d)", hubName, c, i), "hops": 2, "budget_tokens": 2000,
		}))
		return err
	})
}

func compileFirst(ctx context.Context, s *session) (measured, error) {
	m := measured{n: 5}
	w := newWorld(5)
	for i := range m.n {
		if err := s.restart(ctx); err != nil {
			return m, err
		}
		took, err := measure.Timed(func() error { return s.compileOnce(ctx, w, i) })
		if err != nil {
			return m, err
		}
		m.latencies = append(m.latencies, took)
	}
	return m, nil
}

// asOf requests one of ten successive values of a slot, as of an instant in the middle of valid time and
// transaction time.
func asOf(ctx context.Context, s *session) (measured, error) {
	const people, versions = 50, 10
	w := newWorld(6)
	var paths []string
	for p := range people {
		name := w.name("A", p)
		for v := range versions {
			at := started.AddDate(0, v, 0)
			entity, seq, err := s.client.observe(ctx, said(v, name, "office", cities[v], at))
			if err != nil {
				return measured{}, err
			}
			paths = append(paths, "/v1/beliefs?"+url.Values{
				"entity_id": {entity}, "predicate": {"office"},
				"valid_at": {at.AddDate(0, 0, -10).Format(time.RFC3339)}, "known_at": {fmt.Sprint(seq)},
			}.Encode())
		}
	}
	return s.sequence(100, 1000, func(int) error {
		_, err := s.client.Send(ctx, http.MethodGet, w.pick(paths), nil)
		return err
	})
}
