package amend

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"

	"tenure/attribute"
	"tenure/vocabulary"
)

// PutVocabulary opens or closes a vocabulary and defines terms. Listed terms are written, or removed if they
// are marked removed; other terms stay.
type PutVocabulary struct {
	Name    string
	Closed  bool
	Version int // the version the caller saw; 0 for a vocabulary that does not exist
	Terms   []tenure.Term
}

// Plan lists what Decide reads.
func (p PutVocabulary) Plan() ledger.Plan {
	w := ledger.Prefetch{Vocabularies: []string{p.Name}}
	for _, t := range p.Terms {
		w.Terms = append(w.Terms, tenure.TermID(p.Name, t.Name))
	}
	return ledger.Reads(w)
}

// maxSlots bounds the slots that one change of a predicate may reproject.
const maxSlots = 20_000

// Decide writes the vocabulary. If cardinality, value type, constancy or succession gap of a predicate change,
// its beliefs are projected again in the same change set. It
// returns Conflicting if the version is not the newest, and Unprocessable if a term to remove does not exist
// or is used in more slots than can be projected.
func (p PutVocabulary) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	v, err := txn.Vocabulary(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	if p.Version != v.Version {
		return nil, tenure.FieldError(tenure.Conflicting, "/version", "the vocabulary has changed since: look at it again")
	}
	v.Closed = p.Closed
	v.Version++
	txn.Put(tenure.VocabularyPut{Vocabulary: v})
	var cause projection.Cause
	for i, t := range p.Terms {
		old, err := txn.Term(ctx, tenure.TermID(p.Name, t.Name))
		if err != nil {
			return nil, err
		}
		if t.Removed && old == nil {
			return nil, tenure.FieldError(tenure.Unprocessable, fmt.Sprintf("/terms/%d", i), "there is no such term to remove")
		}
		if err := p.checkKind(ctx, txn, i); err != nil {
			return nil, err
		}
		t = p.normal(t)
		txn.Put(tenure.TermPut{Term: t})
		if p.Name != tenure.Predicates {
			continue
		}
		if t.Removed {
			t = vocabulary.Unknown(t.Name)
		}
		if old != nil && comparesAlike(*old, t) {
			continue
		}
		slots, err := txn.SlotsOf(ctx, t.Name, maxSlots)
		if err != nil {
			return nil, err
		}
		cause.Slots = append(cause.Slots, slots...)
	}
	_, err = projection.Project(ctx, txn, cause, m.Now)
	return v, err
}

// checkKind refuses a term that defines no identifier kind; its parent may be among the terms of the command.
func (p PutVocabulary) checkKind(ctx context.Context, d *ledger.Txn, i int) error {
	t := p.Terms[i]
	if p.Name != tenure.IdentifierKinds || t.Removed {
		return nil
	}
	var parent *tenure.Term
	if at := slices.IndexFunc(p.Terms, func(o tenure.Term) bool { return o.Name == t.Parent }); at >= 0 {
		if !p.Terms[at].Removed {
			parent = &p.Terms[at]
		}
	} else if t.Parent != "" {
		var err error
		if parent, err = d.Term(ctx, tenure.TermID(p.Name, t.Parent)); err != nil {
			return err
		}
	}
	return attribute.CheckKind(t, parent, fmt.Sprintf("/terms/%d", i))
}

func comparesAlike(a, b tenure.Term) bool {
	return a.Cardinality == b.Cardinality && a.Constant == b.Constant && a.SuccessionGap == b.SuccessionGap &&
		a.ValueType == b.ValueType && a.Registered == b.Registered
}

// normal returns the term with the defaults of a predicate filled in.
func (p PutVocabulary) normal(t tenure.Term) tenure.Term {
	t.Vocabulary, t.Registered = p.Name, false
	if p.Name == tenure.Predicates {
		t.Cardinality = cmp.Or(t.Cardinality, tenure.One)
		t.ValueType = cmp.Or(t.ValueType, tenure.AnyValue)
	}
	return t
}
