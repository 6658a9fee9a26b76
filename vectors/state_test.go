package vectors

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/audience"
	"tenure/encode/encodetest"
	"tenure/recall"
	"tenure/visible"
)

// TestWhatIsSimilarFollowsFromTheState checks that a search in a former state has the same answer as it had then, by
// vectors that were made entry by entry and by others that were made later, for several callers: whatever was recorded,
// renamed or displaced since, and whatever these callers do not see.
func TestWhatIsSimilarFollowsFromTheState(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h, rnd := newHistory(t), rand.New(rand.NewPCG(seed, 5))
			h.apply(
				tenure.TermPut{Term: tenure.Term{Vocabulary: tenure.LabelsInUse, Name: tenure.Label{}.Name()}},
				tenure.TermPut{Term: tenure.Term{Vocabulary: tenure.LabelsInUse, Name: tenure.NewLabel(tenure.Confidential, tenure.Scope{}, tenure.PermissionScope{}).Name()}},
				tenure.TermPut{Term: tenure.Term{Vocabulary: tenure.LabelsInUse, Name: tenure.NewLabel("", tenure.Scope{UserID: "u"}, tenure.PermissionScope{}).Name()}},
			)
			live := h.open(filepath.Join(t.TempDir(), "live"), &encodetest.Bag{})
			var asked []question
			for n := range 50 {
				h.step(n, rnd)
				h.mustRead(live)
				q := newQuestion(h.seq, rnd)
				q.at = tenure.At(h.now)
				q.answer = q.ask(h, live)
				asked = append(asked, q)
			}
			later := h.open(filepath.Join(t.TempDir(), "later"), &encodetest.Bag{})
			h.mustRead(later)
			found, passages := 0, 0
			for _, q := range asked {
				found += len(q.answer)
				passages += len(slices.DeleteFunc(slices.Clone(q.answer), func(a string) bool { return !strings.HasPrefix(a, "doc/") }))
				for name, s := range map[string]*Store{"live": live, "later": later} {
					if got := q.ask(h, s); !slices.Equal(got, q.answer) {
						t.Errorf("%s, state %d, %q as %+v in %+v: %v, and then %v", name, q.seq, q.text, q.caller, q.in, got, q.answer)
					}
				}
			}
			if found == passages || passages == 0 {
				t.Error("nothing is found: the test is of no use")
			}
		})
	}
}

var stepWords = strings.Fields("office database courier street frankfurt lisbon archive keys invoice rota")

// document puts the next version of a document with some passages; with none, it is withdrawn.
func (h *history) document(n, passages, label int, text func() string) {
	h.t.Helper()
	d := tenure.Document{
		URI: fmt.Sprint("doc/", n), Title: stepWords[n], MediaType: tenure.PlainText, Source: tenure.Source{AuthorityLevel: 3},
		Scope: []tenure.Scope{{}, {UserID: "u"}, {}}[label], Classification: []tenure.Classification{"", "", tenure.Confidential}[label],
	}
	d.ID = tenure.DocumentID(d.URI, d.Scope, d.Label())
	before, err := h.present().Documents(h.t.Context(), []tenure.ID{d.ID})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, b := range before {
		d.Version = b.Version
	}
	d.Version, d.Passages, d.Withdrawn = d.Version+1, passages, passages == 0
	put := tenure.DocumentPut{Document: d}
	for i := range passages {
		put.Passages = append(put.Passages, tenure.Passage{
			ID: tenure.PassageID(d.ID, d.Version, i+1), Document: d.ID, Version: d.Version, Number: i + 1, Text: text(), Tokens: 90 * (i + 1),
		})
	}
	h.apply(put)
}

// step records a belief, displaces one, puts a document, or renames the entity.
func (h *history) step(n int, rnd *rand.Rand) {
	h.t.Helper()
	word := func() string { return stepWords[rnd.IntN(len(stepWords))] }
	switch k := rnd.IntN(10); {
	case k == 0:
		h.apply(tenure.EntityPut{Entity: tenure.Entity{ID: id(0, 1), Type: "project", Name: word(), Status: tenure.EntityCanonical}})
	case k == 1:
		h.document(rnd.IntN(4), rnd.IntN(4), rnd.IntN(3), func() string { return strings.Repeat(word()+" "+word()+" ", 40) })
	case k < 4 && n > 5:
		list, err := h.present().Beliefs(h.t.Context(), []tenure.ID{id(1, rnd.IntN(n))})
		if err != nil {
			h.t.Fatal(err)
		}
		for _, b := range list {
			b.Standing.Segments = []tenure.Segment{{Window: b.Standing.Segments[0].Window, Cause: tenure.ByRetraction}}
			h.apply(tenure.StandingPut{Slot: b.Claim.Slot(), Standing: b.Standing})
		}
	default:
		h.claim(n, word(), word()+" "+word(), func(c *tenure.Claim) {
			switch rnd.IntN(5) {
			case 0:
				c.Classification = tenure.Confidential
			case 1:
				c.Scope.UserID = "u"
			case 2:
				c.Predicate = tenure.Remark
			}
		})
	}
}

