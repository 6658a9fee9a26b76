package httpapi

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"tenure"
	"tenure/api"
	"tenure/registry"
	"tenure/store"
)

// FindEntities implements GET /v1/entities.
func (s *server) FindEntities(ctx context.Context, req api.FindEntitiesRequestObject) (api.FindEntitiesResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	found, err := l.owners(ctx, p)
	if err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(found))
	start, _ := slices.BinarySearch(ids, tenure.ID(l.last+"\x00")) // after l.last
	page := ids[start:]
	more := len(page) > l.limit
	page = page[:min(len(page), l.limit)]
	g, err := gather(ctx, l.reader, slices.Clone(page))
	if err != nil {
		return nil, err
	}
	out := api.FindEntities200JSONResponse{Items: []api.Entity{}, AsOf: l.asOf}
	out.AsOf.ValidAt = time.Time{} // names are of one clock
	for _, id := range page {
		v := g.view(callerOf(ctx), id)
		v.MatchedIds = found[id]
		out.Items = append(out.Items, v)
	}
	if more {
		out.NextCursor = l.next(string(page[len(page)-1]), true)
	}
	return out, nil
}

// owners finds the entities that go by the name that was asked for, by what
// stands for them.
func (l *listing) owners(ctx context.Context, p api.FindEntitiesParams) (map[tenure.ID][]tenure.ID, error) {
	owners, err := l.reader.Owners(ctx, []tenure.Form{registry.NameForm(p.Name)})
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, o := range owners {
		switch {
		case !inProject(callerOf(ctx), o.Project):
		case p.Type != nil && o.Type != *p.Type:
		case p.ProjectId != nil && o.Project != "" && o.Project != *p.ProjectId:
		default:
			ids = append(ids, o.Entity)
		}
	}
	seen, err := visibleEntities(ctx, l.reader, ids)
	if err != nil {
		return nil, err
	}
	var above []tenure.ID
	for _, e := range seen {
		above = append(above, e.Root())
	}
	roots, err := visibleEntities(ctx, l.reader, above)
	found := map[tenure.ID][]tenure.ID{}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		e := seen[id]
		if _, ok := roots[e.Root()]; ok {
			id = e.Root()
		}
		found[id] = append(found[id], e.ID)
	}
	return found, err
}

// sees is NotFound for an entity that the caller may not see.
func sees(ctx context.Context, r store.Reader, id tenure.ID) error {
	found, err := visibleEntities(ctx, r, []tenure.ID{id})
	if err == nil && len(found) != 1 {
		return notFound()
	}
	return err
}

// GetEntity implements GET /v1/entities/{id}.
func (s *server) GetEntity(ctx context.Context, req api.GetEntityRequestObject) (api.GetEntityResponseObject, error) {
	r, _, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	id := tenure.ID(req.Id)
	g, err := gather(ctx, r, []tenure.ID{id})
	if err != nil {
		return nil, err
	}
	if !g.has(id) {
		return nil, notFound()
	}
	v := g.view(callerOf(ctx), id)
	var members []tenure.ID
	for _, e := range g.whole(id) {
		members = append(members, e.ID)
	}
	if v.OpenReviews, err = openReviews(ctx, r, members); err != nil {
		return nil, err
	}
	v.Verdicts, err = verdictsOn(ctx, r, members)
	return api.GetEntity200JSONResponse(v), err
}

// GetEntityHistory implements GET /v1/entities/{id}/history.
func (s *server) GetEntityHistory(ctx context.Context, req api.GetEntityHistoryRequestObject) (api.GetEntityHistoryResponseObject, error) {
	l, err := s.listPage(ctx, req.Params.Limit, req.Params.Cursor, nil, nil)
	if err != nil {
		return nil, err
	}
	if err := sees(ctx, l.reader, tenure.ID(req.Id)); err != nil {
		return nil, err
	}
	members, err := membersOf(ctx, l.reader, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	var after int64
	if l.last != "" {
		if after, err = strconv.ParseInt(l.last, 10, 64); err != nil {
			return nil, staleCursor()
		}
	}
	seq := func(e tenure.Entry) tenure.Seq { return e.Seq }
	entries, err := together(members, l.limit+1, seq, func(id tenure.ID) ([]tenure.Entry, error) {
		return l.reader.History(ctx, id, tenure.Seq(after), l.limit+1)
	})
	if err != nil {
		return nil, err
	}
	out := api.GetEntityHistory200JSONResponse{Items: []api.Entry{}}
	for _, entry := range entries[:min(len(entries), l.limit)] {
		entry.Hash = "" // chained to entries that are not here
		out.Items = append(out.Items, entryView(entry))
	}
	if len(entries) > l.limit {
		out.NextCursor = l.next(strconv.FormatInt(int64(entries[l.limit-1].Seq), 10), true)
	}
	return out, nil
}
