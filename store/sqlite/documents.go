package sqlite

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// DocumentPut puts the next version of the document, and inserts its passages.
func (b *batch) DocumentPut(c tenure.DocumentPut) error {
	d := c.Document
	body, err := engine.Encode(d)
	if err != nil {
		return err
	}
	b.put(documentTable, false, []string{string(d.ID)}, d.Version, d.URI, flag(d.Withdrawn), body)
	for _, p := range c.Passages {
		body, err := engine.Encode(p)
		if err != nil {
			return err
		}
		b.insert(passageTable, string(p.ID), b.tx, string(p.Document), p.Version, p.Number, engine.Place(d.Scope), body)
	}
	return nil
}

// eraseDocument erases the versions of a document up to the erasure, with their passages.
func (b *batch) eraseDocument(e erasure) error {
	keys := []any{string(e.ID), e.tx}
	if err := rewrite(b, "document", "id = ?2 AND tx_start <= ?3", "tx_start", keys, tenure.Document.Erase); err != nil {
		return err
	}
	if err := b.w.exec(`UPDATE document SET uri = '' WHERE tenant = ?1 AND id = ?2 AND tx_start <= ?3`,
		b.tenant, string(e.ID), e.tx); err != nil {
		return err
	}
	return rewrite(b, "passage INDEXED BY passage_document", "document = ?2 AND tx <= ?3", "id", keys,
		tenure.Passage.Erase)
}

// Documents implements [store.Reader].
func (r *reader) Documents(ctx context.Context, ids []tenure.ID) ([]tenure.Document, error) {
	return find(ctx, r, `SELECT d.body FROM json_each(?3) j CROSS JOIN document d
		WHERE d.tenant = ?1 AND d.id = j.value AND d.tx_start <= ?2 AND d.tx_end > ?2
		ORDER BY d.tx_start, d.id`, ids, scanBody[tenure.Document])
}

// ListDocuments implements [store.Reader].
func (r *reader) ListDocuments(ctx context.Context, q store.DocumentQuery) ([]tenure.Document, error) {
	const all = `SELECT body FROM document
		WHERE tenant = ?1 AND id > ?4 AND tx_start <= ?2 AND tx_end > ?2 AND withdrawn <= ?6 AND ?3 = ''
		ORDER BY id LIMIT ?5`
	const ofURI = `SELECT body FROM document INDEXED BY document_uri
		WHERE tenant = ?1 AND uri = ?3 AND id > ?4 AND tx_start <= ?2 AND tx_end > ?2 AND withdrawn <= ?6
		ORDER BY id LIMIT ?5`
	text := all
	if q.URI != "" {
		text = ofURI
	}
	return collect(ctx, r.s, text, scanBody[tenure.Document],
		r.args(q.URI, string(q.After), noLimit(q.Limit), flag(q.Withdrawn))...)
}

// inState is the condition that the document of a passage p has the passage's version in the state.
const inState = `EXISTS (SELECT 1 FROM document d WHERE d.tenant = ?1 AND d.id = p.document
	AND d.tx_start <= ?2 AND d.tx_end > ?2 AND d.version = p.version)`

// Passages implements [store.Reader].
func (r *reader) Passages(ctx context.Context, ids []tenure.ID) ([]tenure.Passage, error) {
	list, err := find(ctx, r, `SELECT p.body FROM json_each(?3) j CROSS JOIN passage p
		WHERE p.tenant = ?1 AND p.id = j.value AND `+inState, ids, scanBody[tenure.Passage])
	slices.SortFunc(list, tenure.ComparePassages)
	return list, err
}

// PassagesOf implements [store.Reader].
func (r *reader) PassagesOf(ctx context.Context, documents []tenure.ID) ([]tenure.Passage, error) {
	list, err := find(ctx, r, `SELECT p.body FROM json_each(?3) j CROSS JOIN document d CROSS JOIN passage p
		WHERE d.tenant = ?1 AND d.id = j.value AND d.tx_start <= ?2 AND d.tx_end > ?2
			AND p.tenant = ?1 AND p.document = d.id AND p.version = d.version`, documents, scanBody[tenure.Passage])
	slices.SortFunc(list, tenure.ComparePassages)
	return list, err
}

// passagesIn finds the first passages in each of the places ?3, and then the first of all.
const passagesIn = `SELECT f.body FROM json_each(?3) j CROSS JOIN passage f
	WHERE f.tenant = ?1 AND f.id IN (SELECT p.id FROM passage p INDEXED BY passage_place
		WHERE p.tenant = ?1 AND p.place = j.value AND p.id > ?4 AND ` + inState + ` ORDER BY p.id LIMIT ?5)
	ORDER BY f.id LIMIT ?5`

// PassagesIn implements [store.Reader].
func (r *reader) PassagesIn(
	ctx context.Context, in tenure.Scope, after tenure.ID, limit int,
) ([]tenure.Passage, error) {
	return find(ctx, r, passagesIn, engine.PlacesIn(in), scanBody[tenure.Passage], string(after), atLeast(limit))
}
