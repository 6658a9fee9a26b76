package view

import (
	"cmp"
	"slices"
)

const (
	defaultLimit = 50
	// maxScanned bounds how many objects are read for one page.
	maxScanned = 2000
	// maxCounted bounds a count, which is made of pages of countedPage.
	maxCounted, countedPage = 10_000, 500
)

// Page requests a part of a listing: at most Limit items (0: 50) after the item with the key After ("": from
// the first).
type Page struct {
	After string
	Limit int
}

// WithDefaults returns the page with the limit that it has if none is given.
func (p Page) WithDefaults() Page {
	p.Limit = cmp.Or(p.Limit, defaultLimit)
	return p
}

// Listing is a page of items. Filters are applied within bounded work, so that a page may hold fewer items
// than requested, or none, although more follow: Last is the key after which the next page starts, and More
// reports whether there may be one.
type Listing[T any] struct {
	Items []T
	Last  string
	More  bool
}

// Listed makes a page from a list with one item beyond the limit if more follow.
func Listed[T any](list []T, limit int, key func(T) string) Listing[T] {
	page := Listing[T]{Items: list[:min(len(list), limit)], More: len(list) > limit}
	if n := len(page.Items); n > 0 {
		page.Last = key(page.Items[n-1])
	}
	return page
}

// scan fills a page with the items of a long list that keep accepts; keep returns nil for an item to drop.
// fetch returns at most n objects after a key; at most maxScanned objects are read in all.
func scan[T, V any](
	p Page, fetch func(after string, n int) ([]T, error), key func(T) string, keep func([]T) ([]*V, error),
) (Listing[V], error) {
	page := Listing[V]{Items: []V{}, Last: p.After}
	for scanned := 0; scanned < maxScanned; {
		n := max(p.Limit-len(page.Items)+1, min(defaultLimit, p.Limit+1))
		list, err := fetch(page.Last, n)
		if err != nil {
			return Listing[V]{}, err
		}
		kept, err := keep(list)
		if err != nil {
			return Listing[V]{}, err
		}
		for i, v := range kept {
			if v != nil && len(page.Items) == p.Limit {
				page.More = true
				return page, nil
			}
			if v != nil {
				page.Items = append(page.Items, *v)
			}
			page.Last = key(list[i])
		}
		if len(list) < n {
			return page, nil
		}
		scanned += len(list)
	}
	page.More = true
	return page, nil
}

// Count counts the items of a listing, of which list reads a page; 10,000 stands for that or more.
func Count[T any](list func(Page) (Listing[T], error)) (int, error) {
	n, p := 0, Page{Limit: countedPage}
	for {
		page, err := list(p)
		if n += len(page.Items); err != nil || !page.More || n >= maxCounted {
			return min(n, maxCounted), err
		}
		p.After = page.Last
	}
}

// mergePages merges the pages of several sources into one page of at most n objects, ordered by key and
// without duplicates. fetch returns the page of one source.
func mergePages[S, T any, K cmp.Ordered](
	sources []S, n int, key func(T) K, fetch func(S) ([]T, error),
) ([]T, error) {
	var all []T
	for _, s := range sources {
		list, err := fetch(s)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	if len(sources) > 1 {
		slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
		all = slices.CompactFunc(all, func(a, b T) bool { return key(a) == key(b) })
	}
	return all[:min(len(all), n)], nil
}
