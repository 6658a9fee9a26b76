package compile_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
)

const waits = " (a change was proposed on 2026-06-10 and waits for an answer)"

// launch is a world in which Heron has a launch month and an owner, Lena, who has a desk.
func launch() (w *world, heron, lena, month tenure.ID) {
	w = &world{}
	heron, lena = w.entity(1, "Heron", func(e *tenure.Entity) { e.Type = "project" }), w.entity(2, "Lena Brandt")
	month = w.claim(11, heron, "launch_month", "October")
	w.claim(12, heron, "owner", "", toEntity(lena))
	w.claim(13, lena, "desk", "seven")
	return w, heron, lena, month
}

// would changes the proposal of an observation.
func would(f func(*tenure.Said)) func(*tenure.Observation) {
	return func(o *tenure.Observation) { f(&o.Statements[0]) }
}

// TestProposedChangeIsSaid checks which lines say that a proposed change waits for an answer, what the trace has of it,
// and the status; and that nothing says what it proposes.
func TestProposedChangeIsSaid(t *testing.T) {
	scope := tenure.Scope{ProjectID: "p"}
	for name, c := range map[string]struct {
		query   string
		propose func(w *world, heron, lena, month tenure.ID)
		lines   []string // marked
		status  string
		traced  int
	}{
		"of what was asked": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month})
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"of another property": {"What of Heron?", func(w *world, heron, _, _ tenure.ID) {
			w.propose(30, heron, "owner", "SECRET", []tenure.ID{id(12)})
		}, []string{"Heron / owner: Lena Brandt"}, "PROPOSED", 1},
		"beside what stands": {"When does Heron launch?", func(w *world, heron, _, _ tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", nil, would(func(s *tenure.Said) { s.Proposal.Many = true }))
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"of no slot yet": {"When does Heron launch?", func(w *world, heron, _, _ tenure.ID) {
			w.propose(30, heron, "sponsor", "SECRET", nil)
		}, nil, "PROPOSED", 1},
		"of what is related": {"What of Heron?", func(w *world, _, lena, _ tenure.ID) {
			w.propose(30, lena, "desk", "SECRET", []tenure.ID{id(13)})
		}, []string{"Lena Brandt / desk: seven"}, "CLEAN", 1},
		"of what a line says of Lena": {"What does Lena Brandt own?", func(w *world, heron, _, _ tenure.ID) {
			w.propose(30, heron, "owner", "SECRET", []tenure.ID{id(12)})
		}, []string{"Lena Brandt / owns: Heron"}, "PROPOSED", 1},
		"of what the words of the query find": {"What is the launch month?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month})
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"beside what the words of the query find": {"What is the launch month?", func(w *world, heron, _, _ tenure.ID) {
			w.propose(30, heron, "sponsor", "SECRET", nil)
		}, nil, "CLEAN", 0},
		"of a member of the root": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			member := w.entity(4, "Heron shop", func(e *tenure.Entity) { e.Status, e.MergedInto = tenure.EntityMerged, heron })
			w.entities[0].Members = []tenure.ID{member}
			w.propose(30, member, "launch_month", "SECRET", []tenure.ID{month})
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"of what has been moved to another predicate": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch", "SECRET", []tenure.ID{month})
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"of what is said twice": {"When does Heron launch?", func(w *world, heron, _, _ tenure.ID) {
			twin := w.claim(14, heron, "launch_month", "October", scoped(scope), level(3))
			w.propose(30, heron, "launch", "SECRET", []tenure.ID{twin})
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"of one of two lines that are the same": {"When does Heron launch?", func(w *world, heron, _, _ tenure.ID) {
			w.claim(14, heron, "month", "October", with(func(c *tenure.Claim) { c.Key = "launch_month" }))
			w.propose(30, heron, "month", "SECRET", []tenure.ID{id(14)})
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"of what is contested": {"What is the budget of Heron?", func(w *world, heron, _, _ tenure.ID) {
			w.claim(14, heron, "budget", "9", lost(tenure.ByTie, ""))
			w.claim(15, heron, "budget", "8", lost(tenure.ByTie, ""))
			w.propose(30, heron, "budget", "SECRET", nil)
		}, []string{"Heron / budget: contested (sources disagree, not settled)"}, "CONTESTED", 1},
		"two, the later day": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month})
			w.propose(31, heron, "launch_month", "SECRET", []tenure.ID{month}, func(o *tenure.Observation) { o.ObservedAt = day(9) })
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 2},
		"a further reading": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month}, func(o *tenure.Observation) { o.Of = id(40) })
			w.observations = append(w.observations, tenure.Observation{ID: id(40), Text: "SECRET?"})
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"in the project": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month}, func(o *tenure.Observation) { o.Scope = scope })
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},
		"a value in a scope of its own": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month})
			w.claim(14, heron, "launch_month", "October", scoped(scope), from(11), recorded(11))
		}, []string{"Heron / launch_month: October"}, "PROPOSED", 1},

		"nothing": {"When does Heron launch?", func(*world, tenure.ID, tenure.ID, tenure.ID) {}, nil, "CLEAN", 0},
		"of somebody else": {"What is the desk of Lena Brandt?", func(w *world, _, _, _ tenure.ID) {
			other := w.entity(5, "Orion")
			w.propose(30, other, "desk", "SECRET", nil)
		}, nil, "CLEAN", 0},
		"of no entity": {"When does Heron launch?", func(w *world, _, _, _ tenure.ID) {
			w.propose(30, "", "launch_month", "SECRET", nil)
		}, nil, "CLEAN", 0},
		"accepted": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month})
			w.answer(30, true)
		}, nil, "CLEAN", 0},
		"refused": {"When does Heron launch?", func(w *world, heron, _, month tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", []tenure.ID{month})
			w.answer(30, false)
		}, nil, "CLEAN", 0},
		"of what has ended": {"When does Heron launch?", func(w *world, heron, _, _ tenure.ID) {
			old := w.claim(14, heron, "venue", "Kotka", lost(tenure.ByEnd, ""))
			w.propose(30, heron, "venue", "SECRET", []tenure.ID{old})
		}, nil, "CLEAN", 0},
		"overtaken": {"When does Heron launch?", func(w *world, heron, _, _ tenure.ID) {
			w.propose(30, heron, "launch_month", "SECRET", nil)
			w.beliefs[0].RecordedAt = day(11)
		}, nil, "CLEAN", 0},
		"overtaken by what is said of a member": {"When does Heron launch?", func(w *world, heron, _, _ tenure.ID) {
			member := w.entity(4, "Heron shop", func(e *tenure.Entity) { e.Status, e.MergedInto = tenure.EntityMerged, heron })
			w.entities[0].Members = []tenure.ID{member}
			w.propose(30, heron, "venue", "SECRET", nil)
			w.claim(14, member, "venue", "Kotka", from(11), recorded(11))
		}, nil, "CLEAN", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w, heron, lena, month := launch()
			c.propose(w, heron, lena, month)
			req := ask(c.query)
			req.Scope = scope
			got := w.compiled(t, req)
			var marked []string
			for _, line := range strings.Split(got.Envelope.Text, "\n") {
				if before, ok := strings.CutSuffix(line, waits); ok {
					marked = append(marked, before)
				}
			}
			if diff := cmp.Diff(c.lines, marked); diff != "" {
				t.Errorf("the marked lines: %s\n%s", diff, got.Envelope.Text)
			}
			if strings.Count(got.Envelope.Text, "a change was proposed") != len(marked) {
				t.Errorf("other marks:\n%s", got.Envelope.Text)
			}
			if s := got.Trace.ValidationStatus; s != c.status {
				t.Errorf("status %s, want %s", s, c.status)
			}
			if n := len(got.Trace.State.ProposedChanges); n != c.traced {
				t.Errorf("%d in the trace, want %d", n, c.traced)
			}
			if strings.Contains(bytesOf(t, got), "SECRET") {
				t.Errorf("the value is said: %s", bytesOf(t, got))
			}
		})
	}
}

