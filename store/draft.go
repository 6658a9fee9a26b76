package store

import (
	"context"
	"slices"

	"tenure"
)

// Draft is the state that a decision sees: what was read of the store, with
// the change sets decided before it and not yet applied laid over it. It
// remembers which cells a decision has read. It is for one goroutine.
type Draft struct {
	base     Reader
	reads    map[tenure.Cell]struct{}
	pending  tenure.Instant
	applied  []tenure.Change
	evidence map[string][]int   // places in applied, by the slot that the change is in
	naming   []int              // places of those that may be evidence in other slots too
	fresh    map[tenure.ID]bool // entities that the store does not know yet
	owners   cache[tenure.Form, []tenure.Owner]
	owned    cache[tenure.ID, []tenure.Owner]
	entities cache[tenure.ID, *tenure.Entity]
	slots    cache[string, *draftSlot]
	beliefs  cache[tenure.ID, *tenure.Belief]
	byKey    cache[string, []tenure.ID]
	depends  cache[tenure.ID, []tenure.ID]
	cases    cache[tenure.ID, *tenure.Case]
	words    cache[string, *tenure.Vocabulary]
	terms    cache[string, *tenure.Term]
	receipts cache[string, *tenure.Receipt]
}

type cache[K comparable, V any] map[K]V

// missing lists the keys that are not cached, once each.
func (c cache[K, V]) missing(keys []K) []K {
	var list []K
	seen := map[K]struct{}{}
	for _, k := range keys {
		if _, ok := c[k]; ok {
			continue
		}
		if _, ok := seen[k]; !ok {
			seen[k] = struct{}{}
			list = append(list, k)
		}
	}
	return list
}

type draftSlot struct {
	slot        tenure.Slot
	beliefs     []tenure.ID
	superseders []*tenure.Claim
	amendments  []tenure.Amendment
	cases       []tenure.ID
}

// NewDraft begins a draft on a view.
func NewDraft(base Reader) *Draft {
	_, tx := base.State()
	return &Draft{
		base: base, pending: tx, reads: map[tenure.Cell]struct{}{}, evidence: map[string][]int{}, fresh: map[tenure.ID]bool{},
		owners: cache[tenure.Form, []tenure.Owner]{}, owned: cache[tenure.ID, []tenure.Owner]{},
		entities: cache[tenure.ID, *tenure.Entity]{}, slots: cache[string, *draftSlot]{},
		beliefs: cache[tenure.ID, *tenure.Belief]{}, byKey: cache[string, []tenure.ID]{},
		depends: cache[tenure.ID, []tenure.ID]{}, cases: cache[tenure.ID, *tenure.Case]{},
		words: cache[string, *tenure.Vocabulary]{}, terms: cache[string, *tenure.Term]{},
		receipts: cache[string, *tenure.Receipt]{},
	}
}

// Wants lists what decisions are going to read, so that it can be read for
// many of them at once. What is not listed is read when it is asked for.
type Wants struct {
	Forms        []tenure.Form
	Owned        []tenure.ID
	Entities     []tenure.ID
	Slots        []tenure.Slot
	Beliefs      []tenure.ID
	Keys         []string
	Dependents   []tenure.ID
	Cases        []tenure.ID
	Vocabularies []string
	Terms        []string
	Receipts     []string
}

// Add joins two lists of wants.
func (w *Wants) Add(o Wants) {
	w.Forms = append(w.Forms, o.Forms...)
	w.Owned = append(w.Owned, o.Owned...)
	w.Entities = append(w.Entities, o.Entities...)
	w.Slots = append(w.Slots, o.Slots...)
	w.Beliefs = append(w.Beliefs, o.Beliefs...)
	w.Keys = append(w.Keys, o.Keys...)
	w.Dependents = append(w.Dependents, o.Dependents...)
	w.Cases = append(w.Cases, o.Cases...)
	w.Vocabularies = append(w.Vocabularies, o.Vocabularies...)
	w.Terms = append(w.Terms, o.Terms...)
	w.Receipts = append(w.Receipts, o.Receipts...)
}

