package ledger

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// Prefetch lists what decisions are going to read, so that one query of each kind reads it for many
// decisions. What is not listed is read on first use.
type Prefetch struct {
	AliasKeys         []tenure.AliasKey
	EntityAliases     []tenure.ID
	Entities          []tenure.ID
	Slots             []tenure.Slot
	Beliefs           []tenure.ID
	Keys              []string // claim keys
	Dependents        []tenure.ID
	Cases             []tenure.ID
	Vocabularies      []string
	Terms             []string
	Receipts          []string
	IdentityDecisions []tenure.ID // of either entity
	Superseded        []tenure.ID // beliefs: see [Txn.Part]
	Amended           []tenure.ID // beliefs
	Documents         []tenure.ID
}

// Add appends the lists of another Prefetch.
func (p *Prefetch) Add(o Prefetch) {
	p.AliasKeys = append(p.AliasKeys, o.AliasKeys...)
	p.EntityAliases = append(p.EntityAliases, o.EntityAliases...)
	p.Entities = append(p.Entities, o.Entities...)
	p.Slots = append(p.Slots, o.Slots...)
	p.Beliefs = append(p.Beliefs, o.Beliefs...)
	p.Keys = append(p.Keys, o.Keys...)
	p.Dependents = append(p.Dependents, o.Dependents...)
	p.Cases = append(p.Cases, o.Cases...)
	p.Vocabularies = append(p.Vocabularies, o.Vocabularies...)
	p.Terms = append(p.Terms, o.Terms...)
	p.Receipts = append(p.Receipts, o.Receipts...)
	p.IdentityDecisions = append(p.IdentityDecisions, o.IdentityDecisions...)
	p.Superseded = append(p.Superseded, o.Superseded...)
	p.Amended = append(p.Amended, o.Amended...)
	p.Documents = append(p.Documents, o.Documents...)
}

// Load reads what is listed and not cached yet, one query of each kind, concurrently. A slot with an outline is not
// read: who needs all of it calls [Txn.Slot]. After an error the transaction is unchanged.
func (t *Txn) Load(ctx context.Context, p Prefetch) error {
	return load(ctx, slices.Concat(
		t.aliasesOfKeys(p.AliasKeys), t.entityAliasesOf(p.EntityAliases), t.entitiesOf(p.Entities),
		t.slotsOf(slices.DeleteFunc(slices.Clone(p.Slots), func(s tenure.Slot) bool { return t.Outline(s) != nil })),
		t.beliefsOf(p.Beliefs), t.namersOf(p.Superseded), t.amendmentsOf(p.Amended),
		t.keys(p.Keys), t.dependents(p.Dependents), t.casesOf(p.Cases), t.vocabularies(p.Vocabularies),
		t.termsOf(p.Terms), t.receiptsOf(p.Receipts), t.identityDecisionsOn(p.IdentityDecisions),
		t.documentsOf(p.Documents),
	))
}

// fetch is one query of a load. read runs concurrently with other fetches and must not touch the transaction;
// merge runs alone.
type fetch struct {
	read  func(context.Context) error
	merge func()
}

// fetchOf returns the fetch that reads the keys and merges the result, none without keys.
func fetchOf[K, R any](keys []K, read func(context.Context, []K) (R, error), merge func(found R)) []fetch {
	if len(keys) == 0 {
		return nil
	}
	var found R
	return []fetch{{
		read:  func(ctx context.Context) (err error) { found, err = read(ctx, keys); return err },
		merge: func() { merge(found) },
	}}
}

func load(ctx context.Context, fetches []fetch) error {
	if len(fetches) == 0 {
		return nil
	}
	reads := make([]func() error, len(fetches))
	for i, f := range fetches {
		reads[i] = func() error { return f.read(ctx) }
	}
	if err := store.Beside(reads...); err != nil {
		return err
	}
	for _, f := range fetches {
		f.merge()
	}
	return nil
}

func (t *Txn) aliasesOfKeys(want []tenure.AliasKey) []fetch {
	keys := missing(t.aliases, want)
	return fetchOf(keys, t.base.AliasesByKey, func(found []tenure.Alias) {
		setAbsent(t, t.aliases, keys)
		for _, o := range found {
			t.aliases[o.Key] = append(t.aliases[o.Key], o)
		}
		t.eachAlias(func(o tenure.Alias, change func([]tenure.Alias, tenure.Alias) []tenure.Alias) {
			if slices.Contains(keys, o.Key) {
				t.aliases[o.Key] = change(t.aliases[o.Key], o)
			}
		})
	})
}

