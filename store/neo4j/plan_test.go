package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store"
	"tenure/store/neo4j/graph"
)

// internal opens a store for tests of unexported parts.
func internal(t testing.TB) *Store {
	t.Helper()
	uri := os.Getenv("NEO4J_URI")
	if uri == "" {
		t.Fatal("NEO4J_URI is not set: these tests need a real Neo4j; run make test, which starts one")
	}
	s, err := Open(context.Background(), uri, Config{
		Username: cmp.Or(os.Getenv("NEO4J_USERNAME"), "neo4j"),
		Password: cmp.Or(os.Getenv("NEO4J_PASSWORD"), "testpassword"),
		Now:      time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// hot lists the statements that run on each request. An inOrder statement returns its rows in the order of
// its index, so that a LIMIT stops the search.
var hot = []struct {
	name, cypher string
	inOrder      bool
}{
	{"readHead", readHead, false}, {"waitHead", waitHead, false}, {"entryTx", entryTx, false},
	{"entryAt", entryAt, true}, {"readLog", readLog, true}, {"receiptsOf", receiptsOf, false},
	{"entitiesByID", entitiesByID, false}, {"casesByID", casesByID, false},
	{"vocabulariesByID", vocabulariesByID, false}, {"termsByID", termsByID, false},
	{"aliasesOf", aliasesOf, false}, {"aliasesOfEntities", aliasesOfEntities, false}, {"observationByID", observationByID, false},
	{"mentionsOf", mentionsOf, true}, {"termsAfter", termsAfter, true}, {"historyOf", historyOf, false},
	{"casesAll", casesAll, true}, {"casesOfSubject", casesOfSubject, true}, {"casesInState", casesInState, true},
	{"casesWereInState", casesWereInState, false}, {"casesRanked", casesRanked, true}, {"casesWereRanked", casesWereRanked, false},
	{"casesAllRanked", casesAllRanked, false}, {"casesOfSubjectRanked", casesOfSubjectRanked, false},
	{"beliefsByID", beliefsByID, false},
	{"beliefsByKey", beliefsByKey, false}, {"dependentsOf", dependentsOf, false}, {"supersedersOf", supersedersOf, false},
	{"referringTo", referringTo, false}, {"mentionsByID", mentionsByID, false},
	{"identityDecisionsByID", identityDecisionsByID, false}, {"identityDecisionsOn", identityDecisionsOn, false}, {"reviewsByID", reviewsByID, false},
	{"reviewsAll", reviewsAll, true}, {"reviewsNaming", reviewsNaming, true}, {"reviewsInState", reviewsInState, true},
	{"reviewsWereInState", reviewsWereInState, false}, {"reviewsRanked", reviewsRanked, true},
	{"reviewsWereRanked", reviewsWereRanked, false}, {"reviewsAllRanked", reviewsAllRanked, false},
	{"reviewsNamingRanked", reviewsNamingRanked, false}, {"observationsByID", observationsByID, false},
	{"observationsListed", observationsListed, true}, {"observationsOfSession", observationsOfSession, true},
	{"observationsOfProject", observationsOfProject, true}, {"observationsOfSpeaker", observationsOfSpeaker, true},
	{"proposalsOn", proposalsOn, true},
	{"beliefTexts", beliefTexts, false}, {"liveBeliefs", liveBeliefs, true}, {"liveFacts", liveFacts, true}, {"fallenBeliefs", fallenBeliefs, true}, {"fallenFacts", fallenFacts, true},
	{"relationsOf", relationsOf, true}, {"listAll", listAll, true}, {"listContested", listContested, true},
	{"sayingTexts", sayingTexts, false},
	{"recent beliefs", recentQueries[store.AllClaims][0], false}, {"past beliefs", recentQueries[store.AllClaims][1], false},
	{"recent remarks", recentQueries[store.Remarks][0], false}, {"past remarks", recentQueries[store.Remarks][1], false},
	{"recent directives", recentQueries[store.Directives][0], false}, {"past directives", recentQueries[store.Directives][1], false},
	{"listSubject", listSubject, true}, {"listPredicate", listPredicate, true}, {"amendmentsOf", amendmentsOf, false},
	{"slotsAfter", slotsAfter, true}, {"slotEvidence", slotEvidence, false}, {"slotCases", slotCases, false},
	{"credentialByID", credentialByID, false}, {"credentialsAll", credentialsAll, true},
	{"credentialsTenant", credentialsTenant, true}, {"putCredential", putCredential, false}, {"putAudit", putAudit, false},
	{"auditAll", auditAll, true}, {"auditOfKind", auditOfKind, true}, {"auditOfKey", auditOfKey, true},
	{"compilationByID", compilationByID, false}, {"tenantNames", tenantNames, false}, {"grownLogs", grownLogs, false},
	{"keyedWithin", keyedWithin, true}, {"compilationsAfter", compilationsAfter, false},
	{"putOutcome", putOutcome, false}, {"outcomesOfActor", outcomesOfActor, true}, {"outcomesOfAny", outcomesOfAny, true},
	{"lastUsed", lastUsed, false}, {"emptyCompilations", emptyCompilations, false},
	{"dropCompilations", dropCompilations, true},
	{"amendmentsByID", amendmentsByID, false},
	{"takeLock", takeLock, false}, {"touchedAfter", touchedAfter, false}, {"usedKeys", usedKeys, false},
	{"applied", applied, false}, {"addEntries", addEntries, false}, {"putEntities", putEntities, false},
	{"putCases", putCases, false}, {"putVocabularies", putVocabularies, false}, {"putTerms", putTerms, false},
	{"putIdentityDecisions", putIdentityDecisions, false}, {"putReviews", putReviews, false}, {"linkDecisionSides", linkDecisionSides, false},
	{"linkAsked", linkAsked, false}, {"closeAliases", closeAliases, false}, {"moveClaims", moveClaims, false},
	{"linkMerged", linkMerged, false}, {"addAliases", addAliases, false}, {"addObservations", addObservations, false},
	{"addProposals", addProposals, false},
	{"addMentions", addMentions, false}, {"addClaims", addClaims, false}, {"assignMentions", assignMentions, false},
	{"addRelations", addRelations, false}, {"linkCurrent", linkCurrent, false}, {"unlinkCurrent", unlinkCurrent, false},
	{"addNames", addNames, false}, {"linkLosses", linkLosses(), false}, {"renameValues", renameValues, false},
	{"addDepends", addDepends, false}, {"putStandings", putStandings, false},
	{"addAmendments", addAmendments, false}, {"linkHeld", linkHeld, false},
	{"linkUndone", linkUndone, false},
	{"documentsByID", documentsByID, false}, {"documentsAll", documentsAll, true}, {"documentsOfURI", documentsOfURI, true},
	{"passagesByID", passagesByID, false}, {"passagesOf", passagesOf, false}, {"passagesIn", passagesIn, false},
	{"putDocuments", putDocuments, false}, {"addPassages", addPassages, false},
	{"passagesToErase", passagesToErase, false}, {"setPassages", setPassages, false},
}

// linkLosses returns every part of the statement that closes and adds edges.
func linkLosses() string {
	some := []any{args{}}
	statement, _ := (&graph.LossRows{Closed: some, Untied: some, Superseded: some, Overridden: some, Tied: some}).Statement()
	return statement + addEntries
}

// parameters holds values of the types that the statements take.
var parameters = args{
	"tenant": "t", "id": "x", "since": 1, "at": 1, "forever": graph.Forever, "seq": 1, "tx": 1, "hash": "", "after": "", "limit": 10,
	"until": 2, "from": 1, "ids": []any{"a", "b"}, "texts": []any{"a"}, "keys": []any{"a"}, "forms": []any{"a"}, "slots": []any{"a"},
	"entity": "e", "subject": "s", "predicate": "p", "state": "open", "vocabulary": "v", "base": 0, "salt": []byte{}, "rows": []any{},
	"name": "t", "dawn": 0, "closed": []any{}, "untied": []any{}, "superseded": []any{}, "overridden": []any{}, "tied": []any{},
	"before": 2, "before_id": "x", "places": []any{"/"}, "reach": 40,
	"key": "k", "kind": "issued", "created_at": 1, "label": "l", "body": "{}", "revoked_at": 1, "expires_at": 1, "last_used_at": 1,
	"uri_key": "u", "actor": "a", "clearance": "public", "clearances": []any{"public"}, "version": 1, "compiled_at": 1,
	"objects": []any{"a"}, "empty": []byte{},
}

func TestPlans(t *testing.T) {
	s := planned(t)
	t.Run("hot-statements-meet-their-indexes", func(t *testing.T) { hotStatementsMeetTheirIndexes(t, s) })
	t.Run("texts-are-read-newest-first", func(t *testing.T) { textsAreReadNewestFirst(t, s) })
	t.Run("passages-are-read-in-order", func(t *testing.T) { passagesAreReadInOrder(t, s) })
}

func hotStatementsMeetTheirIndexes(t *testing.T, s *Store) {
	for _, h := range hot {
		t.Run(h.name, func(t *testing.T) {
			plan := explain(t, s, h.cypher)
			forbidden := []string{"NodeByLabelScan", "AllNodesScan", "RelationshipTypeScan", "NodeIndexScan"}
			if h.inOrder {
				forbidden = append(forbidden, "+Sort ", "+Top ", "+PartialTop ", "+PartialSort ")
			}
			for _, f := range forbidden {
				if strings.Contains(plan, f) {
					t.Errorf("the plan has %s:\n%s", f, plan)
					break
				}
			}
		})
	}
}

// textsAreReadNewestFirst checks that texts are read up to the limit.
func textsAreReadNewestFirst(t *testing.T, s *Store) {
	if plan := explain(t, s, sayingTexts); !strings.Contains(plan, "+PartialTop ") {
		t.Errorf("all that say a text are read and sorted:\n%s", plan)
	}
}

// passagesAreReadInOrder checks that of each place the first passages are read, up to the limit: only what the places
// have together is sorted.
func passagesAreReadInOrder(t *testing.T, s *Store) {
	plan := explain(t, s, passagesIn)
	if strings.Count(plan, "+Top ")+strings.Count(plan, "+Sort ")+strings.Count(plan, "+PartialTop ") != 1 {
		t.Errorf("all passages of a place are read and sorted:\n%s", plan)
	}
}

// planned returns a store with enough in it that plans are chosen by what is there, and not made while it was empty.
func planned(t *testing.T) *Store {
	t.Helper()
	g := newGraph(t, nil)
	const count = 300
	var changes []tenure.Change
	for i := range count {
		n := fmt.Sprint(i)
		e := tenure.Entity{ID: newID(), Name: n, CreatedAt: 1}
		o := tenure.Observation{
			ID: newID(), Scope: tenure.Scope{ProjectID: n}, Text: n, ObservedAt: tenure.Instant(i + 1),
			Source: tenure.Source{Origin: "test://" + n, Speaker: n, Session: n, Thread: n},
		}
		c := tenure.Claim{
			ID: newID(), Observation: o.ID, Subject: e.ID, Predicate: "owns_" + n, Key: n,
			Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Value: tenure.Value{Entity: e.ID, Canonical: string(e.ID)},
		}
		d := tenure.Document{ID: newID(), URI: "test://" + n, Version: 1, Passages: 1}
		p := tenure.Passage{ID: tenure.PassageID(d.ID, 1, 1), Document: d.ID, Version: 1, Number: 1, Text: n}
		changes = append(changes, tenure.ObservationAdded{Observation: o}, tenure.EntityPut{Entity: e},
			tenure.ClaimAdded{Claim: c}, tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{
				Belief: c.ID, Segments: []tenure.Segment{{Window: c.Window, Cause: tenure.Stands}},
			}},
			tenure.DocumentPut{Document: d, Passages: []tenure.Passage{p}})
	}
	g.apply(changes...)
	if _, err := g.s.execute(context.Background(), "CALL db.prepareForReplanning()", nil); err != nil {
		t.Fatal(err)
	}
	return g.s
}

// explain returns a query plan as text. The driver's tree of operators repeats the last child, so only the
// text is complete.
func explain(t *testing.T, s *Store, cypher string) string {
	t.Helper()
	ctx := context.Background()
	session := s.session(ctx, driver.AccessModeWrite)
	defer func() { _ = session.Close(ctx) }()
	text, params, err := asOneMap(cypher, parameters)
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.Run(ctx, "EXPLAIN "+text, params)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := summary.Plan().Arguments()["string-representation"].(string)
	if plan == "" {
		t.Fatal("there is no text of the plan")
	}
	return plan
}
