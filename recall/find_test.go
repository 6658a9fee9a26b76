package recall_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/audience"
	"tenure/changefeed"
	"tenure/index"
	"tenure/recall"
	"tenure/store"
	"tenure/store/sqlite"
	"tenure/visible"
)

// id returns an id. The times in ids are those of whatever clock made them: some of them long before, and some after
// all that the store records.
func id(kind, n int) tenure.ID {
	minted := "00000000-0000"
	if n%2 == 1 {
		minted = "0fffffff-ffff"
	}
	return tenure.ID(fmt.Sprintf("%s-7000-80%02d-%012d", minted, kind, n))
}

var start = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// history is a store to which a test writes entry by entry.
type history struct {
	t *testing.T
	store.Store
	seq tenure.Seq
	now time.Time
}

func newHistory(t *testing.T) *history {
	t.Helper()
	h := &history{t: t, now: start}
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: func() time.Time {
		h.now = h.now.Add(time.Second)
		return h.now
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	h.Store = s
	if err := s.PutCredential(t.Context(), tenure.Credential{ID: id(9, 9), Tenant: "t", Roles: tenure.Roles}); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *history) apply(changes ...tenure.Change) tenure.Seq {
	h.t.Helper()
	set := tenure.ChangeSet{
		ID: tenure.DerivedID("set", fmt.Sprint(h.seq)), Operation: "test", Actor: "tester", Changes: changes,
	}
	receipts, err := h.Apply(h.t.Context(), "t", h.seq, []tenure.ChangeSet{set})
	if err != nil {
		h.t.Fatal(err)
	}
	h.seq = receipts[0].Seq
	return h.seq
}

func (h *history) at(seq tenure.Seq) store.Reader {
	h.t.Helper()
	r, err := h.View(h.t.Context(), "t", tenure.AsOf{Seq: seq})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// indexed returns an index of beliefs that has read the log.
func (h *history) indexed(dir string, page int) *index.Index {
	h.t.Helper()
	x, err := index.Open(dir, index.Config{FlushSize: 300})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = x.Close() })
	h.read(x, page)
	return x
}

// read has an index read the log in pages of some entries.
func (h *history) read(x *index.Index, page int) {
	h.t.Helper()
	x.Beliefs().Follow(index.Feed{
		View: func(ctx context.Context, tenant string, seq tenure.Seq) (store.Reader, error) {
			return h.View(ctx, tenant, tenure.AsOf{Seq: seq})
		},
		CatchUp:  func(context.Context, changefeed.Consumer, string) error { return nil },
		Replaced: func() {},
	})
	f := changefeed.New(h, x.Beliefs(), changefeed.Config{PageSize: page})
	if err := f.CatchUp(h.t.Context(), "t"); err != nil {
		h.t.Fatal(err)
	}
}

// entity is an entity of a history, with aliases of its names.
type entity struct{ tenure.Entity }

func (e entity) alias(name string) tenure.Alias {
	return tenure.Alias{
		Key: tenure.AliasKey{Kind: tenure.NameAlias, Key: strings.ToLower(name)}, Entity: e.ID, Spelling: name,
		Mention: tenure.DerivedID("mention", string(e.ID), name), Label: e.Label,
	}
}

func stands(c tenure.Claim) tenure.Standing {
	return tenure.Standing{
		Belief:   c.ID,
		Segments: []tenure.Segment{{Window: tenure.Window{From: c.Window.From, Until: tenure.MaxTime}, Cause: tenure.Stands}},
	}
}

func said(n int, subject tenure.ID, predicate, value string) tenure.Claim {
	return tenure.Claim{
		ID: id(1, n), Observation: id(2, n), Subject: subject, Predicate: predicate,
		Value: tenure.Value{JSON: []byte(fmt.Sprintf("%q", value)), Canonical: value}, Layer: tenure.LayerFact,
		Window: tenure.Window{From: tenure.At(start), Until: tenure.MaxTime},
	}
}

func believed(c tenure.Claim) []tenure.Change {
	return []tenure.Change{tenure.ClaimAdded{Claim: c}, tenure.StandingPut{Slot: c.Slot(), Standing: stands(c)}}
}

