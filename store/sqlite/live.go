package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// span is a version of a belief with the transaction time of its claim.
type span struct {
	ref
	recorded int64
}

// spanQuery is a query that returns one row for each entity of the list ?3, with a column for each of some sets of
// arms: its spans joined into one text, since a row for each span would cost several times as much. ?4 and ?5 are the
// window, ?6 is the limit for each entity and arm. The spans of a set come from several arms, each of which is read in
// the order of its index: open versions that stand without an end, in the order of the claims; versions that stand
// until an end, by their end; and versions that were closed after the state in view, which are not looked for in the
// newest state. The arms are merged here, because a sorter in SQLite costs more than everything else together.
type spanQuery struct {
	text    string
	columns int
}

// arm is one source of an entity's spans: an index, and a condition.
type arm struct{ index, where string }

func newSpanQuery(sets ...[]arm) spanQuery {
	columns := make([]string, len(sets))
	for i, arms := range sets {
		list := make([]string, len(arms))
		for k, a := range arms {
			list[k] = fmt.Sprintf(`SELECT * FROM (
			SELECT concat_ws(char(31), s.belief, s.tx_start, s.tx_end, s.recorded) AS v
			FROM standing s INDEXED BY %s WHERE s.tenant = ?1 AND s.tx_start <= ?2 AND s.recorded <= ?2 AND %s
			ORDER BY s.recorded DESC, s.belief DESC LIMIT ?6)`, a.index, a.where)
		}
		columns[i] = `(SELECT group_concat(v, char(30)) FROM (` + strings.Join(list, " UNION ALL ") + `))`
	}
	return spanQuery{columns: len(sets), text: `SELECT ` + strings.Join(columns, ", ") + ` FROM
		(SELECT tx > ?2 AS later FROM log WHERE tenant = ?1 ORDER BY tx DESC LIMIT 1) n CROSS JOIN json_each(?3) j`}
}

// The conditions of the arms. For a standing with gaps the span does not suffice to decide whether the belief
// stands in the window.
const (
	open     = ` AND s.tx_end = 9223372036854775807`
	endless  = open + ` AND s.span_until = 9223372036854775807`
	ended    = open + ` AND s.span_until < 9223372036854775807`
	past     = ` AND n.later AND s.tx_end < 9223372036854775807 AND s.tx_end > ?2`
	inWindow = ` AND s.span_until > ?4 AND ` + meets
	meets    = `(s.span_from < ?5 AND (s.gaps = 0 OR EXISTS (
		SELECT 1 FROM standing b CROSS JOIN json_each(b.body, '$.segments') g
		WHERE b.tenant = ?1 AND b.belief = s.belief AND b.tx_start = s.tx_start
			AND g.value ->> 'cause' = 'stands' AND g.value ->> 'from' < ?5 AND g.value ->> 'until' > ?4)))`
	outside = ` AND NOT (s.span_until > ?4 AND ` + meets + `)`
)

// What a subject has is held apart from what was remarked of it, so that neither hides the other.
const (
	fact   = `s.subject = j.value AND s.remark = 0`
	remark = `s.subject = j.value AND s.remark = 1`
)

var (
	liveQuery = newSpanQuery([]arm{
		{"standing_about", fact + endless + inWindow}, {"standing_about", fact + ended + inWindow},
		{"standing_about", remark + endless + inWindow}, {"standing_about", remark + ended + inWindow},
		{"standing_past", `s.subject = j.value` + past + inWindow},
	})
	factsQuery = newSpanQuery([]arm{
		{"standing_about", fact + endless + inWindow}, {"standing_about", fact + ended + inWindow},
		{"standing_past", fact + past + inWindow},
	})
	displacedQuery = newSpanQuery([]arm{
		{"standing_about", fact + endless + outside}, {"standing_about", remark + endless + outside},
		{"standing_ended", `s.subject = j.value` + ended + outside},
		{"standing_past", `s.subject = j.value` + past + outside},
	})
	displacedFactsQuery = newSpanQuery([]arm{
		{"standing_about", fact + endless + outside}, {"standing_ended", fact + ended + outside},
		{"standing_past", fact + past + outside},
	})
	relationsQuery = newSpanQuery([]arm{
		{"standing_out", `s.subject = j.value AND s.object <> ''` + endless + inWindow},
		{"standing_out", `s.subject = j.value AND s.object <> ''` + ended + inWindow},
		{"standing_past", `s.subject = j.value AND s.object <> ''` + past + inWindow},
	}, []arm{
		{"standing_in", `s.object = j.value AND s.object <> ''` + endless + inWindow},
		{"standing_in", `s.object = j.value AND s.object <> ''` + ended + inWindow},
		{"standing_past_in", `s.object = j.value AND s.object <> ''` + past + inWindow},
	})
)

// spans runs one of the queries. It returns the newest spans of each entity and column, by column, in the order of the
// entities.
func (r *reader) spans(
	ctx context.Context, query spanQuery, entities []tenure.ID, w tenure.Window, limit int,
) ([]span, error) {
	if len(entities) == 0 || limit <= 0 {
		return nil, nil
	}
	if w.Empty() {
		w = tenure.Window{From: tenure.MaxTime, Until: tenure.MinTime} // a window that meets no span
	}
	columns := make([][]span, query.columns)
	_, err := find(ctx, r, query.text, entities, func(rows *sql.Rows, _ *struct{}) error {
		return scanSpans(rows, columns, limit)
	}, int64(w.From), int64(w.Until), limit)
	all := slices.Concat(columns...)
	for i := range all {
		all[i].until = r.until(all[i].until) // makes every query of a view return the same end
	}
	return all, err
}

