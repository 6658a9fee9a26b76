package index

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"tenure"
	"tenure/cache"
)

// A write searches for the candidates of a name, and re-resolution searches for the same once the entity is in the
// index. The second search looks only at what has come since, which is in memory, and adds it to what the first one
// found: see [Query.Again].

// answer is what a search found, for a later search for the same.
type answer struct {
	covered tenure.Seq // up to which it knew the log
	limit   int        // of the later search
	noted   []noted    // by part of the plan
}

// noted is what a search found of one part of a plan, by words alone: the best entities, whether one of them fits all
// words, how many documents were chosen, and how many match each part of it, with its weight.
type noted struct {
	hits    []hit
	fits    bool
	chosen  uint64
	counts  []uint64
	weights []float64
}

// answersKept bounds the answers in each half of the cache: one takes some 4 KB.
const answersKept = 2048

func newAnswers() *cache.Cache[string, *answer] { return cache.New[string, *answer](answersKept) }

// key returns a text that is equal for plans that match the same documents of a tenant. Names of the same words may
// differ in their sounds.
func (p plan) key(tenant uint32) string {
	key := []byte{byte(tenant >> 16), byte(tenant >> 8), byte(tenant)}
	key = append(key, p.scope()...)
	for _, a := range p.asked {
		key = append(key, '/')
		key = append(key, a.spelling[:]...)
		for _, part := range a.parts {
			key = append(key, '.')
			for _, t := range part.tiers[len(part.tiers)-1].terms {
				key = append(key, t[:]...)
			}
		}
	}
	return string(key)
}

// note keeps what the words alone have found, for a later search with a limit of its own.
func (s *search) note(a queryTerms, m matches, chosen []*roaring.Bitmap, count uint64, ranked []place) error {
	if count >= uint64(s.limit) && count < uint64(s.again) {
		wide := make([]*roaring.Bitmap, len(chosen))
		for i, docs := range chosen {
			wide[i] = docs.Clone()
		}
		count = s.widen(wide, count, m.some, s.again)
		var err error
		if ranked, err = s.rank(wide, s.again, m.scores); err != nil {
			return err
		}
	}
	n := noted{
		fits: fits(ranked, m.words), chosen: count,
		counts: make([]uint64, len(m.all)), weights: make([]float64, len(m.all)),
	}
	for i, f := range m.all {
		n.counts[i], n.weights[i] = f.count, f.weight
	}
	ranked, err := s.alikeTo(a, m, m.itself(), ranked)
	if err != nil {
		return err
	}
	n.hits, err = s.hits(ranked, s.again)
	s.noted = append(s.noted, n)
	return err
}

// again answers a search from an earlier one for the same and from what has come since. It reports false where that
// does not suffice: there was none, some of what has come since is on disk, or n-grams or sounds count.
func (g *generation) again(ctx context.Context, held shard, p plan, recent memView) ([]hit, bool, error) {
	before, ok := g.answers.Get(p.key(held.number))
	if !ok || before.limit != p.limit || held.flushed > before.covered || p.parts || !p.alike {
		return nil, false, nil
	}
	s := newSearch(p)
	for _, v := range []memView{recent, held.table.view(0)} {
		if v.table == nil {
			continue
		}
		if v = v.after(before.covered); !v.empty() {
			s.add(v, v.scope(p), v.partial)
		}
	}
	var hits []hit
	for i, a := range p.asked {
		more, ok, err := s.since(ctx, a, before.noted[i])
		if !ok || err != nil {
			return nil, false, err
		}
		hits = append(hits, more...)
	}
	return hits, true, nil
}

// since ranks later documents as if they were among those of an earlier search, and adds what that has found.
func (s *search) since(ctx context.Context, a queryTerms, before noted) ([]hit, bool, error) {
	m, err := s.matches(ctx, a)
	if err != nil || len(m.sounds) > 0 {
		return nil, false, err
	}
	together := matches{}
	for i, f := range m.all[:len(a.parts)] { // the rest are sounds
		whole := *f
		whole.count, whole.weight = f.count+before.counts[i], before.weights[i]
		together.all = append(together.all, &whole)
	}
	together.sort()
	s.before = before.chosen
	chosen, _ := s.choose(together.some)
	ranked, err := s.rank(chosen, s.limit, together.scores)
	if err != nil {
		return nil, false, err
	}
	if len(a.grams) > 0 && !before.fits && !fits(ranked, together.words) {
		return nil, false, nil
	}
	ranked, err = s.alikeTo(a, together, together.itself(), ranked)
	if err != nil {
		return nil, false, err
	}
	hits, err := s.hits(ranked, s.limit)
	return append(hits, before.hits...), err == nil, err
}

// after returns the part of a view that was added after a state of the log.
func (v memView) after(seq tenure.Seq) memView {
	v.table.mu.RLock()
	defer v.table.mu.RUnlock()
	at, _ := slices.BinarySearchFunc(v.table.entries[v.from:v.until], seq, func(e entry, seq tenure.Seq) int {
		if e.seq <= seq {
			return -1
		}
		return 1
	})
	v.from += uint32(at)
	return v
}
