package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/store"
)

var erasePromises = []promise{
	{"overwrites nothing but content that is erased", erasedEverywhere},
	{"So it is where base has not come yet, and where content was erased since.", decidedBeforeErasure},
	{"Unpurged reports whether content was erased since Purge last succeeded.", unpurged},
	{"EraseCompilations empties the bodies of the compilations that are chosen, removes their outcomes, and returns how many.",
		erasedCompilations},
	{"DropCompilations removes the compilations whose ids are less than one", droppedCompilations},
}

// erased is somebody of whom everything is erased: each text that is secret has a word of its own.
type erased struct {
	secret      string
	observation tenure.Observation
	mention     tenure.Mention
	entity      tenure.Entity
	former      tenure.Entity // that the mention was assigned to first
	friend      tenure.Entity
	claims      []tenure.Claim
	referring   tenure.Claim
	beside      tenure.Claim // that stays, without who said it
	tied        tenure.Claim // that stays, tied with one that does not
	reason      tenure.Amended
	settled     tenure.Amended // of the tie
	review      tenure.Review
	decision    tenure.IdentityDecision
	quarantine  tenure.Case
}

func newErased() erased {
	x := erased{secret: "quagga" + strings.ReplaceAll(string(newID()), "-", "")}
	word := func(of string) string { return x.secret + " " + of }
	x.observation = tenure.Observation{
		ID: newID(), Source: tenure.Source{
			Origin: word("origin"), Speaker: word("speaker"), Thread: word("thread"), Session: word("session"),
		}, Text: word("text"), Addressee: word("addressee"), ObservedAt: 5, ReceivedAt: 6, Actor: "storetest",
	}
	x.mention = tenure.Mention{
		ID: newID(), Observation: x.observation.ID, Name: word("name"), Type: "person", Aliases: []string{word("alias")},
		Attributes: map[string][]string{"email": {word("email")}}, Context: word("context"),
		Record: &tenure.Record{Source: "crm", ID: word("record")},
	}
	x.observation.Mentions = []tenure.ID{x.mention.ID}
	x.entity, x.friend = entity(newID(), word("name")), entity(newID(), "Ben")
	x.entity.Names, x.former = []string{word("name"), word("alias")}, entity(newID(), word("former name"))
	x.entity.Attributes, x.entity.Context = x.mention.Attributes, []string{word("context")}
	x.entity.Records = []tenure.Record{*x.mention.Record}
	value := func(c tenure.Claim, of string) tenure.Claim {
		text := word(of)
		c.Observation, c.SubjectMention = x.observation.ID, x.mention.ID
		c.Key, c.Content = word("key "+of), word("content "+of)
		c.Source.Speaker, c.WhyItMatters = word("who"), word("why")
		c.Value = tenure.Value{JSON: json.RawMessage(`"` + text + `"`), Canonical: "text:" + text}
		return c
	}
	relation := to(value(claim(x.entity.ID, "knows"), "relation"), x.friend.ID)
	relation.Value.Name = word("friend")
	x.claims = []tenure.Claim{value(claim(x.entity.ID, "office"), "office"), relation}
	x.referring = to(claim(x.friend.ID, "knows"), x.entity.ID)
	x.referring.Value.Name, x.referring.Content = word("name"), word("wording")
	x.beside = claim(x.friend.ID, "desk")
	x.beside.Observation, x.beside.Source.Speaker, x.beside.Source.Origin = x.observation.ID, word("who"), word("where")
	x.observation.Claims = []tenure.ID{x.claims[0].ID, x.claims[1].ID, x.beside.ID}
	x.reason = retract(x.claims[0])
	x.reason.Amendment.Reason = word("reason")
	x.review = tenure.Review{
		ID: newID(), State: tenure.ReviewSettled, Entity: x.entity.ID, Name: word("name"), Note: word("note"),
		Candidates: []tenure.Candidate{{Entity: x.friend.ID}}, Events: []tenure.ReviewEvent{{Note: word("event")}},
	}
	x.decision = tenure.IdentityDecision{
		ID: newID(), Kind: tenure.CannotLink, From: x.entity.ID, Into: x.friend.ID, Reason: word("because"),
	}
	x.tied = claim(x.entity.ID, "office")
	x.quarantine = quarantine(x.claims[0].Slot(), x.claims[0].ID, x.tied.ID)
	x.settled = retract(x.tied)
	x.settled.Amendment.Case, x.settled.Amendment.Reason = x.quarantine.ID, word("answer")
	x.quarantine.Resolver.Task, x.quarantine.Note = word("question"), word("answer")
	return x
}

