package vectors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenure"
	"tenure/audience"
	"tenure/changefeed"
	"tenure/encode"
	"tenure/encode/encodetest"
	"tenure/recall"
	"tenure/store"
	"tenure/store/sqlite"
)

func id(kind, n int) tenure.ID {
	return tenure.ID(fmt.Sprintf("00000000-0000-7000-80%02d-%012d", kind, n))
}

// history is a store of beliefs that a test writes.
type history struct {
	t *testing.T
	store.Store
	seq tenure.Seq
	now time.Time
}

func newHistory(t *testing.T) *history {
	t.Helper()
	h := &history{t: t, now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
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
	h.apply(tenure.EntityPut{Entity: tenure.Entity{ID: id(0, 1), Type: "project", Name: "Heron", Status: tenure.EntityCanonical}})
	return h
}

func (h *history) apply(changes ...tenure.Change) tenure.Seq {
	h.t.Helper()
	set := tenure.ChangeSet{ID: tenure.DerivedID("set", fmt.Sprint(h.seq)), Operation: "test", Actor: "tester", Changes: changes}
	receipts, err := h.Apply(h.t.Context(), "t", h.seq, []tenure.ChangeSet{set})
	if err != nil {
		h.t.Fatal(err)
	}
	h.seq = receipts[0].Seq
	return h.seq
}

func (h *history) claim(n int, predicate, value string, change func(*tenure.Claim)) tenure.Seq {
	h.t.Helper()
	c := tenure.Claim{
		ID: id(1, n), Observation: id(2, n), Subject: id(0, 1), Predicate: predicate,
		Value: tenure.Value{JSON: []byte(fmt.Sprintf("%q", value)), Canonical: value}, Layer: tenure.LayerFact,
		Window: tenure.Window{From: 1, Until: tenure.MaxTime},
	}
	if change != nil {
		change(&c)
	}
	standing := tenure.Standing{Belief: c.ID, Segments: []tenure.Segment{{Window: c.Window, Cause: tenure.Stands}}}
	return h.apply(tenure.ClaimAdded{Claim: c}, tenure.StandingPut{Slot: c.Slot(), Standing: standing})
}

func (h *history) present() store.Reader {
	h.t.Helper()
	r, err := h.View(h.t.Context(), "t", tenure.Present)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *history) open(file string, by encode.Embedder) *Store {
	h.t.Helper()
	s, err := Open(file, Config{Embedder: by, View: h.View, Batch: 2})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (h *history) read(s *Store) error {
	return changefeed.New(h, s, changefeed.Config{PageSize: 3}).CatchUp(h.t.Context(), "t")
}

func (h *history) mustRead(s *Store) {
	h.t.Helper()
	if err := h.read(s); err != nil {
		h.t.Fatal(err)
	}
}

// finds lists what is nearest to a text in the newest state: the numbers of claims.
func (h *history) finds(s *Store, text string, change func(*recall.Wanted)) (list []string) {
	h.t.Helper()
	w := recall.Wanted{Kinds: recall.Kinds, Until: tenure.MaxTime, Limit: 10}
	if change != nil {
		change(&w)
	}
	near, _, err := s.Nearest(h.t.Context(), "t", text, h.seq, w)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, n := range near {
		list = append(list, strings.TrimLeft(string(n.ID[len(n.ID)-12:]), "0"))
	}
	return list
}

func (h *history) expect(s *Store, text string, change func(*recall.Wanted), want ...string) {
	h.t.Helper()
	if got := h.finds(s, text, change); !slices.Equal(got, want) {
		h.t.Errorf("%q finds %v, want %v", text, got, want)
	}
}

func TestTheNearestAreFound(t *testing.T) {
	h := newHistory(t)
	h.claim(1, "order_database", "PostgreSQL in Frankfurt", nil)
	h.claim(2, "office", "Quarry Street", nil)
	h.claim(3, "note", "postgresql runs in Frankfurt", func(c *tenure.Claim) { c.Predicate = tenure.Remark })
	by := &encodetest.Bag{}
	s := h.open(filepath.Join(t.TempDir(), "vectors"), by)
	h.mustRead(s)
	if want := []string{"Heron / order database: PostgreSQL in Frankfurt", "Heron / office: Quarry Street", "postgresql runs in Frankfurt"}; !slices.Equal(by.Asked(), want) {
		t.Errorf("embedded were others than %q", want)
	}
	h.expect(s, "quarry street office", func(w *recall.Wanted) { w.Limit = 1 }, "2")
	h.expect(s, "postgresql in frankfurt", func(w *recall.Wanted) { w.Kinds = []recall.Kind{recall.Belief} }, "1", "2")
	near, all, err := s.Nearest(t.Context(), "t", "Heron / office: Quarry Street", h.seq, recall.Wanted{Kinds: recall.Kinds, Until: tenure.MaxTime, Limit: 2})
	if err != nil || all || len(near) != 2 || near[0].Similarity < .9999 {
		t.Errorf("the same text: %+v, all %v, %v", near, all, err)
	}
	if _, all, _ := s.Nearest(t.Context(), "t", "office", h.seq, recall.Wanted{Kinds: recall.Kinds, Until: tenure.MaxTime, Limit: 3}); !all {
		t.Error("all three are not all")
	}
}

// TestWhatMayNotBeSeenIsNotLookedAt: it takes no place among the nearest.
func TestWhatMayNotBeSeenIsNotLookedAt(t *testing.T) {
	h := newHistory(t)
	seq := h.claim(1, "office", "Quarry Street", nil)
	secret := tenure.NewLabel(tenure.Confidential, tenure.Scope{}, tenure.PermissionScope{})
	h.claim(2, "office", "Quarry Street", func(c *tenure.Claim) { c.Classification = tenure.Confidential })
	h.claim(3, "office", "Quarry Street", func(c *tenure.Claim) { c.Scope.UserID = "u" })
	h.claim(4, "office", "Quarry Street", func(c *tenure.Claim) { c.Scope.ProjectID = "p" })
	h.claim(5, "office", "Quarry Street", func(c *tenure.Claim) { c.Scope.Kind = tenure.ScopeDraft })
	s := h.open(filepath.Join(t.TempDir(), "vectors"), &encodetest.Bag{})
	h.mustRead(s)
	everyone := &audience.Bounds{Labels: []tenure.Label{{}}}
	cleared := &audience.Bounds{Labels: []tenure.Label{{}, secret}}
	none := ""
	bound := &audience.Bounds{Labels: []tenure.Label{{}}, User: &none}
	for name, c := range map[string]struct {
		change func(*recall.Wanted)
		want   []string
	}{
		"everybody":         {func(w *recall.Wanted) { w.Seen = everyone }, []string{"1"}},
		"cleared":           {func(w *recall.Wanted) { w.Seen = cleared }, []string{"2", "1"}},
		"no-bounds":         {nil, []string{"2", "1"}},
		"a-user":            {func(w *recall.Wanted) { w.Seen, w.In.UserID = everyone, "u" }, []string{"3", "1"}},
		"bound-to-no-user":  {func(w *recall.Wanted) { w.Seen, w.In.UserID = bound, "u" }, []string{"1"}},
		"a-project":         {func(w *recall.Wanted) { w.Seen, w.In.ProjectID = everyone, "p" }, []string{"4", "1"}},
		"a-draft":           {func(w *recall.Wanted) { w.Seen, w.In.Kind = everyone, tenure.ScopeDraft }, []string{"5", "1"}},
		"one-place-is-left": {func(w *recall.Wanted) { w.Seen, w.Limit = everyone, 1 }, []string{"1"}},
		"an-earlier-state": {func(w *recall.Wanted) {
			r, err := h.View(t.Context(), "t", tenure.AsOf{Seq: seq})
			if err != nil {
				t.Fatal(err)
			}
			_, w.Until = r.State()
		}, []string{"1"}},
	} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			h.expect(s, "Heron office Quarry Street", c.change, c.want...)
		})
	}
}

