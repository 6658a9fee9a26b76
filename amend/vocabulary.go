package amend

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"

	"tenure/similarity"
)

// PutVocabulary opens or closes a vocabulary and defines terms. Those that are
// listed are put, or taken away if they are marked removed; others stay.
type PutVocabulary struct {
	Name    string
	Closed  bool
	Version int // that which was seen; 0 for a vocabulary that nobody has put
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

// maxSlots bounds what one change of a predicate may judge anew.
const maxSlots = 20_000

// Decide puts the vocabulary. A predicate whose cardinality, constancy or
// succession gap changes has its beliefs judged anew in the same change set; a
// new value type holds for the values that are written from then on. A version that is not the newest is Conflicting; a
// term to be removed that is not there is Unprocessable, and so is one that is
// used in more slots than can be judged at once.
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
			t = projection.PredicateTerm(t.Name)
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

// checkKind refuses a term that defines no kind of identifier; its parent may be
// among the terms that are put.
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
	return similarity.CheckKind(t, parent, fmt.Sprintf("/terms/%d", i))
}

func comparesAlike(a, b tenure.Term) bool {
	return a.Cardinality == b.Cardinality && a.Constant == b.Constant && a.SuccessionGap == b.SuccessionGap
}

// normal is the term with what is not said of a predicate filled in.
func (p PutVocabulary) normal(t tenure.Term) tenure.Term {
	t.Vocabulary, t.Registered = p.Name, false
	if p.Name == tenure.Predicates {
		t.Cardinality = cmp.Or(t.Cardinality, tenure.One)
		t.ValueType = cmp.Or(t.ValueType, tenure.TextValue)
	}
	return t
}
