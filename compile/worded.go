package compile

import (
	"context"
	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/linking"
	"tenure/ner/words"
	"tenure/recall"
	"tenure/search"
	"tenure/store"
	"tenure/text"
)

// The bounds of what is found by words.
const (
	recentRead   = 500 // beliefs of the scope, and as many remarks
	recalledRead = 200 // beliefs of which a word is one of the query
	askedLive    = 50  // beliefs of each entity of which the name has a word of the query
	wordedKept   = 10  // beliefs
	remarksKept  = 5
	remarksRoots = 100 // remarks of which the subject is looked up
)

// searched reads what a query asks for by its words, in all and question by question, and how.
func searched(query string, list []linking.Word) (all search.Query, parts []search.Query, how search.Asking) {
	words := make([]search.Word, len(list))
	for i, w := range list {
		words[i] = search.Word{Span: w.Span, Key: w.Key, Capital: w.Capital, Taken: w.Taken, Joined: w.Joined}
	}
	return search.Of(query, words), search.Parts(query, words), search.AskingOf(query, words)
}

// namesNobody reports whether a query neither lists nor names an entity beside "this project", nor has an unresolved
// name that is written as one. Its words may then find what it asks for.
func (c *topicSet) namesNobody() bool {
	for root := range c.Topics {
		if c.isOther(root) {
			return false
		}
	}
	return !slices.ContainsFunc(c.Unresolved, func(u linking.Unresolved) bool {
		// words in small letters may be no name, and a word like one of a name another
		guessed := u.Reason == linking.SimilarName && (u.Text == strings.ToLower(u.Text) || u.Misspelt)
		return u.Pointer != "" || !guessed
	})
}

// isOther reports whether a query lists or names an entity, and not as "this project".
func (c *topicSet) isOther(root tenure.ID) bool { return root != c.project && c.askedByName(root) }

// worded lists the beliefs that match the words of a query that names nobody: among those that have any of them.
// Where none of these matches, or the index of beliefs cannot be asked, it looks at the newest of the scope, which
// may match by what their subjects are; if those were cut off, also at the entities that have a word of the query in
// their names. If none matches, it lists those of [topicSet.latest]. If the query names an owner ("Jaz's bike lock"),
// it lists those about the owner's possessions.
func (c *Compiler) worded(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request,
) ([]tenure.Belief, error) {
	anybody := who.namesNobody()
	if who.search.Empty() || !anybody && len(who.Owners) == 0 {
		return nil, nil
	}
	found, err := c.recall(ctx, r, who, see, req, recall.Belief)
	if err != nil {
		return nil, err
	}
	who.wordsCut = found.cut
	objects, err := who.usable(ctx, r, found.list, see, req.ValidAt)
	if err != nil {
		return nil, err
	}
	if !anybody {
		objects = slices.DeleteFunc(objects, func(o *object) bool { return !who.isPossession(o.root) })
	}
	if matching := who.matching(objects); len(matching) > 0 || found.searched && !anybody {
		return who.foundByWords(matching), nil
	}
	if objects, err = c.newest(ctx, r, who, see, req); err != nil {
		return nil, err
	}
	who.indexBehind = who.indexBehind || found.behind && who.wordsCut
	who.wordsCut = who.wordsCut || found.cut
	if anybody {
		return who.matched(objects, req.ValidAt), nil
	}
	objects = slices.DeleteFunc(objects, func(o *object) bool { return !who.isPossession(o.root) })
	return who.foundByWords(who.matching(objects)), nil
}

// newest returns the usable ones of the newest beliefs of the scope.
func (c *Compiler) newest(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request,
) ([]*object, error) {
	list, err := c.recent(ctx, r, who, see, req)
	if err != nil {
		return nil, err
	}
	return who.usable(ctx, r, list, see, req.ValidAt)
}

// byIndex is what the index of beliefs has found, and whether there may be more. It was not searched if there is none,
// or if it is behind: it has not read the log up to the state, or cannot be read.
type byIndex struct {
	list                  []tenure.Belief
	cut, searched, behind bool
}

