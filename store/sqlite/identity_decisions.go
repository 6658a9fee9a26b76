package sqlite

import (
	"context"

	"tenure"
	"tenure/store"
)

func (r *reader) Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error) {
	return find(ctx, r, `SELECT m.body, a.body FROM json_each(?3) j CROSS JOIN mention m LEFT JOIN assignment a
		ON a.tenant = ?1 AND a.mention = m.id AND a.tx_start =
			(SELECT max(x.tx_start) FROM assignment x WHERE x.tenant = ?1 AND x.mention = m.id AND x.tx_start <= ?2)
		WHERE m.tenant = ?1 AND m.id = j.value AND m.tx <= ?2 ORDER BY m.tx, m.id`, ids, scanMention)
}

func (r *reader) IdentityDecisions(ctx context.Context, ids []tenure.ID) ([]tenure.IdentityDecision, error) {
	return find(ctx, r, `SELECT v.body FROM json_each(?3) j CROSS JOIN identity_decision v
		WHERE v.tenant = ?1 AND v.id = j.value AND v.tx_start <= ?2 AND v.tx_end > ?2
		ORDER BY v.tx_start, v.id`, ids, scanBody[tenure.IdentityDecision])
}

func (r *reader) IdentityDecisionsOn(ctx context.Context, entities []tenure.ID) ([]tenure.IdentityDecision, error) {
	return find(ctx, r, `SELECT v.body FROM identity_decision v
		WHERE v.tenant = ?1 AND v.tx_start <= ?2 AND v.tx_end > ?2 AND v.id IN (
			SELECT x.id FROM json_each(?3) j CROSS JOIN identity_decision x INDEXED BY identity_decision_source
				WHERE x.tenant = ?1 AND x.source = j.value
			UNION SELECT x.id FROM json_each(?3) j CROSS JOIN identity_decision x INDEXED BY identity_decision_target
				WHERE x.tenant = ?1 AND x.target = j.value)
		ORDER BY v.tx_start, v.id`, entities, scanBody[tenure.IdentityDecision])
}

func (r *reader) Reviews(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	return find(ctx, r, `SELECT v.body FROM json_each(?3) j CROSS JOIN review v
		WHERE v.tenant = ?1 AND v.id = j.value AND v.tx_start <= ?2 AND v.tx_end > ?2
		ORDER BY v.tx_start, v.id`, ids, scanBody[tenure.Review])
}

// ListReviews implements [store.Reader]. It searches by entity or by state. The other conditions filter each
// page, so a list may take several pages.
func (r *reader) ListReviews(ctx context.Context, q store.ReviewQuery) ([]tenure.Review, error) {
	text := reviewPages(q)
	limit := noLimit(q.Limit)
	var list []tenure.Review
	for after := q.After; ; {
		args := r.args(after, string(q.Entity), string(q.State), limit)
		page, err := collect(ctx, r.s, text, scanBody[tenure.Review], args...)
		if err != nil {
			return nil, err
		}
		for _, v := range page {
			if q.Matches(v) {
				list = append(list, v)
			}
		}
		if len(list) >= limit || len(page) < limit {
			return list[:min(len(list), limit)], nil
		}
		after = q.Key(page[len(page)-1])
	}
}

// OpenReviews implements [store.Reader].
func (r *reader) OpenReviews(ctx context.Context, entities []tenure.ID, limit int) ([]tenure.Review, error) {
	return find(ctx, r, `SELECT v.body FROM review v WHERE v.tenant = ?1 AND v.state = 'open'
			AND v.tx_start <= ?2 AND v.tx_end > ?2 AND v.id IN (
				SELECT e.review FROM json_each(?3) j CROSS JOIN review_entity e WHERE e.tenant = ?1 AND e.entity = j.value)
		ORDER BY v.id LIMIT ?4`, entities, scanBody[tenure.Review], limit)
}

func reviewPages(q store.ReviewQuery) string {
	key := "v.id"
	if q.Ranked {
		key = "v.rank"
	}
	from := `review v WHERE v.tenant = ?1`
	switch {
	case q.Entity != "":
		from = `review_entity e CROSS JOIN review v
			WHERE e.tenant = ?1 AND e.entity = ?4 AND v.tenant = ?1 AND v.id = e.review`
		if !q.Ranked {
			key = "e.review"
		}
	case q.State != "" && q.Ranked:
		from = `review v INDEXED BY review_rank WHERE v.tenant = ?1 AND v.state = ?5`
	case q.State != "":
		from = `review v INDEXED BY review_state WHERE v.tenant = ?1 AND v.state = ?5`
	}
	return `SELECT v.body FROM ` + from + ` AND ` + key + ` > ?3 AND v.tx_start <= ?2 AND v.tx_end > ?2
		ORDER BY ` + key + ` LIMIT ?6`
}
