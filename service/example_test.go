package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"tenure/index"
	"tenure/service"
	"tenure/store/sqlite"
)

// A front door decodes a request, calls a method with the caller, and encodes the answer.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "tenure-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := sqlite.Open(ctx, filepath.Join(dir, "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	x, err := index.Open(filepath.Join(dir, "index"), index.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	svc, err := service.New(s, service.Config{Now: time.Now, Index: x})
	if err != nil {
		log.Fatal(err)
	}
	defer svc.Close()

	caller, first := service.Operator("acme", "example"), 0
	said, err := svc.Observe(ctx, caller, nil, service.Observation{
		Source:   service.Source{Origin: "conversation://1"},
		Mentions: []service.Mention{{Name: "Jon Smith", Type: "person"}},
		Claims: []service.Claim{{
			Subject: service.Ref{Mention: &first}, Predicate: "office", Value: service.Value{JSON: json.RawMessage(`"Chicago"`)},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	view, err := svc.View(ctx, caller, service.AsOf{})
	if err != nil {
		log.Fatal(err)
	}
	beliefs, err := view.Beliefs(ctx, service.BeliefFilter{Entity: said.Answer.Mentions[0].EntityID}, service.Page{})
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range beliefs.Items {
		fmt.Println(b.Normalized, b.Status)
	}
	// Output: office == "Chicago" clean
}