// recorded sets when a belief was recorded.
func recorded(n int) func(*tenure.Belief) { return func(b *tenure.Belief) { b.RecordedAt = day(n) } }

// answer answers the first proposed change of an observation.
func (w *world) answer(n int, accepted bool) {
	w.observations = append(w.observations, tenure.Observation{
		ID: tenure.AnswerID(id(n), 1), Of: id(n), Answer: &tenure.ProposalAnswer{Number: 1, Accepted: accepted},
	})
}

// TestProposedChangeInTheTrace checks what the trace has of a proposed change, and their order.
func TestProposedChangeInTheTrace(t *testing.T) {
	w, heron, lena, month := launch()
	member := w.entity(4, "Heron shop", func(e *tenure.Entity) { e.Status, e.MergedInto = tenure.EntityMerged, heron })
	w.entities[0].Members = []tenure.ID{member}
	one := w.propose(30, lena, "desk", "nine", nil)
	w.propose(31, member, "launch_month", "May", []tenure.ID{month}, func(o *tenure.Observation) {
		other := tenure.Said{Effect: tenure.Unsure, Entity: id(99), Proposal: &tenure.Proposal{}}
		o.ObservedAt, o.Statements = day(12), append([]tenure.Said{other}, o.Statements...)
	})
	got := w.compiled(t, ask("When does Heron launch?"))
	want := []compile.ProposedChange{
		{
			Proposal: tenure.ProposalID(id(31), 2), Observation: id(31), Number: 2, EntityID: heron, Predicate: "launch_month",
			Objects: []tenure.ID{month}, SaidAt: "2026-06-12T00:00:00Z",
		},
		{
			Proposal: one, Observation: id(30), Number: 1, EntityID: lena, Predicate: "desk", Objects: []tenure.ID{},
			SaidAt: "2026-06-10T00:00:00Z",
		},
	}
	if diff := cmp.Diff(want, got.Trace.State.ProposedChanges); diff != "" {
		t.Error(diff)
	}
}

