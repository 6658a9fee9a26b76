package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/ledger"
	"tenure/store"
	"tenure/store/sqlite"
)

// The things that histories are about.
var (
	keysAsked       = []string{"", "k1", "k2"}
	predicatesAsked = []string{"office", "manager"}
	formsAsked      = []tenure.AliasKey{{Kind: tenure.NameAlias, Key: "ada"}, {Kind: tenure.NameAlias, Key: "bea"}}
)

func idOf(kind byte, n int) tenure.ID {
	return tenure.ID(fmt.Sprintf("%02x%06d-0000-7000-8000-000000000000", kind, n))
}

// decision is what one command puts, after it has read the entities and beliefs that the changes refer to.
type decision struct {
	changes []tenure.Change
	refers  []tenure.ID
}

// history makes decisions at random. Every change refers to what an earlier one made.
type history struct {
	r         *rand.Rand
	entities  []tenure.ID
	aliases   []tenure.Alias
	claims    []tenure.Claim
	cases     []tenure.Case
	decisions []tenure.IdentityDecision
	reviews   []tenure.Review
	named     int // aliases so far
	amended   int
}

func one[T any](h *history, list []T) T { return list[h.r.IntN(len(list))] }

func (h *history) slot() tenure.Slot {
	return tenure.Slot{Subject: one(h, h.entities), Predicate: one(h, predicatesAsked), Scope: tenure.Scope{}.Canonical()}
}

func (h *history) decision() decision {
	var d decision
	if len(h.entities) == 0 || h.r.IntN(4) == 0 {
		id := idOf('e', len(h.entities))
		h.entities = append(h.entities, id)
		d.changes = append(d.changes, tenure.EntityPut{Entity: tenure.Entity{ID: id, Status: tenure.EntityCanonical, Name: "Ada"}})
	}
	for range 1 + h.r.IntN(4) {
		h.change(&d)
	}
	return d
}

func (h *history) change(d *decision) {
	switch n := h.r.IntN(12); {
	case n == 0:
		e := tenure.Entity{ID: one(h, h.entities), Status: tenure.EntityPending, Name: fmt.Sprint("Ada", h.r.IntN(9))}
		d.changes = append(d.changes, tenure.EntityPut{Entity: e})
	case n == 1 || n == 2 && len(h.aliases) == 0:
		a := tenure.Alias{Key: one(h, formsAsked), Entity: one(h, h.entities), Spelling: "Ada", Mention: idOf('a', h.named)}
		h.named++
		h.aliases = append(h.aliases, a)
		d.changes = append(d.changes, tenure.AliasAdded{Alias: a})
	case n == 2:
		i := h.r.IntN(len(h.aliases))
		d.changes = append(d.changes, tenure.AliasClosed{Alias: h.aliases[i]})
		h.aliases = slices.Delete(h.aliases, i, i+1)
	case n == 3 && len(h.entities) > 1:
		from := h.r.IntN(len(h.entities) - 1)
		v := tenure.IdentityDecision{ID: idOf('d', len(h.decisions)), Kind: tenure.CannotLink, From: h.entities[from], Into: h.entities[from+1]}
		if len(h.decisions) > 0 && h.r.IntN(2) == 0 {
			v = one(h, h.decisions)
			v.Undone = true
		} else {
			h.decisions = append(h.decisions, v)
		}
		d.changes = append(d.changes, tenure.IdentityDecisionPut{Decision: v})
	case n == 4:
		v := tenure.Review{ID: idOf('f', len(h.reviews)), State: tenure.ReviewOpen, Entity: one(h, h.entities), Version: 1}
		if len(h.reviews) > 0 && h.r.IntN(2) == 0 {
			v = one(h, h.reviews)
			v.State, v.Version = tenure.ReviewSettled, 2
		} else {
			h.reviews = append(h.reviews, v)
		}
		d.changes = append(d.changes, tenure.ReviewPut{Review: v})
	case n == 5:
		h.putCase(d)
	case n == 6:
		d.changes = append(d.changes, tenure.VocabularyPut{Vocabulary: tenure.Vocabulary{Name: "v", Version: 1 + h.r.IntN(9)}})
	case n == 7:
		d.changes = append(d.changes, tenure.TermPut{Term: tenure.Term{Vocabulary: "v", Name: "t", Removed: h.r.IntN(2) == 0}})
	case n == 8 && len(h.claims) > 0:
		c := one(h, h.claims)
		h.amended++
		d.refers = append(append(d.refers, c.ID), c.Supersedes...)
		d.changes = append(d.changes, tenure.Amended{Slot: c.Slot(), Amendment: tenure.Amendment{
			ID: idOf('b', h.amended), Kind: tenure.Retract, Belief: c.ID,
		}})
	case n == 9 && len(h.claims) > 0:
		c := one(h, h.claims)
		d.refers = append(d.refers, c.ID)
		d.changes = append(d.changes, standingOf(c, tenure.BySuccession))
	default:
		h.claim(d)
	}
}

