package httpapi

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// listing is a request for a page: the view that it is read from, where it starts, and
// how its next cursor is made.
type listing struct {
	*service.View
	page    service.Page
	cursors cursors
}

// listPage opens the view for a page. The first page reads the state that the caller
// names, the present if none; later pages read the same one.
func (s *server) listPage(
	ctx context.Context, limit *api.Limit, text *api.Cursor, validAt *api.ValidAt, knownAt *api.KnownAt,
) (*listing, error) {
	l := &listing{page: service.Page{Limit: value(limit)}, cursors: s.cursorsOf(ctx)}
	at, err := asOfParameters(validAt, knownAt)
	if err != nil {
		return nil, err
	}
	if text != nil {
		c, err := l.cursors.open(*text)
		if err != nil {
			return nil, err
		}
		at = service.AsOf{ValidAt: &c.ValidAt, Known: tenure.AsOf{Seq: c.Seq}}
		l.page.After = c.Last
	}
	l.View, err = s.view(ctx, at)
	return l, err
}

// nextCursor is the cursor of the page after one, "" if the listing is done.
func nextCursor[T any](l *listing, page service.Listing[T]) string {
	return l.cursor(page.Last, page.More)
}

func (l *listing) cursor(last string, more bool) string {
	if !more {
		return ""
	}
	seq, _ := l.State()
	return l.cursors.seal(cursor{Seq: seq, ValidAt: l.ValidAt(), Last: last})
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

// view opens a view. A state that has not come yet is the fault of the parameter
// known_at.
func (s *server) view(ctx context.Context, at service.AsOf) (*service.View, error) {
	v, err := s.deps.Service.View(ctx, callerOf(ctx), at)
	if e := asError(err); err != nil && e.Code == tenure.Unprocessable {
		parameter := *e
		parameter.Fields = nil
		for _, f := range e.Fields {
			parameter.Fields = append(parameter.Fields, tenure.Field{Pointer: "known_at", Reason: f.Reason})
		}
		return nil, &parameter
	}
	return v, err
}

// read opens the view of both clocks for a single object.
func (s *server) read(ctx context.Context, validAt *api.ValidAt, knownAt *api.KnownAt) (*service.View, error) {
	at, err := asOfParameters(validAt, knownAt)
	if err != nil {
		return nil, err
	}
	return s.view(ctx, at)
}

func asOfParameters(validAt *api.ValidAt, knownAt *api.KnownAt) (at service.AsOf, err error) {
	if at.ValidAt, err = instantParameter("valid_at", validAt); err != nil {
		return at, err
	}
	if knownAt != nil {
		at.Known, err = parseKnownAt(*knownAt, "known_at")
	}
	return at, err
}

// instantParameter reads a time, nil for one that was not given.
func instantParameter(name string, text *string) (*tenure.Instant, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // none was given, and that is no error
	}
	t, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return nil, tenure.FieldError(tenure.Invalid, name,
			"must be an RFC 3339 time with a zone (a + has to be written as %2B)")
	}
	at := tenure.At(t)
	return &at, nil
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

// asOf says what a view shows on both clocks.
func asOf(v *service.View) api.AsOf {
	at := knownState(v.State())
	at.ValidAt = v.ValidAt().Time()
	return at
}

// knownState says which state an answer of one clock is of.
func knownState(seq tenure.Seq, tx tenure.Instant) api.AsOf {
	return api.AsOf{KnownAt: tx.Time(), Seq: seq}
}

// value is what a parameter was given, zero if it was not.
func value[T any](given *T) T {
	var zero T
	if given == nil {
		return zero
	}
	return *given
}

// each makes a list of the views of items, never nil: JSON tells null from [].
func each[T, V any](items []T, view func(T) V) []V {
	views := make([]V, 0, len(items))
	for _, it := range items {
		views = append(views, view(it))
	}
	return views
}
