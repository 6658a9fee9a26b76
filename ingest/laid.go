package ingest

import (
	"context"
	"slices"

	"tenure"
	"tenure/ledger"
)

// laid is the draft with what this observation has decided so far laid over
// it: what the registry knows when it decides about the next mention.
type laid struct {
	*ledger.Txn
	owners   []tenure.Owner
	entities map[tenure.ID]*tenure.Entity
	terms    map[string]*tenure.Term
	reviews  []tenure.Review
}

func newLaid(d *ledger.Txn) *laid {
	return &laid{Txn: d, entities: map[tenure.ID]*tenure.Entity{}, terms: map[string]*tenure.Term{}}
}

func (l *laid) add(changes []tenure.Change) {
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.OwnerAdded:
			l.owners = append(l.owners, c.Owner)
		case tenure.EntityPut:
			l.entities[c.Entity.ID] = &c.Entity
		case tenure.ReviewPut:
			l.reviews = append(l.reviews, c.Review)
		case tenure.TermPut:
			l.terms[c.Term.ID()] = &c.Term
		}
	}
}

func (l *laid) Owners(ctx context.Context, f tenure.Form) ([]tenure.Owner, error) {
	list, err := l.Txn.Owners(ctx, f)
	return l.with(list, func(o tenure.Owner) bool { return o.Form == f }), err
}

// ReviewsOf lists the reviews that ask about the entity, in their newest
// versions.
func (l *laid) ReviewsOf(ctx context.Context, id tenure.ID) ([]tenure.Review, error) {
	list, err := l.Txn.ReviewsOf(ctx, id)
	for _, r := range l.reviews {
		if r.Entity == id {
			list = slices.DeleteFunc(slices.Clone(list), func(o tenure.Review) bool { return o.ID == r.ID })
			list = append(list, r)
		}
	}
	return list, err
}

func (l *laid) with(list []tenure.Owner, choose func(tenure.Owner) bool) []tenure.Owner {
	list = slices.Clip(list)
	for _, o := range l.owners {
		if choose(o) {
			list = append(list, o)
		}
	}
	return list
}

func (l *laid) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	if e, ok := l.entities[id]; ok {
		return e, nil
	}
	return l.Txn.Entity(ctx, id)
}

func (l *laid) Term(ctx context.Context, id string) (*tenure.Term, error) {
	if t, ok := l.terms[id]; ok {
		return t, nil
	}
	return l.Txn.Term(ctx, id)
}

// fresh are the versions that the observation gives to entities.
func (l *laid) fresh() map[tenure.ID]tenure.Entity {
	list := map[tenure.ID]tenure.Entity{}
	for id, e := range l.entities {
		list[id] = *e
	}
	return list
}
