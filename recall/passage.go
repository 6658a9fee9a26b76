package recall

import (
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/store"
)

// PassageParts lists the texts of a passage's document.
func PassageParts(p *tenure.Passage, title string) []Part {
	parts := []Part{{InName, title}}
	for _, h := range p.Headings {
		parts = append(parts, Part{InName, h})
	}
	return append(parts, Part{InSentence, p.Text})
}

// FoundPassage is a passage that has words of a query, with its document.
type FoundPassage struct {
	tenure.Passage
	Of tenure.Document
	// Score is the sum of the weights of the words that it has, doubled as in [Hit].
	Score int
}

// worse reports whether a passage comes after a hit. Passages have no age: of equal ones the order is that of their
// ids.
func (p FoundPassage) worse(h Hit) bool {
	return Hit{ID: h.ID, Score: h.Score}.compare(Hit{ID: p.ID, Score: p.Score}) < 0
}

// FoundPassages are the passages that have the most weight of a query's words, best first. Cut reports whether there
// are more than were asked for.
type FoundPassages struct {
	Passages []FoundPassage
	Cut      bool
}

// PassageQuery asks for passages: those of documents that are visible in the scope of the query and to Sees.
type PassageQuery struct {
	Query
	Sees func(tenure.Label) bool
}

// FindPassages lists the passages in the state that have words of a query. The state decides; the source only says what
// to look at.
func FindPassages(ctx context.Context, r store.Reader, from Source, q PassageQuery) (FoundPassages, error) {
	if len(q.Terms) == 0 || q.Limit <= 0 {
		return FoundPassages{}, nil
	}
	seen, err := audience.BoundsIn(ctx, r)
	if err != nil {
		return FoundPassages{}, err
	}
	seq, tx := r.State()
	w := Wanted{
		Terms: q.Terms, Kinds: []Kind{Passage}, In: q.In, Seen: seen, Until: tx, Limit: max(readAtLeast, q.Limit+1),
	}
	var list []FoundPassage
	looked := map[tenure.ID]bool{}
	for {
		hits, all, err := from.Documents(ctx, q.Tenant, seq, w)
		if err != nil {
			return FoundPassages{}, err
		}
		some, err := r.Passages(ctx, unseen(hits, looked))
		if err != nil {
			return FoundPassages{}, err
		}
		if list, err = q.rank(ctx, r, list, some); err != nil {
			return FoundPassages{}, err
		}
		enough := len(list) > q.Limit && len(hits) > 0 && !list[q.Limit].worse(hits[len(hits)-1])
		if all || enough || len(looked) >= mostRead {
			return FoundPassages{list[:min(len(list), q.Limit)], len(list) > q.Limit || !all && !enough}, nil
		}
		w.Limit *= moreRoom
	}
}

// unseen lists the ids of hits that were not looked at, and records that they are.
func unseen(hits []Hit, looked map[tenure.ID]bool) (ids []tenure.ID) {
	for _, h := range hits {
		if !looked[h.ID] {
			looked[h.ID] = true
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// RankPassages lists those of some passages that have words of a query, in the order of [FindPassages].
func RankPassages(
	ctx context.Context, r store.DocumentReader, q PassageQuery, some []tenure.Passage,
) (FoundPassages, error) {
	list, err := q.rank(ctx, r, nil, some)
	return FoundPassages{list[:min(len(list), q.Limit)], len(list) > q.Limit}, err
}

// rank adds to a list the passages that match, best first.
func (q PassageQuery) rank(
	ctx context.Context, r store.DocumentReader, list []FoundPassage, some []tenure.Passage,
) ([]FoundPassage, error) {
	shown, err := q.shown(ctx, r, some)
	if err != nil {
		return nil, err
	}
	weights := make(map[string]int, len(q.Terms))
	for _, t := range q.Terms {
		weights[t.Word] = 2 * t.Weight
	}
	for _, p := range shown {
		if p.Score = scoreOf(&p.Passage, p.Of.Title, weights); p.Score > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b FoundPassage) int {
		return Hit{ID: a.ID, Score: a.Score}.compare(Hit{ID: b.ID, Score: b.Score})
	})
	return list, nil
}

// shown lists those of some passages that the query may find, with their documents.
func (q PassageQuery) shown(
	ctx context.Context, r store.DocumentReader, some []tenure.Passage,
) (list []FoundPassage, err error) {
	ids := make([]tenure.ID, len(some))
	for i, p := range some {
		ids[i] = p.Document
	}
	slices.Sort(ids)
	found, err := r.Documents(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	of := make(map[tenure.ID]tenure.Document, len(found))
	for _, d := range found {
		of[d.ID] = d
	}
	for _, p := range some {
		d, ok := of[p.Document]
		if ok && !p.Erased && q.Sees(d.Label()) && d.Scope.VisibleIn(q.In) {
			list = append(list, FoundPassage{Passage: p, Of: d})
		}
	}
	return list, nil
}

// scoreOf sums the weights of the words that a passage has.
func scoreOf(p *tenure.Passage, title string, weights map[string]int) (score int) {
	has := map[string]bool{}
	Terms(PassageParts(p, title), func(_ Place, term []byte) {
		if w, ok := weights[string(term)]; ok && !has[string(term)] {
			has[string(term)] = true
			score += w
		}
	})
	return score
}
