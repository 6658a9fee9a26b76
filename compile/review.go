package compile

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"tenure"
	"tenure/linking"
	"tenure/store"
)

// The bounds of what is said of open reviews.
const (
	openRead   = 50 // reviews
	openShown  = 5  // reviews, in an answer
	openClaims = 20 // of each entity under review
)

// asked lists the topics that the query or the request names, by the ids under which claims and reviews know them.
// Who asks is none of them, and neither is what is itself under review, which is said already.
func (c *topicSet) asked() map[tenure.ID]*linking.Topic {
	ids := map[tenure.ID]*linking.Topic{}
	for _, m := range c.Topics {
		if m.Via != linking.ByQuery && m.Via != linking.ByRequest || m.Entity.Status == tenure.EntityPending {
			continue
		}
		for _, id := range m.Entity.Whole() {
			ids[id] = m
		}
	}
	return ids
}

// openReviews reads the open reviews in which one of the topics is a candidate: what is said of the entity under
// review may be said of that topic, and is not compiled.
func openReviews(ctx context.Context, r store.Reader, asked map[tenure.ID]*linking.Topic) ([]tenure.Review, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	return r.OpenReviews(ctx, slices.Sorted(maps.Keys(asked)), openRead)
}

// addReviews reports the names under review that may mean a topic, if the viewer may see a claim about them. It does
// not disclose the claim.
func (c *topicSet) addReviews(
	ctx context.Context, r store.Reader, open []tenure.Review, asked map[tenure.ID]*linking.Topic, see viewer,
	at tenure.Instant,
) error {
	if len(open) == 0 {
		return nil
	}
	var pending []tenure.ID
	for _, v := range open {
		pending = append(pending, v.Entity)
	}
	if err := c.Known.Load(ctx, r, pending); err != nil {
		return err
	}
	for _, id := range pending {
		pending = append(pending, c.Known[id].Members...)
	}
	live, err := r.Live(ctx, pending, instantWindow(at), openClaims)
	if err != nil {
		return err
	}
	told := map[tenure.ID]bool{}
	for i := range live {
		if root, ok := c.Known.Root(live[i].Claim.Subject); ok && see.denies(&live[i].Claim) == "" {
			told[root.ID] = true
		}
	}
	c.addUnresolved(open, asked, told, see)
	return nil
}

// addUnresolved reports the reviews of entities in told, which have a visible claim, unless they are topics
// themselves.
func (c *topicSet) addUnresolved(
	open []tenure.Review, asked map[tenure.ID]*linking.Topic, told map[tenure.ID]bool, see viewer,
) {
	shown := 0
	for _, v := range open {
		root, ok := c.Known.Root(v.Entity)
		said := ok && told[root.ID] && c.Topics[root.ID] == nil && linking.InProject(v.Project, see.scope.ProjectID)
		if u := unresolvedBy(v, asked); said && len(u.Candidates) > 0 && shown < openShown {
			c.underReview = append(c.underReview, u)
			shown++
		}
	}
}

// unresolvedBy returns what a review leaves open of the topics that it has as candidates.
func unresolvedBy(v tenure.Review, asked map[tenure.ID]*linking.Topic) Unresolved {
	u := Unresolved{Reason: reasonOpenReview, Name: v.Name, Review: v.ID}
	for _, o := range v.Candidates {
		m := asked[o.Entity]
		if m == nil || slices.Contains(u.Candidates, m.Entity.ID) {
			continue
		}
		u.Text = cmp.Or(u.Text, m.Text)
		u.Candidates = append(u.Candidates, m.Entity.ID)
	}
	return u
}