// hiding are the reasons for which the agent of a test may not know of a proposed change of what Heron has.
var hiding = map[string]func(w *world, o *tenure.Observation){
	"a label":                 func(_ *world, o *tenure.Observation) { o.Text = "[CONFIDENTIAL] " + o.Text },
	"a label after a role":    func(_ *world, o *tenure.Observation) { o.Text = "[VP] [CONFIDENTIAL] " + o.Text },
	"a label for other roles": func(_ *world, o *tenure.Observation) { o.Text = "[RESTRICTED: prices restricted to VP+] " + o.Text },
	"another user":            func(_ *world, o *tenure.Observation) { o.Scope.UserID = "other" },
	"another project":         func(_ *world, o *tenure.Observation) { o.Scope.ProjectID = "q" },
	"a session":               func(_ *world, o *tenure.Observation) { o.Scope.SessionID = "s" },
	"a draft":                 func(_ *world, o *tenure.Observation) { o.Scope.Kind = tenure.ScopeDraft },
	"a claim that is shut":    func(w *world, o *tenure.Observation) { o.Claims = []tenure.ID{w.shut()} },
	"what it replaces":        func(w *world, o *tenure.Observation) { o.Statements[0].Proposal.Stands = []tenure.ID{w.shut()} },
	"one of what it replaces": func(w *world, o *tenure.Observation) {
		p := o.Statements[0].Proposal
		p.Stands = append(p.Stands, w.shut())
	},
	"a text that is labelled": func(w *world, o *tenure.Observation) { w.readAgain(o, tenure.Observation{Text: "[CONFIDENTIAL] x"}) },
	"a text of another project": func(w *world, o *tenure.Observation) {
		w.readAgain(o, tenure.Observation{Scope: tenure.Scope{ProjectID: "q"}})
	},
	"a text with a shut claim": func(w *world, o *tenure.Observation) {
		w.readAgain(o, tenure.Observation{Claims: []tenure.ID{w.shut()}})
	},
	"a text that is not there": func(_ *world, o *tenure.Observation) { o.Of = id(41) },
	"a member in another project": func(w *world, o *tenure.Observation) {
		about := &o.Statements[0].Entity
		i := slices.IndexFunc(w.entities, func(e tenure.Entity) bool { return e.ID == *about })
		*about = w.entity(42, "Elsewhere", func(e *tenure.Entity) { e.Project, e.MergedInto = "q", w.entities[i].ID })
		w.entities[i].Members = append(w.entities[i].Members, *about)
	},
}

