package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"tenure"
	"tenure/migrations"
	"tenure/store"
	"tenure/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// trial is a list of migrations on labels that no other test uses, since all tests share one database.
type trial struct {
	*testing.T
	s      *Store
	ledger string
	list   []migrations.Migration
}

func newTrial(t *testing.T) *trial {
	t.Helper()
	tr := &trial{T: t, s: internal(t), ledger: "trial-" + string(newID())}
	label := strings.ReplaceAll("T"+string(newID()), "-", "")
	var names []string
	for i := range 2 {
		m := migrations.Migration{Number: i + 1, Name: fmt.Sprintf("%04d_trial", i+1), Checksum: fmt.Sprint(i)}
		for k := range 2 {
			name := fmt.Sprintf("%s_%d_%d", label, i, k)
			names = append(names, name)
			m.Statements = append(m.Statements,
				fmt.Sprintf(`CREATE INDEX %s IF NOT EXISTS FOR (n:%s) ON (n.p%s)`, name, label, name))
		}
		tr.list = append(tr.list, m)
	}
	t.Cleanup(func() {
		for _, name := range names {
			tr.run(`DROP INDEX ` + name + ` IF EXISTS`)
		}
		tr.run(`MATCH (m:Migration) WHERE m.ledger = $ledger DELETE m`)
		tr.run(`MATCH (l:MigrationLock) WHERE l.ledger = $ledger DELETE l`)
	})
	return tr
}

func (tr *trial) run(cypher string) []row {
	tr.Helper()
	rows, err := tr.s.execute(context.Background(), cypher, args{"ledger": tr.ledger})
	if err != nil {
		tr.Fatal(err)
	}
	return rows
}

func (tr *trial) bring(list []migrations.Migration) error {
	return tr.s.bring(context.Background(), tr.ledger, list)
}

// complete fails the test unless each migration is recorded once and all its indexes exist.
func (tr *trial) complete() {
	tr.Helper()
	if behind, err := tr.s.pending(context.Background(), tr.ledger, tr.list); err != nil || len(behind) != 0 {
		tr.Errorf("behind by %v, %v", behind, err)
	}
	label := strings.Split(strings.Fields(tr.list[0].Statements[0])[2], "_")[0]
	rows, err := tr.s.execute(context.Background(),
		`SHOW INDEXES YIELD name, state WHERE name STARTS WITH $label AND state = 'ONLINE' RETURN name`, args{"label": label})
	if err != nil || len(rows) != 4 {
		tr.Errorf("%d indexes, %v", len(rows), err)
	}
}

func TestMigrationsRunOnceInOrder(t *testing.T) {
	tr := newTrial(t)
	for _, n := range []int{1, 2, 2} {
		if err := tr.bring(tr.list[:n]); err != nil {
			t.Fatal(err)
		}
	}
	tr.complete()
}

func TestTwoMigrationRunsAtOnce(t *testing.T) {
	tr := newTrial(t)
	other := internal(t)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			s := tr.s
			if i%2 == 0 {
				s = other
			}
			if err := s.bring(context.Background(), tr.ledger, tr.list); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	tr.complete()
}

func TestAMigrationThatWasKilledMidwayRunsAgain(t *testing.T) {
	tr := newTrial(t)
	if err := tr.bring(tr.list[:1]); err != nil {
		t.Fatal(err)
	}
	tr.run(tr.list[1].Statements[0]) // the process is killed after this statement
	if err := tr.bring(tr.list); err != nil {
		t.Fatal(err)
	}
	tr.complete()
}

func TestAMigrationThatFailedIsNotRecorded(t *testing.T) {
	tr := newTrial(t)
	broken := tr.list[1]
	broken.Statements = []string{broken.Statements[0], `CREATE NONSENSE`}
	if err := tr.bring([]migrations.Migration{tr.list[0], broken}); err == nil {
		t.Fatal("nonsense was taken")
	}
	if err := tr.bring(tr.list); err != nil {
		t.Fatal(err)
	}
	tr.complete()
}

