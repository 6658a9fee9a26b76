package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/google/uuid"

	"tenure"
	"tenure/changefeed"
	"tenure/recall"
	"tenure/store"
)

// BeliefsConsumer is the name of the index of beliefs as a consumer of the changefeed.
const BeliefsConsumer = "index_of_beliefs"

// Beliefs is an index of what is believed and of passages of documents, by their words: a [recall.Source] of
// candidates. It is derived as the index of entities is, in files of its own, so that it delays neither a search for
// names nor re-resolution.
//
// A document has all words by which a belief may be found in any state up to the one that is indexed: the names of all
// entities that its subject or value was ever held to be one with, whoever sees them. What may have lost words since,
// because an alias was closed or the claim moved, keeps a document of how it was. So a document never lacks a word that
// the belief has in a state and for a caller, and what it has too much, package recall takes away.
type Beliefs struct{ x *Index }

// Beliefs returns the index of beliefs.
func (x *Index) Beliefs() *Beliefs { return x.beliefs }

// Checkpoint implements [changefeed.Consumer].
func (b *Beliefs) Checkpoint(ctx context.Context, tenant string) (tenure.Seq, error) {
	return b.x.Checkpoint(ctx, tenant)
}

// Apply implements [changefeed.Consumer].
func (b *Beliefs) Apply(ctx context.Context, p changefeed.Page) error { return b.x.Apply(ctx, p) }

// Reset implements [changefeed.Consumer].
func (b *Beliefs) Reset(ctx context.Context, tenant string) error { return b.x.Reset(ctx, tenant) }

// Dir returns the directory of the index, which no other process uses while it is open.
func (b *Beliefs) Dir() string { return b.x.dir }

// Follow sets the feed of the index.
func (b *Beliefs) Follow(f Feed) { b.x.Follow(f) }

// beliefsFormat is the version of the documents of beliefs, beside that of the base vocabulary.
const beliefsFormat = "beliefs 2 "

func beliefs() variety {
	return variety{folder: "beliefs", format: beliefsFormat + recall.Version(), derive: deriveBeliefs}
}

// Classes of the keys of the index of beliefs, besides those of scopes and bounds.
const (
	anyClass     = 'a' // of every document
	wordClass    = 'w'
	meantClass   = 'm' // of the words of the base vocabulary for a predicate
	heldClass    = 'h' // of the predicate
	synonymClass = 'y' // of a tenant's synonyms
	formerClass  = 'f' // of what a belief was, by its id
	namedClass   = 'd' // of the names of an entity
)

// boundKind is the kind of bound of a hypothetical or draft statement: see [boundTerms].
const boundKind = "k"

// The kinds of documents, which are the first bytes of their keys.
const (
	beliefKey  = 'B' // a belief: when it was recorded, its id and, of a former document, the number of the last such state
	synonymKey = 'S' // the synonyms of a tenant's predicate: since which state, and the predicate
	namesKey   = 'N' // the names of an entity: its id
	passageKey = 'P' // a passage: its id and, of a former version, the number of the entry that replaced it
)

const (
	instantBytes = 8
	idBytes      = 16
	beliefBytes  = 1 + instantBytes + idBytes
)

// beliefID returns the key of the document of a belief. Keys are in the order in which beliefs were recorded.
func beliefID(recorded tenure.Instant, id tenure.ID, former tenure.Seq) tenure.ID {
	b := binary.BigEndian.AppendUint64([]byte{beliefKey}, uint64(recorded))
	b = append(b, rawID(id)...)
	if former > 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(former))
	}
	return tenure.ID(b)
}

func rawID(id tenure.ID) []byte {
	u, err := uuid.Parse(string(id))
	if err != nil {
		return make([]byte, idBytes)
	}
	return u[:]
}

// beliefOf returns what a key says.
func beliefOf(key []byte) (recorded tenure.Instant, id tenure.ID, former tenure.Seq) {
	recorded = tenure.Instant(binary.BigEndian.Uint64(key[1:]))
	u, _ := uuid.FromBytes(key[1+instantBytes : beliefBytes]) // it has the length
	if len(key) > beliefBytes {
		former = tenure.Seq(binary.BigEndian.Uint64(key[beliefBytes:]))
	}
	return recorded, tenure.ID(u.String()), former
}