func (h *history) putCase(d *decision) {
	s := h.slot()
	c := tenure.Case{
		ID: idOf('c', 100+len(h.cases)), Subject: s.Subject, Predicate: s.Predicate, Scope: s.Scope,
		State: tenure.CaseOpen, CrossScope: h.r.IntN(4) == 0, Version: 1,
	}
	if len(h.cases) > 0 && h.r.IntN(2) == 0 {
		c = one(h, h.cases)
		c.State, c.Version = tenure.CaseSettled, 2
	} else {
		h.cases = append(h.cases, c)
	}
	d.changes = append(d.changes, tenure.CasePut{Case: c})
}

func (h *history) claim(d *decision) {
	s := h.slot()
	c := tenure.Claim{
		ID: idOf('c', len(h.claims)), Subject: s.Subject, Predicate: s.Predicate, Scope: s.Scope, Key: one(h, keysAsked),
		Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Value: tenure.Value{Canonical: "text:x", JSON: json.RawMessage(`"x"`)},
	}
	if s.Predicate == "manager" {
		c.Value = tenure.Value{Entity: one(h, h.entities), Canonical: "entity:x"}
	}
	for _, list := range []*[]tenure.ID{&c.Supersedes, &c.DependsOn} {
		if len(h.claims) > 0 && h.r.IntN(2) == 0 {
			*list = []tenure.ID{one(h, h.claims).ID}
			d.refers = append(d.refers, *list...)
		}
	}
	h.claims = append(h.claims, c)
	d.changes = append(d.changes, tenure.ClaimAdded{Claim: c}, standingOf(c, tenure.Stands))
}

func standingOf(c tenure.Claim, cause tenure.Cause) tenure.StandingPut {
	return tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{
		Belief: c.ID, Segments: []tenure.Segment{{Window: c.Window, Cause: cause}},
	}}
}

// put takes a decision of the history.
func (d decision) put(ctx context.Context, txn *ledger.Txn) error {
	for _, id := range d.refers {
		if _, err := txn.Belief(ctx, id); err != nil {
			return err
		}
	}
	for _, c := range d.changes {
		if put, ok := c.(tenure.EntityPut); ok {
			if _, err := txn.Entity(ctx, put.Entity.ID); err != nil {
				return err
			}
		}
	}
	txn.Put(d.changes...)
	return nil
}

// shown lists everything that a transaction shows of the history so far, in a comparable form.
func (h *history) shown(ctx context.Context, txn *ledger.Txn) ([]string, error) {
	var list []string
	var faults []error
	add := func(name string, err error, items ...any) {
		faults = append(faults, err)
		var texts []string
		for _, i := range items {
			switch b := i.(type) { // no decision reads when a standing was written
			case tenure.Belief:
				b.StandingTx = tenure.Window{}
				i = b
			case *tenure.Belief:
				if b != nil {
					c := *b
					c.StandingTx = tenure.Window{}
					i = c
				}
			}
			text, err := json.Marshal(i)
			faults = append(faults, err)
			texts = append(texts, string(text))
		}
		slices.Sort(texts)
		list = append(list, name+" "+strings.Join(texts, " "))
	}
	for _, f := range formsAsked {
		found, err := txn.AliasesByKey(ctx, f)
		add("by form "+f.Key, err, anyOf(found)...)
	}
	for _, k := range keysAsked[1:] {
		found, err := txn.ByKey(ctx, k)
		add("by key "+k, err, anyOf(found)...)
	}
	for _, id := range h.entities {
		h.shownOf(ctx, txn, id, add)
	}
	for _, c := range h.claims {
		b, err := txn.Belief(ctx, c.ID)
		add("belief", err, b)
		depends, err := txn.Dependents(ctx, c.ID)
		add("dependents", err, anyOf(depends)...)
	}
	for _, c := range h.cases {
		found, err := txn.Case(ctx, c.ID)
		add("case", err, found)
	}
	v, err := txn.Vocabulary(ctx, "v")
	add("vocabulary", err, v)
	term, err := txn.Term(ctx, tenure.TermID("v", "t"))
	add("term", err, term)
	return list, errors.Join(faults...)
}

