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

// listing is a request for a page: the view to read, the position to start from, and the signer of the next
// cursor.
type listing struct {
	*service.View
	page    service.Page
	cursors cursors
}

// listPage opens the view for a page. The first page reads the requested state, by default the present; later
// pages read the same state.
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

// nextCursor returns the cursor of the page after page, "" if the listing is complete.
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

// total counts a listing where that is asked for; list reads a page of it.
func total[T any](asked *bool, list func(service.Page) (service.Listing[T], error)) (*int, error) {
	if !value(asked) {
		return nil, nil //nolint:nilnil // nobody asked
	}
	n, err := service.Count(list)
	return &n, err
}

// cursorsOf returns the signer for the requested listing: its tenant, path and every parameter except those
// that move within the listing.
func (s *server) cursorsOf(ctx context.Context) cursors {
	st := stateOf(ctx)
	u := st.echo.Request().URL
	filters := url.Values{}
	for name, values := range u.Query() {
		if name != "cursor" && name != "limit" && name != "count" {
			filters[name] = values
		}
	}
	return cursors{key: s.deps.CursorKey, listing: st.caller.Tenant + "\x1f" + u.Path + "\x1f" + filters.Encode()}
}

// view opens a view. A state in the future is reported as a fault of the parameter known_at.
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

// read opens the view of a single object, in valid time and transaction time.
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

// instantParameter parses a time parameter; nil for an absent one.
func instantParameter(name string, text *string) (*tenure.Instant, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // none was given, and that is no error
	}
	t, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return nil, tenure.FieldError(tenure.Invalid, name,
			"must be an RFC 3339 time with a zone (a + has to be written as %2B)")
	}
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return nil, tenure.FieldError(tenure.Invalid, name, "must be in the years 1 to 9999")
	}
	at := tenure.At(t)
	return &at, nil
}

// parseKnownAt parses an instant or a sequence number.
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
		at = -1 // 0 would select the present; -1, too, precedes all knowledge
	}
	return tenure.AsOf{Known: at}, nil
}

// asOf encodes the state of a view in valid time and transaction time.
func asOf(v *service.View) api.AsOf {
	at := knownState(v.State())
	at.ValidAt = v.ValidAt().Time()
	return at
}

// knownState encodes the state of an answer that has transaction time only.
func knownState(seq tenure.Seq, tx tenure.Instant) api.AsOf {
	return api.AsOf{KnownAt: tx.Time(), Seq: seq}
}

// value returns the value of an optional parameter, zero if absent.
func value[T any](given *T) T {
	var zero T
	if given == nil {
		return zero
	}
	return *given
}

// each maps view over items and never returns nil: JSON distinguishes null from [].
func each[T, V any](items []T, view func(T) V) []V {
	views := make([]V, 0, len(items))
	for _, it := range items {
		views = append(views, view(it))
	}
	return views
}
