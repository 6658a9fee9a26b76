package httpapi

import (
	"context"
	"slices"

	"tenure"
	"tenure/api"
	"tenure/store"
)

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
	id := tenure.ID(req.Id)
	known, err := gatherEntities(ctx, r, []tenure.ID{id})
	if err != nil {
		return nil, err
	}
	if !known.has(id) {
		return nil, notFound()
	}
	g := neighborhood{reader: r, at: at, cap: defaultCap, nodes: map[tenure.ID]int{}, edges: map[tenure.ID]bool{}}
	frontier := g.add(known, id, 0)
	hops := defaultHops
	if req.Params.Hops != nil {
		hops = *req.Params.Hops
	}
	if req.Params.Cap != nil {
		g.cap = *req.Params.Cap
	}
	for hop := 1; hop <= hops && len(frontier) > 0; hop++ {
		if frontier, err = g.expand(ctx, frontier, hop); err != nil {
			return nil, err
		}
	}
	return api.GetNeighborhood200JSONResponse{
		EntityId: id, AsOf: asOf(r, at), Nodes: g.out.Nodes, Edges: some(g.out.Edges), Truncated: g.out.Truncated,
	}, nil
}

// neighborhood grows outward from the root of an entity, one hop at a time.
type neighborhood struct {
	reader store.Reader
	at     tenure.Instant
	cap    int
	nodes  map[tenure.ID]int // distance of a root
	edges  map[tenure.ID]bool
	out    api.Neighborhood
}

// add makes the root of an entity a node, if it is none yet, and then gives its
// members, from which the next hop goes on.
func (g *neighborhood) add(known roots, id tenure.ID, hops int) []tenure.ID {
	e := known.rootOf(id)
	if _, have := g.nodes[e.ID]; have {
		return nil
	}
	g.nodes[e.ID] = hops
	g.out.Nodes = append(g.out.Nodes, api.Node{
		EntityId: e.ID, CanonicalId: e.Root(), Type: e.Type, Status: e.Status, Name: e.Name, Hops: hops,
	})
	return e.Whole()
}

// expand adds the relations of the frontier that stand, and gives the entities
// that they reach for the first time. A relation to an entity that the caller
// may not see is left out with it.
func (g *neighborhood) expand(ctx context.Context, frontier []tenure.ID, hop int) ([]tenure.ID, error) {
	list, err := g.relations(ctx, frontier)
	if err != nil {
		return nil, err
	}
	var ends []tenure.ID
	for _, b := range list {
		ends = append(ends, b.Claim.Subject, b.Claim.Value.Entity)
	}
	known, err := gatherEntities(ctx, g.reader, ends)
	if err != nil {
		return nil, err
	}
	var reached []tenure.ID
	for _, b := range list {
		from, to := b.Claim.Subject, b.Claim.Value.Entity
		if !known.has(from) || !known.has(to) || g.edges[b.Claim.ID] {
			continue
		}
		if len(g.edges) == g.cap {
			g.out.Truncated = true
			break
		}
		g.edges[b.Claim.ID] = true
		seg, _ := b.Standing.At(g.at)
		g.out.Edges = append(g.out.Edges, api.Edge{
			BeliefId: b.Claim.ID, Subject: known.rootOf(from).ID, Predicate: b.Claim.Predicate, Object: known.rootOf(to).ID,
			ValidFrom: openTime(seg.From), ValidUntil: openTime(seg.Until),
		})
		reached = append(append(reached, g.add(known, from, hop)...), g.add(known, to, hop)...)
	}
	return reached, nil
}

// relations are those of the frontier that stand and that the caller may see.
func (g *neighborhood) relations(ctx context.Context, frontier []tenure.ID) ([]tenure.Belief, error) {
	window := tenure.Window{From: g.at, Until: g.at + 1}
	list, err := g.reader.Relations(ctx, frontier, window, g.cap+1)
	caller := callerOf(ctx)
	return slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		seg, ok := b.Standing.At(g.at)
		return !ok || seg.Cause != tenure.Stands || b.Standing.NeedsReview || !caller.Sees(b.Claim)
	}), err
}