// recall finds the beliefs of a kind that have words of the query.
func (c *Compiler) recall(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request, kind recall.Kind,
) (byIndex, error) {
	if c.cfg.Index == nil {
		return byIndex{}, nil
	}
	found, err := recall.Find(ctx, r, c.cfg.Index, recall.Query{
		Tenant: see.tenant, Terms: recall.TermsOf(who.search), Kinds: []recall.Kind{kind}, In: see.scope, ValidAt: req.ValidAt,
		Limit: recalledRead,
	})
	if tenure.CodeOf(err) == tenure.Unavailable && ctx.Err() == nil {
		return byIndex{behind: true}, nil
	}
	list := make([]tenure.Belief, len(found.Matches))
	for i, m := range found.Matches {
		list[i] = *m.Belief
	}
	return byIndex{list: list, cut: found.Cut, searched: err == nil}, err
}

// withOlder adds to the newest remarks of the scope, if these are not all, the others that have words of the query. It
// returns how many it added, at the end.
func (c *Compiler) withOlder(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request, remarks []tenure.Belief,
) (list []tenure.Belief, older int, err error) {
	if who.remarksCut = len(remarks) == recentRead; !who.remarksCut || who.search.Empty() {
		return remarks, 0, nil
	}
	found, err := c.recall(ctx, r, who, see, req, recall.Remark)
	if err != nil || !found.searched {
		who.indexBehind = who.indexBehind || found.behind
		return remarks, 0, err
	}
	who.remarksCut = found.cut
	known := make(map[tenure.ID]bool, len(remarks))
	for i := range remarks {
		known[remarks[i].Claim.ID] = true
	}
	more := slices.DeleteFunc(found.list, func(b tenure.Belief) bool { return known[b.Claim.ID] })
	slices.SortFunc(more, func(a, b tenure.Belief) int { return newestFirst(&a.Claim, &b.Claim) })
	return append(remarks, more...), len(more), nil
}

// usable makes objects of beliefs (see visible), with the terms of their predicates.
func (c *topicSet) usable(
	ctx context.Context, r store.Reader, list []tenure.Belief, see viewer, at tenure.Instant,
) ([]*object, error) {
	objects, err := c.visible(ctx, r, list, see, at)
	if err != nil {
		return nil, err
	}
	terms, found := store.NewTerms(r), predicatesOf(objects)
	if err := terms.Load(ctx, termIDs(found)); err != nil {
		return nil, err
	}
	return objects, define(ctx, terms, found, objects)
}

// recent lists the newest beliefs of the scope and, if there may be more, those of the entities that have a word of the
// query in their names.
func (c *Compiler) recent(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request,
) ([]tenure.Belief, error) {
	w := instantWindow(req.ValidAt)
	list, err := r.Recent(ctx, store.RecentQuery{In: see.scope, Window: w, Limit: recentRead})
	if err != nil {
		return nil, err
	}
	if who.wordsCut = len(list) == recentRead; !who.wordsCut {
		return list, nil
	}
	ids, err := c.cfg.Linker.Propose(ctx, r, see.tenant, who.search.Names, req.Scope.ProjectID)
	if len(ids) == 0 || err != nil {
		return list, err
	}
	more, err := r.Facts(ctx, ids, w, askedLive)
	return append(list, more...), err
}

// matched lists the beliefs that match, or else what was said last.
func (c *topicSet) matched(objects []*object, at tenure.Instant) []tenure.Belief {
	matching := c.matching(objects)
	if len(matching) == 0 {
		matching = c.latest(objects, at)
		for _, o := range matching {
			c.lately[o.claim().ID] = true
		}
	}
	return c.foundByWords(matching)
}

// foundByWords lists the beliefs of objects that were not found by their value, and records how they were.
func (c *topicSet) foundByWords(objects []*object) (list []tenure.Belief) {
	for _, o := range objects {
		if !c.said[o.claim().ID] {
			c.byWords[o.claim().ID] = true
			list = append(list, *o.belief)
		}
	}
	return list
}

// isPossession reports whether the query names a root as a possession of an owner: its name begins with the owner's,
// and the query has all words of the rest. "The code of Jaz's bike lock" names "Jaz Whitlock's bike lock code".
func (c *topicSet) isPossession(root tenure.ID) bool {
	return slices.ContainsFunc(c.Owners, func(owner tenure.ID) bool {
		rest, ok := strings.CutPrefix(c.Known[root].Name, c.Known[owner].Name+"'s ")
		text.Terms(rest, nil, func(term []byte) {
			_, asked := c.search.Number[string(term)]
			ok = ok && asked
		})
		return ok
	})
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
	if err := c.Known.Load(ctx, r, ids); err != nil {
		return nil, err
	}
	var objects []*object
	for i := range list {
		root, ok := c.Known.Root(list[i].Claim.Subject)
		if !ok || linking.Excluded(root, see.scope.ProjectID) != "" {
			continue
		}
		o := &object{belief: &list[i], root: root.ID}
		if value, ok := c.Known.Root(o.claim().Value.Entity); ok {
			if !linking.InProject(value.Project, see.scope.ProjectID) {
				continue
			}
			o.value = value.Name
		} else {
			o.value = valueText(o.claim().Value, nil, c.Known)
		}
		objects = append(objects, o)
	}
	slices.SortFunc(objects, func(a, b *object) int { return newestFirst(a.claim(), b.claim()) })
	return objects, nil
}

