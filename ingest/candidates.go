package ingest

import (
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/audience"
	"tenure/ledger"
	"tenure/registry"
	"tenure/similarity"
)

// Talk is where a mention is made: its tenant, its scope, which includes the session of its source, and its speaker
// ("" if that is not known). A mention that is written may make an entity, which is resolved again.
type Talk struct {
	Tenant  string
	Scope   tenure.Scope
	Speaker string
	Written bool
	// Seen bounds the candidates to what an audience sees; nil does not. Of a mention that is written, the audience is
	// that of its label.
	Seen *audience.Bounds
	// Sees is what the audience sees; nil is everything.
	Sees audience.Sight
}

// Proposer generates candidates: entities within a scope that a mention may mean, besides the entities known
// by its alias keys. The candidates may be incomplete, wrong or out of date: they are hints and no evidence.
type Proposer interface {
	Propose(ctx context.Context, m tenure.Mention, t Talk, limit int) registry.Hints
}

// Candidates prefetches the candidates of mentions: the aliases under their alias keys, the proposals of
// candidate generation, and the roots and the members of both.
type Candidates struct {
	Talk     Talk
	Mentions []tenure.Mention
	Model    *similarity.Model
	// Proposer may be nil: then no candidates are generated. Limit bounds the proposals for each mention.
	Proposer Proposer
	Limit    int

	hints []registry.Hints // by mention
}

// Hints returns the hints for a mention, once the plan has been carried out.
func (c *Candidates) Hints(mention int) registry.Hints {
	if mention >= len(c.hints) {
		return registry.Hints{}
	}
	return c.hints[mention]
}

// proposed lists the entities of a mention's hints.
func (c *Candidates) proposed(mention int) []tenure.ID {
	h := c.Hints(mention)
	return slices.Concat(h.Session, h.Proposed)
}

// Plan lists the steps of the prefetch.
func (c *Candidates) Plan() ledger.Plan {
	return ledger.Plan{
		{Name: "keys", Load: c.keys},
		{Name: "candidates", Work: c.search, Load: c.found},
		{Name: "roots", Load: c.roots},
		{Name: "members", Load: c.members},
		{Name: "comparisons", Work: c.compare},
	}
}

func (c *Candidates) keys(*ledger.Txn) ledger.Prefetch {
	var p ledger.Prefetch
	for _, m := range c.Mentions {
		p.AliasKeys = append(p.AliasKeys, registry.AliasKeys(m)...)
		if kinds := attribute.KindTerms(m.Attributes); len(kinds) > 0 {
			p.Terms = append(p.Terms, kinds...)
			p.Vocabularies = append(p.Vocabularies, tenure.IdentifierKinds)
		}
	}
	return p
}

// cachedKinds reads the tenant's identifier kinds from the transaction's cache.
type cachedKinds struct{ txn *ledger.Txn }

func (k cachedKinds) Vocabulary(_ context.Context, name string) (tenure.Vocabulary, error) {
	return k.txn.CachedVocabulary(name), nil
}

func (k cachedKinds) Term(_ context.Context, id string) (*tenure.Term, error) {
	return k.txn.CachedTerm(id), nil
}

// defineKinds sets the tenant's identifier kinds that occur in the attributes of the mentions.
func (c *Candidates) defineKinds(ctx context.Context, txn *ledger.Txn) {
	for i := range c.Mentions {
		m := &c.Mentions[i]
		// a read from the cache returns no error
		m.IdentifierKinds, _ = attribute.OwnKinds(ctx, cachedKinds{txn}, m.Attributes)
	}
}

// found lists the entities that the mentions may mean, and the alias keys of the tenant's identifier kinds,
// which are unknown before the kinds are read.
func (c *Candidates) found(txn *ledger.Txn) ledger.Prefetch {
	p := ledger.Prefetch{Entities: c.likely(txn)}
	for _, m := range c.Mentions {
		if m.IdentifierKinds != nil {
			p.AliasKeys = append(p.AliasKeys, registry.AliasKeys(m)...)
		}
	}
	return p
}

// search generates candidates for the mentions.
func (c *Candidates) search(ctx context.Context, txn *ledger.Txn) []ledger.Job {
	c.defineKinds(ctx, txn)
	c.hints = make([]registry.Hints, len(c.Mentions))
	if c.Proposer == nil {
		return nil
	}
	jobs := make([]ledger.Job, len(c.Mentions))
	for i, m := range c.Mentions {
		talk := c.Talk
		if talk.Written {
			talk.Seen, talk.Sees = audience.BoundsOf(m.Label), m.Label.Covers
		}
		jobs[i] = func() { c.hints[i] = c.Proposer.Propose(ctx, m, talk, c.Limit) }
	}
	return jobs
}

// aliases lists the cached entities known by a mention's alias keys.
func (c *Candidates) aliases(txn *ledger.Txn, mention int) []tenure.ID {
	var list []tenure.ID
	for _, key := range registry.AliasKeys(c.Mentions[mention]) {
		for _, o := range txn.CachedAliases(key) {
			list = append(list, o.Entity)
		}
	}
	return list
}

// likely lists the entities that the mentions may mean.
func (c *Candidates) likely(txn *ledger.Txn) []tenure.ID {
	var list []tenure.ID
	for i := range c.Mentions {
		list = append(list, c.proposed(i)...)
		list = append(list, c.aliases(txn, i)...)
	}
	return list
}

func (c *Candidates) roots(txn *ledger.Txn) ledger.Prefetch {
	var p ledger.Prefetch
	for _, id := range c.likely(txn) {
		p.Entities = append(p.Entities, id) // aliases of the tenant's identifier kinds are not read yet
		if e := txn.CachedEntity(id); e != nil {
			p.Entities = append(append(p.Entities, e.Root()), e.Members...)
		}
	}
	return p
}

func (c *Candidates) members(txn *ledger.Txn) ledger.Prefetch {
	var p ledger.Prefetch
	for _, id := range c.likely(txn) {
		e := txn.CachedEntity(id)
		if e == nil || e.Root() == id {
			continue
		}
		if root := txn.CachedEntity(e.Root()); root != nil {
			p.Entities = append(p.Entities, root.Members...)
		}
	}
	return p
}

// compare compares the mentions with their proposals concurrently, before the decision; comparing is most of
// the work.
func (c *Candidates) compare(_ context.Context, txn *ledger.Txn) []ledger.Job {
	var jobs []ledger.Job
	for i, m := range c.Mentions {
		if len(c.proposed(i)) == 0 {
			continue
		}
		own := c.Model.CachedProfile(similarity.ProfileOfMention(m))
		for _, id := range c.proposed(i) {
			if members := txn.CachedWhole(id); members != nil {
				jobs = append(jobs, func() { c.Model.WarmPair(own, members) })
			}
		}
	}
	return jobs
}
