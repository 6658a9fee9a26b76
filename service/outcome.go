package service

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/compile"
	"tenure/service/view"
	"tenure/store"
)

type (
	// OutcomeInput is what a caller reports of a compilation.
	OutcomeInput = compile.OutcomeInput
	// OutcomeSums adds up outcomes.
	OutcomeSums = compile.OutcomeSums
	// PrefixSums adds up the outcomes of the compilations with one stable prefix.
	PrefixSums = compile.PrefixSums
)

// OutcomeStatistics adds up what was reported of compilations.
type OutcomeStatistics struct {
	OutcomeSums

	Since tenure.Instant
	// More reports whether only the newest were looked at.
	More bool
	// Prefixes are those of the most compilations, and PrefixCount is the number of all.
	Prefixes    []PrefixSums
	PrefixCount int
}

const (
	// outcomeTries bounds how often a report is decided again since another came first.
	outcomeTries = 20
	// outcomesAtOnce is the number of outcomes that are read together, of the mostOutcomes that are added up.
	outcomesAtOnce, mostOutcomes = 500, 10_000
)

// ReportOutcome keeps what became of a compilation, in place of what was reported before: see [compile.Reported].
// Whoever may read the compilation may report of it.
func (s *Service) ReportOutcome(
	ctx context.Context, c tenure.Caller, traceID string, in OutcomeInput,
) (o tenure.CompilationOutcome, err error) {
	if err := in.Faults().Err(); err != nil {
		return o, err
	}
	for range outcomeTries {
		k, a, err := s.answered(ctx, c, traceID)
		if err != nil {
			return o, err
		}
		o, changed, err := compile.Reported(k.stored, k.By, a.Trace, in, s.mint().Now)
		if err != nil || !changed {
			return o, err
		}
		err = s.store.PutOutcome(ctx, c.Tenant, o, o.Version-1)
		switch tenure.CodeOf(err) {
		case "":
			s.outcomes.add(k.stored.Outcome, o)
			return o, nil
		case tenure.Conflicting, tenure.NotFound: // another report, or an erasure, came first
		default:
			return o, err
		}
	}
	return o, tenure.Errorf(tenure.Unavailable, "others report of this compilation at the same time; try again")
}

// Outcome returns what was reported of a compilation, to whoever may read that. It is NotFound before the first report.
func (s *Service) Outcome(ctx context.Context, c tenure.Caller, traceID string) (tenure.CompilationOutcome, error) {
	k, err := s.kept(ctx, c, traceID)
	switch {
	case err != nil:
		return tenure.CompilationOutcome{}, err
	case k.stored.Outcome == nil:
		return tenure.CompilationOutcome{}, tenure.Errorf(tenure.NotFound, "nothing was reported of it")
	}
	return *k.stored.Outcome, nil
}

// OutcomeStatistics adds up what was reported of the compilations since an instant, or in the last 24 hours, that the
// caller may read, the newest of them if they are many. It tells of at most limit stable prefixes.
func (s *Service) OutcomeStatistics(
	ctx context.Context, c tenure.Caller, since *tenure.Instant, limit int,
) (OutcomeStatistics, error) {
	if since == nil {
		day := s.mint().Now.Add(-24 * time.Hour)
		since = &day
	}
	q := store.OutcomeQuery{Of: view.Requesters(c), From: tenure.FirstID(*since), Limit: outcomesAtOnce}
	sums, prefixes, err := s.sumOutcomes(ctx, c.Tenant, q, mostOutcomes)
	if err != nil {
		return OutcomeStatistics{}, err
	}
	list := prefixes.Sorted()
	sums.Since, sums.Prefixes, sums.PrefixCount = *since, list[:min(len(list), limit)], len(list)
	return sums, nil
}

// sumOutcomes adds up outcomes, at most so many.
func (s *Service) sumOutcomes(
	ctx context.Context, tenant string, q store.OutcomeQuery, most int,
) (sums OutcomeStatistics, prefixes compile.Prefixes, err error) {
	prefixes = compile.Prefixes{}
	for {
		page, err := s.store.Outcomes(ctx, tenant, q)
		if err != nil {
			return sums, nil, err
		}
		for _, o := range page {
			if sums.Compilations == most {
				sums.More = true
				return sums, prefixes, nil
			}
			sums.Add(o)
			prefixes.Add(o)
		}
		if len(page) < q.Limit {
			return sums, prefixes, nil
		}
		q.Before = page[len(page)-1].Compilation
	}
}

// outcomeCounters count what was reported of compilations. A figure counts when it is first reported, and not when
// another takes its place.
type outcomeCounters struct {
	compilations, prompt, cached, retries, compiled, used prometheus.Counter
	hits, results                                         *prometheus.CounterVec
}

func newOutcomeCounters() outcomeCounters {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "tenure_outcome_" + name + "_total", Help: help})
	}
	labelled := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "tenure_outcome_" + name + "_total", Help: help},
			[]string{label})
	}
	return outcomeCounters{
		compilations: counter("compilations", "Compilations of which an outcome was reported."),
		prompt:       counter("prompt_tokens", "Tokens of prompts, where it was reported how many a provider had cached."),
		cached:       counter("cached_tokens", "Tokens of prompts that providers read from their caches."),
		retries:      counter("retries", "Retries that were reported."),
		compiled:     counter("compiled_objects", "Compiled objects, where it was reported which of them were used."),
		used:         counter("used_objects", "Compiled objects that answers used."),
		hits:         labelled("cache_hits", "Reported cache hits of prompts.", "status"),
		results:      labelled("results", "Reported results of answers.", "result"),
	}
}

func (m outcomeCounters) register(reg prometheus.Registerer) error {
	var errs []error
	for _, c := range []prometheus.Collector{
		m.compilations, m.prompt, m.cached, m.retries, m.compiled, m.used, m.hits, m.results,
	} {
		errs = append(errs, reg.Register(c))
	}
	return errors.Join(errs...)
}

// add counts what an outcome says that the one before, nil for none, did not say.
func (m outcomeCounters) add(before *tenure.CompilationOutcome, o tenure.CompilationOutcome) {
	var had tenure.OutcomeReport
	if before != nil {
		had = before.Report
	} else {
		m.compilations.Inc()
	}
	r := o.Report
	if hit := r.CacheHit(); hit != "" && had.CacheHit() == "" {
		m.hits.WithLabelValues(string(hit)).Inc()
		m.prompt.Add(float64(*r.PromptTokens))
		m.cached.Add(float64(*r.CachedTokens))
	}
	if r.Retries != nil && had.Retries == nil {
		m.retries.Add(float64(*r.Retries))
	}
	if r.Used != nil && had.Used == nil {
		m.compiled.Add(float64(o.Compiled))
		m.used.Add(float64(len(r.Used)))
	}
	if r.Result != "" && had.Result == "" {
		m.results.WithLabelValues(string(r.Result)).Inc()
	}
}
