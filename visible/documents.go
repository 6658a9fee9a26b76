package visible

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// Documents implements [store.DocumentReader].
func (r *reader) Documents(ctx context.Context, ids []tenure.ID) ([]tenure.Document, error) {
	list, err := r.Reader.Documents(ctx, ids)
	return r.documents(list), err
}

// documents leaves out those that the audience does not see.
func (r *reader) documents(list []tenure.Document) []tenure.Document {
	return slices.DeleteFunc(slices.Clone(list), func(d tenure.Document) bool { return !r.sees.Sees(d.Label()) })
}

// ListDocuments implements [store.DocumentReader].
func (r *reader) ListDocuments(ctx context.Context, q store.DocumentQuery) ([]tenure.Document, error) {
	return filled(q.Limit, func(last *tenure.Document, n int) ([]tenure.Document, error) {
		q := q
		if q.Limit = n; last != nil {
			q.After = last.ID
		}
		return r.Reader.ListDocuments(ctx, q)
	}, func(list []tenure.Document) ([]tenure.Document, error) { return r.documents(list), nil })
}

// Passages implements [store.DocumentReader].
func (r *reader) Passages(ctx context.Context, ids []tenure.ID) ([]tenure.Passage, error) {
	list, err := r.Reader.Passages(ctx, ids)
	if err != nil {
		return nil, err
	}
	return r.passages(ctx, list)
}

// passages leaves out those of documents that the audience does not see.
func (r *reader) passages(ctx context.Context, list []tenure.Passage) ([]tenure.Passage, error) {
	ids := make([]tenure.ID, len(list))
	for i, p := range list {
		ids[i] = p.Document
	}
	found, err := r.Documents(ctx, unique(ids))
	if err != nil {
		return nil, err
	}
	seen := map[tenure.ID]bool{}
	for _, d := range found {
		seen[d.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(p tenure.Passage) bool { return !seen[p.Document] }), nil
}

// PassagesOf implements [store.DocumentReader].
func (r *reader) PassagesOf(ctx context.Context, documents []tenure.ID) ([]tenure.Passage, error) {
	found, err := r.Documents(ctx, documents)
	if err != nil {
		return nil, err
	}
	ids := make([]tenure.ID, len(found))
	for i, d := range found {
		ids[i] = d.ID
	}
	return r.Reader.PassagesOf(ctx, ids)
}

// PassagesIn implements [store.DocumentReader].
func (r *reader) PassagesIn(
	ctx context.Context, in tenure.Scope, after tenure.ID, limit int,
) ([]tenure.Passage, error) {
	if limit <= 0 {
		return nil, nil
	}
	return filled(limit, func(last *tenure.Passage, n int) ([]tenure.Passage, error) {
		if last != nil {
			after = last.ID
		}
		return r.Reader.PassagesIn(ctx, in, after, n)
	}, func(list []tenure.Passage) ([]tenure.Passage, error) { return r.passages(ctx, list) })
}
