package compile

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/linking"
	"tenure/proposals"
	"tenure/store"
)

// proposedChange is a proposed change that waits for an answer.
type proposedChange struct {
	*proposals.Change
	root tenure.ID // of what it is about
}

// proposalsAtBound counts the entities asked about of which as many proposing observations were read as are read of one
// at most.
func (c *topicSet) proposalsAtBound(list []store.ObservationRecord, bound int) int {
	of, full := map[tenure.ID]int{}, map[tenure.ID]bool{}
	for _, rec := range list {
		for _, id := range rec.Observation.ProposesOf() {
			if of[id]++; of[id] < bound {
				continue
			}
			if root, ok := c.Known.Root(id); ok && c.wasAsked(root.ID) {
				full[root.ID] = true
			}
		}
	}
	return len(full)
}

// addProposals reports the proposed changes that wait for an answer and are about a topic or about a line, and marks
// the lines that they are about. A change is reported only to a viewer who may know of its words, of what stands, and
// of what the words would say; a value that is closed to the viewer dissolves none.
func (c *topicSet) addProposals(
	ctx context.Context, r proposals.Reader, list []store.ObservationRecord, kept []*object,
	see viewer, closed map[tenure.ID]bool, at tenure.Instant,
) error {
	found := c.changesOf(list, kept, see.scope.ProjectID)
	if len(found) == 0 {
		return nil
	}
	sees := func(claim tenure.Claim) bool { return see.denies(&claim) == "" && !closed[claim.ID] }
	changes, about := make([]*proposals.Change, len(found)), make(map[tenure.ID]tenure.ID, len(found))
	for i, p := range found {
		changes[i], about[p.ID] = p.Change, p.root
	}
	if err := proposals.Load(ctx, r, changes, sees, at); err != nil {
		return err
	}
	members := func(p *proposals.Change) []tenure.ID { return c.Known[about[p.ID]].Whole() }
	if err := proposals.Dissolve(ctx, r, changes, members, sees, at); err != nil {
		return err
	}
	for _, p := range found {
		if p.State != proposals.Open {
			continue
		}
		c.proposed = append(c.proposed, p)
		c.changesAsked = c.changesAsked || c.wasAsked(p.root)
		for _, o := range kept {
			if p.concerns(o) {
				o.propose(&p.Observation.ObservedAt)
				c.changesAsked = c.changesAsked || o.leads()
			}
		}
	}
	return nil
}

// changesOf lists the changes, of whatever state, that observations propose about a topic or a line, those said last
// first.
func (c *topicSet) changesOf(list []store.ObservationRecord, kept []*object, project string) (found []proposedChange) {
	for _, rec := range list {
		for _, change := range proposals.Of(rec) {
			root, ok := c.Known.Root(change.Said.Entity)
			if !ok || !linking.InProject(c.Known[change.Said.Entity].Project, project) {
				continue
			}
			p := proposedChange{&change, root.ID}
			if c.Topics[root.ID] != nil || slices.ContainsFunc(kept, p.concerns) {
				found = append(found, p)
			}
		}
	}
	slices.SortFunc(found, func(a, b proposedChange) int {
		return cmp.Or(
			cmp.Compare(b.Observation.ObservedAt, a.Observation.ObservedAt),
			strings.Compare(a.Said.Predicate, b.Said.Predicate), strings.Compare(string(a.root), string(b.root)),
			strings.Compare(string(a.Observation.ID), string(b.Observation.ID)), cmp.Compare(a.Number, b.Number),
		)
	})
	return found
}

// concerns reports whether an object is one that the change would displace, end or retract, or of its slot.
func (p proposedChange) concerns(o *object) bool {
	return o.root == p.root && o.claim().Predicate == p.Said.Predicate ||
		slices.Contains(p.Said.Proposal.Stands, o.claim().ID)
}

// propose marks an object with the time at which a change was proposed, nil if none was. The latest is kept.
func (o *object) propose(at *tenure.Instant) {
	if at != nil && (o.proposed == nil || *o.proposed < *at) {
		o.proposed = at
	}
}

// text is the line of an object with what waits for an answer about it. The value that was proposed is not said: it is
// not known to hold.
func (o *object) text() string {
	if o.proposed == nil {
		return o.line
	}
	return o.line + " (a change was proposed on " + o.proposedOn() + " and waits for an answer)"
}

// changeOfRule is the line that says of a rule, apart from it, that a change of it waits for an answer.
func (o *object) changeOfRule() string {
	return "A change of the rule \"" + o.line + "\" was proposed on " + o.proposedOn() + " and waits for an answer"
}

func (o *object) proposedOn() string { return o.proposed.Time().UTC().Format(time.DateOnly) }

// proposedChanges lists what waits for an answer for the trace.
func (c *topicSet) proposedChanges() []ProposedChange {
	list := make([]ProposedChange, len(c.proposed))
	for i, p := range c.proposed {
		list[i] = ProposedChange{
			Proposal: p.ID, Observation: p.Observation.ID, Number: p.Number, EntityID: p.root, Predicate: p.Said.Predicate,
			Objects: append([]tenure.ID{}, p.Said.Proposal.Stands...), SaidAt: formatTime(p.Observation.ObservedAt),
		}
	}
	return list
}
