package compile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"tenure"
	"tenure/recall"
	"tenure/search"
	"tenure/store"
)

// The bounds of a request to recall.
const (
	defaultRecalled = 20
	maxRecalled     = 100
)

// RecallRequest asks for beliefs by words, and by similarity where there are vectors.
type RecallRequest struct {
	Query string
	Scope tenure.Scope
	Kinds []recall.Kind // none for all, passages among them
	Limit int           // at most 100; 0 means 20
	// ValidAt is the instant that the answer is about; 0 is the present.
	ValidAt tenure.Instant
}

// Recalled is what a request has found, best first.
type Recalled struct {
	Items []RecalledItem
	// Passages of documents have words of the query, or are similar to it; MorePassages reports whether more of them are
	// found than the limit.
	Passages     []RecalledPassage
	MorePassages bool
	// More reports whether more was found than the limit.
	More bool
	// Cut reports whether more beliefs have words of the query than were ranked.
	Cut bool
	// Degraded says why similarity, or a reranker, counts for nothing in this answer; "" if all counts that there is.
	Degraded string
}

// RecalledItem is a belief that was found.
type RecalledItem struct {
	Kind   recall.Kind
	Belief tenure.Belief
	Text   string // the line of a compilation
	Score  float64
	// Similarity is that of its vector to the query's, 0 of what was found by words alone.
	Similarity float64
	Why        []WordFound
}

func (i *RecalledItem) foundID() tenure.ID                  { return i.Belief.Claim.ID }
func (i *RecalledItem) ranks() (score, similarity *float64) { return &i.Score, &i.Similarity }

// RecalledPassage is a passage of a document that was found.
type RecalledPassage struct {
	recall.FoundPassage
	Score float64
	// Similarity is that of its vector to the query's, 0 of what was found by words alone.
	Similarity float64
	Why        []WordFound
}

func (p *RecalledPassage) foundID() tenure.ID                  { return p.ID }
func (p *RecalledPassage) ranks() (score, similarity *float64) { return &p.Score, &p.Similarity }

// WordFound is a word of the query, folded, and where it was found.
type WordFound struct {
	Word    string
	In      []recall.Place
	Synonym bool
}

func (r RecallRequest) faults() (f faults) {
	f.text("/query", r.Query, maxQueryBytes)
	if strings.TrimSpace(r.Query) == "" {
		f.add("/query", "must not be blank")
	}
	if r.Limit < 0 || r.Limit > maxRecalled {
		f.add("/limit", "must be 1 to %d", maxRecalled)
	}
	return f
}

// Recall answers a request from the one state that the reader was opened on. Errors: those of [Request.Validate], and
// the reader's own; Unavailable while the index of beliefs has not read the log up to the state.
func (c *Compiler) Recall(
	ctx context.Context, r store.Reader, caller tenure.Caller, req RecallRequest, now tenure.Instant,
) (Recalled, error) {
	if f := req.faults(); len(f) > 0 {
		return Recalled{}, &tenure.Error{Code: tenure.Invalid, Message: "the request cannot be taken as it is", Fields: f}
	}
	ask := Request{Query: req.Query, Scope: req.Scope, ValidAt: req.ValidAt}
	if err := ask.Validate(caller); err != nil {
		return Recalled{}, err
	}
	if c.cfg.Index == nil {
		return Recalled{}, tenure.Errorf(tenure.Unsupported, "there is no index of beliefs")
	}
	ask = ask.withDefaults(now)
	if len(req.Kinds) == 0 {
		req.Kinds = append(slices.Clip(recall.Kinds), recall.Passage)
	}
	who, err := c.topicsOf(ctx, r, caller.Tenant, ask)
	if err != nil {
		return Recalled{}, err
	}
	q := recall.Query{
		Tenant: caller.Tenant, Terms: recall.TermsOf(who.search), In: ask.Scope, ValidAt: ask.ValidAt, Limit: recalledRead,
	}
	q.Kinds = slices.DeleteFunc(slices.Clone(req.Kinds), func(k recall.Kind) bool { return k == recall.Passage })
	out := Recalled{}
	if len(q.Kinds) > 0 {
		if out, err = c.recallBeliefs(ctx, r, who, q, req); err != nil {
			return Recalled{}, err
		}
	}
	if slices.Contains(req.Kinds, recall.Passage) {
		err = c.recallPassages(ctx, r, who, q, viewerOf(caller, ask), req, &out)
	}
	return out, err
}

// recallBeliefs finds beliefs and remarks.
func (c *Compiler) recallBeliefs(
	ctx context.Context, r store.Reader, who *topicSet, q recall.Query, req RecallRequest,
) (Recalled, error) {
	found, err := recall.Find(ctx, r, c.cfg.Index, q)
	if err != nil {
		return Recalled{}, err
	}
	matched := make([]*tenure.Belief, len(found.Matches))
	for i, m := range found.Matches {
		matched[i] = m.Belief
	}
	lines, err := who.lines(ctx, r, matched)
	if err != nil {
		return Recalled{}, err
	}
	items := itemsOf(who.search, q.Terms, found.Matches, lines)
	items, degraded, err := c.withSimilar(ctx, r, who, items, q, req.Query)
	if err != nil {
		return Recalled{}, err
	}
	limit := min(len(items), cmp.Or(req.Limit, defaultRecalled))
	return Recalled{Items: items[:limit], More: len(items) > limit, Cut: found.Cut, Degraded: degraded}, nil
}

