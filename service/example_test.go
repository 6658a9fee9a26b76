package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tenure/index"
	"tenure/service"
	"tenure/store/sqlite"
)

// Example decodes a request, calls a method with the caller, and encodes the answer, as a front door does.
func Example() {
	err := serve(context.Background(), func(ctx context.Context, svc *service.Service) error {
		caller, first := service.Operator("acme", "example"), 0
		said, err := svc.Observe(ctx, caller, nil, service.Observation{
			Source:   service.Source{Origin: "conversation://1"},
			Mentions: []service.Mention{{Name: "Jon Smith", Type: "person"}},
			Claims: []service.Claim{{
				Subject: service.Ref{Mention: &first}, Predicate: "office", Value: service.Value{JSON: json.RawMessage(`"Chicago"`)},
			}},
		})
		if err != nil {
			return err
		}
		view, err := svc.View(ctx, caller, service.AsOf{})
		if err != nil {
			return err
		}
		jon := service.BeliefFilter{Entity: said.Answer.Mentions[0].EntityID}
		beliefs, err := view.Beliefs(ctx, jon, service.Page{})
		for _, b := range beliefs.Items {
			fmt.Println(b.Normalized, b.Status)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: office == "Chicago" clean
}

// serve runs a front door over a store in a temporary folder.
func serve(
	ctx context.Context, door func(context.Context, *service.Service) error, edits ...func(*service.Config),
) (err error) {
	dir, err := os.MkdirTemp("", "tenure-example-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := sqlite.Open(ctx, filepath.Join(dir, "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	x, err := index.Open(filepath.Join(dir, "index"), index.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	cfg := service.Config{Now: time.Now, Index: x}
	for _, edit := range edits {
		edit(&cfg)
	}
	svc, err := service.New(s, cfg)
	if err != nil {
		return err
	}
	defer svc.Close()
	return door(ctx, svc)
}
