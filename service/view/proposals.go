package view

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/proposals"
	"tenure/similarity"
	"tenure/store"
)

// ProposalTask is the question that every proposed change asks.
const ProposalTask = "do these words change this property: accept it, or refuse it"

// ProposedChange is a proposed change as its task shows it.
type ProposedChange struct {
	proposals.Change
	// Name is that of what it is about.
	Name string
	// ValueNames are the names of those values of what stands that are entities.
	ValueNames map[tenure.ID]string
	// Priority is what an answer is worth now.
	Priority float64
}

// Version is 1 until there is an answer.
func (p ProposedChange) Version() int {
	if p.Answered != nil {
		return 2
	}
	return 1
}

// key orders proposed changes, the latest words first.
func (p ProposedChange) key() string {
	return fmt.Sprintf("%d/%s/%d", p.Observation.ObservedAt, p.Observation.ID, p.Number)
}

// The priority of a proposed change is that of a case of one bit whose words nobody is known to stand by, halved for
// every thirty days since they were said: it falls in the order of the list.
const (
	proposalWorth    = 0.5
	proposalHalfLife = 30 * 24 * time.Hour
)

func proposalPriority(o tenure.Observation, now tenure.Instant) float64 {
	age := max(now.Time().Sub(o.ObservedAt.Time()), 0)
	return proposalWorth * math.Exp2(-float64(age)/float64(proposalHalfLife))
}

// ProposalFilter selects proposed changes that wait for an answer. A zero field does not filter.
type ProposalFilter struct{ Project string }

// Proposals lists the proposed changes that wait for an answer, the latest words first.
func (v *View) Proposals(ctx context.Context, f ProposalFilter, p Page) (Listing[ProposedChange], error) {
	fetch := func(after string, n int) ([]ProposedChange, error) { return v.proposed(ctx, after, n) }
	p = p.WithDefaults()
	return scan(p, fetch, ProposedChange.key, func(list []ProposedChange) ([]*ProposedChange, error) {
		chosen := make([]*ProposedChange, len(list))
		for i := range list {
			if f.Project == "" || list[i].Observation.Scope.ProjectID == f.Project {
				chosen[i] = &list[i]
			}
		}
		if err := v.complete(ctx, chosen); err != nil {
			return nil, err
		}
		for i, c := range chosen {
			if c != nil && c.State != proposals.Open {
				chosen[i] = nil
			}
		}
		return chosen, nil
	})
}

// proposed reads at most n proposed changes after a key, of any state.
func (v *View) proposed(ctx context.Context, after string, n int) ([]ProposedChange, error) {
	q := store.ObservationQuery{
		By: store.ByProposal, Name: store.Proposing, From: tenure.MinTime, Before: tenure.MaxTime, Limit: n + 1,
	}
	var last struct {
		id     tenure.ID
		number int
	}
	if after != "" {
		at, rest, _ := strings.Cut(after, "/")
		id, number, _ := strings.Cut(rest, "/")
		if _, err := fmt.Sscan(at+" "+number, &q.Before, &last.number); err != nil {
			return nil, tenure.FieldError(tenure.StaleCursor, "cursor", "is not the place of a proposed change")
		}
		last.id, q.BeforeID = tenure.ID(id), tenure.ID(id+"~") // its observation may propose more
	}
	found, err := v.reader.ListObservations(ctx, q)
	if err != nil {
		return nil, err
	}
	var list []ProposedChange
	for _, rec := range found {
		for _, p := range proposedBy(rec) {
			if p.Observation.ID != last.id || p.Number > last.number {
				list = append(list, p)
			}
		}
	}
	return list[:min(len(list), n)], nil
}

// proposedBy lists the changes that an observation proposes.
func proposedBy(rec store.ObservationRecord) (list []ProposedChange) {
	for _, c := range proposals.Of(rec) {
		list = append(list, ProposedChange{Change: c})
	}
	return list
}

// Proposal returns a proposed change by its observation and the number of its statement.
func (v *View) Proposal(ctx context.Context, observation tenure.ID, number int) (ProposedChange, error) {
	rec, err := v.reader.Observation(ctx, observation)
	if err != nil {
		return ProposedChange{}, Hide(err)
	}
	list := proposedBy(rec)
	i := slices.IndexFunc(list, func(p ProposedChange) bool { return p.Number == number })
	if i < 0 {
		return ProposedChange{}, Absent()
	}
	one := []*ProposedChange{&list[i]}
	if err := v.complete(ctx, one); err != nil {
		return ProposedChange{}, err
	}
	if one[0] == nil {
		return ProposedChange{}, Absent()
	}
	return *one[0], nil
}

