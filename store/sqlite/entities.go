package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// Entities implements [store.Reader]. It looks up each id once and sorts the result itself: sorting in SQLite
// would look up each id a second time, and candidates are read by the dozen.
func (r *reader) Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	found, err := find(ctx, r, `SELECT (SELECT e.tx_start || e.body FROM entity e
			WHERE e.tenant = ?1 AND e.id = j.value AND e.tx_start <= ?2 ORDER BY e.tx_start DESC LIMIT 1)
		FROM json_each(?3) j`, ids, scanEntity)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(e dated[tenure.Entity]) bool { return e.value.ID == "" })
	slices.SortFunc(found, func(a, b dated[tenure.Entity]) int {
		return cmp.Or(cmp.Compare(a.tx, b.tx), cmp.Compare(a.value.ID, b.value.ID))
	})
	list := make([]tenure.Entity, len(found))
	for i := range found {
		list[i] = found[i].value
	}
	return list, nil
}

// scanEntity reads a version preceded by its start; both are zero if there is none.
func scanEntity(rows *sql.Rows, into *dated[tenure.Entity]) error {
	var text sql.RawBytes
	if err := rows.Scan(&text); err != nil || text == nil {
		return err
	}
	start := max(bytes.IndexByte(text, '{'), 0)
	tx, err := strconv.ParseInt(string(text[:start]), 10, 64)
	if err != nil {
		return err
	}
	into.tx = tenure.Instant(tx)
	return json.Unmarshal(text[start:], &into.value, engine.Format)
}

func (r *reader) AliasesByKey(ctx context.Context, keys []tenure.AliasKey) ([]tenure.Alias, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	list, err := jsonList(unique(keys))
	if err != nil {
		return nil, err
	}
	return collect(ctx, r.s, `SELECT o.body FROM json_each(?3) j CROSS JOIN alias o
		WHERE o.tenant = ?1 AND o.kind = j.value ->> 'kind' AND o.key = j.value ->> 'key'
			AND o.tx_start <= ?2 AND o.tx_end > ?2
		ORDER BY o.tx_start, o.entity, o.kind, o.key, o.mention`, scanBody[tenure.Alias], r.args(list)...)
}

func (r *reader) AliasesOf(ctx context.Context, entities []tenure.ID) ([]tenure.Alias, error) {
	return find(ctx, r, `SELECT o.body FROM json_each(?3) j CROSS JOIN alias o INDEXED BY alias_entity
		WHERE o.tenant = ?1 AND o.entity = j.value AND o.tx_start <= ?2 AND o.tx_end > ?2
		ORDER BY o.tx_start, o.entity, o.kind, o.key, o.mention`, entities, scanBody[tenure.Alias])
}

func (r *reader) Observation(ctx context.Context, id tenure.ID) (store.ObservationRecord, error) {
	var record store.ObservationRecord
	found, err := collect(ctx, r.s, `SELECT tx, body FROM observation WHERE tenant = ?1 AND tx <= ?2 AND id = ?3`,
		scanDated[tenure.Observation], r.args(string(id))...)
	if err != nil {
		return record, err
	}
	if len(found) == 0 {
		return record, tenure.Errorf(tenure.NotFound, "there is no observation %s", id)
	}
	record.Observation, record.RecordedAt = found[0].value, found[0].tx
	mentions, err := collect(ctx, r.s, `SELECT m.body, a.body FROM mention m LEFT JOIN assignment a
		ON a.tenant = ?1 AND a.mention = m.id AND a.tx_start =
			(SELECT max(x.tx_start) FROM assignment x WHERE x.tenant = ?1 AND x.mention = m.id AND x.tx_start <= ?2)
		WHERE m.tenant = ?1 AND m.observation = ?3 AND m.tx <= ?2
		ORDER BY m.body ->> 'index', m.id`, scanMention, r.args(string(id))...)
	for _, m := range mentions {
		record.Mentions = append(record.Mentions, m.Mention)
		record.Assignments = append(record.Assignments, m.Assignment)
	}
	return record, err
}

func (r *reader) Observations(ctx context.Context, ids []tenure.ID) ([]tenure.Observation, error) {
	return find(ctx, r, `SELECT o.body FROM json_each(?3) j CROSS JOIN observation o
		WHERE o.tenant = ?1 AND o.id = j.value AND o.tx <= ?2 ORDER BY o.tx, o.id`, ids, scanBody[tenure.Observation])
}

// listed are the observations of a page, from the index %s with the condition %s.
const listed = `SELECT o.tx, o.body FROM observation o INDEXED BY observation_%s
	WHERE o.tenant = ?1 AND o.tx <= ?2%s AND (o.observed_at, o.id) < (?4, ?5) AND o.observed_at >= ?6
	ORDER BY o.observed_at DESC, o.id DESC LIMIT ?7`

