package neo4j

import (
	"context"
	"fmt"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/migrations"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

// migrate brings the schema of the database up to date. It may be run again after it was killed, and
// concurrently with another run. It returns Internal if the schema is newer than this program's, or was made by
// other migrations with the same numbers.
func (s *Store) migrate(ctx context.Context) error {
	list, err := migrations.Cypher()
	if err != nil {
		return fault(err)
	}
	return fault(s.bring(ctx, ledger, list))
}

// ledger names the list of completed migrations.
const ledger = "tenure"

// The constraints on the migration records are created first, outside of any migration: they are the same in
// every version.
var bootstrap = []string{
	`CREATE CONSTRAINT migration_lock IF NOT EXISTS FOR (n:MigrationLock) REQUIRE n.ledger IS UNIQUE`,
	`CREATE CONSTRAINT migration_number IF NOT EXISTS FOR (n:Migration) REQUIRE (n.ledger, n.number) IS UNIQUE`,
}

const (
	takeMigrationLock = `MERGE (l:MigrationLock {ledger: $ledger}) SET l.locked = true RETURN l.ledger`
	readMigrations    = `MATCH (m:Migration) WHERE m.ledger = $ledger AND m.number > 0
RETURN m.number, m.name, m.checksum ORDER BY m.number`
	recordMigration = `MERGE (m:Migration {ledger: $ledger, number: $number})
SET m.name = $name, m.checksum = $checksum, m.applied_at = $at`
)

// pending lists the migrations that were not run.
func (s *Store) pending(
	ctx context.Context, ledger string, list []migrations.Migration,
) ([]migrations.Migration, error) {
	rows, err := s.query(ctx, readMigrations, args{"ledger": ledger})
	if err != nil {
		return nil, err
	}
	done := make([]migrations.Migration, len(rows))
	for i, r := range rows {
		done[i] = migrations.Migration{Number: int(r.number(0)), Name: r.text(1), Checksum: r.text(2)}
	}
	return engine.Pending(list, done)
}

// bring runs the pending migrations in order, while it holds the lock of the ledger. The lock has a
// transaction of its own, since Neo4j allows no schema change in a transaction that writes; a killed process
// frees it.
func (s *Store) bring(ctx context.Context, ledger string, list []migrations.Migration) error {
	// Without the constraints there is no index on the records yet; but then there are no records to scan.
	behind, err := s.pending(ctx, ledger, list)
	if err != nil || len(behind) == 0 {
		return err
	}
	for _, statement := range bootstrap {
		if _, err := s.execute(ctx, statement, args{}); err != nil {
			return err
		}
	}
	release, err := s.lockLedger(ctx, ledger)
	if err != nil {
		return err
	}
	defer release()
	if behind, err = s.pending(ctx, ledger, list); err != nil {
		return err
	}
	for _, m := range behind {
		if err := s.step(ctx, ledger, m); err != nil {
			return err
		}
	}
	_, err = s.execute(ctx, `CALL db.awaitIndexes(600)`, args{})
	return err
}

func (s *Store) lockLedger(ctx context.Context, ledger string) (release func(), err error) {
	release, err = retry(ctx, transient, func() (func(), error) { return s.lockLedgerOnce(ctx, ledger) })
	return release, fault(err)
}

func (s *Store) lockLedgerOnce(ctx context.Context, ledger string) (release func(), err error) {
	session := s.session(ctx, driver.AccessModeWrite)
	tx, err := session.BeginTransaction(ctx)
	if err == nil {
		var result driver.ResultWithContext
		result, err = tx.Run(ctx, takeMigrationLock, args{"ledger": ledger})
		_, err = gather(ctx, result, err)
	}
	if err != nil {
		_ = session.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return func() {
		_ = tx.Commit(context.WithoutCancel(ctx))
		_ = session.Close(context.WithoutCancel(ctx))
	}, nil
}

// dataSteps are the parts of migrations that Cypher cannot express; each runs before the statements of its
// migration and is idempotent.
var dataSteps = map[string]func(*Store, context.Context) error{
	"0003_reviews.cypher":   (*Store).rankReviews,
	"0004_words.cypher":     (*Store).renameWords,
	"0005_relations.cypher": (*Store).spreadRelations,
	"0006_graph.cypher":     (*Store).drawGraph,

	"0007_predicates.cypher":   (*Store).placeRelocations,
	"0008_observations.cypher": (*Store).placeObservations,
	"0009_cases.cypher":        (*Store).rankCases,
	"0010_said.cypher":         (*Store).placeTexts,
	"0011_recent.cypher":       (*Store).placeScopes,
	"0012_threads.cypher":      (*Store).placeThreads,
	"0014_texts.cypher":        (*Store).listTexts,
	"0015_proposed.cypher":     (*Store).drawProposals,
	"0018_directives.cypher":   (*Store).markDirectives,
	"0021_salted.cypher":       (*Store).emptyWriteSets,
}

// step runs one migration and records it. A migration that was killed in between is run again: its statements
// are idempotent.
func (s *Store) step(ctx context.Context, ledger string, m migrations.Migration) error {
	if do := dataSteps[m.Name]; do != nil {
		if err := do(s, ctx); err != nil {
			return fmt.Errorf("migration %s: %w", m.Name, err)
		}
	}
	for _, statement := range m.Statements {
		if _, err := s.execute(ctx, statement, args{}); err != nil {
			return fmt.Errorf("migration %s: %w", m.Name, err)
		}
	}
	_, err := s.execute(ctx, recordMigration, args{
		"ledger": ledger, "number": m.Number, "name": m.Name, "checksum": m.Checksum, "at": int64(tenure.At(s.now())),
	})
	return err
}

const (
	changedAtOnce = 10_000 // bounds what one statement of a migration changes
	rankedAtOnce  = 1000   // bounds the questions that one statement ranks, and the observations that one places
)

const setRanks = `UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.node SET n.rank = row.rank`

func (s *Store) rankReviews(ctx context.Context) error {
	return rankAll[tenure.Review](ctx, s, "Review")
}

func (s *Store) rankCases(ctx context.Context) error {
	return rankAll[tenure.Case](ctx, s, "QuarantineCase")
}

// rankAll computes the rank of the versions of a label that have none.
func rankAll[T interface{ Rank() string }](ctx context.Context, s *Store, label string) error {
	unranked := `MATCH (n:` + label + `|` + label + `Version) WHERE n.rank IS NULL
RETURN elementId(n), n.body LIMIT $limit`
	return s.rewrite(ctx, unranked, setRanks, rankedAtOnce, func(r row) (args, error) {
		_, body, ok := graph.Unstamp(r.text(1))
		if !ok {
			body = r.text(1)
		}
		var question T
		if err := engine.Decode(body, &question); err != nil {
			return nil, fmt.Errorf("a %s cannot be read: %w", label, err)
		}
		return args{"node": r.text(0), "rank": question.Rank()}, nil
	})
}

// A body has "session_id": and "project_id": only where they are stated: JSON escapes the quotation marks of a text.
const (
	unplaced = `MATCH (n:Observation)
WHERE n.session_id IS NULL AND n.body CONTAINS '"session_id":' OR n.project_id IS NULL AND n.body CONTAINS '"project_id":'
RETURN elementId(n), n.body LIMIT $limit`
	setPlaces = `UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.node
SET n.session_id = row.session, n.project_id = row.project`
)

// placeObservations sets the session and the project of observations that lack them.
func (s *Store) placeObservations(ctx context.Context) error {
	return s.rewrite(ctx, unplaced, setPlaces, rankedAtOnce, func(r row) (args, error) {
		var o tenure.Observation
		if err := engine.Decode(r.text(1), &o); err != nil {
			return nil, fmt.Errorf("an observation cannot be read: %w", err)
		}
		return args{
			"node": r.text(0), "session": graph.OrNull(store.BySession.Field(o)), "project": graph.OrNull(store.ByProject.Field(o)),
		}, nil
	})
}

// Every observation has an origin, which is its thread where nothing else is.
const (
	unthreaded = `MATCH (n:Observation) WHERE n.thread IS NULL AND n.origin <> '' RETURN elementId(n), n.body LIMIT $limit`
	setThreads = `UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.node SET n.thread = row.thread`
)

// placeThreads sets the threads of observations that lack them.
func (s *Store) placeThreads(ctx context.Context) error {
	return s.rewrite(ctx, unthreaded, setThreads, rankedAtOnce, func(r row) (args, error) {
		var o tenure.Observation
		if err := engine.Decode(r.text(1), &o); err != nil {
			return nil, fmt.Errorf("an observation cannot be read: %w", err)
		}
		return args{"node": r.text(0), "thread": store.ByThread.Field(o)}, nil
	})
}

// formerRelations replaces the edges of relations that stand in other spans than their edge says: until migration 5
// the one edge of a relation had the window that the claim states. A relation that stands in all of this window has
// no other edge now.
var formerRelations = `MATCH ()-[x:REL]->()
MATCH (b:Belief {tenant: x.tenant, id: x.belief})
WHERE NOT any(i IN range(1, size(b.stands) - 2, 2) WHERE b.stands[i] = x.valid_from AND b.stands[i + 1] = x.valid_until)
WITH x, b LIMIT $limit
MATCH (b)-[:ABOUT]->(s:Entity)
MATCH (b)-[:VALUE]->(o:Entity)
DELETE x
WITH DISTINCT b, s, o
` + createRel + `
RETURN count(b)`

// spreadRelations gives each relation an edge for each span in which it stands.
func (s *Store) spreadRelations(ctx context.Context) error {
	return s.repeat(ctx, formerRelations)
}

// formerRelocations gives relocations the predicate that they were all of until migration 7.
const formerRelocations = `MATCH (b:Belief)-[:MOVED_TO]->(h:Relocation) WHERE h.predicate IS NULL
WITH b, h LIMIT $limit
SET h.predicate = b.predicate
RETURN count(*)`

// placeRelocations gives relocations their predicates.
func (s *Store) placeRelocations(ctx context.Context) error { return s.repeat(ctx, formerRelocations) }

// formerTexts lists the observations that have a text, by speaker and by thread.
const formerTexts = `MATCH (n:Observation) WHERE n.text IS NOT NULL AND n.thread IS NOT NULL AND n.text_thread IS NULL
WITH n LIMIT $limit
SET n.text_thread = n.thread, n.text_speaker = n.speaker
RETURN count(*)`

// listTexts lists the observations that lack the speaker and the thread of their texts.
func (s *Store) listTexts(ctx context.Context) error { return s.repeat(ctx, formerTexts) }

const unsalted = `MATCH (x:Entry) WHERE size(x.write_set) > 0 WITH x LIMIT $limit SET x.write_set = [] RETURN count(*)`

// emptyWriteSets removes the hashes of conflict keys that have no salt.
func (s *Store) emptyWriteSets(ctx context.Context) error { return s.repeat(ctx, unsalted) }

// repeat runs a statement that changes at most $limit things and returns how many it found, until it finds none.
func (s *Store) repeat(ctx context.Context, statement string) error {
	for {
		rows, err := s.execute(ctx, statement, args{"limit": changedAtOnce})
		if err != nil || rows[0].number(0) == 0 {
			return err
		}
	}
}

// rewrite reads at most limit rows at a time, computes what to write from each, and writes it, until the reading
// statement finds no more.
func (s *Store) rewrite(ctx context.Context, read, write string, limit int, compute func(row) (args, error)) error {
	for {
		found, err := s.query(ctx, read, args{"limit": limit})
		if err != nil || len(found) == 0 {
			return err
		}
		rows := make([]any, len(found))
		for i, r := range found {
			if rows[i], err = compute(r); err != nil {
				return err
			}
		}
		if _, err := s.execute(ctx, write, args{"rows": rows}); err != nil {
			return err
		}
	}
}

// probe leaves nothing. Its node has no label, so that no index and no constraint has to do with it.
const probe = `CREATE (n) DELETE n`

// Probe implements [store.Store].
func (s *Store) Probe(ctx context.Context) error {
	if _, err := s.execute(ctx, probe, args{}); err != nil {
		return &tenure.Error{Code: tenure.Unavailable, Message: "the store takes no writes", Err: err}
	}
	return nil
}

// pingTimeout bounds how long Ping waits for an answer.
const pingTimeout = 5 * time.Second

// Ping implements [store.Store].
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	list, err := migrations.Cypher()
	if err != nil {
		return fault(err)
	}
	behind, err := s.pending(ctx, ledger, list)
	switch {
	case err != nil:
		return &tenure.Error{Code: tenure.Unavailable, Message: "the store does not answer as it should", Err: err}
	case len(behind) > 0:
		return tenure.Errorf(tenure.Unavailable, "the store lacks migration %s", behind[0].Name)
	}
	return nil
}
