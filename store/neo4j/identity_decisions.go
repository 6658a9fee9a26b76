package neo4j

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

const mentionsByID = `UNWIND $ids AS id
MATCH (m:Mention {tenant: $tenant, id: id}) WHERE m.tx_start <= $at
OPTIONAL MATCH (m)-[a:ASSIGNED]->(:Entity) WHERE a.tx_start <= $at AND a.tx_end > $at
RETURN m.tx_start, m.body, a.entity, a.score, a.decision, a.reason`

// Mentions implements [store.Reader].
func (r *reader) Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, mentionsByID, args{"ids": graph.Texts(ids)})
	if err != nil {
		return nil, err
	}
	found := make([]stamped[store.MentionRecord], len(rows))
	for i, row := range rows {
		found[i].tx = row.number(0)
		if found[i].thing, err = mentionIn(row[1:]); err != nil {
			return nil, fault(err)
		}
	}
	slices.SortFunc(found, func(a, b stamped[store.MentionRecord]) int {
		return cmp.Or(cmp.Compare(a.tx, b.tx), cmp.Compare(a.thing.Mention.ID, b.thing.Mention.ID))
	})
	return things(found), nil
}

// mentionIn decodes the body of a mention and its assignment, if any.
func mentionIn(row row) (m store.MentionRecord, err error) {
	if err := engine.Decode(row.text(0), &m.Mention); err != nil || row[1] == nil {
		return m, err
	}
	score, _ := row[2].(float64)
	m.Assignment = tenure.Assignment{
		Mention: m.Mention.ID, Entity: tenure.ID(row.text(1)), Score: score,
		Outcome: tenure.Outcome(row.text(3)), Reason: row.text(4),
	}
	return m, nil
}

const identityDecisionsOn = `UNWIND $ids AS id
MATCH (:Entity {tenant: $tenant, id: id})<-[:CONCERNS]-(n:IdentityDecision) WHERE n.tx_start <= $at
WITH DISTINCT n
OPTIONAL MATCH (n)-[:WAS]->(w:IdentityDecisionVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
RETURN n.body, w.body`

var (
	identityDecisionsByID = byID("IdentityDecision")
	reviewsByID           = byID("Review")

	reviewsAll         = pageOf("Review")
	reviewsInState     = pageOf("Review", "state")
	reviewsWereInState = wereInState("Review")
)

// IdentityDecisions implements [store.Reader].
func (r *reader) IdentityDecisions(ctx context.Context, ids []tenure.ID) ([]tenure.IdentityDecision, error) {
	return versionsByID(ctx, r, identityDecisionsByID, graph.Texts(ids),
		func(v tenure.IdentityDecision) string { return string(v.ID) })
}

// IdentityDecisionsOn implements [store.Reader].
func (r *reader) IdentityDecisionsOn(ctx context.Context, entities []tenure.ID) ([]tenure.IdentityDecision, error) {
	return versionsByID(ctx, r, identityDecisionsOn, graph.Texts(entities),
		func(v tenure.IdentityDecision) string { return string(v.ID) })
}

// Reviews implements [store.Reader].
func (r *reader) Reviews(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	return versionsByID(ctx, r, reviewsByID, graph.Texts(ids), func(v tenure.Review) string { return string(v.ID) })
}

// Three ways to page through reviews: by an entity that some version names, by state, or all.
const (
	reviewsNaming = `MATCH (n:Review)-[x:ASKS_ABOUT]->(:Entity) USING INDEX x:ASKS_ABOUT(tenant, entity, review)
WHERE x.tenant = $tenant AND x.entity = $entity AND x.review > $after AND x.tx_start <= $at
WITH n, x ORDER BY x.tenant, x.entity, x.review LIMIT $limit
OPTIONAL MATCH (n)-[:WAS]->(w:ReviewVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
RETURN n.id, n.body, w.body`
)

// Pages of reviews by rank.
var (
	reviewsRanked       = rankedInState("Review")
	reviewsWereRanked   = wereRanked("Review")
	reviewsAllRanked    = rankedOf("Review")
	reviewsNamingRanked = `MATCH (n:Review)-[x:ASKS_ABOUT]->(:Entity) USING INDEX x:ASKS_ABOUT(tenant, entity, review)
WHERE x.tenant = $tenant AND x.entity = $entity AND x.review > "" AND x.tx_start <= $at
WITH DISTINCT n` + rankThen("Review")
)

// openReviews finds what is open at the time, whatever became of it since.
const openReviews = `UNWIND $ids AS id
MATCH (n:Review)-[x:ASKS_ABOUT]->(:Entity) USING INDEX x:ASKS_ABOUT(tenant, entity, review)
WHERE x.tenant = $tenant AND x.entity = id AND x.review > "" AND x.tx_start <= $at
WITH DISTINCT n
OPTIONAL MATCH (n)-[:WAS]->(w:ReviewVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
WITH n, w WHERE coalesce(w.state, n.state) = $state
RETURN n.id, n.body, w.body ORDER BY n.id LIMIT $limit`

// OpenReviews implements [store.Reader].
func (r *reader) OpenReviews(ctx context.Context, entities []tenure.ID, limit int) ([]tenure.Review, error) {
	if len(entities) == 0 {
		return nil, nil
	}
	q := store.ReviewQuery{State: tenure.ReviewOpen}
	l := listing[tenure.Review]{key: q.Key, chooses: q.Matches}
	return steady(ctx, func() ([]tenure.Review, error) {
		rows, err := r.query(ctx, openReviews, args{
			"ids": graph.Texts(entities), "state": string(tenure.ReviewOpen), "limit": limit,
		})
		if err != nil {
			return nil, err
		}
		return l.chosen(r.tx, rows)
	})
}

// ListReviews implements [store.Reader].
func (r *reader) ListReviews(ctx context.Context, q store.ReviewQuery) ([]tenure.Review, error) {
	l := listing[tenure.Review]{
		key:     q.Key,
		chooses: q.Matches,
		page:    reviewsAll,
		params:  args{"entity": string(q.Entity), "state": string(q.State)},
	}
	switch {
	case q.Entity != "" && q.Ranked:
		l.page = reviewsNamingRanked
	case q.Entity != "":
		l.page = reviewsNaming
	case q.State != "" && q.Ranked:
		l.page, l.past = reviewsRanked, reviewsWereRanked
	case q.State != "":
		l.page, l.past = reviewsInState, reviewsWereInState
	case q.Ranked:
		l.page = reviewsAllRanked
	}
	return list(ctx, r, l, q.After, q.Limit)
}
