package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tenure"
	"tenure/index"
	"tenure/ner"
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

// searchTimeout bounds one search: candidates are a hint, not worth a wait.
const searchTimeout = time.Second

// Propose finds entities that a mention may mean, first of those that its session
// has mentioned.
func (c *candidates) Propose(tenant string, m tenure.Mention, scope tenure.Scope, limit int) []tenure.ID {
	p := registry.ProfileOfMention(m)
	list := c.sessions.recall(tenant, m.Name, scope)
	return append(list, c.find(tenant, index.Query{
		Names: p.Names, Types: c.compatible(tenant, m.Type), Project: m.Project,
		Identifiers: identifiers(m.Attributes), Descriptions: p.Context, Limit: limit,
	})...)
}

// ProposeFor finds entities that an entity may be the same as.
func (c *candidates) ProposeFor(tenant string, e tenure.Entity, limit int) []tenure.ID {
	return c.find(tenant, index.Query{
		Names: append([]string{e.Name}, e.Names...), Types: c.compatible(tenant, e.Type), Project: e.Project,
		Identifiers: identifiers(e.Attributes), Descriptions: e.Context, Limit: limit,
	})
}

func identifiers(attributes map[string][]string) []tenure.Form {
	return append(registry.IdentifierForms(attributes), registry.BlockingForms(attributes)...)
}

func (c *candidates) find(tenant string, q index.Query) []tenure.ID {
	ctx, cancel := context.WithTimeout(context.Background(), searchTimeout)
	defer cancel()
	c.asked(tenant)
	ids, err := c.index.Candidates(ctx, tenant, q)
	if err != nil {
		c.logger.Warn("no candidates from the index", "tenant", tenant, "error", err)
	}
	return ids
}

// kindsAge is how long the types of a tenant are remembered.
const kindsAge = 5 * time.Second

// compatible lists the types that the type may be found under: itself, those
// above and below it, and none. No type is compatible with all.
func (c *candidates) compatible(tenant, typ string) []string {
	if typ == "" {
		return nil
	}
	parents := c.parents(tenant)
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
	return list
}

func (c *candidates) parents(tenant string) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k, ok := c.kinds[tenant]; ok && c.now().Sub(k.read) < kindsAge {
		return k.parents
	}
	ctx, cancel := context.WithTimeout(context.Background(), searchTimeout)
	defer cancel()
	parents := map[string]string{}
	r, err := c.store.View(ctx, tenant, tenure.Present)
	if err == nil {
		var terms []tenure.Term
		terms, err = r.ListTerms(ctx, tenure.EntityTypes, "", 10_000)
		for _, t := range terms {
			if t.Parent != "" {
				parents[t.Name] = t.Parent
			}
		}
	}
	if err != nil {
		c.logger.Warn("the hierarchy of types cannot be read", "tenant", tenant, "error", err)
		parents = c.kinds[tenant].parents
	}
	c.kinds[tenant] = kinds{parents, c.now()}
	return parents
}

// dictionaries keep for each tenant what its entities go by, for the reading of
// texts. They are an [index.Sink] in memory.
type dictionaries struct {
	mu      sync.RWMutex
	tenants map[string]*dictionary
}

type dictionary struct {
	*ner.Dictionary
	upTo tenure.Seq
}

func (d *dictionaries) of(tenant string) *dictionary {
	d.mu.Lock()
	defer d.mu.Unlock()
	have := d.tenants[tenant]
	if have == nil {
		have = &dictionary{Dictionary: ner.NewDictionary()}
		d.tenants[tenant] = have
	}
	return have
}

func (d *dictionaries) Cursor(tenant string) (tenure.Seq, error) {
	t := d.of(tenant)
	d.mu.RLock()
	defer d.mu.RUnlock()
	return t.upTo, nil
}

func (d *dictionaries) Put(_ context.Context, tenant string, docs []index.Document, removed []tenure.ID, upTo tenure.Seq) error {
	t := d.of(tenant)
	for _, doc := range docs {
		t.SetNames(doc.Entity, doc.Type, namesOf(doc)...)
	}
	for _, id := range removed {
		t.Remove(id)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t.upTo = max(t.upTo, upTo)
	return nil
}

func (d *dictionaries) Reset(_ context.Context, tenant string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.tenants, tenant)
	return nil
}

// namesOf lists what an entity goes by, with the names that single projects
// have for it.
func namesOf(doc index.Document) []ner.Name {
	names := make([]ner.Name, 0, len(doc.Names)+len(doc.Local))
	for _, n := range doc.Names {
		names = append(names, ner.Name{Project: doc.Project, Spelling: n})
	}
	for project, local := range doc.Local {
		for _, n := range local {
			names = append(names, ner.Name{Project: project, Spelling: n})
		}
	}
	return names
}
