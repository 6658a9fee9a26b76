package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tenure"
)

var applyPromises = []promise{
	{"Apply does all that the sets ask for, in order, or nothing.", allOrNothing},
	{"It takes the tenant's lock first and holds it to the commit.", oneOfManyCreators},
	{"each set gets the next number", numberingWithoutGaps},
	{"the transaction time max(now, last + 1 microsecond)", timesIncrease},
	{"what it puts closes the version before at that time.", versionsClose},
	{"base is the number of the state that the sets were decided on.", setsOfAGroupDoNotClash},
	{"When an entry after base touches a conflict key that one of the sets reads", readsClash},
	{"or an idempotency key of one of the sets is already used, Apply is Conflicting and nothing is written", keyOnce},
	{"A receipt is returned for each set, in order.", receiptsInOrder},
}

func allOrNothing(w *world) {
	base := w.apply(tenure.EntityPut{Entity: entity(newID(), "first")})
	touched := newID()
	w.apply(tenure.EntityPut{Entity: entity(touched, "second")})
	before, tx := w.now().State()
	good, bad := newID(), newID()
	late := set(tenure.EntityPut{Entity: entity(bad, "bad")})
	late.ReadSet = []tenure.ConflictKey{tenure.EntityConflict(touched)}
	_, err := w.s.Apply(background(), w.tenant, base.Seq,
		[]tenure.ChangeSet{set(tenure.EntityPut{Entity: entity(good, "good")}), late})
	w.code(tenure.Conflicting, err)
	now := w.now()
	after, txAfter := now.State()
	w.same("state", [2]int64{int64(before), int64(tx)}, [2]int64{int64(after), int64(txAfter)})
	w.same("entities", []tenure.Entity{}, read(w, now.Entities, []tenure.ID{good, bad}))
	log, err := w.s.Log(background(), w.tenant, 0, 10)
	w.ok(err)
	w.same("entries", 2, len(log))

	// In order: the later of two sets has the last word.
	id := newID()
	r := w.applySets(set(tenure.EntityPut{Entity: entity(id, "one")}), set(tenure.EntityPut{Entity: entity(id, "two")}))
	w.same("last word", []tenure.Entity{entity(id, "two")}, read(w, w.now().Entities, []tenure.ID{id}))
	w.same("first word", []tenure.Entity{entity(id, "one")},
		read(w, w.view(tenure.AsOf{Seq: r[0].Seq}).Entities, []tenure.ID{id}))
}

const writers = 64