func TestOtherSchemasAreRefused(t *testing.T) {
	tr := newTrial(t)
	if err := tr.bring(tr.list); err != nil {
		t.Fatal(err)
	}
	changed := append([]migrations.Migration{}, tr.list...)
	changed[0].Checksum = "another"
	for name, list := range map[string][]migrations.Migration{"changed": changed, "newer": tr.list[:1]} {
		if err := tr.bring(list); tenure.CodeOf(err) != tenure.Internal {
			t.Errorf("a %s schema: %v", name, err)
		}
	}
}

func TestEachStatementOfTheSchemaCanRunAgain(t *testing.T) {
	list, err := migrations.Cypher()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		for _, statement := range m.Statements {
			if !strings.Contains(statement, "IF NOT EXISTS") && !strings.HasSuffix(statement, "IF EXISTS") {
				t.Errorf("%s: not repeatable: %s", m.Name, statement)
			}
		}
	}
}

// A database that an earlier form of a migration made is up to date.
func TestAMigrationThatWasWrittenOtherwise(t *testing.T) {
	tr := newTrial(t)
	if err := tr.bring(tr.list); err != nil {
		t.Fatal(err)
	}
	again := slices.Clone(tr.list)
	again[1].Former, again[1].Checksum = []string{"older still", again[1].Checksum}, "another"
	if behind, err := tr.s.pending(context.Background(), tr.ledger, again); err != nil || len(behind) != 0 {
		t.Errorf("behind by %v, %v", behind, err)
	}
	list, err := migrations.Cypher()
	if err != nil {
		t.Fatal(err)
	}
	if !list[2].Made("3f5563956d96b67eb1b3b45941df5f25bea7347c8b151e58bff6cadfe25169af") || list[2].Made("another") {
		t.Error("the first form of the third migration is not known, or any is")
	}
}

