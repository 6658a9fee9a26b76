package httpapi

import (
	"context"
	"net/url"
	"strings"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// listing is a request for a page: the view to read, the position to start from, and the cursors of
// its pages.
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
	l := &listing{page: service.Page{Limit: wire.Value(limit)}, cursors: s.cursorsOf(ctx)}
	at, err := wire.At(validAt, knownAt)
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

// counted reads a page of a listing, and counts the whole where that is asked for.
func counted[T any](
	page service.Page, count *bool, list func(service.Page) (service.Listing[T], error),
) (items service.Listing[T], total *int, err error) {
	if items, err = list(page); err != nil || !wire.Value(count) {
		return items, nil, err
	}
	n, err := service.Count(list)
	return items, &n, err
}

// cursorsOf returns the cursors of the requested listing: of its tenant, credential, path and every parameter except
// those that move within the listing.
func (s *server) cursorsOf(ctx context.Context) cursors {
	st := stateOf(ctx)
	u := st.echo.Request().URL
	filters := url.Values{}
	for name, values := range u.Query() {
		if name != "cursor" && name != "limit" && name != "count" {
			filters[name] = values
		}
	}
	return cursors{key: s.deps.CursorKey, listing: strings.Join(
		[]string{st.caller.Tenant, st.caller.Actor, u.Path, filters.Encode()}, "\x1f")}
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
	at, err := wire.At(validAt, knownAt)
	if err != nil {
		return nil, err
	}
	return s.view(ctx, at)
}