func namesID(id tenure.ID) tenure.ID { return tenure.ID(append([]byte{namesKey}, rawID(id)...)) }

func synonymID(since tenure.Seq, predicate string) tenure.ID {
	return tenure.ID(append(binary.BigEndian.AppendUint64([]byte{synonymKey}, uint64(since)), predicate...))
}

func predicateOf(key []byte) string { return string(key[1+instantBytes:]) }

// beliefTerms returns the terms of a belief's document.
func beliefTerms(b tenure.Belief, names func(tenure.ID) []string) []term {
	c := &b.Claim
	list := []term{
		termOf(anyClass, ""), termOf(projectClass, c.Scope.ProjectID), termOf(typeClass, string(recall.KindOf(c))),
		termOf(heldClass, c.Predicate),
	}
	list = append(list, scopeTerms(c.Label(), c.Scope)...)
	list = append(list, wordTerms(recall.Parts(c, names))...)
	return append(list, termsOf(meantClass, recall.Synonyms(c.Predicate)...)...)
}

// scopeTerms returns the terms by which a document is visible.
func scopeTerms(l tenure.Label, s tenure.Scope) []term {
	list := boundTerms(l)
	if s.Provisional() {
		list = append(list, termOf(boundClass, boundKind), termOf(boundClass, boundKind+"\x1f"+string(s.Kind)))
	}
	return list
}

// wordTerms returns the terms of the words of a document, each once.
func wordTerms(parts []recall.Part) (list []term) {
	seen := map[string]bool{}
	recall.Terms(parts, func(_ recall.Place, word []byte) {
		if !seen[string(word)] {
			seen[string(word)] = true
			list = append(list, termOf(wordClass, string(word)))
		}
	})
	return list
}

// namesTerm returns the term of the names that a family is known by.
func namesTerm(names []string) term {
	h := fnv.New64a()
	for _, n := range slices.Compact(slices.Sorted(slices.Values(names))) {
		_, _ = h.Write([]byte(n + "\x00"))
	}
	return termOf(namedClass, string(h.Sum(nil)))
}

// derivation finds the documents that a page changes.
type derivation struct {
	x        *Index
	page     changefeed.Page
	state    store.Reader // after its last entry
	families *recall.Families
	entries  []entry
}

func deriveBeliefs(ctx context.Context, x *Index, p changefeed.Page) ([]entry, error) {
	d := derivation{x: x, page: p, state: p.State}
	if at, _ := p.State.State(); at != p.UpTo() { // what is later is not known to have been lost yet
		var err error
		if d.state, err = x.feeding().View(ctx, p.Tenant, p.UpTo()); err != nil {
			return nil, err
		}
	}
	touched := touchedBy(p.Entries)
	list, err := d.state.Beliefs(ctx, touched.beliefs)
	if err != nil {
		return nil, err
	}
	d.families, err = recall.FamiliesOf(ctx, d.state, append(endsOf(list), touched.entities...))
	if err != nil {
		return nil, err
	}
	renamed, err := d.renamed(touched)
	if err != nil {
		return nil, err
	}
	list, err = d.about(ctx, list, renamed)
	if err != nil {
		return nil, err
	}
	for _, b := range list {
		d.entries = append(d.entries, entry{
			id: beliefID(b.RecordedAt, b.Claim.ID, 0), seq: p.UpTo(), terms: beliefTerms(b, d.families.Names),
		})
	}
	if err := d.formers(ctx, touched, list); err != nil {
		return nil, err
	}
	if err := d.synonyms(ctx, touched.terms); err != nil {
		return nil, err
	}
	return d.entries, d.passages(ctx, documentsOf(p.Entries))
}

// formers adds the documents of what beliefs were before the page took words from them, and makes those of before anew
// from which it erased some.
func (d *derivation) formers(ctx context.Context, t touched, list []tenure.Belief) error {
	for _, s := range t.shrinking {
		if err := d.former(ctx, s); err != nil {
			return err
		}
	}
	if !t.erases {
		return nil
	}
	return d.again(ctx, list)
}