// matching lists the objects that the questions find, the best of each first.
func (c *topicSet) matching(objects []*object) (matching []*object) {
	found := map[*object]bool{}
	for _, q := range c.questions {
		docs, synonyms := make([]search.Document, len(objects)), map[string][]int{}
		for i, o := range objects {
			docs[i] = search.Document{Parts: o.worded(c), Answer: o.value, Synonyms: append(
				slices.Clip(o.synonyms(synonyms, q.Number)), c.kindAsked(q, o.root)...,
			)}
		}
		list := q.Find(docs)
		for _, i := range search.Best(list, wordedKept, func(i int) bool { return list[i].HasMost() }) {
			if o := objects[i]; !found[o] && len(matching) < wordedKept {
				found[o] = true
				matching = append(matching, o)
			}
		}
	}
	return matching
}

// worded lists the texts in which an object is found: what it says, the words in which it was said, and the question
// that they answered.
func (o *object) worded(c *topicSet) []string {
	parts := o.searchable(c)
	return append(parts[:], askedAndSaid(o.claim())...)
}

// askedAndSaid lists the words in which a claim was said that was read in a text, and the question that they answered.
func askedAndSaid(c *tenure.Claim) []string {
	switch e := c.Evidence; {
	case e == nil:
		return nil
	case isRemark(c):
		return []string{e.Question}
	default:
		return []string{e.Span, e.Question}
	}
}

// kindWords are further words for types of entities.
var kindWords = map[string]string{
	words.Person: "people folks", words.Organization: "company organisation firm", words.Place: "location",
}

// kindAsked lists the terms of a question that say of which type a root is: "people" of a person.
func (c *topicSet) kindAsked(q search.Query, id tenure.ID) (terms []int) {
	root, _ := c.Known.Root(id)
	text.Terms(root.Type+" "+kindWords[root.Type], nil, func(term []byte) {
		if t, ok := q.Number[string(term)]; ok {
			terms = append(terms, t)
		}
	})
	return terms
}

// isRemark reports whether a claim is something that was said, and no property.
func isRemark(c *tenure.Claim) bool { return c.Predicate == tenure.Remark && isFact(c) }

// recalled lists the newest remarks that are about what was asked or share a word with the query, the remarks of the
// same stretches, and the last few of all.
func (c *topicSet) recalled(list []tenure.Belief, older int) []tenure.Belief {
	asked, others := map[tenure.ID]bool{}, 0
	for root, m := range c.Topics {
		if c.askedByName(root) {
			for _, id := range m.Entity.Whole() {
				asked[id] = true
			}
		}
	}
	var room []byte
	shares := func(b *tenure.Belief) bool {
		shared := false
		for _, part := range append(askedAndSaid(&b.Claim), valueText(b.Claim.Value, nil, c.Known), b.Claim.Source.Speaker) {
			room = text.Terms(part, room, func(term []byte) {
				_, ok := c.search.Number[string(term)]
				shared = shared || ok
			})
		}
		return shared
	}
	all, found, anchors := make([]*tenure.Claim, len(list)), make([]bool, len(list)), []*tenure.Claim{}
	for i := range list {
		all[i] = &list[i].Claim
		about := asked[all[i].Subject] || i >= len(list)-older // those are few, and have words of the query
		if found[i] = about || others < remarksRoots && shares(&list[i]); !found[i] {
			found[i] = i < latelyRead
			continue
		}
		if anchors = append(anchors, all[i]); !about {
			others++
		}
	}
	return withNeighbours(list, found, stretches(all, anchors), remarksRoots-others)
}

// withNeighbours lists what was found, and while there is room what is near it.
func withNeighbours(list []tenure.Belief, found []bool, near map[int]time.Duration, room int) (kept []tenure.Belief) {
	for i, b := range list {
		if _, beside := near[i]; beside && !found[i] && room > 0 {
			room--
			kept = append(kept, b)
		} else if found[i] {
			kept = append(kept, b)
		}
	}
	return kept
}

