package recall

import (
	"cmp"
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
	Of   tenure.Document
	Hits []TermHit
	// weight is the sum of the weights of the words that it has, doubled as in [Hit].
	weight int
}

// FoundPassages are the passages that have the most weight of a query's words, best first, then in the order of their
// ids. Cut reports whether there are more than were asked for.
type FoundPassages struct {
	Passages []FoundPassage
	Cut      bool
}

// FindPassages lists the passages in the state that have words of a query, that the reader shows, and whose document is
// visible in the scope and to sees. The state decides; the source only says what to look at.
func FindPassages(
	ctx context.Context, r store.Reader, from Source, q Query, sees func(tenure.Label) bool,
) (FoundPassages, error) {
	if len(q.Terms) == 0 || q.Limit <= 0 {
		return FoundPassages{}, nil
	}
	seen, err := audience.BoundsIn(ctx, r)
	if err != nil {
		return FoundPassages{}, err
	}
	seq, tx := r.State()
	w := Wanted{Terms: q.Terms, Kinds: []Kind{Passage}, In: q.In, Seen: seen, Until: tx, Limit: max(readAtLeast, q.Limit+1)}
	for {
		hits, all, err := from.Documents(ctx, q.Tenant, seq, w)
		if err != nil {
			return FoundPassages{}, err
		}
		list, err := passagesOf(ctx, r, hits, q, sees)
		if err != nil {
			return FoundPassages{}, err
		}
		enough := len(list) > q.Limit && (all || list[q.Limit].weight > hits[len(hits)-1].Score)
		if all || enough || w.Limit >= mostRead {
			return FoundPassages{Passages: list[:min(len(list), q.Limit)], Cut: len(list) > q.Limit || !all}, nil
		}
		w.Limit *= moreRoom
	}
}

// passagesOf reads the passages of hits and keeps those that match, best first.
func passagesOf(
	ctx context.Context, r store.DocumentReader, hits []Hit, q Query, sees func(tenure.Label) bool,
) (list []FoundPassage, err error) {
	ids := make([]tenure.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	found, err := r.Passages(ctx, ids)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	documents := map[tenure.ID]tenure.Document{}
	ids = ids[:0]
	for _, p := range found {
		ids = append(ids, p.Document)
	}
	slices.Sort(ids)
	of, err := r.Documents(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	for _, d := range of {
		documents[d.ID] = d
	}
	number := map[string]int{}
	for i, t := range q.Terms {
		number[t.Word] = i
	}
	for _, p := range found {
		d, ok := documents[p.Document]
		if !ok || p.Erased || !sees(d.Label()) || !d.Scope.VisibleIn(q.In) {
			continue
		}
		f := FoundPassage{Passage: p, Of: d}
		if f.match(q, number); f.weight > 0 {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b FoundPassage) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// match finds the terms of a query, which number numbers.
func (f *FoundPassage) match(q Query, number map[string]int) {
	places := make([][]Place, len(q.Terms))
	Terms(PassageParts(&f.Passage, f.Of.Title), func(p Place, term []byte) {
		if t, ok := number[string(term)]; ok && !slices.Contains(places[t], p) {
			places[t] = append(places[t], p)
		}
	})
	for t, list := range places {
		if len(list) > 0 {
			f.weight += 2 * q.Terms[t].Weight
			f.Hits = append(f.Hits, TermHit{Term: t, Places: list})
		}
	}
}