// shownOf adds what a transaction shows of one entity.
func (h *history) shownOf(ctx context.Context, txn *ledger.Txn, id tenure.ID, add func(string, error, ...any)) {
	e, err := txn.Entity(ctx, id)
	add("entity", err, e)
	owned, err := txn.AliasesOf(ctx, id)
	add("entity aliases", err, anyOf(owned)...)
	decided, err := txn.IdentityDecisionsOn(ctx, id)
	add("decided", err, anyOf(decided)...)
	reviews, err := txn.ReviewsOf(ctx, id)
	add("reviews", err, reviews)
	for _, p := range predicatesAsked {
		st, err := txn.Slot(ctx, tenure.Slot{Subject: id, Predicate: p, Scope: tenure.Scope{}.Canonical()})
		add("beliefs", err, anyOf(st.Beliefs)...)
		add("superseders", err, anyOf(st.Superseders)...)
		add("amendments", err, anyOf(st.Amendments)...)
		add("cases", err, anyOf(st.Cases)...)
	}
}

func anyOf[T any](list []T) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}

// stopped opens a store whose clock stands still: each transaction time is the one after the last.
func stopped(t *testing.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: func() time.Time { return time.Unix(1000, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestATransactionShowsWhatTheStoreWould plays histories twice: each decision in a group of its own, and all of them,
// with refused ones between them, in one group. Each decision must see in the group what it saw alone, before and after
// its own changes, whether it reads before it puts, afterwards, or both.
func TestATransactionShowsWhatTheStoreWould(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 8
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 3))
		h := &history{r: r}
		var before, decisions []decision
		for range 1 + r.IntN(5) { // the first transaction time is the clock's
			before = append(before, h.decision())
		}
		for range 2 + r.IntN(6) {
			decisions = append(decisions, h.decision())
		}
		alone, grouped := newWriter(t, stopped(t)), newWriter(t, stopped(t))
		for _, d := range before {
			h.do(t, alone, request(script{nil, h.only(d)}))
			h.do(t, grouped, request(script{nil, h.only(d)}))
		}
		want := make([][2][]string, len(decisions))
		for i, d := range decisions {
			h.do(t, alone, request(script{nil, h.watched(d, true, true, &want[i])}))
		}
		got := make([][2][]string, len(decisions))
		reads := make([][2]bool, len(decisions))
		often := r.IntN(3) // only the last decision reads, or some do, or most
		reading := func() bool { return r.IntN(4) < often*often }
		var requests []ledger.Request
		for i, d := range decisions {
			reads[i] = [2]bool{reading(), reading() || i == len(decisions)-1}
			if r.IntN(3) == 0 {
				var nothing [2][]string
				refused := h.watched(d, reading(), reading(), &nothing)
				requests = append(requests, request(script{nil, func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
					_, err := refused(ctx, txn, m)
					return nil, errors.Join(err, errRefused)
				}}))
			}
			var plan ledger.Plan
			if often > 0 && r.IntN(4) == 0 {
				plan = ledger.Reads(h.everything())
			}
			requests = append(requests, request(script{plan, h.watched(d, reads[i][0], reads[i][1], &got[i])}))
		}
		h.do(t, grouped, requests...)
		for i := range decisions {
			for k, when := range []string{"before", "after"} {
				if !reads[i][k] {
					continue
				}
				if diff := cmp.Diff(want[i][k], got[i][k]); diff != "" {
					t.Fatalf("round %d, decision %d, %s: %s", round, i, when, diff)
				}
			}
		}
	}
}

// everything lists all that shown reads.
func (h *history) everything() ledger.Prefetch {
	p := ledger.Prefetch{
		AliasKeys: formsAsked, EntityAliases: h.entities, Entities: h.entities, Keys: keysAsked[1:], IdentityDecisions: h.entities,
		Vocabularies: []string{"v"}, Terms: []string{tenure.TermID("v", "t")},
	}
	for _, id := range h.entities {
		for _, name := range predicatesAsked {
			p.Slots = append(p.Slots, tenure.Slot{Subject: id, Predicate: name, Scope: tenure.Scope{}.Canonical()})
		}
	}
	for _, c := range h.claims {
		p.Beliefs, p.Dependents = append(p.Beliefs, c.ID), append(p.Dependents, c.ID)
	}
	for _, c := range h.cases {
		p.Cases = append(p.Cases, c.ID)
	}
	return p
}

