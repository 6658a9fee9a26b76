package neo4j

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenure"
)

// listing pages through versioned things in ascending order of a key, which is or contains their id.
type listing[T any] struct {
	key func(T) string
	// chooses reports whether a version matches the query. It filters each page, so a list may take several
	// pages.
	chooses func(T) bool
	// page is a statement that returns keys, newest versions and older ones, in order of the keys after
	// $after and at most $limit.
	page string
	// past, if page selects by the current $state, is a statement that finds the things that have left the
	// state since.
	past   string
	params args
}

// list reads pages until it has limit things; the limit 0 means no limit.
func list[T any](ctx context.Context, r *reader, l listing[T], after string, limit int) ([]T, error) {
	if limit <= 0 {
		limit = math.MaxInt32
	}
	l.params["limit"] = limit
	return steady(ctx, func() (found []T, err error) {
		for from := after; ; {
			l.params["after"] = from
			rows, last, err := l.rows(ctx, r, limit)
			if err != nil {
				return nil, err
			}
			page, err := l.chosen(r.tx, rows)
			if err != nil {
				return nil, err
			}
			found = append(found, page...)
			if len(found) >= limit || last == "" {
				return found[:min(len(found), limit)], nil
			}
			from = last
		}
	})
}

// rows reads one page. Last is the key after which the next page begins, "" if there is none.
func (l listing[T]) rows(ctx context.Context, r *reader, limit int) (rows []row, last string, err error) {
	rows, err = r.query(ctx, l.page, l.params)
	if err != nil {
		return nil, "", err
	}
	last = endOf(rows, limit)
	if l.past != "" {
		// A commit may have moved things to another key between the two statements: once its state is the
		// newest, the second one finds what moved.
		if _, err := r.s.head(ctx, r.tenant); err != nil {
			return nil, "", err
		}
		past, err := r.query(ctx, l.past, l.params)
		if err != nil {
			return nil, "", err
		}
		if end := endOf(past, limit); end != "" && (last == "" || end < last) {
			last = end
		}
		rows = append(rows, past...)
	}
	if last != "" {
		rows = slices.DeleteFunc(rows, func(r row) bool { return r.text(0) > last })
	}
	return rows, last, nil
}

// endOf returns the last key of a full page, "" for a page that is not full.
func endOf(rows []row, limit int) string {
	if len(rows) < limit {
		return ""
	}
	return rows[len(rows)-1].text(0)
}

// chosen decodes the things in the rows that match the query, each once.
func (l listing[T]) chosen(at tenure.Instant, rows []row) ([]T, error) {
	var found []T
	seen := map[string]bool{}
	for _, row := range rows {
		if seen[row.text(0)] {
			continue
		}
		seen[row.text(0)] = true
		v, err := stampedOf[T](at, row.text(1), row.text(2))
		if err != nil {
			return nil, err
		}
		if l.chooses(v.thing) {
			found = append(found, v.thing)
		}
	}
	slices.SortFunc(found, func(a, b T) int { return cmp.Compare(l.key(a), l.key(b)) })
	return found, nil
}