// The migration computes the rank of existing reviews as the program does, older versions included, whatever
// their texts contain.
func TestReviewsOfBeforeHaveARank(t *testing.T) {
	s, ctx := internal(t), context.Background()
	for name, text := range map[string]string{
		"plain": "asked her", "a field": `"decided_at":7,`, "a field that ends": `","decided_at":7}`, "a stamp": `{"tx":1,"v":{"decided_at":7}}`,
		"an escape": `\"decided_at\":7,\`, "letters": "entschieden\u2028\"decided_at\": 7",
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			tenant := "rank-" + strings.ToLower(string(newID()))
			open := tenure.Review{ID: newID(), State: tenure.ReviewOpen, Entity: newID(), Name: text, Reason: text, Project: text}
			settled := open
			settled.State, settled.DecidedAt, settled.DecidedBy, settled.Note = tenure.ReviewSettled, 1_790_000_000_123_456, text, text
			settled.Events = []tenure.ReviewEvent{{Actor: text, Note: text}}
			for _, r := range []tenure.Review{open, settled} {
				set := tenure.ChangeSet{ID: newID(), Changes: []tenure.Change{tenure.ReviewPut{Review: r}}}
				if _, err := s.Apply(ctx, tenant, headOf(t, s, tenant), []tenure.ChangeSet{set}); err != nil {
					t.Fatal(err)
				}
			}
			of := args{"tenant": tenant, "id": string(open.ID)}
			if _, err := s.execute(ctx, `MATCH (n {tenant: $tenant, id: $id}) WHERE n:Review OR n:ReviewVersion SET n.rank = null`, of); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the migration can be run again
				if err := s.rankReviews(ctx); err != nil {
					t.Fatal(err)
				}
			}
			for label, want := range map[string]tenure.Review{"Review": settled, "ReviewVersion": open} {
				rows, err := s.query(ctx, `MATCH (n:`+label+` {tenant: $tenant, id: $id}) RETURN n.rank`, of)
				if err != nil || len(rows) != 1 || rows[0].text(0) != want.Rank() {
					t.Errorf("%s: got %v, %v, want %s", label, rows, err, want.Rank())
				}
			}
		})
	}
}

// TestFormerObservationsAreListed: the migration sets the sessions and projects of observations as the program does,
// whatever their texts contain.
func TestFormerObservationsAreListed(t *testing.T) {
	s, ctx := internal(t), context.Background()
	tenant := "observed-" + strings.ToLower(string(newID()))
	var changes []tenure.Change
	for i, o := range []tenure.Observation{
		{Scope: tenure.Scope{ProjectID: "p"}}, {Scope: tenure.Scope{SessionID: "s", ProjectID: "p"}},
		{Text: `"session_id":"s","project_id":"p"`},
	} {
		o.ID, o.ObservedAt = newID(), tenure.Instant(i)
		changes = append(changes, tenure.ObservationAdded{Observation: o})
	}
	set := tenure.ChangeSet{ID: newID(), Changes: changes}
	if _, err := s.Apply(ctx, tenant, headOf(t, s, tenant), []tenure.ChangeSet{set}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.execute(ctx, `MATCH (n:Observation {tenant: $tenant}) REMOVE n.session_id, n.project_id`, args{"tenant": tenant}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the migration can be run again
		if err := s.placeObservations(ctx); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.View(ctx, tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	for by, want := range map[store.ObservationField][]tenure.Instant{store.BySession: {1}, store.ByProject: {1, 0}, "": {2, 1, 0}} {
		name := map[store.ObservationField]string{store.BySession: "s", store.ByProject: "p"}[by]
		found, err := r.ListObservations(ctx, store.ObservationQuery{By: by, Name: name, Before: tenure.MaxTime})
		var got []tenure.Instant
		for _, o := range found {
			got = append(got, o.Observation.ObservedAt)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("by %q: %v, %v", by, got, err)
		}
	}
}

// TestFormerProposalsAreDrawn checks that the migration draws the edges of what was proposed before it as the program
// does.
func TestFormerProposalsAreDrawn(t *testing.T) {
	s, ctx := internal(t), context.Background()
	tenant, atlas := "proposed-"+strings.ToLower(string(newID())), newID()
	proposes := tenure.Said{Effect: tenure.Unsure, Entity: atlas, Proposal: &tenure.Proposal{Effect: tenure.Set}}
	other, nobody := proposes, proposes
	other.Entity, nobody.Entity = newID(), ""
	var changes []tenure.Change
	for _, o := range []tenure.Observation{
		{Statements: []tenure.Said{proposes, nobody, other, proposes}}, {Statements: []tenure.Said{nobody}}, {},
		{Scope: tenure.Scope{Kind: tenure.ScopeDraft, UserID: "u"}, Statements: []tenure.Said{proposes}},
	} {
		o.ID = newID()
		changes = append(changes, tenure.ObservationAdded{Observation: o})
	}
	set := tenure.ChangeSet{ID: newID(), Changes: changes}
	if _, err := s.Apply(ctx, tenant, headOf(t, s, tenant), []tenure.ChangeSet{set}); err != nil {
		t.Fatal(err)
	}
	drawn := func() []row {
		t.Helper()
		rows, err := s.query(ctx, `MATCH (o:Observation {tenant: $tenant})-[x:PROPOSES]->(e:Entity {tenant: $tenant})
RETURN x.tenant, o.id = x.observation, e.id = x.entity, x.entity, x.place, x.tx_start ORDER BY x.entity, x.place`,
			args{"tenant": tenant})
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	want := drawn()
	if len(want) != 3 {
		t.Fatalf("drawn are %v", want)
	}
	if _, err := s.execute(ctx, `MATCH (:Observation {tenant: $tenant})-[x:PROPOSES]->() DELETE x`, args{"tenant": tenant}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the migration can be run again
		if err := s.drawProposals(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, drawn()); diff != "" {
		t.Error(diff)
	}
}

func headOf(t *testing.T, s *Store, tenant string) tenure.Seq {
	t.Helper()
	r, err := s.View(context.Background(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	seq, _ := r.State()
	return seq
}

// TestFormerWords checks that a tenant written before migration 4, with the former labels, properties and
// fields, reads as one written after it.
func TestFormerWords(t *testing.T) {
	s, ctx := internal(t), context.Background()
	tenant, sample := "words-"+strings.ToLower(string(newID())), storetest.NewRenamed()
	read := func() []any {
		t.Helper()
		view, err := s.View(ctx, tenant, tenure.Present)
		if err != nil {
			t.Fatal(err)
		}
		list, err := sample.Read(ctx, view)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if _, err := s.Apply(ctx, tenant, headOf(t, s, tenant), []tenure.ChangeSet{sample.Set}); err != nil {
		t.Fatal(err)
	}
	want := read()
	for _, statement := range []string{
		`MATCH (n:IdentityDecision {tenant: $tenant}) SET n:Verdict, n.kind = 'distinct', n.actor = 'second_look', n.body =
			replace(replace(replace(n.body, '"kind":"cannot_link"', '"kind":"distinct"'), ':"re_resolution"', ':"second_look"'),
				':"exact_name"', ':"exact_form"') REMOVE n:IdentityDecision`,
		`MATCH (v:Verdict {tenant: $tenant})-[c:CONCERNS]->(e) CREATE (v)-[j:JUDGES]->(e) SET j = properties(c) DELETE c`,
		`MATCH (n:Review {tenant: $tenant}) SET n.value = n.priority, n.reason = 'ambiguous_form', n.decided_by = 'second_look',
			n.body = replace(replace(replace(replace(replace(replace(n.body, '"pending_mentions":', '"waiting":'),
				'"pending_beliefs":', '"held":'), '"priority":', '"value":'), '"merge":', '"verdict":'),
				':"ambiguous_name"', ':"ambiguous_form"'), ':"re_resolution"', ':"second_look"') REMOVE n.priority`,
		`MATCH (n:Entity {tenant: $tenant}) SET n.body = replace(n.body, '"ambiguous_name"', '"ambiguous_form"')`,
		`MATCH (:Mention {tenant: $tenant})-[a:ASSIGNED]->() SET a.reason = 'exact_form'`,
		`MATCH (x:Entry {tenant: $tenant}) SET x.cells = x.write_set, x.answer = $answer REMOVE x.write_set`,
	} {
		answer := `{"undone_verdicts":["v"],"verdict_id":"v","not_the_same":[],"mentions":[{"reason":"exact_form"}]}`
		if _, err := s.execute(ctx, statement, args{"tenant": tenant, "answer": []byte(answer)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the migration can be run again
		if err := s.renameWords(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, read()); diff != "" {
		t.Error(diff)
	}
	rows, err := s.query(ctx, `MATCH (v:IdentityDecision {tenant: $tenant, kind: 'cannot_link'})-[c:CONCERNS]->(:Entity)
MATCH (r:Review {tenant: $tenant}) MATCH (x:Entry {tenant: $tenant})
RETURN count(DISTINCT c), min(r.priority), min(r.reason), min(r.decided_by), count(x.write_set)`, args{"tenant": tenant})
	if err != nil || len(rows) != 1 || fmt.Sprint(rows[0]) != "[2 2.125 ambiguous_name re_resolution 2]" {
		t.Errorf("%v, %v", rows, err)
	}
}

// TestUnsaltedWriteSets checks that a migration leaves no hashes of conflict keys without a salt.
func TestUnsaltedWriteSets(t *testing.T) {
	s, ctx := internal(t), context.Background()
	tenant := "salts-" + strings.ToLower(string(newID()))
	count := func() string {
		t.Helper()
		rows, err := s.query(ctx, `MATCH (x:Entry {tenant: $tenant})
RETURN count(x), sum(CASE WHEN size(x.write_set) > 0 THEN 1 ELSE 0 END)`, args{"tenant": tenant})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(rows)
	}
	if _, err := s.Apply(ctx, tenant, headOf(t, s, tenant), []tenure.ChangeSet{storetest.NewRenamed().Set}); err != nil {
		t.Fatal(err)
	}
	if got := count(); got != "[[1 1]]" {
		t.Fatalf("%s before, not one entry with hashes", got)
	}
	for range 2 { // the migration can be run again
		if err := s.emptyWriteSets(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if got := count(); got != "[[1 0]]" {
		t.Errorf("%s after, not one entry without hashes", got)
	}
}
