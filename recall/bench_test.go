package recall_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"tenure"
	"tenure/changefeed"
	"tenure/index"
	"tenure/internal/names"
	"tenure/recall"
	"tenure/store"
	"tenure/store/sqlite"
)

// BenchmarkRecall fills a store with TENURE_BENCH_BELIEFS beliefs (default 100,000), five about each entity, has an index
// read them, and searches. One word in ten of the queries is in every tenth belief.
func BenchmarkRecall(b *testing.B) {
	n := 100_000
	if s := os.Getenv("TENURE_BENCH_BELIEFS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.PutCredential(b.Context(), tenure.Credential{ID: id(9, 9), Tenant: "t", Roles: tenure.Roles}); err != nil {
		b.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	fillStore(b, s, n, rnd)
	x, err := index.Open(b.TempDir(), index.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	x.Beliefs().Follow(index.Feed{View: func(ctx context.Context, tenant string, seq tenure.Seq) (store.Reader, error) {
		return s.View(ctx, tenant, tenure.AsOf{Seq: seq})
	}})
	before, began := processorTime(b), time.Now()
	if err := changefeed.New(s, x.Beliefs(), changefeed.Config{PageSize: 4000}).CatchUp(b.Context(), "t"); err != nil {
		b.Fatal(err)
	}
	b.Logf("indexed %d beliefs in %s, %s of CPU for each", n, time.Since(began).Round(time.Second), (processorTime(b)-before)/time.Duration(n))
	for _, kind := range []string{"rare-words", "common-words", "a-name"} {
		b.Run(fmt.Sprintf("%s-%d", kind, n), func(b *testing.B) {
			source := &timed{Source: x.Beliefs()}
			var took []time.Duration
			used := processorTime(b)
			for b.Loop() {
				q := query(asked(rnd, kind)...)
				q.Limit = 200
				began := time.Now()
				r, err := s.View(b.Context(), "t", tenure.Present)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := recall.Find(b.Context(), r, source, q); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			b.ReportMetric((processorTime(b)-used).Seconds()*1000/float64(len(took)), "cpu-ms/op")
			report(b, "", took)
			report(b, "index-", source.took)
		})
	}
}

// timed measures a source.
type timed struct {
	recall.Source
	took []time.Duration
}

func (t *timed) Documents(
	ctx context.Context, tenant string, upTo tenure.Seq, w recall.Wanted,
) ([]recall.Hit, bool, error) {
	began := time.Now()
	hits, all, err := t.Source.Documents(ctx, tenant, upTo, w)
	t.took = append(t.took, time.Since(began))
	return hits, all, err
}

func report(b *testing.B, what string, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, what+"p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, what+"p99-ms")
}

// vocabularySize is how many words the values of the benchmark are made of.
const vocabularySize = 20_000

func word(n int) string { return "w" + strconv.FormatInt(int64(n), 36) + "x" }

func asked(rnd *rand.Rand, kind string) []string {
	switch kind {
	case "common-words":
		return []string{word(rnd.IntN(10)), word(rnd.IntN(10)), word(rnd.IntN(vocabularySize))}
	case "a-name":
		return []string{"smith", word(rnd.IntN(10))}
	}
	return []string{word(rnd.IntN(vocabularySize)), word(rnd.IntN(vocabularySize)), "databas"}
}

func fillStore(b *testing.B, s store.Store, n int, rnd *rand.Rand) {
	b.Helper()
	namer := names.New(7)
	seq := tenure.Seq(0)
	predicates := []string{"database", "office_location", "owns", "status", "uses_tool"}
	for from := 0; from < n; from += 500 {
		set := tenure.ChangeSet{ID: tenure.DerivedID("set", fmt.Sprint(from)), Operation: "test", Actor: "tester"}
		for i := from; i < min(n, from+500); i++ {
			e := id(3, i/5)
			if i%5 == 0 {
				name := namer.Name()
				set.Changes = append(set.Changes, tenure.EntityPut{Entity: tenure.Entity{
					ID: e, Type: "person", Status: tenure.EntityCanonical, Name: name, Names: []string{name},
				}})
			}
			value := word(rnd.IntN(10)) + " " + word(rnd.IntN(vocabularySize)) + " " + word(rnd.IntN(vocabularySize))
			set.Changes = append(set.Changes, believed(said(i, e, predicates[i%5], value))...)
		}
		receipts, err := s.Apply(b.Context(), "t", seq, []tenure.ChangeSet{set})
		if err != nil {
			b.Fatal(err)
		}
		seq = receipts[0].Seq
	}
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
