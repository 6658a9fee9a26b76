package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/store"
)

// GetVocabulary implements GET /v1/vocabularies/{name}.
func (s *server) GetVocabulary(ctx context.Context, req api.GetVocabularyRequestObject) (api.GetVocabularyResponseObject, error) {
	l, err := s.listPage(ctx, req.Params.Limit, req.Params.Cursor, nil, nil)
	if err != nil {
		return nil, err
	}
	out, err := vocabulary(ctx, l.reader, req.Name)
	if err != nil {
		return nil, err
	}
	terms, err := l.reader.ListTerms(ctx, req.Name, l.last, l.limit+1)
	if err != nil {
		return nil, err
	}
	for _, t := range terms[:min(len(terms), l.limit)] {
		out.Terms = append(out.Terms, termView(t))
	}
	if len(terms) > l.limit {
		out.NextCursor = l.next(terms[l.limit-1].Name, true)
	}
	return api.GetVocabulary200JSONResponse(out), nil
}

// vocabulary is the policy without its terms. One that nobody has written is
// open, of version 0.
func vocabulary(ctx context.Context, r store.Reader, name string) (api.Vocabulary, error) {
	out := api.Vocabulary{Name: name, Terms: []api.Term{}}
	list, err := r.Vocabularies(ctx, []string{name})
	if err != nil {
		return out, err
	}
	for _, v := range list {
		out.Closed, out.Version = v.Closed, v.Version
	}
	return out, nil
}

// PutVocabulary implements PUT /v1/vocabularies/{name}.
func (s *server) PutVocabulary(ctx context.Context, req api.PutVocabularyRequestObject) (api.PutVocabularyResponseObject, error) {
	in := req.Body
	var put []tenure.Term
	var ids []string
	for _, t := range in.Terms {
		term := termOf(req.Name, t)
		put = append(put, term)
		ids = append(ids, term.ID())
	}
	policy := tenure.Vocabulary{Name: req.Name, Closed: *in.Closed, Version: *in.Version}
	receipt, err := s.deps.Vocabularist.PutVocabulary(ctx, callerOf(ctx), policy, put)
	if err != nil {
		return nil, err
	}
	r, err := s.after(ctx, receipt)
	if err != nil {
		return nil, err
	}
	out, err := vocabulary(ctx, r, req.Name)
	if err != nil {
		return nil, err
	}
	terms, err := r.Terms(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, t := range terms {
		if t.Removed {
			continue
		}
		out.Terms = append(out.Terms, termView(t))
	}
	return api.PutVocabulary200JSONResponse(out), nil
}

func termOf(vocabulary string, t api.Term) tenure.Term {
	term := tenure.Term{
		Vocabulary: vocabulary, Name: t.Name, Parent: t.Parent, Cardinality: t.Cardinality,
		ValueType: t.ValueType, Constant: t.Constant, Deduplicated: t.Deduplicated && vocabulary == tenure.Sources,
		Removed: t.Removed,
	}
	if vocabulary == tenure.IdentifierKinds {
		term.Exclusive, term.Normalizer, term.Region = t.Exclusive, t.Normalizer, t.Region
	}
	if vocabulary == tenure.Predicates {
		term.SuccessionGap = tenure.DefaultSuccessionGap
		if t.SuccessionGap != nil {
			term.SuccessionGap = *t.SuccessionGap
		}
	}
	return term
}
