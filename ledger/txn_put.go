package ledger

import (
	"cmp"
	"slices"

	"tenure"
)

// changeKey identifies the thing that a change puts a version of.
type changeKey struct {
	kind tenure.ChangeKind
	id   string
}

// keyOf returns the key of a change, false for changes that are added and never replaced.
func keyOf(c tenure.Change) (changeKey, bool) {
	e := c.Entry()
	switch e.Kind {
	case tenure.KindAliasAdded, tenure.KindAliasClosed:
		return changeKey{}, false
	case tenure.KindVocabularyPut, tenure.KindTermPut:
		return changeKey{e.Kind, e.Name}, true
	}
	return changeKey{e.Kind, string(e.ID)}, true
}

// Changes lists the changes that the current decision put, in order. The list is valid until the next Put.
func (t *Txn) Changes() []tenure.Change { return slices.Clip(t.changes[t.mark:]) }

// own finds the change of type C that the current decision put for an id.
func own[C tenure.Change](t *Txn, id tenure.ID) (C, bool) {
	var c C
	i, ok := t.places[changeKey{c.Entry().Kind, string(id)}]
	if !ok {
		return c, false
	}
	c, ok = t.changes[i].(C)
	return c, ok
}

// Put adds changes to the current decision; later reads show them. A version replaces, in its place, the
// version that the decision put before. The changes of a refused decision are discarded; the changes of an
// accepted decision are visible to the decisions after it in the group.
//
// Moved mentions and claims are shown at their new place only to the decision that moved them: see
// [Txn.RequireExclusive].
func (t *Txn) Put(changes ...tenure.Change) {
	for _, c := range changes {
		k, versioned := keyOf(c)
		i, again := t.places[k]
		if versioned && again {
			t.changes[i] = c
		} else {
			i = len(t.changes)
			t.changes = append(t.changes, c)
		}
		if versioned && !again {
			t.places[k] = i
		}
		if !again {
			t.index(i, c)
		}
		t.show(c)
	}
}

// index records the position of a change under its slot.
func (t *Txn) index(i int, c tenure.Change) {
	switch c := c.(type) {
	case tenure.ClaimAdded:
		key := c.Claim.Slot().Key()
		set(t, t.evidence, key, append(t.evidence[key], i))
		if len(c.Claim.Supersedes) > 0 {
			t.naming = append(t.naming, i)
		}
	case tenure.Amended:
		t.naming = append(t.naming, i)
	case tenure.CasePut:
		key := c.Case.Slot().Key()
		set(t, t.evidence, key, append(t.evidence[key], i))
	}
}

// show overlays a change on the cached state. Lists that are not loaded are left alone: their loader adds the
// pending changes.
func (t *Txn) show(c tenure.Change) {
	switch c := c.(type) {
	case tenure.EntityPut:
		if t.entities[c.Entity.ID] == nil {
			t.create(c.Entity.ID)
		}
		set(t, t.entities, c.Entity.ID, &c.Entity)
	case tenure.AliasAdded:
		t.addAlias(c.Alias)
	case tenure.AliasClosed:
		t.closeAlias(c.Alias)
	case tenure.IdentityDecisionPut:
		t.addDecision(c.Decision)
	case tenure.ClaimAdded:
		t.addClaim(c.Claim)
	case tenure.ClaimMoved:
		t.moveClaim(c)
	case tenure.Amended:
		t.amend(c.Amendment)
	case tenure.StandingPut:
		if b := t.beliefs[c.Standing.Belief]; b != nil {
			next := *b
			next.Standing = c.Standing
			set(t, t.beliefs, c.Standing.Belief, &next)
		}
	case tenure.ContentErased:
		t.erase(c)
	default:
		t.showVersion(c)
	}
	t.intoSlots(c, t.edit)
	t.forget(c)
}