func (x erased) forms() []tenure.Alias {
	var list []tenure.Alias
	for _, s := range x.mention.Spellings() {
		list = append(list, alias(tenure.AliasKey{Kind: tenure.NameAlias, Key: s}, x.entity.ID, x.mention.ID))
	}
	return list
}

// first is written before all else: the mention meant another one then.
func (x erased) first() []tenure.Change {
	return []tenure.Change{
		tenure.ObservationAdded{Observation: x.observation}, tenure.MentionAdded{Mention: x.mention},
		tenure.EntityPut{Entity: x.former}, tenure.AliasAdded{Alias: x.formerAlias()},
		tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: x.mention.ID, Entity: x.former.ID}},
	}
}

func (x erased) formerAlias() tenure.Alias {
	return alias(tenure.AliasKey{Kind: tenure.NameAlias, Key: x.mention.Name}, x.former.ID, x.mention.ID)
}

func (x erased) written() []tenure.Change {
	former := x.former
	former.Name = "Cleo"
	list := []tenure.Change{
		tenure.EntityPut{Entity: former}, tenure.AliasClosed{Alias: x.formerAlias()},
		tenure.EntityPut{Entity: x.entity}, tenure.EntityPut{Entity: x.friend},
		tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: x.mention.ID, Entity: x.entity.ID}},
		tenure.ReviewPut{Review: x.review}, tenure.IdentityDecisionPut{Decision: x.decision},
	}
	for _, a := range x.forms() {
		list = append(list, tenure.AliasAdded{Alias: a})
	}
	for _, c := range append(x.claims, x.referring, x.beside, x.tied) {
		list = append(list, believed(c)...)
	}
	return append(list, x.reason, x.settled, tenure.CasePut{Case: x.quarantine})
}

// erasing are the changes of the set that erases everything.
func (x erased) erasing() []tenure.Change {
	gone := x.entity
	gone.Name, gone.Names, gone.Attributes, gone.Context, gone.Records = "", nil, nil, nil, nil
	list := []tenure.Change{tenure.EntityPut{Entity: gone}}
	for _, a := range x.forms() {
		list = append(list, tenure.AliasClosed{Alias: a})
	}
	for _, c := range x.claims {
		list = append(list, standing(c, segment(tenure.ByRetraction, 100, tenure.MaxTime)),
			tenure.ContentErased{Kind: tenure.ErasedClaim, ID: c.ID, Entity: x.entity.ID})
	}
	return append(list,
		tenure.ContentErased{Kind: tenure.ErasedWording, ID: x.referring.ID, Entity: x.friend.ID},
		tenure.ContentErased{Kind: tenure.ErasedObservation, ID: x.observation.ID},
		tenure.ContentErased{Kind: tenure.ErasedMention, ID: x.mention.ID, Entity: x.entity.ID},
		tenure.ContentErased{Kind: tenure.ErasedEntity, ID: x.entity.ID, Entity: x.entity.ID},
	)
}

// said is all that a reader tells of it, as one text.
func (x erased) said(w *world, r store.Reader) string {
	w.Helper()
	entities, claims := []tenure.ID{x.entity.ID, x.friend.ID, x.former.ID}, []tenure.ID{x.referring.ID, x.tied.ID}
	for _, c := range x.claims {
		claims = append(claims, c.ID)
	}
	mentions, err := r.Mentions(background(), []tenure.ID{x.mention.ID})
	w.ok(err)
	listed, err := r.ListObservations(background(), store.ObservationQuery{Before: tenure.MaxTime, Limit: 10})
	w.ok(err)
	slots, err := r.Slots(background(), []tenure.Slot{x.claims[0].Slot(), x.claims[1].Slot(), x.referring.Slot()})
	w.ok(err)
	live, err := r.Live(background(), entities, always, 10)
	w.ok(err)
	text, err := json.Marshal([]any{
		read(w, r.Observations, []tenure.ID{x.observation.ID}), mentions, listed, slots, live, read(w, r.Entities, entities),
		read(w, r.AliasesOf, entities), read(w, r.Beliefs, claims), read(w, r.Amendments, claims),
		read(w, r.Reviews, []tenure.ID{x.review.ID}), read(w, r.IdentityDecisions, []tenure.ID{x.decision.ID}),
		read(w, r.Cases, []tenure.ID{x.quarantine.ID}),
	})
	w.ok(err)
	return string(text)
}

