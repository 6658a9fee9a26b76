package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

var putDocuments = fmt.Sprintf(putVersions, "Document", "")

const addPassages = `UNWIND $rows AS r
MATCH (d:Document {tenant: $tenant, id: r.document})
CREATE (p:Passage)-[:PART_OF]->(d) SET p = r.set`

func (w *txWriter) writeDocuments(ctx context.Context, b *graph.Batch) error {
	if _, err := w.each(ctx, putDocuments, b.Documents.Rows); err != nil {
		return err
	}
	return w.add(ctx, addPassages, b.Passages, len(b.Passages), len(b.Passages))
}

const (
	passagesToErase = `MATCH (p:Passage) USING INDEX p:Passage(tenant, document, version, number)
WHERE p.tenant = $tenant AND p.document = $id AND p.version > 0 AND p.number > 0 AND p.tx_start <= $until
RETURN p.id, p.body`
	setPassages = `UNWIND $rows AS r
MATCH (p:Passage {tenant: $tenant, id: r.id}) SET p += r.set`
)

// eraseDocument erases the versions of a document up to the erasure, with their passages.
func (w *txWriter) eraseDocument(ctx context.Context, e graph.Erasure) error {
	if err := w.eraseVersions(ctx, "Document", string(e.ID), e.Tx, graph.Node.Document); err != nil {
		return err
	}
	found, _, err := w.run(ctx, passagesToErase, args{"id": string(e.ID), "until": e.Tx})
	if err != nil {
		return err
	}
	rows := make([]any, len(found))
	for i, r := range found {
		set, err := graph.Node{Body: r.text(1)}.Passage()
		if err != nil {
			return err
		}
		rows[i] = args{"id": r.text(0), "set": set}
	}
	_, err = w.each(ctx, setPassages, rows)
	return err
}

var (
	documentsByID  = byID("Document")
	documentsAll   = pageOf("Document")
	documentsOfURI = pageOf("Document", "uri_key")
)

// Documents implements [store.Reader].
func (r *reader) Documents(ctx context.Context, ids []tenure.ID) ([]tenure.Document, error) {
	return versionsByID(ctx, r, documentsByID, graph.Texts(ids), func(d tenure.Document) string { return string(d.ID) })
}

// ListDocuments implements [store.Reader]. The URI of a document never changes but by erasure, which takes it away from
// all versions.
func (r *reader) ListDocuments(ctx context.Context, q store.DocumentQuery) ([]tenure.Document, error) {
	l := listing[tenure.Document]{
		key: func(d tenure.Document) string { return string(d.ID) },
		chooses: func(d tenure.Document) bool {
			return (!d.Withdrawn || q.Withdrawn) && (q.URI == "" || d.URI == q.URI)
		},
		page: documentsAll, params: args{},
	}
	if q.URI != "" {
		l.page, l.params["uri_key"] = documentsOfURI, graph.Indexable(q.URI)
	}
	return list(ctx, r, l, string(q.After), q.Limit)
}

// inState keeps the passages p whose document n has their version in the state. Of a torn read nothing is left out.
const inState = `OPTIONAL MATCH (n)-[:WAS]->(w:DocumentVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
WITH p, CASE WHEN n.version_tx <= $at THEN n.version ELSE w.version END AS version
WHERE version IS NULL OR version = p.version`

const passageColumns = `p.body, p.text, p.preamble, version`

const (
	passagesByID = `UNWIND $ids AS id
MATCH (p:Passage {tenant: $tenant, id: id})-[:PART_OF]->(n:Document) WHERE p.tx_start <= $at
` + inState + `
RETURN ` + passageColumns
	passagesOf = `UNWIND $ids AS id
MATCH (n:Document {tenant: $tenant, id: id}) WHERE n.tx_start <= $at
OPTIONAL MATCH (n)-[:WAS]->(w:DocumentVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
WITH n.id AS document, CASE WHEN n.version_tx <= $at THEN n.version ELSE w.version END AS version
CALL (document, version) {
  MATCH (p:Passage) USING INDEX p:Passage(tenant, document, version, number)
  WHERE p.tenant = $tenant AND p.document = document AND p.version = version AND p.number > 0
  RETURN p
UNION ALL
  WITH version WHERE version IS NULL
  RETURN null AS p
}
RETURN ` + passageColumns
	passagesIn = `UNWIND $places AS place
CALL (place) {
  MATCH (p:Passage)-[:PART_OF]->(n:Document) USING INDEX p:Passage(tenant, place, id)
  WHERE p.tenant = $tenant AND p.place = place AND p.id > $after AND p.tx_start <= $at
  ` + inState + `
  RETURN p, version ORDER BY p.tenant, p.place, p.id LIMIT $limit
}
RETURN ` + passageColumns + ` ORDER BY p.id LIMIT $limit`
)

// Passages implements [store.Reader].
func (r *reader) Passages(ctx context.Context, ids []tenure.ID) ([]tenure.Passage, error) {
	return r.passages(ctx, passagesByID, args{"ids": graph.Texts(ids)}, len(ids), tenure.ComparePassages)
}

// PassagesOf implements [store.Reader].
func (r *reader) PassagesOf(ctx context.Context, documents []tenure.ID) ([]tenure.Passage, error) {
	return r.passages(ctx, passagesOf, args{"ids": graph.Texts(documents)}, len(documents), tenure.ComparePassages)
}

// PassagesIn implements [store.Reader].
func (r *reader) PassagesIn(
	ctx context.Context, in tenure.Scope, after tenure.ID, limit int,
) ([]tenure.Passage, error) {
	limit = min(max(limit, 0), math.MaxInt32)
	return r.passages(ctx, passagesIn, args{
		"places": graph.Texts(engine.PlacesIn(in)), "after": string(after), "limit": limit,
	}, limit, func(a, b tenure.Passage) int { return cmp.Compare(a.ID, b.ID) })
}

// passages reads passages, none where nothing is asked for.
func (r *reader) passages(
	ctx context.Context, cypher string, params args, asked int, order func(a, b tenure.Passage) int,
) ([]tenure.Passage, error) {
	if asked == 0 {
		return nil, nil
	}
	return steady(ctx, func() ([]tenure.Passage, error) {
		rows, err := r.query(ctx, cypher, params)
		if err != nil {
			return nil, err
		}
		list := make([]tenure.Passage, len(rows))
		for i, row := range rows {
			if row[3] == nil {
				return nil, errTorn
			}
			if list[i], err = graph.DecodePassage(row.text(0), row.text(1), row.text(2)); err != nil {
				return nil, err
			}
		}
		slices.SortFunc(list, order)
		return list, nil
	})
}
