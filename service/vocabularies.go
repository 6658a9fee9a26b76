package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenure"

	"tenure/amend"
	"tenure/roles"
	"tenure/store"
	"tenure/vocabulary"
)

// BaseVersion is the version of the base vocabulary.
const BaseVersion = vocabulary.Version

// Vocabulary is the policy of a vocabulary with a page of its terms, ordered by name. A vocabulary that was
// never put is open, with version 0.
type Vocabulary struct {
	Policy tenure.Vocabulary
	Terms  Listing[tenure.Term]
}

// Vocabulary returns a vocabulary by its name. With base, the terms of the base vocabulary that the tenant has not
// defined anew are among those of the predicates.
func (v *View) Vocabulary(ctx context.Context, name string, base bool, p Page) (Vocabulary, error) {
	p = p.withDefaults()
	policy, err := v.policy(ctx, name)
	if err != nil {
		return Vocabulary{}, err
	}
	terms, err := v.reader.ListTerms(ctx, name, p.After, p.Limit+1)
	if err == nil && base && name == tenure.Predicates {
		terms, err = v.withBase(ctx, terms, p)
	}
	return Vocabulary{
		Policy: policy, Terms: listed(terms, p.Limit, func(t tenure.Term) string { return t.Name }),
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

// TermDefinition defines or removes a term. SuccessionGap, in seconds, applies to predicates only; nil is
// [tenure.DefaultSuccessionGap]. Deduplicated applies to sources only; Exclusive, Normalizer and Region apply
// to identifier kinds only, Outranks to roles only.
type TermDefinition struct {
	Name          string
	Parent        string
	Cardinality   tenure.Cardinality
	ValueType     tenure.ValueType
	Constant      bool
	SuccessionGap *int
	Synonyms      []string
	Inverse       string
	Decay         tenure.Decay
	Description   string
	Deduplicated  bool
	Exclusive     bool
	Normalizer    tenure.Normalizer
	Region        string
	Outranks      []string
	Removed       bool
}

// TermFaults returns the faults of terms that are defined together, with JSON pointers.
func TermFaults(definitions []TermDefinition) tenure.Faults {
	var f tenure.Faults
	seen := map[string]bool{}
	for i, d := range definitions {
		if seen[d.Name] {
			f.Add(fmt.Sprintf("/terms/%d/name", i), "occurs twice")
		}
		seen[d.Name] = true
	}
	return f
}

func (d TermDefinition) term(name string) tenure.Term {
	t := tenure.Term{
		Vocabulary: name, Name: d.Name, Parent: d.Parent, Cardinality: d.Cardinality, ValueType: d.ValueType,
		Constant: d.Constant, Deduplicated: d.Deduplicated && name == tenure.Sources, Removed: d.Removed,
	}
	if name == tenure.IdentifierKinds {
		t.Exclusive, t.Normalizer, t.Region = d.Exclusive, d.Normalizer, d.Region
	}
	if name == tenure.SpeakerRoles {
		t.Name, t.Parent = cmp.Or(roles.Normal(d.Name), d.Name), roles.Normal(d.Parent)
		for _, r := range d.Outranks {
			t.Outranks = append(t.Outranks, roles.Normal(r))
		}
	}
	if name == tenure.Predicates {
		t.Synonyms, t.Inverse, t.Decay, t.Description = d.Synonyms, d.Inverse, d.Decay, d.Description
		t.SuccessionGap = tenure.DefaultSuccessionGap
		if d.SuccessionGap != nil {
			t.SuccessionGap = *d.SuccessionGap
		}
	}
	return t
}

// PutVocabulary opens or closes a vocabulary and defines terms, and returns the vocabulary with the defined
// terms. The version must be the newest: PutVocabulary returns Conflicting otherwise, and else the errors of
// [amend.PutVocabulary.Decide].
func (s *Service) PutVocabulary(
	ctx context.Context, c tenure.Caller, policy tenure.Vocabulary, definitions []TermDefinition,
) (Vocabulary, error) {
	if err := TermFaults(definitions).Err(); err != nil {
		return Vocabulary{}, err
	}
	var terms []tenure.Term
	var ids []string
	for _, d := range definitions {
		t := d.term(policy.Name)
		terms, ids = append(terms, t), append(ids, t.ID())
	}
	_, v, err := writeAndView[tenure.Vocabulary](ctx, s, c, nil, "put_vocabulary", amend.PutVocabulary{
		Name: policy.Name, Closed: policy.Closed, Version: policy.Version, Terms: terms,
	})
	if err != nil {
		return Vocabulary{}, err
	}
	out := Vocabulary{}
	if out.Policy, err = v.policy(ctx, policy.Name); err != nil {
		return Vocabulary{}, err
	}
	put, err := v.reader.Terms(ctx, ids)
	for _, t := range put {
		if !t.Removed {
			out.Terms.Items = append(out.Terms.Items, t)
		}
	}
	return out, err
}

// Changes lists at most limit entries (0: 50) of the log of the caller's tenant after a sequence number, in
// order.
func (s *Service) Changes(ctx context.Context, c tenure.Caller, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	return s.store.Log(ctx, c.Tenant, after, Page{Limit: limit}.withDefaults().Limit)
}
