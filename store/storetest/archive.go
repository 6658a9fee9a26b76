package storetest

import (
	"slices"

	"tenure"
	"tenure/store"
)

var archivePromises = []promise{
	{"Tenants lists the tenants that wrote, in order of their names.", tenantsListed},
	{"Keyed lists the idempotency keys that are remembered, of the entries within a span of transaction time", keyedListed},
	{"Compilations pages through the compilations of a tenant in the order of their ids.", compilationPages},
	{"Replay appends entries of another store's log, with the numbers, times and hashes that they have there", replays},
	{"Entries that are there are left as they are", replaysAgain},
	{"If the entries do not continue the tenant's log, or one does not carry the hash of what it says", replaysNothingElse},
	{"A key moves to the newest entry that has it.", replayedKeys},
}

func (w *world) archive() store.Archive {
	w.Helper()
	a, ok := w.s.(store.Archive)
	if !ok {
		w.Fatal("the store is no archive")
	}
	return a
}

// recorded applies sets one after the other, and returns them with their entries.
func (w *world) recorded(sets ...tenure.ChangeSet) []store.Recorded {
	w.Helper()
	before, _ := w.now().State()
	for i := range sets {
		w.applySets(sets[i : i+1]...)
	}
	log, err := w.s.Log(background(), w.tenant, before, len(sets))
	w.ok(err)
	var list []store.Recorded
	for _, e := range log {
		list = append(list, store.Recorded{Entry: e, Set: sets[0]})
		sets = sets[1:]
	}
	return list
}

func keyed(scope string) tenure.ChangeSet {
	cs := set(tenure.EntityPut{Entity: entity(newID(), scope)})
	cs.Key, cs.Answer = &tenure.IdempotencyKey{Scope: scope, Hash: "h"}, []byte(scope)
	return cs
}

func tenantsListed(w *world) {
	other := w.other()
	for _, t := range []*world{w, other} {
		t.apply(tenure.EntityPut{Entity: entity(newID(), "x")})
	}
	names, err := w.archive().Tenants(background())
	w.ok(err)
	w.same("in order", true, slices.IsSorted(names))
	for _, name := range []string{w.tenant, other.tenant} {
		w.same(name, true, slices.Contains(names, name))
	}
	w.same("who never wrote", false, slices.Contains(names, w.other().tenant))
}

func keyedListed(w *world) {
	receipts := w.applySets(keyed("a"), set(tenure.EntityPut{Entity: entity(newID(), "x")}), keyed("b"), keyed("c"))
	w.other().applySets(keyed("d"))
	list, err := w.archive().Keyed(background(), w.tenant, receipts[0].Tx, receipts[2].Tx)
	w.ok(err)
	want := []store.Keyed{
		{Seq: 1, Key: tenure.IdempotencyKey{Scope: "a", Hash: "h"}, Answer: []byte("a")},
		{Seq: 3, Key: tenure.IdempotencyKey{Scope: "b", Hash: "h"}, Answer: []byte("b")},
	}
	w.same("keys", want, list)
}

func compilationPages(w *world) {
	var want []tenure.Compilation
	for i, id := range ids(5) {
		c := tenure.Compilation{ID: id, CreatedAt: tenure.Instant(9 - i), Body: []byte{byte(i), 0}}
		w.ok(w.s.PutCompilation(background(), w.tenant, c))
		w.ok(w.s.PutCompilation(background(), w.other().tenant, tenure.Compilation{ID: newID(), CreatedAt: 1}))
		want = append(want, c)
	}
	var got []tenure.Compilation
	for after := tenure.ID(""); ; after = got[len(got)-1].ID {
		page, err := w.archive().Compilations(background(), w.tenant, after, 2)
		w.ok(err)
		w.same("at most the limit", true, len(page) <= 2)
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
	}
	w.same("compilations", want, got)
}

func replays(w *world) {
	s := newScene("jon")
	first := w.whole(set(s.changes()...))
	entries := w.recorded(first)
	changed := s.entity
	changed.Name = "jon the second"
	entries = append(entries, w.recorded(set(tenure.EntityPut{Entity: changed},
		standing(s.rest, segment(tenure.BySuccession, 100, tenure.MaxTime))))...)
	copied := w.other()
	w.ok(copied.archive().Replay(background(), copied.tenant, entries))
	w.same("log", w.chain(2), copied.chain(2))
	for _, at := range []tenure.AsOf{{Seq: 1}, {Seq: 2}, {Known: entries[0].Entry.Tx}, tenure.Present} {
		w.same("state", s.readAll(w, w.view(at)), s.readAll(copied, copied.view(at)))
	}
	r := copied.apply(tenure.EntityPut{Entity: entity(newID(), "x")})
	w.same("the next number", tenure.Seq(3), r.Seq)
	copied.chain(3)
}

func replaysAgain(w *world) {
	entries := w.recorded(set(believed(claim(newID(), "office"))...), keyed("a"), keyed("b"))
	copied := w.other()
	for _, part := range [][]store.Recorded{nil, entries[:2], entries[:2], entries, entries[2:]} {
		w.ok(copied.archive().Replay(background(), copied.tenant, part))
	}
	w.same("log", w.chain(3), copied.chain(3))
}

func replaysNothingElse(w *world) {
	entries := w.recorded(keyed("a"), keyed("b"), keyed("c"))
	altered := slices.Clone(entries)
	altered[2].Entry.Actor = "somebody else"
	elsewhere := w.other()
	other := elsewhere.recorded(keyed("a"), keyed("b"), keyed("c"))
	for name, bad := range map[string][]store.Recorded{
		"a gap": entries[1:], "altered": altered, "two histories": {entries[0], other[1]},
	} {
		copied := w.other()
		w.code(tenure.Conflicting, copied.archive().Replay(background(), copied.tenant, bad))
		seq, _ := copied.now().State()
		w.same(name+" leaves nothing", tenure.Seq(0), seq)
	}
	for _, bad := range [][]store.Recorded{entries, entries[:2]} { // the same numbers, another history
		w.code(tenure.Conflicting, elsewhere.archive().Replay(background(), elsewhere.tenant, bad))
	}
	elsewhere.chain(3)
}

func replayedKeys(w *world) {
	entries := w.recorded(keyed("a"), set(tenure.EntityPut{Entity: entity(newID(), "x")}))
	copied := w.other()
	w.ok(copied.archive().Replay(background(), copied.tenant, entries[:1]))
	// Where the key was used again, the source tells it of the later entry alone.
	entries[1].Set.Key, entries[1].Set.Answer = &tenure.IdempotencyKey{Scope: "a", Hash: "2"}, []byte("2")
	w.ok(copied.archive().Replay(background(), copied.tenant, entries[1:]))
	found, err := copied.now().Receipts(background(), []string{"a"})
	w.ok(err)
	got := found["a"]
	got.Replayed = false
	w.same("receipt", tenure.Receipt{Seq: 2, Tx: entries[1].Entry.Tx, Hash: "2", Answer: []byte("2")}, got)
}