func (t *Txn) entityAliasesOf(want []tenure.ID) []fetch {
	ids := missing(t.entityAliases, want)
	return fetchOf(ids, t.base.AliasesOf, func(found []tenure.Alias) {
		setAbsent(t, t.entityAliases, ids)
		for _, o := range found {
			t.entityAliases[o.Entity] = append(t.entityAliases[o.Entity], o)
		}
		t.eachAlias(func(o tenure.Alias, change func([]tenure.Alias, tenure.Alias) []tenure.Alias) {
			if slices.Contains(ids, o.Entity) {
				t.entityAliases[o.Entity] = change(t.entityAliases[o.Entity], o)
			}
		})
	})
}

// eachAlias calls f for every pending change of an alias, in order, with the edit that the change makes to a
// list.
func (t *Txn) eachAlias(f func(o tenure.Alias, change func([]tenure.Alias, tenure.Alias) []tenure.Alias)) {
	for _, c := range t.changes {
		switch c := c.(type) {
		case tenure.AliasAdded:
			f(c.Alias, func(list []tenure.Alias, o tenure.Alias) []tenure.Alias { return append(list, o) })
		case tenure.AliasClosed:
			f(c.Alias, withoutAlias)
		}
	}
}

func (t *Txn) identityDecisionsOn(want []tenure.ID) []fetch {
	ids := missing(t.decisions, want)
	return fetchOf(ids, t.base.IdentityDecisionsOn, func(found []tenure.IdentityDecision) {
		setAbsent(t, t.decisions, ids)
		for _, v := range found {
			for _, id := range []tenure.ID{v.From, v.Into} {
				if slices.Contains(ids, id) {
					t.decisions[id] = append(t.decisions[id], v)
				}
			}
		}
		for _, c := range pendingOf[tenure.IdentityDecisionPut](t) {
			for _, id := range []tenure.ID{c.Decision.From, c.Decision.Into} {
				if slices.Contains(ids, id) {
					t.decisions[id] = withDecision(t.decisions[id], c.Decision)
				}
			}
		}
	})
}

func (t *Txn) entitiesOf(want []tenure.ID) []fetch {
	ids := fromSnapshot(t, t.entities, entityThing, missing(t.entities, want))
	return fetchOf(ids, t.base.Entities, func(found []tenure.Entity) {
		setAbsent(t, t.entities, ids)
		for i := range found {
			t.entities[found[i].ID] = &found[i]
		}
		toSnapshot(t, t.entities, entityThing, ids)
	})
}

func (t *Txn) slotsOf(want []tenure.Slot) []fetch {
	var slots []tenure.Slot
	seen := map[string]bool{}
	for _, s := range want {
		key := s.Key()
		if _, ok := t.slots[key]; ok || seen[key] {
			continue
		}
		seen[key] = true
		if t.fresh[s.Subject] {
			set(t, t.slots, key, &slotCache{slot: s})
			t.layOver(map[string]bool{key: true})
			continue
		}
		slots = append(slots, s)
	}
	return fetchOf(slots, t.base.Slots, func(found []store.SlotState) {
		loaded := map[string]bool{}
		for i := range found {
			key := found[i].Slot.Key()
			set(t, t.slots, key, t.cacheOf(&found[i]))
			loaded[key] = true
		}
		t.layOver(loaded)
	})
}

func (t *Txn) cacheOf(st *store.SlotState) *slotCache {
	ds := &slotCache{slot: st.Slot, amendments: st.Amendments}
	for i := range st.Beliefs {
		t.remember(&st.Beliefs[i])
		ds.beliefs = append(ds.beliefs, st.Beliefs[i].Claim.ID)
	}
	for i := range st.Superseders {
		ds.superseders = append(ds.superseders, &st.Superseders[i])
	}
	for i := range st.Cases {
		c := &st.Cases[i]
		if _, ok := t.cases[c.ID]; !ok {
			set(t, t.cases, c.ID, c)
		}
		ds.cases = append(ds.cases, c.ID)
	}
	return ds
}

