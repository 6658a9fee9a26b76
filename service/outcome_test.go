package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/compile"
	"tenure/internal/world"
	"tenure/store"
)

// kept counts the compilations of the tests.
var kept atomic.Int64

// keep stores a compilation of a caller, of two objects, that was made some time ago.
func keep(t *testing.T, s *world.State, c tenure.Caller, ago time.Duration, objects ...tenure.ID) tenure.ID {
	t.Helper()
	list := []string{}
	for _, o := range objects {
		list = append(list, fmt.Sprintf(`{"object_id": %q}`, o))
	}
	body, err := compile.Pack(compile.Kept{
		By: compile.Requester{Actor: c.Actor, Clearance: c.Clearance},
		Body: fmt.Appendf(nil, `{"trace": {"state_compilation_metadata": {"compiled_objects": [%s], "cache_metadata": {"prompt_cache_key": "k"}}}}`,
			strings.Join(list, ",")),
	})
	if err != nil {
		t.Fatal(err)
	}
	at := tenure.At(world.Begin.Add(-ago))
	id := tenure.FirstID(at)[:24] + tenure.DerivedID(t.Name(), fmt.Sprint(kept.Add(1)))[24:]
	if err := s.PutCompilation(t.Context(), tenant, tenure.Compilation{ID: id, CreatedAt: at, Body: body}); err != nil {
		t.Fatal(err)
	}
	return id
}

func of(n int) *int { return &n }

