package storetest

import (
	"cmp"
	"slices"
	"sync"

	"tenure"
	"tenure/store"
)

var keepPromises = []promise{
	{"Store keeps versions, and overwrites nothing but content that is erased.", reopened},
	{"Log lists at most limit entries after a number, in order, without gaps.", logPages},
	{"Grown lists the tenants whose logs have grown since a mark, in any order, and returns the mark for the next call.",
		grown},
	{"The zero mark lists every tenant that wrote.", grownFromTheStart},
	{"PutCredential adds a credential, or replaces the one of its id, and appends the events to the audit trail of its " +
		"tenant: all or nothing.", credentialsReplace},
	{"Of the two credentials the earlier end and the later use are kept, so that one who has not read of a revocation " +
		"does not undo it.", credentialsEnd},
	{"Credential finds a credential by its id; NotFound if there is none.", credentialByID},
	{`Credentials lists the credentials of a tenant in order of creation, of every tenant if it is "".`, credentialsListed},
	{"PutAudit appends events to the audit trail of a tenant; of one id the first is kept.", auditKept},
	{"Nothing changes or removes an event.", auditKept},
	{"Audit pages through the audit trail of a tenant in descending order of the ids, which is that of their time.",
		auditPages},
	{"PutCompilation keeps an answer, without its outcome; Compilation gives the same bytes again, with the outcome, or " +
		"NotFound.", compilations},
	{"PutOutcome keeps the outcome of a compilation in place of the one of the version base, 0 for none.", outcomes},
	{"It is Conflicting if there is another version, and NotFound if the compilation is not there, or is empty.",
		outcomesRefused},
	{"It is Conflicting if there is another version", outcomesAtOnce},
	{"Outcomes lists outcomes in descending order of the ids of their compilations.", outcomePages},
	{"LastUsed returns when the newest of the compilations was made whose outcomes say that an object was used, for each " +
		"of the objects of which there is one.", lastUses},
	{"Receipts finds the receipts for the scopes of idempotency keys, whatever state is read.", receipts},
	{"Ping answers when the engine does, with the schema that this program needs", pings},
	{"Probe commits a write that leaves nothing", probes},
	{"Close ends the engine's work after what it is doing now.", closes},
}

func reopened(w *world) {
	s := newScene("jon")
	w.apply(s.changes()...)
	disturb(w, s, 1)
	first, second := s.readAll(w, w.view(tenure.AsOf{Seq: 1})), s.readAll(w, w.now())
	log := w.chain(2)
	c := credential(w.tenant, 1)
	w.ok(w.s.PutCredential(background(), c))
	w.s = w.opts.Reopen(w.T, w.s)
	w.same("the first state", first, s.readAll(w, w.view(tenure.AsOf{Seq: 1})))
	w.same("the second state", second, s.readAll(w, w.now()))
	w.same("log", log, w.chain(2))
	got, err := w.s.Credential(background(), c.ID)
	w.ok(err)
	w.same("credential", c, got)
	r := w.apply(tenure.EntityPut{Entity: entity(newID(), "x")})
	w.same("the next number", tenure.Seq(3), r.Seq)
	w.chain(3)
}

func logPages(w *world) {
	const n = 10
	var sets []tenure.ChangeSet
	for range n {
		sets = append(sets, set(believed(claim(newID(), "office"))...))
	}
	receipts := w.applySets(sets...)
	page := func(after tenure.Seq, limit int) []tenure.Seq {
		log, err := w.s.Log(background(), w.tenant, after, limit)
		w.ok(err)
		found := []tenure.Seq{}
		for _, e := range log {
			found = append(found, e.Seq)
		}
		return found
	}
	w.same("first", []tenure.Seq{1, 2, 3}, page(0, 3))
	w.same("middle", []tenure.Seq{5, 6, 7, 8}, page(4, 4))
	w.same("last", []tenure.Seq{9, 10}, page(8, 4))
	w.same("past the end", []tenure.Seq{}, page(n, 4))
	for i, e := range w.chain(n) {
		want := tenure.EntryOf(sets[i], receipts[i].Seq, receipts[i].Tx)
		want.Hash, want.Salt = e.Hash, e.Salt
		var err error
		want.Digest, err = sets[i].Digest(e.Salt)
		w.ok(err)
		w.same("entry", want, e)
	}
}

