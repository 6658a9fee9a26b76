package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/ledger"
	"tenure/similarity"
)

// moot returns the entity that an open review asks about if the question is moot: values of the attributes that were
// redefined differ, which raised it, and contradict each other no longer, and the two have one name. Then the one is
// what the other was taken for.
func (c *Reresolve) moot(
	ctx context.Context, txn *ledger.Txn, e tenure.Entity,
) (into *tenure.Entity, score float64, err error) {
	if len(c.Redefined) == 0 || c.AskOnly {
		return nil, 0, nil
	}
	reviews, err := txn.ReviewsOf(ctx, e.ID)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range reviews {
		if r.Entity != e.ID || !mayBeMoot(r) {
			continue
		}
		other, err := txn.Entity(ctx, r.Candidates[0].Entity)
		if other == nil || err != nil || other.Status != tenure.EntityCanonical || other.Label != e.Label {
			return nil, 0, err
		}
		if score, err = c.oneAgain(ctx, txn, e, *other); score >= similarity.MergeAt || err != nil {
			return other, score, err
		}
	}
	return nil, 0, nil
}

// mayBeMoot reports whether an open review asks about one candidate because identifiers contradict each other.
func mayBeMoot(r tenure.Review) bool {
	return r.State == tenure.ReviewOpen && len(r.Candidates) == 1 &&
		(r.Reason == Contradicted || r.Reason == similarity.VetoIdentifier)
}

// oneAgain returns the score of two roots as a name and the only entity that has it, 0 if a person has parted them, if
// they have no name in common, or if the redefined attributes are not what differs.
func (c *Reresolve) oneAgain(ctx context.Context, txn *ledger.Txn, a, b tenure.Entity) (float64, error) {
	k, roots, _, err := readToday(ctx, mentionsSeenBy(txn, a.Label.Covers), a, b)
	if err != nil {
		return 0, err
	}
	var sides [2][]tenure.Entity
	for i := range sides {
		if sides[i], err = Members(ctx, k, roots[i]); err != nil {
			return 0, err
		}
	}
	left, right := sides[0], sides[1]
	apart, err := cannotLinkWith(ctx, txn, left)
	if err != nil || slices.ContainsFunc(right, func(e tenure.Entity) bool { return apart[e.ID] }) {
		return 0, err
	}
	l, r := similarity.ProfileOf(left), similarity.ProfileOf(right)
	if !c.differs(l, r) || !slices.ContainsFunc(l.Names, func(n string) bool { return slices.Contains(r.Names, n) }) {
		return 0, nil
	}
	return c.Matcher.scoreByName(l, r), nil
}

// scoreByName returns the score of two profiles as that of a name and the only entity that has it: see
// [resolver.presume]. It is 0 if one rules out the other.
func (m Matcher) scoreByName(l, r similarity.Profile) float64 {
	a, b := m.Model.CachedProfile(l), m.Model.CachedProfile(r)
	found := m.Model.Compare(a, b, m.Model.UniqueHolderPrior())
	switch {
	case found.Veto != "":
		return 0
	case unopposed(found.Contributions):
		return max(found.Score, scoreByName)
	}
	return m.Model.CompareCached(a, b, similarity.EvenPrior()).Score
}

// differs reports whether two profiles have other values of one of the redefined attributes.
func (c *Reresolve) differs(l, r similarity.Profile) bool {
	return slices.ContainsFunc(c.Redefined, func(key string) bool {
		a, b := valuesOf(l, key), valuesOf(r, key)
		return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
	})
}

// valuesOf lists the values of an attribute, however its name is spelled.
func valuesOf(p similarity.Profile, key string) (values []string) {
	for name, list := range p.Attributes {
		if attribute.Key(name) == key {
			values = append(values, list...)
		}
	}
	return values
}

// close merges an entity into the one that a moot question asked about. Clustering does not part them by score, as it
// would what was merged by score: they are one as a name is that of the only entity that has it. See
// [neighbourhood.binds].
func (c *Reresolve) close(
	ctx context.Context, txn *ledger.Txn, m tenure.Mint, e, into tenure.Entity, score float64,
) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	t := newIdentityTxn(txn, m, ActorReresolver)
	v, err := t.merge(ctx, tenure.IdentityDecision{From: e.ID, Into: into.ID, Score: score, Reason: ByExactName})
	if err != nil {
		return nil, err
	}
	c.found.Merged = v.From
	p, err := t.finish(ctx)
	return mergeAnswer(v, v.Reviews, p), err
}
