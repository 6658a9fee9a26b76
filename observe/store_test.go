package observe_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"tenure"
	"tenure/observe"
	"tenure/store"
	"tenure/store/sqlite"
)

// counts returns the number of observations per value of a label in the histograms of a name.
func counts(t *testing.T, reg *prometheus.Registry, name, label string) map[string]uint64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetName() == label {
					got[l.GetValue()] += m.GetHistogram().GetSampleCount()
				}
			}
		}
	}
	return got
}

// callAll calls each method of v's interface type with zero values.
func callAll(ctx context.Context, v any, interfaceType reflect.Type, except ...string) (called []string) {
	for i := range interfaceType.NumMethod() {
		m := interfaceType.Method(i)
		if strings.Contains(" "+strings.Join(except, " ")+" ", " "+m.Name+" ") {
			continue
		}
		in := []reflect.Value{reflect.ValueOf(ctx)}
		for k := 1; k < m.Type.NumIn(); k++ {
			in = append(in, reflect.Zero(m.Type.In(k)))
		}
		if call := reflect.ValueOf(v).MethodByName(m.Name); m.Type.IsVariadic() {
			call.CallSlice(in)
		} else {
			call.Call(in)
		}
		called = append(called, strings.ToLower(regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(m.Name, "${1}_$2")))
	}
	return called
}

// Each call of the store and each read of a view is counted under its own name.
func TestEveryCallIsTimed(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tenure.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	reg := prometheus.NewRegistry()
	observed, err := observe.Store(s, reg, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	calls := callAll(t.Context(), observed, reflect.TypeFor[store.Store](), "Close")
	got := counts(t, reg, "tenure_store_call_seconds", "call")
	for _, name := range calls {
		if got[name] != 1 {
			t.Errorf("the call %s is counted %d times", name, got[name])
		}
	}
	view, err := observed.View(t.Context(), "t", tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	reads := callAll(t.Context(), view, reflect.TypeFor[store.Reader](), "State")
	got = counts(t, reg, "tenure_store_read_seconds", "method")
	for _, name := range reads {
		if got[name] != 1 {
			t.Errorf("the read %s is counted %d times", name, got[name])
		}
	}
	if len(got) != len(reads) {
		t.Errorf("%d methods are counted, of %d", len(got), len(reads))
	}
}

// fake is a store whose calls return immediately.
type fake struct {
	store.Store
	store.Reader
}

func (f fake) View(context.Context, string, tenure.AsOf) (store.Reader, error) { return f, nil }

func (fake) Entities(context.Context, []tenure.ID) ([]tenure.Entity, error) { return nil, nil }

func (fake) Close() error { return nil }

// BenchmarkRead measures the overhead of observing a read, with and without tracing.
func BenchmarkRead(b *testing.B) {
	observed, err := observe.Store(fake{}, prometheus.NewRegistry(), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	view, err := observed.View(b.Context(), "t", tenure.Present)
	if err != nil {
		b.Fatal(err)
	}
	tracer := sdk.NewTracerProvider().Tracer("bench")
	for _, kind := range []string{"bare", "timed", "traced"} {
		b.Run(kind, func(b *testing.B) {
			ctx, read := b.Context(), view
			switch kind {
			case "bare":
				read = fake{}
			case "traced":
				ctx, _ = tracer.Start(ctx, "bench")
			}
			for i := range 6 { // reads happen in deeply nested contexts
				ctx = context.WithValue(ctx, fmt.Sprint(i), i) //nolint:revive,staticcheck // any key will do
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := read.Entities(ctx, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
