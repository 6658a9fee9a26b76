package sqlite

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// Every statement uses an index: its cost grows with its answer, not with the store.
func TestNothingIsScanned(t *testing.T) {
	s := testStore(t, filepath.Join(t.TempDir(), "tenure.db"))
	one := newID()
	sets := []tenure.ChangeSet{observed(1, one)}
	sets[0].Changes = append(sets[0].Changes, tenure.EntityPut{Entity: tenure.Entity{ID: one}}, tenure.AliasAdded{},
		tenure.VocabularyPut{}, tenure.TermPut{}, tenure.CasePut{}, tenure.IdentityDecisionPut{}, tenure.ReviewPut{}, tenure.AliasClosed{}, tenure.DocumentPut{})
	for range 2 { // the second round has versions to close
		if _, err := s.Apply(t.Context(), "t", 0, sets); err != nil {
			t.Fatal(err)
		}
		sets[0].Changes, sets[0].Key, sets[0].ReadSet = sets[0].Changes[4:], nil, sets[0].ReadSet[:0]
	}
	readEverything(t, s)
	texts := []string{}
	for text := range s.stmts {
		texts = append(texts, text)
	}
	for text := range s.writer.stmts {
		if !strings.HasPrefix(text, "COMMIT") {
			texts = append(texts, text)
		}
	}
	if len(texts) < 40 {
		t.Fatalf("only %d statements were found", len(texts))
	}
	for _, text := range texts {
		if strings.HasPrefix(text, "PRAGMA") {
			continue
		}
		plan := planOf(t, s, text)
		for _, line := range plan {
			if scans(line) {
				t.Errorf("%s in\n%s\n%s", line, text, strings.Join(plan, "\n"))
			}
		}
	}
}

// TestTextsAreSearchedOnce checks that the claims with a text are found by their rows, not among all of a tenant's.
func TestTextsAreSearchedOnce(t *testing.T) {
	s := testStore(t, filepath.Join(t.TempDir(), "tenure.db"))
	plan := strings.Join(planOf(t, s, chosen+` FROM json_each(?3) j CROSS JOIN `+saying+withStanding), "\n")
	if !strings.Contains(plan, "SEARCH c USING INTEGER PRIMARY KEY") {
		t.Error(plan)
	}
}

// TestProposalsAreReadNewestFirst checks that what was proposed of an entity is read in the order of its key, up to the
// limit, and not sorted.
func TestProposalsAreReadNewestFirst(t *testing.T) {
	s := testStore(t, filepath.Join(t.TempDir(), "tenure.db"))
	plan := strings.Join(planOf(t, s, proposalsOn), "\n")
	if !strings.Contains(plan, "SEARCH p USING PRIMARY KEY (tenant=? AND entity=? AND tx<?)") ||
		strings.Contains(plan, "TEMP B-TREE") {
		t.Error(plan)
	}
}

// TestPassagesAreReadInOrder checks that of each place the first passages are read in the order of its index, up to the
// limit, by rows that are found by their ids.
func TestPassagesAreReadInOrder(t *testing.T) {
	s := testStore(t, filepath.Join(t.TempDir(), "tenure.db"))
	plan := strings.Join(planOf(t, s, passagesIn), "\n")
	if !strings.Contains(plan, "SEARCH p USING COVERING INDEX passage_place (tenant=? AND place=? AND id>?)") ||
		strings.Count(plan, "TEMP B-TREE") > 1 { // the last is of what the places have together
		t.Error(plan)
	}
}

func planOf(t *testing.T, s *Store, text string) []string {
	t.Helper()
	rows, err := s.reads.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, make([]any, params(text))...)
	plan, err := scanAll(rows, err, func(rows *sql.Rows, line *string) error {
		var n int
		return rows.Scan(&n, &n, &n, line)
	})
	if err != nil {
		t.Fatal(err, text)
	}
	return plan
}

// scans reports whether a line of a query plan scans a whole table. The lists of all credentials and tenants may.
func scans(line string) bool {
	return strings.HasPrefix(line, "SCAN") && !strings.Contains(line, "VIRTUAL TABLE") &&
		!strings.HasPrefix(line, "SCAN (subquery") && !strings.HasSuffix(line, "CONSTANT ROW") &&
		!strings.HasSuffix(line, "-ROW VALUES CLAUSE") && line != "SCAN n" && // of one row
		line != "SCAN credential USING INDEX credential_created" &&
		!strings.HasPrefix(line, "SCAN tenant USING COVERING INDEX")
}

