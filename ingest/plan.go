package ingest

import (
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/ledger"
	"tenure/projection"
	"tenure/registry"
	"tenure/vocabulary"
)

// Plan lists what Decide reads, in three steps: the alias keys, terms and names in the input; the entities
// that the mentions may mean, with the slots of the claims about them; and the beliefs that depend on beliefs
// in these slots.
func (c *Command) Plan() ledger.Plan {
	c.candidates = Candidates{
		Talk: Talk{
			Tenant: c.Caller.Tenant, Scope: c.scope().InSession(c.Input.Source.Session), Speaker: c.Input.Source.Speaker,
			Written: true,
		},
		Model: c.Matcher.Model, Proposer: c.Proposer,
		Limit: registry.MaxBlockedCandidates,
	}
	for i := range c.Input.Mentions {
		c.candidates.Mentions = append(c.candidates.Mentions, c.mention(i))
	}
	return ledger.Beside(c.candidates.Plan(), c.planned(), ledger.Plan{
		{Name: "names", Load: func(*ledger.Txn) ledger.Prefetch { return c.named() }},
		{Name: "slots", Load: func(t *ledger.Txn) ledger.Prefetch {
			return ledger.Prefetch{Slots: append(c.supersededSlots(t), c.likelySlots(t)...)}
		}},
		{Name: "standings", Load: c.standings},
		{Name: "nothing"},
		{Name: "slots of members", Load: func(t *ledger.Txn) ledger.Prefetch {
			return ledger.Prefetch{Slots: projection.Expand(t, c.likelySlots(t))}
		}},
	})
}

// named lists the reads that the input itself determines.
func (c *Command) named() ledger.Prefetch {
	var p ledger.Prefetch
	if c.Input.Source.Role != "" || c.Caller.Role != "" || c.roleTag() != "" {
		p.Vocabularies = append(p.Vocabularies, tenure.SpeakerRoles)
	}
	for _, m := range c.Input.Mentions {
		if m.Record != nil {
			p.Terms = append(p.Terms, tenure.TermID(tenure.Sources, m.Record.Source))
		}
		if m.Type != "" {
			p.Terms = append(p.Terms, tenure.TermID(tenure.EntityTypes, m.Type))
			p.Vocabularies = append(p.Vocabularies, tenure.EntityTypes)
		}
	}
	for _, claim := range c.Input.Claims {
		p.Terms = append(p.Terms, vocabulary.IDs(claim.Predicate)...)
		p.Vocabularies = append(p.Vocabularies, tenure.Predicates)
		if kinds := attribute.KindTerms(map[string][]string{claim.Predicate: nil}); claim.Subject.Mention != nil {
			p.Terms, p.Vocabularies = append(p.Terms, kinds...), append(p.Vocabularies, tenure.IdentifierKinds)
		}
		for _, ref := range []*Ref{&claim.Subject, claim.Value.Entity} {
			if ref != nil && ref.EntityID != "" {
				p.Entities = append(p.Entities, ref.EntityID)
			}
		}
		for _, name := range slices.Concat(claim.Supersedes, claim.DependsOn) {
			if id, ok := tenure.ParseID(name); ok {
				p.Beliefs = append(p.Beliefs, id)
			}
			p.Keys = append(p.Keys, name)
			p.Terms = append(p.Terms, vocabulary.IDs(name)...)
		}
	}
	return p
}

// standings lists the beliefs that depend on beliefs in the likely slots, the entities that are their values,
// and the roots of the entities that the claims name as subjects.
func (c *Command) standings(txn *ledger.Txn) ledger.Prefetch {
	var p ledger.Prefetch
	for _, s := range c.likelySlots(txn) {
		p.Dependents = append(p.Dependents, txn.CachedStanding(s)...)
		p.Entities = append(p.Entities, txn.CachedValues(s)...)
	}
	for _, claim := range c.Input.Claims {
		for _, ref := range []*Ref{&claim.Subject, claim.Value.Entity} {
			if ref == nil {
				continue
			}
			if e := txn.CachedEntity(ref.EntityID); e != nil {
				p.Entities = append(append(p.Entities, e.Root()), e.Members...)
			}
		}
	}
	return p
}

// supersededSlots lists the slots of the beliefs that the claims name as superseded.
func (c *Command) supersededSlots(txn *ledger.Txn) []tenure.Slot {
	var slots []tenure.Slot
	for _, claim := range c.Input.Claims {
		for _, key := range claim.Supersedes {
			for _, b := range txn.CachedByKey(key) {
				slots = append(slots, b.Claim.Slot())
			}
			if b := txn.CachedBelief(tenure.ID(key)); b != nil {
				slots = append(slots, b.Claim.Slot())
			}
		}
	}
	return slots
}

// likelySlots lists the slots of the claims, assuming that each mention means an entity known by its alias
// keys.
func (c *Command) likelySlots(txn *ledger.Txn) []tenure.Slot {
	var slots []tenure.Slot
	for _, claim := range c.Input.Claims {
		predicate, holders := c.likelyPlace(txn, claim)
		for _, holder := range holders {
			slots = append(slots, tenure.Slot{Subject: holder, Predicate: predicate, Scope: c.scopeOf(claim)})
		}
		for _, subject := range c.likelySubjects(txn, claim.Subject) {
			for _, name := range slices.Concat(claim.Supersedes, claim.DependsOn) {
				if _, ok := tenure.ParseID(name); !ok && len(txn.CachedByKey(name)) == 0 {
					// a read from the cache returns no error
					named, _ := slotsNamed(context.Background(), cachedTerms{txn}, name, subject, c.scopeOf(claim))
					slots = append(slots, named...)
				}
			}
		}
	}
	return slots
}

// cachedTerms reads terms from the transaction's cache.
type cachedTerms struct{ txn *ledger.Txn }

func (k cachedTerms) Term(_ context.Context, id string) (*tenure.Term, error) {
	return k.txn.CachedTerm(id), nil
}

// likelyPlace returns the predicate under which a claim is likely held, and the entities that it is likely held of.
func (c *Command) likelyPlace(txn *ledger.Txn, claim Claim) (string, []tenure.ID) {
	ctx, terms := context.Background(), cachedTerms{txn} // a read from the cache returns no error
	t, inverted, _ := vocabulary.Placed(ctx, terms, claim.Predicate, claim.Value.Entity != nil, claim.Value.shape)
	if inverted {
		return t.Name, c.likelySubjects(txn, *claim.Value.Entity)
	}
	return t.Name, c.likelySubjects(txn, claim.Subject)
}

func (c *Command) likelySubjects(txn *ledger.Txn, r Ref) []tenure.ID {
	if r.Mention == nil || *r.Mention < 0 || *r.Mention >= len(c.Input.Mentions) {
		return []tenure.ID{r.EntityID}
	}
	return c.candidates.aliases(txn, *r.Mention)
}