// each runs f by as many writers at once and waits.
func each(f func(i int)) {
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// persist decides on the present and applies, until nobody gets in between. It
// is called by many at once and returns its error.
func (w *world) persist(decide func(base tenure.Seq) (tenure.ChangeSet, bool)) error {
	for {
		view, err := w.s.View(background(), w.tenant, tenure.Present)
		if err != nil {
			return err
		}
		base, _ := view.State()
		cs, wanted := decide(base)
		if !wanted {
			return nil
		}
		_, err = w.s.Apply(background(), w.tenant, base, []tenure.ChangeSet{cs})
		if tenure.CodeOf(err) != tenure.Conflicting {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

func oneOfManyCreators(w *world) {
	form := tenure.AliasKey{Kind: tenure.NameAlias, Key: "jon smith"}
	each(func(i int) {
		id := newID()
		err := w.persist(func(base tenure.Seq) (tenure.ChangeSet, bool) {
			view, err := w.s.View(background(), w.tenant, tenure.AsOf{Seq: base})
			if err != nil {
				w.Error(err)
				return tenure.ChangeSet{}, false
			}
			aliases, err := view.AliasesByKey(background(), []tenure.AliasKey{form})
			if err != nil || len(aliases) > 0 {
				if err != nil {
					w.Error(err)
				}
				return tenure.ChangeSet{}, false
			}
			cs := set(tenure.EntityPut{Entity: entity(id, fmt.Sprint(i))}, tenure.AliasAdded{Alias: alias(form, id, newID())})
			cs.ReadSet = []tenure.ConflictKey{tenure.AliasConflict(form)}
			return cs, true
		})
		if err != nil {
			w.Error(err)
		}
	})
	w.same("aliases", 1, len(read(w, w.now().AliasesByKey, []tenure.AliasKey{form})))
	seq, _ := w.now().State()
	w.same("state", tenure.Seq(1), seq)
}

func numberingWithoutGaps(w *world) {
	var seen [writers * 4]atomic.Int32
	each(func(i int) {
		for range len(seen) / writers {
			cs := set(tenure.EntityPut{Entity: entity(newID(), fmt.Sprint(i))})
			view, err := w.s.View(background(), w.tenant, tenure.Present)
			if err != nil {
				w.Error(err)
				return
			}
			base, _ := view.State()
			receipts, err := w.s.Apply(background(), w.tenant, base, []tenure.ChangeSet{cs})
			if err != nil {
				w.Error(err)
				return
			}
			if n := int(receipts[0].Seq) - 1; n < 0 || n >= len(seen) || seen[n].Add(1) != 1 {
				w.Errorf("the number %d was given twice, or is out of range", receipts[0].Seq)
			}
		}
	})
	if w.Failed() {
		return
	}
	w.chain(len(seen))
}

// chain reads the log and holds it to n entries that fit each other.
func (w *world) chain(n int) []tenure.Entry {
	w.Helper()
	log, err := w.s.Log(background(), w.tenant, 0, n+1)
	w.ok(err)
	w.same("entries", n, len(log))
	previous, tx := "", tenure.Instant(0)
	for i, e := range log {
		if e.Seq != tenure.Seq(i+1) || e.Tx <= tx || e.Hash != e.Seal(previous) {
			w.Fatalf("entry %d has the number %d, time %d after %d, hash %s", i, e.Seq, e.Tx, tx, e.Hash)
		}
		previous, tx = e.Hash, e.Tx
	}
	return log
}

func timesIncrease(w *world) {
	var sets []tenure.ChangeSet
	for range 20 {
		sets = append(sets, set(tenure.EntityPut{Entity: entity(newID(), "x")}))
	}
	last := tenure.Instant(0)
	for _, group := range [][]tenure.ChangeSet{sets[:10], sets[10:]} {
		receipts := w.applySets(group...)
		for _, r := range receipts {
			if r.Tx <= last {
				w.Fatalf("the time %d does not come after %d", r.Tx, last)
			}
			last = r.Tx
		}
	}
	_, tx := w.now().State()
	w.same("state", last, tx)
}

func versionsClose(w *world) {
	c := w.believe(claim(newID(), "office"))
	first, tx1 := w.now().State()
	w.apply(standing(c, segment(tenure.ByAuthority, 100, tenure.MaxTime)))
	second, tx2 := w.now().State()
	for seq, want := range map[tenure.Seq]tenure.Cause{first: tenure.Stands, second: tenure.ByAuthority} {
		got := read(w, w.view(tenure.AsOf{Seq: seq}).Beliefs, []tenure.ID{c.ID})
		if len(got) != 1 || len(got[0].Standing.Segments) != 1 || got[0].Standing.Segments[0].Cause != want {
			w.Errorf("at %d got %+v, want cause %s", seq, got, want)
		}
	}
	old := read(w, w.view(tenure.AsOf{Seq: first}).Beliefs, []tenure.ID{c.ID})[0]
	w.same("the old version's window", tenure.Window{From: tx1, Until: tx2}, old.StandingTx)
	now := read(w, w.now().Beliefs, []tenure.ID{c.ID})[0]
	w.same("the new version's window", tenure.Window{From: tx2, Until: tenure.MaxTime}, now.StandingTx)
	w.same("recorded", tx1, now.RecordedAt)
}

func setsOfAGroupDoNotClash(w *world) {
	id := newID()
	second := set(tenure.EntityPut{Entity: entity(id, "two")})
	second.ReadSet = []tenure.ConflictKey{tenure.EntityConflict(id)}
	w.applySets(set(tenure.EntityPut{Entity: entity(id, "one")}), second)
	w.same("entity", []tenure.Entity{entity(id, "two")}, read(w, w.now().Entities, []tenure.ID{id}))
}

func readsClash(w *world) {
	id, c := newID(), claim(newID(), "office")
	base, _ := w.now().State()
	form := tenure.AliasKey{Kind: tenure.NameAlias, Key: "jon"}
	vocabulary, term := tenure.Vocabulary{Name: tenure.Predicates, Version: 1},
		tenure.Term{Vocabulary: tenure.Predicates, Name: "office"}
	q := quarantine(c.Slot(), c.ID)
	changes := append(believed(c), tenure.EntityPut{Entity: entity(id, "x")},
		tenure.AliasAdded{Alias: alias(form, id, newID())},
		tenure.CasePut{Case: q}, tenure.VocabularyPut{Vocabulary: vocabulary}, tenure.TermPut{Term: term}, retract(c))
	touching := set(changes...)
	w.applySets(touching)
	for _, cell := range touching.WriteSet() {
		cs := set(tenure.EntityPut{Entity: entity(newID(), "y")})
		cs.ReadSet = []tenure.ConflictKey{tenure.EntityConflict(newID()), cell}
		_, err := w.s.Apply(background(), w.tenant, base, []tenure.ChangeSet{cs})
		w.code(tenure.Conflicting, err)
	}
	for _, cell := range []tenure.ConflictKey{
		tenure.EntityConflict(newID()), tenure.AliasConflict(tenure.AliasKey{Kind: tenure.NameAlias, Key: "Jon"}),
		tenure.AliasConflict(tenure.AliasKey{Kind: "email", Key: "jon"}), tenure.ClaimKeyConflict("another"),
	} {
		cs := set(tenure.EntityPut{Entity: entity(newID(), "z")})
		cs.ReadSet = []tenure.ConflictKey{cell}
		if _, err := w.s.Apply(background(), w.tenant, base, []tenure.ChangeSet{cs}); err != nil {
			w.Errorf("what reads %q, untouched, is refused: %v", cell, err)
		}
	}
}

func keyOnce(w *world) {
	keyed := func(scope string) tenure.ChangeSet {
		cs := set(tenure.EntityPut{Entity: entity(newID(), "x")})
		cs.Key, cs.Answer = &tenure.IdempotencyKey{Scope: scope, Hash: "h"}, []byte(`{"a":1}`)
		return cs
	}
	w.applySets(keyed("k"))
	seq, _ := w.now().State()
	for _, sets := range [][]tenure.ChangeSet{{keyed("k")}, {keyed("l"), keyed("k")}, {keyed("m"), keyed("m")}} {
		_, err := w.s.Apply(background(), w.tenant, seq, sets)
		w.code(tenure.Conflicting, err)
	}
	after, _ := w.now().State()
	w.same("state", seq, after)
	receipts, err := w.now().Receipts(background(), []string{"l", "m"})
	w.ok(err)
	w.same("receipts", 0, len(receipts))

	// Of many at once with one key, one is applied.
	var applied atomic.Int32
	each(func(int) {
		_, err := w.s.Apply(background(), w.tenant, seq, []tenure.ChangeSet{keyed("n")})
		switch tenure.CodeOf(err) {
		case "":
			applied.Add(1)
		case tenure.Conflicting:
		default:
			w.Error(err)
		}
	})
	w.same("applied", int32(1), applied.Load())
}

func receiptsInOrder(w *world) {
	var sets []tenure.ChangeSet
	for i := range 5 {
		cs := set(tenure.EntityPut{Entity: entity(newID(), "x")})
		cs.Answer = fmt.Append(nil, i)
		sets = append(sets, cs)
	}
	sets[3].Key = &tenure.IdempotencyKey{Scope: "k", Hash: "body"}
	for i, r := range w.applySets(sets...) {
		want := tenure.Receipt{Seq: tenure.Seq(i + 1), Tx: r.Tx, Answer: fmt.Append(nil, i)}
		if i == 3 {
			want.Hash = "body"
		}
		w.same("receipt", want, r)
	}
	log := w.chain(5)
	for i, e := range log {
		w.same("id", sets[i].ID, e.ID)
	}
	none, err := w.s.Apply(background(), w.tenant, 5, nil)
	w.ok(err)
	w.same("no sets", 0, len(none))
}
