package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// withStanding joins the claims c with their standings s at the time ?2.
const withStanding = ` LEFT JOIN standing s ON s.tenant = ?1 AND s.belief = c.id AND s.tx_start =
	(SELECT max(x.tx_start) FROM standing x WHERE x.tenant = ?1 AND x.belief = c.id AND x.tx_start <= ?2)
	WHERE c.tx <= ?2`

// chosen lists the columns that scanRef reads.
const chosen = `SELECT c.id, coalesce(s.tx_start, 0), coalesce(s.tx_end, 0)`

// cacheBytes bounds the JSON text of the beliefs in each half of the cache.
const cacheBytes = 16 << 20

// ref identifies one version of a belief by its transaction window, which is 0, 0 for a claim without a
// standing.
type ref struct {
	belief      tenure.ID
	from, until int64
}

func scanRef(rows *sql.Rows, r *ref) error { return rows.Scan(&r.belief, &r.from, &r.until) }

// load returns beliefs in the order of their refs.
func (r *reader) load(ctx context.Context, refs []ref) ([]tenure.Belief, error) {
	list := make([]tenure.Belief, len(refs))
	var missing []int
	for i, f := range refs {
		var ok bool
		if list[i], ok = r.cache.Get(r.tenant, f.belief, f.from); !ok {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		wanted := make([][2]any, 0, len(missing))
		for _, i := range missing {
			wanted = append(wanted, [2]any{refs[i].belief, refs[i].from})
		}
		read, err := r.readVersions(ctx, wanted)
		if err != nil {
			return nil, err
		}
		for _, i := range missing {
			b := read[ref{belief: refs[i].belief, from: refs[i].from}]
			if b == nil {
				return nil, tenure.Errorf(tenure.Internal, "the belief %s has gone", refs[i].belief)
			}
			list[i] = engine.Share(b)
		}
	}
	for i, f := range refs {
		list[i].StandingTx.Until = tenure.Instant(r.until(f.until))
	}
	return list, nil
}

// readVersions reads versions of beliefs and caches them.
func (r *reader) readVersions(ctx context.Context, wanted [][2]any) (map[ref]*tenure.Belief, error) {
	list, err := jsonList(wanted)
	if err != nil {
		return nil, err
	}
	read := make(map[ref]*tenure.Belief, len(wanted))
	err = each(ctx, r.s, `SELECT coalesce(s.tx_start, 0), c.tx, c.body, c.value, s.body
		FROM json_each(?2) j CROSS JOIN claim c ON c.tenant = ?1 AND c.id = j.value ->> 0
		LEFT JOIN standing s ON s.tenant = ?1 AND s.belief = c.id AND s.tx_start = j.value ->> 1`,
		func(rows *sql.Rows) error {
			b, size, err := scanBelief(rows)
			if err != nil {
				return err
			}
			key := ref{belief: b.Claim.ID, from: int64(b.StandingTx.From)}
			read[key] = b
			r.cache.Put(r.tenant, key.from, b, size)
			return nil
		}, r.tenant, list)
	return read, err
}

func scanBelief(rows *sql.Rows) (*tenure.Belief, int, error) {
	var b tenure.Belief
	var body string
	var value, standing sql.NullString
	if err := rows.Scan(&b.StandingTx.From, &b.RecordedAt, &body, &value, &standing); err != nil {
		return nil, 0, err
	}
	if err := engine.Decode(body, &b.Claim); err != nil {
		return nil, 0, err
	}
	if value.Valid {
		b.Claim.Value.JSON = json.RawMessage(value.String)
	}
	if standing.Valid {
		if err := engine.Decode(standing.String, &b.Standing); err != nil {
			return nil, 0, err
		}
	}
	b.Relocate()
	return &b, len(body) + len(value.String) + len(standing.String), nil
}

// inOrder sorts beliefs in the order that lists of beliefs have.
func inOrder(list []tenure.Belief) []tenure.Belief {
	slices.SortFunc(list, func(a, b tenure.Belief) int {
		return cmp.Or(cmp.Compare(a.RecordedAt, b.RecordedAt), strings.Compare(string(a.Claim.ID), string(b.Claim.ID)))
	})
	return list
}

// loadBy returns beliefs by texts or numbers; from names the rows of claim c that belong to j, the list.
func loadBy[K comparable](ctx context.Context, r *reader, from string, keys []K) ([]tenure.Belief, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	list, err := jsonList(unique(keys))
	if err != nil {
		return nil, err
	}
	refs, err := collect(ctx, r.s, chosen+` FROM json_each(?3) j CROSS JOIN `+from+withStanding, scanRef, r.args(list)...)
	if err != nil {
		return nil, err
	}
	beliefs, err := r.load(ctx, unique(refs))
	return inOrder(beliefs), err
}

func (r *reader) Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return loadBy(ctx, r, `claim c ON c.tenant = ?1 AND c.id = j.value`, ids)
}