// touched is what a page may change of documents.
type touched struct {
	beliefs, entities []tenure.ID
	unnamed           []tenure.ID // entities of which names were erased
	erases            bool
	shrinking         []shrinking
	terms             []termPut
}

// shrinking is an entry after which documents may have fewer words.
type shrinking struct {
	seq      tenure.Seq
	entities []tenure.ID
	beliefs  []tenure.ID
}

type termPut struct {
	seq tenure.Seq
	id  string
}

func touchedBy(entries []tenure.Entry) touched {
	var t touched
	seenB, seenE := map[tenure.ID]bool{}, map[tenure.ID]bool{}
	belief := func(id tenure.ID) {
		if id != "" && !seenB[id] {
			seenB[id] = true
			t.beliefs = append(t.beliefs, id)
		}
	}
	entity := func(ids ...tenure.ID) {
		for _, id := range ids {
			if id != "" && !seenE[id] {
				seenE[id] = true
				t.entities = append(t.entities, id)
			}
		}
	}
	for _, e := range entries {
		less := shrinking{seq: e.Seq}
		for _, c := range e.Changes {
			switch c.Kind.Current() {
			case tenure.KindClaimAdded:
				belief(c.Belief)
			case tenure.KindClaimMoved:
				belief(c.Belief)
				less.beliefs = append(less.beliefs, c.Belief)
			case tenure.KindEntityPut, tenure.KindIdentityDecisionPut:
				entity(c.Entity, c.Other)
			case tenure.KindAliasClosed:
				entity(c.Entity)
				less.entities = append(less.entities, c.Entity)
			case tenure.KindTermPut:
				t.terms = append(t.terms, termPut{e.Seq, c.Name})
			case tenure.KindContentErased:
				belief(c.Belief)
				t.erases = true
				named := namesErased(c)
				entity(named)
				t.unnamed = appendID(t.unnamed, named)
			}
		}
		if len(less.beliefs)+len(less.entities) > 0 {
			t.shrinking = append(t.shrinking, less)
		}
	}
	return t
}

// namesErased returns the entity of which a change erased names, "" if it did not.
func namesErased(c tenure.EntryChange) tenure.ID {
	switch tenure.ErasedKind(c.Name) {
	case tenure.ErasedEntity, tenure.ErasedMention:
		return c.Entity
	default:
		return ""
	}
}

func appendID(list []tenure.ID, id tenure.ID) []tenure.ID {
	if id == "" {
		return list
	}
	return append(list, id)
}

// endsOf lists the entities that beliefs are about.
func endsOf(list []tenure.Belief) (ids []tenure.ID) {
	for _, b := range list {
		ids = append(appendID(ids, b.Claim.Subject), b.Claim.Value.Entity)
	}
	return ids
}

// renamed lists the entities of the page with their families, as far as these have other names than they are indexed
// with, and records the names that they have now. The families of new entities have no documents yet.
func (d *derivation) renamed(t touched) (renamed []tenure.ID, err error) {
	now := map[tenure.ID]term{} // by the keys of their documents
	var looked []tenure.ID
	for _, id := range t.entities {
		if _, ok := now[namesID(id)]; ok {
			continue
		}
		names := namesTerm(d.families.Names(id))
		for _, member := range d.families.Members(id) {
			now[namesID(member)] = names
			looked = append(looked, member)
		}
	}
	force := map[tenure.ID]bool{}
	for _, id := range t.unnamed {
		for _, member := range d.families.Members(id) {
			force[member] = true
		}
	}
	g := d.x.acquire()
	if g == nil {
		return nil, errClosed
	}
	defer g.release()
	same, err := g.held(d.page.Tenant, now)
	if err != nil {
		return nil, err
	}
	for _, id := range looked {
		key := namesID(id)
		unchanged, known := same[key]
		if unchanged && !force[id] {
			continue
		}
		if known {
			renamed = append(renamed, id)
		}
		d.entries = append(d.entries, entry{id: key, seq: d.page.UpTo(), terms: []term{termOf(anyClass, ""), now[key]}})
	}
	return renamed, nil
}

// aboutPage is how many beliefs about an entity are read at once.
const aboutPage = 1000