var errRefused = tenure.Errorf(tenure.Unprocessable, "refused")

func (h *history) do(t *testing.T, w *ledger.Writer, requests ...ledger.Request) {
	t.Helper()
	for _, res := range w.Do(t.Context(), tenant, requests...) {
		if res.Err != nil && !errors.Is(res.Err, error(errRefused)) {
			t.Fatal(res.Err)
		}
	}
}

func (h *history) only(d decision) func(context.Context, *ledger.Txn, tenure.Mint) (any, error) {
	return func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) { return nil, d.put(ctx, txn) }
}

// watched takes a decision and keeps what the transaction shows before and after it.
func (h *history) watched(d decision, before, after bool, saw *[2][]string) func(context.Context, *ledger.Txn, tenure.Mint) (any, error) {
	return func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		var err1, err3 error
		if before {
			saw[0], err1 = h.shown(ctx, txn)
		}
		err2 := d.put(ctx, txn)
		if after {
			saw[1], err3 = h.shown(ctx, txn)
		}
		return nil, errors.Join(err1, err2, err3)
	}
}

// TestAnExclusiveDecisionSeesWhatItMoves checks the reads that show only the store and the decision's own changes:
// mentions, reviews, identity decisions, and claims in the slots to which the decision moves them.
func TestAnExclusiveDecisionSeesWhatItMoves(t *testing.T) {
	w := newWriter(t, stopped(t))
	from, to, gone := idOf('e', 1), idOf('e', 2), idOf('e', 3)
	mention := func(n int) tenure.Mention {
		return tenure.Mention{ID: idOf('a', n), Observation: idOf('0', 1), Name: "Ada"}
	}
	assigned := func(n int, e tenure.ID) tenure.Change {
		return tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: idOf('a', n), Entity: e, Outcome: tenure.AutoMerge}}
	}
	slot := func(e tenure.ID) tenure.Slot {
		return tenure.Slot{Subject: e, Predicate: "office", Scope: tenure.Scope{}.Canonical()}
	}
	claimed := func(n int, e tenure.ID) tenure.Claim {
		s := slot(e)
		return tenure.Claim{
			ID: idOf('c', n), Observation: idOf('0', 1), Subject: s.Subject, Predicate: s.Predicate, Scope: s.Scope,
			Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Value: tenure.Value{Canonical: "text:x", JSON: json.RawMessage(`"x"`)},
		}
	}
	review := tenure.Review{ID: idOf('f', 1), State: tenure.ReviewOpen, Entity: from, Version: 1}
	decision := tenure.IdentityDecision{ID: idOf('d', 1), Kind: tenure.CannotLink, From: from, Into: to}
	amended := tenure.Amendment{ID: idOf('b', 1), Kind: tenure.Retract, Belief: idOf('c', 1)}
	naming := claimed(3, gone)
	naming.Supersedes = []tenure.ID{idOf('c', 1)}
	h := &history{}
	h.do(t, w, request(script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		for _, id := range []tenure.ID{from, to, gone} {
			txn.Put(tenure.EntityPut{Entity: tenure.Entity{ID: id, Status: tenure.EntityCanonical, Name: "Ada"}})
		}
		txn.Put(
			tenure.ObservationAdded{Observation: tenure.Observation{ID: idOf('0', 1), Claims: []tenure.ID{idOf('c', 1), idOf('c', 2)}}},
			tenure.MentionAdded{Mention: mention(1)}, assigned(1, from), tenure.MentionAdded{Mention: mention(2)}, assigned(2, from),
			tenure.MentionAdded{Mention: mention(4)}, assigned(4, to), tenure.ReviewPut{Review: review}, tenure.IdentityDecisionPut{Decision: decision},
		)
		for _, c := range []tenure.Claim{claimed(1, from), claimed(2, to), naming} {
			txn.Put(tenure.ClaimAdded{Claim: c}, standingOf(c, tenure.Stands))
		}
		txn.Put(tenure.Amended{Slot: slot(from), Amendment: amended})
		return nil, nil
	}}))
	shown := func(ctx context.Context, txn *ledger.Txn) ([]string, error) {
		var list []string
		var faults []error
		add := func(name string, err error, x any) {
			text, fault := json.Marshal(x)
			faults = append(faults, err, fault)
			list = append(list, name+" "+string(text))
		}
		for _, e := range []tenure.ID{from, to, gone} {
			mentions, err := txn.MentionsOf(ctx, e)
			add("mentions", err, anyOf(mentions))
			st, err := txn.Slot(ctx, slot(e))
			var ids []string
			for _, b := range st.Beliefs {
				ids = append(ids, string(b.Claim.ID)+" of "+string(b.Claim.Subject))
			}
			slices.Sort(ids)
			add("beliefs", err, ids)
			if e == to { // the former slot keeps what bore on the claim
				add("superseders", nil, len(st.Superseders))
				add("amendments", nil, st.Amendments)
			}
		}
		for n := range 6 {
			found, err := txn.Mentions(ctx, []tenure.ID{idOf('a', n)})
			add("mention", err, found)
		}
		r, err := txn.Review(ctx, review.ID)
		add("review", err, r)
		v, err := txn.IdentityDecision(ctx, decision.ID)
		add("decision", err, v)
		none, err := txn.IdentityDecision(ctx, idOf('d', 9))
		add("no decision", err, none)
		return list, errors.Join(faults...)
	}
	var own, stored []string
	h.do(t, w, request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (_ any, err error) {
		if err := txn.RequireExclusive(); err != nil {
			return nil, err
		}
		if _, err := shown(ctx, txn); err != nil {
			return nil, err
		}
		claims, err := txn.ClaimsOf(ctx, idOf('0', 1))
		if err != nil || len(claims) != 2 {
			return nil, fmt.Errorf("%d claims: %w", len(claims), err)
		}
		settled, undone := review, decision
		settled.State, settled.Version, undone.Undone = tenure.ReviewSettled, 2, true
		txn.Put(
			assigned(2, to), tenure.MentionAdded{Mention: mention(3)}, assigned(3, to), assigned(1, gone), assigned(1, to),
			tenure.ReviewPut{Review: settled}, tenure.IdentityDecisionPut{Decision: undone},
			tenure.ClaimMoved{Claim: idOf('c', 1), From: slot(from), To: slot(gone)},
			tenure.ClaimMoved{Claim: idOf('c', 1), From: slot(from), To: slot(to)},
		)
		if m, ok := txn.Moved(idOf('c', 1)); !ok || m.To != slot(to) {
			return nil, fmt.Errorf("moved to %v", m.To)
		}
		if b, err := txn.Belief(ctx, idOf('c', 1)); err != nil || b.Claim.Subject != to {
			return nil, fmt.Errorf("the moved claim is about %s: %w", b.Claim.Subject, err)
		}
		own, err = shown(ctx, txn)
		txn.Put(tenure.StandingPut{Slot: slot(to), Standing: tenure.Standing{
			Belief: idOf('c', 1), Subject: to, Segments: []tenure.Segment{{Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Cause: tenure.Stands}},
		}})
		return nil, err
	}}))
	h.do(t, w, request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (_ any, err error) {
		stored, err = shown(ctx, txn)
		return nil, err
	}}))
	if diff := cmp.Diff(stored, own); diff != "" {
		t.Error(diff)
	}
}

