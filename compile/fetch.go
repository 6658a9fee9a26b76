package compile

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/beliefs"
	"tenure/store"
	"tenure/vocabulary"
)

// object is a belief on its way through the stages.
type object struct {
	belief *tenure.Belief
	root   tenure.ID // of the subject
	hops   int
	stood  tenure.Window // the segment that covers the instant asked for

	value string // as a model would read it
	key   string
	line  string // "" until it is converted
	zone  string
	score float64 // lexical, 0 and more
	tier  string
}

func (o *object) claim() *tenure.Claim { return &o.belief.Claim }

// omission is an object that a stage omitted, and why.
type omission struct {
	object *object
	reason string
	by     tenure.ID // the belief that displaced it, if a belief did
	caseID tenure.ID // the case that holds it, if one does
}

// neighbours follows relations that the viewer may see and that stand at the instant, hop by hop, and adds
// the entities found as topics.
func (c *Compiler) neighbours(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, hops int, at tenure.Instant,
) error {
	frontier := who.subjects()
	room := c.cfg.Neighbours
	for hop := 1; hop <= hops && room > 0 && len(frontier) > 0; hop++ {
		list, err := r.Relations(ctx, frontier, instantWindow(at), c.cfg.Relations[hop-1])
		if err != nil {
			return err
		}
		edges := slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
			seg, ok := b.Standing.At(at)
			return !ok || seg.Cause != tenure.Stands || see.denies(&b.Claim) != ""
		})
		slices.SortFunc(edges, func(a, b tenure.Belief) int { return newestFirst(&a.Claim, &b.Claim) })
		var ends []tenure.ID
		for _, b := range edges {
			ends = append(ends, b.Claim.Subject, b.Claim.Value.Entity)
		}
		if err := who.known.load(ctx, r, ends); err != nil {
			return err
		}
		reached := map[tenure.ID]bool{}
		for _, end := range ends {
			root, ok := who.known.root(end)
			if !ok || room == 0 || exclusionReason(root, see.scope.ProjectID) != "" {
				continue
			}
			if who.add(root, byRelation, "", hop) {
				room--
			}
			if who.topics[root.ID].hops == hop {
				reached[end], reached[root.ID] = true, true
			}
		}
		frontier = slices.Sorted(maps.Keys(reached))
	}
	return nil
}

// fetch reads the beliefs about the topics that stand at the instant, and for the trace the newest that do
// not. It also loads the entities that are values.
func (c *Compiler) fetch(ctx context.Context, r store.Reader, who *topicSet, at tenure.Instant) ([]*object, error) {
	subjects := who.subjects()
	if len(subjects) == 0 {
		return nil, nil
	}
	w := instantWindow(at)
	var live, dead []tenure.Belief
	var liveErr, deadErr error
	var reads sync.WaitGroup
	reads.Go(func() { dead, deadErr = r.Displaced(ctx, subjects, w, c.cfg.Displaced) })
	live, liveErr = r.Live(ctx, subjects, w, c.cfg.Beliefs)
	reads.Wait()
	if err := cmp.Or(liveErr, deadErr); err != nil {
		return nil, err
	}
	objects := make([]*object, 0, len(live)+len(dead))
	values := make([]tenure.ID, 0, len(live)+len(dead))
	seen := make(map[tenure.ID]bool, len(live)+len(dead))
	for _, list := range [][]tenure.Belief{live, dead} {
		for i := range list {
			b := &list[i]
			root, ok := who.known.root(b.Claim.Subject)
			if !ok || seen[b.Claim.ID] {
				continue
			}
			seen[b.Claim.ID] = true
			hops := 0
			if m := who.topics[root.ID]; m != nil {
				hops = m.hops
			}
			objects = append(objects, &object{belief: b, root: root.ID, hops: hops})
			values = append(values, b.Claim.Value.Entity)
		}
	}
	if err := who.known.load(ctx, r, values); err != nil {
		return nil, err
	}
	for _, o := range objects {
		if v := &o.claim().Value; v.Entity != "" {
			if root, ok := who.known.root(v.Entity); ok {
				v.Canonical = beliefs.CanonicalEntity(root.ID) // merged entities are one value
			}
		}
	}
	slices.SortFunc(objects, func(a, b *object) int { return newestFirst(a.claim(), b.claim()) })
	return objects, nil
}

// terms reads the terms of the objects' predicates, by predicate.
func terms(ctx context.Context, r store.VocabularyReader, objects []*object) (map[string]*tenure.Term, error) {
	var ids []string
	found := map[string]*tenure.Term{}
	for _, o := range objects {
		if p := o.claim().Predicate; found[p] == nil {
			found[p] = &tenure.Term{}
			ids = append(ids, vocabulary.IDs(p)...)
		}
	}
	slices.Sort(ids)
	own := store.NewTerms(r)
	if err := own.Load(ctx, slices.Compact(ids)); err != nil {
		return nil, err
	}
	for p := range found {
		t, err := vocabulary.Resolve(ctx, own, p)
		if err != nil {
			return nil, err
		}
		found[p] = &t
	}
	return found, nil
}

func instantWindow(at tenure.Instant) tenure.Window {
	return tenure.Window{From: at, Until: at + 1}
}

// newestFirst orders claims by content, ids last, so that the order is the same on every engine. It compares
// as few fields as it must: it is the hot comparison of a compilation.
func newestFirst(a, b *tenure.Claim) int {
	if c := cmp.Compare(b.Window.From, a.Window.From); c != 0 {
		return c
	}
	if c := strings.Compare(a.Predicate, b.Predicate); c != 0 {
		return c
	}
	if c := strings.Compare(a.Key, b.Key); c != 0 {
		return c
	}
	if c := strings.Compare(a.Value.Canonical, b.Value.Canonical); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}