// Load reads what is wanted and not there yet.
func (d *Draft) Load(ctx context.Context, w Wants) error {
	for _, load := range []func(context.Context, Wants) error{
		d.loadForms, d.loadOwned, d.loadEntities, d.loadSlots, d.loadBeliefs, d.loadKeys,
		d.loadDependents, d.loadCases, d.loadWords, d.loadReceipts,
	} {
		if err := load(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

func (d *Draft) loadForms(ctx context.Context, w Wants) error {
	forms := d.owners.missing(w.Forms)
	if len(forms) == 0 {
		return nil
	}
	list, err := d.base.Owners(ctx, forms)
	for _, f := range forms {
		d.owners[f] = nil
	}
	for _, o := range list {
		d.owners[o.Form] = append(d.owners[o.Form], o)
	}
	for _, o := range pending[tenure.OwnerAdded](d) {
		if slices.Contains(forms, o.Owner.Form) {
			d.owners[o.Owner.Form] = append(d.owners[o.Owner.Form], o.Owner)
		}
	}
	return err
}

func (d *Draft) loadOwned(ctx context.Context, w Wants) error {
	ids := d.owned.missing(w.Owned)
	if len(ids) == 0 {
		return nil
	}
	list, err := d.base.OwnedBy(ctx, ids)
	for _, id := range ids {
		d.owned[id] = nil
	}
	for _, o := range list {
		d.owned[o.Entity] = append(d.owned[o.Entity], o)
	}
	for _, o := range pending[tenure.OwnerAdded](d) {
		if slices.Contains(ids, o.Owner.Entity) {
			d.owned[o.Owner.Entity] = append(d.owned[o.Owner.Entity], o.Owner)
		}
	}
	return err
}

func (d *Draft) loadEntities(ctx context.Context, w Wants) error {
	ids := d.entities.missing(w.Entities)
	if len(ids) == 0 {
		return nil
	}
	list, err := d.base.Entities(ctx, ids)
	for _, id := range ids {
		d.entities[id] = nil
	}
	for i := range list {
		d.entities[list[i].ID] = &list[i]
	}
	return err
}

func (d *Draft) loadSlots(ctx context.Context, w Wants) error {
	var slots []tenure.Slot
	seen := map[string]bool{}
	for _, s := range w.Slots {
		key := s.Key()
		if _, ok := d.slots[key]; ok || seen[key] {
			continue
		}
		seen[key] = true
		if d.fresh[s.Subject] {
			d.slots[key] = &draftSlot{slot: s}
			continue
		}
		slots = append(slots, s)
	}
	if len(seen) == 0 {
		return nil
	}
	list, err := d.base.Slots(ctx, slots)
	if err != nil {
		return err
	}
	for i := range list {
		st := &list[i]
		ds := &draftSlot{slot: st.Slot, amendments: st.Amendments}
		for k := range st.Beliefs {
			d.remember(&st.Beliefs[k])
			ds.beliefs = append(ds.beliefs, st.Beliefs[k].Claim.ID)
		}
		for k := range st.Superseders {
			ds.superseders = append(ds.superseders, &st.Superseders[k])
		}
		for k := range st.Cases {
			c := &st.Cases[k]
			if _, ok := d.cases[c.ID]; !ok {
				d.cases[c.ID] = c
			}
			ds.cases = append(ds.cases, c.ID)
		}
		d.slots[st.Slot.Key()] = ds
	}
	for _, i := range d.placesOf(seen) {
		d.intoSlots(d.applied[i], func(s tenure.Slot) *draftSlot {
			if key := s.Key(); seen[key] {
				return d.slots[key]
			}
			return nil
		})
	}
	return nil
}

// placesOf lists, in order, the places of the changes that are laid over the
// draft and may be evidence in one of the slots.
func (d *Draft) placesOf(slots map[string]bool) []int {
	places := slices.Clone(d.naming)
	for key := range slots {
		places = append(places, d.evidence[key]...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// remember caches a belief; one that is cached already is newer.
func (d *Draft) remember(b *tenure.Belief) {
	if have, ok := d.beliefs[b.Claim.ID]; !ok || have == nil {
		d.beliefs[b.Claim.ID] = b
	}
}

func (d *Draft) loadBeliefs(ctx context.Context, w Wants) error {
	ids := d.beliefs.missing(w.Beliefs)
	if len(ids) == 0 {
		return nil
	}
	list, err := d.base.Beliefs(ctx, ids)
	for _, id := range ids {
		d.beliefs[id] = nil
	}
	for i := range list {
		d.remember(&list[i])
	}
	return err
}

func (d *Draft) loadKeys(ctx context.Context, w Wants) error {
	keys := d.byKey.missing(w.Keys)
	if len(keys) == 0 {
		return nil
	}
	list, err := d.base.BeliefsByKey(ctx, keys)
	for _, k := range keys {
		d.byKey[k] = nil
	}
	for i := range list {
		d.remember(&list[i])
		d.byKey[list[i].Claim.Key] = append(d.byKey[list[i].Claim.Key], list[i].Claim.ID)
	}
	for _, c := range pending[tenure.ClaimAdded](d) {
		if slices.Contains(keys, c.Claim.Key) {
			d.byKey[c.Claim.Key] = append(d.byKey[c.Claim.Key], c.Claim.ID)
		}
	}
	return err
}

func (d *Draft) loadDependents(ctx context.Context, w Wants) error {
	ids := d.depends.missing(w.Dependents)
	if len(ids) == 0 {
		return nil
	}
	list, err := d.base.Dependents(ctx, ids)
	for _, id := range ids {
		d.depends[id] = nil
	}
	found := make([]*tenure.Claim, 0, len(list))
	for i := range list {
		d.remember(&list[i])
		found = append(found, &list[i].Claim)
	}
	for _, c := range pending[tenure.ClaimAdded](d) {
		found = append(found, &c.Claim)
	}
	for _, c := range found {
		for _, id := range c.DependsOn {
			if slices.Contains(ids, id) {
				d.depends[id] = append(d.depends[id], c.ID)
			}
		}
	}
	return err
}

func (d *Draft) loadCases(ctx context.Context, w Wants) error {
	ids := d.cases.missing(w.Cases)
	if len(ids) == 0 {
		return nil
	}
	list, err := d.base.Cases(ctx, ids)
	for _, id := range ids {
		d.cases[id] = nil
	}
	for i := range list {
		d.cases[list[i].ID] = &list[i]
	}
	return err
}

func (d *Draft) loadWords(ctx context.Context, w Wants) error {
	if names := d.words.missing(w.Vocabularies); len(names) > 0 {
		list, err := d.base.Vocabularies(ctx, names)
		if err != nil {
			return err
		}
		for _, n := range names {
			d.words[n] = nil
		}
		for i := range list {
			d.words[list[i].Name] = &list[i]
		}
	}
	ids := d.terms.missing(w.Terms)
	if len(ids) == 0 {
		return nil
	}
	list, err := d.base.Terms(ctx, ids)
	for _, id := range ids {
		d.terms[id] = nil
	}
	for i := range list {
		d.terms[list[i].ID()] = &list[i]
	}
	return err
}

func (d *Draft) loadReceipts(ctx context.Context, w Wants) error {
	scopes := d.receipts.missing(w.Receipts)
	if len(scopes) == 0 {
		return nil
	}
	found, err := d.base.Receipts(ctx, scopes)
	for _, s := range scopes {
		d.receipts[s] = nil
		if r, ok := found[s]; ok {
			d.receipts[s] = &r
		}
	}
	return err
}

// pending lists the changes of a type that are laid over the draft.
func pending[C tenure.Change](d *Draft) []C {
	var list []C
	for _, c := range d.applied {
		if c, ok := c.(C); ok {
			list = append(list, c)
		}
	}
	return list
}

func (d *Draft) read(c tenure.Cell) { d.reads[c] = struct{}{} }

// takeReads hands out the cells read since the last call.
func (d *Draft) takeReads() []tenure.Cell {
	list := make([]tenure.Cell, 0, len(d.reads))
	for c := range d.reads {
		list = append(list, c)
	}
	slices.Sort(list)
	clear(d.reads)
	return list
}
