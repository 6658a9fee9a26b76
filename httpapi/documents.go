package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// IngestDocument implements POST /v1/documents.
func (s *server) IngestDocument(
	ctx context.Context, req api.IngestDocumentRequestObject,
) (api.IngestDocumentResponseObject, error) {
	w, err := s.deps.Service.IngestDocument(ctx, callerOf(ctx), keyOf(ctx), wire.DocumentInput(*req.Body))
	answer := wire.DocumentAnswer(w)
	if err == nil && w.Answer.Effect == service.DocumentUnchanged {
		return api.IngestDocument200JSONResponse(answer), nil
	}
	return api.IngestDocument201JSONResponse(answer), made(ctx, "/v1/documents/", w.Answer.ID, w.Receipt, err)
}

// ListDocuments implements GET /v1/documents.
func (s *server) ListDocuments(
	ctx context.Context, req api.ListDocumentsRequestObject,
) (api.ListDocumentsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Documents(ctx, wire.DocumentFilter(p), l.page)
	return api.ListDocuments200JSONResponse{
		Items: wire.Each(page.Items, wire.DocumentSummary), NextCursor: nextCursor(l, page),
		AsOf: wire.KnownState(l.State()),
	}, err
}

// GetDocument implements GET /v1/documents/{id}.
func (s *server) GetDocument(
	ctx context.Context, req api.GetDocumentRequestObject,
) (api.GetDocumentResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	d, err := v.Document(ctx, tenure.ID(req.Id))
	answer := wire.Document(d)
	answer.AsOf = wire.KnownState(v.State())
	return api.GetDocument200JSONResponse(answer), err
}

// WithdrawDocument implements DELETE /v1/documents/{id}.
func (s *server) WithdrawDocument(
	ctx context.Context, req api.WithdrawDocumentRequestObject,
) (api.WithdrawDocumentResponseObject, error) {
	return api.WithdrawDocument204Response{}, s.deps.Service.WithdrawDocument(ctx, callerOf(ctx), tenure.ID(req.Id))
}

// EraseDocument implements DELETE /v1/documents/{id}/content.
func (s *server) EraseDocument(
	ctx context.Context, req api.EraseDocumentRequestObject,
) (api.EraseDocumentResponseObject, error) {
	e, err := s.erase(ctx, service.ErasureRequest{Document: tenure.ID(req.Id)}, req.Params.Plan)
	return api.EraseDocument200JSONResponse(e), err
}