// about adds to some beliefs those about entities.
func (d *derivation) about(ctx context.Context, list []tenure.Belief, ids []tenure.ID) ([]tenure.Belief, error) {
	more, err := aboutAny(ctx, d.state, ids)
	if err != nil || len(more) == 0 {
		return list, err
	}
	seen := map[tenure.ID]bool{}
	list = slices.DeleteFunc(append(slices.Clip(list), more...), func(b tenure.Belief) bool {
		before := seen[b.Claim.ID]
		seen[b.Claim.ID] = true
		return before
	})
	d.families, err = recall.FamiliesOf(ctx, d.state, endsOf(list))
	return list, err
}

// aboutAny lists the beliefs whose subject or value is one of the entities.
func aboutAny(ctx context.Context, r store.Reader, ids []tenure.ID) ([]tenure.Belief, error) {
	list, err := r.Referring(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		for q := (store.BeliefQuery{Subject: id, Limit: aboutPage}); ; {
			some, err := r.List(ctx, q)
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
			if len(some) < aboutPage {
				break
			}
			q.After = some[len(some)-1].Claim.ID
		}
	}
	return list, nil
}

// former adds documents of what an entry has taken words from, as it was before.
func (d *derivation) former(ctx context.Context, s shrinking) error {
	r, err := d.before(ctx, s.seq)
	if err != nil {
		return err
	}
	list, err := r.Beliefs(ctx, s.beliefs)
	if err != nil {
		return err
	}
	families, err := recall.FamiliesOf(ctx, r, s.entities)
	if err != nil {
		return err
	}
	var members []tenure.ID
	for _, id := range s.entities {
		now := d.families.Names(id)
		if slices.ContainsFunc(families.Names(id), func(n string) bool { return !slices.Contains(now, n) }) {
			members = append(members, families.Members(id)...)
		}
	}
	more, err := aboutAny(ctx, r, slices.Compact(slices.Sorted(slices.Values(members))))
	if err != nil {
		return err
	}
	list = append(list, more...)
	if families, err = recall.FamiliesOf(ctx, r, endsOf(list)); err != nil {
		return err
	}
	now := map[tenure.ID][]term{}
	for _, e := range d.entries {
		now[e.id] = e.terms
	}
	for _, b := range list {
		terms := beliefTerms(b, families.Names)
		if have, ok := now[beliefID(b.RecordedAt, b.Claim.ID, 0)]; !ok || !lacksNone(have, terms) {
			d.addFormer(b, s.seq, terms)
		}
	}
	return nil
}

func (d *derivation) addFormer(b tenure.Belief, seq tenure.Seq, terms []term) {
	d.entries = append(d.entries, entry{
		id: beliefID(b.RecordedAt, b.Claim.ID, seq), seq: d.page.UpTo(),
		terms: append(terms, termOf(formerClass, string(b.Claim.ID))),
	})
}

// lacksNone reports whether a list has all of some terms.
func lacksNone(have, some []term) bool {
	set := make(map[term]bool, len(have))
	for _, t := range have {
		set[t] = true
	}
	return !slices.ContainsFunc(some, func(t term) bool { return !set[t] })
}

// before reads the state before an entry.
func (d *derivation) before(ctx context.Context, seq tenure.Seq) (store.Reader, error) {
	return d.x.feeding().View(ctx, d.page.Tenant, seq-1)
}

// again makes the former documents of beliefs anew: something of them was erased, in all states.
func (d *derivation) again(ctx context.Context, list []tenure.Belief) error {
	g := d.x.acquire()
	if g == nil {
		return errClosed
	}
	defer g.release()
	var marks []term
	for _, b := range list {
		marks = append(marks, termOf(formerClass, string(b.Claim.ID)))
	}
	keys, err := g.keys(d.page.Tenant, marks)
	if err != nil {
		return err
	}
	for _, key := range keys {
		_, id, seq := beliefOf(key)
		r, err := d.before(ctx, seq)
		if err != nil {
			return err
		}
		was, err := r.Beliefs(ctx, []tenure.ID{id})
		if err != nil {
			return err
		}
		families, err := recall.FamiliesOf(ctx, r, endsOf(was))
		if err != nil {
			return err
		}
		for _, b := range was {
			d.addFormer(b, seq, beliefTerms(b, families.Names))
		}
	}
	return nil
}