// complete says of proposed changes in which state they are. Those that the caller may not see become nil.
func (v *View) complete(ctx context.Context, list []*ProposedChange) error {
	if err := proposals.Load(ctx, v.reader, changesOf(list), v.seesClaim, v.validAt); err != nil {
		return err
	}
	for i, p := range list {
		switch {
		case p == nil:
		case p.State == "":
			list[i] = nil
		default:
			p.Priority = proposalPriority(p.Observation, v.now)
		}
	}
	subjects, err := v.subjectsOf(ctx, list)
	if err != nil {
		return err
	}
	members := func(c *proposals.Change) []tenure.ID { return subjects[c.ID] }
	err = proposals.Dissolve(ctx, v.reader, changesOf(list), members, v.seesClaim, v.validAt)
	if err != nil {
		return err
	}
	return v.nameValues(ctx, list)
}

// changesOf lists the changes that are not nil.
func changesOf(list []*ProposedChange) (changes []*proposals.Change) {
	for _, p := range list {
		if p != nil {
			changes = append(changes, &p.Change)
		}
	}
	return changes
}

// subjectsOf names what proposed changes are about, and returns, by change, the members of that. What the caller may
// not see becomes nil.
func (v *View) subjectsOf(ctx context.Context, list []*ProposedChange) (map[tenure.ID][]tenure.ID, error) {
	named, err := v.calledSo(ctx, list)
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, p := range list {
		if p != nil {
			ids = append(append(ids, p.Said.Entity), named[p]...)
		}
	}
	g, err := v.gatherEntities(ctx, slices.DeleteFunc(ids, func(id tenure.ID) bool { return id == "" }))
	if err != nil {
		return nil, err
	}
	members := map[tenure.ID][]tenure.ID{}
	for i, p := range list {
		switch {
		case p == nil:
			continue
		case p.Said.Entity == "":
			p.Name = p.Said.Proposal.Name
		case !g.has(p.Said.Entity):
			list[i] = nil
			continue
		default:
			named[p] = []tenure.ID{p.Said.Entity}
			p.Name = g.rootOf(p.Said.Entity).Name
		}
		for _, id := range named[p] {
			for _, e := range g.whole(id) {
				members[p.ID] = append(members[p.ID], e.ID)
			}
		}
	}
	return members, nil
}

// calledSo lists the entities by the names of what was no entity when it was spoken of.
func (v *View) calledSo(ctx context.Context, list []*ProposedChange) (map[*ProposedChange][]tenure.ID, error) {
	var keys []tenure.AliasKey
	for _, p := range list {
		if p != nil && p.Said.Entity == "" {
			keys = append(keys, similarity.NameAliasKey(p.Said.Proposal.Name))
		}
	}
	found := map[*ProposedChange][]tenure.ID{}
	if len(keys) == 0 {
		return found, nil
	}
	aliases, err := v.reader.AliasesByKey(ctx, keys)
	for _, p := range list {
		if p == nil || p.Said.Entity != "" {
			continue
		}
		key := similarity.NameAliasKey(p.Said.Proposal.Name)
		for _, a := range aliases {
			if a.Key == key && (a.Project == "" || a.Project == p.Observation.Scope.ProjectID) {
				found[p] = append(found[p], a.Entity)
			}
		}
	}
	return found, err
}

// nameValues finds the names of the values that are entities.
func (v *View) nameValues(ctx context.Context, list []*ProposedChange) error {
	var ids []tenure.ID
	for _, p := range list {
		if p == nil {
			continue
		}
		for _, b := range p.Stands {
			if b.Claim.Value.Entity != "" {
				ids = append(ids, b.Claim.Value.Entity)
			}
		}
	}
	found, err := v.entities(ctx, ids)
	for _, p := range list {
		if p == nil {
			continue
		}
		p.ValueNames = map[tenure.ID]string{}
		for _, b := range p.Stands {
			if e, ok := found[b.Claim.Value.Entity]; ok {
				p.ValueNames[b.Claim.ID] = e.Name
			}
		}
	}
	return err
}
