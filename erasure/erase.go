package erasure

import (
	"context"
	"slices"

	"tenure"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/projection"
	"tenure/registry"
)

// The reasons of the amendments.
const (
	whyErased    = "erased"
	whyDisplaced = "what it had yielded to was erased"
)

// Erase carries out a part of a plan: some units, entities that are erased whole, and documents.
type Erase struct {
	Actor               string
	Units               []Unit
	Entities, Documents []tenure.ID
}

// Answer lists beliefs that are not erased: those that had yielded to what is and end where they yielded, and those
// that stand at some time at which they did not stand before.
type Answer struct {
	Ended    []tenure.ID `json:"ended"`
	Restored []tenure.ID `json:"restored"`
}

// Plan lists what Decide reads first.
func (e Erase) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Beliefs: e.beliefs()})
}

func (e Erase) beliefs() (ids []tenure.ID) {
	for _, u := range e.Units {
		ids = append(append(ids, u.Claims...), u.Wordings...)
	}
	return ids
}

// Decide erases the units. A value that had yielded to an erased one does not stand again: it stopped being true when
// it yielded, though nothing tells any more by what.
func (e Erase) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	d := &decision{txn: txn, mint: m, actor: e.Actor, erased: map[tenure.ID]bool{}, yielded: map[tenure.ID]bool{}}
	for _, u := range e.Units {
		for _, id := range u.Claims {
			d.erased[id] = true
		}
	}
	if err := d.claims(ctx, e.Units); err != nil {
		return nil, err
	}
	if err := d.evidence(ctx, e); err != nil {
		return nil, err
	}
	if err := d.documents(ctx, e.Documents); err != nil {
		return nil, err
	}
	if err := txn.Load(ctx, ledger.Prefetch{Slots: d.slots}); err != nil {
		return nil, err
	}
	p, err := projection.Project(ctx, txn, projection.Cause{Slots: d.slots}, m.Now)
	return Answer{Ended: d.ended, Restored: p.Restored()}, err
}

// decision is an [Erase] that is being decided.
type decision struct {
	txn             *ledger.Txn
	mint            tenure.Mint
	actor           string
	erased, yielded map[tenure.ID]bool // claims
	slots           []tenure.Slot
	ended           []tenure.ID
}

// claims retracts and erases the claims.
func (d *decision) claims(ctx context.Context, units []Unit) error {
	var erased []*tenure.Belief
	for _, u := range units {
		for _, id := range u.Claims {
			b, err := d.txn.Belief(ctx, id)
			if err != nil {
				return err
			}
			if b == nil {
				continue
			}
			erased = append(erased, b)
			d.slots = append(d.slots, b.Claim.Slot())
			if err := d.superseded(ctx, b.Claim); err != nil {
				return err
			}
		}
	}
	for _, s := range d.slots {
		if err := d.displaced(ctx, s); err != nil {
			return err
		}
	}
	for _, b := range erased {
		a := tenure.Amendment{Kind: tenure.Retract, At: d.mint.Now, Reason: whyErased}
		if err := d.amend(ctx, b.Claim, a); err != nil {
			return err
		}
		d.txn.Put(tenure.ContentErased{Kind: tenure.ErasedClaim, ID: b.Claim.ID, Entity: b.Claim.Subject})
	}
	return d.wordings(ctx, units)
}

// wordings erases the words in which claims were made that stay.
func (d *decision) wordings(ctx context.Context, units []Unit) error {
	for _, u := range units {
		for _, id := range u.Wordings {
			b, err := d.txn.Belief(ctx, id)
			if err != nil {
				return err
			}
			if b != nil && !d.erased[id] {
				d.txn.Put(tenure.ContentErased{Kind: tenure.ErasedWording, ID: id, Entity: b.Claim.Subject})
			}
		}
	}
	return nil
}

// superseded adds the slots of what a claim superseded by name.
func (d *decision) superseded(ctx context.Context, c tenure.Claim) error {
	for _, id := range c.Supersedes {
		b, err := d.txn.Belief(ctx, id)
		if err != nil {
			return err
		}
		if b != nil {
			d.slots = append(d.slots, b.Claim.Slot())
		}
	}
	return nil
}