// showVersion shows a version of what is read by its id alone.
func (t *Txn) showVersion(c tenure.Change) {
	switch c := c.(type) {
	case tenure.CasePut:
		set(t, t.cases, c.Case.ID, &c.Case)
	case tenure.DocumentPut:
		set(t, t.documents, c.Document.ID, &c.Document)
	case tenure.VocabularyPut:
		set(t, t.words, c.Vocabulary.Name, &c.Vocabulary)
	case tenure.TermPut:
		set(t, t.terms, c.Term.ID(), &c.Term)
	}
}

// erase shows a cached claim as its tombstone, at the place where it is. Mentions are shown so where they are read.
func (t *Txn) erase(c tenure.ContentErased) {
	b := t.beliefs[c.ID]
	if b == nil {
		return
	}
	next := *b
	switch c.Kind {
	case tenure.ErasedClaim:
		next.Claim = b.Claim.Erase()
		if next.Standing.Turned {
			next.Standing.Subject, next.Standing.Turned = b.Claim.Subject, false
		}
		next.Standing.Object = ""
	case tenure.ErasedWording:
		next.Claim = b.Claim.EraseWording()
	}
	set(t, t.beliefs, c.ID, &next)
}

func (t *Txn) addDecision(v tenure.IdentityDecision) {
	for _, id := range []tenure.ID{v.From, v.Into} {
		if list, ok := t.decisions[id]; ok {
			set(t, t.decisions, id, withDecision(list, v))
		}
	}
}

// create records that the entity is created in this transaction: the store holds nothing of it, so every read
// of it is already answered.
func (t *Txn) create(id tenure.ID) {
	set(t, t.fresh, id, true)
	setAbsent(t, t.entityAliases, []tenure.ID{id})
	setAbsent(t, t.decisions, []tenure.ID{id})
}

