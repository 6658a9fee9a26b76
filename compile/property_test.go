package compile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

// hiddenMark is part of every value that the agent of a random world may not
// see, or that is not to reach a model.
const hiddenMark = "SECRET"

// random makes a world of claims of every kind, and the ids of those that the
// agent may not know of.
func random(r *rand.Rand) (w *world, req compile.Request, unseen []tenure.ID) {
	w = &world{}
	var all []tenure.ID
	for n := 1; n <= 2+r.IntN(4); n++ {
		all = append(all, w.entity(n, fmt.Sprintf("Name%d", r.IntN(4))))
	}
	w.terms = []tenure.Term{{Vocabulary: tenure.Predicates, Name: "p1", Cardinality: tenure.Many}}
	scopes := []tenure.Scope{{}, {}, {UserID: "u"}, {ProjectID: "p"}, {UserID: "u", ProjectID: "p"}, {UserID: "other"}, {Kind: tenure.ScopeDraft}}
	causes := []tenure.Cause{tenure.Stands, tenure.Stands, tenure.Stands, tenure.ByTie, tenure.ByName, tenure.ByTrust, tenure.ByRetraction, tenure.ByDependency}
	classes := []tenure.Classification{tenure.Public, tenure.Public, tenure.Restricted, tenure.Confidential, "odd"}
	for n := range 5 + r.IntN(60) {
		scope, cause, class := scopes[r.IntN(len(scopes))], causes[r.IntN(len(causes))], classes[r.IntN(len(classes))]
		denied := r.IntN(8) == 0
		seen := scope.VisibleIn(tenure.Scope{UserID: "u", ProjectID: "p"}) && class.Rank() <= 1 && !denied
		value := fmt.Sprintf("value %d", r.IntN(3))
		if !seen || cause != tenure.Stands {
			value = fmt.Sprintf("%s\n%d", hiddenMark, n)
		}
		options := []func(*tenure.Belief){
			scoped(scope), from(2 + r.IntN(3)), level(r.IntN(4)), trusted(float64(r.IntN(3)) / 2),
			layer([]tenure.Layer{tenure.LayerFact, tenure.LayerFact, tenure.LayerEnvironment, tenure.LayerWorkingSet}[r.IntN(4)]),
			with(func(c *tenure.Claim) {
				c.Classification = class
				c.IsConstraint = r.IntN(5) == 0
				if denied {
					c.Permission.DenyRoles = []string{"agent"}
				}
			}),
		}
		if seen && r.IntN(6) == 0 {
			options = append(options, toEntity(all[r.IntN(len(all))]))
		}
		options = append(options, lost(cause, id(100+r.IntN(60))))
		b := w.claim(100+n, all[r.IntN(len(all))], fmt.Sprintf("p%d", r.IntN(4)), value, options...)
		if !seen {
			unseen = append(unseen, b)
		}
	}
	hops := r.IntN(3)
	req = compile.Request{
		Query: "What of Name0 and Name1, value 2?", Scope: tenure.Scope{UserID: "u", ProjectID: "p"}, Entities: all[:1], Hops: &hops,
		BudgetTokens: 1 + r.IntN(400), Provider: []string{compile.Plain, compile.OpenAI, compile.Anthropic}[r.IntN(3)],
	}
	return w, req, unseen
}

// FuzzLaws: in whatever order the store answers, the bytes are the same; what
// the caller may not see is nowhere, and what does not stand is in no envelope;
// the budget holds, and one that is refused names the least that is taken.
func FuzzLaws(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		w, req, unseen := random(rand.New(rand.NewPCG(seed, 1)))
		req.BudgetTokens = w.leastOf(t, req)
		res := w.compiled(t, req)
		first := bytesOf(t, res)
		if n := tokens.Count(res.Envelope.Text); n > req.BudgetTokens {
			t.Errorf("%d tokens of %d", n, req.BudgetTokens)
		}
		if strings.Contains(first, hiddenMark) {
			t.Errorf("a forbidden value is out: %s", first)
		}
		for _, b := range unseen {
			if strings.Contains(first, string(b)) {
				t.Errorf("the id %s is out: %s", b, first)
			}
		}
		if strings.Contains(fmt.Sprint(res.Envelope), "00000000-0000") {
			t.Errorf("an id is in the envelope: %s", res.Envelope.Text)
		}
		for n := range uint64(3) {
			w.shuffle = rand.New(rand.NewPCG(seed, n))
			again := w.compiled(t, req)
			if d := cmp.Diff(first, bytesOf(t, again)); d != "" {
				t.Fatal(d)
			}
			if d := cmp.Diff(res.Ties, again.Ties); d != "" {
				t.Fatal(d)
			}
		}
	})
}