// TestSlotsOfAnEntity checks which slots a decision about an entity has to look at again, and that too many are refused.
func TestSlotsOfAnEntity(t *testing.T) {
	w := newWriter(t, stopped(t))
	subject, value := idOf('e', 1), idOf('e', 2)
	put := func(txn *ledger.Txn, n int, subject tenure.ID, predicate string, value tenure.ID) {
		c := tenure.Claim{
			ID: idOf('c', n), Subject: subject, Predicate: predicate, Scope: tenure.Scope{}.Canonical(),
			Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Value: tenure.Value{Entity: value, Canonical: "x"},
		}
		txn.Put(tenure.ClaimAdded{Claim: c}, standingOf(c, tenure.Stands))
	}
	count := func(list []tenure.Slot) map[string]int {
		n := map[string]int{}
		for _, s := range list {
			n[string(s.Subject)[6:8]+" "+s.Predicate]++
		}
		return n
	}
	h := &history{}
	h.do(t, w, request(script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		txn.Put(tenure.EntityPut{Entity: tenure.Entity{ID: subject, Status: tenure.EntityCanonical}}, tenure.EntityPut{Entity: tenure.Entity{ID: value, Status: tenure.EntityCanonical}})
		put(txn, 1, subject, "manager", value)
		put(txn, 2, subject, "manager", value)
		put(txn, 3, subject, "office", "")
		put(txn, 4, value, "office", "")
		return nil, nil
	}}))
	h.do(t, w, request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		put(txn, 5, subject, "desk", "")
		put(txn, 6, value, "manager", subject)
		about, err1 := txn.SlotsAbout(ctx, subject, 3)
		of, err2 := txn.SlotsOf(ctx, "manager", 2)
		referring, err3 := txn.SlotsReferring(ctx, value)
		for i, c := range []struct {
			got  []tenure.Slot
			want map[string]int
		}{
			{about, map[string]int{"01 manager": 1, "01 office": 1, "01 desk": 1}},
			{of, map[string]int{"01 manager": 1, "02 manager": 1}},
			{referring, map[string]int{"01 manager": 1}},
		} {
			if diff := cmp.Diff(c.want, count(c.got)); diff != "" {
				t.Errorf("%d: %s", i, diff)
			}
		}
		_, refused := txn.SlotsAbout(ctx, subject, 1)
		if tenure.CodeOf(refused) != tenure.Unprocessable {
			t.Errorf("more slots than the limit: %v", refused)
		}
		if _, err := txn.SlotsAbout(ctx, subject, 2); err != nil {
			t.Errorf("as many slots as the limit: %v", err)
		}
		return nil, errors.Join(err1, err2, err3)
	}}))
}

