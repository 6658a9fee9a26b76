package ingest

import (
	"context"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/registry"
)

// Wants lists what Decide reads: first the forms, words and names that the
// input itself tells, then the entities that own the forms, then the slots of
// the claims about those entities, then what depends on what stands there.
func (c *Command) Prefetch(d *ledger.Txn, round int) ledger.Prefetch {
	switch round {
	case 0:
		return c.named()
	case 1:
		c.propose(d)
		return ledger.Prefetch{
			Entities: c.likelyEntities(d), Slots: append(c.supersededSlots(d), c.likelySlots(d)...), Forms: c.ownForms(d),
		}
	case 2:
		var w ledger.Prefetch
		for _, s := range c.likelySlots(d) {
			w.Dependents = append(w.Dependents, d.CachedStanding(s)...)
			w.Entities = append(w.Entities, d.CachedValues(s)...)
		}
		for _, id := range c.likelyEntities(d) {
			w.Entities = append(w.Entities, id)
			if e := d.CachedEntity(id); e != nil {
				w.Entities = append(append(w.Entities, e.Root()), e.Members...)
			}
		}
		return w
	case 3:
		c.anticipate(d)
		return ledger.Prefetch{Slots: projection.Expand(d, c.likelySlots(d))}
	default:
		return ledger.Prefetch{}
	}
}

// supersededSlots are those of the beliefs that the claims name as displaced.
func (c *Command) supersededSlots(d *ledger.Txn) []tenure.Slot {
	var slots []tenure.Slot
	for _, claim := range c.Input.Claims {
		for _, key := range claim.Supersedes {
			for _, b := range d.CachedByKey(key) {
				slots = append(slots, b.Claim.Slot())
			}
			if b := d.CachedBelief(tenure.ID(key)); b != nil {
				slots = append(slots, b.Claim.Slot())
			}
		}
	}
	return slots
}

// knownKinds reads the terms that were loaded.
type knownKinds struct{ draft *ledger.Txn }

func (k knownKinds) Vocabulary(_ context.Context, name string) (tenure.Vocabulary, error) {
	return k.draft.CachedVocabulary(name), nil
}

func (k knownKinds) Term(_ context.Context, id string) (*tenure.Term, error) {
	return k.draft.CachedTerm(id), nil
}

// mentionIn is a mention of the input with the kinds of identifiers that the
// tenant has defined, as far as they were loaded.
func (c *Command) mentionIn(d *ledger.Txn, i int) tenure.Mention {
	m := c.mention(i)
	m.IdentifierKinds, _ = registry.OwnKinds(context.Background(), knownKinds{d}, m.Attributes)
	return m
}

// ownForms lists the forms of identifiers that the tenant has defined: which they
// are is known once its terms are.
func (c *Command) ownForms(d *ledger.Txn) []tenure.Form {
	var forms []tenure.Form
	for i := range c.Input.Mentions {
		if m := c.mentionIn(d, i); m.IdentifierKinds != nil {
			forms = append(forms, registry.Forms(m)...)
		}
	}
	return forms
}

// propose generates candidates for the mentions.
func (c *Command) propose(d *ledger.Txn) {
	c.proposed = map[int][]tenure.ID{}
	if c.Proposer == nil {
		return
	}
	for i := range c.Input.Mentions {
		c.proposed[i] = c.Proposer.Propose(c.Caller.Tenant, c.mentionIn(d, i), c.scope(), registry.Proposals)
	}
}

// anticipate compares the mentions with their candidates, while other commands do
// the same on other processors.
func (c *Command) anticipate(d *ledger.Txn) {
	for i := range c.Input.Mentions {
		own := c.Judge.Model.Ready(registry.ProfileOfMention(c.mentionIn(d, i)))
		for _, id := range c.proposed[i] {
			if members := d.CachedWhole(id); members != nil {
				c.Judge.Model.Anticipate(own, members)
			}
		}
	}
}

// likelyEntities are those that the mentions may mean.
func (c *Command) likelyEntities(d *ledger.Txn) []tenure.ID {
	var list []tenure.ID
	for i := range c.Input.Mentions {
		list = append(list, c.proposed[i]...)
		list = append(list, c.likelySubjects(d, Ref{Mention: &i})...)
	}
	for _, claim := range c.Input.Claims {
		list = append(list, claim.Subject.EntityID)
	}
	return list
}

func (c *Command) named() ledger.Prefetch {
	var w ledger.Prefetch
	for i, m := range c.Input.Mentions {
		w.Forms = append(w.Forms, registry.Forms(c.mention(i))...)
		if kinds := registry.KindTerms(m.Attributes); len(kinds) > 0 {
			w.Terms = append(w.Terms, kinds...)
			w.Vocabularies = append(w.Vocabularies, tenure.IdentifierKinds)
		}
		if m.Record != nil {
			w.Terms = append(w.Terms, tenure.TermID(tenure.Sources, m.Record.Source))
		}
		if m.Type != "" {
			w.Terms = append(w.Terms, tenure.TermID(tenure.EntityTypes, m.Type))
			w.Vocabularies = append(w.Vocabularies, tenure.EntityTypes)
		}
	}
	for _, claim := range c.Input.Claims {
		w.Terms = append(w.Terms, tenure.TermID(tenure.Predicates, claim.Predicate))
		w.Vocabularies = append(w.Vocabularies, tenure.Predicates)
		for _, ref := range []*Ref{&claim.Subject, claim.Value.Entity} {
			if ref != nil && ref.EntityID != "" {
				w.Entities = append(w.Entities, ref.EntityID)
			}
		}
		for _, name := range slices.Concat(claim.Supersedes, claim.DependsOn) {
			if id, ok := tenure.ParseID(name); ok {
				w.Beliefs = append(w.Beliefs, id)
			}
			w.Keys = append(w.Keys, name)
		}
	}
	return w
}

// likelySlots are those of the claims if each mention means the one entity
// that goes by its name.
func (c *Command) likelySlots(d *ledger.Txn) []tenure.Slot {
	var slots []tenure.Slot
	for _, claim := range c.Input.Claims {
		for _, subject := range c.likelySubjects(d, claim.Subject) {
			slots = append(slots, tenure.Slot{Subject: subject, Predicate: claim.Predicate, Scope: c.scope()})
			for _, name := range slices.Concat(claim.Supersedes, claim.DependsOn) {
				if _, ok := tenure.ParseID(name); !ok && len(d.CachedByKey(name)) == 0 {
					slots = append(slots, slotsNamed(name, subject, c.scope())...)
				}
			}
		}
	}
	return slots
}

func (c *Command) likelySubjects(d *ledger.Txn, r Ref) []tenure.ID {
	if r.Mention == nil || *r.Mention < 0 || *r.Mention >= len(c.Input.Mentions) {
		return []tenure.ID{r.EntityID}
	}
	var list []tenure.ID
	for _, f := range registry.Forms(c.mentionIn(d, *r.Mention)) {
		for _, o := range d.CachedOwners(f) {
			list = append(list, o.Entity)
		}
	}
	return list
}
