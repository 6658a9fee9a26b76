package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tenure"
)

// Query asks for entities that may go by one of Names or one of Identifiers, or
// are described in words of one of Descriptions, of which the first 4 count.
// Types are those that are compatible, any if there are none. Found is what is
// of no project or of Project. Limit is 50 if it is zero, and at most 1000. Of
// Names the first 16 different ones count, of Identifiers and of Types the first 64.
type Query struct {
	Names        []string
	Types        []string
	Project      string
	Identifiers  []tenure.AliasKey
	Descriptions []string
	Limit        int
}

// Candidates proposes entities, best first. The error is that of the context, or
// that the index is closed or cannot be read: then it is mended, and what is in
// memory is found beside the error.
func (x *Index) Candidates(ctx context.Context, tenant string, q Query) ([]tenure.ID, error) {
	// What is recent is looked at first, then what is in memory, then the disk:
	// documents move that way, and none may be missed.
	var memory []memView
	if v, ok := x.recent.view(tenant); ok {
		memory = append(memory, v)
	}
	g := x.acquire()
	if g == nil {
		return nil, errClosed
	}
	defer g.release()
	p := newPlan(q)
	hits, err := g.candidates(ctx, tenant, p, memory)
	if ended := ctx.Err(); ended != nil {
		return nil, ended
	}
	if err != nil {
		g.failed(err)
		err = fmt.Errorf("search the index: %w", err)
	}
	return best(hits, p.limit), err
}

// candidates searches memory and disk, and memory alone where the disk fails.
func (g *generation) candidates(ctx context.Context, tenant string, p plan, memory []memView) ([]hit, error) {
	held, known := g.shard(tenant)
	if known {
		if v := held.table.view(0); !v.empty() {
			memory = append(memory, v)
		}
	}
	if !known {
		return inMemory(ctx, p, memory)
	}
	hits, failure := g.onDisk(ctx, held.number, p, memory)
	if failure == nil || ctx.Err() != nil {
		return hits, failure
	}
	hits, err := inMemory(ctx, p, memory)
	return hits, errors.Join(failure, err)
}

// inMemory searches memtables alone.
func inMemory(ctx context.Context, p plan, memory []memView) ([]hit, error) {
	s := newSearch(p.limit)
	s.addMemory(p, memory)
	return s.all(ctx, p)
}

// onDisk searches memtables and the segments of the generation.
func (g *generation) onDisk(ctx context.Context, tenant uint32, p plan, memory []memView) (hits []hit, err error) {
	defer guard(&err)
	defer faultsPanic()()
	r, err := g.reader()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s := newSearch(p.limit)
	s.addMemory(p, memory)
	if err := s.addDisk(g, r, tenant, p, memory); err != nil {
		return nil, err
	}
	return s.all(ctx, p)
}

// all searches for everything that is asked.
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

// best orders entities by their best score.
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