func newestFirst(a, b span) int {
	if a.recorded != b.recorded {
		return cmp.Compare(b.recorded, a.recorded)
	}
	return strings.Compare(string(b.belief), string(a.belief))
}

// scanSpans appends the newest spans of a row to their columns.
func scanSpans(rows *sql.Rows, columns [][]span, limit int) error {
	texts, into := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
	for i := range texts {
		into[i] = &texts[i]
	}
	if err := rows.Scan(into...); err != nil {
		return err
	}
	for i, text := range texts {
		before := len(columns[i])
		var err error
		if columns[i], err = appendSpans(columns[i], string(text)); err != nil {
			return err
		}
		added := columns[i][before:]
		slices.SortFunc(added, newestFirst)
		columns[i] = columns[i][:before+min(len(added), limit)]
	}
	return nil
}

func appendSpans(list []span, text string) ([]span, error) {
	for rest := text; rest != ""; {
		var item string
		item, rest, _ = strings.Cut(rest, "\x1e")
		id, times, _ := strings.Cut(item, "\x1f")
		var n [3]int64
		for i := range n {
			var number string
			number, times, _ = strings.Cut(times, "\x1f")
			var err error
			if n[i], err = strconv.ParseInt(number, 10, 64); err != nil {
				return nil, fmt.Errorf("the span %q: %w", item, err)
			}
		}
		list = append(list, span{ref{tenure.ID(id), n[0], n[1]}, n[2]})
	}
	return list, nil
}

// loadSpans loads the beliefs of spans, which are different ones.
func (r *reader) loadSpans(ctx context.Context, list []span) ([]tenure.Belief, error) {
	refs := make([]ref, len(list))
	for i, s := range list {
		refs[i] = s.ref
	}
	return r.load(ctx, refs)
}

// Live implements [store.Reader]: it lists the beliefs in the order of the given entities.
func (r *reader) Live(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	return r.about(ctx, liveQuery, entities, w, perEntity)
}

// Facts implements [store.Reader]: it lists the beliefs in the order of the given entities.
func (r *reader) Facts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	return r.about(ctx, factsQuery, entities, w, perEntity)
}

// about loads the beliefs that one of the queries finds, entity by entity.
func (r *reader) about(
	ctx context.Context, query spanQuery, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	list, err := r.spans(ctx, query, entities, w, perEntity)
	if err != nil {
		return nil, err
	}
	return r.loadSpans(ctx, list)
}

// recent finds the newest claims in each of the places ?3, and of these, unless ?7 is set, what stands in the window.
const recent = `SELECT c.id, coalesce(s.tx_start, 0), coalesce(s.tx_end, 0), c.tx
	FROM json_each(?3) j CROSS JOIN claim c ON +c.tenant = ?1 AND c.rowid IN
	(SELECT x.rowid FROM claim x INDEXED BY %s WHERE x.tenant = ?1 AND x.place = j.value AND x.tx <= ?2%s
		ORDER BY x.tx DESC, x.id DESC LIMIT ?6)` + withStanding + ` AND (?7 OR (true` + inWindow + `))`

var recentQueries = map[store.Selection]string{
	store.AllClaims:  fmt.Sprintf(recent, "claim_recent", ""),
	store.Remarks:    fmt.Sprintf(recent, "claim_remark", " AND x.predicate = 'remark'"),
	store.Directives: fmt.Sprintf(recent, "claim_directive", " AND x.directive = 1"),
}

// Recent implements [store.Reader].
func (r *reader) Recent(ctx context.Context, q store.RecentQuery) ([]tenure.Belief, error) {
	places, err := jsonList(engine.PlacesIn(q.In))
	if err != nil || q.Limit <= 0 || q.Window.Empty() {
		return nil, err
	}
	list, err := collect(ctx, r.s, recentQueries[q.Of], func(rows *sql.Rows, s *span) error {
		return rows.Scan(&s.belief, &s.from, &s.until, &s.recorded)
	}, r.args(places, int64(q.Window.From), int64(q.Window.Until), q.Limit*store.RecentReach, q.Fallen)...)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, newestFirst)
	return r.loadSpans(ctx, list[:min(len(list), q.Limit)])
}

// Displaced implements [store.Reader].
func (r *reader) Displaced(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	return r.newest(ctx, displacedQuery, entities, w, limit)
}

// DisplacedFacts implements [store.Reader].
func (r *reader) DisplacedFacts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	return r.newest(ctx, displacedFactsQuery, entities, w, limit)
}

// newest loads the newest of all beliefs that one of the queries finds.
func (r *reader) newest(
	ctx context.Context, query spanQuery, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	list, err := r.spans(ctx, query, entities, w, limit)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, newestFirst)
	return r.loadSpans(ctx, list[:min(len(list), max(limit, 0))])
}

func (r *reader) Relations(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	list, err := r.spans(ctx, relationsQuery, entities, w, perEntity)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b span) int { return newestFirst(b, a) }) // as inOrder does
	return r.loadSpans(ctx, slices.Compact(list))                           // one of both ends is found twice
}
