package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tenure"
	"tenure/ner"
	"tenure/service"
)

// breaking extracts mentions until it is broken.
type breaking struct {
	ner.Extractor

	broken atomic.Bool
}

func (b *breaking) Extract(ctx context.Context, text string, known ner.Aliases) ([]ner.Mention, error) {
	if b.broken.Load() {
		return nil, tenure.Errorf(tenure.Unavailable, "no answer")
	}
	return b.Extractor.Extract(ctx, text, known)
}

// TestLateFactWhoseTextsCannotBeRead checks that a fact is kept if the texts cannot be read again that it came too
// late for, and that the repeated request reads them.
func TestLateFactWhoseTextsCannotBeRead(t *testing.T) {
	x := &breaking{Extractor: ner.New()}
	err := serve(t.Context(), func(ctx context.Context, svc *service.Service) error {
		c := service.Operator("acme", "test")
		nine := tenure.At(time.Date(2025, 3, 2, 9, 0, 0, 0, time.UTC))
		ilka := service.Source{Origin: "x:1", Speaker: "Ilka"}
		later := nine + 600_000_000
		if _, err := svc.Observe(ctx, c, nil, service.Observation{
			Source: ilka, ObservedAt: &later, Text: "No wait, change that to Thursday.",
		}); err != nil {
			return err
		}
		first := 0
		fact := service.Observation{
			Source: ilka, ObservedAt: &nine, Mentions: []service.Mention{{Name: "Ilka", Type: "person"}},
			Claims: []service.Claim{{
				Subject: service.Ref{Mention: &first}, Predicate: "meeting_date", Value: service.ParseValue(json.RawMessage(`"Monday"`)),
			}},
		}
		key := service.IdempotencyKey(c, "observe", "k", "h")
		x.broken.Store(true)
		w, err := svc.Observe(ctx, c, key, fact)
		if err != nil || len(w.Answer.Beliefs) != 1 || len(w.Answer.Later) > 0 ||
			!slices.ContainsFunc(w.Answer.Warnings, func(w tenure.Warning) bool { return w.Code == tenure.LaterNotRead }) {
			t.Errorf("%v: %+v", err, w.Answer)
		}
		x.broken.Store(false)
		w, err = svc.Observe(ctx, c, key, fact)
		if err != nil || !w.Receipt.Replayed || len(w.Answer.Later) != 1 {
			t.Errorf("again, %v: %+v", err, w)
		}
		return nil
	}, func(cfg *service.Config) { cfg.Extractor = x })
	if err != nil {
		t.Fatal(err)
	}
}

// TestRulesBetweenFieldsHoldForEveryFrontDoor checks that a use case refuses what breaks a rule between fields,
// whether or not its front door has asked for the faults.
func TestRulesBetweenFieldsHoldForEveryFrontDoor(t *testing.T) {
	err := serve(t.Context(), func(ctx context.Context, svc *service.Service) error {
		c := service.Operator("acme", "test")
		ada := service.Mention{Name: "Ada"}
		crowded := service.Mention{Name: "Ada", Attributes: map[string][]string{"e/mail": {strings.Repeat("x", 1001)}}}
		first, second := 0, 1
		until := tenure.Instant(1)
		claim := func(subject service.Ref, value string) service.Observation {
			return service.Observation{
				Source: service.Source{Origin: "x:1"}, Mentions: []service.Mention{ada},
				Claims: []service.Claim{{Subject: subject, Predicate: "knows", Value: service.ParseValue(json.RawMessage(value))}},
			}
		}
		window := claim(service.Ref{Mention: &first}, `1`)
		window.Claims[0].ValidFrom, window.Claims[0].ValidUntil = &until, &until
		observe := func(in service.Observation) error {
			_, err := svc.Observe(ctx, c, nil, in)
			return err
		}
		resolve := func(r service.ResolveRequest) error {
			_, err := svc.Resolve(ctx, c, r)
			return err
		}
		_, compared := svc.Compare(ctx, c, ada, crowded)
		_, decided := svc.DecideReview(ctx, c, nil, service.ReviewDecision{Decision: service.DecideMerge})
		_, defined := svc.PutVocabulary(ctx, c, tenure.Vocabulary{Name: tenure.Predicates}, []service.TermDefinition{{Name: "knows"}, {Name: "knows"}})
		for _, tc := range []struct {
			name, pointer string
			err           error
		}{
			{"an-observation-of-nothing", "", observe(service.Observation{Source: service.Source{Origin: "x:1"}})},
			{"a-long-attribute", "/mentions/0/attributes/e~1mail/0", observe(service.Observation{Source: service.Source{Origin: "x:1"}, Mentions: []service.Mention{crowded}})},
			{"a-claim-about-nobody", "/claims/0/subject", observe(claim(service.Ref{}, `1`))},
			{"a-claim-about-two", "/claims/0/subject", observe(claim(service.Ref{Mention: &first, EntityID: tenure.DerivedID("x")}, `1`))},
			{"a-subject-that-is-not-there", "/claims/0/subject/mention", observe(claim(service.Ref{Mention: &second}, `1`))},
			{"a-value-that-is-not-there", "/claims/0/value/mention", observe(claim(service.Ref{Mention: &first}, `{"mention":1}`))},
			{"a-value-without-an-index", "/claims/0/value/mention", observe(claim(service.Ref{Mention: &first}, `{"mention":null}`))},
			{"a-value-without-an-id", "/claims/0/value/entity_id", observe(claim(service.Ref{Mention: &first}, `{"entity_id":"Ada"}`))},
			{"null", "/claims/0/value", observe(claim(service.Ref{Mention: &first}, `null`))},
			{"an-empty-window", "/claims/0/valid_until", observe(window)},
			{"neither-mentions-nor-a-text", "", resolve(service.ResolveRequest{})},
			{"mentions-and-a-text", "", resolve(service.ResolveRequest{Text: "Ada", Mentions: []service.Mention{ada}})},
			{"a-side-with-a-long-attribute", "/right/attributes/e~1mail/0", compared},
			{"a-merge-into-nothing", "/into", decided},
			{"a-decision-among-several", "/decisions/1/into", svc.DecideReviews(ctx, c, nil, []service.ReviewDecision{
				{Decision: service.DecideNew}, {Decision: service.DecideNew, Into: tenure.DerivedID("x")},
			})[1].Err},
			{"a-term-twice", "/terms/1/name", defined},
		} {
			var e *tenure.Error
			if !errors.As(tc.err, &e) || e.Code != tenure.Invalid || !slices.ContainsFunc(e.Fields, func(f tenure.Field) bool { return f.Pointer == tc.pointer }) {
				t.Errorf("%s: %v, want a fault at %q", tc.name, tc.err, tc.pointer)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