// synonyms adds the documents of the synonyms that a tenant has put. They stay, for the states in which they hold.
func (d *derivation) synonyms(ctx context.Context, list []termPut) error {
	times, since := map[string]int{}, map[string]tenure.Seq{}
	for _, put := range list {
		times[put.id]++
		since[put.id] = put.seq
	}
	for _, put := range list {
		if times[put.id] == 1 {
			continue // it is at the end of the page as it was put
		}
		delete(since, put.id)
		r, err := d.x.feeding().View(ctx, d.page.Tenant, put.seq)
		if err != nil {
			return err
		}
		terms, err := r.Terms(ctx, []string{put.id})
		if err != nil {
			return err
		}
		for i := range terms {
			d.addSynonyms(&terms[i], put.seq)
		}
	}
	terms, err := d.state.Terms(ctx, slices.Sorted(maps.Keys(since)))
	for i := range terms {
		d.addSynonyms(&terms[i], since[terms[i].ID()])
	}
	return err
}

func (d *derivation) addSynonyms(t *tenure.Term, since tenure.Seq) {
	words := recall.OwnSynonyms(t)
	if t.Vocabulary != tenure.Predicates || len(words) == 0 {
		return
	}
	d.entries = append(d.entries, entry{
		id: synonymID(since, t.Name), seq: d.page.UpTo(),
		terms: append([]term{termOf(anyClass, "")}, termsOf(synonymClass, words...)...),
	})
}

// over calls do with the documents of a tenant that a plan selects, each in one of the sources.
func (g *generation) over(tenant string, p plan, do func(list []*segmentView) error) (err error) {
	defer guard(&err)
	defer faultsPanic()()
	held, known := g.shard(tenant)
	if !known {
		return nil
	}
	r, err := g.reader()
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, r.Close()) }()
	views := []memView{held.table.view(0)}
	s := newSearch(p)
	s.addMemory(p, views)
	if err := s.addDisk(g, r, held.number, p, views); err != nil {
		return err
	}
	return do(s.segments)
}

// everything selects all documents.
func everything() plan { return plan{projects: termsOf(anyClass, "")} }

// held reports of documents, by their keys, whether they have a term. What is no document is not in the answer.
func (g *generation) held(tenant string, asked map[tenure.ID]term) (same map[tenure.ID]bool, err error) {
	same = map[tenure.ID]bool{}
	s, ok := g.shard(tenant)
	if !ok {
		return same, nil
	}
	onDisk := map[string]tenure.ID{}
	for key, t := range asked {
		if terms, ok := s.table.termsOf(key); !ok {
			onDisk[documentID(s.number, key)] = key
		} else if len(terms) > 0 {
			same[key] = slices.Contains(terms, t)
		}
	}
	defer guard(&err)
	defer faultsPanic()()
	r, err := g.reader()
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, r.Close()) }()
	ids := slices.Sorted(maps.Keys(onDisk))
	for _, seg := range r.Segments() {
		docs, err := seg.Segment().DocNumbers(ids)
		if err != nil {
			return nil, err
		}
		if deleted := seg.Deleted(); deleted != nil {
			docs.AndNot(deleted)
		}
		if docs.IsEmpty() {
			continue
		}
		on, err := g.segment(seg, s.number)
		if err != nil {
			return nil, err
		}
		for _, doc := range docs.ToArray() {
			id, err := seg.DocID(uint64(doc))
			if err != nil {
				return nil, err
			}
			key := onDisk[string(id)]
			with, err := on.union([]term{asked[key]})
			if err != nil {
				return nil, err
			}
			same[key] = with.Contains(doc)
		}
	}
	return same, nil
}

// termsOf returns the terms of the newest entry of an id.
func (m *memtable) termsOf(id tenure.ID) ([]term, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, ok := m.latest[id]
	if !ok {
		return nil, false
	}
	return m.entries[n].terms, true
}

