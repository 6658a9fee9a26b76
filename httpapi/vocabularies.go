package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// GetVocabulary implements GET /v1/vocabularies/{name}.
func (s *server) GetVocabulary(
	ctx context.Context, req api.GetVocabularyRequestObject,
) (api.GetVocabularyResponseObject, error) {
	l, err := s.listPage(ctx, req.Params.Limit, req.Params.Cursor, nil, nil)
	if err != nil {
		return nil, err
	}
	v, err := l.Vocabulary(ctx, req.Name, req.Params.Base, l.page)
	out := wire.Vocabulary(v)
	if req.Name == tenure.Predicates {
		out.BaseVersion = service.BaseVersion
	}
	out.NextCursor = nextCursor(l, v.Terms)
	return api.GetVocabulary200JSONResponse(out), err
}

// PutVocabulary implements PUT /v1/vocabularies/{name}.
func (s *server) PutVocabulary(
	ctx context.Context, req api.PutVocabularyRequestObject,
) (api.PutVocabularyResponseObject, error) {
	in := req.Body
	policy := tenure.Vocabulary{Name: req.Name, Closed: *in.Closed, Version: *in.Version}
	v, err := s.deps.Service.PutVocabulary(ctx, callerOf(ctx), policy, wire.Each(in.Terms, wire.DefinitionOf))
	return api.PutVocabulary200JSONResponse(wire.Vocabulary(v)), err
}