// withReview inserts or replaces a review in a list sorted by id.
func withReview(list []tenure.Review, r tenure.Review) []tenure.Review {
	list = slices.DeleteFunc(slices.Clone(list), func(o tenure.Review) bool { return o.ID == r.ID })
	list = append(list, r)
	slices.SortFunc(list, func(a, b tenure.Review) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// withDecision inserts or replaces an identity decision in a list.
func withDecision(list []tenure.IdentityDecision, v tenure.IdentityDecision) []tenure.IdentityDecision {
	list = slices.Clone(list)
	if i := slices.IndexFunc(list, func(o tenure.IdentityDecision) bool { return o.ID == v.ID }); i >= 0 {
		list[i] = v
		return list
	}
	return append(list, v)
}

// addAlias shows an alias. An entity may get thousands in one decision, so the lists grow in place: who reads them gets
// them clipped, and undoing a change brings the shorter list back.
func (t *Txn) addAlias(o tenure.Alias) {
	if list, ok := t.aliases[o.Key]; ok {
		set(t, t.aliases, o.Key, append(list, o))
	}
	if list, ok := t.entityAliases[o.Entity]; ok {
		set(t, t.entityAliases, o.Entity, append(list, o))
	}
}

func (t *Txn) closeAlias(o tenure.Alias) {
	if list, ok := t.aliases[o.Key]; ok {
		set(t, t.aliases, o.Key, withoutAlias(list, o))
	}
	if list, ok := t.entityAliases[o.Entity]; ok {
		set(t, t.entityAliases, o.Entity, withoutAlias(list, o))
	}
}

func withoutAlias(list []tenure.Alias, o tenure.Alias) []tenure.Alias {
	return slices.DeleteFunc(slices.Clone(list), func(x tenure.Alias) bool {
		return x.Key == o.Key && x.Entity == o.Entity && x.Mention == o.Mention
	})
}

func (t *Txn) addClaim(c tenure.Claim) {
	set(t, t.beliefs, c.ID, &tenure.Belief{Claim: c, RecordedAt: t.recordedAt()})
	setAbsent(t, t.depends, []tenure.ID{c.ID}) // the store holds nothing that depends on a new claim
	setAbsent(t, t.namers, []tenure.ID{c.ID})
	setAbsent(t, t.amendments, []tenure.ID{c.ID})
	for _, id := range c.Supersedes {
		if list, ok := t.namers[id]; ok {
			set(t, t.namers, id, append(slices.Clip(list), &c))
		}
	}
	if list, ok := t.byKey[c.Key]; ok {
		set(t, t.byKey, c.Key, append(slices.Clip(list), c.ID))
	}
	for _, id := range c.DependsOn {
		if list, ok := t.depends[id]; ok {
			set(t, t.depends, id, append(slices.Clip(list), c.ID))
		}
	}
}

// moveClaim shows a claim with its new subject, predicate or object. Its belief is cached already, since the decision
// that moves a claim has read it.
func (t *Txn) moveClaim(c tenure.ClaimMoved) {
	if before := t.moves[c.Claim]; before != nil {
		key := before.to.Key()
		left := slices.DeleteFunc(slices.Clone(t.arrivals[key]), func(id tenure.ID) bool { return id == c.Claim })
		set(t, t.arrivals, key, left)
	}
	set(t, t.moves, c.Claim, &move{c.From, c.To})
	key := c.To.Key()
	set(t, t.arrivals, key, append(slices.Clip(t.arrivals[key]), c.Claim))
	if b := t.beliefs[c.Claim]; b != nil {
		next := *b
		if c.Turned {
			next.Claim, next.Standing.Turned = b.Claim.Turned(), !b.Standing.Turned
		}
		if c.To.Predicate != b.Claim.Predicate {
			next.Claim, next.Standing.Predicate = next.Claim.Under(c.To.Predicate), c.To.Predicate
		}
		next.Standing.Subject, next.Standing.Object = c.To.Subject, c.Object
		next.Claim.Subject, next.Claim.Value.Entity = c.To.Subject, c.Object
		set(t, t.beliefs, c.Claim, &next)
	}
}

// edit returns a copy of a loaded slot that may be changed, nil if the slot is not loaded.
func (t *Txn) edit(s tenure.Slot) *slotCache {
	key := s.Key()
	have := t.slots[key]
	if have == nil {
		return nil
	}
	next := *have
	set(t, t.slots, key, &next)
	return &next
}

// intoSlots adds a change to every slot that it is evidence in; at returns an editable slot or nil.
func (t *Txn) intoSlots(c tenure.Change, at func(tenure.Slot) *slotCache) {
	switch c := c.(type) {
	case tenure.ClaimAdded:
		if s := at(c.Claim.Slot()); s != nil {
			s.beliefs = append(s.beliefs, c.Claim.ID)
		}
		for _, slot := range t.named(&c.Claim) {
			if s := at(slot); s != nil {
				s.superseders = append(s.superseders, &c.Claim)
			}
		}
	case tenure.Amended:
		slots := []tenure.Slot{c.Slot}
		if b := t.beliefs[c.Amendment.Belief]; b != nil {
			slots = append(t.named(&b.Claim), b.Claim.Slot())
		}
		seen := map[string]bool{}
		for _, slot := range slots {
			key := slot.Key()
			if seen[key] {
				continue
			}
			seen[key] = true
			if s := at(slot); s != nil {
				s.amendments = append(s.amendments, c.Amendment)
			}
		}
	case tenure.CasePut:
		if c.Case.CrossScope {
			return
		}
		if s := at(c.Case.Slot()); s != nil && !slices.Contains(s.cases, c.Case.ID) {
			s.cases = append(s.cases, c.Case.ID)
		}
	}
}

// named lists the slots, each once, of the cached beliefs that a claim supersedes by name.
func (t *Txn) named(c *tenure.Claim) []tenure.Slot {
	var list []tenure.Slot
	for _, id := range c.Supersedes {
		b := t.beliefs[id]
		if b == nil {
			continue
		}
		same := func(s tenure.Slot) bool { return s.Key() == b.Claim.Slot().Key() }
		if !slices.ContainsFunc(list, same) {
			list = append(list, b.Claim.Slot())
		}
	}
	return list
}
