package service

import (
	"cmp"
	"context"
	"fmt"

	"tenure"

	"tenure/amend"
	"tenure/roles"
	"tenure/vocabulary"
)

// BaseVersion is the version of the base vocabulary.
const BaseVersion = vocabulary.Version

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
	if !c.Unbound() {
		return Vocabulary{}, tenure.Errorf(tenure.Forbidden,
			"vocabularies are the whole tenant's: administrators who are bound to nothing define them")
	}
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
	return v.Defined(ctx, policy.Name, ids)
}

// mostChanges is how many changes the entries of one page of the log have together, unless its first alone has more.
const mostChanges = 10_000

// Changes lists at most limit entries (0: 50) of the log of the caller's tenant after a sequence number, in
// order, and fewer where they have more than mostChanges changes. It returns Forbidden to a caller who is bound to a
// scope: the log tells of all.
func (s *Service) Changes(ctx context.Context, c tenure.Caller, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	if !c.Unbound() {
		return nil, tenure.Errorf(tenure.Forbidden, "the log is for administrators who are bound to nothing")
	}
	entries, err := s.store.Log(ctx, c.Tenant, after, Page{Limit: limit}.WithDefaults().Limit)
	room := mostChanges
	for i, e := range entries {
		if room -= len(e.Changes); room < 0 && i > 0 {
			return entries[:i], err
		}
	}
	return entries, err
}
