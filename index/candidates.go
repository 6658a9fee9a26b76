package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tenure"
	"tenure/audience"
)

// Query selects entities that may be known by one of Names or one of Identifiers, or that share words with
// one of Descriptions. The first 16 distinct Names, 64 Identifiers, 64 Types and 4 Descriptions count. Types
// lists the compatible types, none for any. Only entities without a project or of Project match, with AnyProject
// those of every project that have a name. With Parts, names that are alike in their letters match even if others fit
// all words. With Alike, names with little in common do not match, unless one may be the other in short. Limit
// defaults to 50 and is at most 1000.
type Query struct {
	Names        []string
	Types        []string
	Project      string
	AnyProject   bool
	Parts        bool
	Alike        bool
	Identifiers  []tenure.AliasKey
	Descriptions []string
	Limit        int
	// Seen bounds the search to what an audience sees; nil does not bound it.
	Seen *audience.Bounds
	// Again is the limit of a later search for the same with Alike, 0 for none: it costs less, since it adds what has
	// come since to what this one finds.
	Again int
}

// Candidates lists candidate entities, best first. The error is the context's, or reports that the index is
// closed or unreadable. An unreadable index is checked and, if broken, begun anew; the candidates in memory are
// returned together with the error.
func (x *Index) Candidates(ctx context.Context, tenant string, q Query) ([]tenure.ID, error) {
	// Recent entries are searched first, then the memtable, then the disk: documents move in that order, so a
	// document that moves meanwhile is found twice and never missed.
	recent, own := x.recent.view(tenant)
	g := x.acquire()
	if g == nil {
		return nil, errClosed
	}
	defer g.release()
	p := newPlan(q)
	hits, err := g.candidates(ctx, tenant, p, recent, own)
	if ended := ctx.Err(); ended != nil {
		return nil, ended
	}
	if err != nil {
		g.failed(err)
		err = fmt.Errorf("search the index: %w", err)
	}
	return best(hits, p.limit), err
}

// candidates searches memory and disk, or memory alone if the disk fails.
func (g *generation) candidates(ctx context.Context, tenant string, p plan, recent memView, own run) ([]hit, error) {
	var memory []memView
	if !recent.empty() {
		memory = append(memory, recent)
	}
	held, known := g.shard(tenant)
	if !known {
		return inMemory(ctx, p, memory)
	}
	if hits, ok, err := g.again(ctx, held, p, recent); ok || err != nil {
		return hits, err
	}
	if v := held.table.view(0); !v.empty() {
		memory = append(memory, v)
	}
	hits, found, failure := g.onDisk(ctx, held.number, p, memory)
	if failure == nil && found != nil {
		g.answers.Put(p.key(held.number), &answer{own.covered(held.applied), p.again, found}, 1)
	}
	if failure == nil || ctx.Err() != nil {
		return hits, failure
	}
	hits, err := inMemory(ctx, p, memory)
	return hits, errors.Join(failure, err)
}

// inMemory searches memtables only.
func inMemory(ctx context.Context, p plan, memory []memView) ([]hit, error) {
	s := newSearch(p)
	s.addMemory(p, memory)
	return s.all(ctx, p)
}

// onDisk searches memtables and the segments of the generation. It also returns what a later search for the same needs,
// nil if that searches everything again.
func (g *generation) onDisk(
	ctx context.Context, tenant uint32, p plan, memory []memView,
) (hits []hit, found []noted, err error) {
	defer guard(&err)
	defer faultsPanic()()
	r, err := g.reader()
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s := newSearch(p)
	s.again = p.again
	s.shared = g.states.matches(tenant, r, memory, p.scope())
	s.addMemory(p, memory)
	if err := s.addDisk(g, r, tenant, p, memory); err != nil {
		return nil, nil, err
	}
	hits, err = s.all(ctx, p)
	return hits, s.noted, err
}

// all runs every part of the query.
func (s *search) all(ctx context.Context, p plan) ([]hit, error) {
	var hits []hit
	for _, a := range p.asked {
		more, err := s.run(ctx, a)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	return hits, nil
}

// best lists entities by descending best score, each once.
func best(hits []hit, limit int) []tenure.ID {
	slices.SortFunc(hits, inOrder)
	seen := make(map[tenure.ID]bool, limit)
	ids := make([]tenure.ID, 0, min(len(hits), limit))
	for _, h := range hits {
		if len(ids) == limit {
			break
		}
		if !seen[h.entity] {
			seen[h.entity] = true
			ids = append(ids, h.entity)
		}
	}
	return ids
}

func inOrder(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entity, b.entity))
}