// grownSince returns the end of the world's log as Grown lists it, 0 if it does not.
func (w *world) grownSince(m store.Mark) (tenure.Seq, store.Mark) {
	ends, next, err := w.s.Grown(background(), m)
	w.ok(err)
	for _, e := range ends {
		if e.Tenant == w.tenant {
			return e.Seq, next
		}
	}
	return 0, next
}

func grown(w *world) {
	_, mark := w.grownSince(store.Mark{})
	for i := range 3 {
		w.applySets(set(believed(claim(newID(), "office"))...), set(believed(claim(newID(), "office"))...))
		var end tenure.Seq
		if end, mark = w.grownSince(mark); end != tenure.Seq(2*(i+1)) {
			w.Errorf("after entry %d, %d is listed", 2*(i+1), end)
		}
	}
	other := w.other()
	other.applySets(set(believed(claim(newID(), "office"))...))
	if end, _ := other.grownSince(mark); end != 1 {
		w.Errorf("of another tenant, %d is listed", end)
	}
	before, mark := w.grownSince(mark) // may be listed again, and never with less
	if before != 0 && before != 6 {
		w.Errorf("again %d is listed", before)
	}
	w.s = w.opts.Reopen(w.T, w.s)
	w.applySets(set(believed(claim(newID(), "office"))...))
	if end, _ := w.grownSince(mark); end != 7 {
		w.Errorf("after the store was opened again, %d is listed", end)
	}
}

func grownFromTheStart(w *world) {
	if end, _ := w.grownSince(store.Mark{}); end != 0 {
		w.Errorf("%d is listed of one that never wrote", end)
	}
	w.applySets(set(believed(claim(newID(), "office"))...))
	other := w.other()
	other.applySets(set(believed(claim(newID(), "office"))...))
	for _, each := range []*world{w, other} {
		if end, _ := each.grownSince(store.Mark{}); end != 1 {
			w.Errorf("%d is listed of %s", end, each.tenant)
		}
	}
}

func credential(tenant string, created tenure.Instant) tenure.Credential {
	return tenure.Credential{
		ID: newID(), Hash: "h", Tenant: tenant, Label: "Zoë \U0001F600",
		Roles:     []tenure.Role{tenure.RoleAgent, tenure.RoleAdmin},
		Clearance: tenure.Restricted, MaxAuthority: 2, ActFor: true,
		Bound: tenure.Scope{Kind: tenure.ScopeGlobal, UserID: "u"}, CreatedAt: created, CreatedBy: "operator",
		ExpiresAt: 1_000, LastUsedAt: 500,
	}
}

func credentialsReplace(w *world) {
	c := credential(w.tenant, 1)
	w.ok(w.s.PutCredential(background(), c))
	c.RevokedAt, c.Roles = 9, []tenure.Role{tenure.RoleAnalyst}
	e := audited(tenure.AuditRevoked, c.ID)
	w.ok(w.s.PutCredential(background(), c, e))
	w.same("trail", []tenure.AuditEvent{e}, w.audit(store.AuditQuery{Limit: 9}))
	list, err := w.s.Credentials(background(), w.tenant)
	w.ok(err)
	w.same("credentials", []tenure.Credential{c}, list)
}

func credentialsEnd(w *world) {
	c := credential(w.tenant, 1)
	w.ok(w.s.PutCredential(background(), c))
	revoked, rotated, used := c, c, c
	revoked.RevokedAt, rotated.ExpiresAt, used.LastUsedAt = 9, 800, 600
	for _, put := range []tenure.Credential{revoked, rotated, used, c} {
		w.ok(w.s.PutCredential(background(), put))
	}
	c.RevokedAt, c.ExpiresAt, c.LastUsedAt = 9, 800, 600
	got, err := w.s.Credential(background(), c.ID)
	w.ok(err)
	w.same("credential", c, got)
	late := c
	late.RevokedAt, late.ExpiresAt, late.LastUsedAt = 10, 900, 500
	w.ok(w.s.PutCredential(background(), late))
	list, err := w.s.Credentials(background(), w.tenant)
	w.ok(err)
	w.same("the earlier end", []tenure.Credential{c}, list)
}

