package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/ledger"
	"tenure/projection"

	"tenure/store"
)

// Split states that some mentions of an entity mean another: they make a new entity, and claims made through
// these mentions become claims about it.
type Split struct {
	Caller   tenure.Caller
	Entity   tenure.ID
	Mentions []tenure.ID
	Reason   string
}

// SplitAnswer reports the effect of a split. NewEntityID is the entity that was split off.
type SplitAnswer struct {
	SplitID     tenure.ID   `json:"split_id"`
	EntityID    tenure.ID   `json:"entity_id"`
	NewEntityID tenure.ID   `json:"new_entity_id"`
	Mentions    []tenure.ID `json:"mentions"`
	Moved       []tenure.ID `json:"moved_beliefs"`
	beliefChanges
}

// Plan lists what Decide reads.
func (c Split) Plan() ledger.Plan { return readSides(c.Entity) }

// Decide applies the split. It returns NotFound if the caller cannot see the entity, and Unprocessable if the
// mentions are not the entity's or are all of its mentions.
func (c Split) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	if err := requireVisible(ctx, txn, c.Caller, c.Entity, ""); err != nil {
		return nil, err
	}
	t := newIdentityTxn(txn, m, c.Caller.Actor).seenBy(c.Caller)
	root, err := t.root(ctx, c.Entity)
	if err != nil {
		return nil, err
	}
	v, err := t.split(ctx, *root, c.Mentions, tenure.EntityCanonical, tenure.IdentityDecision{Reason: c.Reason})
	if err != nil {
		return nil, err
	}
	moved, err := t.moved(ctx, audience.Of(c.Caller))
	if err != nil {
		return nil, err
	}
	p, err := t.finish(ctx)
	return splitAnswer(v, root.ID, moved, p), err
}

func splitAnswer(v tenure.IdentityDecision, of tenure.ID, moved []tenure.ID, p projection.Projection) SplitAnswer {
	return SplitAnswer{
		SplitID: v.ID, EntityID: of, NewEntityID: v.Into, Mentions: mentionsIn(v.Moved), Moved: moved,
		beliefChanges: changesIn(p),
	}
}

