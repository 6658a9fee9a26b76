package compile

import (
	"context"
	"slices"

	"tenure"
	"tenure/search"
	"tenure/store"
	"tenure/text"
)

// The bounds of what is found by words.
const (
	recentRead   = 500 // beliefs of the scope, and as many remarks
	askedLive    = 50  // beliefs of each entity of which the name has a word of the query
	wordedKept   = 10  // beliefs
	remarksKept  = 5
	remarksRoots = 100 // remarks of which the subject is looked up
)

// searched reads what a query asks for by its words.
func searched(query string, list []word) search.Query {
	words := make([]search.Word, len(list))
	for i, w := range list {
		words[i] = search.Word{Span: w.Span, Key: w.key, Capital: w.capital, Taken: w.taken, Joined: w.joined}
	}
	return search.Of(query, words)
}

// namesNobody reports whether a query neither names an entity nor a name that is unresolved, and lists none: then its
// words may find what it asks for.
func (c *topicSet) namesNobody() bool {
	for root := range c.topics {
		if c.named(root) {
			return false
		}
	}
	return len(c.unresolved) == 0
}

// worded lists the beliefs that the words of a query ask for which names nobody: those of the newest of the scope, and
// of the entities that have a word of the query in their names, of which the name of the subject, the predicate and the
// value have more than half of the words, and all that name something.
func (c *Compiler) worded(
	ctx context.Context, r store.Reader, who *topicSet, tenant string, see viewer, req Request,
) ([]tenure.Belief, error) {
	if who.search.Empty() || !who.namesNobody() {
		return nil, nil
	}
	w := instantWindow(req.ValidAt)
	list, err := r.Recent(ctx, store.RecentQuery{In: see.scope, Window: w, Limit: recentRead})
	if err != nil {
		return nil, err
	}
	if who.wordsCut = len(list) == recentRead; who.wordsCut && c.cfg.Names != nil {
		names := who.search.Names
		ids := c.cfg.Names.Named(ctx, tenant, names, req.Scope.ProjectID, proposedEach*len(names))
		more, err := r.Live(ctx, ids, w, askedLive)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	objects, err := who.visible(ctx, r, list, see, req.ValidAt)
	if err != nil {
		return nil, err
	}
	if err := define(ctx, r, objects); err != nil {
		return nil, err
	}
	var asked []tenure.Belief
	for _, o := range who.matching(objects) {
		if !who.said[o.claim().ID] {
			who.byWords[o.claim().ID] = true
			asked = append(asked, *o.belief)
		}
	}
	return asked, nil
}

// visible makes objects of the beliefs, remarks aside, that stand at the instant and that the viewer may see, each once
// and the newest first. It loads their entities.
func (c *topicSet) visible(
	ctx context.Context, r store.IdentityReader, list []tenure.Belief, see viewer, at tenure.Instant,
) ([]*object, error) {
	seen := map[tenure.ID]bool{}
	var ids []tenure.ID
	list = slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		seg, ok := b.Standing.At(at)
		if !ok || seg.Cause != tenure.Stands || seen[b.Claim.ID] || isRemark(&b.Claim) || see.denies(&b.Claim) != "" {
			return true
		}
		seen[b.Claim.ID] = true
		ids = append(ids, b.Claim.Subject, b.Claim.Value.Entity)
		return false
	})
	if err := c.known.load(ctx, r, ids); err != nil {
		return nil, err
	}
	var objects []*object
	for i := range list {
		root, ok := c.known.root(list[i].Claim.Subject)
		if !ok || exclusionReason(root, see.scope.ProjectID) != "" {
			continue
		}
		o := &object{belief: &list[i], root: root.ID}
		if value, ok := c.known.root(o.claim().Value.Entity); ok {
			if !inProject(value.Project, see.scope.ProjectID) {
				continue
			}
			o.value = value.Name
		} else {
			o.value = valueText(o.claim().Value, nil, c.known)
		}
		objects = append(objects, o)
	}
	slices.SortFunc(objects, func(a, b *object) int { return newestFirst(a.claim(), b.claim()) })
	return objects, nil
}

