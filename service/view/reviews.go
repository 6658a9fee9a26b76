package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"

	"tenure/similarity"
	"tenure/store"
	"tenure/text"
)

const (
	// defaultMentions is how many mentions of the entity under review are shown.
	defaultMentions = 20
	// candidateMentions is how many mentions of each candidate are shown.
	candidateMentions = 3
)

// Review is a review with the candidates visible to the caller, and without an expired lease. Detail is
// filled for a single review only.
type Review struct {
	tenure.Review
	Detail *ReviewDetail
}

// ReviewDetail is the evidence that a reviewer decides on.
type ReviewDetail struct {
	// Entity is the entity under review. LastMention is the key after which the next page of its mentions
	// starts, and MoreMentions reports whether there is one.
	Entity       ReviewSide
	LastMention  tenure.ID
	MoreMentions bool
	// Candidates is parallel to the candidates of the review.
	Candidates []CandidateDetail
	// Related lists the other open reviews about the same roots.
	Related []tenure.ID
}

// CandidateDetail compares a candidate with the entity under review. It is zero where the candidate has since
// been merged into that entity.
type CandidateDetail struct {
	Side *ReviewSide
	// Now is the comparison of the two in the present state.
	Now    Comparison
	Fields []FieldComparison
	// Explanation renders the effect of each kind of evidence on the odds.
	Explanation []string
}

// The lease states that a ReviewFilter selects by.
const (
	LeaseFree = "free"
	LeaseMine = "mine"
	LeaseHeld = "held"
)

// AnyReview selects reviews of every state.
const AnyReview tenure.ReviewState = "any"

// ReviewFilter selects reviews. A zero field does not filter, except State: "" selects open reviews. Name
// matches a part of the name; DecidedBy matches the credential or the name of the reviewer.
type ReviewFilter struct {
	State   tenure.ReviewState
	Entity  tenure.ID
	Type    string
	Project string
	Reason  string
	Name    string

	OpenedAfter, OpenedBefore *tenure.Instant
	MinScore, MaxScore        *float64
	DecidedBy                 string
	Lease                     string
	// ByID orders reviews of one state by id. Otherwise open reviews are ordered by priority, and closed
	// reviews by decision time.
	ByID bool
}

func (f ReviewFilter) query() store.ReviewQuery {
	q := store.ReviewQuery{
		State: cmp.Or(f.State, tenure.ReviewOpen), Type: f.Type, Project: f.Project, Reason: f.Reason,
	}
	if q.State == AnyReview {
		q.State = ""
	}
	q.Ranked = q.State != "" && !f.ByID
	return q
}

// chooses reports whether a review passes the conditions of the filter that its query does not cover.
func (f ReviewFilter) chooses(r tenure.Review, actor string, now tenure.Instant) bool {
	return within(r.OpenedAt, f.OpenedAfter, f.OpenedBefore, false) && within(r.Score(), f.MinScore, f.MaxScore, true) &&
		(f.Name == "" || strings.Contains(text.Key(r.Name), text.Key(f.Name))) &&
		(f.DecidedBy == "" || decidedBy(r, f.DecidedBy)) && leasedAs(r.Lease, f.Lease, actor, now)
}

// within reports whether a value is at least the lower bound and below the upper bound, or at the upper bound
// if included. A nil bound does not limit.
func within[T cmp.Ordered](x T, lower, upper *T, included bool) bool {
	return (lower == nil || x >= *lower) && (upper == nil || x < *upper || included && x == *upper)
}

// decidedBy reports whether the review was settled with a credential, or by a named reviewer.
func decidedBy(r tenure.Review, who string) bool {
	if r.State != tenure.ReviewSettled {
		return false
	}
	n := len(r.Events)
	return r.DecidedBy == who || n > 0 && r.Events[n-1].Reviewer == who
}

// leasedAs reports whether a question is leased as a filter asks for; "" does not filter.
func leasedAs(l tenure.Lease, as, actor string, now tenure.Instant) bool {
	switch leased := l.Leased(now); as {
	case "":
		return true
	case LeaseFree:
		return !leased
	case LeaseMine:
		return leased && l.LeasedBy == actor
	default:
		return leased
	}
}

// Reviews lists the review queue.
func (v *View) Reviews(ctx context.Context, f ReviewFilter, p Page) (Listing[Review], error) {
	q := f.query()
	entities, err := v.subjects(ctx, f.Entity)
	if err != nil {
		return Listing[Review]{}, err
	}
	fetch := func(after string, n int) ([]tenure.Review, error) {
		return mergePages(entities, n, q.Key, func(e tenure.ID) ([]tenure.Review, error) {
			q := q
			q.Entity, q.After, q.Limit = e, after, n
			return v.reader.ListReviews(ctx, q)
		})
	}
	return scan(p.WithDefaults(), fetch, q.Key, func(list []tenure.Review) ([]*Review, error) {
		found, err := v.reviews(ctx, list)
		for i := range found {
			if !f.chooses(list[i], v.caller.Actor, v.now) {
				found[i] = nil
			}
		}
		return found, err
	})
}