// displaced ends the beliefs in a slot of a root that yielded to erased claims. A belief stands again if its label does
// not cover that of the erased claim, because the end would reveal the claim to readers who did not see it.
func (d *decision) displaced(ctx context.Context, s tenure.Slot) error {
	var list []tenure.Belief
	if e, err := d.txn.Entity(ctx, s.Subject); err != nil {
		return err
	} else if e != nil { // Expand looks at what is cached
		if _, err := d.txn.Entity(ctx, e.Root()); err != nil {
			return err
		}
	}
	for _, member := range projection.Expand(d.txn, []tenure.Slot{s}) {
		st, err := d.txn.Slot(ctx, member)
		if err != nil {
			return err
		}
		list = append(list, st.Beliefs...)
	}
	for _, b := range list {
		at, to := beliefs.YieldedAt(b.Standing, d.erased)
		if len(to) == 0 || d.erased[b.Claim.ID] || d.yielded[b.Claim.ID] {
			continue
		}
		d.yielded[b.Claim.ID] = true
		hidden, err := d.hiddenFromSome(ctx, b.Claim, to)
		if err != nil {
			return err
		}
		if hidden {
			continue
		}
		// It goes on displacing what had yielded to it.
		d.ended = append(d.ended, b.Claim.ID)
		if err := d.amend(ctx, b.Claim, tenure.Amendment{Kind: tenure.End, At: at, Reason: whyDisplaced}); err != nil {
			return err
		}
	}
	return nil
}

// hiddenFromSome reports whether the label of a claim does not cover the label of one of the others.
func (d *decision) hiddenFromSome(ctx context.Context, c tenure.Claim, others []tenure.ID) (bool, error) {
	for _, id := range others {
		o, err := d.txn.Belief(ctx, id)
		if err != nil {
			return false, err
		}
		if o != nil && !c.Label().Covers(o.Claim.Label()) {
			return true, nil
		}
	}
	return false, nil
}

// amend amends a claim by its own authority, unless it is withdrawn.
func (d *decision) amend(ctx context.Context, c tenure.Claim, a tenure.Amendment) error {
	st, err := d.txn.Slot(ctx, c.Slot())
	if err != nil {
		return err
	}
	if slices.ContainsFunc(beliefs.Effective(st.Amendments), func(a tenure.Amendment) bool {
		return a.Belief == c.ID && (a.Kind == tenure.Retract || a.Kind == tenure.Reject)
	}) {
		return nil
	}
	a.ID, a.Belief, a.Actor = d.mint.NewID(), c.ID, d.actor
	a.AuthorityLevel, a.Role = c.Source.AuthorityLevel, c.Source.Role
	d.txn.Put(tenure.Amended{Slot: c.Slot(), Amendment: a})
	return nil
}

// evidence erases mentions and texts, and describes the entities by what is left.
func (d *decision) evidence(ctx context.Context, e Erase) error {
	for _, u := range e.Units {
		for _, m := range u.Mentions {
			d.txn.Put(tenure.ContentErased{Kind: tenure.ErasedMention, ID: m.ID, Entity: m.Entity})
		}
		if u.Kind != "" {
			d.txn.Put(tenure.ContentErased{Kind: u.Kind, ID: u.Observation})
		}
	}
	touched := entitiesOf(e.Entities, e.Units)
	if err := registry.Refold(ctx, d.txn, d.mint, touched); err != nil {
		return err
	}
	for _, id := range e.Entities {
		if err := d.unname(ctx, id); err != nil {
			return err
		}
	}
	told, err := d.toldOf(ctx, e.Units)
	if err != nil {
		return err
	}
	touched = slices.Concat(touched, told)
	slices.Sort(touched)
	for _, id := range slices.Compact(touched) {
		d.txn.Put(tenure.ContentErased{Kind: tenure.ErasedEntity, ID: id, Entity: id})
	}
	return nil
}

// toldOf lists the entities that the erased claims and mentions of units are about, with their roots: the notes of
// people on them may tell of what is erased.
func (d *decision) toldOf(ctx context.Context, units []Unit) (ids []tenure.ID, err error) {
	for _, u := range units {
		for _, m := range u.Mentions {
			ids = append(ids, m.Entity)
		}
		for _, id := range u.Claims {
			b, err := d.txn.Belief(ctx, id)
			if err != nil {
				return nil, err
			}
			if b != nil {
				ids = append(ids, b.Claim.Subject)
			}
		}
	}
	for _, id := range slices.Clone(ids) {
		e, err := d.txn.Entity(ctx, id)
		if err != nil {
			return nil, err
		}
		if e != nil {
			ids = append(ids, e.Root())
		}
	}
	return ids, nil
}

// unname takes the name from an entity that keeps the one it had: it has no mention that says another.
func (d *decision) unname(ctx context.Context, id tenure.ID) error {
	e, err := d.txn.Entity(ctx, id)
	if err == nil && e != nil && e.Name != "" {
		next := *e
		next.Name = ""
		d.txn.Put(tenure.EntityPut{Entity: next})
	}
	return err
}
