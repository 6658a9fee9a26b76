package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	api "tenure/client"
	"tenure/internal/erdata"
	"tenure/internal/measure"
)

// client calls the API like any other program.
type client struct{ *measure.Client }

func newClient(url, key string) (*client, error) {
	c, err := measure.NewClient(url, key)
	return &client{c}, err
}

// mentionOf encodes a row as a caller would.
func mentionOf(r erdata.Record) api.MentionInput {
	m := api.MentionInput{Name: r.Name + r.Query, Type: r.Type, Aliases: r.Aliases, Attributes: r.Attributes()}
	for i, text := range r.Context() {
		if i > 0 {
			m.Context += "\n"
		}
		m.Context += text
	}
	return m
}

func (c *client) resolve(ctx context.Context, mentions []api.MentionInput, most int) (*api.ResolveAnswer, error) {
	res, err := c.ResolveWithResponse(ctx, api.ResolveInput{Mentions: mentions, MaxCandidates: &most})
	switch {
	case err != nil:
		return nil, err
	case len(res.JSON200.Mentions) != len(mentions):
		return nil, fmt.Errorf("%d answers for %d mentions", len(res.JSON200.Mentions), len(mentions))
	}
	return res.JSON200, nil
}

// load sends observations as one batch, and returns their sequence numbers.
func (c *client) load(ctx context.Context, list func(yield func(api.BatchLine) bool)) ([]int64, error) {
	in, out := io.Pipe()
	go func() {
		b := bufio.NewWriterSize(out, 256<<10)
		e := json.NewEncoder(b)
		for o := range list {
			if err := e.Encode(o); err != nil {
				_ = out.CloseWithError(err)
				return
			}
		}
		_ = out.CloseWithError(b.Flush())
	}()
	defer func() { _ = in.Close() }()
	res, err := c.ObserveBatchWithBody(ctx, "application/x-ndjson", in)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return readResults(res.Body)
}

// readResults reads the lines of a batch's answer. A refused line is an error, since an incomplete set would
// be scored as if it were complete.
func readResults(r io.Reader) ([]int64, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	var list []int64
	for lines.Scan() {
		var line api.BatchResult
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return list, err
		}
		if line.Status != http.StatusCreated {
			return list, fmt.Errorf("line %d: %s", len(list)+1, lines.Bytes())
		}
		list = append(list, line.Observation.Seq)
	}
	return list, lines.Err()
}

// settleQuiet is the idle time after which re-resolution counts as finished; settlePatience bounds the wait.
const (
	settleQuiet    = 2 * time.Second
	settlePatience = 20 * time.Minute
)

// settle waits until the index has processed the log and nothing more is written to it. It returns the time
// up to the last write.
func (c *client) settle(ctx context.Context, after int64) (time.Duration, error) {
	began := time.Now()
	busy := began
	for time.Since(began) < settlePatience {
		page, err := c.ListChangesWithResponse(ctx, &api.ListChangesParams{Limit: ptr(200), After: &after})
		if err != nil {
			return 0, err
		}
		a, err := c.resolve(ctx, []api.MentionInput{{Name: "nobody in particular"}}, 1)
		if err != nil {
			return 0, err
		}
		switch next := page.JSON200.NextAfter; {
		case next > after || a.Index.Lag > 0:
			after, busy = next, time.Now()
		case time.Since(busy) >= settleQuiet:
			return busy.Sub(began), nil
		default:
			time.Sleep(50 * time.Millisecond)
		}
	}
	return 0, fmt.Errorf("the service still writes %s after the load", settlePatience)
}

// openReviews counts the open reviews by reason.
func (c *client) openReviews(ctx context.Context) (map[string]int, error) {
	count := map[string]int{}
	params := api.ListReviewsParams{Limit: ptr(200)}
	for {
		page, err := c.ListReviewsWithResponse(ctx, &params)
		if err != nil {
			return nil, err
		}
		for _, r := range page.JSON200.Items {
			count[string(r.Reason)]++
		}
		if page.JSON200.NextCursor == "" {
			return count, nil
		}
		params.Cursor = &page.JSON200.NextCursor
	}
}

func ptr[T any](v T) *T { return &v }

// declare declares that sources are deduplicated: one row for each entity.
func (c *client) declare(ctx context.Context, sources ...string) error {
	var terms []api.Term
	for _, s := range sources {
		terms = append(terms, api.Term{Name: s, Deduplicated: true})
	}
	_, err := c.PutVocabularyWithResponse(ctx, "sources", api.VocabularyInput{Terms: terms})
	return err
}

// histogram is the server's latency histogram of one route: the number of requests up to each duration in
// seconds.
type histogram struct {
	upTo, count []float64
	sum         float64
}

// serverClock reads the server's own latency metrics of resolve requests.
func (c *client) serverClock(ctx context.Context) (histogram, error) {
	res, err := c.GetMetrics(ctx)
	if err != nil {
		return histogram{}, err
	}
	defer res.Body.Close()
	return readHistogram(res.Body)
}

// workers is how many requests run concurrently where latency is not measured.
const workers = 4

// each calls f for every number below n, some concurrently, and returns the first error.
func each(n int, f func(i int) error) error {
	next := make(chan int)
	failed := make(chan error, workers)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := range next {
				if err := f(i); err != nil {
					failed <- fmt.Errorf("number %d: %w", i, err)
					for range next { // the rest is not done
					}
					return
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
	close(failed)
	return <-failed
}