func erasedEverywhere(w *world) {
	x := newErased()
	w.apply(x.first()...)
	w.apply(x.written()...)
	if n := strings.Count(x.said(w, w.now()), x.secret); n < 30 {
		w.Fatalf("the secret is told %d times before it is erased", n)
	}
	if !w.opts.Holds(w.T, w.s, w.tenant, x.secret) {
		w.Fatal("the engine does not hold what was written: the search is of no use")
	}
	other := w.other()
	kept := newErased()
	other.apply(kept.first()...)
	other.apply(kept.written()...)
	before := kept.said(other, other.now())
	stale := w.view(tenure.AsOf{Seq: 2})
	x.said(w, stale)
	w.apply(x.erasing()...)
	x.said(w, stale) // adds what it still reads to no cache that later readers use
	_, err := w.s.Purge(background())
	w.ok(err)
	if n := strings.Count(x.said(w, w.view(tenure.AsOf{Seq: 1})), x.secret); n > 0 {
		w.Errorf("the first state still tells %d of it", n)
	}
	for _, at := range []tenure.AsOf{{Seq: 2}, tenure.Present} {
		r := w.view(at)
		text := x.said(w, r)
		for _, part := range strings.Split(text, x.secret)[1:] {
			w.Errorf("in the state %+v the reader still tells: %s", at, part[:min(len(part), 60)])
		}
		beliefs := read(w, r.Beliefs, []tenure.ID{x.claims[1].ID, x.referring.ID})
		w.same("the claims are there", []tenure.ID{x.claims[1].ID, x.referring.ID}, idsOf(beliefs))
		if b := beliefs[0]; !b.Claim.Erased || b.Claim.Value.Entity != "" || !b.Standing.Span().Empty() {
			w.Errorf("in the state %+v the erased claim says %+v and stands as %+v", at, b.Claim, b.Standing)
		}
		if b := beliefs[1]; b.Claim.Value.Entity != x.entity.ID || b.Standing.Span().Empty() {
			w.Errorf("in the state %+v the claim about another says %+v", at, b.Claim)
		}
		mentions, err := r.Mentions(background(), []tenure.ID{x.mention.ID})
		w.ok(err)
		w.same("the mention is assigned", x.entity.ID, mentions[0].Assignment.Entity)
		w.same("nobody is found by the name", 0, len(read(w, r.AliasesByKey, []tenure.AliasKey{x.forms()[0].Key})))
		w.same("nor by the value", 1, len(read(w, r.Referring, []tenure.ID{x.entity.ID}))+
			len(read(w, r.Referring, []tenure.ID{x.friend.ID})))
		w.same("nor by the key", 0, len(read(w, r.BeliefsByKey, []string{x.claims[0].Key})))
	}
	if w.opts.Holds(w.T, w.s, w.tenant, x.secret) {
		w.Error("the engine still holds what was erased")
	}
	w.same("another's", before, kept.said(other, other.now()))
	w.chain(3)
	// Erasing is done with once: a second time it changes nothing.
	once := x.said(w, w.now())
	w.apply(slices.DeleteFunc(x.erasing(), func(c tenure.Change) bool {
		_, is := c.(tenure.ContentErased)
		return !is
	})...)
	w.same("a second time", once, x.said(w, w.view(tenure.AsOf{Seq: 3})))
}

