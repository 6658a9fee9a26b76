package neo4j

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

// reader reads the state at transaction time tx. Head is the transaction time of the newest state when the
// view began: a version that ended later is shown as open.
type reader struct {
	s      *Store
	tenant string
	seq    tenure.Seq
	tx     tenure.Instant
	head   tenure.Instant
	cache  engine.Beliefs[string]
}

var _ store.Reader = (*reader)(nil)

// State implements [store.Reader].
func (r *reader) State() (tenure.Seq, tenure.Instant) { return r.seq, r.tx }

// query runs a statement with the tenant and the time of the state.
func (r *reader) query(ctx context.Context, cypher string, params args) ([]row, error) {
	params["tenant"], params["at"], params["forever"] = r.tenant, int64(r.tx), graph.Forever
	return r.s.query(ctx, cypher, params)
}

// steady retries a read that met a version of which a commit in progress has made only a part visible.
func steady[T any](ctx context.Context, read func() (T, error)) (T, error) {
	got, err := retry(ctx, torn, read)
	return got, fault(err)
}

func torn(err error) bool { return errors.Is(err, errTorn) }

const receiptsOf = `UNWIND $keys AS key
MATCH (x:Entry) USING INDEX x:Entry(tenant, key)
WHERE x.tenant = $tenant AND x.key = key
RETURN x.key, x.seq, x.tx, x.answer, x.key_hash`

// Receipts implements [store.Reader].
func (r *reader) Receipts(ctx context.Context, scopes []string) (map[string]tenure.Receipt, error) {
	found := map[string]tenure.Receipt{}
	if len(scopes) == 0 {
		return found, nil
	}
	scopeOf := map[string]string{}
	keys := []any{}
	for _, scope := range scopes {
		key := graph.Indexable(scope)
		if _, ok := scopeOf[key]; !ok {
			scopeOf[key] = scope
			keys = append(keys, key)
		}
	}
	rows, err := r.query(ctx, receiptsOf, args{"keys": keys})
	if err != nil {
		return nil, err
	}
	oldest := tenure.At(r.s.now()).Add(-store.KeyAge)
	for _, row := range rows {
		if tenure.Instant(row.number(2)) < oldest {
			continue
		}
		answer, _ := row[3].([]byte)
		found[scopeOf[row.text(0)]] = tenure.Receipt{
			Seq: tenure.Seq(row.number(1)), Tx: tenure.Instant(row.number(2)), Answer: answer, Hash: row.text(4), Replayed: true,
		}
	}
	return found, nil
}

// older returns the clause that finds the version of n that the time falls into.
func older(label string) string {
	return "OPTIONAL MATCH (n)-[:WAS]->(w:" + label + "Version) WHERE w.tx_start <= $at AND w.tx_end > $at"
}

// byID returns the query of versioned things by id: the newest version, and the older one that the time falls into.
func byID(label string) string {
	return `UNWIND $ids AS id
MATCH (n:` + label + ` {tenant: $tenant, id: id}) WHERE n.tx_start <= $at
` + older(label) + `
RETURN n.body, w.body`
}

// pageOf returns the query of a page of versioned things in the order of their ids, by an index of the properties
// by, each equal to the parameter of its name.
func pageOf(label string, by ...string) string {
	properties, order, equal := "tenant, ", "n.tenant, ", ""
	for _, p := range by {
		properties, order, equal = properties+p+", ", order+"n."+p+", ", equal+"n."+p+" = $"+p+" AND "
	}
	return `MATCH (n:` + label + `) USING INDEX n:` + label + `(` + properties + `id)
WHERE n.tenant = $tenant AND ` + equal + `n.id > $after AND n.tx_start <= $at
WITH n ORDER BY ` + order + `n.id LIMIT $limit
` + older(label) + `
RETURN n.id, n.body, w.body`
}

// wereInState returns the query of a page of things that were in a state at the time and have a newer version.
func wereInState(label string) string {
	version := label + "Version"
	return `MATCH (w:` + version + `) USING INDEX w:` + version + `(tenant, tx_end)
WHERE w.tenant = $tenant AND w.tx_end > $at AND w.tx_start <= $at AND w.state = $state AND w.id > $after
RETURN w.id, w.body, null ORDER BY w.id LIMIT $limit`
}

