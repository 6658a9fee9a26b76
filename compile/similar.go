package compile

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tenure"
	"tenure/ner/words"
	"tenure/recall"
	"tenure/search"
	"tenure/store"
	"tenure/text"
)

// The bounds of what similarity adds to a compilation. They were chosen on the developed worlds of eval/compile, for a
// context that finds more and is not much less to the point.
const (
	similarLooked = 100 // beliefs of which the similarity is known
	similarLeads  = 10  // of these, those of which the values are followed

	similarKept   = 5 // where words found nothing
	similarBeside = 1 // where they found something

	// leastSimilar is the least similarity, and similarShare the least share of that of the best. A belief about the
	// value of another inherits as much of its similarity: "what is our courier's number" asks for two.
	leastSimilar = .25
	similarShare = .8

	// leastSimilarOwn is that for a fact about the person who asks, or reached from there. There are few, so less is asked
	// of them. It was chosen on fresh cases (ADR 81).
	leastSimilarOwn = .15
)

// likeness is what similarity has found.
type likeness struct {
	list     []recall.Similar // the most similar first
	degraded string           // why nothing could be looked for now; "" if it was, or there are no vectors
}

// similar finds beliefs that are similar to a text. Where that cannot be done now, it says why.
func (c *Compiler) similar(ctx context.Context, r store.Reader, q recall.Query, text string) (likeness, error) {
	if c.cfg.Similar == nil {
		return likeness{}, nil
	}
	q.Limit = similarLooked
	list, err := recall.FindSimilar(ctx, r, c.cfg.Similar, q, text)
	degraded, err := degradedBy(ctx, err)
	return likeness{list, degraded}, err
}

// degradedBy returns why nothing could be compared now, if that is what an error says, and else the error.
func degradedBy(ctx context.Context, err error) (string, error) {
	if failed := (*tenure.Error)(nil); errors.As(err, &failed) && failed.Code == tenure.Unavailable && ctx.Err() == nil {
		return failed.Message, nil
	}
	return "", err
}

// alike finds the passages that are similar to a query, and lists the few beliefs that are similar enough to one that
// names no entity to be what it asks for. Similarity proposes and does not decide: what it adds is bounded, next to
// nothing where words found something, in force only if it is so by its scope, and the first to yield to the budget.
func (c *Compiler) alike(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request,
) (kept []tenure.Belief, err error) {
	var found likeness
	err = store.Beside(func() error {
		return c.similarPassages(ctx, r, who, see, req)
	}, func() (err error) {
		if who.namesNobody() {
			found, err = c.similar(ctx, r, recall.Query{
				Tenant: see.tenant, Kinds: []recall.Kind{recall.Belief}, In: see.scope, ValidAt: req.ValidAt,
			}, req.Query)
		}
		return err
	})
	who.degraded = cmp.Or(who.degraded, found.degraded)
	if err != nil || len(found.list) == 0 {
		return nil, err
	}
	var ends []tenure.ID
	for _, s := range found.list {
		ends = append(ends, s.Belief.Claim.Subject, s.Belief.Claim.Value.Entity)
	}
	if err := who.Known.Load(ctx, r, ends); err != nil {
		return nil, err
	}
	who.mostSimilar = found.list[0].Similarity
	list := who.answering(who.withInherited(found.list))
	if who.mostSimilar < similarShare*who.nearestPassage() {
		return nil, nil // a passage is much nearer
	}
	least := max(leastSimilar, similarShare*list[0].Similarity)
	for _, s := range list[:min(len(list), who.roomForSimilar())] {
		id := s.Belief.Claim.ID
		if s.Similarity < least {
			break
		}
		if !who.said[id] && !who.byWords[id] && see.denies(&s.Belief.Claim) == "" {
			who.likeness[id] = s.Similarity
			kept = append(kept, *s.Belief)
		}
	}
	return kept, nil
}

// compare finds how similar to the query the facts are about what it names and about the person who asks, so that those
// can be left out that say nothing of what it asks for, and the passages that words have found. Where that cannot be
// known now, none are.
func (c *Compiler) compare(
	ctx context.Context, r store.LogReader, who *topicSet, see viewer, objects []*object, req Request,
) error {
	if who.degraded != "" {
		return nil // it would have to wait once more
	}
	var what recall.Compared
	if c.cfg.Similar != nil && !who.search.Empty() {
		what = who.compared(objects)
	}
	if len(what.Beliefs)+len(what.Passages) == 0 {
		who.choosePassages()
		return nil
	}
	seq, _ := r.State()
	found, err := c.cfg.Similar.Compare(ctx, see.tenant, req.Query, seq, what)
	degraded, err := degradedBy(ctx, err)
	who.degraded = cmp.Or(who.degraded, degraded)
	if err != nil || degraded != "" {
		return err
	}
	for i, p := range who.found {
		who.found[i].similarity = found[p.ID]
		delete(found, p.ID)
	}
	who.similarity = found
	for _, is := range found {
		who.mostSimilar = max(who.mostSimilar, is)
	}
	who.choosePassages()
	return nil
}

