package observe

import (
	"context"

	"tenure"
	"tenure/store"
)

func (r *reader) Documents(ctx context.Context, ids []tenure.ID) ([]tenure.Document, error) {
	ctx, call := r.begin(ctx, readDocuments)
	list, err := r.next.Documents(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) ListDocuments(ctx context.Context, q store.DocumentQuery) ([]tenure.Document, error) {
	ctx, call := r.begin(ctx, readListDocuments)
	list, err := r.next.ListDocuments(ctx, q)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Passages(ctx context.Context, ids []tenure.ID) ([]tenure.Passage, error) {
	ctx, call := r.begin(ctx, readPassages)
	list, err := r.next.Passages(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) PassagesOf(ctx context.Context, documents []tenure.ID) ([]tenure.Passage, error) {
	ctx, call := r.begin(ctx, readPassagesOf)
	list, err := r.next.PassagesOf(ctx, documents)
	call.end(len(list), err)
	return list, err
}

func (r *reader) PassagesIn(
	ctx context.Context, in tenure.Scope, after tenure.ID, limit int,
) ([]tenure.Passage, error) {
	ctx, call := r.begin(ctx, readPassagesIn)
	list, err := r.next.PassagesIn(ctx, in, after, limit)
	call.end(len(list), err)
	return list, err
}
