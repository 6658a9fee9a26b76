package httpapi

import (
	"context"
	"slices"
	"strconv"
	"strings"
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
	start, _ := slices.BinarySearch(found, tenure.ID(l.last+"\x00")) // after l.last
	page := found[start:]
	more := len(page) > l.limit
	page = page[:min(len(page), l.limit)]
	items, err := entities(ctx, l.reader, page)
	if err != nil {
		return nil, err
	}
	out := api.FindEntities200JSONResponse{Items: items, AsOf: l.asOf}
	out.AsOf.ValidAt = time.Time{} // names are of one clock
	if more {
		out.NextCursor = l.next(string(page[len(page)-1]), true)
	}
	return out, nil
}

// owners lists, sorted, the entities that go by the name that was asked for.
func (l *listing) owners(ctx context.Context, p api.FindEntitiesParams) ([]tenure.ID, error) {
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
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// entities are the views of the visible entities, in the order of the ids.
func entities(ctx context.Context, r store.Reader, ids []tenure.ID) ([]api.Entity, error) {
	list, err := r.Entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	owners, err := r.OwnedBy(ctx, ids)
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	views := []api.Entity{}
	for _, e := range list {
		if inProject(caller, e.Project) {
			views = append(views, entityView(e, owners, caller))
		}
	}
	slices.SortFunc(views, func(a, b api.Entity) int { return strings.Compare(string(a.EntityId), string(b.EntityId)) })
	return views, nil
}

func entityByID(ctx context.Context, r store.Reader, id tenure.ID) (tenure.Entity, error) {
	list, err := r.Entities(ctx, []tenure.ID{id})
	if err != nil {
		return tenure.Entity{}, err
	}
	if len(list) != 1 || !inProject(callerOf(ctx), list[0].Project) {
		return tenure.Entity{}, notFound()
	}
	return list[0], nil
}

// GetEntity implements GET /v1/entities/{id}.
func (s *server) GetEntity(ctx context.Context, req api.GetEntityRequestObject) (api.GetEntityResponseObject, error) {
	r, _, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	e, err := entityByID(ctx, r, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	owners, err := r.OwnedBy(ctx, []tenure.ID{e.ID})
	if err != nil {
		return nil, err
	}
	return api.GetEntity200JSONResponse(entityView(e, owners, callerOf(ctx))), nil
}

// GetEntityHistory implements GET /v1/entities/{id}/history.
func (s *server) GetEntityHistory(ctx context.Context, req api.GetEntityHistoryRequestObject) (api.GetEntityHistoryResponseObject, error) {
	l, err := s.listPage(ctx, req.Params.Limit, req.Params.Cursor, nil, nil)
	if err != nil {
		return nil, err
	}
	e, err := entityByID(ctx, l.reader, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	var after int64
	if l.last != "" {
		if after, err = strconv.ParseInt(l.last, 10, 64); err != nil {
			return nil, staleCursor()
		}
	}
	entries, err := l.reader.History(ctx, e.ID, tenure.Seq(after), l.limit+1)
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

const (
	defaultCap  = 100
	defaultHops = 1
)

// GetNeighborhood implements GET /v1/entities/{id}/neighborhood.
func (s *server) GetNeighborhood(ctx context.Context, req api.GetNeighborhoodRequestObject) (api.GetNeighborhoodResponseObject, error) {
	r, at, err := s.read(ctx, req.Params.ValidAt, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	e, err := entityByID(ctx, r, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	g := neighborhood{reader: r, at: at, cap: defaultCap, nodes: map[tenure.ID]int{}, edges: map[tenure.ID]bool{}}
	g.add(e, 0)
	hops := defaultHops
	if req.Params.Hops != nil {
		hops = *req.Params.Hops
	}
	if req.Params.Cap != nil {
		g.cap = *req.Params.Cap
	}
	frontier := []tenure.ID{e.ID}
	for hop := 1; hop <= hops && len(frontier) > 0; hop++ {
		if frontier, err = g.expand(ctx, frontier, hop); err != nil {
			return nil, err
		}
	}
	return api.GetNeighborhood200JSONResponse{
		EntityId: e.ID, AsOf: asOf(r, at), Nodes: g.out.Nodes, Edges: some(g.out.Edges), Truncated: g.out.Truncated,
	}, nil
}

// neighborhood grows outward from an entity, one hop at a time.
type neighborhood struct {
	reader store.Reader
	at     tenure.Instant
	cap    int
	nodes  map[tenure.ID]int // distance
	edges  map[tenure.ID]bool
	out    api.Neighborhood
}

func (g *neighborhood) add(e tenure.Entity, hops int) {
	g.nodes[e.ID] = hops
	g.out.Nodes = append(g.out.Nodes, api.Node{
		EntityId: e.ID, CanonicalId: e.Root(), Type: e.Type, Status: e.Status, Name: e.Name, Hops: hops,
	})
}

// expand adds the relations of the frontier that stand, and gives the entities
// that they reach for the first time. A relation to an entity that the caller
// may not see is left out with it.
func (g *neighborhood) expand(ctx context.Context, frontier []tenure.ID, hop int) ([]tenure.ID, error) {
	window := tenure.Window{From: g.at, Until: g.at + 1}
	list, err := g.reader.Relations(ctx, frontier, window, g.cap+1)
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	var ends []tenure.ID
	list = slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		seg, ok := b.Standing.At(g.at)
		return !ok || seg.Cause != tenure.Stands || b.Standing.NeedsReview || !caller.Sees(b.Claim)
	})
	for _, b := range list {
		ends = append(ends, b.Claim.Subject, b.Claim.Value.Entity)
	}
	slices.Sort(ends)
	found, err := g.reader.Entities(ctx, slices.Compact(ends))
	if err != nil {
		return nil, err
	}
	known := map[tenure.ID]tenure.Entity{}
	for _, e := range found {
		if inProject(caller, e.Project) {
			known[e.ID] = e
		}
	}
	var reached []tenure.ID
	for _, b := range list {
		from, ok1 := known[b.Claim.Subject]
		to, ok2 := known[b.Claim.Value.Entity]
		if !ok1 || !ok2 || g.edges[b.Claim.ID] {
			continue
		}
		if len(g.edges) == g.cap {
			g.out.Truncated = true
			break
		}
		g.edges[b.Claim.ID] = true
		seg, _ := b.Standing.At(g.at)
		g.out.Edges = append(g.out.Edges, api.Edge{
			BeliefId: b.Claim.ID, Subject: from.ID, Predicate: b.Claim.Predicate, Object: to.ID,
			ValidFrom: openTime(seg.From), ValidUntil: openTime(seg.Until),
		})
		for _, e := range []tenure.Entity{from, to} {
			if _, have := g.nodes[e.ID]; !have {
				g.add(e, hop)
				reached = append(reached, e.ID)
			}
		}
	}
	return reached, nil
}
