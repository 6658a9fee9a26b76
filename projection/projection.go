package projection

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"tenure"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/quarantine"
	"tenure/vocabulary"
)

// MaxSlots bounds the slots that one decision may project again.
const MaxSlots = 20_000

// Cause is a reason for projecting slots beyond the changes of the decision.
type Cause struct {
	// Slots are projected although no evidence was added to them.
	Slots []tenure.Slot
	// Settled is the settlement of a case, or nil.
	Settled *quarantine.Settlement
}

// Projection is the change of standings. Before has no entry for a new belief.
type Projection struct {
	Before map[tenure.ID]tenure.Standing
	After  map[tenure.ID]tenure.Standing
	Claims map[tenure.ID]tenure.Claim // claims of all beliefs in After
	// Held lists the beliefs that each open case holds.
	Held map[tenure.ID][]tenure.ID
	// Labels are those of all evidence that was judged.
	Labels []tenure.Label
}

// Restored lists beliefs that stand at some time at which they did not stand before, in order of their ids.
func (p Projection) Restored() []tenure.ID { return p.changed(gains) }

// Displaced lists beliefs that no longer stand at some time at which they stood before, in order of their
// ids.
func (p Projection) Displaced() []tenure.ID {
	return p.changed(func(before, after tenure.Standing) bool { return gains(after, before) })
}

