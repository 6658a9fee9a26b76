package transfer

import (
	"context"

	"tenure"
	"tenure/store"
)

// state is what is wanted of one state of a tenant, and what was found there.
type state struct {
	seq    tenure.Seq
	wanted names

	observations map[tenure.ID]tenure.Observation
	mentions     map[tenure.ID]store.MentionRecord
	entities     map[tenure.ID]tenure.Entity
	aliases      map[tenure.ID][]tenure.Alias
	decisions    map[tenure.ID]tenure.IdentityDecision
	reviews      map[tenure.ID]tenure.Review
	beliefs      map[tenure.ID]tenure.Belief
	amendments   map[tenure.ID]tenure.Amendment
	cases        map[tenure.ID]tenure.Case
	vocabularies map[string]tenure.Vocabulary
	terms        map[string]tenure.Term
	documents    map[tenure.ID]tenure.Document
	passages     map[tenure.ID][]tenure.Passage // by document
}

// names are ids of things by kind. A thing may be named more than once.
type names struct {
	observations, mentions, entities, aliased, decisions, reviews, beliefs, amended, cases []tenure.ID
	documents                                                                              []tenure.ID
	vocabularies, terms                                                                    []string
}

func newState(seq tenure.Seq) *state {
	return &state{seq: seq, aliases: map[tenure.ID][]tenure.Alias{}}
}

// want adds what a change put to what is read.
func (s *state) want(c tenure.EntryChange) { s.wanted.add(c) }

func (n *names) add(c tenure.EntryChange) {
	switch c.Kind.Current() {
	case tenure.KindObservationAdded:
		n.observations = append(n.observations, c.ID)
	case tenure.KindMentionAdded, tenure.KindMentionAssigned:
		n.mentions = append(n.mentions, c.ID)
	case tenure.KindEntityPut:
		n.entities = append(n.entities, c.ID)
	case tenure.KindAliasAdded, tenure.KindAliasClosed:
		n.aliased = append(n.aliased, c.Entity)
	case tenure.KindIdentityDecisionPut:
		n.decisions = append(n.decisions, c.ID)
	case tenure.KindReviewPut:
		n.reviews = append(n.reviews, c.ID)
	case tenure.KindClaimAdded, tenure.KindClaimMoved, tenure.KindStandingPut:
		n.beliefs = append(n.beliefs, c.ID)
	case tenure.KindAmended:
		n.amended, n.beliefs = append(n.amended, c.Belief), append(n.beliefs, c.Belief)
	case tenure.KindCasePut:
		n.cases = append(n.cases, c.ID)
	case tenure.KindVocabularyPut:
		n.vocabularies = append(n.vocabularies, c.Name)
	case tenure.KindTermPut:
		n.terms = append(n.terms, c.Name)
	case tenure.KindDocumentPut:
		n.documents = append(n.documents, c.ID)
	}
}

