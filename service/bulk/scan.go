package bulk

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
	"tenure/ledger"
	"tenure/registry"

	"tenure/service/resolution"
	"tenure/similarity"
	"tenure/store"
)

// ScanConfig configures a duplicate scan. An error from Found or Checkpoint ends the scan.
type ScanConfig struct {
	Tenant string
	Index  *index.Index
	Model  *similarity.Model
	Now    func() time.Time
	Logger *slog.Logger
	// After is the sequence number that an earlier scan reached; 0 scans the whole log.
	After tenure.Seq
	// DryRun reports findings without opening reviews.
	DryRun bool
	// Found receives each finding. Checkpoint receives the sequence number scanned so far and the counts up
	// to it.
	Found      func(Finding) error
	Checkpoint func(upTo tenure.Seq, stats ScanStats) error
}

// ScanStats counts the roots that a scan resolved again, and its findings.
type ScanStats struct{ Entities, Findings int }

// Finding is a question that a scan raises: whether an entity is the same as one of the candidates. Review is
// "" where no review was opened.
type Finding struct {
	Review     tenure.ID          `json:"review_id,omitempty"`
	Entity     tenure.ID          `json:"entity_id"`
	Name       string             `json:"name"`
	Type       string             `json:"type,omitempty"`
	Project    string             `json:"project_id,omitempty"`
	Reason     string             `json:"reason"`
	Candidates []FindingCandidate `json:"candidates"`
}

// FindingCandidate is a possible duplicate of the entity of a finding.
type FindingCandidate struct {
	Entity tenure.ID `json:"entity_id"`
	Name   string    `json:"name"`
	Score  float64   `json:"score"`
	Veto   string    `json:"veto,omitempty"`
}

const (
	// logPage is how many entries of the log are read together.
	logPage = 1000
	// scanCandidates bounds the candidates compared with a root. Re-resolution after a write compares fewer.
	scanCandidates = 50
	// rememberedPairs bounds the set of reported pairs, by which a dry run raises a question once.
	rememberedPairs = 1 << 16
)

// DuplicateScan resolves every root of a tenant again, in log order, and opens a review for each root that
// matches another or may match: it merges nothing. Questions with an open review and cannot-link pairs are
// skipped. Memory is bounded by one page of the log; in a log with more roots than rememberedRoots, a root
// that changes often is resolved more than once.
func DuplicateScan(ctx context.Context, s store.Store, cfg ScanConfig) (ScanStats, error) {
	follower := changefeed.New(s, cfg.Index, changefeed.Config{Name: index.ConsumerName, Logger: cfg.Logger})
	if err := follower.CatchUp(ctx, cfg.Tenant); err != nil {
		return ScanStats{}, err
	}
	view, err := s.View(ctx, cfg.Tenant, tenure.Present)
	if err != nil {
		return ScanStats{}, err
	}
	end, _ := view.State()
	model := cmp.Or(cfg.Model, similarity.DefaultModel())
	mint := func() tenure.Mint { return tenure.NewMint(cfg.Now()) }
	// The scan has a writer of its own: the writer of a service would have the changes re-resolved, which
	// merges.
	writer, err := ledger.NewWriter(s, mint, registry.Policies(model, ledger.Unobserved), ledger.Config{})
	if err != nil {
		return ScanStats{}, err
	}
	w := &scan{
		ScanConfig: cfg, store: s, mint: mint, matcher: registry.Matcher{Model: model}, writer: writer,
		candidates: resolution.NewCandidates(s, cfg.Index, cfg.Logger, cfg.Now),
		seen:       cache.New[tenure.ID, bool](rememberedRoots),
		pairs:      cache.New[[2]tenure.ID, bool](rememberedPairs),
	}
	defer w.writer.Close()
	for at := cfg.After; at < end; {
		entries, err := s.Log(ctx, cfg.Tenant, at, min(logPage, int(end-at)))
		if err != nil || len(entries) == 0 {
			return w.stats, err
		}
		if err := w.page(ctx, entries); err != nil {
			return w.stats, err
		}
		at = entries[len(entries)-1].Seq
		if err := cfg.Checkpoint(at, w.stats); err != nil {
			return w.stats, err
		}
	}
	return w.stats, nil
}

type scan struct {
	ScanConfig
	store      store.Store
	mint       func() tenure.Mint
	matcher    registry.Matcher
	writer     *ledger.Writer
	candidates *resolution.Candidates
	seen       *cache.Cache[tenure.ID, bool]
	pairs      *cache.Cache[[2]tenure.ID, bool]
	stats      ScanStats
}

// page scans the entities that entries put.
func (w *scan) page(ctx context.Context, entries []tenure.Entry) error {
	ids := slices.DeleteFunc(entitiesPut(entries), func(id tenure.ID) bool {
		_, known := w.seen.Get(id)
		return known
	})
	for _, id := range ids {
		w.seen.Put(id, true, 1)
	}
	for part := range slices.Chunk(ids, resolution.GroupSize) {
		opened, err := w.resolve(ctx, part)
		if err != nil {
			return err
		}
		if err := w.report(ctx, opened); err != nil {
			return err
		}
	}
	return nil
}

// resolve returns the reviews that the entities lead to, and opens them unless the scan is a dry run.
func (w *scan) resolve(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	resolutions := make([]*registry.Reresolve, len(ids))
	commands := make([]ledger.Command, len(ids))
	requests := make([]ledger.Request, len(ids))
	for i, id := range ids {
		resolutions[i] = &registry.Reresolve{
			Tenant: w.Tenant, Entity: id, Matcher: w.matcher, Proposer: w.candidates, AskOnly: true, Limit: scanCandidates,
		}
		commands[i] = resolutions[i]
		requests[i] = ledger.Request{Command: resolutions[i], Operation: "duplicate_scan",
			Actor: registry.ActorReresolver, Background: true}
	}
	if w.DryRun {
		view, err := w.store.View(ctx, w.Tenant, tenure.Present)
		if err != nil {
			return nil, err
		}
		if _, err := ledger.DryRun(ctx, view, w.mint, commands...); err != nil {
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
	for _, c := range resolutions {
		w.stats.Entities += c.Findings().Assessed
		if r := c.Findings().Opened; r != nil {
			opened = append(opened, *r)
		}
	}
	return opened, nil
}

// report passes findings on, with the names of the candidates. A dry run meets each pair from both sides and
// reports the pair once.
func (w *scan) report(ctx context.Context, opened []tenure.Review) error {
	view, err := w.store.View(ctx, w.Tenant, tenure.Present)
	if err != nil {
		return err
	}
	for _, r := range opened {
		q := Finding{Entity: r.Entity, Name: r.Name, Type: r.Type, Project: r.Project, Reason: r.Reason}
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
			q.Candidates = append(q.Candidates, FindingCandidate{Entity: c.Entity, Score: c.Score, Veto: c.Veto})
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
		w.stats.Findings++
		if err := w.Found(q); err != nil {
			return err
		}
	}
	return nil
}
