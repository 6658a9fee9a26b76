package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
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
	out := vocabularyView(v)
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
	v, err := s.deps.Service.PutVocabulary(ctx, callerOf(ctx), policy, each(in.Terms, definitionOf))
	return api.PutVocabulary200JSONResponse(vocabularyView(v)), err
}

func definitionOf(t api.Term) service.TermDefinition {
	return service.TermDefinition{
		Name: t.Name, Parent: t.Parent, Cardinality: t.Cardinality, ValueType: t.ValueType, Constant: t.Constant,
		SuccessionGap: t.SuccessionGap, Deduplicated: t.Deduplicated, Removed: t.Removed,
		Exclusive: t.Exclusive, Normalizer: t.Normalizer, Region: t.Region, Outranks: t.Outranks,
		Synonyms: t.Synonyms, Inverse: t.Inverse, Decay: t.Decay, Description: t.Description,
	}
}

func vocabularyView(v service.Vocabulary) api.Vocabulary {
	return api.Vocabulary{
		Name: v.Policy.Name, Closed: v.Policy.Closed, Version: v.Policy.Version, Terms: each(v.Terms.Items, termView),
	}
}

func termView(t tenure.Term) api.Term {
	v := api.Term{
		Name: t.Name, Parent: t.Parent, Cardinality: t.Cardinality, ValueType: t.ValueType,
		Constant: t.Constant, Deduplicated: t.Deduplicated, Registered: t.Registered,
		Exclusive: t.Exclusive, Normalizer: t.Normalizer, Region: t.Region, Outranks: t.Outranks,
		Synonyms: t.Synonyms, Inverse: t.Inverse, Decay: t.Decay, Description: t.Description, Base: t.Base,
	}
	if t.Vocabulary == tenure.Predicates {
		v.SuccessionGap = &t.SuccessionGap
	}
	return v
}
