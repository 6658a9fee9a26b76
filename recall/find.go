package recall

import (
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/linking"
	"tenure/store"
)

// The bounds of a search.
const (
	// readAtLeast is how many beliefs are read together, at least: as many as are asked for.
	readAtLeast = 50
	// moreRoom is how many times as many documents are asked for where the best were not enough.
	moreRoom = 8
	// mostRead bounds the beliefs that are read because they may match, of which most were displaced.
	mostRead = 20_000
)

// Match is a belief that a query has found.
type Match struct {
	Belief *tenure.Belief
	// Hits are the terms that matched, by their places in the query, and where.
	Hits []TermHit
	// Parts are the texts in which it was found.
	Parts []Part
	score Hit
}

// TermHit is a term of a query that a document has, and the places where it has it, in the order of [Parts].
type TermHit struct {
	Term   int
	Places []Place
	// Synonym reports whether the predicate has the term in a synonym, and no text has it.
	Synonym bool
}

// Found is what a query has found, best first. Cut reports whether there is more than was asked for.
type Found struct {
	Matches []*Match
	Cut     bool
}

// Find lists the beliefs that match a query, the best first: by the weight of the terms that they have, then the
// newest. What the reader shows decides; the source only says what to look at. An error of the source is returned.
func Find(ctx context.Context, r store.Reader, from Source, q Query) (Found, error) {
	if len(q.Terms) == 0 || q.Limit <= 0 {
		return Found{}, nil
	}
	seen, err := audience.BoundsIn(ctx, r)
	if err != nil {
		return Found{}, err
	}
	seq, tx := r.State()
	s := finder{
		reader: r, query: q, known: linking.Directory{}, terms: store.NewTerms(r), number: map[string]int{},
		looked: map[tenure.ID]bool{},
	}
	for i, t := range q.Terms {
		s.number[t.Word] = i
	}
	w := Wanted{Terms: q.Terms, Kinds: q.Kinds, In: q.In, Seen: seen, Until: tx, Limit: s.room()}
	for {
		hits, all, err := from.Documents(ctx, q.Tenant, seq, w)
		if err != nil {
			return Found{}, err
		}
		if done, err := s.take(ctx, hits); done || all || err != nil {
			return s.found(), err
		}
		w.Limit *= moreRoom
	}
}

// finder counts the scores of documents.
type finder struct {
	reader store.Reader
	query  Query
	known  linking.Directory
	terms  *store.Terms
	number map[string]int // of the terms

	looked  map[tenure.ID]bool
	read    int
	matches []*Match // sorted
}

// room is how many beliefs are read together: one more than is asked for, to know whether there is more.
func (s *finder) room() int { return max(readAtLeast, s.query.Limit+1) }

// take looks at documents, best first, until no other can be among the best. It reports whether that is so.
func (s *finder) take(ctx context.Context, hits []Hit) (done bool, err error) {
	for len(hits) > 0 {
		if s.enough(hits[0]) {
			return true, nil
		}
		var ids []tenure.ID
		n := 0
		for _, h := range hits {
			if len(ids) == s.room() {
				break
			}
			if n++; !s.looked[h.ID] {
				s.looked[h.ID] = true
				ids = append(ids, h.ID)
			}
		}
		hits = hits[n:]
		if err := s.look(ctx, ids); err != nil {
			return false, err
		}
	}
	return s.read >= mostRead, nil
}

// enough reports whether a document that is at most as good as a hit, and those after it, are not among the best.
func (s *finder) enough(h Hit) bool {
	last := s.query.Limit // one more than is asked for, to know whether there is more
	return s.read >= mostRead || len(s.matches) > last && s.matches[last].score.compare(h) < 0
}

// look reads beliefs and keeps those that match.
func (s *finder) look(ctx context.Context, ids []tenure.ID) error {
	list, err := s.reader.Beliefs(ctx, ids)
	if err != nil {
		return err
	}
	s.read += len(list)
	var ends []tenure.ID
	var terms []string
	var standing []*tenure.Belief
	for i := range list {
		if b := &list[i]; s.stands(b) {
			standing = append(standing, b)
			ends = append(ends, b.Claim.Subject, b.Claim.Value.Entity)
			terms = append(terms, tenure.TermID(tenure.Predicates, b.Claim.Predicate))
		}
	}
	if err := s.known.Load(ctx, s.reader, ends); err != nil {
		return err
	}
	if err := s.terms.Load(ctx, terms); err != nil {
		return err
	}
	for _, b := range standing {
		m, err := s.match(ctx, b)
		if err != nil {
			return err
		}
		if m.score.Score > 0 {
			s.matches = append(s.matches, m)
		}
	}
	slices.SortFunc(s.matches, func(a, b *Match) int { return a.score.compare(b.score) })
	s.matches = s.matches[:min(len(s.matches), s.query.Limit+1)]
	return nil
}

// stands reports whether a belief is of the kinds and the scope of the query and stands at its instant.
func (s *finder) stands(b *tenure.Belief) bool {
	seg, ok := b.Standing.At(s.query.ValidAt)
	return ok && seg.Cause == tenure.Stands && b.Claim.Scope.VisibleIn(s.query.In) &&
		slices.Contains(s.query.Kinds, KindOf(&b.Claim))
}

// match finds the terms of the query in a belief. One about an entity that the scope does not have has none.
func (s *finder) match(ctx context.Context, b *tenure.Belief) (*Match, error) {
	m := &Match{Belief: b, score: Hit{ID: b.Claim.ID, RecordedAt: b.RecordedAt}}
	if !s.inProject(b) {
		return m, nil
	}
	places := make([][]Place, len(s.query.Terms))
	m.Parts = Parts(&b.Claim, s.names)
	Terms(m.Parts, func(p Place, term []byte) {
		if t, ok := s.number[string(term)]; ok && !slices.Contains(places[t], p) {
			places[t] = append(places[t], p)
		}
	})
	own, err := s.terms.Term(ctx, tenure.TermID(tenure.Predicates, b.Claim.Predicate))
	if err != nil {
		return m, err
	}
	meant := map[int]bool{}
	for _, list := range [][]string{Synonyms(b.Claim.Predicate), OwnSynonyms(own)} {
		for _, word := range list {
			if t, ok := s.number[word]; ok {
				meant[t] = true
			}
		}
	}
	for t, list := range places {
		switch {
		case len(list) > 0:
			m.score.Score += 2 * s.query.Terms[t].Weight
			m.Hits = append(m.Hits, TermHit{Term: t, Places: list})
		case meant[t]:
			m.score.Score += s.query.Terms[t].Weight
			m.Hits = append(m.Hits, TermHit{Term: t, Places: []Place{InKind}, Synonym: true})
		}
	}
	return m, nil
}

// names lists the names of an entity's root and of its members.
func (s *finder) names(id tenure.ID) []string {
	root, ok := s.known.Root(id)
	if !ok {
		return nil
	}
	var list []tenure.Entity
	for _, id := range root.Whole() {
		if e, ok := s.known[id]; ok {
			list = append(list, e)
		}
	}
	return namesOf(list)
}

func (s *finder) found() Found {
	return Found{
		Matches: s.matches[:min(len(s.matches), s.query.Limit)],
		Cut:     len(s.matches) > s.query.Limit || s.read >= mostRead,
	}
}
