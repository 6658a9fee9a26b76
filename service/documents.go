package service

import (
	"context"

	"tenure"
	"tenure/auth"
	"tenure/documents"
	"tenure/service/view"
)

type (
	// DocumentInput is a document as a caller states it.
	DocumentInput = documents.Input
	// IngestedDocument is what became of a document.
	IngestedDocument = documents.Answer
	// Document is a version of a document with its passages.
	Document = view.Document
	// DocumentFilter selects documents.
	DocumentFilter = view.DocumentFilter
)

// DocumentUnchanged is the effect of a document that says the same already.
const DocumentUnchanged = documents.Unchanged

// IngestDocument writes a document, and replaces the one of its URI, scope and label: see [documents.Put.Decide]. It
// returns Invalid for the faults of the document, and Forbidden as [auth.Bind] does.
func (s *Service) IngestDocument(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in DocumentInput,
) (Written[IngestedDocument], error) {
	var none Written[IngestedDocument]
	err := in.Faults().Err()
	if err != nil {
		return none, err
	}
	if in.Scope, err = auth.Bind(c, in.Scope, "/scope"); err != nil {
		return none, err
	}
	d, list, err := in.Document(c, s.tokens.Count)
	if err != nil {
		return none, err
	}
	return write[IngestedDocument](ctx, s, c, key, documents.PutOperation,
		documents.Put{Caller: c, Document: d, Passages: list})
}

// WithdrawDocument withdraws a document: see [documents.Withdraw.Decide].
func (s *Service) WithdrawDocument(ctx context.Context, c tenure.Caller, id tenure.ID) error {
	_, err := write[IngestedDocument](ctx, s, c, nil, documents.WithdrawOperation, documents.Withdraw{Caller: c, ID: id})
	return err
}