// compared lists what is compared with the query: the facts about what it names and about the person who asks,
// and the passages that words found.
func (c *topicSet) compared(objects []*object) (what recall.Compared) {
	for _, o := range objects {
		if c.Topics[o.root] != nil && isFact(o.claim()) {
			what.Beliefs = append(what.Beliefs, *o.belief)
		}
	}
	for _, p := range c.found {
		what.Passages = append(what.Passages, p.ID)
	}
	return what
}

// nearest lists the places of the facts that are about as similar to the query as the most similar one: of those that
// were found among all, passages too, unless the query asks for something of the person who asks. A fact about the
// value of another inherits a share of its similarity: of those that count for that alone, the few that are the most
// similar themselves.
func (c *topicSet) nearest(facts []*object) (places []int) {
	best, from := 0.0, map[tenure.ID]float64{}
	if c.namesNobody() && !c.asking.Own {
		best = similarShare * c.nearestPassage()
		for _, s := range c.likeness {
			best = max(best, similarShare*s)
		}
	}
	for _, o := range facts {
		s := c.similarity[o.claim().ID]
		best = max(best, s)
		if v, ok := c.Known.Root(o.claim().Value.Entity); ok && !c.wasAsked(v.ID) {
			from[v.ID] = max(from[v.ID], s)
		}
	}
	var inherited []int
	for i, o := range facts {
		least := leastSimilar
		if c.ofRequester(o.root) {
			least = leastSimilarOwn
		}
		least = max(least, similarShare*best)
		switch {
		case c.similarity[o.claim().ID] >= least:
			places = append(places, i)
		case c.inherits(o.claim())*from[o.root] >= least:
			inherited = append(inherited, i)
		}
	}
	slices.SortStableFunc(inherited, func(a, b int) int {
		return cmp.Compare(c.similarity[facts[b].claim().ID], c.similarity[facts[a].claim().ID])
	})
	return append(places, inherited[:min(len(inherited), similarKept)]...)
}

// inherits is the share of the similarity of a belief that one about its value inherits: all of it, if it has a word of
// the query for what it says.
func (c *topicSet) inherits(claim *tenure.Claim) float64 {
	asked := false
	ask := func(term string) {
		_, has := c.search.Number[term]
		asked = asked || has
	}
	text.Terms(claim.Predicate+" "+claim.PredicateAsWritten, nil, func(term []byte) { ask(string(term)) })
	for _, term := range recall.Synonyms(claim.Predicate) {
		ask(term)
	}
	if claim.Value.Entity == "" {
		for _, term := range search.AskedBy(claim.Value.Text()) {
			ask(term)
		}
	}
	if asked {
		return 1
	}
	return similarShare
}

// answering leaves out the beliefs that have nothing of the kind that is asked for, a time or a place, if others that
// are similar enough have, and the former lead to none of these. The most similar one stays.
func (c *topicSet) answering(list []recall.Similar) []recall.Similar {
	if len(list) == 0 {
		return list
	}
	least := max(leastSimilar, similarShare*list[0].Similarity)
	answers, leads := make([]bool, len(list)), map[tenure.ID]bool{}
	for i, s := range list {
		if answers[i] = s.Similarity >= least && c.answersKind(&s.Belief.Claim); answers[i] {
			if root, ok := c.Known.Root(s.Belief.Claim.Subject); ok {
				leads[root.ID] = true
			}
		}
	}
	if len(leads) == 0 {
		return list
	}
	var kept []recall.Similar
	for i, s := range list {
		v, ok := c.Known.Root(s.Belief.Claim.Value.Entity)
		if i == 0 || answers[i] || ok && leads[v.ID] {
			kept = append(kept, s)
		}
	}
	return kept
}