// The rank changes with each version. Questions whose newest version was also the newest at the view's time are paged
// through by rank (rankedInState); the others are found by their older versions (wereRanked).

func rankedInState(label string) string {
	return `MATCH (n:` + label + `) USING INDEX n:` + label + `(tenant, state, rank)
WHERE n.tenant = $tenant AND n.state = $state AND n.rank > $after AND n.version_tx <= $at
RETURN n.rank, n.body, null ORDER BY n.tenant, n.state, n.rank LIMIT $limit`
}

func wereRanked(label string) string {
	version := label + "Version"
	return `MATCH (w:` + version + `) USING INDEX w:` + version + `(tenant, tx_end)
WHERE w.tenant = $tenant AND w.tx_end > $at AND w.tx_start <= $at AND w.state = $state AND w.rank > $after
RETURN w.rank, w.body, null ORDER BY w.rank LIMIT $limit`
}

// rankedOf returns the query of a page in the order of ranks, by an index of the properties by, each equal to the
// parameter of its name.
func rankedOf(label string, by ...string) string {
	properties, equal := "tenant, ", ""
	for _, p := range by {
		properties, equal = properties+p+", ", equal+"n."+p+" = $"+p+" AND "
	}
	return `MATCH (n:` + label + `) USING INDEX n:` + label + `(` + properties + `id)
WHERE n.tenant = $tenant AND ` + equal + `n.id > "" AND n.tx_start <= $at` + rankThen(label)
}

// rankThen sorts questions by the rank that they had at the time.
func rankThen(label string) string {
	return `
` + older(label) + `
WITH CASE WHEN n.version_tx <= $at THEN n.rank ELSE w.rank END AS rank, n.body AS newest, w.body AS older
WHERE rank > $after
RETURN rank, newest, older ORDER BY rank LIMIT $limit`
}

var (
	entitiesByID     = byID("Entity")
	casesByID        = byID("QuarantineCase")
	vocabulariesByID = byID("Vocabulary")
	termsByID        = byID("Term")
)

// stamped is a thing with the transaction time of its version.
type stamped[T any] struct {
	tx    int64
	thing T
}

// versionAt selects between the newest version of a thing and the older version that was found for the time.
// If neither fits, the read is torn.
func versionAt(at int64, newest, older string) (tx int64, body string, err error) {
	if tx, body, ok := graph.Unstamp(newest); ok && tx <= at {
		return tx, body, nil
	}
	if tx, body, ok := graph.Unstamp(older); ok && tx <= at {
		return tx, body, nil
	}
	return 0, "", errTorn
}

// stampedOf decodes the version at a time from two columns of a row.
func stampedOf[T any](at tenure.Instant, newest, older string) (v stamped[T], err error) {
	tx, body, err := versionAt(int64(at), newest, older)
	if err != nil {
		return v, err
	}
	v.tx = tx
	return v, engine.Decode(body, &v.thing)
}

// versionsByID returns things of one label by id, sorted by the time of their versions and the id.
func versionsByID[T any](
	ctx context.Context, r *reader, cypher string, ids []any, id func(T) string,
) ([]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return steady(ctx, func() ([]T, error) {
		rows, err := r.query(ctx, cypher, args{"ids": ids})
		if err != nil {
			return nil, err
		}
		found := make([]stamped[T], 0, len(rows))
		for _, row := range rows {
			v, err := stampedOf[T](r.tx, row.text(0), row.text(1))
			if err != nil {
				return nil, err
			}
			found = append(found, v)
		}
		slices.SortFunc(found, func(a, b stamped[T]) int {
			return cmp.Or(cmp.Compare(a.tx, b.tx), cmp.Compare(id(a.thing), id(b.thing)))
		})
		return things(found), nil
	})
}

func things[T any](list []stamped[T]) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = v.thing
	}
	return out
}

// Entities implements [store.Reader].
func (r *reader) Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	return versionsByID(ctx, r, entitiesByID, graph.Texts(ids), func(e tenure.Entity) string { return string(e.ID) })
}

// Cases implements [store.Reader].
func (r *reader) Cases(ctx context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	return versionsByID(ctx, r, casesByID, graph.Texts(ids), func(c tenure.Case) string { return string(c.ID) })
}