// shut makes a belief that the agent may not know of, about what no test asks.
func (w *world) shut() tenure.ID {
	return w.claim(900, id(901), "salary", "90", with(func(c *tenure.Claim) { c.Classification = tenure.Confidential }))
}

// readAgain makes an observation a further reading of a text.
func (w *world) readAgain(o *tenure.Observation, text tenure.Observation) {
	text.ID, o.Of = id(40), id(40)
	w.observations = append(w.observations, text)
}

// TestHiddenProposalChangesNothing checks that a proposed change that the caller may not know of changes no byte: each
// reason by itself, and the same words without it are said.
func TestHiddenProposalChangesNothing(t *testing.T) {
	for name, hide := range hiding {
		t.Run(name, func(t *testing.T) {
			compiled := func(propose func(w *world, heron, month tenure.ID, reason func(*tenure.Observation))) string {
				w, heron, _, month := launch()
				propose(w, heron, month, func(o *tenure.Observation) { hide(w, o) })
				return bytesOf(t, w.compiled(t, ask("When does Heron launch?")))
			}
			// What the reason adds to the world is in each of them.
			without := compiled(func(w *world, heron, month tenure.ID, reason func(*tenure.Observation)) {
				w.propose(30, heron, "launch_month", "May", []tenure.ID{month}, reason)
				w.proposing = nil
			})
			hidden := compiled(func(w *world, heron, month tenure.ID, reason func(*tenure.Observation)) {
				w.propose(30, heron, "launch_month", "May", []tenure.ID{month}, reason)
			})
			said := compiled(func(w *world, heron, month tenure.ID, reason func(*tenure.Observation)) {
				w.propose(30, heron, "launch_month", "May", []tenure.ID{month}, reason)
				w.proposing = nil
				w.propose(30, heron, "launch_month", "May", []tenure.ID{month})
			})
			if diff := cmp.Diff(without, hidden); diff != "" {
				t.Error(diff)
			}
			if said == without {
				t.Error("the words are not said without the reason")
			}
		})
	}
}

// TestValueInAnotherProjectHidesProposal checks the gate of values: who may not know of the belief that would change,
// since its value is in another project, does not know of the change.
func TestValueInAnotherProjectHidesProposal(t *testing.T) {
	w, heron, _, _ := launch()
	partner := w.claim(14, heron, "partner", "", toEntity(w.entity(6, "Quay", func(e *tenure.Entity) { e.Project = "q" })))
	before := bytesOf(t, w.compiled(t, ask("When does Heron launch?")))
	w.propose(30, heron, "partner", "May", []tenure.ID{partner})
	if diff := cmp.Diff(before, bytesOf(t, w.compiled(t, ask("When does Heron launch?")))); diff != "" {
		t.Error(diff)
	}
}

// TestShutValueDissolvesNothing checks that a value which the caller may not see leaves a proposed change open.
func TestShutValueDissolvesNothing(t *testing.T) {
	w, heron, _, month := launch()
	w.propose(30, heron, "launch_month", "May", []tenure.ID{month})
	before := w.compiled(t, ask("When does Heron launch?"))
	for _, hide := range []func(*tenure.Belief){
		with(func(c *tenure.Claim) { c.Classification = tenure.Confidential }),
		with(func(c *tenure.Claim) { c.Permission.DenyRoles = []string{"agent"} }),
	} {
		w.beliefs = w.beliefs[:3]
		w.claim(14, heron, "launch_month", "June", from(11), recorded(11), hide)
		after := w.compiled(t, ask("When does Heron launch?"))
		if diff := cmp.Diff(before.Trace.State.ProposedChanges, after.Trace.State.ProposedChanges); diff != "" {
			t.Error(diff)
		}
	}
}