// moved lists the claims that the decision moved to other slots and that an audience sees.
func (t *identityTxn) moved(ctx context.Context, sees audience.Sight) ([]tenure.ID, error) {
	ids := []tenure.ID{}
	for _, c := range t.txn.Changes() {
		m, ok := c.(tenure.ClaimMoved)
		if !ok {
			continue
		}
		b, err := t.txn.Belief(ctx, m.Claim)
		if err != nil {
			return nil, err
		}
		if b != nil && sees.Sees(b.Claim.Label()) {
			ids = append(ids, m.Claim)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// split makes a new entity from some mentions of a root and records the identity decision.
func (t *identityTxn) split(
	ctx context.Context, root tenure.Entity, mentions []tenure.ID, status tenure.EntityStatus, v tenure.IdentityDecision,
) (tenure.IdentityDecision, error) {
	v.ID, v.Kind, v.Actor, v.At = t.mint.NewID(), tenure.Split, t.actor, t.mint.Now
	taken, err := t.take(ctx, root, mentions)
	if err != nil {
		return v, err
	}
	for _, was := range taken {
		v.Moved = append(v.Moved, was.Assignment)
	}
	first := taken[0].Mention
	own := tenure.Entity{
		ID: t.mint.NewID(), Status: status, CreatedAt: t.mint.Now, Label: within(first.Label, first.Project),
	}
	if status == tenure.EntityPending {
		own.Reason = cmp.Or(root.Reason, SeveralSimilar)
	}
	v.From, v.Into = v.Moved[0].Entity, own.ID
	t.txn.Put(tenure.EntityPut{Entity: own})
	for _, was := range taken {
		a := tenure.Assignment{Mention: was.Mention.ID, Entity: own.ID, Score: 1, Outcome: tenure.NewEntity, Reason: "split"}
		if err := t.reassign(ctx, was, a); err != nil {
			return v, err
		}
	}
	t.txn.Put(tenure.IdentityDecisionPut{Decision: v})
	if err := t.bumpOpenReviews(ctx, v, taken); err != nil {
		return v, err
	}
	return v, t.refold(ctx, append(origins(v), own.ID))
}

// origins lists the members that mentions were moved from.
func origins(v tenure.IdentityDecision) []tenure.ID {
	var ids []tenure.ID
	for _, a := range v.Moved {
		if !slices.Contains(ids, a.Entity) {
			ids = append(ids, a.Entity)
		}
	}
	return ids
}

// take reads the mentions; it returns an error unless they are some and not all of the root's that are seen: by the
// caller, or in re-resolution by whoever sees the root.
func (t *identityTxn) take(ctx context.Context, root tenure.Entity, ids []tenure.ID) ([]store.MentionRecord, error) {
	if len(ids) == 0 {
		return nil, tenure.FieldError(tenure.Invalid, "/mentions", "names none")
	}
	found, err := t.txn.Mentions(ctx, ids)
	if err != nil {
		return nil, err
	}
	sees := audience.Sight(root.Label.Covers)
	if t.caller != nil {
		sees = audience.Of(*t.caller)
	}
	of := map[tenure.ID]bool{}
	for _, m := range found {
		of[m.Mention.ID] = slices.Contains(root.Whole(), m.Assignment.Entity) && sees.Sees(m.Mention.Label)
	}
	for i, id := range ids {
		if !of[id] {
			return nil, tenure.FieldError(tenure.Unprocessable, fmt.Sprintf("/mentions/%d", i), "is no mention of this entity")
		}
	}
	all := 0
	for _, id := range root.Whole() {
		list, err := t.txn.MentionsOf(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			all += boolToInt(sees.Sees(m.Label))
		}
	}
	if len(found) == all {
		return nil, tenure.FieldError(tenure.Unprocessable, "/mentions",
			"are all that the entity has: nothing would be left to split from")
	}
	slices.SortFunc(found, func(a, b store.MentionRecord) int { return cmp.Compare(a.Mention.ID, b.Mention.ID) })
	return found, nil
}

// reassign assigns a mention to another entity and moves the claims made through the mention.
func (t *identityTxn) reassign(ctx context.Context, m store.MentionRecord, to tenure.Assignment) error {
	t.txn.Put(tenure.MentionAssigned{Assignment: to})
	claims, err := t.txn.ClaimsOf(ctx, m.Mention.Observation)
	if err != nil {
		return err
	}
	for _, b := range claims {
		c := b.Claim
		if c.SubjectMention != m.Mention.ID && c.Value.Mention != m.Mention.ID {
			continue
		}
		t.move(c, m.Mention.ID, to.Entity)
	}
	return nil
}

// move moves a claim whose subject or value is a mention to the mention's entity.
func (t *identityTxn) move(c tenure.Claim, mention, to tenure.ID) {
	m, ok := t.txn.Moved(c.ID)
	if !ok {
		m = tenure.ClaimMoved{Claim: c.ID, From: c.Slot(), To: c.Slot(), Object: c.Value.Entity}
	}
	if c.SubjectMention == mention {
		m.To.Subject = to
	}
	if c.Value.Mention == mention {
		m.Object = to
	}
	t.txn.Put(m)
}

// refold rebuilds the profiles of entities after mentions were moved.
func (t *identityTxn) refold(ctx context.Context, entities []tenure.ID) error {
	for _, id := range entities {
		mentions, err := t.txn.MentionsOf(ctx, id)
		if err != nil {
			return err
		}
		if err := t.fold(ctx, id, mentions); err != nil {
			return err
		}
	}
	return nil
}

// fold rebuilds the fields and the aliases of an entity from its mentions. One without mentions that everybody sees who
// sees the entity is retired: that there are others must not show.
func (t *identityTxn) fold(ctx context.Context, id tenure.ID, mentions []tenure.Mention) error {
	e, err := t.txn.Entity(ctx, id)
	if err != nil {
		return err
	}
	had, err := t.txn.AliasesOf(ctx, id)
	if err != nil {
		return err
	}
	next, changes := RebuildProfile(*e, had, mentions)
	mentioned := slices.ContainsFunc(mentions, func(m tenure.Mention) bool { return next.Label.Covers(m.Label) })
	switch {
	case !mentioned && (next.Status == tenure.EntityCanonical || next.Status == tenure.EntityPending):
		// The entity is kept, because undoing a decision may give it mentions again.
		next.Status = tenure.EntityRetired
		if err := t.dissolveReviews(ctx, id); err != nil {
			return err
		}
	case mentioned && next.Status == tenure.EntityRetired:
		next.Status = tenure.EntityCanonical
	}
	t.txn.Put(tenure.EntityPut{Entity: next})
	t.txn.Put(changes...)
	return nil
}

// Refold rebuilds the profiles of entities of which mentions were erased, and closes the open reviews of those that
// have no names and attributes left.
func Refold(ctx context.Context, txn *ledger.Txn, m tenure.Mint, entities []tenure.ID) error {
	t := newIdentityTxn(txn, m, "")
	if err := t.refold(ctx, entities); err != nil {
		return err
	}
	for _, id := range entities {
		e, err := txn.Entity(ctx, id)
		if err != nil {
			return err
		}
		if len(e.Spellings())+len(e.Attributes)+len(e.Records)+len(e.Context) > 0 {
			continue
		}
		if err := t.dissolveReviews(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// dissolveReviews closes the open reviews of an entity.
func (t *identityTxn) dissolveReviews(ctx context.Context, id tenure.ID) error {
	reviews, err := t.txn.ReviewsOf(ctx, id)
	for _, r := range reviews {
		if r.State == tenure.ReviewOpen {
			r.State = tenure.ReviewDissolved
			r.Version++
			t.txn.Put(tenure.ReviewPut{Review: r})
		}
	}
	return err
}

// undoSplit moves mentions back that a split had moved, unless a later decision moved them on.
func (t *identityTxn) undoSplit(ctx context.Context, v tenure.IdentityDecision) error {
	found, err := t.txn.Mentions(ctx, mentionsIn(v.Moved))
	if err != nil {
		return err
	}
	for _, m := range found {
		i := slices.IndexFunc(v.Moved, func(a tenure.Assignment) bool { return a.Mention == m.Mention.ID })
		if m.Assignment.Entity != v.Into || i < 0 {
			continue
		}
		if err := t.reassign(ctx, m, v.Moved[i]); err != nil {
			return err
		}
	}
	if err := t.bumpOpenReviews(ctx, v, found); err != nil {
		return err
	}
	return t.refold(ctx, append(origins(v), v.Into))
}
