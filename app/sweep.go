package app

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"tenure"
	"tenure/cache"
	"tenure/changefeed"
	"tenure/index"
	"tenure/registry"
	"tenure/review"
	"tenure/store"
)

// SweepConfig says what is swept. Found is told of each question, Done how far
// the log was swept and what came of it up to there; an error of either ends the
// sweep.
type SweepConfig struct {
	Tenant string
	Index  *index.Index
	Model  *registry.Model
	Now    func() time.Time
	Logger *slog.Logger
	// After is where an earlier sweep came to; 0 for all.
	After tenure.Seq
	// DryRun opens no review.
	DryRun bool
	Found  func(Question) error
	Done   func(upTo tenure.Seq, sum Swept) error
}

// Swept counts the roots that were looked at, and the questions.
type Swept struct{ Entities, Questions int }

// Question asks whether an entity is one of the candidates. Review is "" where
// none was opened.
type Question struct {
	Review     tenure.ID           `json:"review_id,omitempty"`
	Entity     tenure.ID           `json:"entity_id"`
	Name       string              `json:"name"`
	Type       string              `json:"type,omitempty"`
	Project    string              `json:"project_id,omitempty"`
	Reason     string              `json:"reason"`
	Candidates []QuestionCandidate `json:"candidates"`
}

// QuestionCandidate is an entity that may be the same.
type QuestionCandidate struct {
	Entity tenure.ID `json:"entity_id"`
	Name   string    `json:"name"`
	Score  float64   `json:"score"`
	Veto   string    `json:"veto,omitempty"`
}

const (
	// sweepPage is how many entries of the log are taken at a time.
	sweepPage = 1000
	// sweepLimit bounds the candidates that a root is compared with; the second
	// look after a write takes fewer.
	sweepLimit = 50
	// rememberedPairs bounds what a dry run remembers not to ask twice.
	rememberedPairs = 1 << 16
)

// Sweep takes another look at every root of a tenant, in the order of the log, and
// has reviews opened for those that are the same as another or may be: it merges
// nothing. What a review asks already, or a person told apart, is left alone. Of
// the log, one page is kept; a root that changes often is looked at more than once
// in a log that is longer than what is remembered.
func Sweep(ctx context.Context, s store.Store, cfg SweepConfig) (Swept, error) {
	follower := changefeed.New(s, cfg.Index, changefeed.Config{Name: index.ConsumerName, Logger: cfg.Logger})
	if err := follower.CatchUp(ctx, cfg.Tenant); err != nil {
		return Swept{}, err
	}
	view, err := s.View(ctx, cfg.Tenant, tenure.Present)
	if err != nil {
		return Swept{}, err
	}
	end, _ := view.State()
	mint := func() tenure.Mint { return tenure.NewMint(cfg.Now()) }
	w := &sweep{
		SweepConfig: cfg, store: s, mint: mint, judge: registry.Judge{Model: cmp.Or(cfg.Model, registry.DefaultModel())},
		writer: store.NewWriter(s, mint, store.WriterConfig{Keys: registry.CloseKeys}),
		proposer: &candidates{
			index: cfg.Index, store: s, logger: cfg.Logger, now: cfg.Now, kinds: map[string]kinds{}, asked: func(string) {},
		},
		seen:  cache.New[tenure.ID, bool](rememberedRoots),
		pairs: cache.New[[2]tenure.ID, bool](rememberedPairs),
	}
	defer w.writer.Close()
	for at := cfg.After; at < end; {
		entries, err := s.Log(ctx, cfg.Tenant, at, min(sweepPage, int(end-at)))
		if err != nil || len(entries) == 0 {
			return w.sum, err
		}
		if err := w.page(ctx, entries); err != nil {
			return w.sum, err
		}
		at = entries[len(entries)-1].Seq
		if err := cfg.Done(at, w.sum); err != nil {
			return w.sum, err
		}
	}
	return w.sum, nil
}

