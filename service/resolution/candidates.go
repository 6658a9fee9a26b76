package resolution

import (
	"context"
	"log/slog"
	"time"

	"tenure"
	"tenure/audience"
	"tenure/blocking"
	"tenure/cache"
	"tenure/index"
	"tenure/ingest"
	"tenure/registry"
	"tenure/similarity"
	"tenure/store"
)

// Candidates generates candidates from the name index and from session memory. It implements
// [ingest.Proposer] and [registry.CandidateSource].
type Candidates struct {
	index    *index.Index
	store    store.Store
	logger   *slog.Logger
	now      func() time.Time
	searched func(tenant string) // runs before each search; may be nil
	sessions *sessions

	hierarchies *cache.Cache[string, cachedHierarchy]
}

// cachedHierarchy is the type hierarchy of a tenant with the time of its reading.
type cachedHierarchy struct {
	types registry.TypeHierarchy
	read  time.Time
}

// NewCandidates returns a candidate generator over an index.
func NewCandidates(s store.Store, x *index.Index, logger *slog.Logger, now func() time.Time) *Candidates {
	return &Candidates{
		index: x, store: s, logger: logger, now: now,
		sessions: newSessions(), hierarchies: cache.New[string, cachedHierarchy](hierarchiesKept),
	}
}

const (
	// searchTimeout bounds a search that a reader waits for. Those for decisions and compilations end with the time that
	// these have: what they go by must not depend on how fast the machine is.
	searchTimeout = 5 * time.Second
	// reresolveTimeout bounds a search of re-resolution. It is longer because nothing later compensates for
	// missing candidates.
	reresolveTimeout = 10 * time.Second
	// hierarchyAge is how long the type hierarchy of a tenant is cached.
	hierarchyAge = 5 * time.Second
	// hierarchiesKept bounds the tenants in each generation of the cache of hierarchies.
	hierarchiesKept = 1024
	// maxTypes bounds the types that a hierarchy is read from.
	maxTypes = 10_000
)

// Propose returns the entities that a mention may denote: first those mentioned in its session, then those
// that the index finds. What an index that cannot be read does not find, re-resolution finds later.
func (c *Candidates) Propose(
	ctx context.Context, m tenure.Mention, t ingest.Talk, limit int,
) registry.Hints {
	p := similarity.ProfileOfMention(m)
	types, err := c.compatible(ctx, t.Tenant, m.Type)
	if err != nil {
		c.logger.WarnContext(ctx, "the hierarchy of types cannot be read", "tenant", t.Tenant, "error", err)
	}
	q := index.Query{
		Names: p.Names, Types: types, Project: m.Project,
		Identifiers: identifiers(m.Attributes, m.IdentifierKinds), Descriptions: p.Context, Limit: limit, Seen: t.Seen,
	}
	if t.Written {
		q.Again = registry.MaxReresolveCandidates
	}
	ids, err := c.find(ctx, t.Tenant, q)
	if err != nil {
		c.logger.WarnContext(ctx, "no candidates from the index", "tenant", t.Tenant, "error", err)
	}
	return registry.Hints{Session: c.inTalk(ctx, m, t), Proposed: ids}
}

// Named implements linking.Names: it lists the entities that the index finds for any of the names.
func (c *Candidates) Named(
	ctx context.Context, tenant string, names []string, project string, seen *audience.Bounds, limit int,
) []tenure.ID {
	ids, err := c.find(ctx, tenant, index.Query{Names: names, Project: project, Seen: seen, Limit: limit})
	if err != nil {
		c.logger.WarnContext(ctx, "no names from the index", "tenant", tenant, "error", err)
	}
	return ids
}

// Search returns the entities that may be known by a part of a name or by one of the identifiers, of one type if it is
// not "", of a project and of none, or of every project if it is "". It returns Unavailable if the search is
// incomplete.
func (c *Candidates) Search(
	ctx context.Context, tenant, part string, identifiers []tenure.AliasKey, typ, project string, seen *audience.Bounds,
	limit int,
) ([]tenure.ID, error) {
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	q := index.Query{
		Names: []string{part}, Identifiers: identifiers, Project: project, AnyProject: project == "", Parts: true, Limit: limit,
		Seen: seen,
	}
	if typ != "" {
		q.Types = []string{typ}
	}
	ids, err := c.find(ctx, tenant, q)
	if err != nil {
		return nil, incomplete(err)
	}
	return ids, nil
}

// ProposeFor returns the entities that may be the same as an entity. It returns Unavailable if the search is
// incomplete.
func (c *Candidates) ProposeFor(ctx context.Context, tenant string, e tenure.Entity, limit int) ([]tenure.ID, error) {
	ctx, cancel := context.WithTimeout(ctx, reresolveTimeout)
	defer cancel()
	types, err := c.compatible(ctx, tenant, e.Type)
	if err != nil {
		return nil, incomplete(err)
	}
	ids, err := c.find(ctx, tenant, index.Query{
		Names: e.Spellings(), Types: types, Project: e.Project,
		Identifiers: identifiers(e.Attributes, e.IdentifierKinds), Descriptions: e.Context, Limit: limit,
		Alike: true, Seen: audience.BoundsOf(e.Label),
	})
	if err != nil {
		return nil, incomplete(err)
	}
	return ids, nil
}

func incomplete(err error) error {
	return &tenure.Error{Code: tenure.Unavailable, Message: "candidates could not be looked for", Err: err}
}

func identifiers(attributes map[string][]string, own []tenure.IdentifierKind) []tenure.AliasKey {
	return append(registry.IdentifierAliasKeys(attributes, own), blocking.AttributeKeys(attributes, own)...)
}

func (c *Candidates) find(ctx context.Context, tenant string, q index.Query) ([]tenure.ID, error) {
	if c.searched != nil {
		c.searched(tenant)
	}
	return c.index.Candidates(ctx, tenant, q)
}

// compatible lists the types that a search covers; nil covers all. On an error, the list follows the
// hierarchy that was read last.
func (c *Candidates) compatible(ctx context.Context, tenant, typ string) ([]string, error) {
	if typ == "" {
		return nil, nil
	}
	types, err := c.hierarchy(ctx, tenant)
	return types.Compatible(typ), err
}

// hierarchy returns the type hierarchy of a tenant, cached for hierarchyAge.
func (c *Candidates) hierarchy(ctx context.Context, tenant string) (registry.TypeHierarchy, error) {
	last, _ := c.hierarchies.Get(tenant)
	if c.now().Sub(last.read) < hierarchyAge {
		return last.types, nil
	}
	r, err := c.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return last.types, err
	}
	terms, err := r.ListTerms(ctx, tenure.EntityTypes, "", maxTypes)
	if err != nil {
		return last.types, err
	}
	types := registry.TypeHierarchy{}
	for _, t := range terms {
		if t.Parent != "" {
			types[t.Name] = t.Parent
		}
	}
	c.hierarchies.Put(tenant, cachedHierarchy{types, c.now()}, 1)
	return types, nil
}