func (r *reader) BeliefsByKey(ctx context.Context, keys []string) ([]tenure.Belief, error) {
	beliefs, err := loadBy(ctx, r, `claim c INDEXED BY claim_key ON c.tenant = ?1 AND c.key = j.value`, hashes(keys))
	wanted := map[string]bool{}
	for _, k := range keys {
		wanted[k] = true
	}
	return slices.DeleteFunc(beliefs, func(b tenure.Belief) bool { return !wanted[b.Claim.Key] }), err
}

func (r *reader) Dependents(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return loadBy(ctx, r, `link l ON l.tenant = ?1 AND l.kind = 2 AND l.target = j.value
		CROSS JOIN claim c ON c.tenant = ?1 AND c.id = l.source`, ids)
}

func (r *reader) Superseders(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return loadBy(ctx, r, `link l ON l.tenant = ?1 AND l.kind = 1 AND l.target = j.value
		CROSS JOIN claim c ON c.tenant = ?1 AND c.id = l.source`, ids)
}

func (r *reader) Referring(ctx context.Context, entities []tenure.ID) ([]tenure.Belief, error) {
	beliefs, err := loadBy(ctx, r, `claim c INDEXED BY claim_object
		ON c.tenant = ?1 AND c.object = j.value AND c.object <> ''`, entities)
	if err != nil || len(entities) == 0 {
		return nil, err
	}
	beliefs, err = r.orMoved(ctx, beliefs, `relocation h INDEXED BY relocation_object
		ON h.tenant = ?1 AND h.object = j.value AND h.object <> ''`, entities)
	return slices.DeleteFunc(beliefs, func(b tenure.Belief) bool {
		return !slices.Contains(entities, b.Claim.Value.Entity)
	}), err
}

// saying finds the newest claims with a text as their value. A text whose escapes are longer than the index holds is
// not found. The plus keeps the planner from looking through all claims of the tenant for each text.
const saying = `claim c ON +c.tenant = ?1 AND c.rowid IN (SELECT x.rowid FROM claim x INDEXED BY claim_said
	WHERE x.tenant = ?1 AND lower(x.value ->> '$') = j.value AND substr(x.value, 1, 1) = '"' AND length(x.value) <= 122
		AND x.tx <= ?2 ORDER BY x.tx DESC, x.id DESC LIMIT ?4)`

// Saying implements [store.Reader].
func (r *reader) Saying(ctx context.Context, texts []string, perText int) ([]tenure.Belief, error) {
	list, err := jsonList(unique(engine.Said(texts)))
	if err != nil || len(texts) == 0 || perText <= 0 {
		return nil, err
	}
	refs, err := collect(ctx, r.s, chosen+` FROM json_each(?3) j CROSS JOIN `+saying+withStanding, scanRef,
		r.args(list, perText)...)
	if err != nil {
		return nil, err
	}
	beliefs, err := r.load(ctx, unique(refs))
	return inOrder(beliefs), err
}

func (r *reader) Amendments(ctx context.Context, beliefs []tenure.ID) ([]tenure.Amendment, error) {
	return find(ctx, r, `SELECT a.body FROM json_each(?3) j CROSS JOIN amendment a
		WHERE a.tenant = ?1 AND a.belief = j.value AND a.tx <= ?2 ORDER BY a.tx, a.id`,
		beliefs, scanBody[tenure.Amendment])
}