// keys lists the keys of the documents that have one of the terms.
func (g *generation) keys(tenant string, some []term) (keys [][]byte, err error) {
	err = g.over(tenant, everything(), func(list []*segmentView) error {
		for _, v := range list {
			docs, err := v.union(some)
			if err != nil {
				return err
			}
			docs.And(v.visible)
			for _, doc := range docs.ToArray() {
				key, err := v.age(doc)
				if err != nil {
					return err
				}
				keys = append(keys, bytes.Clone(key))
			}
		}
		return nil
	})
	slices.SortFunc(keys, bytes.Compare)
	return keys, err
}

// wordOf is a term of a query as terms of the index: those of documents that have the word, and those that have it in a
// synonym of their predicate.
type wordOf struct {
	weight int
	word   term
	meant  []term
}

// wordsOf returns the terms of a query. A tenant's synonyms are looked up: in which state they hold does not matter
// here.
func (g *generation) wordsOf(tenant string, w recall.Wanted) ([]wordOf, error) {
	list, synonyms := make([]wordOf, len(w.Terms)), make([]term, len(w.Terms))
	for i, t := range w.Terms {
		list[i] = wordOf{weight: t.Weight, word: termOf(wordClass, t.Word), meant: termsOf(meantClass, t.Word)}
		synonyms[i] = termOf(synonymClass, t.Word)
	}
	if some, err := g.keys(tenant, synonyms); len(some) == 0 || err != nil {
		return list, err
	}
	for i := range list {
		keys, err := g.keys(tenant, synonyms[i:i+1])
		if err != nil {
			return nil, err
		}
		held := map[string]bool{}
		for _, key := range keys {
			held[predicateOf(key)] = true
		}
		list[i].meant = append(list[i].meant, termsOf(heldClass, slices.Sorted(maps.Keys(held))...)...)
	}
	return list, nil
}

// planOf selects the documents that count.
func planOf(w recall.Wanted) plan {
	p := plan{projects: termsOf(projectClass, ""), seen: w.Seen}
	if w.In.ProjectID != "" {
		p.projects = termsOf(projectClass, "", w.In.ProjectID)
	}
	for _, k := range w.Kinds {
		p.types = append(p.types, termOf(typeClass, string(k)))
	}
	bind := func(kind, own string) {
		b := bound{kind: termsOf(boundClass, kind)}
		if own != "" {
			b.own = termsOf(boundClass, kind+"\x1f"+own)
		}
		p.in = append(p.in, b)
	}
	bind(boundUser, w.In.UserID)
	bind(boundSession, w.In.SessionID)
	bind(boundTask, w.In.TaskID)
	kind := ""
	if w.In.Provisional() {
		kind = string(w.In.Kind)
	}
	bind(boundKind, kind)
	return p
}

// Documents lists the documents that have the most weight of the terms, of equal ones the newest first: see
// [recall.Source]. It does not wait for what was not applied yet.
func (b *Beliefs) Documents(
	_ context.Context, tenant string, upTo tenure.Seq, w recall.Wanted,
) (hits []recall.Hit, all bool, err error) {
	g := b.x.acquire()
	if g == nil {
		return nil, false, errClosed
	}
	defer g.release()
	if held, _ := g.shard(tenant); held.applied < upTo {
		return nil, false, tenure.Errorf(tenure.Unavailable,
			"the index of beliefs is %d entries behind", upTo-held.applied)
	}
	words, err := g.wordsOf(tenant, w)
	if err != nil {
		g.failed(err)
		return nil, false, unreadable(err)
	}
	best := bestOf{ages: &g.ages, limit: w.Limit, until: w.Until, upTo: upTo}
	if held, _ := g.shard(tenant); held.applied > upTo && slices.Contains(w.Kinds, recall.Passage) {
		w.Kinds = append(slices.Clip(w.Kinds), recall.FormerPassage) // they may have been in the state
	}
	err = g.over(tenant, planOf(w), func(list []*segmentView) error {
		for _, v := range list {
			if err := best.add(v, words); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		g.failed(err)
		return nil, false, unreadable(err)
	}
	for _, p := range best.sorted() {
		recorded, id, _ := beliefOf(p.key)
		hits = append(hits, recall.Hit{ID: id, RecordedAt: recorded, Score: p.score})
	}
	return hits, !best.more, nil
}

func unreadable(err error) error {
	return &tenure.Error{Code: tenure.Unavailable, Message: "the index of beliefs cannot be read", Err: err}
}
