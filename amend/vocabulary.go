package amend

import (
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/roles"

	"tenure/attribute"
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

// Decide writes the vocabulary. If the meaning of a predicate changes (cardinality, value type, constancy, succession
// gap, other names, inverse), its claims are moved to where they are held from now on, and its beliefs are projected
// again in the same change set. It returns Conflicting if the version is not the newest, and Unprocessable if the
// terms contradict each other or those of the base vocabulary, if a term to remove does not exist, or if one is used
// in more slots than can be projected.
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
	before, err := p.order(ctx, txn)
	if err != nil {
		return nil, err
	}
	if p.Name == tenure.Predicates {
		return v, p.decidePredicates(ctx, txn, v, m)
	}
	txn.Put(tenure.VocabularyPut{Vocabulary: v})
	for i, t := range p.Terms {
		if err := p.checkRemoved(ctx, txn, i); err != nil {
			return nil, err
		}
		if err := p.checkKind(ctx, txn, i); err != nil {
			return nil, err
		}
		t.Vocabulary, t.Registered = p.Name, false
		txn.Put(tenure.TermPut{Term: t})
	}
	respoken, err := p.reorder(ctx, txn, before)
	if err != nil {
		return nil, err
	}
	_, err = projection.Project(ctx, txn, projection.Cause{Slots: respoken}, m.Now)
	return v, err
}

// checkRemoved refuses to remove a term that does not exist.
func (p PutVocabulary) checkRemoved(ctx context.Context, txn *ledger.Txn, i int) error {
	t := p.Terms[i]
	if !t.Removed {
		return nil
	}
	old, err := txn.Term(ctx, tenure.TermID(p.Name, t.Name))
	if err == nil && old == nil {
		err = tenure.FieldError(tenure.Unprocessable, fmt.Sprintf("/terms/%d", i), "there is no such term to remove")
	}
	return err
}

// order returns the order of roles, if the command changes it.
func (p PutVocabulary) order(ctx context.Context, txn *ledger.Txn) (roles.Order, error) {
	if p.Name != tenure.SpeakerRoles {
		return roles.Base(), nil
	}
	return projection.Roles(ctx, txn)
}

// reorder checks the order of roles that the command makes, and lists the slots of those who stand otherwise in it.
func (p PutVocabulary) reorder(ctx context.Context, txn *ledger.Txn, before roles.Order) ([]tenure.Slot, error) {
	if p.Name != tenure.SpeakerRoles {
		return nil, nil
	}
	terms, err := txn.Terms(ctx, p.Name, roles.MaxTerms+1)
	if err != nil {
		return nil, err
	}
	if len(terms) > roles.MaxTerms {
		return nil, tenure.FieldError(tenure.Unprocessable, "/terms",
			fmt.Sprintf("there can be at most %d roles", roles.MaxTerms))
	}
	if err := p.checkRoles(terms); err != nil {
		return nil, err
	}
	return txn.SlotsSpoken(ctx, roles.Differ(before, roles.New(terms, p.Closed)), projection.MaxSlots)
}

// checkRoles returns Unprocessable for the faults of an order of roles. A fault of a term that the command does not
// list is that of the command's term which the other one needs, else of closing the vocabulary.
func (p PutVocabulary) checkRoles(terms []tenure.Term) error {
	place := map[string]int{}
	for i, t := range p.Terms {
		if _, twice := place[t.Name]; twice {
			return tenure.FieldError(tenure.Unprocessable, fmt.Sprintf("/terms/%d/name", i),
				"is the same role as another of the terms")
		}
		place[t.Name] = i
	}
	faults := roles.Check(terms, p.Closed)
	for _, f := range faults {
		if i, listed := place[f.Term]; listed {
			return tenure.FieldError(tenure.Unprocessable, fmt.Sprintf("/terms/%d/%s", i, f.Field), f.Reason)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	f, pointer := faults[0], "/closed"
	if i, listed := place[f.Needs]; listed {
		pointer = fmt.Sprintf("/terms/%d", i)
	}
	return tenure.FieldError(tenure.Unprocessable, pointer,
		fmt.Sprintf("is at odds with the role %q, whose %s %s", f.Term, f.Field, f.Reason))
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
