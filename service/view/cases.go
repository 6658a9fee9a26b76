package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/quarantine"
	"tenure/store"
	"tenure/text"
)

// Case is a quarantine case with the beliefs that it holds, in their order, and without an expired lease.
type Case struct {
	tenure.Case
	// SubjectName is the name of the subject's root; "" if it is hidden from the caller.
	SubjectName string
	Beliefs     []Belief // at most MaxSides, as the Windows
	// Sides is parallel to Beliefs.
	Sides []CaseSide
	// Priority is what an answer to an open case is worth now: see [quarantine.Priority].
	Priority float64
	// Cut tells which of the lists are not whole.
	Cut Cut
}

// CaseSide is where a belief that a case holds was said.
type CaseSide struct {
	// ValueName is the name of a value that is an entity.
	ValueName string
	// Excerpt is the text around what was said; "" if there is none, or it is hidden from the caller.
	Excerpt string
}

// CaseFilter selects cases. A zero field does not filter, except State: "" selects open cases, AnyCase all. Name
// matches a part of the subject's name; SettledBy matches the credential or the name of the reviewer; Resolver is the
// kind of resolver that the case waits for; Due leaves out what is put off to a later time.
type CaseFilter struct {
	State     tenure.CaseState
	Entity    tenure.ID
	Name      string
	Predicate string
	Project   string

	OpenedAfter, OpenedBefore *tenure.Instant
	Lease                     string
	SettledBy                 string
	Resolver                  string
	Due                       bool
	// ByID orders cases of one state by id. Otherwise open cases are ordered by priority, and closed cases by the time
	// of closing.
	ByID bool
}

// AnyCase selects cases of every state.
const AnyCase tenure.CaseState = "any"

func (f CaseFilter) query() store.CaseQuery {
	q := store.CaseQuery{State: cmp.Or(f.State, tenure.CaseOpen)}
	if q.State == AnyCase {
		q.State = ""
	}
	q.Ranked = q.State != "" && !f.ByID
	return q
}

// chooses reports whether a case passes the conditions of the filter that its query does not cover.
func (f CaseFilter) chooses(c tenure.Case, actor string, now tenure.Instant) bool {
	settled := f.SettledBy == "" ||
		c.SettledBy != nil && (c.SettledBy.Actor == f.SettledBy || c.SettledBy.Reviewer == f.SettledBy)
	return settled && within(c.OpenedAt, f.OpenedAfter, f.OpenedBefore, false) && leasedAs(c.Lease, f.Lease, actor, now) &&
		(f.Predicate == "" || c.Predicate == f.Predicate) && (f.Project == "" || c.Scope.ProjectID == f.Project) &&
		(f.Resolver == "" || c.Resolver.Kind == f.Resolver) && (!f.Due || c.DeferredUntil <= now)
}

// Cases lists the cases whose every side the caller sees.
func (v *View) Cases(ctx context.Context, f CaseFilter, p Page) (Listing[Case], error) {
	q := f.query()
	members, err := v.subjects(ctx, f.Entity)
	if err != nil {
		return Listing[Case]{}, err
	}
	fetch := func(after string, n int) ([]tenure.Case, error) {
		return mergePages(members, n, q.Key, func(member tenure.ID) ([]tenure.Case, error) {
			q := q
			q.Subject, q.After, q.Limit = member, after, n
			return v.reader.ListCases(ctx, q)
		})
	}
	return scan(p.WithDefaults(), fetch, q.Key, func(list []tenure.Case) ([]*Case, error) {
		chosen := make([]*tenure.Case, len(list))
		for i := range list {
			if f.chooses(list[i], v.caller.Actor, v.now) {
				chosen[i] = &list[i]
			}
		}
		found, err := v.cases(ctx, chosen)
		for i, c := range found {
			if c != nil && f.Name != "" && !strings.Contains(text.Key(c.SubjectName), text.Key(f.Name)) {
				found[i] = nil
			}
		}
		return found, err
	})
}

// Case returns a case by its id.
func (v *View) Case(ctx context.Context, id tenure.ID) (Case, error) {
	list, err := v.reader.Cases(ctx, []tenure.ID{id})
	if err != nil || len(list) == 0 {
		return Case{}, cmp.Or(err, Absent())
	}
	return only(v.cases(ctx, []*tenure.Case{&list[0]}))
}