// inUse records the label of some evidence.
func inUse(l tenure.Label) []tenure.Change {
	bare := l
	bare.Scope = tenure.Scope{}
	return []tenure.Change{
		tenure.TermPut{Term: tenure.Term{Vocabulary: tenure.LabelsInUse, Name: l.Name()}},
		tenure.TermPut{Term: tenure.Term{Vocabulary: tenure.LabelsInUse, Name: bare.Name()}},
	}
}

// all is a source that has every belief looked at.
type all struct{ *history }

func (a all) Documents(ctx context.Context, _ string, _ tenure.Seq, w recall.Wanted) ([]recall.Hit, bool, error) {
	var hits []recall.Hit
	list, err := a.at(a.seq).List(ctx, store.BeliefQuery{Limit: 10_000})
	for _, b := range list {
		hits = append(hits, recall.Hit{ID: b.Claim.ID, RecordedAt: b.RecordedAt, Score: 1 << 30})
	}
	return hits, true, err
}

func terms(words ...string) (list []recall.Term) {
	for i, w := range words {
		list = append(list, recall.Term{Word: w, Written: w, Weight: 2 + i%2})
	}
	return list
}

func found(f recall.Found) (list []string) {
	for _, m := range f.Matches {
		list = append(list, fmt.Sprint(m.Belief.Claim.ID, m.Hits))
	}
	return append(list, fmt.Sprint(f.Cut))
}

func query(words ...string) recall.Query {
	return recall.Query{
		Tenant: "t", Terms: terms(words...), Kinds: recall.Kinds, ValidAt: tenure.At(start.Add(time.Hour)), Limit: 20,
	}
}

func find(t *testing.T, r store.Reader, from recall.Source, q recall.Query) recall.Found {
	t.Helper()
	f, err := recall.Find(t.Context(), r, from, q)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestWhatIsFoundFollowsFromTheState plays random histories: what is found in any of their states, by whoever asks, is
// what a search through all beliefs finds, whether the index has read the log up to that state, to its end, in small
// pages or in large ones, or was built anew.
func TestWhatIsFoundFollowsFromTheState(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := &play{history: newHistory(t), rnd: rand.New(rand.NewPCG(uint64(seed), 7))}
			early, dir := p.indexed(t.TempDir(), 500), t.TempDir()
			for range 120 {
				p.step()
				if p.rnd.IntN(3) == 0 {
					p.read(early, 1+p.rnd.IntN(3))
					p.compare(early, p.seq)
				}
			}
			p.read(early, 500)
			if err := index.Rebuild(t.Context(), dir, p, index.Config{}); err != nil {
				t.Fatal(err)
			}
			for _, x := range []*index.Index{early, p.indexed(t.TempDir(), 7), p.indexed(dir, 500)} {
				for range 25 {
					p.compare(x, tenure.Seq(1+p.rnd.IntN(int(p.seq))))
				}
			}
			if p.matched < 80 {
				t.Errorf("the searches found %d beliefs in all: they are of no use", p.matched)
			}
		})
	}
}

type play struct {
	*history
	rnd      *rand.Rand
	entities []*entity
	merges   []tenure.IdentityDecision
	claims   []tenure.Claim
	matched  int
}

var (
	someWords  = strings.Fields("amber birch cedar delta ember fjord grove heron iris jade")
	predicates = []string{"office_location", "database", "owns", "uses_tool"}
	synonyms   = []string{"residence", "domicile", "jade", "heron"}
)

func (p *play) word() string { return someWords[p.rnd.IntN(len(someWords))] }

func (p *play) label() (tenure.Scope, tenure.Classification) {
	scope := tenure.Scope{}
	switch p.rnd.IntN(6) {
	case 0:
		scope.ProjectID = "p"
	case 1:
		scope.UserID = "u"
	case 2:
		scope.Kind = tenure.ScopeDraft
	}
	return scope, []tenure.Classification{"", tenure.Public, tenure.Confidential}[p.rnd.IntN(3)]
}

func (p *play) put(e *entity) tenure.Change { return tenure.EntityPut{Entity: e.Entity} }

