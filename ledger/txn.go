package ledger

import (
	"errors"
	"slices"

	"tenure"
	"tenure/store"
)

// Txn is an optimistic transaction: the state that a decision sees, which is one state of the store with the changes
// of the decisions accepted before and of the decision itself laid over it. It records the cells that the decision
// reads. A Txn is for one goroutine.
type Txn struct {
	base     store.Reader
	snapshot *snapshotCache
	keysOf   func(tenure.Alias) []string

	// changes are those of the accepted decisions and, from mark on, those of the current one; places finds the latter.
	changes   []tenure.Change
	mark      int
	places    map[changeKey]int
	accepted  int // decisions with changes
	reads     map[tenure.ConflictKey]struct{}
	undo      []func()
	exclusive bool

	evidence map[string][]int       // places in changes, by the slot that the change is in
	naming   []int                  // places of changes that may be evidence in further slots
	fresh    map[tenure.ID]bool     // entities that the store does not know yet
	similar  map[string][]tenure.ID // entities with forms of accepted decisions, by their blocking keys
	moves    map[tenure.ID]*move    // by claim
	arrivals map[string][]tenure.ID // claims that were moved into a slot
	mentions map[tenure.ID]tenure.Mention

	owners   map[tenure.AliasKey][]tenure.Alias
	owned    map[tenure.ID][]tenure.Alias
	entities map[tenure.ID]*tenure.Entity
	slots    map[string]*slotCache
	beliefs  map[tenure.ID]*tenure.Belief
	byKey    map[string][]tenure.ID
	depends  map[tenure.ID][]tenure.ID
	cases    map[tenure.ID]*tenure.Case
	words    map[string]*tenure.Vocabulary
	terms    map[string]*tenure.Term
	receipts map[string]*tenure.Receipt
	verdicts map[tenure.ID][]tenure.IdentityDecision // by either entity
	reviews  map[tenure.ID][]tenure.Review           // by the entity asked about, without the current decision's
}

// slotCache holds the parts of a slot's state. One that is in the cache is never changed: see [Txn.edit].
type slotCache struct {
	slot        tenure.Slot
	beliefs     []tenure.ID
	superseders []*tenure.Claim
	amendments  []tenure.Amendment
	cases       []tenure.ID
}

// move is a claim that the decision put into another slot.
type move struct{ from, to tenure.Slot }

// NewTxn begins a transaction on a view.
func NewTxn(base store.Reader) *Txn {
	return &Txn{
		base: base, places: map[changeKey]int{}, reads: map[tenure.ConflictKey]struct{}{}, evidence: map[string][]int{},
		fresh: map[tenure.ID]bool{}, similar: map[string][]tenure.ID{}, moves: map[tenure.ID]*move{},
		arrivals: map[string][]tenure.ID{}, mentions: map[tenure.ID]tenure.Mention{},
		owners: map[tenure.AliasKey][]tenure.Alias{}, owned: map[tenure.ID][]tenure.Alias{},
		entities: map[tenure.ID]*tenure.Entity{}, slots: map[string]*slotCache{},
		beliefs: map[tenure.ID]*tenure.Belief{}, byKey: map[string][]tenure.ID{},
		depends: map[tenure.ID][]tenure.ID{}, cases: map[tenure.ID]*tenure.Case{},
		words: map[string]*tenure.Vocabulary{}, terms: map[string]*tenure.Term{},
		receipts: map[string]*tenure.Receipt{}, verdicts: map[tenure.ID][]tenure.IdentityDecision{},
		reviews: map[tenure.ID][]tenure.Review{},
	}
}

// begin starts a decision.
func (t *Txn) begin() {
	clear(t.reads)
	clear(t.places)
	t.mark, t.undo, t.exclusive = len(t.changes), t.undo[:0], false
}

// rollback discards what the current decision put: the transaction is as it was when the decision began, apart from
// what has been read of the store since.
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

// accept keeps what the current decision put, for the decisions after it.
func (t *Txn) accept() {
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
	exclusive := t.exclusive && len(t.changes) > t.mark
	t.begin()
	t.exclusive = exclusive
}

// recordedAt is the transaction time that the current decision gets if nothing else is written before it.
func (t *Txn) recordedAt() tenure.Instant {
	_, tx := t.base.State()
	return tx + 1 + tenure.Instant(t.accepted)
}

// set changes an entry of a cache. Once the decision has put something, whatever enters a cache may show it: the
// entry before is kept then for [Txn.rollback].
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

// setAbsent enters keys that are not cached yet as those of nothing, until something is found.
func setAbsent[K comparable, V any](t *Txn, cache map[K]V, keys []K) {
	var nothing V
	for _, k := range keys {
		if _, ok := cache[k]; !ok {
			set(t, cache, k, nothing)
		}
	}
}

// missing lists the keys that are not cached, once each.
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

// Similar lists the entities that decisions accepted before gave a form which has one of the blocking keys: see
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

// errExclusive reports a decision that has to be taken again, as the first of a transaction.
var errExclusive = errors.New("the decision needs a transaction of its own")

// RequireExclusive declares that the decision takes apart what other decisions build upon (an entity's mentions, the
// slots of claims): it is neither taken after accepted changes nor followed by others in one transaction. The
// decision returns the error, and the writer takes it again.
func (t *Txn) RequireExclusive() error {
	if t.mark > 0 {
		return errExclusive
	}
	t.exclusive = true
	return nil
}

// remember caches a belief; one that is cached already is newer.
func (t *Txn) remember(b *tenure.Belief) {
	if have, ok := t.beliefs[b.Claim.ID]; !ok || have == nil {
		set(t, t.beliefs, b.Claim.ID, b)
	}
}

// pendingOf lists the changes of a type that are laid over the store.
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

// takeReads returns the cells that the decision has read, in order.
func (t *Txn) takeReads() []tenure.ConflictKey {
	list := make([]tenure.ConflictKey, 0, len(t.reads))
	for c := range t.reads {
		list = append(list, c)
	}
	slices.Sort(list)
	return list
}
