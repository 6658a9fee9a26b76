package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tenure/blocking"
	api "tenure/client"
	"tenure/internal/erdata"
	"tenure/internal/measure"
)

// taken is the cost of a run.
type taken struct {
	rows, open         int           // rows loaded, reviews open afterwards
	reasons            string        // of the reviews
	load, settle       time.Duration // the batch, and the re-resolution after it
	asked              int           // mentions
	asking             time.Duration
	p50, p99           time.Duration // of requests of one mention, by the client's clock
	serverP50, server9 time.Duration // of the same, by the server's
	rss, peak          int64
	load1              string // of the machine
	notes              []string
}

// prediction is a line for the referee.
type prediction map[string]any

// comparePairs requests the score of each pair.
func comparePairs(ctx context.Context, s *service, rows []erdata.Pair, t *taken) ([]prediction, error) {
	list := make([]prediction, len(rows))
	began := time.Now()
	err := each(len(rows), func(i int) error {
		c, err := s.CompareWithResponse(ctx, api.CompareInput{Left: mentionOf(rows[i].Left), Right: mentionOf(rows[i].Right)})
		if err != nil {
			return err
		}
		list[i] = prediction{"i": rows[i].I, "score": c.JSON200.Score}
		return nil
	})
	t.asked, t.asking = len(rows), time.Since(began)
	return list, err
}

// loadRecords sends rows as a system of record would, waits for re-resolution, and returns the canonical
// entity of each row.
func loadRecords(
	ctx context.Context, s *service, rows []erdata.Record, system string, declared []string, t *taken,
) ([]string, error) {
	if len(declared) > 0 {
		if err := s.declare(ctx, declared...); err != nil {
			t.notes = append(t.notes, "not declared as free of duplicates: "+err.Error())
		}
	}
	began := time.Now()
	done, err := s.load(ctx, func(yield func(api.BatchLine) bool) {
		for _, r := range rows {
			if !yield(observationOf(r, system)) {
				return
			}
		}
	})
	t.rows, t.load = len(rows), time.Since(began)
	if err == nil && len(done) != len(rows) {
		err = fmt.Errorf("%d results for %d rows", len(done), len(rows))
	}
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	if t.settle, err = s.settle(ctx, done[len(done)-1]); err != nil {
		return nil, err
	}
	reviews, err := s.openReviews(ctx)
	if err != nil {
		return nil, err
	}
	t.open, t.reasons = sumOf(reviews)
	return standing(ctx, s, rows, system)
}

func observationOf(r erdata.Record, system string) api.BatchLine {
	if r.Source != "" {
		system = r.Source
	}
	m := mentionOf(r)
	m.Record = &api.Record{Source: system, Id: r.ID}
	return api.BatchLine{
		Source:   api.SourceInput{Origin: "records://" + system, AuthorityLevel: ptr(3), SourceAuthority: ptr(0.8)},
		Mentions: []api.MentionInput{m},
	}
}

func sumOf(reasons map[string]int) (sum int, text string) {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(reasons)) {
		sum += reasons[k]
		parts = append(parts, fmt.Sprintf("%s %d", k, reasons[k]))
	}
	return sum, strings.Join(parts, ", ")
}

// standing returns the current canonical entity of each row: a mention may have been reassigned since it was
// written.
func standing(ctx context.Context, s *service, rows []erdata.Record, system string) ([]string, error) {
	list := make([]string, len(rows))
	parts := slices.Collect(slices.Chunk(rows, perRequest))
	err := each(len(parts), func(i int) error {
		var mentions []api.MentionInput
		for _, r := range parts[i] {
			mentions = append(mentions, observationOf(r, system).Mentions[0])
		}
		a, err := s.resolve(ctx, mentions, 1)
		if err != nil {
			return err
		}
		for k, m := range a.Mentions {
			if len(m.Candidates) == 0 {
				return fmt.Errorf("the row %s is not there", parts[i][k].ID)
			}
			list[i*perRequest+k] = m.Candidates[0].EntityId
		}
		return nil
	})
	return list, err
}