func (p *play) step() {
	kind := p.rnd.IntN(20)
	if len(p.entities) < 3 {
		kind = 0
	}
	switch {
	case kind < 2:
		p.meet()
	case kind < 11:
		p.claim()
	case kind < 13:
		p.rename()
	case kind < 14:
		p.unname()
	case kind < 16:
		p.merge()
	case kind < 17:
		p.move()
	case kind < 18:
		p.fall()
	case kind < 19:
		p.define()
	default:
		p.erase()
	}
}

func (p *play) any() *entity { return p.entities[p.rnd.IntN(len(p.entities))] }

func (p *play) meet() {
	n := len(p.entities)
	name := p.word()
	e := &entity{Entity: tenure.Entity{
		ID: id(3, n), Type: "thing", Status: tenure.EntityCanonical, Name: name, Names: []string{name}, CreatedAt: tenure.At(p.now),
	}}
	if p.rnd.IntN(4) == 0 {
		e.Label = tenure.NewLabel(tenure.Confidential, tenure.Scope{}, tenure.PermissionScope{})
	}
	p.entities = append(p.entities, e)
	p.apply(append(inUse(e.Label), p.put(e), tenure.AliasAdded{Alias: e.alias(name)})...)
}

func (p *play) claim() {
	e := p.any()
	c := said(len(p.claims), e.ID, predicates[p.rnd.IntN(len(predicates))], p.word()+" "+p.word())
	c.Scope, c.Classification = p.label()
	if e.Label != (tenure.Label{}) {
		c.Classification = tenure.Confidential
	}
	switch p.rnd.IntN(4) {
	case 0:
		c.Evidence = &tenure.Evidence{Span: p.word(), Question: p.word()}
	case 1:
		if o := p.any(); o.Label == e.Label {
			c.Value = tenure.Value{Entity: o.ID, Canonical: "entity:" + string(o.ID)}
		}
	case 2:
		c.Predicate = tenure.Remark
	}
	p.claims = append(p.claims, c)
	p.apply(append(believed(c), inUse(c.Label())...)...)
}

func (p *play) rename() {
	e, name := p.any(), p.word()
	if !slices.Contains(e.Names, name) {
		e.Name, e.Names = name, append([]string{name}, e.Names...)
		p.apply(p.put(e), tenure.AliasAdded{Alias: e.alias(name)})
	}
}

// unname takes the last name of an entity.
func (p *play) unname() {
	e := p.any()
	if n := len(e.Names); n > 1 {
		gone := e.Names[n-1]
		e.Names = slices.Clone(e.Names[:n-1])
		p.apply(p.put(e), tenure.AliasClosed{Alias: e.alias(gone)})
	}
}

// merge merges two roots, or undoes a merge.
func (p *play) merge() {
	if n := len(p.merges); n > 0 && p.rnd.IntN(2) == 0 {
		d := p.merges[n-1]
		p.merges = p.merges[:n-1]
		d.Undone = true
		from, into := p.entity(d.From), p.entity(d.Into)
		from.Status, from.MergedInto = tenure.EntityCanonical, ""
		into.Members = slices.DeleteFunc(slices.Clone(into.Members), func(id tenure.ID) bool { return id == from.ID })
		p.apply(tenure.IdentityDecisionPut{Decision: d}, p.put(from), p.put(into))
		return
	}
	from, into := p.any(), p.any()
	if from == into || from.MergedInto != "" || into.MergedInto != "" || len(from.Members) > 0 || from.Label != into.Label {
		return
	}
	d := tenure.IdentityDecision{ID: id(4, int(p.seq)), Kind: tenure.Merge, From: from.ID, Into: into.ID, Actor: "tester"}
	p.merges = append(p.merges, d)
	from.Status, from.MergedInto = tenure.EntityMerged, into.ID
	into.Members = slices.Sorted(slices.Values(append(slices.Clone(into.Members), from.ID)))
	p.apply(tenure.IdentityDecisionPut{Decision: d}, p.put(from), p.put(into))
}

func (p *play) entity(id tenure.ID) *entity {
	return p.entities[slices.IndexFunc(p.entities, func(e *entity) bool { return e.ID == id })]
}