type sweep struct {
	SweepConfig
	store    store.Store
	mint     func() tenure.Mint
	judge    registry.Judge
	writer   *store.Writer
	proposer *candidates
	seen     *cache.Cache[tenure.ID, bool]
	pairs    *cache.Cache[[2]tenure.ID, bool]
	sum      Swept
}

// page looks at the entities that entries put.
func (w *sweep) page(ctx context.Context, entries []tenure.Entry) error {
	ids := slices.DeleteFunc(putIn(entries), func(id tenure.ID) bool {
		_, known := w.seen.Get(id)
		return known
	})
	for _, id := range ids {
		w.seen.Put(id, true, 1)
	}
	for part := range slices.Chunk(ids, looksAtOnce) {
		opened, err := w.look(ctx, part)
		if err != nil {
			return err
		}
		if err := w.tell(ctx, opened); err != nil {
			return err
		}
	}
	return nil
}

// look gives the reviews that are asked for, opened unless it is a dry run.
func (w *sweep) look(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	looks := make([]*review.Look, len(ids))
	requests := make([]store.Request, len(ids))
	for i, id := range ids {
		looks[i] = &review.Look{
			Tenant: w.Tenant, Entity: id, Judge: w.judge, Proposer: w.proposer, AskOnly: true, Limit: sweepLimit,
		}
		requests[i] = store.Request{Command: looks[i], Operation: "sweep", Actor: review.Looker}
	}
	if w.DryRun {
		if err := w.decide(ctx, looks); err != nil {
			return nil, err
		}
	} else {
		for _, res := range w.writer.Do(ctx, w.Tenant, requests...) {
			if res.Err != nil {
				return nil, res.Err
			}
		}
	}
	var opened []tenure.Review
	for _, l := range looks {
		w.sum.Entities += l.Found().Looked
		if r := l.Found().Opened; r != nil {
			opened = append(opened, *r)
		}
	}
	return opened, nil
}

// decide decides looks without writing.
func (w *sweep) decide(ctx context.Context, looks []*review.Look) error {
	view, err := w.store.View(ctx, w.Tenant, tenure.Present)
	if err != nil {
		return err
	}
	for _, l := range looks {
		d := store.NewDraft(view)
		for round := range 3 {
			if err := d.Load(ctx, l.Wants(d, round)); err != nil {
				return err
			}
		}
		if _, err := l.Decide(ctx, d, w.mint()); err != nil {
			return err
		}
	}
	return nil
}

// tell passes questions on, with the names of the candidates. A dry run finds each
// pair from both sides: it is asked about once.
func (w *sweep) tell(ctx context.Context, opened []tenure.Review) error {
	view, err := w.store.View(ctx, w.Tenant, tenure.Present)
	if err != nil {
		return err
	}
	for _, r := range opened {
		q := Question{Entity: r.Entity, Name: r.Name, Type: r.Type, Project: r.Project, Reason: r.Reason}
		if !w.DryRun {
			q.Review = r.ID
		}
		var ids []tenure.ID
		for _, c := range r.Candidates {
			pair := [2]tenure.ID{min(r.Entity, c.Entity), max(r.Entity, c.Entity)}
			if _, known := w.pairs.Get(pair); known {
				continue
			}
			w.pairs.Put(pair, true, 1)
			ids = append(ids, c.Entity)
			q.Candidates = append(q.Candidates, QuestionCandidate{Entity: c.Entity, Score: c.Score, Veto: c.Veto})
		}
		found, err := view.Entities(ctx, ids)
		if err != nil {
			return err
		}
		for _, e := range found {
			for i := range q.Candidates {
				if q.Candidates[i].Entity == e.ID {
					q.Candidates[i].Name = e.Name
				}
			}
		}
		if len(q.Candidates) == 0 {
			continue
		}
		w.sum.Questions++
		if err := w.Found(q); err != nil {
			return err
		}
	}
	return nil
}