// cases reads the sides of cases, in order; nil and a case with a side hidden from the caller become nil.
func (v *View) cases(ctx context.Context, list []*tenure.Case) ([]*Case, error) {
	var ids []tenure.ID
	for _, c := range list {
		if c != nil {
			ids = append(ids, c.Holds...)
		}
	}
	sides, err := v.beliefsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make([]*Case, len(list))
	for i, c := range list {
		if c == nil {
			continue
		}
		held := []Belief{}
		for _, id := range c.Holds {
			if b, ok := sides[id]; ok {
				held = append(held, b)
			}
		}
		if len(held) == len(c.Holds) && v.caller.Within(c.Scope) {
			whole := &Case{Case: *c}
			whole.Beliefs = CutTo(&whole.Cut, "beliefs", held, MaxSides)
			CutTo(&whole.Cut, "sides", held, MaxSides)
			whole.Windows = CutTo(&whole.Cut, "windows", c.Windows, MaxSides)
			found[i] = whole
		}
	}
	return found, v.tell(ctx, found)
}

// tell adds names, excerpts and priorities to cases, of which some may be nil.
func (v *View) tell(ctx context.Context, list []*Case) error {
	words := newExcerpts(v)
	var ids []tenure.ID
	for _, c := range list {
		if c == nil {
			continue
		}
		for _, b := range c.Beliefs {
			words.wanted = append(words.wanted, b.Claim.Observation)
			ids = append(ids, b.RootIDs...)
		}
	}
	if err := words.load(ctx); err != nil {
		return err
	}
	named, err := v.entities(ctx, ids)
	if err != nil {
		return err
	}
	for _, c := range list {
		if c == nil {
			continue
		}
		if !c.Leased(v.now) {
			c.Lease = tenure.Lease{}
		}
		if c.State == tenure.CaseOpen {
			c.Priority = quarantine.Priority(c.Case, v.now)
		}
		for _, b := range c.Beliefs {
			c.SubjectName = named[b.RootIDs[0]].Name
			s := CaseSide{}
			if b.Claim.Value.Entity != "" {
				s.ValueName = named[b.RootIDs[len(b.RootIDs)-1]].Name
			}
			if o, ok := words.observations[b.Claim.Observation]; ok {
				s.Excerpt = excerpt(o.Text, spoken(o.Text, b.Claim.Value.Text(), s.ValueName, c.SubjectName))
			}
			c.Sides = append(c.Sides, s)
		}
	}
	return nil
}

// spoken returns the first of the names that occurs in the text, whatever its case; "" if none does.
func spoken(text string, names ...string) string {
	for _, n := range names {
		if n != "" && strings.Contains(strings.ToLower(text), strings.ToLower(n)) {
			return n
		}
	}
	return ""
}

// beliefsByID returns the visible beliefs with the ids.
func (v *View) beliefsByID(ctx context.Context, ids []tenure.ID) (map[tenure.ID]Belief, error) {
	list, err := v.reader.Beliefs(ctx, sortedUnique(ids))
	if err != nil {
		return nil, err
	}
	described, err := v.describe(ctx, v.visible(list))
	byID := map[tenure.ID]Belief{}
	for _, b := range described {
		byID[b.Claim.ID] = b
	}
	return byID, err
}

// Conflict is a belief with the segments that it lost to contradictions.
type Conflict struct {
	Belief Belief
	Losses []Loss
}

// Loss is a segment lost to a contradiction. Winner is the belief that won it; nil if none did, or if the
// winner is hidden from the caller.
type Loss struct {
	tenure.Segment
	Winner *Belief
}

// Conflicts lists the contradicted beliefs about any member of the entity's root. It ignores the Status of
// the filter.
func (v *View) Conflicts(ctx context.Context, f BeliefFilter, p Page) (Listing[Conflict], error) {
	q := store.BeliefQuery{Predicate: f.Predicate, Contested: true}
	found, err := v.beliefPage(ctx, f.Entity, q, p, func(tenure.Belief) bool { return true })
	if err != nil {
		return Listing[Conflict]{}, err
	}
	var ids []tenure.ID
	for _, b := range found.Items {
		for _, g := range lost(b) {
			if g.By != "" {
				ids = append(ids, g.By)
			}
		}
	}
	winners, err := v.beliefsByID(ctx, ids)
	page := Listing[Conflict]{Last: found.Last, More: found.More}
	for _, b := range found.Items {
		c := Conflict{Belief: b}
		for _, g := range lost(b) {
			loss := Loss{Segment: g}
			if w, ok := winners[g.By]; ok {
				loss.Winner = &w
			}
			c.Losses = append(c.Losses, loss)
		}
		page.Items = append(page.Items, c)
	}
	return page, err
}

// lost lists the segments that a belief lost to a contradiction.
func lost(b Belief) []tenure.Segment {
	return slices.DeleteFunc(slices.Clone(b.Standing.Segments), func(g tenure.Segment) bool { return !g.Contested() })
}