// decidedBeforeErasure checks that an erasure leaves no hash of what was erased that would confirm a guess, and that
// what was decided on a state before it, which can no longer be compared with what was written since, is decided again.
func decidedBeforeErasure(w *world) {
	x := newErased()
	w.apply(x.first()...)
	written := w.apply(x.written()...)
	name := tenure.AliasConflict(x.forms()[0].Key)
	if !w.opts.Confirms(w.T, w.s, w.tenant, name) {
		w.Fatal("the log does not tell what was written: the search is of no use")
	}
	beside := set(tenure.EntityPut{Entity: entity(newID(), "decided together with the erasure")})
	receipts := w.applySets(set(x.erasing()...), beside)
	if w.opts.Confirms(w.T, w.s, w.tenant, name) {
		w.Error("the log still tells that an erased name was written")
	}
	blind := set(tenure.EntityPut{Entity: entity(newID(), "reads nothing")})
	_, err := w.s.Apply(background(), w.tenant, written.Seq, []tenure.ChangeSet{blind})
	w.code(tenure.Conflicting, err)
	later := newID()
	touched := tenure.EntityConflict(later)
	after := w.apply(tenure.EntityPut{Entity: entity(later, "after the erasure")})
	if after.Seq != receipts[1].Seq+1 || !w.opts.Confirms(w.T, w.s, w.tenant, touched) {
		w.Error("what was written after the erasure is not compared with")
	}
	blind.ReadSet = []tenure.ConflictKey{touched}
	_, err = w.s.Apply(background(), w.tenant, receipts[1].Seq, []tenure.ChangeSet{blind})
	w.code(tenure.Conflicting, err)
	blind.ReadSet = []tenure.ConflictKey{name}
	_, err = w.s.Apply(background(), w.tenant, receipts[1].Seq, []tenure.ChangeSet{blind})
	w.ok(err)
}

func unpurged(w *world) {
	is := func(name string, want bool) {
		w.Helper()
		got, err := w.s.Unpurged(background())
		w.ok(err)
		w.same(name, want, got)
	}
	can, err := w.s.Purge(background())
	w.ok(err)
	x := newErased()
	w.apply(x.first()...)
	w.apply(x.written()...)
	is("before something is erased", false)
	w.apply(x.erasing()...)
	is("until it is purged", can)
	_, err = w.s.Purge(background())
	w.ok(err)
	is("once it is purged", false)
}

func erasedCompilations(w *world) {
	var list []tenure.Compilation
	for i := range 3 {
		c := tenure.Compilation{ID: newID(), CreatedAt: 5, Body: fmt.Appendf(nil, "body %d", i)}
		w.ok(w.s.PutCompilation(background(), w.tenant, c))
		c.Outcome = w.outcome(c, func(o *tenure.CompilationOutcome) { o.Report.Note = fmt.Sprint("note ", i) })
		list = append(list, c)
	}
	chosen := func(c tenure.Compilation) bool {
		return string(c.Body) == "body 1" && c.Outcome.Report.Note == "note 1"
	}
	n, err := w.s.EraseCompilations(background(), w.tenant, chosen)
	w.ok(err)
	w.same("erased", 1, n)
	for i, c := range list {
		got, err := w.s.Compilation(background(), w.tenant, c.ID)
		w.ok(err)
		if i == 1 {
			c.Body, c.Outcome = nil, nil
		}
		w.same("compilation", c, got)
	}
	n, err = w.s.EraseCompilations(background(), w.tenant, func(c tenure.Compilation) bool { return len(c.Body) == 0 })
	w.ok(err)
	w.same("an empty one is not asked about", 0, n)
	w.same("the newest use that is left", map[tenure.ID]tenure.Instant{usedObject: 5}, w.lastUsed("agent"))
	n, err = w.s.EraseCompilations(background(), w.tenant, func(tenure.Compilation) bool { return true })
	w.ok(err)
	w.same("the others", 2, n)
	w.same("uses", map[tenure.ID]tenure.Instant{}, w.lastUsed("agent"))
	w.same("outcomes", 0, len(w.outcomes(store.OutcomeQuery{Of: everybody, Limit: 9})))
}

func droppedCompilations(w *world) {
	made := ids(4)
	for _, id := range made {
		c := tenure.Compilation{ID: id, CreatedAt: 5, Body: []byte("x")}
		w.ok(w.s.PutCompilation(background(), w.tenant, c))
		w.outcome(c, nil)
	}
	drop := func(want, limit int) {
		w.Helper()
		n, err := w.s.DropCompilations(background(), w.tenant, made[3], limit)
		w.ok(err)
		w.same("dropped", want, n)
	}
	drop(2, 2)
	drop(1, 2)
	drop(0, 2)
	left := w.outcomes(store.OutcomeQuery{Of: everybody, Limit: 9})
	w.same("outcomes", []tenure.ID{made[3]}, []tenure.ID{left[0].Compilation})
	w.same("how many", 1, len(left))
	for i, id := range made {
		_, err := w.s.Compilation(background(), w.tenant, id)
		if i < 3 {
			w.code(tenure.NotFound, err)
		} else {
			w.ok(err)
		}
	}
}
