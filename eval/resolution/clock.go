package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// readHistogram extracts the durations of POST /v1/resolve from metrics.
func readHistogram(r io.Reader) (histogram, error) {
	const name = "tenure_http_request_seconds"
	var h histogram
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), name)
		if !ok || !strings.Contains(rest, `method="POST"`) || !strings.Contains(rest, `route="/v1/resolve"`) {
			continue
		}
		_, text, _ := strings.Cut(rest, "} ")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return h, fmt.Errorf("metrics: %w", err)
		}
		switch {
		case strings.HasPrefix(rest, "_sum"):
			h.sum = v
		case strings.HasPrefix(rest, "_bucket"):
			_, le, _ := strings.Cut(rest, `le="`)
			le, _, _ = strings.Cut(le, `"`)
			upTo, err := strconv.ParseFloat(le, 64)
			if err != nil {
				return h, fmt.Errorf("metrics: %w", err)
			}
			h.upTo, h.count = append(h.upTo, upTo), append(h.count, v)
		}
	}
	return h, lines.Err()
}

// since returns the requests recorded after an earlier reading.
func (h histogram) since(before histogram) histogram {
	out := histogram{upTo: h.upTo, count: slices.Clone(h.count), sum: h.sum - before.sum}
	for i := range before.count {
		out.count[i] -= before.count[i]
	}
	return out
}

// quantile interpolates within a bucket, as Prometheus does.
func (h histogram) quantile(q float64) time.Duration {
	if len(h.count) == 0 || h.count[len(h.count)-1] == 0 {
		return 0
	}
	want := q * h.count[len(h.count)-1]
	i := slices.IndexFunc(h.count, func(n float64) bool { return n >= want })
	low, below := 0.0, 0.0
	if i > 0 {
		low, below = h.upTo[i-1], h.count[i-1]
	}
	high := h.upTo[i]
	if math.IsInf(high, 1) {
		return time.Duration(low * float64(time.Second))
	}
	share := 1.0
	if n := h.count[i] - below; n > 0 {
		share = (want - below) / n
	}
	return time.Duration((low + (high-low)*share) * float64(time.Second))
}