func (p Projection) changed(by func(before, after tenure.Standing) bool) []tenure.ID {
	var list []tenure.ID
	for id, after := range p.After {
		if before, ok := p.Before[id]; ok && by(before, after) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// gains reports whether b stands at an instant at which a does not. Both cover the same window.
func gains(a, b tenure.Standing) bool {
	for _, g := range b.Segments {
		if g.Cause != tenure.Stands {
			continue
		}
		for _, h := range a.Segments {
			if h.Cause != tenure.Stands && h.Overlaps(g.Window) {
				return true
			}
		}
	}
	return false
}

// Project writes the standings and the cases that follow from the changes of a decision, and returns how
// beliefs changed. It must be called once, after all other changes of the decision.
func Project(ctx context.Context, txn *ledger.Txn, cause Cause, now tenure.Instant) (Projection, error) {
	p := &projector{
		txn: txn, cause: cause, now: now,
		out: Projection{
			Before: map[tenure.ID]tenure.Standing{}, After: map[tenure.ID]tenure.Standing{},
			Claims: map[tenure.ID]tenure.Claim{}, Held: map[tenure.ID][]tenure.ID{},
		},
		added: map[tenure.ID]bool{}, moved: map[tenure.ID]bool{}, whole: map[string]bool{},
		slots: map[string][]tenure.Claim{}, judged: map[string]bool{},
	}
	slots, err := p.affected(ctx)
	if err != nil {
		return p.out, err
	}
	for _, s := range slots {
		if err := p.restand(ctx, s); err != nil {
			return p.out, err
		}
	}
	if err := p.propagate(ctx); err != nil {
		return p.out, err
	}
	p.putStandings()
	return p.out, nil
}

type projector struct {
	txn   *ledger.Txn
	cause Cause
	now   tenure.Instant
	out   Projection
	added map[tenure.ID]bool // claims of the decision
	moved map[tenure.ID]bool // claims that the decision moved to other slots
	whole map[string]bool    // slots in which more has changed than that claims were added, by key
	order []tenure.ID        // keys of After, in order of projection
	cases []tenure.Change
	roles func(a, b string) bool    // the order of roles, once it was read
	slots map[string][]tenure.Claim // claims by the key of the root's slot, as they were gathered
	// shaken are beliefs that lost something, of values that now stand at other times: what rests on them is judged anew.
	shaken []tenure.ID
	// outlines are those of the slots that were judged.
	outlines []*outlined
	judged   map[string]bool // slots, by the key of the root's
}

// affected lists the slots to project: slots of new claims, of claims that these supersede, of amended
// claims, of claims that amended claims supersede, and of moved claims, before and after the move. Each slot
// is replaced by the slot of its root and listed once.
func (p *projector) affected(ctx context.Context) ([]tenure.Slot, error) {
	var slots []tenure.Slot
	seen := map[string]bool{}
	add := func(s, by tenure.Slot) error {
		s, err := p.rootSlot(ctx, s)
		if err != nil {
			return err
		}
		key := s.Key()
		if !seen[key] {
			seen[key] = true
			slots = append(slots, s)
		}
		by, err = p.rootSlot(ctx, by)
		p.whole[key] = p.whole[key] || by.Key() != key
		return err
	}
	for _, s := range p.cause.Slots {
		if err := add(s, elsewhere); err != nil {
			return nil, err
		}
	}
	for _, c := range p.txn.Changes() {
		if err := p.affectedBy(ctx, c, add); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// elsewhere is no slot: a slot that is affected by something of elsewhere is judged as a whole.
var elsewhere tenure.Slot

// addSlot adds a slot that is affected by something of another slot, or of its own.
type addSlot func(s, by tenure.Slot) error

func (p *projector) affectedBy(ctx context.Context, c tenure.Change, add addSlot) error {
	switch c := c.(type) {
	case tenure.ClaimMoved:
		p.moved[c.Claim] = true
		return cmp.Or(add(c.From, elsewhere), add(c.To, elsewhere))
	case tenure.ClaimAdded:
		p.added[c.Claim.ID] = true
		own := c.Claim.Slot()
		return cmp.Or(add(own, own), p.named(ctx, c.Claim, own, add))
	case tenure.Amended:
		b, err := p.txn.Belief(ctx, c.Amendment.Belief)
		if err != nil {
			return err
		}
		if b == nil {
			return tenure.Errorf(tenure.NotFound, "no such belief")
		}
		return cmp.Or(add(b.Claim.Slot(), elsewhere), p.named(ctx, b.Claim, elsewhere, add))
	}
	return nil
}

// named adds the slots of the claims that a claim names as superseded.
func (p *projector) named(ctx context.Context, c tenure.Claim, by tenure.Slot, add addSlot) error {
	for _, id := range c.Supersedes {
		b, err := p.txn.Belief(ctx, id)
		if err != nil {
			return err
		}
		if b != nil {
			if err := add(b.Claim.Slot(), by); err != nil {
				return err
			}
		}
	}
	return nil
}

// restand projects the slot of a root: its standings and its case.
func (p *projector) restand(ctx context.Context, s tenure.Slot) error {
	j, err := p.judge(ctx, s)
	if err != nil {
		return err
	}
	p.judged[s.Key()] = true
	g, after := j.gathered, j.after
	list := make([]tenure.Standing, 0, len(g.evidence.Claims))
	for _, c := range g.evidence.Claims {
		standing, judged := after[c.ID]
		if !judged {
			standing = g.before[c.ID]
		}
		list = append(list, standing)
	}
	held := quarantine.Find(list)
	claims := among(g.evidence.Claims, held.Beliefs)
	next, changed := quarantine.Next(s, g.cases, held, claims, p.cause.Settled, p.now)
	if changed {
		p.cases = append(p.cases, tenure.CasePut{Case: next})
	}
	for _, c := range quarantine.Dissolve(g.memberCases, p.now) {
		p.cases = append(p.cases, tenure.CasePut{Case: c})
	}
	open := openCase(g.cases, next, changed)
	if open.ID != "" {
		p.out.Held[open.ID] = open.Holds
	}
	slot := g.slotLabels()
	p.judgedBy(g.allLabels())
	for i, c := range g.evidence.Claims {
		standing, labels := list[i], g.labelsOf(c, slot)
		standing.Case, standing.Labels = "", labels
		if _, is := claims[c.ID]; is {
			standing.Case = open.ID
		}
		old, had := g.before[c.ID]
		if _, judged := after[c.ID]; !judged && standing.Case == old.Case && slices.Equal(labels, old.Labels) {
			continue
		}
		if had {
			p.out.Before[c.ID] = old
		}
		p.set(c, standing)
	}
	p.shaken = append(p.shaken, p.lostValues(g.evidence.Claims, g.before, list)...)
	if j.outline != nil {
		p.keep(j, next.ID)
	}
	return nil
}

// lostValues lists the claims that are lost as grounds somewhere, and whose value stands at other times than before by
// claims that rest on nothing. Where claims changed slots, or values their form, that may be any.
func (p *projector) lostValues(
	claims []tenure.Claim, before map[tenure.ID]tenure.Standing, after []tenure.Standing,
) (list []tenure.ID) {
	regrouped := len(p.cause.Slots) > 0 || len(p.moved) > 0
	was, is := map[string][]tenure.Window{}, map[string][]tenure.Window{}
	for i, c := range claims {
		if v := c.Value.Canonical; len(c.DependsOn) == 0 {
			was[v] = append(was[v], standsIn(before[c.ID])...)
			is[v] = append(is[v], standsIn(after[i])...)
		}
	}
	changed := map[string]bool{}
	for v := range is {
		changed[v] = regrouped || !slices.Equal(tenure.Union(was[v]), tenure.Union(is[v]))
	}
	for i, c := range claims {
		if changed[c.Value.Canonical] && (beliefs.Ground{Standing: after[i]}).Lost() {
			list = append(list, c.ID)
		}
	}
	return list
}

// among returns the claims whose ids are among sorted ones.
func among(list []tenure.Claim, ids []tenure.ID) map[tenure.ID]tenure.Claim {
	found := map[tenure.ID]tenure.Claim{}
	for _, c := range list {
		if _, is := slices.BinarySearch(ids, c.ID); is {
			found[c.ID] = c
		}
	}
	return found
}

// openCase returns the case of a slot, as it is after the decision; the zero value if none is open.
func openCase(cases []tenure.Case, next tenure.Case, changed bool) tenure.Case {
	if changed {
		return next
	}
	for _, c := range cases {
		if c.State == tenure.CaseOpen {
			return c
		}
	}
	return tenure.Case{}
}

func (p *projector) term(ctx context.Context, predicate string) (tenure.Term, error) {
	return vocabulary.Of(ctx, p.txn, predicate)
}

// standing returns the newest known standing of a belief, including standings of this decision.
func (p *projector) standing(ctx context.Context, id tenure.ID) (tenure.Standing, error) {
	if s, ok := p.out.After[id]; ok {
		return s, nil
	}
	b, err := p.txn.Belief(ctx, id)
	if b == nil || err != nil {
		return tenure.Standing{}, err
	}
	return b.Standing, nil
}

func (p *projector) set(c tenure.Claim, s tenure.Standing) {
	if _, ok := p.out.After[c.ID]; !ok {
		p.order = append(p.order, c.ID)
	}
	s = s.MovedLike(p.out.Before[c.ID])
	p.out.After[c.ID], p.out.Claims[c.ID] = s, c
}

// propagate re-evaluates the beliefs whose grounds changed, transitively. It terminates, since a belief
// depends only on older beliefs, and a lost one is repaired only by those that depend on none.
func (p *projector) propagate(ctx context.Context) error {
	if err := p.txn.Load(ctx, ledger.Prefetch{Dependents: p.shaken}); err != nil {
		return err
	}
	queue := slices.Clone(p.shaken)
	for _, id := range p.order {
		if p.changedGround(id) {
			queue = append(queue, id)
		}
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		dependents, err := p.txn.Dependents(ctx, id)
		if err != nil {
			return err
		}
		for _, b := range dependents {
			changed, err := p.applyGrounds(ctx, b)
			if err != nil {
				return err
			}
			if changed && p.changedGround(b.Claim.ID) {
				queue = append(queue, b.Claim.ID)
			}
		}
	}
	return nil
}

// changedGround reports whether a belief that others may depend on stands otherwise than before, or by evidence of
// other labels.
func (p *projector) changedGround(id tenure.ID) bool {
	before, after := p.out.Before[id], p.out.After[id]
	same := slices.Equal(before.Segments, after.Segments) && slices.Equal(before.Labels, after.Labels)
	return !p.added[id] && !same
}

func (p *projector) applyGrounds(ctx context.Context, b *tenure.Belief) (bool, error) {
	c := b.Claim
	p.txn.Touch(c.Slot())
	grounds := map[tenure.ID]beliefs.Ground{}
	for _, id := range c.DependsOn {
		var err error
		if grounds[id], err = p.ground(ctx, id); err != nil {
			return false, err
		}
	}
	now, err := p.standing(ctx, c.ID)
	if err != nil {
		return false, err
	}
	next := beliefs.ApplyGrounds(now, c.DependsOn, grounds)
	next.Labels = withLabels(now.Labels, grounds)
	p.judgedBy(next.Labels)
	if reflect.DeepEqual(next, now) {
		return false, nil
	}
	if _, known := p.out.Before[c.ID]; !known && !p.added[c.ID] {
		p.out.Before[c.ID] = b.Standing
	}
	p.set(c, next)
	return true, p.keepFree(ctx, c.Slot())
}

// putStandings writes the cases and the standings that are new or changed.
func (p *projector) putStandings() {
	p.txn.Put(p.cases...)
	for _, id := range p.order {
		after := p.out.After[id]
		if before, ok := p.out.Before[id]; ok && !p.moved[id] && reflect.DeepEqual(before, after) {
			delete(p.out.After, id)
			continue
		}
		p.txn.Put(tenure.StandingPut{Slot: p.out.Claims[id].Slot(), Standing: after})
	}
	p.remember()
}

// judgedBy notes the labels of evidence that was judged; none stands for the zero label.
func (p *projector) judgedBy(labels []tenure.Label) {
	if len(labels) == 0 {
		labels = []tenure.Label{{}}
	}
	for _, l := range labels {
		p.out.Labels = tenure.AppendLabel(p.out.Labels, l)
	}
}