// matching lists the objects that a search finds, the best first.
func (c *topicSet) matching(objects []*object) []*object {
	docs, synonyms := make([]search.Document, len(objects)), map[string][]int{}
	for i, o := range objects {
		parts := o.searchable(c)
		docs[i] = search.Document{Parts: parts[:], Synonyms: o.synonyms(synonyms, c.search.Number)}
	}
	list := c.search.Find(docs)
	kept := search.Best(list, wordedKept, func(i int) bool { return list[i].HasMost() })
	matching := make([]*object, len(kept))
	for n, i := range kept {
		matching[n] = objects[i]
	}
	return matching
}

// isRemark reports whether a claim is something that was said, and no property.
func isRemark(c *tenure.Claim) bool { return c.Predicate == tenure.Remark && zoneOf(c) == zoneFacts }

// recalled lists those of the newest remarks that are about what was asked, or share a word with the query.
func (c *topicSet) recalled(list []tenure.Belief) []tenure.Belief {
	asked, others := map[tenure.ID]bool{}, 0
	for root, m := range c.topics {
		if c.named(root) {
			for _, id := range m.entity.Whole() {
				asked[id] = true
			}
		}
	}
	var room []byte
	shares := func(b *tenure.Belief) bool {
		shared := false
		for _, part := range []string{valueText(b.Claim.Value, nil, c.known), b.Claim.Source.Speaker} {
			room = text.Terms(part, room, func(term []byte) {
				_, ok := c.search.Number[string(term)]
				shared = shared || ok
			})
		}
		return shared
	}
	return slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		if asked[b.Claim.Subject] {
			return false
		}
		if others == remarksRoots || !shares(&b) {
			return true
		}
		others++
		return false
	})
}

// usableRemarks lists the remarks of which the subject may be compiled, and loads their subjects.
func (c *topicSet) usableRemarks(
	ctx context.Context, r store.IdentityReader, list []tenure.Belief, see viewer,
) ([]tenure.Belief, error) {
	ids := make([]tenure.ID, len(list))
	for i, b := range list {
		ids[i] = b.Claim.Subject
	}
	if err := c.known.load(ctx, r, ids); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(b tenure.Belief) bool {
		root, ok := c.known.root(b.Claim.Subject)
		return !ok || exclusionReason(root, see.scope.ProjectID) != ""
	}), nil
}

// remarks keeps of the remarks among some objects the few that the words of the query ask for: first those about what
// it names.
func (c *topicSet) remarks(objects []*object) []*object {
	var said []*object
	rest := slices.DeleteFunc(objects, func(o *object) bool {
		if !isRemark(o.claim()) {
			return false
		}
		said = append(said, o)
		return true
	})
	if len(said) == 0 {
		return rest
	}
	slices.SortFunc(said, func(a, b *object) int { return newestFirst(a.claim(), b.claim()) })
	docs := make([]search.Document, len(said))
	for i, o := range said {
		root, _ := c.known.root(o.root)
		o.value = valueText(o.claim().Value, nil, c.known)
		docs[i] = search.Document{
			Parts: []string{root.Name, o.claim().Source.Speaker, o.value}, About: c.named(o.root), Answer: o.value,
		}
	}
	list := c.search.Find(docs)
	kept := search.Best(list, remarksKept, func(i int) bool { return docs[i].About && c.search.AsksOfNamed(list[i]) })
	kept = append(kept, search.Best(list, remarksKept-len(kept), func(i int) bool {
		return !docs[i].About && list[i].HasMost()
	})...)
	for _, i := range kept {
		said[i].byWords = true
		rest = append(rest, said[i])
	}
	return rest
}

// named reports whether a root is what the request names or lists.
func (c *topicSet) named(root tenure.ID) bool {
	m := c.topics[root]
	return m != nil && m.hops == 0 && m.via != byIdentity
}
