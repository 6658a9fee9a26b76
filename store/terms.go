package store

import (
	"context"

	"tenure"
)

// Terms finds the terms of a tenant by id, and reads each once. It is for one goroutine.
type Terms struct {
	from  VocabularyReader
	known map[string]*tenure.Term
}

// NewTerms returns the terms in a state.
func NewTerms(from VocabularyReader) *Terms { return &Terms{from, map[string]*tenure.Term{}} }

// Load reads terms at once.
func (t *Terms) Load(ctx context.Context, ids []string) error {
	var missing []string
	for _, id := range ids {
		if _, ok := t.known[id]; !ok {
			t.known[id] = nil
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	found, err := t.from.Terms(ctx, missing)
	for i := range found {
		if !found[i].Removed {
			t.known[found[i].ID()] = &found[i]
		}
	}
	return err
}

// Term returns a term, nil if there is none or it was removed.
func (t *Terms) Term(ctx context.Context, id string) (*tenure.Term, error) {
	err := t.Load(ctx, []string{id})
	return t.known[id], err
}