func audited(kind tenure.AuditKind, key tenure.ID) tenure.AuditEvent {
	return tenure.AuditEvent{
		ID: newID(), At: 5, Kind: kind, Key: key, Actor: "operator", Client: "203.0.113.7", Successor: newID(), Count: 3,
	}
}

// audit reads the audit trail of the world's tenant.
func (w *world) audit(q store.AuditQuery) []tenure.AuditEvent {
	w.Helper()
	list, err := w.s.Audit(background(), w.tenant, q)
	w.ok(err)
	return list
}

func auditKept(w *world) {
	first, second := audited(tenure.AuditIssued, newID()), audited(tenure.AuditRefused, newID())
	w.ok(w.s.PutAudit(background(), w.tenant, first))
	again := first
	again.Kind, again.Actor = tenure.AuditRevoked, "somebody else"
	w.ok(w.s.PutAudit(background(), w.tenant, again, second))
	w.ok(w.s.PutAudit(background(), w.other().tenant, again))
	w.ok(w.s.PutAudit(background(), w.tenant))
	w.s = w.opts.Reopen(w.T, w.s)
	want := []tenure.AuditEvent{first, second}
	slices.SortFunc(want, func(a, b tenure.AuditEvent) int { return cmp.Compare(b.ID, a.ID) })
	w.same("trail", want, w.audit(store.AuditQuery{Limit: 9}))
	w.same("of nobody", 0, len(w.other().audit(store.AuditQuery{Limit: 9})))
}

func auditPages(w *world) {
	key := newID()
	var all []tenure.AuditEvent
	for i := range 7 {
		e := audited([]tenure.AuditKind{tenure.AuditIssued, tenure.AuditRefused}[i%2], []tenure.ID{key, newID(), ""}[i%3])
		all = append(all, e)
		w.ok(w.s.PutAudit(background(), w.tenant, e))
	}
	slices.SortFunc(all, func(a, b tenure.AuditEvent) int { return cmp.Compare(b.ID, a.ID) })
	for name, q := range map[string]store.AuditQuery{
		"all": {}, "of a key": {Key: key}, "of a kind": {Kind: tenure.AuditRefused},
		"of a key and a kind": {Key: key, Kind: tenure.AuditIssued},
	} {
		var want, got []tenure.AuditEvent
		for _, e := range all {
			if (q.Key == "" || e.Key == q.Key) && (q.Kind == "" || e.Kind == q.Kind) {
				want = append(want, e)
			}
		}
		for q.Limit = 2; ; q.Before = got[len(got)-1].ID {
			page := w.audit(q)
			w.same("at most the limit", true, len(page) <= 2)
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
		}
		w.same(name, want, got)
	}
}

func credentialByID(w *world) {
	c := credential(w.tenant, 1)
	w.ok(w.s.PutCredential(background(), c))
	got, err := w.s.Credential(background(), c.ID)
	w.ok(err)
	w.same("credential", c, got)
	_, err = w.s.Credential(background(), newID())
	w.code(tenure.NotFound, err)
	seq, _ := w.now().State()
	w.same("a credential is no entry", tenure.Seq(0), seq)
}

func credentialsListed(w *world) {
	other := w.other()
	var want, everyone []tenure.Credential
	for i, tenant := range []string{w.tenant, other.tenant, w.tenant, w.tenant} {
		c := credential(tenant, tenure.Instant(100-i)) // the last one is the oldest
		w.ok(w.s.PutCredential(background(), c))
		everyone = append([]tenure.Credential{c}, everyone...)
		if tenant == w.tenant {
			want = append([]tenure.Credential{c}, want...)
		}
	}
	list, err := w.s.Credentials(background(), w.tenant)
	w.ok(err)
	w.same("of a tenant", want, list)
	all, err := w.s.Credentials(background(), "")
	w.ok(err)
	all = slices.DeleteFunc(all, func(c tenure.Credential) bool {
		return c.Tenant != w.tenant &&
			c.Tenant != other.tenant
	})
	w.same("of every tenant", everyone, all)
	none, err := w.s.Credentials(background(), w.other().tenant)
	w.ok(err)
	w.same("of nobody", 0, len(none))
}

