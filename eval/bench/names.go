package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"tenure/internal/measure"
	"tenure/internal/names"
)

// realistic returns n observations with one claim, each about a different person or company, with the name
// distribution of real registers.
func realistic(seed uint64, n int) []obj {
	w, namer, used := newWorld(seed), names.New(seed), map[string]bool{}
	list := make([]obj, 0, n)
	for len(list) < n {
		name := namer.Name()
		if used[name] {
			continue
		}
		used[name] = true
		list = append(list, said(len(list), name, "office", w.pick(cities), started))
	}
	return list
}

func observeNames(ctx context.Context, s *session) (measured, error) {
	const warm, n = 100, 2000
	list := realistic(11, warm+n)
	cpu := time.Duration(0)
	m, err := s.sequence(warm, n, func(i int) error {
		if i == warm {
			cpu = measure.CPU(s.server.PID())
		}
		_, err := s.client.Send(ctx, http.MethodPost, "/v1/observations", encode(list[i]))
		return err
	})
	if err != nil {
		return m, err
	}
	return s.withFollowing(ctx, m, cpu)
}

func observe64Names(ctx context.Context, s *session) (measured, error) {
	const own = 10 + each
	list := realistic(12, clients*own)
	cpu := measure.CPU(s.server.PID())
	m, err := s.observeFromClients(ctx, func(c, i int) obj { return list[c*own+i] })
	if err != nil {
		return m, err
	}
	counted := m.n
	m.n = len(list) // the first of each client take their share of the processor
	m, err = s.withFollowing(ctx, m, cpu)
	m.n = counted
	return m, err
}

func batchNames(ctx context.Context, s *session) (measured, error) {
	var lines bytes.Buffer
	for i, o := range realistic(13, batchLines) {
		o["key"] = fmt.Sprintf("names-%d", i)
		lines.Write(append(encode(o), '\n'))
	}
	m, cpu := measured{n: batchLines}, measure.CPU(s.server.PID())
	took, err := measure.Timed(func() error {
		_, err := s.client.batch(ctx, &lines)
		return err
	})
	if err != nil {
		return m, err
	}
	m.rate = batchLines / took.Seconds()
	return s.withFollowing(ctx, m, cpu)
}

// withFollowing sets the processor time for each of n operations since cpu, including the work that follows
// the writes: indexing and re-resolution.
func (s *session) withFollowing(ctx context.Context, m measured, cpu time.Duration) (measured, error) {
	for lag := int64(1); lag > 0; {
		body := encode(obj{"mentions": list{obj{"name": "Nobody", "type": "person"}}})
		a, err := s.client.ResolveWithBodyWithResponse(ctx, "application/json", bytes.NewReader(body))
		if err != nil {
			return m, err
		}
		lag = a.JSON200.Index.Lag
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return m, ctx.Err()
		}
	}
	m.cpu = (measure.CPU(s.server.PID()) - cpu) / time.Duration(m.n)
	return m, nil
}
