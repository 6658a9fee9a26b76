package ingest_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"tenure"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"
	"tenure/review"
	"tenure/store/sqlite"
)

func BenchmarkGroups(b *testing.B) {
	for _, size := range []int{1, 256} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
			if err != nil {
				b.Fatal(err)
			}
			w, err := ledger.NewWriter(s, func() tenure.Mint { return tenure.NewMint(time.Now()) }, review.Policies(registry.DefaultModel(), ledger.Unobserved), ledger.Config{})
			if err != nil {
				b.Fatal(err)
			}
			judge := registry.Judge{Model: registry.DefaultModel()}
			caller := tenure.Caller{Tenant: "t", Actor: "a", Clearance: tenure.HighlyRestricted}
			first := []string{"Ada", "Ben", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hiro", "Inês", "Jonas"}
			last := []string{"Park", "Müller", "Okafor", "Silva", "Novak", "Rossi", "Tanaka", "Weber", "Costa", "Lindqvist", "Moreau", "Haddad"}
			level, zero := 2, 0
			n := 0
			for b.Loop() {
				var requests []ledger.Request
				for range size {
					n++
					name := fmt.Sprintf("%s %c. %s", first[n%10], 'A'+n/10%26, last[n/7%12])
					in := ingest.Input{
						Source:   ingest.Source{Origin: "conversation://s1/1", AuthorityLevel: &level},
						Mentions: []ingest.Mention{{Name: name, Type: "person"}},
						Claims: []ingest.Claim{{Subject: ingest.Ref{Mention: &zero}, Predicate: "office",
							Value: ingest.Value{JSON: json.RawMessage(fmt.Sprintf("%q", fmt.Sprint("city", n%50)))}}},
					}
					requests = append(requests, ledger.Request{Operation: "observe", Actor: "a", Command: &ingest.Command{Caller: caller, Input: in, Judge: judge}})
				}
				for _, r := range w.Do(b.Context(), "t", requests...) {
					if r.Err != nil {
						b.Fatal(r.Err)
					}
				}
			}
			w.Close()
			s.Close()
		})
	}
}
