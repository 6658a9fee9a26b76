package vocabulary_test

import (
	"context"
	"testing"

	"tenure"
	"tenure/vocabulary"
)

type noTerms struct{}

func (noTerms) Term(context.Context, string) (*tenure.Term, error) { return nil, nil }

func TestRevisions(t *testing.T) {
	for written, want := range map[string]string{
		"deadline_v2": "due_date", "new_deadline": "due_date", "revised deadline": "due_date", "deadline": "due_date", "priceCorrected": "price",
		"updated_price": "price", "the_new_price": "price", "price_latest": "price", "price_v12": "price",
		// several values, none that can change, no term, and other words
		"new_member": "new_member", "new_birth_date": "new_birth_date", "api_v2": "api_v2", "price_v": "price_v",
		"ip_v4": "ip_v4", "ip_v6": "ip_v6", "address_v4": "address_v4", "is_current": "is_current", "semi_final": "semi_final",
		"price_final": "price_final",
		"old_price":   "old_price", "price_updated": "price_updated", "v2": "v2", "new": "new", "new_york_office": "new_york_office",
	} {
		got, err := vocabulary.Resolve(t.Context(), noTerms{}, written)
		if err != nil || got.Name != want {
			t.Errorf("%q is %q (%v), want %q", written, got.Name, err, want)
		}
	}
}
