package ledger

import (
	"context"
	"errors"
	"slices"

	"tenure"
	"tenure/store"
)

// Txn is an optimistic transaction: it shows a decision one state of the store, overlaid with the changes of
// the decisions accepted before it and with its own. It records the conflict keys that the decision reads. A
// Txn must not be used concurrently.
type Txn struct {
	base     store.Reader
	snapshot *snapshotCache
	keysOf   func(tenure.Alias) []string

	// changes lists the changes of the accepted decisions and, from mark on, those of the current decision,
	// which places indexes.
	changes   []tenure.Change
	mark      int
	places    map[changeKey]int
	accepted  int // number of accepted decisions with changes
	reads     map[tenure.ConflictKey]struct{}
	undo      []func()
	exclusive bool

	evidence map[string][]int       // positions in changes, by the slot of the change
	naming   []int                  // positions of changes that may be evidence in further slots
	fresh    map[tenure.ID]bool     // entities that the store does not hold yet
	similar  map[string][]tenure.ID // entities with aliases of accepted decisions, by blocking key
	moves    map[tenure.ID]*move    // by claim
	arrivals map[string][]tenure.ID // claims that were moved into a slot, by slot
	mentions map[tenure.ID]tenure.Mention

	aliases       map[tenure.AliasKey][]tenure.Alias
	entityAliases map[tenure.ID][]tenure.Alias
	entities      map[tenure.ID]*tenure.Entity
	slots         map[string]*slotCache
	beliefs       map[tenure.ID]*tenure.Belief
	byKey         map[string][]tenure.ID
	depends       map[tenure.ID][]tenure.ID
	cases         map[tenure.ID]*tenure.Case
	documents     map[tenure.ID]*tenure.Document
	words         map[string]*tenure.Vocabulary
	terms         map[string]*tenure.Term
	termLists     map[string][]tenure.Term // as stored, by vocabulary
	receipts      map[string]*tenure.Receipt
	decisions     map[tenure.ID][]tenure.IdentityDecision // by either entity
	reviews       map[tenure.ID][]tenure.Review           // by the entity in question, without the current decision's
	namers        map[tenure.ID][]*tenure.Claim           // by the belief that they supersede
	amendments    map[tenure.ID][]tenure.Amendment        // by belief
	outlines      map[string]any                          // by slot
	remembered    map[string]outline                      // those of the current decision
}

// slotCache holds the parts of a slot's state. A cached slotCache is immutable: see [Txn.edit].
type slotCache struct {
	slot        tenure.Slot
	beliefs     []tenure.ID
	superseders []*tenure.Claim
	amendments  []tenure.Amendment
	cases       []tenure.ID
}

// move records the slots that the decision moved a claim from and to.
type move struct{ from, to tenure.Slot }

// NewTxn returns a transaction on a view.
func NewTxn(base store.Reader) *Txn {
	return &Txn{
		base: base, places: map[changeKey]int{}, reads: map[tenure.ConflictKey]struct{}{}, evidence: map[string][]int{},
		fresh: map[tenure.ID]bool{}, similar: map[string][]tenure.ID{}, moves: map[tenure.ID]*move{},
		arrivals: map[string][]tenure.ID{}, mentions: map[tenure.ID]tenure.Mention{},
		aliases: map[tenure.AliasKey][]tenure.Alias{}, entityAliases: map[tenure.ID][]tenure.Alias{},
		entities: map[tenure.ID]*tenure.Entity{}, slots: map[string]*slotCache{},
		beliefs: map[tenure.ID]*tenure.Belief{}, byKey: map[string][]tenure.ID{},
		depends: map[tenure.ID][]tenure.ID{}, cases: map[tenure.ID]*tenure.Case{},
		documents: map[tenure.ID]*tenure.Document{},
		words:     map[string]*tenure.Vocabulary{}, terms: map[string]*tenure.Term{},
		termLists: map[string][]tenure.Term{},
		receipts:  map[string]*tenure.Receipt{}, decisions: map[tenure.ID][]tenure.IdentityDecision{},
		reviews: map[tenure.ID][]tenure.Review{}, namers: map[tenure.ID][]*tenure.Claim{},
		amendments: map[tenure.ID][]tenure.Amendment{}, outlines: map[string]any{}, remembered: map[string]outline{},
	}
}

// begin starts the next decision.
func (t *Txn) begin() {
	clear(t.reads)
	clear(t.places)
	t.mark, t.undo, t.exclusive, t.remembered = len(t.changes), t.undo[:0], false, map[string]outline{}
}

// rollback discards the changes of the current decision and restores the transaction to the start of the
// decision. What was read from the store stays cached.
func (t *Txn) rollback() {
	for _, undo := range slices.Backward(t.undo) {
		undo()
	}
	for len(t.naming) > 0 && t.naming[len(t.naming)-1] >= t.mark {
		t.naming = t.naming[:len(t.naming)-1]
	}
	clear(t.changes[t.mark:])
	t.changes = t.changes[:t.mark]
	t.begin()
}

