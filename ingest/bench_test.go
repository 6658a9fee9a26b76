package ingest_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"tenure"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"

	"tenure/similarity"
	"tenure/store/sqlite"
)

// BenchmarkGroups writes observations of one mention and one claim each, alone and in groups, on SQLite and
// without an index.
func BenchmarkGroups(b *testing.B) {
	for _, size := range []int{1, 256} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmarkGroups(b, size) })
	}
}

func benchmarkGroups(b *testing.B, size int) {
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	mint := func() tenure.Mint { return tenure.NewMint(time.Now()) }
	w, err := ledger.NewWriter(s, mint, registry.Policies(similarity.DefaultModel(), ledger.Unobserved), ledger.Config{})
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		requests := make([]ledger.Request, size)
		for i := range requests {
			n++
			requests[i] = ledger.Request{Operation: ingest.Operation, Actor: "a", Command: someone(n)}
		}
		for _, res := range w.Do(b.Context(), world.Tenant, requests...) {
			if res.Err != nil {
				b.Fatal(res.Err)
			}
		}
	}
	w.Close()
	if err := s.Close(); err != nil {
		b.Error(err)
	}
}

var (
	givenNames  = []string{"Ada", "Ben", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hiro", "Inês", "Jonas"}
	familyNames = []string{
		"Park", "Müller", "Okafor", "Silva", "Novak", "Rossi", "Tanaka", "Weber", "Costa", "Lindqvist", "Moreau", "Haddad",
	}
)

// someone returns an observation about one of some thousand people.
func someone(n int) *ingest.Command {
	name := fmt.Sprintf("%s %c. %s", givenNames[n%10], 'A'+n/10%26, familyNames[n/7%12])
	return &ingest.Command{
		Caller:  tenure.Caller{Tenant: world.Tenant, Actor: "a", Clearance: tenure.HighlyRestricted},
		Matcher: registry.Matcher{Model: similarity.DefaultModel()},
		Input: ingest.Input{
			Source:   ingest.Source{Origin: "conversation://s1/1", AuthorityLevel: world.Ptr(2)},
			Mentions: []ingest.Mention{{Name: name, Type: "person"}},
			Claims: []ingest.Claim{{
				Subject: ingest.Ref{Mention: world.Ptr(0)}, Predicate: "office",
				Value: ingest.Value{JSON: json.RawMessage(fmt.Sprintf("%q", fmt.Sprint("city", n%50)))},
			}},
		},
	}
}