// The observations of a page, by the field that chooses them.
var listedBy = map[store.ObservationField]string{
	"":              fmt.Sprintf(listed, "observed", ` AND ?3 = ''`),
	store.BySession: fmt.Sprintf(listed, "session", ` AND o.session <> '' AND o.session = ?3`),
	store.ByProject: fmt.Sprintf(listed, "project", ` AND o.project <> '' AND o.project = ?3`),
	store.BySpeaker: fmt.Sprintf(listed, "speaker", ` AND o.speaker <> '' AND o.speaker = ?3`),
	store.ByThread:  fmt.Sprintf(listed, "thread", ` AND o.thread <> '' AND o.thread = ?3`),

	store.ByTextSpeaker: fmt.Sprintf(listed, "text_speaker", ` AND o.text_speaker <> '' AND o.text_speaker = ?3`),
	store.ByTextThread:  fmt.Sprintf(listed, "text_thread", ` AND o.text_thread <> '' AND o.text_thread = ?3`),

	store.ByProposal: fmt.Sprintf(listed, "proposes", ` AND o.proposes <> '' AND o.proposes = ?3`),
}

func (r *reader) ListObservations(ctx context.Context, q store.ObservationQuery) ([]store.ObservationRecord, error) {
	if q.By == "" {
		q.Name = ""
	}
	found, err := collect(ctx, r.s, listedBy[q.By], scanDated[tenure.Observation],
		r.args(q.Name, int64(q.Before), string(q.BeforeID), int64(q.From), noLimit(q.Limit))...)
	return recordsOf(found), err
}

// proposalsOn finds the newest observations that propose a change of each of the entities ?3 in the places ?4.
const proposalsOn = `SELECT o.tx, o.body FROM json_each(?3) j CROSS JOIN observation o
	WHERE o.tenant = ?1 AND o.id IN (SELECT p.observation FROM proposal p
		WHERE p.tenant = ?1 AND p.entity = j.value AND p.tx <= ?2 AND p.place IN (SELECT value FROM json_each(?4))
		ORDER BY p.tx DESC, p.observation DESC LIMIT ?5)`

// ProposalsOn implements [store.Reader].
func (r *reader) ProposalsOn(
	ctx context.Context, entities []tenure.ID, in tenure.Scope, perEntity int,
) ([]store.ObservationRecord, error) {
	places, err := jsonList(engine.PlacesIn(in))
	if err != nil {
		return nil, err
	}
	found, err := find(ctx, r, proposalsOn, entities, scanDated[tenure.Observation], places, atLeast(perEntity))
	slices.SortFunc(found, func(a, b dated[tenure.Observation]) int {
		return cmp.Or(cmp.Compare(a.tx, b.tx), cmp.Compare(a.value.ID, b.value.ID))
	})
	found = slices.CompactFunc(found, func(a, b dated[tenure.Observation]) bool { return a.value.ID == b.value.ID })
	return recordsOf(found), err
}

func recordsOf(found []dated[tenure.Observation]) []store.ObservationRecord {
	list := make([]store.ObservationRecord, len(found))
	for i, o := range found {
		list[i] = store.ObservationRecord{Observation: o.value, RecordedAt: o.tx}
	}
	return list
}

func (r *reader) MentionsOf(
	ctx context.Context, entity tenure.ID, after tenure.ID, limit int,
) ([]tenure.Mention, error) {
	return collect(ctx, r.s, `SELECT m.body FROM assignment a INDEXED BY assignment_entity
		CROSS JOIN mention m ON m.tenant = ?1 AND m.id = a.mention
		WHERE a.tenant = ?1 AND a.entity = ?3 AND a.mention > ?4 AND a.tx_start <= ?2 AND a.tx_end > ?2
		ORDER BY a.mention LIMIT ?5`, scanBody[tenure.Mention], r.args(string(entity), string(after), atLeast(limit))...)
}

func (r *reader) Vocabularies(ctx context.Context, names []string) ([]tenure.Vocabulary, error) {
	return find(ctx, r, `SELECT v.body FROM json_each(?3) j CROSS JOIN vocabulary v
		WHERE v.tenant = ?1 AND v.name = j.value AND v.tx_start =
			(SELECT max(x.tx_start) FROM vocabulary x WHERE x.tenant = ?1 AND x.name = j.value AND x.tx_start <= ?2)
		ORDER BY v.tx_start, v.name`, names, scanBody[tenure.Vocabulary])
}

func (r *reader) Terms(ctx context.Context, ids []string) ([]tenure.Term, error) {
	return find(ctx, r, `SELECT t.body FROM json_each(?3) j CROSS JOIN term t
		WHERE t.tenant = ?1 AND t.id = j.value AND t.tx_start =
			(SELECT max(x.tx_start) FROM term x WHERE x.tenant = ?1 AND x.id = j.value AND x.tx_start <= ?2)
		ORDER BY t.tx_start, t.id`, ids, scanBody[tenure.Term])
}

func (r *reader) ListTerms(ctx context.Context, vocabulary, after string, limit int) ([]tenure.Term, error) {
	return collect(ctx, r.s, `SELECT body FROM term INDEXED BY term_name
		WHERE tenant = ?1 AND vocabulary = ?3 AND name > ?4 AND tx_start <= ?2 AND tx_end > ?2 AND removed = 0
		ORDER BY name LIMIT ?5`, scanBody[tenure.Term], r.args(vocabulary, after, atLeast(limit))...)
}

// atLeast clamps a negative limit to 0, since SQLite takes a negative LIMIT for no limit.
func atLeast(limit int) int { return max(limit, 0) }