// Vocabularies implements [store.Reader].
func (r *reader) Vocabularies(ctx context.Context, names []string) ([]tenure.Vocabulary, error) {
	return versionsByID(ctx, r, vocabulariesByID, graph.Texts(names), func(v tenure.Vocabulary) string { return v.Name })
}

// Terms implements [store.Reader].
func (r *reader) Terms(ctx context.Context, ids []string) ([]tenure.Term, error) {
	return versionsByID(ctx, r, termsByID, graph.Texts(ids), tenure.Term.ID)
}

const aliasColumns = `h.tx_start, e.id, a.kind, a.key, h.mention, h.type,
  h.project_id, h.spelling, h.exclusive, h.label`

// An edge written before aliases could be closed has no tx_end.
const (
	aliasesOf = `UNWIND $forms AS form
MATCH (a:Alias {tenant: $tenant, form: form})<-[h:HAS_ALIAS]-(e:Entity)
WHERE h.tx_start <= $at AND coalesce(h.tx_end, $forever) > $at
RETURN ` + aliasColumns
	aliasesOfEntities = `UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})-[h:HAS_ALIAS]->(a:Alias)
WHERE h.tx_start <= $at AND coalesce(h.tx_end, $forever) > $at
RETURN ` + aliasColumns
)

// AliasesByKey implements [store.Reader].
func (r *reader) AliasesByKey(ctx context.Context, forms []tenure.AliasKey) ([]tenure.Alias, error) {
	keys := make([]string, len(forms))
	for i, f := range forms {
		keys[i] = graph.FormKey(f)
	}
	return r.aliases(ctx, aliasesOf, "forms", graph.Texts(keys))
}

// AliasesOf implements [store.Reader].
func (r *reader) AliasesOf(ctx context.Context, entities []tenure.ID) ([]tenure.Alias, error) {
	return r.aliases(ctx, aliasesOfEntities, "ids", graph.Texts(entities))
}

func (r *reader) aliases(ctx context.Context, cypher, name string, keys []any) ([]tenure.Alias, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, cypher, args{name: keys})
	if err != nil {
		return nil, err
	}
	type identity struct {
		form            tenure.AliasKey
		entity, mention tenure.ID
	}
	newest := map[identity]stamped[tenure.Alias]{}
	for _, row := range rows {
		o := tenure.Alias{
			Entity: tenure.ID(row.text(1)), Key: tenure.AliasKey{Kind: row.text(2), Key: row.text(3)},
			Mention: tenure.ID(row.text(4)), Type: row.text(5),
			Project: row.text(6), Spelling: row.text(7),
		}
		o.Exclusive, _ = row[8].(bool)
		if label := row.text(9); label != "" {
			if err := engine.Decode(label, &o.Label); err != nil {
				return nil, err
			}
		}
		k := identity{o.Key, o.Entity, o.Mention}
		if have, ok := newest[k]; !ok || have.tx < row.number(0) {
			newest[k] = stamped[tenure.Alias]{row.number(0), o}
		}
	}
	found := make([]stamped[tenure.Alias], 0, len(newest))
	for _, o := range newest {
		found = append(found, o)
	}
	slices.SortFunc(found, func(a, b stamped[tenure.Alias]) int {
		return cmp.Or(
			cmp.Compare(a.tx, b.tx), cmp.Compare(a.thing.Entity, b.thing.Entity),
			cmp.Compare(a.thing.Key.Kind, b.thing.Key.Kind), cmp.Compare(a.thing.Key.Key, b.thing.Key.Key),
			cmp.Compare(a.thing.Mention, b.thing.Mention),
		)
	})
	return things(found), nil
}

const observationsByID = `UNWIND $ids AS id
MATCH (o:Observation {tenant: $tenant, id: id}) WHERE o.tx_start <= $at
RETURN o.body ORDER BY o.tx_start, o.id`

// Observations implements [store.Reader].
func (r *reader) Observations(ctx context.Context, ids []tenure.ID) ([]tenure.Observation, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, observationsByID, args{"ids": graph.Texts(ids)})
	if err != nil {
		return nil, err
	}
	return decodeAll[tenure.Observation](rows, 0)
}

