package ledger

import (
	"errors"
	"slices"

	"tenure"
	"tenure/store"
)

// Draft is the state that a decision sees: what was read of the store, with
// the change sets decided before it and not yet applied laid over it. It
// remembers which cells a decision has read. It is for one goroutine.
type Txn struct {
	base      store.Reader
	reads     map[tenure.Cell]struct{}
	pending   tenure.Instant
	applied   []tenure.Change
	evidence  map[string][]int   // places in applied, by the slot that the change is in
	naming    []int              // places of those that may be evidence in other slots too
	fresh     map[tenure.ID]bool // entities that the store does not know yet
	exclusive bool               // nothing may be decided on the draft any more
	keysOf    func(tenure.Owner) []string
	snapshot  *snapshotCache         // entities as they are in the base, as far as they are known
	similar   map[string][]tenure.ID // entities with pending forms, by the keys of those
	owners    loaded[tenure.Form, []tenure.Owner]
	owned     loaded[tenure.ID, []tenure.Owner]
	entities  loaded[tenure.ID, *tenure.Entity]
	slots     loaded[string, *slotCache]
	beliefs   loaded[tenure.ID, *tenure.Belief]
	byKey     loaded[string, []tenure.ID]
	depends   loaded[tenure.ID, []tenure.ID]
	cases     loaded[tenure.ID, *tenure.Case]
	words     loaded[string, *tenure.Vocabulary]
	terms     loaded[string, *tenure.Term]
	receipts  loaded[string, *tenure.Receipt]
	verdicts  loaded[tenure.ID, []tenure.Verdict] // by either entity
	reviews   loaded[tenure.ID, []tenure.Review]  // by the entity asked about
}

type loaded[K comparable, V any] map[K]V

// missing lists the keys that are not cached, once each.
func (c loaded[K, V]) missing(keys []K) []K {
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

// none notes of keys that nothing is there until something is found.
func (c loaded[K, V]) none(keys []K) {
	var nothing V
	for _, k := range keys {
		if _, ok := c[k]; !ok {
			c[k] = nothing
		}
	}
}

type slotCache struct {
	slot        tenure.Slot
	beliefs     []tenure.ID
	superseders []*tenure.Claim
	amendments  []tenure.Amendment
	cases       []tenure.ID
}

// NewTxn begins a draft on a view.
func NewTxn(base store.Reader) *Txn {
	_, tx := base.State()
	return &Txn{
		base: base, pending: tx, reads: map[tenure.Cell]struct{}{}, evidence: map[string][]int{}, fresh: map[tenure.ID]bool{},
		owners: loaded[tenure.Form, []tenure.Owner]{}, owned: loaded[tenure.ID, []tenure.Owner]{},
		entities: loaded[tenure.ID, *tenure.Entity]{}, slots: loaded[string, *slotCache]{},
		beliefs: loaded[tenure.ID, *tenure.Belief]{}, byKey: loaded[string, []tenure.ID]{},
		depends: loaded[tenure.ID, []tenure.ID]{}, cases: loaded[tenure.ID, *tenure.Case]{},
		words: loaded[string, *tenure.Vocabulary]{}, terms: loaded[string, *tenure.Term]{},
		receipts: loaded[string, *tenure.Receipt]{}, verdicts: loaded[tenure.ID, []tenure.Verdict]{},
		reviews: loaded[tenure.ID, []tenure.Review]{},
	}
}

// Similar lists the entities that pending change sets gave a form which has one
// of the keys: see [Policies].
func (t *Txn) Similar(keys []string) []tenure.ID {
	var list []tenure.ID
	for _, k := range keys {
		for _, id := range t.similar[k] {
			if !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	return list
}

// Prefetch lists what decisions are going to read, so that it can be read for
// many of them at once. What is not listed is read when it is asked for.
type Prefetch struct {
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
	Verdicts     []tenure.ID // of either entity
}

// Add joins two lists of wants.
func (w *Prefetch) Add(o Prefetch) {
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
	w.Verdicts = append(w.Verdicts, o.Verdicts...)
}

// errExclusive: the decision has to be taken again, on a draft without pending
// changes.
var errExclusive = errors.New("the decision needs a draft of its own")

// Alone says that the decision takes things apart that other decisions build
// upon (an entity's mentions, the slots of claims): it can neither come after
// pending changes nor before others on the same draft. Its error is for the
// writer, which sees to that.
func (t *Txn) RequireExclusive() error {
	if len(t.applied) > 0 {
		return errExclusive
	}
	t.exclusive = true
	return nil
}

// remember caches a belief; one that is cached already is newer.
func (t *Txn) remember(b *tenure.Belief) {
	if have, ok := t.beliefs[b.Claim.ID]; !ok || have == nil {
		t.beliefs[b.Claim.ID] = b
	}
}

// pendingOf lists the changes of a type that are laid over the draft.
func pendingOf[C tenure.Change](t *Txn) []C {
	var list []C
	for _, c := range t.applied {
		if c, ok := c.(C); ok {
			list = append(list, c)
		}
	}
	return list
}

func (t *Txn) read(c tenure.Cell) { t.reads[c] = struct{}{} }

// takeReads hands out the cells read since the last call.
func (t *Txn) takeReads() []tenure.Cell {
	list := make([]tenure.Cell, 0, len(t.reads))
	for c := range t.reads {
		list = append(list, c)
	}
	slices.Sort(list)
	clear(t.reads)
	return list
}