// clusterRecords clusters rows by their canonical entity in the service. Entities in an open review stay
// unmerged.
func clusterRecords(ctx context.Context, s *service, x set, rows []erdata.Record, t *taken) ([]prediction, error) {
	rows, unidentified := identified(rows)
	if x.bare {
		for i := range rows {
			rows[i] = rows[i].Undescribed()
		}
	}
	if unidentified > 0 {
		t.notes = append(t.notes, fmt.Sprintf("%d rows that nothing identifies are refused: each counts as its own", unidentified))
	}
	roots, err := loadRecords(ctx, s, rows, x.name, x.sources, t)
	if err != nil {
		return nil, err
	}
	list := make([]prediction, len(rows))
	for i, r := range rows {
		list[i] = prediction{"id": r.ID, "cluster": roots[i]}
	}
	return list, nil
}

// identified returns the rows that the service takes: with a name, or with an attribute that candidates are found by.
func identified(rows []erdata.Record) (list []erdata.Record, without int) {
	for _, r := range rows {
		if strings.TrimSpace(r.Name) != "" || len(blocking.AttributeKeys(r.Attributes(), nil)) > 0 {
			list = append(list, r)
		}
	}
	return list, len(rows) - len(list)
}

// loadRegistry loads the registry that queries run against, as a deduplicated source.
func loadRegistry(ctx context.Context, s *service, dir, name string, t *taken) error {
	rows, err := erdata.Read[erdata.Record](dir, name)
	if err != nil {
		return err
	}
	roots, err := loadRecords(ctx, s, rows, name, []string{name}, t)
	if err != nil {
		return err
	}
	s.registry, s.records = name, map[string]string{}
	for i, r := range rows {
		if _, twice := s.records[roots[i]]; !twice {
			s.records[roots[i]] = r.ID
		}
	}
	if merged := len(rows) - len(s.records); merged > 0 {
		t.notes = append(t.notes, fmt.Sprintf("%d rows of the registry share an entity with another", merged))
	}
	return nil
}

// Queries run concurrently, except a sample that measures the latency of one.
const (
	perRequest = 20
	sampled    = 500
)

// runQueries requests the entity of each query.
func runQueries(ctx context.Context, s *service, x set, rows []erdata.Record, t *taken) ([]prediction, error) {
	list := make([]prediction, len(rows))
	parts := slices.Collect(slices.Chunk(rows, perRequest))
	began := time.Now()
	err := each(len(parts), func(i int) error {
		var mentions []api.MentionInput
		for _, r := range parts[i] {
			mentions = append(mentions, mentionOf(r))
		}
		a, err := s.resolve(ctx, mentions, x.ranked)
		if err != nil {
			return err
		}
		for k, m := range a.Mentions {
			list[i*perRequest+k] = s.ranking(parts[i][k].I, m)
		}
		return nil
	})
	t.asked, t.asking = len(rows), time.Since(began)
	if err != nil {
		return nil, err
	}
	var sample []api.MentionInput
	for i := range min(sampled, len(rows)) {
		sample = append(sample, mentionOf(rows[i*len(rows)/min(sampled, len(rows))]))
	}
	_, err = timeSingle(ctx, s, sample, x.ranked, t)
	return list, err
}

func (s *service) ranking(i string, m api.ResolvedMention) prediction {
	ranked := []string{}
	for _, c := range m.Candidates {
		if id, ok := s.records[c.EntityId]; ok {
			ranked = append(ranked, id)
		}
	}
	return prediction{"i": i, "ranked": ranked, "decision": string(m.Decision), "score": m.Score}
}

// timeSingle resolves mentions one after the other.
func timeSingle(
	ctx context.Context, s *service, list []api.MentionInput, most int, t *taken,
) ([]api.ResolvedMention, error) {
	before, err := s.serverClock(ctx)
	if err != nil {
		return nil, err
	}
	var times []time.Duration
	var answers []api.ResolvedMention
	for _, m := range list {
		began := time.Now()
		a, err := s.resolve(ctx, []api.MentionInput{m}, most)
		if err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
		answers = append(answers, a.Mentions[0])
	}
	after, err := s.serverClock(ctx)
	clock := after.since(before)
	t.p50, t.p99 = measure.Quantile(times, .5), measure.Quantile(times, .99)
	t.serverP50, t.server9 = clock.quantile(.5), clock.quantile(.99)
	return answers, err
}

func parse[T any](raw []json.RawMessage) ([]T, error) {
	list := make([]T, len(raw))
	for i := range raw {
		if err := json.Unmarshal(raw[i], &list[i]); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return list, nil
}
