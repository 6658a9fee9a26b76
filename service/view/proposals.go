package view

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/labels"
	"tenure/similarity"
	"tenure/store"
	"tenure/values"
)

// ProposalTask is the question that every proposed change asks.
const ProposalTask = "do these words change this property: accept it, or refuse it"

// The states of a proposed change. Dissolved: what it would change has changed since.
const (
	ProposalOpen      = "open"
	ProposalAccepted  = "accepted"
	ProposalRefused   = "refused"
	ProposalDissolved = "dissolved"
)

// ProposedChange is a change that a statement proposes, with the state that it is in.
type ProposedChange struct {
	ID tenure.ID
	// Observation has the statement, which has the Number: the first is 1.
	Observation tenure.Observation
	Number      int
	Said        tenure.Said
	State       string
	// Name is that of what it is about.
	Name string
	// Stands are the beliefs that it would displace, end or retract; ValueNames are the names of those of their values
	// that are entities.
	Stands     []tenure.Belief
	ValueNames map[tenure.ID]string
	// Answered is the observation with the answer; nil without one.
	Answered *tenure.Observation
	// Priority is what an answer is worth now.
	Priority float64

	recordedAt tenure.Instant
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
			if c != nil && c.State != ProposalOpen {
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
	for i, s := range rec.Observation.Statements {
		if s.Proposal != nil {
			list = append(list, ProposedChange{
				ID: tenure.ProposalID(rec.Observation.ID, i+1), Observation: rec.Observation, Number: i + 1, Said: s,
				recordedAt: rec.RecordedAt,
			})
		}
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
	if err := v.hideProposals(ctx, list); err != nil {
		return err
	}
	if err := v.answers(ctx, list); err != nil {
		return err
	}
	subjects, err := v.subjectsOf(ctx, list)
	if err != nil {
		return err
	}
	if err := v.changedSince(ctx, list, subjects); err != nil {
		return err
	}
	return v.nameValues(ctx, list)
}

// hideProposals makes nil of the proposed changes that the caller may not see: their words, what stands, or what they
// would say.
func (v *View) hideProposals(ctx context.Context, list []*ProposedChange) error {
	var ids []tenure.ID
	var said []tenure.Observation
	for _, p := range list {
		if p != nil {
			said = append(said, p.Observation)
			ids = append(append(ids, p.Observation.Claims...), p.Said.Proposal.Stands...)
		}
	}
	beliefs, err := v.reader.Beliefs(ctx, sortedUnique(ids))
	if err != nil {
		return err
	}
	withheld, err := v.withheld(ctx, said)
	if err != nil {
		return err
	}
	known := map[tenure.ID]tenure.Belief{}
	for _, b := range beliefs {
		known[b.Claim.ID] = b
	}
	hidden := func(id tenure.ID) bool { b, ok := known[id]; return !ok || !v.caller.Sees(b.Claim) }
	for i, p := range list {
		switch {
		case p == nil:
		case withheld[p.Observation.Of], !v.caller.Sees(wouldBe(p.Observation)),
			slices.ContainsFunc(p.Observation.Claims, hidden), slices.ContainsFunc(p.Said.Proposal.Stands, hidden):
			list[i] = nil
		default:
			v.show(p, known)
		}
	}
	return nil
}

// wouldBe is what a claim of a text would show: of the scope of the text, and as its label says, at least restricted.
func wouldBe(o tenure.Observation) tenure.Claim {
	would := tenure.Claim{Scope: o.Scope}
	would.Classification = tenure.Restricted
	l, _, _ := labels.Read(o.Text)
	if l.Classification != "" && l.Classification.Rank() > would.Classification.Rank() {
		would.Classification = l.Classification
	}
	return would
}

// show adds to a proposed change what stands, and whether it waits for an answer.
func (v *View) show(p *ProposedChange, known map[tenure.ID]tenure.Belief) {
	for _, id := range p.Said.Proposal.Stands {
		p.Stands = append(p.Stands, known[id])
	}
	p.State, p.Priority = ProposalOpen, proposalPriority(p.Observation, v.now)
	for _, b := range p.Stands {
		if !v.stands(b) {
			p.State = ProposalDissolved
		}
	}
}

// stands reports whether a belief stands at the instant of the view.
func (v *View) stands(b tenure.Belief) bool {
	g, ok := b.Standing.At(v.validAt)
	return ok && g.Cause == tenure.Stands
}

// answers adds to proposed changes their answers.
func (v *View) answers(ctx context.Context, list []*ProposedChange) error {
	var ids []tenure.ID
	for _, p := range list {
		if p != nil {
			ids = append(ids, tenure.AnswerID(p.Observation.ID, p.Number))
		}
	}
	found, err := v.reader.Observations(ctx, ids)
	answers := map[tenure.ID]*tenure.Observation{}
	for i := range found {
		answers[found[i].ID] = &found[i]
	}
	for _, p := range list {
		if p == nil {
			continue
		}
		p.Answered = answers[tenure.AnswerID(p.Observation.ID, p.Number)]
		switch {
		case p.Answered == nil:
		case p.Answered.Answer.Accepted:
			p.State = ProposalAccepted
		default:
			p.State = ProposalRefused
		}
	}
	return err
}

// subjectsOf names what proposed changes are about, and returns the members of that. What the caller may not see
// becomes nil.
func (v *View) subjectsOf(ctx context.Context, list []*ProposedChange) (map[*ProposedChange][]tenure.ID, error) {
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
	members := map[*ProposedChange][]tenure.ID{}
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
				members[p] = append(members[p], e.ID)
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

// mostLive bounds how many beliefs of an entity are looked at for what changed since.
const mostLive = 64

// changedSince dissolves the proposed changes whose property was given a value since that the caller sees.
func (v *View) changedSince(
	ctx context.Context, list []*ProposedChange, members map[*ProposedChange][]tenure.ID,
) error {
	var ids []tenure.ID
	for _, p := range list {
		if p != nil && p.State == ProposalOpen {
			ids = append(ids, members[p]...)
		}
	}
	window := tenure.Window{From: v.validAt, Until: v.validAt + 1}
	live, err := v.reader.Facts(ctx, sortedUnique(ids), window, mostLive)
	if err != nil {
		return err
	}
	of := map[tenure.ID][]tenure.Belief{}
	for _, b := range live {
		of[b.Claim.Subject] = append(of[b.Claim.Subject], b)
	}
	for _, p := range list {
		if p == nil || p.State != ProposalOpen {
			continue
		}
		for _, id := range members[p] {
			if slices.ContainsFunc(of[id], func(b tenure.Belief) bool {
				return v.caller.Sees(b.Claim) && p.overtaken(b)
			}) {
				p.State = ProposalDissolved
			}
		}
	}
	return nil
}

// overtaken reports whether a belief that stands about what is meant answers the question.
func (p *ProposedChange) overtaken(b tenure.Belief) bool {
	would, c := p.Said.Proposal, b.Claim
	if c.Predicate != p.Said.Predicate || b.RecordedAt < p.recordedAt || !c.Scope.VisibleIn(p.Observation.Scope) ||
		slices.Contains(would.Stands, c.ID) {
		return false
	}
	return !would.Many || values.Of(valueText(c.Value)).Canonical() == values.Of(would.Value).Canonical() ||
		c.Value.Name != "" && values.Of(c.Value.Name).Canonical() == values.Of(would.Value).Canonical()
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
