package neo4j

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenure"
)

// listing pages through things with versions in ascending order of a key, which
// is their id or has it in it.
type listing[T any] struct {
	key func(T) string
	// chooses reports whether the query wants a version. It filters each page, so
	// that a list may take several pages.
	chooses func(T) bool
	// page returns keys, newest versions and older ones, in order of the keys
	// after $after and at most $limit.
	page string
	// past, where the page is of those in a $state now, finds the things that have
	// left it: the state is a key that changes.
	past   string
	params args
}

// list reads pages until there are as many as the limit, which is none if it
// is 0.
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

// rows reads one page. Last is where the next one begins, "" if there is none.
func (l listing[T]) rows(ctx context.Context, r *reader, limit int) (rows []row, last string, err error) {
	rows, err = r.query(ctx, l.page, l.params)
	if err != nil {
		return nil, "", err
	}
	last = endOf(rows, limit)
	if l.past != "" {
		// What a commit was about to move while the others were read has moved
		// once its state is the newest.
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

// endOf is the key that a full page ends with.
func endOf(rows []row, limit int) string {
	if len(rows) < limit {
		return ""
	}
	return rows[len(rows)-1].text(0)
}

// chosen decodes what the listing chooses of the rows, each thing once.
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
