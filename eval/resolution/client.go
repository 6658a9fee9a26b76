package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"tenure/internal/erdata"
	"tenure/internal/measure"
)

// client uses the API as any other program would.
type client struct{ *measure.Client }

type (
	recordKey struct {
		Source string `json:"source"`
		ID     string `json:"id"`
	}
	mention struct {
		Name       string              `json:"name"`
		Type       string              `json:"type,omitempty"`
		Aliases    []string            `json:"aliases,omitempty"`
		Attributes map[string][]string `json:"attributes,omitempty"`
		Context    string              `json:"context,omitempty"`
		Record     *recordKey          `json:"record,omitempty"`
	}
	source struct {
		Origin    string  `json:"origin"`
		Level     int     `json:"authority_level"`
		Authority float64 `json:"source_authority"`
	}
	observation struct {
		Key      string    `json:"key,omitempty"`
		Source   source    `json:"source"`
		Mentions []mention `json:"mentions"`
	}
)

// mentionOf is a row as a caller would send it.
func mentionOf(r erdata.Record) mention {
	m := mention{Name: r.Name + r.Query, Type: r.Type, Aliases: r.Aliases, Attributes: r.Attributes()}
	for i, text := range r.Context() {
		if i > 0 {
			m.Context += "\n"
		}
		m.Context += text
	}
	return m
}

// resolved is what the service says of a mention.
type resolved struct {
	Decision   string  `json:"decision"`
	Score      float64 `json:"score"`
	Reason     string  `json:"reason"`
	Candidates []struct {
		Entity string `json:"entity_id"`
	} `json:"candidates"`
}

type resolveAnswer struct {
	Mentions []resolved `json:"mentions"`
	Index    *struct {
		Lag int64 `json:"lag"`
	} `json:"index"`
}

func (c *client) resolve(ctx context.Context, mentions []mention, most int) (a resolveAnswer, err error) {
	body := map[string]any{"mentions": mentions, "max_candidates": most}
	if err = c.Ask(ctx, http.MethodPost, "/v1/resolve", body, &a); err == nil && len(a.Mentions) != len(mentions) {
		err = fmt.Errorf("%d answers for %d mentions", len(a.Mentions), len(mentions))
	}
	return a, err
}

// load sends observations as one batch, and gives their numbers in the log.
func (c *client) load(ctx context.Context, list func(yield func(observation) bool)) ([]int64, error) {
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
	res, err := c.Do(ctx, http.MethodPost, "/v1/observations:batch", "application/x-ndjson", in)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return readResults(res.Body)
}

// readResults reads the lines of a batch's answer. One line that was refused
// is an error: a set that is not whole would be scored as if it were.
func readResults(r io.Reader) ([]int64, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	var list []int64
	for lines.Scan() {
		var line struct {
			Status      int `json:"status"`
			Observation struct {
				Seq int64 `json:"seq"`
			} `json:"observation"`
		}
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

// settleQuiet is how long nothing may be written before the second looks are
// taken to be done; settlePatience how long this is waited for.
const (
	settleQuiet    = 2 * time.Second
	settlePatience = 20 * time.Minute
)

// settle waits until the index has seen all of the log and nothing is written
// to it any more. It gives the time up to the last write.
func (c *client) settle(ctx context.Context, after int64) (time.Duration, error) {
	began := time.Now()
	busy := began
	for time.Since(began) < settlePatience {
		var page struct {
			Next int64 `json:"next_after"`
		}
		if err := c.Ask(ctx, http.MethodGet, fmt.Sprintf("/v1/changes?limit=200&after=%d", after), nil, &page); err != nil {
			return 0, err
		}
		a, err := c.resolve(ctx, []mention{{Name: "nobody in particular"}}, 1)
		if err != nil {
			return 0, err
		}
		switch lagging := a.Index != nil && a.Index.Lag > 0; {
		case page.Next > after || lagging:
			after, busy = page.Next, time.Now()
		case time.Since(busy) >= settleQuiet:
			return busy.Sub(began), nil
		default:
			time.Sleep(50 * time.Millisecond)
		}
	}
	return 0, fmt.Errorf("the service still writes %s after the load", settlePatience)
}

// openReviews counts them by reason.
func (c *client) openReviews(ctx context.Context) (map[string]int, error) {
	count := map[string]int{}
	for cursor := ""; ; {
		q := url.Values{"limit": {"200"}}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		var page struct {
			Items []struct {
				Reason string `json:"reason"`
			} `json:"items"`
			Next string `json:"next_cursor"`
		}
		if err := c.Ask(ctx, http.MethodGet, "/v1/reviews?"+q.Encode(), nil, &page); err != nil {
			return nil, err
		}
		for _, r := range page.Items {
			count[r.Reason]++
		}
		if cursor = page.Next; cursor == "" {
			return count, nil
		}
	}
}

// declare says of sources that they have one row for each thing.
func (c *client) declare(ctx context.Context, sources ...string) error {
	var terms []map[string]any
	for _, s := range sources {
		terms = append(terms, map[string]any{"name": s, "deduplicated": true})
	}
	body := map[string]any{"closed": false, "version": 0, "terms": terms}
	return c.Ask(ctx, http.MethodPut, "/v1/vocabularies/sources", body, nil)
}

// histogram is the server's clock on one route: how many requests took at most
// so many seconds.
type histogram struct {
	upTo, count []float64
	sum         float64
}

// serverClock reads the server's own measuring of resolve requests.
func (c *client) serverClock(ctx context.Context) (histogram, error) {
	res, err := c.Do(ctx, http.MethodGet, "/metrics", "", nil)
	if err != nil {
		return histogram{}, err
	}
	defer res.Body.Close()
	return readHistogram(res.Body)
}

// workers is how many requests are under way at once where no time is taken.
const workers = 4

// each calls f for every number below n, some at once, and gives the first
// error.
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