// question is a search in a state.
type question struct {
	seq    tenure.Seq
	text   string
	in     tenure.Scope
	caller tenure.Caller
	kinds  []recall.Kind
	limit  int
	at     tenure.Instant
	answer []string
}

func newQuestion(seq tenure.Seq, rnd *rand.Rand) question {
	q := question{seq: seq, text: stepWords[rnd.IntN(len(stepWords))] + " of " + stepWords[rnd.IntN(len(stepWords))], limit: 1 + rnd.IntN(12)}
	q.caller = tenure.Caller{Tenant: "t", Clearance: []tenure.Classification{tenure.Restricted, tenure.HighlyRestricted}[rnd.IntN(2)]}
	if rnd.IntN(3) == 0 {
		q.in.UserID = "u"
	}
	q.kinds = [][]recall.Kind{recall.Kinds, {recall.Belief}}[rnd.IntN(2)]
	return q
}

func (q question) ask(h *history, s *Store) (list []string) {
	h.t.Helper()
	from, err := h.View(h.t.Context(), "t", tenure.AsOf{Seq: q.seq})
	if err != nil {
		h.t.Fatal(err)
	}
	found, err := recall.FindSimilar(h.t.Context(), visible.Reader(from, q.caller, audience.Of(q.caller)), s, recall.Query{
		Tenant: "t", Kinds: q.kinds, In: q.in, ValidAt: q.at, Limit: q.limit,
	}, q.text)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range found {
		list = append(list, fmt.Sprintf("%s %.6f", f.Belief.Claim.ID, f.Similarity))
	}
	sees := audience.Of(q.caller)
	passages, err := recall.FindSimilarPassages(h.t.Context(), visible.Reader(from, q.caller, sees), s, recall.PassageQuery{
		Query: recall.Query{Tenant: "t", In: q.in, Limit: q.limit}, Sees: sees.Sees,
	}, q.text)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, p := range passages {
		if !sees.Sees(p.Of.Label()) || !p.Of.Scope.VisibleIn(q.in) {
			h.t.Errorf("%s of %s is shown to %+v in %+v", p.ID, p.Of.Label().Name(), q.caller, q.in)
		}
		list = append(list, fmt.Sprintf("%s %d %.6f", p.Of.URI, p.Number, p.Similarity))
	}
	return list
}

// TestWhatPassagesAreSimilarFollowsFromTheState checks that among many passages the answer of a former state stays what it
// was, whatever versions were put since and however many of them are nearer, and by vectors that are made later.
func TestWhatPassagesAreSimilarFollowsFromTheState(t *testing.T) {
	h, rnd := newHistory(t), rand.New(rand.NewPCG(8, 9))
	word := func() string { return stepWords[rnd.IntN(len(stepWords))] }
	text := func() string { return strings.Repeat(word()+" "+word()+" "+word()+" ", 20) }
	live := h.open(filepath.Join(t.TempDir(), "live"), &encodetest.Bag{})
	var asked []question
	ask := func() {
		h.mustRead(live)
		q := newQuestion(h.seq, rnd)
		q.caller, q.in, q.limit, q.at = tenure.Caller{Tenant: "t", Clearance: tenure.HighlyRestricted}, tenure.Scope{}, 3, tenure.At(h.now)
		q.answer = q.ask(h, live)
		asked = append(asked, q)
	}
	for n := range 4 {
		h.document(n, 30, 0, text)
	}
	for n := range 12 {
		ask()
		h.document(n%4, 30, 0, text)
	}
	ask()
	later := h.open(filepath.Join(t.TempDir(), "later"), &encodetest.Bag{})
	h.mustRead(later)
	for _, q := range asked {
		if len(q.answer) < 3 {
			t.Errorf("%q finds %v: the test is of no use", q.text, q.answer)
		}
		for name, s := range map[string]*Store{"live": live, "later": later} {
			if got := q.ask(h, s); !slices.Equal(got, q.answer) {
				t.Errorf("%s, state %d of %d, %q: %v, and then %v", name, q.seq, h.seq, q.text, q.answer, got)
			}
		}
	}
}