// TestVectorsAreKept: a store that is opened again embeds nothing again.
func TestVectorsAreKept(t *testing.T) {
	h := newHistory(t)
	h.claim(1, "office", "Quarry Street", nil)
	h.claim(2, "database", "PostgreSQL", nil)
	file := filepath.Join(t.TempDir(), "vectors")
	s := h.open(file, &encodetest.Bag{})
	h.mustRead(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	by := &encodetest.Bag{}
	s = h.open(file, by)
	h.mustRead(s)
	h.expect(s, "office", func(w *recall.Wanted) { w.Limit = 1 }, "1")
	if want := []string{"office"}; !slices.Equal(by.Asked(), want) {
		t.Errorf("embedded were others than %q", want)
	}
}

// TestVectorsAreMadeAgain where they are of another model or dimension, or the file is damaged.
func TestVectorsAreMadeAgain(t *testing.T) {
	for name, c := range map[string]struct {
		by     *encodetest.Bag
		damage func(raw []byte) []byte
	}{
		"another-model":     {by: &encodetest.Bag{Model: "other"}},
		"another-dimension": {by: &encodetest.Bag{Size: 64}},
		"cut-short":         {by: &encodetest.Bag{}, damage: func(raw []byte) []byte { return raw[:5000] }},
		"overwritten":       {by: &encodetest.Bag{}, damage: func(raw []byte) []byte { return bytes.Repeat([]byte{0xa5}, len(raw)) }},
		"empty":             {by: &encodetest.Bag{}, damage: func([]byte) []byte { return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			h.claim(1, "office", "Quarry Street", nil)
			h.claim(2, "database", "PostgreSQL", nil)
			file := filepath.Join(t.TempDir(), "vectors")
			s := h.open(file, &encodetest.Bag{})
			h.mustRead(s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if c.damage != nil {
				raw, err := os.ReadFile(file)
				if err == nil {
					err = os.WriteFile(file, c.damage(raw), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			s = h.open(file, c.by)
			h.claim(3, "fax", "none", nil)
			for h.read(s) != nil { // the page that noticed another dimension is delivered again
				if mark, _ := s.Checkpoint(t.Context(), "t"); mark == h.seq {
					t.Fatal("it has read all and fails")
				}
			}
			h.expect(s, "Heron office", func(w *recall.Wanted) { w.Limit = 3 }, h.finds(s, "Heron office", nil)...)
			if got := h.finds(s, "Heron office", nil); len(got) != 3 || got[0] != "1" {
				t.Errorf("it finds %v", got)
			}
		})
	}
}

// TestAnEmbedderThatIsDownHoldsUpNothingButVectors: the search says that it cannot, and they are made later.
func TestAnEmbedderThatIsDownHoldsUpNothingButVectors(t *testing.T) {
	h := newHistory(t)
	h.claim(1, "office", "Quarry Street", nil)
	by := &encodetest.Bag{}
	s := h.open(filepath.Join(t.TempDir(), "vectors"), by)
	h.mustRead(s)
	by.Fail(errors.New("down"))
	h.claim(2, "database", "PostgreSQL", nil)
	if h.read(s) == nil {
		t.Error("it read on")
	}
	w := recall.Wanted{Kinds: recall.Kinds, Until: tenure.MaxTime, Limit: 5}
	if _, _, err := s.Nearest(t.Context(), "t", "office", h.seq, w); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("with vectors missing: %v", err)
	}
	if _, _, err := s.Nearest(t.Context(), "t", "office", h.seq-1, w); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("without a vector of the query: %v", err)
	}
	by.Fail(nil)
	h.mustRead(s)
	h.expect(s, "office", func(w *recall.Wanted) { w.Limit = 1 }, "1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	by.Fail(context.Canceled)
	if _, _, err := s.Nearest(ctx, "t", "another query", h.seq, w); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gave up: %v", err)
	}
}

// TestTheNearestAreThoseOfAScan of all rows.
func TestTheNearestAreThoseOfAScan(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	code := func() encode.Code {
		c := make(encode.Code, 100)
		for i := range c {
			c[i] = int8(random.IntN(255) - 127)
		}
		return c
	}
	reaches := []reach{{Kind: recall.Belief}, {Kind: recall.Remark}, {Kind: recall.Belief, Scope: tenure.Scope{UserID: "u"}}}
	tab := newTable(100)
	var rows []row
	for n := range 500 {
		rows = append(rows, row{key: keyOf(tenure.Instant(1+n/3), id(1, n)), reach: reaches[random.IntN(len(reaches))], code: code()})
	}
	tab.put(rows, nil, 7)
	gone := map[key]bool{rows[3].key: true, rows[77].key: true}
	tab.put(nil, gone, 8)
	for range 50 {
		to := code()
		w := recall.Wanted{Kinds: []recall.Kind{recall.Belief}, Until: tenure.Instant(1 + random.IntN(170)), Limit: 1 + random.IntN(300)}
		var want []found
		for _, r := range rows {
			if r.reach == reaches[0] && r.key.recorded() <= w.Until && !gone[r.key] {
				want = append(want, found{r.key, r.code.Signs().Distance(to.Signs())})
			}
		}
		slices.SortFunc(want, found.compare)
		got, all := tab.nearest(to.Signs(), w)
		if !slices.Equal(got, want[:min(len(want), w.Limit)]) || all != (len(want) <= w.Limit) {
			t.Fatalf("limit %d of %d: %d rows, all %v", w.Limit, len(want), len(got), all)
		}
	}
}

// TestResetForgetsATenant and no other.
func TestResetForgetsATenant(t *testing.T) {
	h := newHistory(t)
	h.claim(1, "office", "Quarry Street", nil)
	file := filepath.Join(t.TempDir(), "vectors")
	s := h.open(file, &encodetest.Bag{})
	h.mustRead(s)
	if err := s.write("u", nil, nil, 5); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	for tenant, want := range map[string]tenure.Seq{"t": 0, "u": 5} {
		if mark, err := s.Checkpoint(t.Context(), tenant); mark != want || err != nil {
			t.Errorf("%s is at %d, %v", tenant, mark, err)
		}
	}
	h.mustRead(s)
	h.expect(s, "office", nil, "1")
}

func BenchmarkNearest(b *testing.B) {
	const n = 500_000
	random := rand.New(rand.NewPCG(1, 2))
	tab := newTable(384)
	for i := range n {
		c := make(encode.Code, 384)
		for j := range c {
			c[j] = int8(random.IntN(255) - 127)
		}
		tab.put([]row{{key: keyOf(tenure.Instant(i), id(1, i)), reach: reach{Kind: recall.Belief}, code: c}}, nil, 0)
	}
	to := make(encode.Code, 384)
	for j := range to {
		to[j] = int8(random.IntN(255) - 127)
	}
	w := recall.Wanted{Kinds: recall.Kinds, Until: tenure.MaxTime, Limit: 100}
	used := processorTime(b)
	for b.Loop() {
		tab.nearest(to.Signs(), w)
	}
	b.ReportMetric((processorTime(b)-used).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// TestWhatIsErasedLeavesNothing: neither a row nor bytes in the file; what else is said of the entity is embedded without
// its name.
func TestWhatIsErasedLeavesNothing(t *testing.T) {
	h := newHistory(t)
	h.claim(1, "office", "Quarry Street", nil)
	h.claim(2, "database", "PostgreSQL", nil)
	h.apply(tenure.EntityPut{Entity: tenure.Entity{ID: id(0, 2), Type: "project", Name: "Depot", Status: tenure.EntityCanonical}})
	for n := range 200 { // so that the file has pages that are not taken again at once
		h.claim(10+n, fmt.Sprint("shelf ", n), "timber", func(c *tenure.Claim) { c.Subject = id(0, 2) })
	}
	file := filepath.Join(t.TempDir(), "vectors")
	by := &encodetest.Bag{}
	s := h.open(file, by)
	h.mustRead(s)
	codes := map[string]encode.Code{}
	for _, text := range by.Asked() {
		list, err := (&encodetest.Bag{}).Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		codes[text] = encode.Encode(list[0])
	}
	holds := func(text string) bool {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(raw, codes[text].Bytes())
	}
	const office, database = "Heron / office: Quarry Street", "Heron / database: PostgreSQL"
	if !holds(office) || !holds(database) {
		t.Fatal("the codes are not in the file: the search is of no use")
	}
	before := sizeOf(t, file)
	erased := []tenure.Change{
		tenure.ContentErased{Kind: tenure.ErasedClaim, ID: id(1, 1), Entity: id(0, 1)},
		tenure.ContentErased{Kind: tenure.ErasedEntity, ID: id(0, 1), Entity: id(0, 1)},
		tenure.EntityPut{Entity: tenure.Entity{ID: id(0, 1), Type: "project", Status: tenure.EntityCanonical}},
	}
	for n := range 200 {
		erased = append(erased, tenure.ContentErased{Kind: tenure.ErasedClaim, ID: id(1, 10+n), Entity: id(0, 2)})
	}
	h.apply(erased...)
	h.mustRead(s)
	for text := range codes {
		if holds(text) {
			t.Errorf("the file has the code of %q", text)
		}
	}
	if after := sizeOf(t, file); after > before/2 {
		t.Errorf("of %d bytes the file keeps %d", before, after)
	}
	h.expect(s, "office quarry street", nil, "2")
	for _, text := range by.Asked() {
		if strings.Contains(text, "Heron") || strings.Contains(text, "Quarry") {
			t.Errorf("embedded was %q", text)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h.expect(h.open(file, by), "database PostgreSQL", func(w *recall.Wanted) { w.Limit = 1 }, "2")
}

// TestLongPassagesHaveSeveralVectors: each of a part, under the title and the headings, and the nearest part counts.
func TestLongPassagesHaveSeveralVectors(t *testing.T) {
	h := newHistory(t)
	d := tenure.Document{URI: "doc", Title: "Handbook", MediaType: tenure.PlainText, Version: 1, Passages: 2}
	d.ID = tenure.DocumentID(d.URI, d.Scope, d.Label())
	long := strings.Repeat("timber ", 50) + strings.Repeat("quarry ", 50)
	h.apply(tenure.DocumentPut{Document: d, Passages: []tenure.Passage{
		{ID: id(3, 1), Document: d.ID, Version: 1, Number: 1, Headings: []string{"Yard"}, Text: long, Tokens: 390},
		{ID: id(3, 2), Document: d.ID, Version: 1, Number: 2, Text: "office", Tokens: 1},
	}})
	by := &encodetest.Bag{}
	s := h.open(filepath.Join(t.TempDir(), "vectors"), by)
	h.mustRead(s)
	asked := by.Asked()
	slices.Sort(asked)
	if len(asked) != 3 || !strings.HasPrefix(asked[0], "Handbook / Yard: quarry quarry") || strings.Contains(asked[0], "timber") ||
		!strings.HasPrefix(asked[1], "Handbook / Yard: timber timber") || asked[2] != "Handbook: office" {
		t.Errorf("embedded were %q", asked)
	}
	for _, query := range []string{"quarry", "timber"} {
		found, err := s.Compare(t.Context(), "t", query, h.seq, recall.Compared{Passages: []tenure.ID{id(3, 1), id(3, 2), id(3, 3)}})
		if err != nil || found[id(3, 1)] < .8 || found[id(3, 2)] > .5 || found[id(3, 3)] != 0 {
			t.Errorf("%s: %v, %v", query, found, err)
		}
	}
}

// TestAnErasedDocumentLeavesNoVector, but what was ingested after it has one, and so have other documents.
func TestAnErasedDocumentLeavesNoVector(t *testing.T) {
	h := newHistory(t)
	var docs []tenure.Document
	put := func(uri string, version int, text string) {
		d := tenure.Document{URI: uri, MediaType: tenure.PlainText, Version: version, Passages: 1}
		d.ID = tenure.DocumentID(d.URI, d.Scope, d.Label())
		docs = append(docs, d)
		h.apply(tenure.DocumentPut{Document: d, Passages: []tenure.Passage{
			{ID: tenure.PassageID(d.ID, version, 1), Document: d.ID, Version: version, Number: 1, Text: text, Tokens: 2},
		}})
	}
	put("a", 1, "quarry street")
	put("a", 2, "timber yard")
	put("b", 1, "office door")
	file := filepath.Join(t.TempDir(), "vectors")
	by := &encodetest.Bag{}
	s := h.open(file, by)
	h.mustRead(s)
	holds := func(text string) bool {
		t.Helper()
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := (&encodetest.Bag{}).Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(raw, encode.Encode(list[0]).Bytes())
	}
	erased := []string{": quarry street", ": timber yard"}
	for _, text := range erased {
		if !holds(text) {
			t.Fatalf("the code of %q is not in the file: the search is of no use", text)
		}
	}
	gone := docs[1].Withdraw("tester", 0)
	h.claim(7, "office", "Quarry Street", nil)
	h.apply(tenure.DocumentPut{Document: gone}, tenure.ContentErased{Kind: tenure.ErasedDocument, ID: gone.ID})
	put("a", 4, "archive keys")
	between := h.seq
	put("a", 5, "archive shelves")
	by.Fail(errors.New("down")) // what is erased does not wait for the embedder
	if h.read(s) == nil {
		t.Error("it read on")
	}
	by.Fail(nil)
	h.mustRead(s)
	for _, text := range erased {
		if holds(text) {
			t.Errorf("the file has the code of %q", text)
		}
	}
	for seq, version := range map[tenure.Seq]int{h.seq: 5, between: 4} {
		near, _, err := s.Nearest(t.Context(), "t", "archive", seq, recall.Wanted{
			Kinds: []recall.Kind{recall.Passage}, Until: tenure.MaxTime, Limit: 9,
		})
		has := func(id tenure.ID) bool {
			return slices.ContainsFunc(near, func(n recall.Near) bool { return n.ID == id })
		}
		if err != nil || !has(tenure.PassageID(gone.ID, version, 1)) || !has(tenure.PassageID(docs[2].ID, 1, 1)) || has(tenure.PassageID(gone.ID, 2, 1)) {
			t.Errorf("in state %d: %+v, %v", seq, near, err)
		}
		if seq == h.seq && len(near) != 2 {
			t.Errorf("a search of the newest state looks at former passages: %+v", near)
		}
	}
}

// TestAnErasureThatFailsIsDoneAgain: the checkpoint does not pass it.
func TestAnErasureThatFailsIsDoneAgain(t *testing.T) {
	h := newHistory(t)
	d := tenure.Document{URI: "a", MediaType: tenure.PlainText, Version: 1, Passages: 1}
	d.ID = tenure.DocumentID(d.URI, d.Scope, d.Label())
	h.apply(tenure.DocumentPut{Document: d, Passages: []tenure.Passage{
		{ID: tenure.PassageID(d.ID, 1, 1), Document: d.ID, Version: 1, Number: 1, Text: "quarry street", Tokens: 2},
	}})
	s := h.open(filepath.Join(t.TempDir(), "vectors"), &encodetest.Bag{})
	h.mustRead(s)
	before := h.seq
	h.apply(tenure.DocumentPut{Document: d.Withdraw("tester", 0)}, tenure.ContentErased{Kind: tenure.ErasedDocument, ID: d.ID})
	view := s.cfg.View
	s.cfg.View = func(context.Context, string, tenure.AsOf) (store.Reader, error) { return nil, errors.New("down") }
	if h.read(s) == nil {
		t.Error("it read on")
	}
	if mark, _ := s.Checkpoint(t.Context(), "t"); mark != before {
		t.Errorf("the checkpoint is %d, of %d", mark, before)
	}
	s.cfg.View = view
	h.mustRead(s)
	near, _, err := s.Nearest(t.Context(), "t", "quarry", h.seq-1, recall.Wanted{Kinds: []recall.Kind{recall.Passage}, Until: tenure.MaxTime, Limit: 9})
	if err != nil || len(near) != 0 {
		t.Errorf("%+v, %v", near, err)
	}
}

// TestADocumentIsEmbeddedPieceByPiece: what was made before the embedder failed is not made again.
func TestADocumentIsEmbeddedPieceByPiece(t *testing.T) {
	h := newHistory(t)
	d := tenure.Document{URI: "doc", MediaType: tenure.PlainText, Version: 1, Passages: 9}
	d.ID = tenure.DocumentID(d.URI, d.Scope, d.Label())
	put := tenure.DocumentPut{Document: d}
	for n := range 9 {
		put.Passages = append(put.Passages, tenure.Passage{
			ID: tenure.PassageID(d.ID, 1, n+1), Document: d.ID, Version: 1, Number: n + 1, Text: fmt.Sprint("shelf ", n), Tokens: 2,
		})
	}
	h.apply(put)
	by := &failing{Bag: &encodetest.Bag{}, after: 5}
	s := h.open(filepath.Join(t.TempDir(), "vectors"), by)
	if h.read(s) == nil {
		t.Fatal("it read on")
	}
	by.after = 100
	h.mustRead(s)
	if n := len(by.Asked()); n != 9 {
		t.Errorf("%d texts were embedded, of 9", n)
	}
}

// failing is an embedder that fails after so many texts.
type failing struct {
	*encodetest.Bag
	after int
}

func (f *failing) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if f.after -= len(texts); f.after < 0 {
		return nil, errors.New("down")
	}
	return f.Bag.Embed(ctx, texts)
}

// processorTime is the time of the processor that this process has used, whatever else the machine does.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func sizeOf(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