// read reads what is wanted. Before the first entry there is nothing.
func (s *state) read(ctx context.Context, from store.Store, tenant string) error {
	if s.seq == 0 {
		return nil
	}
	view, err := from.View(ctx, tenant, tenure.AsOf{Seq: s.seq})
	if err != nil {
		return err
	}
	w := s.wanted
	for _, part := range []func() error{
		func() (err error) {
			s.observations, err = find(ctx, view.Observations, w.observations,
				func(o tenure.Observation) tenure.ID { return o.ID })
			return err
		},
		func() (err error) {
			s.mentions, err = find(ctx, view.Mentions, w.mentions,
				func(m store.MentionRecord) tenure.ID { return m.Mention.ID })
			return err
		},
		func() (err error) {
			s.entities, err = find(ctx, view.Entities, w.entities, func(e tenure.Entity) tenure.ID { return e.ID })
			return err
		},
		func() error { return s.readAliases(ctx, view) },
		func() (err error) {
			s.decisions, err = find(ctx, view.IdentityDecisions, w.decisions,
				func(d tenure.IdentityDecision) tenure.ID { return d.ID })
			return err
		},
		func() (err error) {
			s.reviews, err = find(ctx, view.Reviews, w.reviews, func(r tenure.Review) tenure.ID { return r.ID })
			return err
		},
		func() (err error) {
			s.beliefs, err = find(ctx, view.Beliefs, w.beliefs, func(b tenure.Belief) tenure.ID { return b.Claim.ID })
			return err
		},
		func() (err error) {
			s.amendments, err = find(ctx, view.Amendments, w.amended, func(a tenure.Amendment) tenure.ID { return a.ID })
			return err
		},
		func() (err error) {
			s.cases, err = find(ctx, view.Cases, w.cases, func(c tenure.Case) tenure.ID { return c.ID })
			return err
		},
		func() (err error) {
			s.vocabularies, err = find(ctx, view.Vocabularies, w.vocabularies,
				func(v tenure.Vocabulary) string { return v.Name })
			return err
		},
		func() (err error) {
			s.terms, err = find(ctx, view.Terms, w.terms, tenure.Term.ID)
			return err
		},
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return s.readDocuments(ctx, view)
}

// find reads things and returns them by what identifies them.
func find[K ~string, T any](
	ctx context.Context, read func(context.Context, []K) ([]T, error), wanted []K, id func(T) K,
) (map[K]T, error) {
	if len(wanted) == 0 {
		return nil, nil
	}
	list, err := read(ctx, wanted)
	found := make(map[K]T, len(list))
	for _, t := range list {
		found[id(t)] = t
	}
	return found, err
}

func (s *state) readDocuments(ctx context.Context, view store.Reader) (err error) {
	s.documents, err = find(ctx, view.Documents, s.wanted.documents, func(d tenure.Document) tenure.ID { return d.ID })
	if err != nil || len(s.documents) == 0 {
		return err
	}
	list, err := view.PassagesOf(ctx, s.wanted.documents)
	s.passages = map[tenure.ID][]tenure.Passage{}
	for _, p := range list {
		s.passages[p.Document] = append(s.passages[p.Document], p)
	}
	return err
}

func (s *state) readAliases(ctx context.Context, view store.Reader) error {
	if len(s.wanted.aliased) == 0 {
		return nil
	}
	list, err := view.AliasesOf(ctx, s.wanted.aliased)
	for _, a := range list {
		s.aliases[a.Entity] = append(s.aliases[a.Entity], a)
	}
	return err
}

// change returns a change with its content, and reports whether that is there. Changes of aliases are told
// from two states.
func (s *state) change(c tenure.EntryChange) (tenure.Change, bool) {
	switch c.Kind.Current() {
	case tenure.KindObservationAdded:
		o, ok := s.observations[c.ID]
		return tenure.ObservationAdded{Observation: o}, ok
	case tenure.KindMentionAdded:
		m, ok := s.mentions[c.ID]
		return tenure.MentionAdded{Mention: m.Mention}, ok
	case tenure.KindMentionAssigned:
		m, ok := s.mentions[c.ID]
		return tenure.MentionAssigned{Assignment: m.Assignment}, ok && m.Assignment.Entity != ""
	case tenure.KindEntityPut:
		e, ok := s.entities[c.ID]
		return tenure.EntityPut{Entity: e}, ok
	case tenure.KindIdentityDecisionPut:
		d, ok := s.decisions[c.ID]
		return tenure.IdentityDecisionPut{Decision: d}, ok
	case tenure.KindReviewPut:
		r, ok := s.reviews[c.ID]
		return tenure.ReviewPut{Review: r}, ok
	case tenure.KindCasePut:
		k, ok := s.cases[c.ID]
		return tenure.CasePut{Case: k}, ok
	case tenure.KindVocabularyPut:
		v, ok := s.vocabularies[c.Name]
		return tenure.VocabularyPut{Vocabulary: v}, ok
	case tenure.KindDocumentPut:
		d, ok := s.documents[c.ID]
		return tenure.DocumentPut{Document: d, Passages: s.passages[c.ID]}, ok && len(s.passages[c.ID]) == d.Passages
	case tenure.KindContentErased:
		return tenure.ErasedBy(c), true
	case tenure.KindTermPut:
		t, ok := s.terms[c.Name]
		return tenure.TermPut{Term: t}, ok
	}
	return s.beliefChange(c)
}

// beliefChange is [state.change] for claims and what became of them. The slot of the change is about the entity
// that the log names.
func (s *state) beliefChange(c tenure.EntryChange) (tenure.Change, bool) {
	b, ok := s.beliefs[c.Belief]
	slot := b.Claim.Slot()
	slot.Subject = c.Entity
	switch c.Kind {
	case tenure.KindClaimAdded:
		return tenure.ClaimAdded{Claim: b.Claim}, ok
	case tenure.KindClaimMoved:
		return tenure.ClaimMoved{Claim: c.ID, To: slot, Object: b.Claim.Value.Entity}, ok
	case tenure.KindStandingPut:
		return tenure.StandingPut{Slot: slot, Standing: b.Standing}, ok
	case tenure.KindAmended:
		a, found := s.amendments[c.ID]
		return tenure.Amended{Slot: slot, Amendment: a}, ok && found
	}
	return nil, false
}
