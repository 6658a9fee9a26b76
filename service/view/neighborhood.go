package view

import (
	"cmp"
	"context"
	"slices"

	"tenure"
)

const (
	defaultEdges = 100
	defaultHops  = 1
)

// Neighborhood is the relation graph around the root of an entity. Truncated reports whether the limit on
// edges was reached.
type Neighborhood struct {
	Nodes     []Node
	Edges     []Edge
	Truncated bool
}

// Node is a root at a distance in hops.
type Node struct {
	Entity tenure.Entity
	Hops   int
}

// Edge is a relation between two roots that stands in a window.
type Edge struct {
	Belief    tenure.ID
	Subject   tenure.ID
	Predicate string
	Object    tenure.ID
	Window    tenure.Window
}

// Neighborhood follows the relations that stand at the instant of the view, up to a number of hops (0: one)
// and edges (0: 100).
func (v *View) Neighborhood(ctx context.Context, id tenure.ID, hops, edges int) (Neighborhood, error) {
	known, err := v.gatherEntities(ctx, []tenure.ID{id})
	if err != nil {
		return Neighborhood{}, err
	}
	if !known.has(id) {
		return Neighborhood{}, Absent()
	}
	g := neighborhood{
		View: v, limit: cmp.Or(edges, defaultEdges), nodes: map[tenure.ID]bool{}, edges: map[tenure.ID]bool{},
	}
	frontier := g.add(known, id, 0)
	for hop := 1; hop <= cmp.Or(hops, defaultHops) && len(frontier) > 0; hop++ {
		if frontier, err = g.expand(ctx, frontier, hop); err != nil {
			return Neighborhood{}, err
		}
	}
	return g.found, nil
}

// neighborhood runs a breadth-first search from the root of an entity, one hop at a time.
type neighborhood struct {
	*View
	limit int
	nodes map[tenure.ID]bool
	edges map[tenure.ID]bool
	found Neighborhood
}

// add makes the root of an entity a node. If the node is new, add returns its members, from which the next
// hop starts.
func (g *neighborhood) add(known roots, id tenure.ID, hops int) []tenure.ID {
	e := known.rootOf(id)
	if g.nodes[e.ID] {
		return nil
	}
	g.nodes[e.ID] = true
	g.found.Nodes = append(g.found.Nodes, Node{Entity: e, Hops: hops})
	return e.Whole()
}

// expand adds the standing relations of the frontier, and returns the newly reached entities. A relation to a
// hidden entity is left out.
func (g *neighborhood) expand(ctx context.Context, frontier []tenure.ID, hop int) ([]tenure.ID, error) {
	list, err := g.relations(ctx, frontier)
	if err != nil {
		return nil, err
	}
	var ends []tenure.ID
	for _, b := range list {
		ends = append(ends, b.Claim.Subject, b.Claim.Value.Entity)
	}
	known, err := g.gatherEntities(ctx, ends)
	if err != nil {
		return nil, err
	}
	var reached []tenure.ID
	for _, b := range list {
		from, to := b.Claim.Subject, b.Claim.Value.Entity
		if !known.has(from) || !known.has(to) || g.edges[b.Claim.ID] {
			continue
		}
		if len(g.edges) == g.limit {
			g.found.Truncated = true
			break
		}
		g.edges[b.Claim.ID] = true
		seg, _ := b.Standing.At(g.validAt)
		g.found.Edges = append(g.found.Edges, Edge{
			Belief: b.Claim.ID, Subject: known.rootOf(from).ID, Predicate: b.Claim.Predicate, Object: known.rootOf(to).ID,
			Window: seg.Window,
		})
		reached = append(append(reached, g.add(known, from, hop)...), g.add(known, to, hop)...)
	}
	return reached, nil
}

// relations lists the visible relations of the frontier that stand.
func (g *neighborhood) relations(ctx context.Context, frontier []tenure.ID) ([]tenure.Belief, error) {
	window := tenure.Window{From: g.validAt, Until: g.validAt + 1}
	list, err := g.reader.Relations(ctx, frontier, window, g.limit+1)
	return slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		seg, ok := b.Standing.At(g.validAt)
		return !ok || seg.Cause != tenure.Stands || !g.sees.Sees(b.Claim.Label())
	}), err
}
