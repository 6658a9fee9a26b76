package amend

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/vocabulary"
)

// decidePredicates writes terms of predicates with their other names, and what follows from them.
func (p PutVocabulary) decidePredicates(
	ctx context.Context, txn *ledger.Txn, v tenure.Vocabulary, m tenure.Mint,
) error {
	if err := txn.RequireExclusive(); err != nil {
		return err
	}
	for i := range p.Terms {
		if err := p.checkRemoved(ctx, txn, i); err != nil {
			return err
		}
	}
	own, err := txn.TermsOf(ctx, tenure.Predicates)
	if err != nil {
		return err
	}
	own = slices.DeleteFunc(own, func(t tenure.Term) bool { return t.Registered })
	puts := p.predicates(own)
	if err := p.checkPredicates(own, puts); err != nil {
		return err
	}
	words, err := p.touched(ctx, txn, own)
	if err != nil {
		return err
	}
	before, err := placesOf(ctx, txn, words)
	if err != nil {
		return err
	}
	txn.Put(tenure.VocabularyPut{Vocabulary: v})
	for _, t := range puts {
		txn.Put(tenure.TermPut{Term: t})
	}
	after, err := placesOf(ctx, txn, words)
	if err != nil {
		return err
	}
	cause, err := rearrange(ctx, txn, words, before, after)
	if err != nil {
		return err
	}
	_, err = projection.Project(ctx, txn, cause, m.Now)
	return err
}

// predicates lists the terms to write: those of the command, with a term for each synonym, and the removal of the
// synonyms that a term had and has no more.
func (p PutVocabulary) predicates(own []tenure.Term) []tenure.Term {
	var list []tenure.Term
	listed := map[string]bool{}
	for _, t := range p.Terms {
		listed[t.Name] = true
		t.Vocabulary, t.Registered, t.Base = p.Name, false, false
		if t.Parent == "" {
			t.Cardinality, t.ValueType = cmp.Or(t.Cardinality, tenure.One), cmp.Or(t.ValueType, tenure.AnyValue)
		}
		list = append(list, t)
	}
	add := func(t tenure.Term) {
		if !listed[t.Name] {
			listed[t.Name] = true
			list = append(list, t)
		}
	}
	for _, t := range p.Terms {
		for _, word := range t.Synonyms {
			if i := indexOf(own, word); !t.Removed && (i < 0 || own[i].Parent != "") {
				add(tenure.Term{Vocabulary: p.Name, Name: word, Parent: t.Name})
			}
		}
	}
	for _, t := range p.Terms {
		i := indexOf(own, t.Name)
		if i < 0 {
			continue
		}
		for _, word := range own[i].Synonyms {
			if at := indexOf(own, word); at >= 0 && own[at].Parent == t.Name {
				add(tenure.Term{Vocabulary: p.Name, Name: word, Parent: t.Name, Removed: true})
			}
		}
	}
	return list
}

func indexOf(terms []tenure.Term, name string) int {
	return slices.IndexFunc(terms, func(t tenure.Term) bool { return t.Name == name })
}

// checkPredicates returns what would be wrong with the vocabulary and was not so before, where the command says it.
func (p PutVocabulary) checkPredicates(own, puts []tenure.Term) error {
	known := map[string]bool{}
	for _, f := range vocabulary.Check(extended(own)) {
		known[f.String()] = true
	}
	next := slices.Clone(own)
	for _, t := range puts {
		next = slices.DeleteFunc(next, func(o tenure.Term) bool { return o.Name == t.Name })
		if !t.Removed {
			next = append(next, t)
		}
	}
	var faults tenure.Faults
	for _, f := range vocabulary.Check(extended(next)) {
		says := func(t tenure.Term) bool { return !t.Removed && t.Name == f.Name }
		lists := func(t tenure.Term) bool { return !t.Removed && slices.Contains(t.Synonyms, f.Name) }
		if i := slices.IndexFunc(p.Terms, says); i >= 0 {
			faults.Add(fmt.Sprintf("/terms/%d/%s", i, f.Field), "%s", f.Reason)
		} else if i := slices.IndexFunc(p.Terms, lists); i >= 0 {
			faults.Add(fmt.Sprintf("/terms/%d/synonyms", i), "has %q: its %s %s", f.Name, f.Field, f.Reason)
		} else if !known[f.String()] {
			faults.Add("/terms", "leave a fault in %q: its %s %s", f.Name, f.Field, f.Reason)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return &tenure.Error{Code: tenure.Unprocessable, Message: "the terms contradict each other", Fields: faults}
}

func extended(own []tenure.Term) []vocabulary.Term {
	terms := make([]vocabulary.Term, len(own))
	for i, t := range own {
		terms[i] = vocabulary.Term{Term: t}
	}
	return vocabulary.Extend(terms)
}

// touched lists the words whose meaning the command may change.
func (p PutVocabulary) touched(ctx context.Context, txn *ledger.Txn, own []tenure.Term) ([]string, error) {
	var words []string
	add := func(list ...string) {
		for _, w := range list {
			if w != "" && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	for _, t := range p.Terms {
		add(t.Name, t.Parent, t.Inverse)
		add(t.Synonyms...)
		if i := indexOf(own, t.Name); i >= 0 {
			add(own[i].Parent, own[i].Inverse)
			add(own[i].Synonyms...)
		}
	}
	for _, w := range slices.Clone(words) {
		t, err := vocabulary.Resolve(ctx, txn, w)
		if err != nil {
			return nil, err
		}
		add(t.Name, t.Inverse)
	}
	return words, nil
}

// place is where claims under a predicate as written are held.
type place struct {
	term, held tenure.Term
	inverted   bool
}

func placesOf(ctx context.Context, txn *ledger.Txn, words []string) ([]place, error) {
	list := make([]place, len(words))
	for i, w := range words {
		var err error
		if list[i].term, err = vocabulary.Resolve(ctx, txn, w); err != nil {
			return nil, err
		}
		if list[i].held, list[i].inverted, err = vocabulary.Held(ctx, txn, list[i].term); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// rearrange moves the claims under some words that are held elsewhere from now on, and lists the slots that are judged
// differently.
func rearrange(
	ctx context.Context, txn *ledger.Txn, words []string, before, after []place,
) (projection.Cause, error) {
	var cause projection.Cause
	moving, judged := map[string]bool{}, map[string]bool{}
	for i, was := range before {
		is := after[i]
		if was.term.Name != is.term.Name || was.held.Name != is.held.Name || was.inverted != is.inverted {
			moving[was.term.Name], moving[was.held.Name] = true, true
			moving[words[i]], judged[words[i]] = true, true // what does not fit a synonym's term is held under the word
		}
		if was.term.Name == is.term.Name && !comparesAlike(was.term, is.term) {
			judged[is.term.Name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(moving)) {
		slots, err := txn.SlotsOf(ctx, name, projection.MaxSlots)
		if err == nil {
			err = replace(ctx, txn, slots)
		}
		if err != nil {
			return cause, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(judged)) {
		slots, err := txn.SlotsOf(ctx, name, projection.MaxSlots)
		if err != nil {
			return cause, err
		}
		cause.Slots = append(cause.Slots, slots...)
	}
	return cause, nil
}

func comparesAlike(a, b tenure.Term) bool {
	return a.Cardinality == b.Cardinality && a.Constant == b.Constant && a.SuccessionGap == b.SuccessionGap &&
		a.ValueType == b.ValueType && a.Registered == b.Registered && a.Base == b.Base
}