// answersKind reports whether a claim has something of the kind that a question of the query asks for, or one of them
// asks for anything.
func (c *topicSet) answersKind(claim *tenure.Claim) bool {
	return slices.ContainsFunc(c.questions, func(q search.Query) bool {
		if q.Kind == search.Anything {
			return true
		}
		if v, ok := c.Known.Root(claim.Value.Entity); ok {
			switch v.Type {
			case words.Person, words.Organization:
				return q.Kind == search.Somebody
			case words.Place:
				return q.Kind == search.APlace
			}
			return q.Kind == search.Somebody || q.Kind == search.APlace
		}
		return q.Answers(claim.Value.Text())
	})
}

// roomForSimilar is how many of the most similar beliefs are looked at.
func (c *topicSet) roomForSimilar() int {
	for id := range c.byWords {
		if !c.lately[id] {
			return similarBeside
		}
	}
	return similarKept
}

// withInherited gives the beliefs about the values of the most similar ones a share of the similarity of these.
func (c *topicSet) withInherited(list []recall.Similar) []recall.Similar {
	from := map[tenure.ID]float64{} // the most that there is to inherit, by the root of the value
	for _, lead := range list[:min(similarLeads, len(list))] {
		if v, ok := c.Known.Root(lead.Belief.Claim.Value.Entity); ok {
			from[v.ID] = max(from[v.ID], lead.Similarity)
		}
	}
	list = slices.Clone(list)
	for i, s := range list {
		if root, ok := c.Known.Root(s.Belief.Claim.Subject); ok {
			list[i].Similarity = max(s.Similarity, c.inherits(&s.Belief.Claim)*from[root.ID])
		}
	}
	slices.SortStableFunc(list, func(a, b recall.Similar) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return list
}

// found is what recall has found: an item, or a passage.
type found[T any] interface {
	*T
	foundID() tenure.ID
	ranks() (score, similarity *float64)
}

// places are the places of what was found in the rankings, from 1; 0 is none.
type places struct{ byWords, alike int }

func (p places) score() float64 { return recall.Fused(p.byWords, p.alike) }

// fuse joins what words and similarity have found, each the best first: by reciprocal ranks, of equal ones in the order
// of the words. Without similarity the scores of the words stay.
func fuse[T any, P found[T]](words, alike []T) []T {
	if len(alike) == 0 {
		return words
	}
	at, list := map[tenure.ID]places{}, slices.Clone(words)
	for i := range words {
		at[P(&words[i]).foundID()] = places{byWords: i + 1}
	}
	similarity := map[tenure.ID]float64{}
	for i := range alike {
		id := P(&alike[i]).foundID()
		p, both := at[id]
		if !both {
			list = append(list, alike[i])
		}
		p.alike = i + 1
		_, is := P(&alike[i]).ranks()
		at[id], similarity[id] = p, *is
	}
	for i := range list {
		id := P(&list[i]).foundID()
		score, is := P(&list[i]).ranks()
		*score, *is = rounded(at[id].score()), similarity[id]
	}
	slices.SortStableFunc(list, func(a, b T) int {
		return cmp.Compare(at[P(&b).foundID()].score(), at[P(&a).foundID()].score())
	})
	return list
}

// alikeItems lists what is similar to a query as items: those that are similar enough.
func alikeItems(list []recall.Similar, lines []*object) (items []RecalledItem) {
	for i, s := range list {
		if s.Similarity >= leastSimilar {
			items = append(items, RecalledItem{
				Kind: recall.KindOf(&s.Belief.Claim), Belief: *s.Belief, Text: lines[i].line,
				Similarity: rounded(s.Similarity),
			})
		}
	}
	return items
}

// rerank orders the best items by a model that reads the query and each of them; the others stay behind these. It
// returns why it could not, and then the order as it was.
func (c *Compiler) rerank(ctx context.Context, query string, items []RecalledItem) ([]RecalledItem, string, error) {
	if c.cfg.Reranker == nil || len(items) == 0 {
		return items, "", nil
	}
	head := slices.Clone(items[:min(len(items), reranked)])
	texts := make([]string, len(head))
	for i, item := range head {
		texts[i] = item.Text
	}
	scores, err := c.cfg.Reranker.Rerank(ctx, query, texts)
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return items, "the reranker does not answer", nil
	}
	order := make([]int, len(head))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	sorted := make([]RecalledItem, 0, len(items))
	for _, i := range order {
		head[i].Score = rounded(scores[i])
		sorted = append(sorted, head[i])
	}
	return append(sorted, items[len(head):]...), "", nil
}

// reranked is how many items a reranker reads.
const reranked = 50