// layOver adds the pending changes to slots that were just loaded.
func (t *Txn) layOver(loaded map[string]bool) {
	for _, i := range t.placesOf(loaded) {
		t.intoSlots(t.changes[i], func(s tenure.Slot) *slotCache {
			if key := s.Key(); loaded[key] {
				return t.slots[key]
			}
			return nil
		})
	}
}

// placesOf lists, in order, the positions of the pending changes that may be evidence in one of the slots.
func (t *Txn) placesOf(slots map[string]bool) []int {
	places := slices.Clone(t.naming)
	for key := range slots {
		places = append(places, t.evidence[key]...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func (t *Txn) beliefsOf(want []tenure.ID) []fetch {
	ids := missing(t.beliefs, want)
	return fetchOf(ids, t.base.Beliefs, func(found []tenure.Belief) {
		setAbsent(t, t.beliefs, ids)
		for i := range found {
			t.remember(&found[i])
		}
	})
}

func (t *Txn) keys(want []string) []fetch {
	keys := missing(t.byKey, want)
	return fetchOf(keys, t.base.BeliefsByKey, func(found []tenure.Belief) {
		setAbsent(t, t.byKey, keys)
		for i := range found {
			t.remember(&found[i])
			t.byKey[found[i].Claim.Key] = append(t.byKey[found[i].Claim.Key], found[i].Claim.ID)
		}
		for _, c := range pendingOf[tenure.ClaimAdded](t) {
			if slices.Contains(keys, c.Claim.Key) {
				t.byKey[c.Claim.Key] = append(t.byKey[c.Claim.Key], c.Claim.ID)
			}
		}
	})
}

func (t *Txn) dependents(want []tenure.ID) []fetch {
	ids := missing(t.depends, want)
	return fetchOf(ids, t.base.Dependents, func(found []tenure.Belief) {
		setAbsent(t, t.depends, ids)
		claims := make([]*tenure.Claim, 0, len(found))
		for i := range found {
			t.remember(&found[i])
			claims = append(claims, &found[i].Claim)
		}
		for _, c := range pendingOf[tenure.ClaimAdded](t) {
			claims = append(claims, &c.Claim)
		}
		for _, c := range claims {
			for _, id := range c.DependsOn {
				if slices.Contains(ids, id) {
					t.depends[id] = append(t.depends[id], c.ID)
				}
			}
		}
	})
}

func (t *Txn) casesOf(want []tenure.ID) []fetch {
	ids := missing(t.cases, want)
	return fetchOf(ids, t.base.Cases, func(found []tenure.Case) {
		setAbsent(t, t.cases, ids)
		for i := range found {
			t.cases[found[i].ID] = &found[i]
		}
	})
}

func (t *Txn) documentsOf(want []tenure.ID) []fetch {
	ids := missing(t.documents, want)
	return fetchOf(ids, t.base.Documents, func(found []tenure.Document) {
		setAbsent(t, t.documents, ids)
		for i := range found {
			t.documents[found[i].ID] = &found[i]
		}
	})
}

func (t *Txn) vocabularies(want []string) []fetch {
	names := fromSnapshot(t, t.words, vocabularyThing, missing(t.words, want))
	return fetchOf(names, t.base.Vocabularies, func(found []tenure.Vocabulary) {
		setAbsent(t, t.words, names)
		for i := range found {
			t.words[found[i].Name] = &found[i]
		}
		toSnapshot(t, t.words, vocabularyThing, names)
	})
}

func (t *Txn) termsOf(want []string) []fetch {
	ids := fromSnapshot(t, t.terms, termThing, missing(t.terms, want))
	return fetchOf(ids, t.base.Terms, func(found []tenure.Term) {
		setAbsent(t, t.terms, ids)
		for i := range found {
			t.terms[found[i].ID()] = &found[i]
		}
		toSnapshot(t, t.terms, termThing, ids)
	})
}

func (t *Txn) receiptsOf(want []string) []fetch {
	scopes := missing(t.receipts, want)
	return fetchOf(scopes, t.base.Receipts, func(found map[string]tenure.Receipt) {
		setAbsent(t, t.receipts, scopes)
		for scope, r := range found {
			t.receipts[scope] = &r
		}
	})
}
