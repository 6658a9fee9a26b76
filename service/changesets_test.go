package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/index"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"
	"tenure/service"
	"tenure/service/bulk"
	"tenure/similarity"
	"tenure/store"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestChangeSets compares what each write command writes with testdata/changesets: kinds, ids and bodies of the
// changes, with ids numbered in the order in which they first occur.
func TestChangeSets(t *testing.T) {
	t.Parallel()
	for name, run := range writes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorded(t)
			run(r)
			r.quiet()
			r.compare(filepath.Join("testdata", "changesets", name+".json"))
		})
	}
}

// TestEachChangeSetIsOfACommand fails for a golden file that no command writes any more.
func TestEachChangeSetIsOfACommand(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(filepath.Join("testdata", "changesets"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := writes[strings.TrimSuffix(f.Name(), ".json")]; !ok {
			t.Errorf("%s is of no command", f.Name())
		}
	}
}

// recorded is a service over a store that keeps what is written.
type recorded struct {
	store.Store
	*testing.T
	svc    *service.Service
	index  *index.Index
	caller tenure.Caller

	mu    sync.Mutex
	now   time.Time
	wrote []any
	from  int // what was written before is the history of the scenario
	keys  int
}

// key returns the next idempotency key: the answer of a request is written with its key alone.
func (r *recorded) key() *tenure.IdempotencyKey {
	r.keys++
	return service.IdempotencyKey(r.caller, "test", fmt.Sprint(r.keys), "h")
}

func newRecorded(t *testing.T) *recorded {
	t.Helper()
	s := world.NewState(t)
	x, err := index.Open(t.TempDir(), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorded{Store: s, T: t, index: x, now: world.Begin, caller: service.Operator("t", "tester")}
	r.svc, err = service.New(r, service.Config{Now: r.clock, Index: x, Random: bytes.NewReader(make([]byte, 1<<10))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.svc.Close()
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *recorded) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// written is a change set in the form of a golden file.
type written struct {
	Operation string           `json:"operation"`
	Actor     string           `json:"actor"`
	ID        tenure.ID        `json:"id"`
	Key       string           `json:"key,omitempty"`
	Changes   []writtenChange  `json:"changes"`
	Answer    *json.RawMessage `json:"answer,omitempty"`
}

type writtenChange struct {
	Kind tenure.ChangeKind `json:"kind"`
	Body tenure.Change     `json:"body"`
}

// Apply implements [store.Store].
func (r *recorded) Apply(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	receipts, err := r.Store.Apply(ctx, tenant, base, sets)
	if err != nil {
		return receipts, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, set := range sets {
		w := written{Operation: set.Operation, Actor: set.Actor, ID: set.ID, Changes: []writtenChange{}}
		if set.Key != nil {
			w.Key = strings.ReplaceAll(set.Key.Scope, "\x1f", " ")
		}
		for _, c := range set.Changes {
			w.Changes = append(w.Changes, writtenChange{c.Entry().Kind, c})
		}
		if len(set.Answer) > 0 {
			answer := json.RawMessage(set.Answer)
			w.Answer = &answer
		}
		r.wrote = append(r.wrote, w)
	}
	return receipts, nil
}

// PutCredential implements [store.Store].
func (r *recorded) PutCredential(ctx context.Context, c tenure.Credential, events ...tenure.AuditEvent) error {
	r.mu.Lock()
	r.wrote = append(r.wrote, map[string]any{"credential": c, "audit": events})
	r.mu.Unlock()
	return r.Store.PutCredential(ctx, c, events...)
}

// quiet waits until re-resolution writes no more.
func (r *recorded) quiet() {
	r.Helper()
	for {
		before := r.count()
		if err := r.svc.Worker().CatchUp(r.Context(), r.caller.Tenant); err != nil {
			r.Fatal(err)
		}
		if r.count() == before {
			return
		}
	}
}

func (r *recorded) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.wrote)
}

// begin ends the history of the scenario: what is written from here on is compared.
func (r *recorded) begin() {
	r.quiet()
	r.from = r.count()
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

func (r *recorded) compare(path string) {
	r.Helper()
	numbers := map[string]string{}
	var parts []string
	for i, w := range r.wrote {
		raw, err := json.MarshalIndent(w, "  ", "  ")
		if err != nil {
			r.Fatal(err)
		}
		text := uuids.ReplaceAllStringFunc(string(raw), func(id string) string {
			if _, ok := numbers[id]; !ok {
				numbers[id] = fmt.Sprint("id-", len(numbers)+1)
			}
			return numbers[id]
		})
		if i >= r.from {
			parts = append(parts, "  "+text)
		}
	}
	got := "[\n" + strings.Join(parts, ",\n") + "\n]\n"
	if len(parts) == 0 {
		r.Fatal("nothing was written")
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			r.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			r.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		r.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		r.Errorf("%s (-want +got); write it again with: go test ./service -run TestChangeSets -update\n%s", path, d)
	}
}

// done returns the answer to a write that must succeed, a second later than the one before.
func done[A any](r *recorded, write func() (service.Written[A], error)) A {
	r.Helper()
	r.mu.Lock()
	r.now = r.now.Add(time.Second)
	r.mu.Unlock()
	w, err := write()
	if err != nil {
		r.Fatal(err)
	}
	r.quiet()
	return w.Answer
}

func (r *recorded) observe(in service.Observation) service.Observed {
	r.Helper()
	return done(r, func() (service.Written[service.Observed], error) {
		return r.svc.Observe(r.Context(), r.caller, r.key(), in)
	})
}

// person observes a person with an office, who is known by a city and a day of birth.
func (r *recorded) person(name, office string) service.Observed {
	r.Helper()
	in := world.Said(name, "office", office, nil)
	in.Mentions[0].Attributes = map[string][]string{"dob": {"1981-04-02"}, "city": {"Oslo"}}
	return r.observe(in)
}

// doubt has a person under review: the review, and the entity that it may be.
func (r *recorded) doubt() (review, known tenure.ID) {
	r.Helper()
	known = r.observe(world.Said("Wojciech Kowalczyk", "office", "Boston", nil)).Mentions[0].EntityID
	review = r.observe(world.Said("Wojciech Kowalczik", "office", "Chicago", nil)).Mentions[0].ReviewID
	if review == "" {
		r.Fatal("no review was opened")
	}
	return review, known
}

func (r *recorded) decide(d service.ReviewDecision) service.DecidedReview {
	r.Helper()
	d.Version, d.Note = 1, "looked at"
	return done(r, func() (service.Written[service.DecidedReview], error) {
		return r.svc.DecideReview(r.Context(), r.caller, r.key(), d)
	})
}

func (r *recorded) merge(from, into service.Observed) service.MergedEntity {
	r.Helper()
	return done(r, func() (service.Written[service.MergedEntity], error) {
		return r.svc.Merge(r.Context(), r.caller, r.key(), service.EntityMerge{
			From: from.Mentions[0].EntityID, Into: into.Mentions[0].EntityID, Reason: "one person",
		})
	})
}

func (r *recorded) split(o service.Observed) service.SplitEntity {
	r.Helper()
	return done(r, func() (service.Written[service.SplitEntity], error) {
		return r.svc.Split(r.Context(), r.caller, r.key(), service.EntitySplit{
			Entity: o.Mentions[0].EntityID, Mentions: []tenure.ID{o.Mentions[0].MentionID}, Reason: "two people",
		})
	})
}

func (r *recorded) undo(kind tenure.IdentityDecisionKind, id tenure.ID) {
	r.Helper()
	done(r, func() (service.Written[service.Undone], error) {
		return r.svc.UndoIdentityDecision(r.Context(), r.caller, r.key(), kind, service.Undo{ID: id, Reason: "a mistake"})
	})
}

func (r *recorded) amend(kind tenure.AmendmentKind, at *tenure.Instant) service.Amended {
	r.Helper()
	said := r.observe(world.Said("Jon Smith", "office", "Boston", nil))
	r.begin()
	return done(r, func() (service.Written[service.Amended], error) {
		return r.svc.Amend(r.Context(), r.caller, r.key(), service.Amendment{
			Kind: kind, Belief: said.Beliefs[0].BeliefID, At: at, Reason: "asked again",
		})
	})
}

// cases lists the open cases.
func (r *recorded) cases() []tenure.Case {
	r.Helper()
	v, err := r.View(r.Context(), r.caller.Tenant, tenure.Present)
	if err != nil {
		r.Fatal(err)
	}
	list, err := v.ListCases(r.Context(), store.CaseQuery{State: tenure.CaseOpen})
	if err != nil {
		r.Fatal(err)
	}
	return list
}

// spoken is an observation of one speaker.
func spoken(by, name, predicate, value string) service.Observation {
	in := world.Said(name, predicate, value, nil)
	in.Source.Speaker, in.ObservedAt = by, world.Day(0)
	return in
}

// tie has two speakers contradict each other.
func (r *recorded) tie() {
	r.Helper()
	r.observe(spoken("Dana", "Bob Ray", "team", "red"))
	r.begin()
	r.observe(spoken("Eve", "Bob Ray", "team", "blue"))
	if len(r.cases()) != 1 {
		r.Fatalf("cases: %+v", r.cases())
	}
}

// answerTie answers the case of a tie; an answer with a date accepts its first side.
func (r *recorded) answerTie(in service.Settlement) {
	r.Helper()
	r.tie()
	r.begin()
	c := r.cases()[0]
	in.Case, in.Version = c.ID, c.Version
	if in.From != nil {
		in.Accept = c.Holds[0]
	}
	done(r, func() (service.Written[service.SettledCase], error) {
		return r.svc.SettleCase(r.Context(), r.caller, r.key(), in)
	})
}

func (r *recorded) load(rows ...bulk.Row) {
	r.Helper()
	caller := r.caller
	caller.Actor = "import"
	cfg := bulk.ImportConfig{Caller: caller, Origin: "import://crm", AuthorityLevel: 2, SourceAuthority: .8}
	_, err := bulk.NewImporter(r, r.svc).Import(r.Context(), cfg, func() (bulk.Row, bool) {
		if len(rows) == 0 {
			return bulk.Row{}, false
		}
		row := rows[0]
		rows = rows[1:]
		return row, true
	})
	if err != nil {
		r.Fatal(err)
	}
}

// missed writes people of one city and birthday as if candidate generation had found nobody.
func (r *recorded) missed(names ...string) {
	r.Helper()
	model := similarity.DefaultModel()
	w, err := ledger.NewWriter(r, func() tenure.Mint { return tenure.NewMint(r.clock()) },
		registry.Policies(model, ledger.Unobserved), ledger.Config{})
	if err != nil {
		r.Fatal(err)
	}
	defer w.Close()
	for _, name := range names {
		in := world.Said(name, "office", "Boston", nil)
		in.Mentions[0].Attributes = map[string][]string{"dob": {"1981-04-02"}, "city": {"Oslo"}}
		c := &ingest.Command{Caller: r.caller, Matcher: registry.Matcher{Model: model}, Input: in}
		res := w.Do(r.Context(), r.caller.Tenant, ledger.Request{Operation: ingest.Operation, Actor: "tester", Command: c})
		if res[0].Err != nil {
			r.Fatal(res[0].Err)
		}
	}
}

func (r *recorded) ingest(text string) tenure.ID {
	r.Helper()
	w, err := r.svc.IngestDocument(r.Context(), r.caller, nil, service.DocumentInput{
		URI: "doc:1", Title: "Rules", Text: text, Classification: tenure.Public,
	})
	if err != nil {
		r.Fatal(err)
	}
	return w.Answer.ID
}

func row(id, name string) bulk.Row {
	return bulk.Row{
		Record: tenure.Record{Source: "crm", ID: id}, Name: name, Type: "person",
		Attributes: map[string][]string{"email": {strings.ToLower(strings.Fields(name)[0]) + "@x.example"}},
	}
}

// writes are the write commands, one scenario each.
var writes = map[string]func(r *recorded){
	"observe": func(r *recorded) {
		key := service.IdempotencyKey(r.caller, "observe", "k", "h")
		in := world.Said("Jon Smith", "office", "Boston", nil)
		in.Mentions[0].Attributes = map[string][]string{"email": {"jon@x.example"}}
		if _, err := r.svc.Observe(r.Context(), r.caller, key, in); err != nil {
			r.Fatal(err)
		}
	},
	"observe-again": func(r *recorded) {
		r.observe(world.Said("Jon Smith", "office", "Boston", nil))
		r.begin()
		r.observe(world.Said("jon smith", "office", "Chicago", nil))
	},
	"observe-batch": func(r *recorded) {
		items := []service.BatchItem{
			{Observation: world.Said("Ada Park", "team", "red", nil)}, {Observation: world.Said("Ben Holt", "team", "blue", nil)},
		}
		for _, res := range r.svc.ObserveBatch(r.Context(), r.caller, items) {
			if res.Err != nil {
				r.Fatal(res.Err)
			}
		}
	},
	"ingest-document": func(r *recorded) {
		r.ingest("One rule.")
	},
	"ingest-document-again": func(r *recorded) {
		r.ingest("One rule.")
		r.begin()
		r.ingest("One rule.")
		r.ingest("Another rule.")
	},
	"withdraw-document": func(r *recorded) {
		id := r.ingest("One rule.")
		r.begin()
		if err := r.svc.WithdrawDocument(r.Context(), r.caller, id); err != nil {
			r.Fatal(err)
		}
	},
	"import":       func(r *recorded) { r.load(row("1", "Ada Park"), row("2", "Ben Holt")) },
	"import-again": func(r *recorded) { r.load(row("1", "Ada Park")); r.begin(); r.load(row("1", "Ada Berg")) },
	"review-opened": func(r *recorded) {
		r.doubt()
		r.from = slices.IndexFunc(r.wrote, func(w any) bool { return strings.Contains(fmt.Sprintf("%+v", w), "Kowalczik") })
	},
	"decide-review-merge": func(r *recorded) {
		review, known := r.doubt()
		r.begin()
		r.decide(service.ReviewDecision{Review: review, Decision: service.DecideMerge, Into: known})
	},
	"decide-review-new": func(r *recorded) {
		review, _ := r.doubt()
		r.begin()
		r.decide(service.ReviewDecision{Review: review, Decision: service.DecideNew})
	},
	"decide-review-defer": func(r *recorded) {
		review, _ := r.doubt()
		r.begin()
		r.decide(service.ReviewDecision{Review: review, Decision: service.DecideDefer})
	},
	"reopen-review": func(r *recorded) {
		review, known := r.doubt()
		r.decide(service.ReviewDecision{Review: review, Decision: service.DecideMerge, Into: known})
		r.begin()
		done(r, func() (service.Written[service.Undone], error) {
			return r.svc.UndoReview(r.Context(), r.caller, r.key(), service.Undo{ID: review, Reviewer: "Dana", Reason: "a mistake"})
		})
	},
	"lease-review": func(r *recorded) {
		review, _ := r.doubt()
		r.begin()
		lease := service.ReviewLease{Review: review, Reviewer: "Dana"}
		done(r, func() (service.Written[service.LeasedReview], error) {
			return r.svc.LeaseReview(r.Context(), r.caller, r.key(), lease)
		})
		done(r, func() (service.Written[service.LeasedReview], error) {
			return r.svc.ReleaseReview(r.Context(), r.caller, r.key(), lease)
		})
	},
	"merge": func(r *recorded) {
		a, b := r.person("Ada Park", "Boston"), r.person("Zoe Lindqvist", "Chicago")
		r.begin()
		r.merge(b, a)
	},
	"undo-merge": func(r *recorded) {
		a, b := r.person("Ada Park", "Boston"), r.person("Zoe Lindqvist", "Chicago")
		m := r.merge(b, a)
		r.begin()
		r.undo(tenure.Merge, m.MergeID)
	},
	"split": func(r *recorded) {
		r.person("Ada Park", "Boston")
		b := r.person("Ada Park", "Chicago")
		r.begin()
		r.split(b)
	},
	"undo-split": func(r *recorded) {
		r.person("Ada Park", "Boston")
		s := r.split(r.person("Ada Park", "Chicago"))
		r.begin()
		r.undo(tenure.Split, s.SplitID)
	},
	"undo-cannot-link": func(r *recorded) {
		review, _ := r.doubt()
		d := r.decide(service.ReviewDecision{Review: review, Decision: service.DecideNew})
		r.begin()
		r.undo(tenure.CannotLink, d.CannotLinks[0])
	},
	"confirm": func(r *recorded) { r.amend(tenure.Confirm, nil) },
	"retract": func(r *recorded) { r.amend(tenure.Retract, nil) },
	"end":     func(r *recorded) { r.amend(tenure.End, world.Day(5)) },
	"undo-retract": func(r *recorded) {
		id := r.amend(tenure.Retract, nil).Amendment
		r.begin()
		done(r, func() (service.Written[service.Amended], error) {
			return r.svc.UndoAmendment(r.Context(), r.caller, r.key(), id, "it was right after all")
		})
	},
	"undo-settlement": func(r *recorded) {
		r.tie()
		c := r.cases()[0]
		done(r, func() (service.Written[service.SettledCase], error) {
			return r.svc.SettleCase(r.Context(), r.caller, r.key(), service.Settlement{
				Case: c.ID, Accept: c.Holds[0], Version: c.Version, Note: "asked both",
			})
		})
		r.begin()
		done(r, func() (service.Written[service.SettledCase], error) {
			return r.svc.UndoSettlement(r.Context(), r.caller, r.key(), c.ID, "asked the wrong ones")
		})
	},
	"put-roles": func(r *recorded) {
		in := world.Said("Jon Smith", "office", "Boston", nil)
		in.Source.Role = "Abbot"
		r.observe(in)
		r.begin()
		if _, err := r.svc.PutVocabulary(r.Context(), r.caller, tenure.Vocabulary{Name: tenure.SpeakerRoles}, []service.TermDefinition{
			{Name: "Abbot", Outranks: []string{"Novice"}}, {Name: "Novice"}, {Name: "Dom", Parent: "Abbot"},
		}); err != nil {
			r.Fatal(err)
		}
	},
	"contradiction":     func(r *recorded) { r.tie() },
	"settle-case-both":  func(r *recorded) { r.answerTie(service.Settlement{Both: true, Reviewer: "Dana"}) },
	"settle-case-from":  func(r *recorded) { r.answerTie(service.Settlement{From: world.Day(9)}) },
	"settle-case-defer": func(r *recorded) { r.answerTie(service.Settlement{Defer: true, Note: "asked both"}) },
	"lease-case": func(r *recorded) {
		r.tie()
		r.begin()
		lease := service.CaseLease{Case: r.cases()[0].ID, Reviewer: "Dana"}
		done(r, func() (service.Written[service.LeasedCase], error) {
			return r.svc.LeaseCase(r.Context(), r.caller, r.key(), lease)
		})
		done(r, func() (service.Written[service.LeasedCase], error) {
			return r.svc.ReleaseCase(r.Context(), r.caller, r.key(), lease)
		})
	},
	"settle-case": func(r *recorded) {
		r.tie()
		r.begin()
		c := r.cases()[0]
		done(r, func() (service.Written[service.SettledCase], error) {
			return r.svc.SettleCase(r.Context(), r.caller, r.key(), service.Settlement{
				Case: c.ID, Accept: c.Holds[0], Version: c.Version, Note: "asked both",
			})
		})
	},
	"open-case": func(r *recorded) {
		jon := r.observe(world.Said("Jon Smith", "group", "Platform", nil)).Mentions[0].EntityID
		about := func(speaker, drink string, scope tenure.Scope) {
			in := spoken(speaker, "", "drink", drink)
			in.Mentions, in.Claims[0].Subject, in.Scope = nil, service.Ref{EntityID: jon}, scope
			r.observe(in)
		}
		about("Dana", "cocoa", tenure.Scope{UserID: "u1"})
		about("Eve", "coffee", tenure.Scope{ProjectID: "p1"})
		r.begin()
		_, err := r.svc.Compile(r.Context(), r.caller, "", service.CompileRequest{
			Query: "What does Jon Smith drink?", Scope: tenure.Scope{UserID: "u1", ProjectID: "p1"},
		})
		if err != nil {
			r.Fatal(err)
		}
		r.svc.Close() // waits for what happens after the answer
	},
	"duplicate-scan": func(r *recorded) {
		r.missed("Katharina Lindqvist", "Katharina Lindquist")
		r.from = r.count() // re-resolution, which would find them, has not begun
		_, err := bulk.DuplicateScan(r.Context(), r, bulk.ScanConfig{
			Tenant: r.caller.Tenant, Index: r.index, Now: r.clock, Logger: slog.New(slog.DiscardHandler),
			Found: func(bulk.Finding) error { return nil }, Checkpoint: func(tenure.Seq, bulk.ScanStats) error { return nil },
		})
		if err != nil {
			r.Fatal(err)
		}
	},
	"put-vocabulary": func(r *recorded) {
		_, err := r.svc.PutVocabulary(r.Context(), r.caller, tenure.Vocabulary{Name: tenure.Predicates, Closed: true}, []service.TermDefinition{
			{Name: "office", Cardinality: tenure.One, ValueType: tenure.TextValue},
		})
		if err != nil {
			r.Fatal(err)
		}
	},
	"keys": func(r *recorded) {
		k, err := r.svc.CreateKey(r.Context(), r.caller, service.KeyRequest{Label: "agent of Dana", Roles: []tenure.Role{tenure.RoleAgent}})
		if err != nil {
			r.Fatal(err)
		}
		if err := r.svc.RevokeKey(r.Context(), r.caller, k.Credential.ID); err != nil {
			r.Fatal(err)
		}
	},
}