// recallPassages adds the passages that have words of the query, ranked by BM25 among those that have the most weight
// of them, fused with those that are similar to it.
func (c *Compiler) recallPassages(
	ctx context.Context, r store.Reader, who *topicSet, q recall.Query, see viewer, req RecallRequest, out *Recalled,
) error {
	q.Limit = maxRecalled
	asked := recall.PassageQuery{Query: q, Sees: see.sees.Sees}
	found, err := recall.FindPassages(ctx, r, c.cfg.Index, asked)
	if err != nil {
		return err
	}
	docs := make([]search.Document, len(found.Passages))
	for i, p := range found.Passages {
		docs[i] = passageDocument(p.Passage, p.Of.Title)
	}
	list := make([]RecalledPassage, len(docs))
	for i, f := range who.search.Find(docs) {
		list[i] = RecalledPassage{
			FoundPassage: found.Passages[i], Score: rounded(f.Score()), Why: wordsIn(found.Passages[i], q.Terms),
		}
	}
	slices.SortStableFunc(list, func(a, b RecalledPassage) int { return cmp.Compare(b.Score, a.Score) })
	alike, degraded, err := c.alikePassages(ctx, r, asked, req.Query, out.Degraded)
	if err != nil {
		return err
	}
	list = fuse(list, alike)
	limit := min(len(list), cmp.Or(req.Limit, defaultRecalled))
	out.Passages, out.MorePassages = list[:limit], len(list) > limit || found.Cut
	out.Degraded = degraded
	return nil
}

// alikePassages lists the passages that are similar enough to a query. Where that cannot be done now, or could not
// already for beliefs, it says why.
func (c *Compiler) alikePassages(
	ctx context.Context, r store.Reader, q recall.PassageQuery, text, already string,
) (list []RecalledPassage, degraded string, err error) {
	if c.cfg.Similar == nil || already != "" {
		return nil, already, nil
	}
	found, err := recall.FindSimilarPassages(ctx, r, c.cfg.Similar, q, text)
	for _, p := range found {
		if p.Similarity >= leastSimilar {
			list = append(list, RecalledPassage{
				FoundPassage: p.FoundPassage, Similarity: rounded(p.Similarity), Why: wordsIn(p.FoundPassage, q.Terms),
			})
		}
	}
	degraded, err = degradedBy(ctx, err)
	return list, degraded, err
}

// wordsIn lists the words of a query that a passage has.
func wordsIn(p recall.FoundPassage, terms []recall.Term) (words []WordFound) {
	places := map[string][]recall.Place{}
	recall.Terms(recall.PassageParts(&p.Passage, p.Of.Title), func(place recall.Place, term []byte) {
		if list := places[string(term)]; !slices.Contains(list, place) {
			places[string(term)] = append(list, place)
		}
	})
	for _, t := range terms {
		if list := places[t.Word]; len(list) > 0 {
			words = append(words, WordFound{Word: t.Written, In: list})
		}
	}
	return words
}

// withSimilar joins what words have found with what is similar to the query, and has it ranked.
func (c *Compiler) withSimilar(
	ctx context.Context, r store.Reader, who *topicSet, items []RecalledItem, q recall.Query, text string,
) ([]RecalledItem, string, error) {
	found, err := c.similar(ctx, r, q, text)
	if err != nil {
		return nil, "", err
	}
	alike := make([]*tenure.Belief, len(found.list))
	for i, s := range found.list {
		alike[i] = s.Belief
	}
	lines, err := who.lines(ctx, r, alike)
	if err != nil {
		return nil, "", err
	}
	items, degraded, err := c.rerank(ctx, text, fuse(items, alikeItems(found.list, lines)))
	return items, cmp.Or(found.degraded, degraded), err
}

// lines makes objects with their lines.
func (c *topicSet) lines(ctx context.Context, r store.Reader, list []*tenure.Belief) ([]*object, error) {
	objects := make([]*object, len(list))
	var ids []tenure.ID
	for i, b := range list {
		objects[i] = &object{belief: b}
		ids = append(ids, objects[i].claim().Subject, objects[i].claim().Value.Entity)
	}
	if err := c.Known.Load(ctx, r, ids); err != nil {
		return nil, err
	}
	for _, o := range objects {
		root, _ := c.Known.Root(o.claim().Subject)
		o.root = root.ID
	}
	terms, found := store.NewTerms(r), predicatesOf(objects)
	if err := terms.Load(ctx, termIDs(found)); err != nil {
		return nil, err
	}
	if err := define(ctx, terms, found, objects); err != nil {
		return nil, err
	}
	convert(objects, c, Task{})
	return objects, nil
}

// itemsOf ranks what was found: by its score, then the newest first.
func itemsOf(q search.Query, terms []recall.Term, matches []*recall.Match, lines []*object) []RecalledItem {
	docs := make([]search.Document, len(matches))
	for i, m := range matches {
		docs[i].Answer = lines[i].value
		for _, p := range m.Parts {
			docs[i].Parts = append(docs[i].Parts, p.Text)
		}
		for _, h := range m.Hits {
			if h.Synonym {
				docs[i].Synonyms = append(docs[i].Synonyms, q.Number[terms[h.Term].Word])
			}
		}
	}
	items := make([]RecalledItem, len(matches))
	for i, f := range q.Find(docs) {
		m := matches[i]
		items[i] = RecalledItem{
			Kind: recall.KindOf(&m.Belief.Claim), Belief: *m.Belief, Text: lines[i].line, Score: rounded(f.Score()),
		}
		for _, h := range m.Hits {
			items[i].Why = append(items[i].Why, WordFound{terms[h.Term].Written, h.Places, h.Synonym})
		}
	}
	slices.SortStableFunc(items, func(a, b RecalledItem) int { // the matches are in order, the newest of equal ones first
		return cmp.Compare(b.Score, a.Score)
	})
	return items
}

// rounded returns a score with four digits after the point.
func rounded(score float64) float64 { return math.Round(score*1e4) / 1e4 }
