package recall_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/audience"
	"tenure/index"
	"tenure/recall"
	"tenure/store"
	"tenure/visible"
)

// plainWords are their own search terms.
var plainWords = strings.Fields("amber birch cedar delta ember fjord heron iris north south")

// library plays a random history of documents.
type library struct {
	*history
	rnd     *rand.Rand
	have    []tenure.Document
	matched int
}

func (l *library) text() string {
	var words []string
	for range 3 + l.rnd.IntN(8) {
		words = append(words, plainWords[l.rnd.IntN(len(plainWords))])
	}
	return strings.Join(words, " ")
}

func (l *library) step() {
	switch n := l.rnd.IntN(10); {
	case n < 4 || len(l.have) == 0:
		d := tenure.Document{
			URI: fmt.Sprint("doc/", len(l.have)), MediaType: tenure.PlainText, Classification: tenure.Public,
			Scope:  []tenure.Scope{{}, {ProjectID: "p"}, {UserID: "u"}, {Kind: tenure.ScopeDraft}}[l.rnd.IntN(4)],
			Source: tenure.Source{AuthorityLevel: 3}, Actor: "tester",
		}
		if l.rnd.IntN(4) == 0 {
			d.Classification = tenure.HighlyRestricted
		}
		d.ID = tenure.DocumentID(d.URI, d.Scope, d.Label())
		l.apply(inUse(d.Label())...)
		l.have = append(l.have, d)
		l.put(len(l.have) - 1)
	case n < 8:
		l.put(l.rnd.IntN(len(l.have)))
	case n < 9:
		d := &l.have[l.rnd.IntN(len(l.have))]
		if !d.Withdrawn && !d.Erased {
			*d = d.Withdraw("tester", 0)
			l.apply(tenure.DocumentPut{Document: *d})
		}
	default:
		d := &l.have[l.rnd.IntN(len(l.have))]
		if !d.Erased {
			next := d.Withdraw("tester", 0)
			d.Version, d.Erased = next.Version, true
			l.apply(tenure.DocumentPut{Document: next}, tenure.ContentErased{Kind: tenure.ErasedDocument, ID: d.ID})
		}
	}
}

// put puts a document anew, also one that was erased.
func (l *library) put(i int) {
	d := &l.have[i]
	d.Erased = false
	d.Version++
	d.Withdrawn, d.Title, d.Passages = false, l.text(), 1+l.rnd.IntN(3)
	put := tenure.DocumentPut{}
	for n := range d.Passages {
		put.Passages = append(put.Passages, tenure.Passage{
			ID: tenure.PassageID(d.ID, d.Version, n+1), Document: d.ID, Version: d.Version, Number: n + 1, Text: l.text(),
		})
	}
	d.Digest = d.DigestOf(fmt.Sprint(put.Passages))
	put.Document = *d
	l.apply(put)
}

// compare compares what the index finds in a state with what a search through all of its passages does.
func (l *library) compare(x *index.Index, seq tenure.Seq) {
	l.t.Helper()
	q := query(plainWords[l.rnd.IntN(5)], plainWords[5+l.rnd.IntN(5)])
	q.Limit = 1 + l.rnd.IntN(8)
	q.In = []tenure.Scope{{}, {ProjectID: "p"}, {UserID: "u"}, {Kind: tenure.ScopeDraft}}[l.rnd.IntN(4)]
	c := tenure.Caller{Tenant: "t", Clearance: []tenure.Classification{tenure.Public, tenure.HighlyRestricted}[l.rnd.IntN(2)]}
	r := visible.Reader(l.at(seq), c, audience.Of(c))
	want := l.scan(r, q, audience.Of(c))
	l.matched += len(want)
	found, err := recall.FindPassages(l.t.Context(), r, x.Beliefs(), recall.PassageQuery{Query: q, Sees: audience.Of(c).Sees})
	if err != nil {
		l.t.Fatal(err)
	}
	var got []string
	for _, p := range found.Passages {
		got = append(got, fmt.Sprint(p.ID, p.Score))
	}
	if cut := len(want) > q.Limit; cut != found.Cut {
		l.t.Errorf("cut %v, want %v: %d of %d", found.Cut, cut, len(want), q.Limit)
	}
	if d := cmp.Diff(want[:min(len(want), q.Limit)], got); d != "" {
		l.t.Fatalf("%v of state %d of %d in %+v as %v: %s", q.Terms, seq, l.seq, q.In, c.Clearance, d)
	}
}

func (l *library) scan(r store.Reader, q recall.Query, sees audience.Sight) []string {
	list, err := r.PassagesIn(l.t.Context(), q.In, "", 10_000)
	if err != nil {
		l.t.Fatal(err)
	}
	type match struct {
		id    tenure.ID
		score int
	}
	var all []match
	for _, p := range list {
		of, err := r.Documents(l.t.Context(), []tenure.ID{p.Document})
		if err != nil || len(of) != 1 || !sees.Sees(of[0].Label()) {
			continue
		}
		m, words := match{id: p.ID}, strings.Fields(of[0].Title+" "+p.Text)
		for _, t := range q.Terms {
			if slices.Contains(words, t.Word) {
				m.score += 2 * t.Weight
			}
		}
		if m.score > 0 {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b match) int {
		if a.score != b.score {
			return b.score - a.score
		}
		return strings.Compare(string(b.id), string(a.id))
	})
	var shown []string
	for _, m := range all {
		shown = append(shown, fmt.Sprint(m.id, m.score))
	}
	return shown
}

// TestPassagesAreFoundInEveryState plays random histories of documents that are put, replaced, withdrawn and erased:
// what the index finds in any of their states, by whoever asks, is what a search through all passages finds, whether it
// has read the log in small pages or in large ones, or was built anew.
func TestPassagesAreFoundInEveryState(t *testing.T) {
	for seed := range 3 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			l := &library{history: newHistory(t), rnd: rand.New(rand.NewPCG(uint64(seed), 11))}
			early, dir := l.indexed(t.TempDir(), 500), t.TempDir()
			for range 60 {
				l.step()
				if l.rnd.IntN(3) == 0 {
					l.read(early, 1+l.rnd.IntN(3))
					l.compare(early, l.seq)
				}
			}
			l.read(early, 500)
			if err := index.Rebuild(t.Context(), dir, l, index.Config{}); err != nil {
				t.Fatal(err)
			}
			for _, x := range []*index.Index{early, l.indexed(t.TempDir(), 7), l.indexed(dir, 500)} {
				for range 25 {
					l.compare(x, tenure.Seq(1+l.rnd.IntN(int(l.seq))))
				}
			}
			if l.matched < 80 {
				t.Errorf("the searches found %d passages in all: they are of no use", l.matched)
			}
		})
	}
}