// accept keeps the changes of the current decision for the decisions after it, and returns the outlines that it
// remembers.
func (t *Txn) accept() map[string]outline {
	for _, c := range t.Changes() {
		switch c := c.(type) {
		case tenure.AliasAdded:
			t.block(c.Alias)
		case tenure.ReviewPut:
			if list, ok := t.reviews[c.Review.Entity]; ok || t.fresh[c.Review.Entity] {
				t.reviews[c.Review.Entity] = withReview(list, c.Review)
			}
		}
	}
	if len(t.changes) > t.mark {
		t.accepted++
	}
	for slot, o := range t.remembered {
		t.outlines[slot] = o.value
	}
	exclusive, remembered := t.exclusive && len(t.changes) > t.mark, t.remembered
	t.begin()
	t.exclusive = exclusive
	return remembered
}

// recordedAt returns a provisional transaction time of the current decision: it orders the decision after what
// the store holds and after the decisions before it.
func (t *Txn) recordedAt() tenure.Instant {
	_, tx := t.base.State()
	return tx + 1 + tenure.Instant(t.accepted)
}

// set changes an entry of a cache. Once the decision has put a change, any cache entry may show it, so set
// keeps the previous entry for [Txn.rollback].
func set[K comparable, V any](t *Txn, cache map[K]V, k K, v V) {
	if len(t.changes) > t.mark {
		old, had := cache[k]
		t.undo = append(t.undo, func() {
			if had {
				cache[k] = old
			} else {
				delete(cache, k)
			}
		})
	}
	cache[k] = v
}

// setAbsent caches the zero value for keys that are not cached yet, until something is found.
func setAbsent[K comparable, V any](t *Txn, cache map[K]V, keys []K) {
	var nothing V
	for _, k := range keys {
		if _, ok := cache[k]; !ok {
			set(t, cache, k, nothing)
		}
	}
}

// missing lists the keys that are not cached, each once.
func missing[K comparable, V any](cache map[K]V, keys []K) []K {
	var list []K
	seen := map[K]struct{}{}
	for _, k := range keys {
		if _, ok := cache[k]; ok {
			continue
		}
		if _, ok := seen[k]; !ok {
			seen[k] = struct{}{}
			list = append(list, k)
		}
	}
	return list
}

// Similar lists the entities to which accepted decisions gave an alias with one of the blocking keys: see
// [Policies].
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

func (t *Txn) block(o tenure.Alias) {
	if t.keysOf == nil {
		return
	}
	for _, k := range t.keysOf(o) {
		t.similar[k] = append(t.similar[k], o.Entity)
	}
}

// errExclusive reports that a decision must be taken again as the first of a transaction.
var errExclusive = errors.New("the decision needs a transaction of its own")

// RequireExclusive declares that the decision changes what other decisions of the group may build on (the
// mentions of an entity, the slots of claims): it is neither taken after accepted changes nor followed by
// other decisions in one transaction. The decision returns the error, and the writer takes it again.
func (t *Txn) RequireExclusive() error {
	if t.mark > 0 {
		return errExclusive
	}
	t.exclusive = true
	return nil
}

// Beside returns a transaction on another view of the same state, with what the current decision has put but for the
// standings and the cases that followed, and the moves of claims that the view does not show. The decision is then
// neither taken after accepted changes nor followed by others.
func (t *Txn) Beside(ctx context.Context, view func(store.Reader) store.Reader) (*Txn, error) {
	if err := t.RequireExclusive(); err != nil {
		return nil, err
	}
	other := NewTxn(view(t.base))
	other.begin()
	var moved []tenure.ID
	for _, c := range pendingOf[tenure.ClaimMoved](t) {
		moved = append(moved, c.Claim)
	}
	if err := other.Load(ctx, Prefetch{Beliefs: moved}); err != nil {
		return nil, err
	}
	for _, c := range t.Changes() {
		switch c := c.(type) {
		case tenure.StandingPut, tenure.CasePut:
			continue
		case tenure.ClaimMoved:
			if other.beliefs[c.Claim] == nil { // the view does not show it
				continue
			}
		case tenure.EntityPut:
			if !t.fresh[c.Entity.ID] {
				other.entities[c.Entity.ID] = &c.Entity // the store holds it
			}
		}
		other.Put(c)
	}
	return other, nil
}

// remember caches a belief unless it is cached: the cached version is newer.
func (t *Txn) remember(b *tenure.Belief) {
	if have, ok := t.beliefs[b.Claim.ID]; !ok || have == nil {
		set(t, t.beliefs, b.Claim.ID, b)
	}
}

// pendingOf lists the pending changes of type C.
func pendingOf[C tenure.Change](t *Txn) []C {
	var list []C
	for _, c := range t.changes {
		if c, ok := c.(C); ok {
			list = append(list, c)
		}
	}
	return list
}

func (t *Txn) read(c tenure.ConflictKey) { t.reads[c] = struct{}{} }

// takeReads returns the read set of the decision, sorted.
func (t *Txn) takeReads() []tenure.ConflictKey {
	list := make([]tenure.ConflictKey, 0, len(t.reads))
	for c := range t.reads {
		list = append(list, c)
	}
	slices.Sort(list)
	return list
}