// TestProposalsAreReadOnce checks that a compilation of which nothing was proposed reads that once, and nothing else for
// it; and that one at the bound says so.
func TestProposalsAreReadOnce(t *testing.T) {
	w, heron, lena, month := launch()
	w.compiled(t, ask("When does Heron launch?"))
	if w.calls["ProposalsOn"] != 1 || w.calls["Observations"]+w.calls["Beliefs"]+w.calls["Facts"] != 0 {
		t.Errorf("the reads are %v", w.calls)
	}
	compiler, err := compile.New(tokens, compile.Config{Proposals: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		w.propose(60+i, lena, "desk", fmt.Sprint(i), nil) // not asked about
	}
	for i, want := range []int{0, 1, 1} {
		w.propose(30+i, heron, "launch_month", fmt.Sprint(i), []tenure.ID{month})
		res, err := compiler.Compile(t.Context(), w, agent(), ask("When does Heron launch?"), day(15))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Trace.State.Retrieval.ProposalsCut; got != want {
			t.Errorf("of %d: cut %d, want %d", i+1, got, want)
		}
		if s := res.Trace.ValidationStatus; s != "PROPOSED" {
			t.Errorf("of %d: the status is %s", i+1, s)
		}
	}
}

var (
	anyMark    = regexp.MustCompile(` \(a change was proposed on [0-9-]+ and waits for an answer\)`)
	ruleChange = regexp.MustCompile(`(?m)^A change of the rule ".*" was proposed on [0-9-]+ and waits for an answer\n?`)
	emptyZone  = regexp.MustCompile(`(?:<unconfirmed>\n\n?</unconfirmed>|(?:## |== )Unconfirmed(?: ==)?\n)(?:\n+|$)`)
)

// withoutChanges returns a text without what says that changes were proposed.
func withoutChanges(text string) string {
	text = ruleChange.ReplaceAllString(anyMark.ReplaceAllString(text, ""), "")
	return strings.TrimRight(emptyZone.ReplaceAllString(text, ""), "\n")
}

// FuzzProposals: whatever is proposed, the lines are those without it, but for the marks; in whatever order the store
// answers, the bytes are the same; and what is hidden changes none.
func FuzzProposals(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		w, req, unseen := random(rand.New(rand.NewPCG(seed, 1)))
		req.BudgetTokens = 100_000
		plain := w.compiled(t, req)
		var seen []tenure.ID
		for _, b := range w.beliefs {
			if !slices.Contains(unseen, b.Claim.ID) {
				seen = append(seen, b.Claim.ID)
			}
		}
		slot := func() (about tenure.ID, predicate string) {
			return w.entities[r.IntN(len(w.entities))].ID, fmt.Sprintf("p%d", r.IntN(4))
		}
		for n := range r.IntN(6) {
			about, predicate := slot()
			var stands []tenure.ID
			if len(seen) > 0 && r.IntN(2) == 0 {
				stands = []tenure.ID{seen[r.IntN(len(seen))]}
			}
			w.propose(300+n, about, predicate, hiddenMark, stands,
				func(o *tenure.Observation) { o.ObservedAt = day(5 + r.IntN(9)) })
		}
		said := w.compiled(t, req)
		first := bytesOf(t, said)
		if diff := cmp.Diff(plain.Envelope.Text, withoutChanges(said.Envelope.Text)); diff != "" {
			t.Errorf("beside the marks: %s", diff)
		}
		for n := range 1 + r.IntN(6) {
			about, predicate := slot()
			w.propose(400+n, about, predicate, hiddenMark, nil, func(o *tenure.Observation) {
				o.Scope.UserID, o.Text = []string{"other", "u"}[n%2], "[CONFIDENTIAL] "+hiddenMark
			})
		}
		for n := range uint64(3) {
			w.shuffle = rand.New(rand.NewPCG(seed, n))
			if diff := cmp.Diff(first, bytesOf(t, w.compiled(t, req))); diff != "" {
				t.Fatal(diff)
			}
		}
		if strings.Contains(first, hiddenMark) {
			t.Errorf("a value that was proposed is out: %s", first)
		}
		for _, id := range unseen {
			if strings.Contains(first, string(id)) {
				t.Errorf("the id %s is out: %s", id, first)
			}
		}
	})
}