// AmendmentsByID implements [store.Reader].
func (r *reader) AmendmentsByID(ctx context.Context, ids []tenure.ID) ([]tenure.Amendment, error) {
	return find(ctx, r, `SELECT a.body FROM json_each(?3) j CROSS JOIN amendment a INDEXED BY amendment_id
		WHERE a.tenant = ?1 AND a.id = j.value AND a.tx <= ?2 ORDER BY a.tx, a.id`, ids, scanBody[tenure.Amendment])
}

func hashes(texts []string) []int64 {
	list := make([]int64, 0, len(texts))
	for _, t := range texts {
		list = append(list, engine.Hash(t))
	}
	return list
}

// List implements [store.Reader]. It searches by the most selective condition: contradiction, then the
// subject, then the predicate.
func (r *reader) List(ctx context.Context, q store.BeliefQuery) ([]tenure.Belief, error) {
	from := `claim c`
	where := ``
	switch {
	case q.Contested && q.Subject == "":
		from = `standing k INDEXED BY standing_contested CROSS JOIN claim c ON c.tenant = ?1 AND c.id = k.belief`
		where = ` AND k.tenant = ?1 AND k.contested = 1 AND k.belief > ?3 AND k.tx_start <= ?2 AND k.tx_end > ?2`
	case q.Subject != "":
		from = `claim c INDEXED BY claim_subject`
		where = ` AND c.subject = ?4`
	case q.Predicate != "":
		from = `claim c INDEXED BY claim_predicate`
		where = ` AND c.predicate = ?5`
	}
	if q.Subject != "" {
		where += ` AND coalesce(s.subject, c.subject) = ?4`
	}
	if q.Predicate != "" {
		where += ` AND coalesce(s.body ->> '$.predicate', c.predicate) = ?5`
	}
	if q.Contested {
		where += ` AND s.contested = 1`
	}
	order := `c.id`
	if q.Contested && q.Subject == "" {
		order = `k.belief`
	} else {
		where += ` AND c.tenant = ?1 AND c.id > ?3`
	}
	refs, err := r.listRefs(ctx, from, where, order, q)
	if err != nil {
		return nil, err
	}
	moved, err := r.movedRefs(ctx, where, q)
	if err != nil {
		return nil, err
	}
	if len(moved) > 0 {
		refs = inPage(append(refs, moved...), noLimit(q.Limit))
	}
	return r.load(ctx, refs)
}

// movedRefs lists the claims that were ever moved to the subject or the predicate of the query.
func (r *reader) movedRefs(ctx context.Context, where string, q store.BeliefQuery) ([]ref, error) {
	var index, here, there string
	switch {
	case q.Subject != "":
		index, here, there = `relocation_subject`, `c.subject = ?4`, `h.subject = ?4`
	case q.Predicate != "" && !q.Contested:
		index, here, there = `relocation_predicate`, `c.predicate = ?5`, `h.predicate = ?5`
	default:
		return nil, nil
	}
	return r.listRefs(ctx, `relocation h INDEXED BY `+index+` CROSS JOIN claim c ON c.tenant = ?1 AND c.id = h.belief`,
		strings.Replace(where, here, `h.tenant = ?1 AND `+there+` AND h.belief > ?3`, 1), `h.belief`, q)
}

func (r *reader) listRefs(ctx context.Context, from, where, order string, q store.BeliefQuery) ([]ref, error) {
	return collect(ctx, r.s, chosen+` FROM `+from+withStanding+where+` ORDER BY `+order+` LIMIT ?6`, scanRef,
		r.args(string(q.After), string(q.Subject), q.Predicate, noLimit(q.Limit))...)
}

// inPage merges refs that two searches found into one page.
func inPage(refs []ref, limit int) []ref {
	slices.SortFunc(refs, func(a, b ref) int { return strings.Compare(string(a.belief), string(b.belief)) })
	refs = slices.Compact(refs)
	return refs[:min(len(refs), limit)]
}