// listed returns the query of a page of observations, by an index of a property before their time and id, if any.
func listed(by string) string {
	properties, equal, order := "", "", ""
	if by != "" {
		properties, equal, order = by+", ", " AND o."+by+" = $name", "o."+by+" DESC, "
	}
	return `MATCH (o:Observation) USING INDEX o:Observation(tenant, ` + properties + `observed_at, id)
WHERE o.tenant = $tenant` + equal + ` AND o.observed_at >= $from AND o.observed_at <= $before AND o.id > ''
  AND (o.observed_at < $before OR o.id < $before_id) AND o.tx_start <= $at
RETURN o.tx_start, o.body ORDER BY o.tenant DESC, ` + order + `o.observed_at DESC, o.id DESC LIMIT $limit`
}

var (
	observationsListed    = listed("")
	observationsOfSession = listed("session_id")
	observationsOfProject = listed("project_id")
	observationsOfSpeaker = listed("speaker")
	observationsOfThread  = listed("thread")
	observationsProposing = listed("proposes")
	textsOfSpeaker        = listed("text_speaker")
	textsOfThread         = listed("text_thread")
)

var listedBy = map[store.ObservationField]string{
	"": observationsListed, store.BySession: observationsOfSession, store.ByProject: observationsOfProject,
	store.BySpeaker: observationsOfSpeaker, store.ByThread: observationsOfThread,
	store.ByTextSpeaker: textsOfSpeaker, store.ByTextThread: textsOfThread, store.ByProposal: observationsProposing,
}

// ListObservations implements [store.Reader].
func (r *reader) ListObservations(ctx context.Context, q store.ObservationQuery) ([]store.ObservationRecord, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = math.MaxInt32
	}
	rows, err := r.query(ctx, listedBy[q.By], args{
		"name": q.Name, "from": int64(q.From), "before": int64(q.Before), "before_id": string(q.BeforeID), "limit": limit,
	})
	if err != nil {
		return nil, err
	}
	return recordsOf(rows)
}

const proposalsOn = `UNWIND $ids AS about
CALL (about) {
  MATCH (o:Observation)-[x:PROPOSES]->(:Entity) USING INDEX x:PROPOSES(tenant, entity, tx_start, observation)
  WHERE x.tenant = $tenant AND x.entity = about AND x.tx_start <= $at AND x.observation > '' AND x.place IN $places
  RETURN o ORDER BY x.tenant DESC, x.entity DESC, x.tx_start DESC, x.observation DESC LIMIT $limit
}
WITH DISTINCT o
RETURN o.tx_start, o.body`

// ProposalsOn implements [store.Reader].
func (r *reader) ProposalsOn(
	ctx context.Context, entities []tenure.ID, in tenure.Scope, perEntity int,
) ([]store.ObservationRecord, error) {
	if len(entities) == 0 || perEntity <= 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, proposalsOn, args{
		"ids": graph.Texts(entities), "places": graph.Texts(engine.PlacesIn(in)), "limit": perEntity,
	})
	if err != nil {
		return nil, err
	}
	list, err := recordsOf(rows)
	slices.SortFunc(list, func(a, b store.ObservationRecord) int {
		return cmp.Or(cmp.Compare(a.RecordedAt, b.RecordedAt), cmp.Compare(a.Observation.ID, b.Observation.ID))
	})
	return list, err
}

// recordsOf decodes observations, each after the time at which it was recorded.
func recordsOf(rows []row) ([]store.ObservationRecord, error) {
	list := make([]store.ObservationRecord, len(rows))
	for i, row := range rows {
		list[i].RecordedAt = tenure.Instant(row.number(0))
		if err := engine.Decode(row.text(1), &list[i].Observation); err != nil {
			return nil, fault(err)
		}
	}
	return list, nil
}

const observationByID = `MATCH (o:Observation {tenant: $tenant, id: $id}) WHERE o.tx_start <= $at
OPTIONAL MATCH (o)-[:MENTIONS]->(m:Mention) WHERE m.tx_start <= $at
OPTIONAL MATCH (m)-[a:ASSIGNED]->(:Entity) WHERE a.tx_start <= $at AND a.tx_end > $at
RETURN o.body, o.tx_start, m.body, a.entity, a.score, a.decision, a.reason`

