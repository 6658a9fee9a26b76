package recall

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/linking"
	"tenure/store"
)

// Near is a document with how similar it is to a query: the cosine between their vectors. A passage of which there are
// several vectors may be listed several times.
type Near struct {
	ID         tenure.ID
	Similarity float64
}

// Compared is what is compared with a query.
type Compared struct {
	Beliefs  []tenure.Belief
	Passages []tenure.ID
}

// Space finds documents by vectors.
type Space interface {
	// Nearest lists documents about in the order of their similarity to a query, and reports whether these are all. The
	// order depends on the documents, and not on which others there are. The space knows the log at least up to a number;
	// where it does not, or has no vector of the query in time, the error is Unavailable.
	Nearest(ctx context.Context, tenant, query string, upTo tenure.Seq, w Wanted) (list []Near, all bool, err error)
	// Compare returns the similarity of beliefs and passages to a query, by their ids. The space knows the log at least up
	// to a number. The error is Unavailable where Nearest would return that, or where one of the beliefs has no vector.
	Compare(ctx context.Context, tenant, query string, upTo tenure.Seq, what Compared) (map[tenure.ID]float64, error)
}

// Similar is a belief that is similar to a query.
type Similar struct {
	Belief     *tenure.Belief
	Similarity float64
}

// similarRead is how many beliefs that are shown and stand are looked at: the first in the order of the space. That is
// finer than the order among all, and coarser than similarity, which decides among these.
const similarRead = 100

// FindSimilar lists the beliefs that are most similar to the text of a query, the best first: at most q.Limit. What the
// reader shows decides, as in [Find].
func FindSimilar(ctx context.Context, r store.Reader, from Space, q Query, text string) ([]Similar, error) {
	seen, err := audience.BoundsIn(ctx, r)
	if err != nil {
		return nil, err
	}
	seq, tx := r.State()
	s := finder{reader: r, query: q, known: linking.Directory{}, looked: map[tenure.ID]bool{}}
	w := Wanted{Kinds: q.Kinds, In: q.In, Seen: seen, Until: tx, Limit: similarRead}
	var list []Similar
	for {
		near, all, err := from.Nearest(ctx, q.Tenant, text, seq, w)
		if err != nil {
			return nil, err
		}
		if list, err = s.similar(ctx, near, list); err != nil {
			return nil, err
		}
		if all || len(list) == similarRead || s.read >= mostRead {
			break
		}
		w.Limit *= moreRoom
	}
	slices.SortStableFunc(list, func(a, b Similar) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.Belief.RecordedAt, a.Belief.RecordedAt),
			cmp.Compare(b.Belief.Claim.ID, a.Belief.Claim.ID))
	})
	return list[:min(len(list), q.Limit)], nil
}

// SimilarPassage is a passage that is similar to a query.
type SimilarPassage struct {
	FoundPassage
	Similarity float64
}

// similarPassagesRead is the same of passages, which are long.
const similarPassagesRead = 40

// FindSimilarPassages lists the passages in the state that are most similar to the text of a query, the best first: at
// most q.Limit. The state decides, as in [FindPassages].
func FindSimilarPassages(
	ctx context.Context, r store.Reader, from Space, q PassageQuery, text string,
) ([]SimilarPassage, error) {
	seen, err := audience.BoundsIn(ctx, r)
	if err != nil {
		return nil, err
	}
	seq, tx := r.State()
	w := Wanted{Kinds: []Kind{Passage}, In: q.In, Seen: seen, Until: tx, Limit: 2 * similarPassagesRead}
	var list []FoundPassage
	looked := map[tenure.ID]bool{}
	for {
		near, all, err := from.Nearest(ctx, q.Tenant, text, seq, w)
		if err != nil {
			return nil, err
		}
		if list, err = q.similar(ctx, r, near, looked, list); err != nil {
			return nil, err
		}
		if all || len(list) == similarPassagesRead || len(looked) >= mostRead {
			break
		}
		w.Limit *= moreRoom
	}
	if len(list) == 0 {
		return nil, nil
	}
	ids := make([]tenure.ID, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	similarity, err := from.Compare(ctx, q.Tenant, text, seq, Compared{Passages: ids})
	if err != nil {
		return nil, err
	}
	found := make([]SimilarPassage, len(list))
	for i, p := range list {
		found[i] = SimilarPassage{p, similarity[p.ID]}
	}
	slices.SortFunc(found, func(a, b SimilarPassage) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.ID, a.ID))
	})
	return found[:min(len(found), q.Limit)], nil
}

// similar adds the passages in the state of some rows, in their order, up to similarPassagesRead.
func (q PassageQuery) similar(
	ctx context.Context, r store.Reader, near []Near, looked map[tenure.ID]bool, list []FoundPassage,
) ([]FoundPassage, error) {
	var fresh []tenure.ID
	for _, n := range near {
		if !looked[n.ID] {
			looked[n.ID] = true
			fresh = append(fresh, n.ID)
		}
	}
	for some := range slices.Chunk(fresh, similarPassagesRead) {
		if len(list) == similarPassagesRead {
			break
		}
		read, err := r.Passages(ctx, some)
		if err != nil {
			return nil, err
		}
		shown, err := q.shown(ctx, r, read)
		if err != nil {
			return nil, err
		}
		of := make(map[tenure.ID]FoundPassage, len(shown))
		for _, p := range shown {
			of[p.ID] = p
		}
		for _, id := range some {
			if p, ok := of[id]; ok && len(list) < similarPassagesRead {
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// similar adds the beliefs that count of some documents, in their order, up to similarRead.
func (s *finder) similar(ctx context.Context, near []Near, list []Similar) ([]Similar, error) {
	near = slices.DeleteFunc(near, func(n Near) bool { return s.looked[n.ID] })
	for some := range slices.Chunk(near, similarRead) {
		ids := make([]tenure.ID, len(some))
		for i, n := range some {
			ids[i], s.looked[n.ID] = n.ID, true
		}
		read, err := s.reader.Beliefs(ctx, ids)
		if err != nil {
			return nil, err
		}
		s.read += len(some)
		of := map[tenure.ID]*tenure.Belief{}
		var ends []tenure.ID
		for i := range read {
			if b := &read[i]; s.stands(b) {
				of[b.Claim.ID] = b
				ends = append(ends, b.Claim.Subject, b.Claim.Value.Entity)
			}
		}
		if err := s.known.Load(ctx, s.reader, ends); err != nil {
			return nil, err
		}
		for _, n := range some {
			if b := of[n.ID]; b != nil && s.inProject(b) && len(list) < similarRead {
				list = append(list, Similar{b, n.Similarity})
			}
		}
	}
	return list, nil
}

// inProject reports whether the project of the query has what a belief is about.
func (s *finder) inProject(b *tenure.Belief) bool {
	root, ok := s.known.Root(b.Claim.Subject)
	if !ok || linking.Excluded(root, s.query.In.ProjectID) != "" {
		return false
	}
	v, ok := s.known.Root(b.Claim.Value.Entity)
	return !ok || linking.InProject(v.Project, s.query.In.ProjectID)
}

// fusion is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).
const fusion = 60

// Fused returns what a place in each of several rankings, from 1, counts together; 0 is a ranking without it.
func Fused(places ...int) (score float64) {
	for _, p := range places {
		if p > 0 {
			score += 1 / float64(fusion+p)
		}
	}
	return score
}
