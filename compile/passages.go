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
	// leastSimilarPassage is the least similarity of a passage that words have not found, and passageShare the least share
	// of that of the best. They were chosen on the worlds of eval/compile that are not the unseen ones.
	leastSimilarPassage = .3
	passageShare        = .93
)

// passage is a passage of a document with its source.
type passage struct {
	tenure.Passage
	document   tenure.Document
	score      float64 // by words
	similarity float64 // 0 if that is not known
}

// passages finds the passages of the scope that have most of the words of a question, the best first. It records
// whether only a part of them was searched.
func (c *Compiler) passages(ctx context.Context, r store.Reader, who *topicSet, see viewer) error {
	if !who.hasDocuments {
		return nil // most tenants have none, and need not wait for the index
	}
	found, err := c.passagesByWords(ctx, r, who, see)
	if err != nil {
		return err
	}
	docs := make([]search.Document, len(found))
	for i, p := range found {
		docs[i] = passageDocument(p.Passage, p.document.Title)
	}
	who.found = best(who.questions, found, docs)
	who.pool = remaining(who.search, found, docs, who.found)
	return nil
}

// passagesByWords lists the passages of the scope that have words of the query.
func (c *Compiler) passagesByWords(
	ctx context.Context, r store.Reader, who *topicSet, see viewer,
) (found []passage, err error) {
	if who.search.Empty() {
		return nil, nil
	}
	seen := map[tenure.ID]bool{}
	for _, q := range who.questions {
		some, err := c.passagesFor(ctx, r, who, see, q)
		if err != nil {
			return nil, err
		}
		who.passagesCut = who.passagesCut || some.Cut
		for _, p := range some.Passages {
			if !seen[p.ID] {
				seen[p.ID] = true
				found = append(found, passage{Passage: p.Passage, document: p.Of})
			}
		}
	}
	return found, nil
}

// similarPassages finds the passages that are most similar to the query.
func (c *Compiler) similarPassages(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request,
) error {
	if c.cfg.Similar == nil || !who.hasDocuments || who.search.Empty() {
		return nil
	}
	q := recall.PassageQuery{
		Query: recall.Query{Tenant: see.tenant, In: see.scope, Limit: passagesKept}, Sees: see.sees.Sees,
	}
	list, err := recall.FindSimilarPassages(ctx, r, c.cfg.Similar, q, req.Query)
	for _, p := range list {
		who.nearPassages = append(who.nearPassages, passage{Passage: p.Passage, document: p.Of, similarity: p.Similarity})
	}
	degraded, err := degradedBy(ctx, err)
	who.degraded = cmp.Or(who.degraded, degraded)
	return err
}

// nearestPassage is the greatest similarity of a passage that is similar enough to be what the query asks for, 0 if
// none is.
func (c *topicSet) nearestPassage() float64 {
	if len(c.nearPassages) == 0 || c.nearPassages[0].similarity < leastSimilarPassage {
		return 0
	}
	return c.nearPassages[0].similarity
}

// choosePassages adds to the passages that words have found those that are similar to the query, unless a belief is
// nearer, and takes away those that are much less similar than a belief or another passage. Beliefs about what a query
// names have the name in common with it, which passages mostly have not: there, only a belief that is much nearer keeps
// a passage out.
func (c *topicSet) choosePassages() {
	if len(c.nearPassages) == 0 {
		return // there are none, or nothing is known of their similarity
	}
	muchNearer, nearest := similarShare*c.mostSimilar, c.nearPassages[0].similarity
	c.found = slices.DeleteFunc(c.found, func(p passage) bool {
		if p.similarity >= max(muchNearer, similarShare*nearest) {
			return false
		}
		c.pool = slices.Insert(c.pool, 0, p) // a sentence of it may belong to a belief
		return true
	})
	least := max(leastSimilarPassage, passageShare*nearest, muchNearer)
	if c.namesNobody() {
		least = max(least, c.mostSimilar)
	}
	for _, p := range c.nearPassages {
		known := slices.ContainsFunc(c.found, func(f passage) bool { return f.ID == p.ID })
		if p.similarity >= least && !known && len(c.found) < passagesKept {
			c.found = append(c.found, p)
		}
	}
	c.pool = slices.DeleteFunc(c.pool, func(p passage) bool {
		return slices.ContainsFunc(c.found, func(f passage) bool { return f.ID == p.ID })
	})
}

// passagesFor lists the passages of the scope that have the most weight of a question's words. While the index cannot
// be asked, it looks at the first of the scope.
func (c *Compiler) passagesFor(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, question search.Query,
) (recall.FoundPassages, error) {
	q := recall.PassageQuery{Query: recall.Query{
		Tenant: see.tenant, Terms: recall.TermsOf(question), In: see.scope, Limit: passagesRanked / len(who.questions),
	}, Sees: see.sees.Sees}
	if c.cfg.Index != nil {
		found, err := recall.FindPassages(ctx, r, c.cfg.Index, q)
		if tenure.CodeOf(err) != tenure.Unavailable || ctx.Err() != nil {
			return found, err
		}
	}
	list, err := r.PassagesIn(ctx, see.scope, "", passagesRead)
	if err != nil {
		return recall.FoundPassages{}, err
	}
	found, err := recall.RankPassages(ctx, r, q, list)
	if len(list) == passagesRead {
		found.Cut, who.indexBehind = true, who.indexBehind || c.cfg.Index != nil
	}
	return found, err
}

// passageDocument returns a passage as it is ranked.
func passageDocument(p tenure.Passage, title string) search.Document {
	return search.Document{Parts: append(slices.Clone(p.Headings), title, p.Text)}
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
