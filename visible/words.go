package visible

import (
	"context"
	"slices"

	"tenure"
)

// Terms implements [store.VocabularyReader].
func (r *reader) Terms(ctx context.Context, ids []string) ([]tenure.Term, error) {
	list, err := r.Reader.Terms(ctx, ids)
	return r.terms(list), err
}

// ListTerms implements [store.VocabularyReader].
func (r *reader) ListTerms(ctx context.Context, vocabulary, after string, limit int) ([]tenure.Term, error) {
	return filled(limit, func(last *tenure.Term, n int) ([]tenure.Term, error) {
		if last != nil {
			after = last.Name
		}
		return r.Reader.ListTerms(ctx, vocabulary, after, n)
	}, func(list []tenure.Term) ([]tenure.Term, error) { return r.terms(list), nil })
}

// terms leaves out the words that only evidence which the audience does not see has registered.
func (r *reader) terms(list []tenure.Term) []tenure.Term {
	hidden := func(t tenure.Term) bool { return !t.UsedFor(r.sees) }
	if !slices.ContainsFunc(list, hidden) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), hidden)
}