// TestOutcomesAreMeasured checks that each figure is counted once, when it is first reported.
func TestOutcomesAreMeasured(t *testing.T) {
	svc, s := newService(t)
	reg := prometheus.NewRegistry()
	if err := svc.outcomes.register(reg); err != nil {
		t.Fatal(err)
	}
	c := Operator(tenant, "op")
	one, other := tenure.DerivedID("one", "1"), tenure.DerivedID("other", "1")
	first, second := keep(t, s, c, 0, one, other), keep(t, s, c, 0, one, other)
	whole := tenure.OutcomeReport{
		PromptTokens: of(100), CachedTokens: of(40), Retries: of(2), Used: []tenure.ID{other}, Result: tenure.AnswerFailed,
	}
	gateway := tenure.OutcomeReport{PromptTokens: of(10), CachedTokens: of(0)}
	for _, r := range []struct {
		of tenure.ID
		is tenure.OutcomeReport
	}{{first, gateway}, {second, whole}, {second, whole}, {first, whole}, {second, gateway}} {
		if _, err := svc.ReportOutcome(t.Context(), c, string(r.of), OutcomeInput{OutcomeReport: r.is}); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]float64{
		"compilations": 2, "prompt_tokens": 110, "cached_tokens": 40, "retries": 4, "compiled_objects": 4, "used_objects": 2,
		"cache_hits MISS": 1, "cache_hits PARTIAL_HIT": 1, "results failed": 2,
	}
	got := map[string]float64{}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		name := strings.TrimSuffix(strings.TrimPrefix(f.GetName(), "tenure_outcome_"), "_total")
		for _, m := range f.GetMetric() {
			labelled := name
			for _, l := range m.GetLabel() {
				labelled += " " + l.GetValue()
			}
			got[labelled] = m.GetCounter().GetValue()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestReportsAreHeldToTheirRules checks the rules of a report for front doors without a schema.
func TestReportsAreHeldToTheirRules(t *testing.T) {
	svc, s := newService(t)
	c := Operator(tenant, "op")
	one := tenure.DerivedID("one", "1")
	id := string(keep(t, s, c, 0, one))
	for pointer, r := range map[string]tenure.OutcomeReport{
		"": {}, "/prompt_tokens": {PromptTokens: of(0)}, "/cached_tokens_read": {PromptTokens: of(3), CachedTokens: of(4)},
		"/retries": {Retries: of(-1)}, "/result": {Result: "fine"}, "/note": {Note: strings.Repeat("x", 501)},
		"/used_object_ids": {Used: []tenure.ID{one, one}}, "/used_object_ids/0": {Used: []tenure.ID{""}},
	} {
		_, err := svc.ReportOutcome(t.Context(), c, id, OutcomeInput{OutcomeReport: r})
		var e *tenure.Error
		if !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Pointer != pointer {
			t.Errorf("%q: %v", pointer, err)
		}
	}
	if _, err := svc.Outcome(t.Context(), c, id); tenure.CodeOf(err) != tenure.NotFound {
		t.Errorf("something was kept: %v", err)
	}
}

// TestOutcomesGoWithTheirCompilations checks that an outcome is kept as long as its compilation.
func TestOutcomesGoWithTheirCompilations(t *testing.T) {
	svc, s := newService(t)
	s.Put(tenant, tenure.EntityPut{Entity: tenure.Entity{ID: "e"}})
	c := Operator(tenant, "op")
	report := OutcomeInput{OutcomeReport: tenure.OutcomeReport{Retries: of(1)}}
	ids := map[tenure.ID]tenure.Code{keep(t, s, c, 25*time.Hour): tenure.Gone, keep(t, s, c, time.Hour): ""}
	for id := range ids {
		if _, err := svc.ReportOutcome(t.Context(), c, string(id), report); err != nil {
			t.Fatal(err)
		}
	}
	svc.keep = 24 * time.Hour
	if err := svc.dropOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, want := range ids {
		if _, err := svc.Outcome(t.Context(), c, string(id)); tenure.CodeOf(err) != want {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := svc.ReportOutcome(t.Context(), c, string(id), report); tenure.CodeOf(err) != want {
			t.Errorf("reporting again: %v, want %q", err, want)
		}
	}
	since := tenure.MinTime
	sums, err := svc.OutcomeStatistics(t.Context(), c, &since, 9)
	if err != nil || sums.Compilations != 1 {
		t.Errorf("%+v, %v", sums, err)
	}
}

// TestOutcomeStatisticsAreBounded checks that the newest outcomes are added up where there are many, page by page.
func TestOutcomeStatisticsAreBounded(t *testing.T) {
	svc, s := newService(t)
	c := Operator(tenant, "op")
	var ids []tenure.ID
	put := func(n int) {
		for range n {
			id := keep(t, s, c, 25*time.Hour-time.Duration(len(ids))*time.Millisecond)
			o := tenure.CompilationOutcome{Compilation: id, Actor: c.Actor, Version: 1, CacheKey: fmt.Sprint(len(ids) % 3)}
			if err := s.PutOutcome(t.Context(), tenant, o, 0); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
	}
	since := tenure.MinTime
	check := func(compilations, limit int, keys ...string) {
		t.Helper()
		sums, err := svc.OutcomeStatistics(t.Context(), c, &since, limit)
		got := []string{}
		for _, p := range sums.Prefixes {
			got = append(got, p.CacheKey)
		}
		if err != nil || sums.Compilations != compilations || sums.More || sums.PrefixCount != min(compilations, 3) ||
			!slices.Equal(got, keys) {
			t.Errorf("%d, more %v, %v of %d: %v", sums.Compilations, sums.More, got, sums.PrefixCount, err)
		}
	}
	check(0, 9)
	put(outcomesAtOnce + 1)
	check(outcomesAtOnce+1, 2, "0", "1")
	day, err := svc.OutcomeStatistics(t.Context(), c, nil, 9)
	if err != nil || day.Compilations != 0 || day.Since != tenure.At(world.Begin.Add(-24*time.Hour)) {
		t.Errorf("of the last day: %+v, %v", day, err)
	}
	q := store.OutcomeQuery{Of: store.Requesters{Actor: c.Actor}, Limit: 7}
	for most, more := range map[int]bool{300: true, outcomesAtOnce + 1: false} {
		sums, _, err := svc.sumOutcomes(t.Context(), tenant, q, most)
		if err != nil || sums.Compilations != most || sums.More != more {
			t.Errorf("at most %d: %d, %v, %v", most, sums.Compilations, sums.More, err)
		}
	}
}