// Observation implements [store.Reader].
func (r *reader) Observation(ctx context.Context, id tenure.ID) (rec store.ObservationRecord, err error) {
	rows, err := r.query(ctx, observationByID, args{"id": string(id)})
	if err != nil {
		return rec, err
	}
	if len(rows) == 0 {
		return rec, tenure.Errorf(tenure.NotFound, "there is no observation %s", id)
	}
	if err := engine.Decode(rows[0].text(0), &rec.Observation); err != nil {
		return rec, fault(err)
	}
	rec.RecordedAt = tenure.Instant(rows[0].number(1))
	var found []store.MentionRecord
	for _, row := range rows {
		if row[2] == nil {
			continue
		}
		m, err := mentionIn(row[2:])
		if err != nil {
			return rec, fault(err)
		}
		found = append(found, m)
	}
	slices.SortFunc(found, func(a, b store.MentionRecord) int {
		return cmp.Or(cmp.Compare(a.Mention.Index, b.Mention.Index), cmp.Compare(a.Mention.ID, b.Mention.ID))
	})
	for _, m := range found {
		rec.Mentions = append(rec.Mentions, m.Mention)
		rec.Assignments = append(rec.Assignments, m.Assignment)
	}
	return rec, nil
}

const mentionsOf = `MATCH (m:Mention)-[a:ASSIGNED]->(:Entity) USING INDEX a:ASSIGNED(tenant, entity, mention)
WHERE a.tenant = $tenant AND a.entity = $entity AND a.mention > $after AND a.tx_start <= $at AND a.tx_end > $at
RETURN m.body ORDER BY a.tenant, a.entity, a.mention LIMIT $limit`

// MentionsOf implements [store.Reader].
func (r *reader) MentionsOf(
	ctx context.Context, entity tenure.ID, after tenure.ID, limit int,
) ([]tenure.Mention, error) {
	if limit <= 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, mentionsOf, args{"entity": string(entity), "after": string(after), "limit": limit})
	if err != nil {
		return nil, err
	}
	return decodeAll[tenure.Mention](rows, 0)
}

const termsAfter = `MATCH (n:Term) USING INDEX n:Term(tenant, vocabulary, name)
WHERE n.tenant = $tenant AND n.vocabulary = $vocabulary AND n.name > $after AND n.tx_start <= $at
WITH n ORDER BY n.tenant, n.vocabulary, n.name LIMIT $limit
OPTIONAL MATCH (n)-[:WAS]->(w:TermVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
RETURN n.body, w.body, n.name`

// ListTerms implements [store.Reader]. Removed terms are filtered from each page, so a list may take several
// pages.
func (r *reader) ListTerms(ctx context.Context, vocabulary, after string, limit int) ([]tenure.Term, error) {
	return steady(ctx, func() (list []tenure.Term, err error) {
		for from := after; len(list) < limit; {
			rows, err := r.query(ctx, termsAfter, args{"vocabulary": vocabulary, "after": from, "limit": limit})
			if err != nil {
				return nil, err
			}
			found := make([]tenure.Term, 0, len(rows))
			for _, row := range rows {
				v, err := stampedOf[tenure.Term](r.tx, row.text(0), row.text(1))
				if err != nil {
					return nil, err
				}
				from = max(from, row.text(2))
				if !v.thing.Removed {
					found = append(found, v.thing)
				}
			}
			slices.SortFunc(found, func(a, b tenure.Term) int { return cmp.Compare(a.Name, b.Name) })
			list = append(list, found...)
			if len(rows) < limit {
				break
			}
		}
		return list[:min(len(list), max(limit, 0))], nil
	})
}

const historyOf = `CALL () {
  MATCH (x:Touch) USING INDEX x:Touch(tenant, entity, seq)
  WHERE x.tenant = $tenant AND x.entity = $entity AND x.seq > $after AND x.seq <= $until
  RETURN x.seq AS seq ORDER BY x.tenant, x.entity, x.seq LIMIT $limit
}
MATCH (e:Entry) USING INDEX e:Entry(tenant, seq)
WHERE e.tenant = $tenant AND e.seq = seq
RETURN e.body ORDER BY seq`

// History implements [store.Reader].
func (r *reader) History(
	ctx context.Context, entity tenure.ID, after tenure.Seq, limit int,
) ([]tenure.Entry, error) {
	if limit <= 0 {
		return nil, nil
	}
	rows, err := r.query(ctx, historyOf, args{
		"entity": string(entity), "after": int64(after), "until": int64(r.seq), "limit": limit,
	})
	if err != nil {
		return nil, err
	}
	return decodeAll[tenure.Entry](rows, 0)
}
