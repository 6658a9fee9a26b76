package service

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/contain"
)

// Readiness is the answer of a service that is ready.
type Readiness struct {
	// Parked are the consumers of the changefeed that panicked on the log of a tenant, by name.
	Parked []Parked
}

// Parked is a consumer of the changefeed to which the logs of some tenants are not delivered any more, until a restart.
type Parked struct {
	Consumer string
	Tenants  int
}

// Ready returns Unavailable while the service cannot answer properly: the store is unreachable, no write succeeds, or
// the index lags far behind the log. It costs one question to the store, and a write that leaves nothing while writes
// fail.
func (s *Service) Ready(ctx context.Context) (Readiness, error) {
	if err := s.store.Ping(ctx); err != nil {
		return Readiness{}, &tenure.Error{Code: tenure.Unavailable, Message: "the store does not answer", Err: err}
	}
	if err := s.takesWrites(ctx); err != nil {
		return Readiness{}, &tenure.Error{Code: tenure.Unavailable, Message: "the store takes no writes", Err: err}
	}
	if err := s.worker.Ready(ctx); err != nil {
		return Readiness{}, &tenure.Error{Code: tenure.Unavailable, Message: "not ready yet", Err: err}
	}
	parked := s.worker.Parked()
	if s.webhook != nil {
		maps.Copy(parked, s.webhook.Parked())
	}
	var r Readiness
	for _, name := range slices.Sorted(maps.Keys(parked)) {
		r.Parked = append(r.Parked, Parked{name, parked[name]})
	}
	return r, nil
}

// Bounds of the writes that find out whether the store takes writes again.
const (
	probeEvery   = time.Second
	probeTimeout = 5 * time.Second
)

// probe is when the store was last asked whether it takes writes.
type probe struct {
	mu sync.Mutex
	at time.Time
}

// takesWrites returns the error of the last commits if all of them failed. It then probes the store, at most once a
// second: a load balancer that sends no requests would never see a write succeed.
func (s *Service) takesWrites(ctx context.Context) error {
	failing := s.writer.Failing()
	if failing == nil {
		return nil
	}
	s.probed.mu.Lock()
	defer s.probed.mu.Unlock()
	if since := s.now().Sub(s.probed.at); since >= 0 && since < probeEvery {
		return failing
	}
	s.probed.at = s.now()
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if err := s.store.Probe(ctx); err != nil {
		return err
	}
	s.writer.Recovered()
	return nil
}

func newPanics() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "tenure_panics_total", Help: "Panics that were contained, by where: a fault of the program each.",
	}, []string{"where"})
}

// contained logs and counts a panic that was contained.
func (s *Service) contained(where string, err error) {
	s.panics.WithLabelValues(where).Inc()
	s.logger.Error("a panic was contained", "where", where, "error", err)
}

// guard does work in the background, of which a panic is contained.
func (s *Service) guard(work func()) {
	if err := contain.Do(func() error { work(); return nil }); err != nil {
		s.contained("background", err)
	}
}
