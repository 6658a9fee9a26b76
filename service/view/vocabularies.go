package view

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/vocabulary"
)

// Vocabulary is the policy of a vocabulary with a page of its terms, ordered by name. A vocabulary that was
// never put is open, with version 0.
type Vocabulary struct {
	Policy tenure.Vocabulary
	Terms  Listing[tenure.Term]
}

// Vocabulary returns a vocabulary by its name. With base, the terms of the base vocabulary that the tenant has not
// defined anew are among those of the predicates.
func (v *View) Vocabulary(ctx context.Context, name string, base bool, p Page) (Vocabulary, error) {
	p = p.WithDefaults()
	policy, err := v.policy(ctx, name)
	if err != nil {
		return Vocabulary{}, err
	}
	terms, err := v.reader.ListTerms(ctx, name, p.After, p.Limit+1)
	if err == nil && base && name == tenure.Predicates {
		terms, err = v.withBase(ctx, terms, p)
	}
	return Vocabulary{
		Policy: policy, Terms: Listed(terms, p.Limit, func(t tenure.Term) string { return t.Name }),
	}, err
}

// withBase adds to a page of terms the base terms that belong on it.
func (v *View) withBase(ctx context.Context, terms []tenure.Term, p Page) ([]tenure.Term, error) {
	own := store.NewTerms(v.reader)
	var added []tenure.Term
	for _, t := range vocabulary.All() {
		if t.Name > p.After {
			added = append(added, t.Term)
		}
	}
	slices.SortFunc(added, func(a, b tenure.Term) int { return cmp.Compare(a.Name, b.Name) })
	added = added[:min(len(added), p.Limit+1)]
	ids := make([]string, len(added))
	for i, t := range added {
		ids[i] = t.ID()
	}
	if err := own.Load(ctx, ids); err != nil {
		return nil, err
	}
	for _, t := range added {
		mine, err := own.Term(ctx, t.ID())
		if err != nil {
			return nil, err
		}
		switch {
		case mine == nil:
			terms = append(terms, t)
		case mine.Registered: // it came with a claim before the program knew it
			terms = slices.DeleteFunc(terms, func(o tenure.Term) bool { return o.Name == t.Name })
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(a, b tenure.Term) int { return cmp.Compare(a.Name, b.Name) })
	return terms[:min(len(terms), p.Limit+1)], nil
}

func (v *View) policy(ctx context.Context, name string) (tenure.Vocabulary, error) {
	list, err := v.reader.Vocabularies(ctx, []string{name})
	if err != nil || len(list) == 0 {
		return tenure.Vocabulary{Name: name}, err
	}
	return list[0], nil
}

// Defined returns the policy of a vocabulary with those of the terms, by their ids, that are not removed.
func (v *View) Defined(ctx context.Context, name string, ids []string) (Vocabulary, error) {
	out := Vocabulary{}
	var err error
	if out.Policy, err = v.policy(ctx, name); err != nil {
		return Vocabulary{}, err
	}
	terms, err := v.reader.Terms(ctx, ids)
	for _, t := range terms {
		if !t.Removed {
			out.Terms.Items = append(out.Terms.Items, t)
		}
	}
	return out, err
}