// usableRemarks lists the remarks of which the subject may be compiled, and loads their subjects.
func (c *topicSet) usableRemarks(
	ctx context.Context, r store.IdentityReader, list []tenure.Belief, see viewer,
) ([]tenure.Belief, error) {
	ids := make([]tenure.ID, len(list))
	for i, b := range list {
		ids[i] = b.Claim.Subject
	}
	if err := c.Known.Load(ctx, r, ids); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(b tenure.Belief) bool {
		root, ok := c.Known.Root(b.Claim.Subject)
		return !ok || linking.Excluded(root, see.scope.ProjectID) != ""
	}), nil
}

// remarks keeps of the remarks the few that the questions ask for, first those about what the query names. Displaced
// objects (gone) are anchors if no others are. Lost are the remarks that are asked for and overtaken.
func (c *topicSet) remarks(
	objects []*object, gone []omission, at tenure.Instant,
) (rest []*object, lost []omission) {
	var said []*object
	rest = slices.DeleteFunc(objects, func(o *object) bool {
		if !isRemark(o.claim()) {
			return false
		}
		said = append(said, o)
		return true
	})
	if len(said) == 0 {
		return rest, nil
	}
	slices.SortFunc(said, func(a, b *object) int { return newestFirst(a.claim(), b.claim()) })
	kept, said, lost := c.timely(said, rest, gone)
	last := false
	rest = c.withoutLately(rest, len(kept) > 0)
	if len(kept) == 0 && len(c.lately) == 0 && c.namesNobody() && !slices.ContainsFunc(rest, c.answers) {
		kept, last = c.latest(said, at), true
	}
	for _, o := range kept {
		o.byWords = true
		rest = append(rest, o)
	}
	if last || len(kept) == 0 && c.answered(rest) {
		return rest, lost
	}
	return c.withStretches(rest, said, gone, remarksKept-len(kept)), lost
}

// timely returns the remarks that the questions ask for, those that are not overtaken, and the former that are.
func (c *topicSet) timely(said, facts []*object, gone []omission) (kept, open []*object, lost []omission) {
	kept = c.askedOf(said)
	past := c.overtaken(said, facts, gone)
	if len(past) == 0 {
		return kept, said, nil
	}
	for _, o := range kept {
		if by, ok := past[o]; ok {
			lost = append(lost, omission{object: o, reason: reasonOvertaken, by: by})
		}
	}
	open = slices.DeleteFunc(said, func(o *object) bool { _, ok := past[o]; return ok })
	return c.askedOf(open), open, lost
}

// withStretches adds to some objects what was remarked in one stretch with them, as far as there is room.
func (c *topicSet) withStretches(objects, said []*object, gone []omission, room int) []*object {
	anchors := c.anchors(objects)
	if len(anchors) == 0 {
		anchors = c.anchors(explained(gone))
	}
	for _, o := range c.alongside(said, anchors) {
		if room > 0 && !o.byWords {
			o.byWords = true
			objects = append(objects, o)
			room--
		}
	}
	return objects
}

// askedOf lists the remarks that the questions ask for, of each question first those about what the query names.
func (c *topicSet) askedOf(said []*object) (kept []*object) {
	docs := make([]search.Document, len(said))
	for i, o := range said {
		root, _ := c.Known.Root(o.root)
		o.value = valueText(o.claim().Value, nil, c.Known)
		docs[i] = search.Document{
			Parts: append([]string{root.Name, o.claim().Source.Speaker, o.value}, askedAndSaid(o.claim())...),
			About: c.askedByName(o.root), Answer: o.value,
		}
	}
	for _, q := range c.questions {
		list := q.Find(docs)
		places := search.Best(list, remarksKept, func(i int) bool { return docs[i].About && q.AsksOfNamed(list[i]) })
		places = append(places, search.Best(list, remarksKept-len(places), func(i int) bool {
			return !docs[i].About && list[i].HasMost()
		})...)
		for _, i := range places {
			if len(kept) < remarksKept && !slices.Contains(kept, said[i]) {
				kept = append(kept, said[i])
			}
		}
	}
	return kept
}

// askedByName reports whether a root is what the request names or lists.
func (c *topicSet) askedByName(root tenure.ID) bool {
	m := c.Topics[root]
	return m != nil && m.Hops == 0 && m.Via != linking.ByIdentity
}
