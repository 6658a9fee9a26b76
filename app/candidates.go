package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tenure"
	"tenure/index"
	"tenure/registry"
	"tenure/store"
)

// candidates generates them from the index. It is a [ingest.Proposer] and a
// [review.Proposer].
type candidates struct {
	index  *index.Index
	store  store.Store
	logger *slog.Logger
	now    func() time.Time
	asked  func(tenant string) // told of each search
	// sessions are what else candidates come from.
	sessions *sessions

	mu    sync.Mutex
	kinds map[string]kinds
}

// kinds are the entity types of a tenant that have a parent, as they were read
// at a time.
type kinds struct {
	parents map[string]string
	read    time.Time
}

const (
	// searchTimeout bounds a search that a request waits for: candidates are a
	// hint then, not worth a long wait, and the second look makes up for it.
	searchTimeout = 5 * time.Second
	// lookTimeout bounds a search of the second look, which nothing makes up for.
	lookTimeout = 10 * time.Second
)

// Propose finds entities that a mention may mean, first of those that its session
// has mentioned; no others if there is no time to.
func (c *candidates) Propose(tenant string, m tenure.Mention, scope tenure.Scope, limit int) []tenure.ID {
	ctx, cancel := context.WithTimeout(context.Background(), searchTimeout)
	defer cancel()
	p := registry.ProfileOfMention(m)
	types, err := c.compatible(ctx, tenant, m.Type)
	if err != nil {
		c.logger.WarnContext(ctx, "the hierarchy of types cannot be read", "tenant", tenant, "error", err)
	}
	ids, err := c.find(ctx, tenant, index.Query{
		Names: p.Names, Types: types, Project: m.Project,
		Identifiers: identifiers(m.Attributes), Descriptions: p.Context, Limit: limit,
	})
	if err != nil {
		c.logger.WarnContext(ctx, "no candidates from the index", "tenant", tenant, "error", err)
	}
	return append(c.sessions.recall(tenant, m.Name, scope), ids...)
}

// ProposeFor finds entities that an entity may be the same as; Unavailable if not
// all of them could be looked for.
func (c *candidates) ProposeFor(tenant string, e tenure.Entity, limit int) ([]tenure.ID, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookTimeout)
	defer cancel()
	types, err := c.compatible(ctx, tenant, e.Type)
	if err != nil {
		return nil, unfound(err)
	}
	ids, err := c.find(ctx, tenant, index.Query{
		Names: append([]string{e.Name}, e.Names...), Types: types, Project: e.Project,
		Identifiers: identifiers(e.Attributes), Descriptions: e.Context, Limit: limit,
	})
	if err != nil {
		return nil, unfound(err)
	}
	return ids, nil
}

func unfound(err error) error {
	return &tenure.Error{Code: tenure.Unavailable, Message: "candidates could not be looked for", Err: err}
}

func identifiers(attributes map[string][]string) []tenure.Form {
	return append(registry.IdentifierForms(attributes), registry.BlockingForms(attributes)...)
}

func (c *candidates) find(ctx context.Context, tenant string, q index.Query) ([]tenure.ID, error) {
	c.asked(tenant)
	return c.index.Candidates(ctx, tenant, q)
}

// kindsAge is how long the types of a tenant are remembered.
const kindsAge = 5 * time.Second

// compatible lists the types that the type may be found under: itself, those
// above and below it, and none. No type is compatible with all. With an error it
// goes by the hierarchy as it was read last.
func (c *candidates) compatible(ctx context.Context, tenant, typ string) ([]string, error) {
	if typ == "" {
		return nil, nil
	}
	parents, err := c.parents(ctx, tenant)
	list := []string{typ, ""}
	for t, steps := parents[typ], 0; t != "" && steps < len(parents); steps++ {
		list = append(list, t)
		t = parents[t]
	}
	for t := range parents {
		for above, steps := parents[t], 0; above != "" && steps < len(parents); steps++ {
			if above == typ {
				list = append(list, t)
				break
			}
			above = parents[above]
		}
	}
	return list, err
}

func (c *candidates) parents(ctx context.Context, tenant string) (map[string]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.kinds[tenant]
	if c.now().Sub(last.read) < kindsAge {
		return last.parents, nil
	}
	r, err := c.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return last.parents, err
	}
	terms, err := r.ListTerms(ctx, tenure.EntityTypes, "", 10_000)
	if err != nil {
		return last.parents, err
	}
	parents := map[string]string{}
	for _, t := range terms {
		if t.Parent != "" {
			parents[t.Name] = t.Parent
		}
	}
	c.kinds[tenant] = kinds{parents, c.now()}
	return parents, nil
}