// reviews converts reviews as the caller sees them, in order; a review of another project becomes nil.
func (v *View) reviews(ctx context.Context, list []tenure.Review) ([]*Review, error) {
	var ids []tenure.ID
	for _, r := range list {
		for _, c := range r.Candidates {
			ids = append(ids, c.Entity)
		}
	}
	seen, err := v.entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make([]*Review, len(list))
	for i, r := range list {
		if !v.inProject(r.Project) {
			continue
		}
		r.Candidates = slices.DeleteFunc(slices.Clone(r.Candidates), func(c tenure.Candidate) bool {
			_, ok := seen[c.Entity]
			return !ok
		})
		if !r.Leased(v.now) {
			r.Lease = tenure.Lease{}
		}
		found[i] = &Review{Review: r}
	}
	return found, nil
}

// openReviews lists the open reviews that ask about one of the entities or have it as a candidate.
func (v *View) openReviews(ctx context.Context, entities []tenure.ID) ([]tenure.ID, error) {
	const most = 1000
	id := func(r tenure.Review) tenure.ID { return r.ID }
	list, err := mergePages(entities, most, id, func(e tenure.ID) ([]tenure.Review, error) {
		return v.reader.ListReviews(ctx, store.ReviewQuery{State: tenure.ReviewOpen, Entity: e, Limit: most})
	})
	var ids []tenure.ID
	for _, r := range list {
		if v.inProject(r.Project) {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// Review returns a review by its id, with its detail: a page of the mentions of the entity under review (20
// by default), and a comparison with each candidate.
func (v *View) Review(ctx context.Context, id tenure.ID, mentions Page) (Review, error) {
	mentions.Limit = cmp.Or(mentions.Limit, defaultMentions)
	list, err := v.reader.Reviews(ctx, []tenure.ID{id})
	if err != nil {
		return Review{}, err
	}
	r, err := only(v.reviews(ctx, list))
	if err != nil {
		return Review{}, err
	}
	r.Detail, err = v.detail(ctx, r.Review, mentions)
	return r, err
}

// detail reads each side of a review and compares the sides.
func (v *View) detail(ctx context.Context, r tenure.Review, p Page) (*ReviewDetail, error) {
	ids := []tenure.ID{r.Entity}
	for _, c := range r.Candidates {
		ids = append(ids, c.Entity)
	}
	g, err := v.gatherEntities(ctx, ids)
	if err != nil {
		return nil, err
	}
	if !g.has(r.Entity) {
		return nil, Absent()
	}
	d := &ReviewDetail{Candidates: make([]CandidateDetail, len(r.Candidates))}
	if d.Related, err = v.related(ctx, g, ids, r.ID); err != nil {
		return nil, err
	}
	asked := askedAbout(g, r.Entity)
	words := newExcerpts(v)
	left, err := words.mentions(ctx, asked, tenure.ID(p.After), p.Limit)
	if err != nil {
		return nil, err
	}
	right := make([]mentionPage, len(r.Candidates))
	members := make([][]tenure.Entity, len(r.Candidates))
	for i, c := range r.Candidates {
		members[i] = slices.DeleteFunc(g.whole(c.Entity), func(e tenure.Entity) bool { return e.ID == r.Entity })
		if right[i], err = words.mentions(ctx, members[i], "", candidateMentions); err != nil {
			return nil, err
		}
	}
	if err := words.load(ctx); err != nil {
		return nil, err
	}
	d.Entity = words.side(asked, left)
	if d.MoreMentions = left.More; left.More {
		d.LastMention = tenure.ID(left.Last)
	}
	for i, c := range r.Candidates {
		if len(members[i]) == 0 {
			continue
		}
		side := words.side(members[i], right[i])
		side.EntityID = c.Entity
		d.Candidates[i] = compareSides(v.model, d.Entity, side, asked, members[i])
	}
	return d, nil
}

func compareSides(m *similarity.Model, left, right ReviewSide, asked, members []tenure.Entity) CandidateDetail {
	now := Compare(m, similarity.ProfileOf(asked), similarity.ProfileOf(members), m.RegistryPrior())
	return CandidateDetail{
		Side: &right, Now: now, Fields: compareFields(left, right, asked, members, now.Contributions),
		Explanation: explain(now.Contributions),
	}
}

// related lists the other open reviews about the roots of a review.
func (v *View) related(ctx context.Context, g roots, ids []tenure.ID, review tenure.ID) ([]tenure.ID, error) {
	var all []tenure.ID
	for _, id := range ids {
		for _, e := range g.whole(id) {
			all = append(all, e.ID)
		}
	}
	list, err := v.openReviews(ctx, sortedUnique(all))
	return slices.DeleteFunc(list, func(id tenure.ID) bool { return id == review }), err
}

// askedAbout lists the members of the entity under review, itself first. An entity merged since is shown as
// it was, with the root that it was merged into.
func askedAbout(g roots, id tenure.ID) []tenure.Entity {
	if e := g.entities[id]; e.Status == tenure.EntityMerged {
		return []tenure.Entity{e}
	}
	return g.whole(id)
}