// TestAReadThatFailsIsNoAnswer checks that each read of a transaction returns the error of the store.
func TestAReadThatFailsIsNoAnswer(t *testing.T) {
	s := stopped(t)
	view, err := s.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	id := idOf('e', 1)
	for name, read := range map[string]func(*ledger.Txn) (any, error){
		"aliases-by-key":     func(txn *ledger.Txn) (any, error) { return txn.AliasesByKey(ctx, formsAsked[0]) },
		"aliases-of":         func(txn *ledger.Txn) (any, error) { return txn.AliasesOf(ctx, id) },
		"entity":             func(txn *ledger.Txn) (any, error) { return txn.Entity(ctx, id) },
		"slot":               func(txn *ledger.Txn) (any, error) { return txn.Slot(ctx, work) },
		"belief":             func(txn *ledger.Txn) (any, error) { return txn.Belief(ctx, id) },
		"by-key":             func(txn *ledger.Txn) (any, error) { return txn.ByKey(ctx, "k") },
		"dependents":         func(txn *ledger.Txn) (any, error) { return txn.Dependents(ctx, id) },
		"identity-decisions": func(txn *ledger.Txn) (any, error) { return txn.IdentityDecisionsOn(ctx, id) },
		"reviews-of":         func(txn *ledger.Txn) (any, error) { return txn.ReviewsOf(ctx, id) },
		"review":             func(txn *ledger.Txn) (any, error) { return txn.Review(ctx, id) },
		"decision":           func(txn *ledger.Txn) (any, error) { return txn.IdentityDecision(ctx, id) },
		"mentions":           func(txn *ledger.Txn) (any, error) { return txn.Mentions(ctx, []tenure.ID{id}) },
		"mentions-of":        func(txn *ledger.Txn) (any, error) { return txn.MentionsOf(ctx, id) },
		"claims-of":          func(txn *ledger.Txn) (any, error) { return txn.ClaimsOf(ctx, id) },
		"slots-about":        func(txn *ledger.Txn) (any, error) { return txn.SlotsAbout(ctx, id, 9) },
		"slots-of":           func(txn *ledger.Txn) (any, error) { return txn.SlotsOf(ctx, "office", 9) },
		"slots-referring":    func(txn *ledger.Txn) (any, error) { return txn.SlotsReferring(ctx, id) },
		"related":            func(txn *ledger.Txn) (any, error) { return txn.Related(ctx, []tenure.ID{id}) },
		"case":               func(txn *ledger.Txn) (any, error) { return txn.Case(ctx, id) },
		"vocabulary":         func(txn *ledger.Txn) (any, error) { return txn.Vocabulary(ctx, "v") },
		"term":               func(txn *ledger.Txn) (any, error) { return txn.Term(ctx, "v/t") },
		"load": func(txn *ledger.Txn) (any, error) {
			return nil, txn.Load(ctx, ledger.Prefetch{Entities: []tenure.ID{id}, Keys: []string{"k"}})
		},
	} {
		if got, err := read(ledger.NewTxn(view)); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
