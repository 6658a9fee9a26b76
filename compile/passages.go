package compile

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/recall"
	"tenure/search"
	"tenure/store"
)

// The bounds of what is found in documents.
const (
	passagesRanked = 60   // those of the scope that have the most weight of the query's words
	passagesRead   = 1000 // of the scope, in the order of their ids, while the index cannot be asked
	passagesKept   = 3
)

// passage is a passage of a document with its source.
type passage struct {
	tenure.Passage
	document tenure.Document
	score    float64
}

// passages lists the passages of the scope that the query asks for: those that have most of its words, the best first.
// It records whether only a part of them was searched.
func (c *Compiler) passages(ctx context.Context, r store.Reader, who *topicSet, see viewer) ([]passage, error) {
	if who.search.Empty() {
		return nil, nil
	}
	found, searched, err := c.indexed(ctx, r, who, see)
	if err != nil {
		return nil, err
	}
	if !searched {
		if found, err = scanned(ctx, r, who, see); err != nil {
			return nil, err
		}
	}
	docs := make([]search.Document, len(found))
	for i, p := range found {
		docs[i] = search.Document{Parts: append(slices.Clone(p.Headings), p.document.Title, p.Text)}
	}
	kept := best(who.questions, found, docs)
	who.pool = remaining(who.search, found, docs, kept)
	return kept, nil
}

// indexed lists the passages of the scope that have the most weight of the query's words. It reports false where the
// index cannot be asked.
func (c *Compiler) indexed(
	ctx context.Context, r store.Reader, who *topicSet, see viewer,
) (list []passage, searched bool, err error) {
	if c.cfg.Documents == nil {
		return nil, false, nil
	}
	found, err := recall.FindPassages(ctx, r, c.cfg.Documents, recall.Query{
		Tenant: see.tenant, Terms: recall.TermsOf(who.search), In: see.scope, Limit: passagesRanked,
	}, see.sees.Sees)
	if tenure.CodeOf(err) == tenure.Unavailable && ctx.Err() == nil {
		return nil, false, nil
	}
	for _, p := range found.Passages {
		list = append(list, passage{Passage: p.Passage, document: p.Of})
	}
	who.passagesCut = found.Cut
	return list, err == nil, err
}

// scanned lists the first passages of the scope.
func scanned(ctx context.Context, r store.DocumentReader, who *topicSet, see viewer) ([]passage, error) {
	list, err := r.PassagesIn(ctx, see.scope, "", passagesRead)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	who.passagesCut = len(list) == passagesRead
	slices.SortFunc(list, func(a, b tenure.Passage) int { return cmp.Compare(a.ID, b.ID) })
	of, err := documentsOf(ctx, r, list)
	if err != nil {
		return nil, err
	}
	var found []passage
	for _, p := range list {
		if d, ok := of[p.Document]; ok && see.sees.Sees(d.Label()) && d.Scope.VisibleIn(see.scope) {
			found = append(found, passage{Passage: p, document: d})
		}
	}
	return found, nil
}

// remaining returns the passages that were not selected and have words of the query, the best first.
func remaining(q search.Query, found []passage, docs []search.Document, kept []passage) (pool []passage) {
	hits := q.Find(docs)
	places := search.Best(hits, rescuePool+len(kept), func(i int) bool { return hits[i].Score() > 0 })
	for _, i := range places {
		selected := slices.ContainsFunc(kept, func(p passage) bool { return p.ID == found[i].ID })
		if !selected && len(pool) < rescuePool {
			pool = append(pool, found[i])
		}
	}
	return pool
}

// best returns the passages that have most of the words of a question, each once.
func best(questions []search.Query, found []passage, docs []search.Document) (kept []passage) {
	taken := map[int]bool{}
	for _, q := range questions {
		hits := q.Find(docs)
		for _, i := range search.Best(hits, passagesKept, func(i int) bool { return hits[i].HasMost() }) {
			if !taken[i] && len(kept) < passagesKept {
				taken[i] = true
				found[i].score = hits[i].Score()
				kept = append(kept, found[i])
			}
		}
	}
	return kept
}

func documentsOf(
	ctx context.Context, r store.DocumentReader, list []tenure.Passage,
) (map[tenure.ID]tenure.Document, error) {
	ids := make([]tenure.ID, len(list))
	for i, p := range list {
		ids[i] = p.Document
	}
	slices.Sort(ids)
	documents, err := r.Documents(ctx, slices.Compact(ids))
	of := make(map[tenure.ID]tenure.Document, len(documents))
	for _, d := range documents {
		of[d.ID] = d
	}
	return of, err
}

// passageEntries returns the entries of passages. They are content from outside, whatever their document.
func passageEntries(list []passage) []entry {
	entries := make([]entry, len(list))
	for i, p := range list {
		content := p.Text
		if path := strings.Join(p.Headings, " > "); path != "" {
			content = path + "\n" + content
		}
		entries[i] = outsideEntry(content, p.document.URI, p.document.Title, "")
		entries[i].passage = &list[i]
	}
	return entries
}