func compilations(w *world) {
	body := []byte("{\"x\": \"Zo\u00eb \U0001F600\",\r\n \"y\": 1.50}\n")
	long := tenure.Compilation{ID: newID(), CreatedAt: 2, Body: slices.Repeat(body, 20_000)}
	for _, c := range []tenure.Compilation{{ID: newID(), CreatedAt: 1, Body: body}, long} {
		w.ok(w.s.PutCompilation(background(), w.tenant, c))
		got, err := w.s.Compilation(background(), w.tenant, c.ID)
		w.ok(err)
		w.same("compilation", [2]string{string(c.ID), string(c.Body)}, [2]string{string(got.ID), string(got.Body)})
		w.same("made", c.CreatedAt, got.CreatedAt)
		w.ok(w.s.PutCompilation(background(), w.tenant, tenure.Compilation{ID: c.ID, CreatedAt: 9, Body: []byte("other")}))
		again, err := w.s.Compilation(background(), w.tenant, c.ID)
		w.ok(err)
		w.same("the first is kept", got, again)
		_, err = w.s.Compilation(background(), w.other().tenant, c.ID)
		w.code(tenure.NotFound, err)
	}
	_, err := w.s.Compilation(background(), w.tenant, newID())
	w.code(tenure.NotFound, err)
	seq, _ := w.now().State()
	w.same("a compilation is no entry", tenure.Seq(0), seq)
}

func receipts(w *world) {
	keyed := func(scope, hash string, answer []byte) tenure.ChangeSet {
		cs := set(tenure.EntityPut{Entity: entity(newID(), "x")})
		cs.Key, cs.Answer = &tenure.IdempotencyKey{Scope: scope, Hash: hash}, answer
		return cs
	}
	made := w.applySets(keyed("a", "1", []byte("{\"x\":1}\n")), keyed("A", "2", []byte{0, 255}))
	for _, r := range []tenure.AsOf{tenure.Present, {Seq: 1}, {Known: made[0].Tx - 1}} {
		found, err := w.view(r).Receipts(background(), []string{"A", "none", "a", "a"})
		w.ok(err)
		w.same("how many", 2, len(found))
		for i, scope := range []string{"a", "A"} {
			got := found[scope]
			got.Replayed = false // whether an engine says so is its own affair
			w.same(scope, made[i], got)
		}
	}
}

func pings(w *world) { w.ok(w.s.Ping(background())) }

func probes(w *world) {
	w.ok(w.s.Probe(background()))
	w.apply(tenure.EntityPut{Entity: entity(newID(), "x")})
	w.ok(w.s.Probe(background()))
	w.chain(1)
}

func closes(w *world) {
	first := w.s
	var mu sync.Mutex
	acknowledged := map[tenure.ID]tenure.Seq{}
	var wg sync.WaitGroup
	begun := make(chan struct{}, 1)
	for range 8 {
		wg.Go(func() {
			for {
				cs := set(tenure.EntityPut{Entity: entity(newID(), "x")})
				receipts, err := first.Apply(background(), w.tenant, 0, []tenure.ChangeSet{cs})
				if err != nil {
					w.code(tenure.Unavailable, err)
					return
				}
				mu.Lock()
				acknowledged[cs.ID] = receipts[0].Seq
				mu.Unlock()
				select {
				case begun <- struct{}{}:
				default:
				}
			}
		})
	}
	<-begun
	w.s = w.opts.Reopen(w.T, w.s)
	wg.Wait()
	seq, _ := w.now().State()
	for _, e := range w.chain(int(seq)) {
		if n, ok := acknowledged[e.ID]; ok && n != e.Seq {
			w.Errorf("what was acknowledged as %d is entry %d", n, e.Seq)
		}
		delete(acknowledged, e.ID)
	}
	w.same("acknowledged and lost", 0, len(acknowledged))
	_, err := first.View(background(), w.tenant, tenure.Present)
	w.code(tenure.Unavailable, err)
}