// params counts the parameters of a statement.
func params(text string) int {
	n := 0
	for i := 1; i <= 9; i++ {
		if strings.Contains(text, "?"+string(rune('0'+i))) {
			n = i
		}
	}
	if n == 0 {
		n = strings.Count(text, "?")
	}
	return n
}

// readEverything calls each method of a reader, with and without filters.
func readEverything(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	ids, keys, w := []tenure.ID{newID()}, []string{"k"}, tenure.Window{From: 1, Until: 2}
	levels := []tenure.Classification{tenure.Public}
	var r store.Reader
	for _, at := range []tenure.AsOf{{Seq: 1}, {Known: 1}, {}} {
		var err error
		if r, err = s.View(ctx, "t", at); err != nil {
			t.Fatal(err)
		}
	}
	calls := []func() (any, error){
		func() (any, error) { return r.Receipts(ctx, keys) },
		func() (any, error) { return r.Entities(ctx, ids) },
		func() (any, error) { return r.AliasesByKey(ctx, []tenure.AliasKey{{Kind: "k", Key: "k"}}) },
		func() (any, error) { return r.AliasesOf(ctx, ids) },
		func() (any, error) { return r.SlotsAfter(ctx, "", 1) },
		func() (any, error) { return r.Beliefs(ctx, ids) },
		func() (any, error) { return r.BeliefsByKey(ctx, keys) },
		func() (any, error) { return r.Dependents(ctx, ids) },
		func() (any, error) { return r.Superseders(ctx, ids) },
		func() (any, error) { return r.Live(ctx, ids, w, 1) },
		func() (any, error) { return r.Facts(ctx, ids, w, 1) },
		func() (any, error) { return r.Displaced(ctx, ids, w, 1) },
		func() (any, error) { return r.DisplacedFacts(ctx, ids, w, 1) },
		func() (any, error) { return r.Relations(ctx, ids, w, 1) },
		func() (any, error) { return r.MentionsOf(ctx, ids[0], "", 1) },
		func() (any, error) { return r.Cases(ctx, ids) },
		func() (any, error) { return r.Referring(ctx, ids) },
		func() (any, error) { return r.Saying(ctx, []string{"a"}, 10) },
		func() (any, error) { return r.Recent(ctx, store.RecentQuery{Window: w, Limit: 1}) },
		func() (any, error) { return r.Recent(ctx, store.RecentQuery{Of: store.Remarks, Window: w, Limit: 1}) },
		func() (any, error) {
			return r.Recent(ctx, store.RecentQuery{Of: store.Directives, Window: w, Limit: 1})
		},
		func() (any, error) { return r.Mentions(ctx, ids) },
		func() (any, error) { return r.IdentityDecisions(ctx, ids) },
		func() (any, error) { return r.IdentityDecisionsOn(ctx, ids) },
		func() (any, error) { return r.Reviews(ctx, ids) },
		func() (any, error) { return r.OpenReviews(ctx, ids, 1) },
		func() (any, error) { return r.ListReviews(ctx, store.ReviewQuery{Limit: 1}) },
		func() (any, error) { return r.ListReviews(ctx, store.ReviewQuery{Entity: ids[0], Limit: 1}) },
		func() (any, error) { return r.ListReviews(ctx, store.ReviewQuery{State: tenure.ReviewOpen, Limit: 1}) },
		func() (any, error) { return r.ListReviews(ctx, store.ReviewQuery{Ranked: true, Limit: 1}) },
		func() (any, error) {
			return r.ListReviews(ctx, store.ReviewQuery{Ranked: true, Entity: ids[0], Limit: 1})
		},
		func() (any, error) {
			return r.ListReviews(ctx, store.ReviewQuery{Ranked: true, State: tenure.ReviewOpen, Limit: 1})
		},
		func() (any, error) { return r.Observations(ctx, ids) },
		func() (any, error) { return r.ListObservations(ctx, store.ObservationQuery{Limit: 1}) },
		func() (any, error) {
			return r.ListObservations(ctx, store.ObservationQuery{By: store.BySession, Name: "s"})
		},
		func() (any, error) {
			return r.ListObservations(ctx, store.ObservationQuery{By: store.ByProject, Name: "p"})
		},
		func() (any, error) {
			return r.ListObservations(ctx, store.ObservationQuery{By: store.BySpeaker, Name: "d"})
		},
		func() (any, error) { return r.ProposalsOn(ctx, ids, tenure.Scope{}, 1) },
		func() (any, error) { return r.Vocabularies(ctx, keys) },
		func() (any, error) { return r.Terms(ctx, keys) },
		func() (any, error) { return r.ListTerms(ctx, "v", "", 1) },
		func() (any, error) { return r.Documents(ctx, ids) },
		func() (any, error) { return r.ListDocuments(ctx, store.DocumentQuery{Limit: 1}) },
		func() (any, error) { return r.ListDocuments(ctx, store.DocumentQuery{URI: "u", Limit: 1}) },
		func() (any, error) { return r.Passages(ctx, ids) },
		func() (any, error) { return r.PassagesOf(ctx, ids) },
		func() (any, error) { return r.PassagesIn(ctx, tenure.Scope{UserID: "u"}, "", 1) },
		func() (any, error) { return r.History(ctx, ids[0], 0, 1) },
		func() (any, error) { return s.Log(ctx, "t", 0, 1) },
		func() (any, error) { _, _, err := s.Grown(ctx, store.Mark{}); return nil, err },
		func() (any, error) { _, _, err := s.Grown(ctx, store.Mark{At: 1}); return nil, err },
		func() (any, error) { return s.Credentials(ctx, "") },
		func() (any, error) { return s.Credentials(ctx, "t") },
		func() (any, error) {
			return nil, s.PutCompilation(ctx, "t", tenure.Compilation{ID: ids[0], Body: []byte("x")})
		},
		func() (any, error) { return s.Compilation(ctx, "t", ids[0]) },
		func() (any, error) { return nil, s.PutCredential(ctx, tenure.Credential{ID: ids[0]}) },
		func() (any, error) { return s.Credential(ctx, ids[0]) },
		func() (any, error) { return nil, s.PutAudit(ctx, "t", tenure.AuditEvent{ID: ids[0]}) },
		func() (any, error) { return s.Audit(ctx, "t", store.AuditQuery{Limit: 1}) },
		func() (any, error) { return s.Audit(ctx, "t", store.AuditQuery{Key: ids[0], Limit: 1}) },
		func() (any, error) { return s.Audit(ctx, "t", store.AuditQuery{Kind: tenure.AuditIssued, Limit: 1}) },
		func() (any, error) { return s.Tenants(ctx) },
		func() (any, error) { return s.Keyed(ctx, "t", 1, 2) },
		func() (any, error) { return s.Compilations(ctx, "t", "", 1) },
		func() (any, error) {
			return nil, s.PutOutcome(ctx, "t", tenure.CompilationOutcome{Compilation: ids[0]}, 0)
		},
		func() (any, error) { return s.Outcomes(ctx, "t", store.OutcomeQuery{Limit: 1}) },
		func() (any, error) {
			return s.Outcomes(ctx, "t", store.OutcomeQuery{Of: store.Requesters{Clearances: levels}, Limit: 1})
		},
		func() (any, error) { return s.LastUsed(ctx, "t", ids, store.Requesters{Clearances: levels}) },
		func() (any, error) {
			return s.EraseCompilations(ctx, "t", func(tenure.Compilation) bool { return true })
		},
		func() (any, error) { return s.DropCompilations(ctx, "t", engine.AfterIDs, 1) },
	}
	for i := range 8 {
		q, c := store.BeliefQuery{Contested: i&1 != 0, Limit: 1}, store.CaseQuery{Limit: 1}
		if i&2 != 0 {
			q.Subject, c.Subject = ids[0], ids[0]
		}
		if i&4 != 0 {
			q.Predicate, c.State = "p", tenure.CaseOpen
		}
		calls = append(calls, func() (any, error) { return r.List(ctx, q) }, func() (any, error) { return r.ListCases(ctx, c) })
	}
	all, err := r.List(ctx, store.BeliefQuery{})
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	calls = append(calls,
		func() (any, error) { return r.Slots(ctx, []tenure.Slot{all[0].Claim.Slot()}) },
		func() (any, error) { return r.Observation(ctx, all[0].Claim.Observation) })
	for i, call := range calls {
		if _, err := call(); err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
}
