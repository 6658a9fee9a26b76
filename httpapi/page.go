package httpapi

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"tenure"
	"tenure/api"
	"tenure/store"
)

const (
	defaultLimit = 50
	// maxScanned bounds how many objects are looked at for one page.
	maxScanned = 2000
)

// listing is a request for a page: the state that it is read from, where it
// starts, and how its next cursor is made.
type listing struct {
	reader  store.Reader
	limit   int
	last    string // "" for the first page
	asOf    api.AsOf
	validAt tenure.Instant
	cursors cursors
}

// listPage opens the state for a page. The first page reads the state that the
// caller names, the present if none; later pages read the same one.
func (s *server) listPage(ctx context.Context, limit *api.Limit, text *api.Cursor, validAt *api.ValidAt, knownAt *api.KnownAt) (*listing, error) {
	l := &listing{limit: defaultLimit, cursors: s.cursorsOf(ctx)}
	if limit != nil {
		l.limit = *limit
	}
	v, err := s.validAt(validAt)
	if err != nil {
		return nil, err
	}
	at, err := knownAtOf(knownAt)
	if err != nil {
		return nil, err
	}
	if text != nil {
		c, err := l.cursors.open(*text)
		if err != nil {
			return nil, err
		}
		at, v, l.last = tenure.AsOf{Seq: c.Seq}, c.ValidAt, c.Last
	}
	l.reader, err = s.view(ctx, at)
	if err != nil {
		return nil, err
	}
	l.validAt, l.asOf = v, asOf(l.reader, v)
	return l, nil
}

// next is the cursor of the page after an object, "" if the listing is done.
func (l *listing) next(last string, more bool) string {
	if !more {
		return ""
	}
	seq, _ := l.reader.State()
	return l.cursors.seal(cursor{Seq: seq, ValidAt: l.validAt, Last: last})
}

// cursorsOf signs for the listing that the request asks for: its tenant, path
// and every parameter but those that move within the listing.
func (s *server) cursorsOf(ctx context.Context) cursors {
	st := stateOf(ctx)
	u := st.echo.Request().URL
	filters := url.Values{}
	for name, values := range u.Query() {
		if name != "cursor" && name != "limit" {
			filters[name] = values
		}
	}
	return cursors{key: s.deps.CursorKey, listing: st.caller.Tenant + "\x1f" + u.Path + "\x1f" + filters.Encode()}
}

// view opens the state that known_at names.
func (s *server) view(ctx context.Context, at tenure.AsOf) (store.Reader, error) {
	r, err := s.deps.Store.View(ctx, callerOf(ctx).Tenant, at)
	if tenure.CodeOf(err) == tenure.Unprocessable {
		return nil, futureState("known_at", err)
	}
	return r, err
}

func futureState(pointer string, err error) error {
	return &tenure.Error{
		Code: tenure.Unprocessable, Message: "the state has not come yet", Err: err,
		Fields: []tenure.Field{{Pointer: pointer, Reason: "must not be in the future"}},
	}
}

// read opens the state of both clocks for a single object.
func (s *server) read(ctx context.Context, validAt *api.ValidAt, knownAt *api.KnownAt) (store.Reader, tenure.Instant, error) {
	v, err := s.validAt(validAt)
	if err != nil {
		return nil, 0, err
	}
	at, err := knownAtOf(knownAt)
	if err != nil {
		return nil, 0, err
	}
	r, err := s.view(ctx, at)
	return r, v, err
}

func (s *server) validAt(text *api.ValidAt) (tenure.Instant, error) {
	if text == nil {
		return s.deps.Mint().Now, nil
	}
	t, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return 0, tenure.FieldError(tenure.Invalid, "valid_at", "must be an RFC 3339 time with a zone (a + has to be written as %2B)")
	}
	return tenure.At(t), nil
}

func knownAtOf(text *api.KnownAt) (tenure.AsOf, error) {
	if text == nil {
		return tenure.Present, nil
	}
	return parseKnownAt(*text, "known_at")
}

// parseKnownAt reads an instant or a sequence number.
func parseKnownAt(text, pointer string) (tenure.AsOf, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if n < 1 {
			return tenure.AsOf{}, tenure.FieldError(tenure.Invalid, pointer, "sequence numbers start at 1")
		}
		return tenure.AsOf{Seq: tenure.Seq(n)}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return tenure.AsOf{}, tenure.FieldError(tenure.Invalid, pointer,
			"must be an RFC 3339 time with a zone (a + has to be written as %2B) or a sequence number")
	}
	at := tenure.At(t)
	if at == 0 {
		at = -1 // 0 would mean the present; nothing was known then either
	}
	return tenure.AsOf{Known: at}, nil
}

func asOf(r store.Reader, validAt tenure.Instant) api.AsOf {
	seq, tx := r.State()
	return api.AsOf{ValidAt: validAt.Time(), KnownAt: tx.Time(), Seq: seq}
}

// scan fills a page with what keep takes of a long list, and says after which
// object it stopped and whether there may be more. fetch gives the objects
// after one, at most n; it looks at no more than maxScanned of them.
func scan[T, V any](
	l *listing, fetch func(after string, n int) ([]T, error), id func(T) string, keep func([]T) ([]*V, error),
) (items []V, last string, more bool, err error) {
	items, last = []V{}, l.last
	for scanned := 0; scanned < maxScanned; {
		n := max(l.limit-len(items)+1, min(defaultLimit, l.limit+1))
		list, err := fetch(last, n)
		if err != nil {
			return nil, "", false, err
		}
		kept, err := keep(list)
		if err != nil {
			return nil, "", false, err
		}
		for i, v := range kept {
			if v != nil && len(items) == l.limit {
				return items, last, true, nil
			}
			if v != nil {
				items = append(items, *v)
			}
			last = id(list[i])
		}
		if len(list) < n {
			return items, last, false, nil
		}
		scanned += len(list)
	}
	return items, last, true, nil
}