// move moves a claim to another subject.
func (p *play) move() {
	if len(p.claims) == 0 {
		return
	}
	c, to := &p.claims[p.rnd.IntN(len(p.claims))], p.any()
	if c.Value.Entity != "" || c.Erased || p.entity(c.Subject).Label != to.Label || c.Subject == to.ID {
		return
	}
	from := c.Slot()
	c.Subject = to.ID
	s := stands(*c)
	s.Subject = to.ID
	p.apply(tenure.ClaimMoved{Claim: c.ID, From: from, To: c.Slot()}, tenure.StandingPut{Slot: c.Slot(), Standing: s})
}

// fall has a claim not stand any more.
func (p *play) fall() {
	if len(p.claims) == 0 {
		return
	}
	c := p.claims[p.rnd.IntN(len(p.claims))]
	s := stands(c)
	s.Segments[0].Cause, s.Subject = tenure.ByRetraction, c.Subject
	p.apply(tenure.StandingPut{Slot: c.Slot(), Standing: s})
}

func (p *play) define() {
	t := tenure.Term{
		Vocabulary: tenure.Predicates, Name: predicates[p.rnd.IntN(len(predicates))], Cardinality: tenure.One, ValueType: tenure.AnyValue,
	}
	if p.rnd.IntN(3) > 0 {
		t.Synonyms = []string{synonyms[p.rnd.IntN(len(synonyms))]}
	}
	p.apply(tenure.TermPut{Term: t})
}

// erase erases a claim, or the words in which it was made.
func (p *play) erase() {
	if len(p.claims) == 0 {
		return
	}
	c := &p.claims[p.rnd.IntN(len(p.claims))]
	if c.Erased {
		return
	}
	kind := tenure.ErasedWording
	if p.rnd.IntN(2) == 0 {
		kind, c.Erased = tenure.ErasedClaim, true
	}
	s := stands(*c)
	s.Segments[0].Cause, s.Subject = tenure.ByRetraction, c.Subject
	if kind == tenure.ErasedWording {
		p.apply(tenure.ContentErased{Kind: kind, ID: c.ID, Entity: c.Subject})
		return
	}
	p.apply(tenure.StandingPut{Slot: c.Slot(), Standing: s}, tenure.ContentErased{Kind: kind, ID: c.ID, Entity: c.Subject})
}

func (p *play) compare(x *index.Index, seq tenure.Seq) {
	p.t.Helper()
	q := query()
	for range 1 + p.rnd.IntN(3) {
		w := slices.Concat(someWords, synonyms, []string{"offic", "databas", "locat", "residenc"})
		q.Terms = append(q.Terms, terms(w[p.rnd.IntN(len(w))])...)
	}
	slices.SortFunc(q.Terms, func(a, b recall.Term) int { return strings.Compare(a.Word, b.Word) })
	q.Terms = slices.CompactFunc(q.Terms, func(a, b recall.Term) bool { return a.Word == b.Word })
	q.Limit = 1 + p.rnd.IntN(20)
	q.In = []tenure.Scope{{}, {ProjectID: "p"}, {UserID: "u"}, {Kind: tenure.ScopeDraft}}[p.rnd.IntN(4)]
	q.Kinds = [][]recall.Kind{recall.Kinds, {recall.Belief}, {recall.Remark}}[p.rnd.IntN(3)]
	c := tenure.Caller{Tenant: "t", Clearance: []tenure.Classification{tenure.Public, tenure.Restricted, tenure.HighlyRestricted}[p.rnd.IntN(3)]}
	if p.rnd.IntN(4) == 0 {
		c.Bound = tenure.Scope{UserID: "u"}
	}
	r := func() store.Reader { return visible.Reader(p.at(seq), c, audience.Of(c)) }
	want := find(p.t, r(), all{p.history}, q)
	p.matched += len(want.Matches)
	got := find(p.t, r(), x.Beliefs(), q)
	if diff := cmp.Diff(found(want), found(got)); diff != "" {
		p.t.Fatalf("%v of state %d of %d in %+v as %+v: %s", q.Terms, seq, p.seq, q.In, c, diff)
	}
}
