package index

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"tenure"
)

// Bounds of a search, in documents of all segments together.
const (
	// enough is when no wider net is cast.
	enough = 2000
	// most is what is scored at most.
	most = 20000
	// rare words are worth a look on their own.
	rare = 300
)

// hit is an entity with how well it fits; scores are compared, nothing more.
type hit struct {
	entity tenure.ID
	score  float64
}

// search ranks the documents of one state of a generation.
type search struct {
	tenant uint32
	slices []*slice
	limit  int
	total  uint64 // documents that the request may see
	// known is what was found for parts before: the names of one entity share
	// words.
	known map[partKey]*found
}

// slice is a segment as far as the request may see it.
type slice struct {
	segment *scorch.SegmentSnapshot
	terms   segment.TermDictionary
	visible *roaring.Bitmap
}

// found is what a part matches in each slice.
type found struct {
	part  *part
	tiers [][]*roaring.Bitmap // by tier, then by slice
	wide  []*roaring.Bitmap   // by slice: all tiers together
	count uint64
}

// newSearch applies tenant, project and types before anything else is looked at.
func (g *generation) newSearch(r *scorch.IndexSnapshot, tenant uint32, p plan) (*search, error) {
	s := &search{tenant: tenant, limit: p.limit, known: map[partKey]*found{}}
	for _, seg := range r.Segments() {
		dict, err := seg.Segment().Dictionary(field)
		if err != nil {
			return nil, err
		}
		sl := &slice{segment: seg, terms: dict}
		if sl.visible, err = g.inSight(sl, p); err != nil {
			return nil, err
		}
		if d := seg.Deleted(); d != nil && !d.IsEmpty() {
			sl.visible = roaring.AndNot(sl.visible, d)
		}
		if !sl.visible.IsEmpty() {
			s.slices = append(s.slices, sl)
			s.total += sl.visible.GetCardinality()
		}
	}
	return s, nil
}

// scopeKey names the documents of a segment that are of some projects and types.
type scopeKey struct {
	segment uint64
	terms   string
}

// sightBytes bounds what is kept of which documents requests may see, in each half
// of a cache: all that is in a segment takes an eighth of a byte for each document.
const sightBytes = 32 << 20

// inSight is the documents of a slice that are of the projects and types, those
// that were deleted since included. It is shared: nobody changes it.
func (g *generation) inSight(sl *slice, p plan) (*roaring.Bitmap, error) {
	key := scopeKey{sl.segment.Id(), string(joined(p.projects)) + "|" + string(joined(p.types))}
	if docs, ok := g.sight.Get(key); ok {
		return docs, nil
	}
	docs, err := sl.union(p.projects)
	if err != nil {
		return nil, err
	}
	if len(p.types) > 0 {
		types, err := sl.union(p.types)
		if err != nil {
			return nil, err
		}
		docs.And(types)
	}
	g.sight.Put(key, docs, int(docs.GetSizeInBytes()))
	return docs, nil
}

func joined(terms []term) []byte {
	var all []byte
	for _, t := range terms {
		all = append(all, t[:]...)
	}
	return all
}

// union is the documents that have one of the terms.
func (s *slice) union(list []term) (*roaring.Bitmap, error) {
	all := roaring.New()
	var reused segment.PostingsList
	for _, t := range list {
		postings, err := s.terms.PostingsList(t[:], nil, reused)
		if err != nil {
			return nil, err
		}
		if p, ok := postings.(interface{ OrInto(*roaring.Bitmap) }); ok {
			p.OrInto(all)
		}
		reused = postings
	}
	return all, nil
}

// run ranks what fits a name or another thing that is asked for, best first.
// Where nothing fits a name in all its words, the letters of names count, too.
func (s *search) run(ctx context.Context, a asked) ([]hit, error) {
	all := make([]*found, 0, len(a.parts))
	var words []*found
	whole := 0.0
	for i := range a.parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := s.find(&a.parts[i])
		if err != nil {
			return nil, err
		}
		if f.part.word {
			words = append(words, f)
			whole += s.weight(f)
		}
		if f.count > 0 {
			all = append(all, f)
		}
	}
	// Rare parts first: what fits two of them is worth more than what fits two
	// common ones, of which there may be too many.
	slices.SortStableFunc(all, func(a, b *found) int { return cmp.Compare(a.count, b.count) })
	best := s.rank(s.choose(all), func(i int, docs []uint32, chosen *roaring.Bitmap) []float64 {
		return s.scores(i, docs, chosen, all)
	})
	if len(a.grams) == 0 || fits(best, words) {
		return s.hits(best)
	}
	l, err := s.letters(a.grams)
	if err != nil {
		return nil, err
	}
	near := l.near(max(s.limit, leastNear))
	for _, p := range best {
		near[p.slice].Add(p.doc)
	}
	return s.hits(s.rank(near, func(i int, docs []uint32, chosen *roaring.Bitmap) []float64 {
		scores := s.scores(i, docs, chosen, all)
		for j, alike := range l.alike(i, docs, chosen) {
			scores[j] = (1-lettersShare)*scores[j] + lettersShare*whole*alike
		}
		return scores
	}))
}

// fits tells whether any of the documents fits all words by their letters.
func fits(places []place, words []*found) bool {
	return slices.ContainsFunc(places, func(p place) bool {
		return !slices.ContainsFunc(words, func(f *found) bool { return !f.at(byLetters)[p.slice].Contains(p.doc) })
	})
}

func (s *search) find(p *part) (*found, error) {
	if f := s.known[p.key()]; f != nil {
		return f, nil
	}
	f := &found{part: p, tiers: make([][]*roaring.Bitmap, len(p.tiers)), wide: make([]*roaring.Bitmap, len(s.slices))}
	for i, sl := range s.slices {
		f.wide[i] = roaring.New()
		for t, tier := range p.tiers {
			docs, err := sl.union(tier.terms)
			if err != nil {
				return nil, err
			}
			docs.And(sl.visible)
			f.tiers[t] = append(f.tiers[t], docs)
			if tier.gain > 0 {
				f.wide[i].Or(docs)
			}
		}
		f.count += f.wide[i].GetCardinality()
	}
	s.known[p.key()] = f
	return f, nil
}

// choose takes the documents that are scored: those that fit two words or one
// that is rare, then, while there are few, those that fit the rarest words.
func (s *search) choose(all []*found) []*roaring.Bitmap {
	for level := range levels {
		chosen, count := s.pairs(all, level)
		if count > most && level < levels-1 {
			continue
		}
		for _, f := range all {
			if count >= uint64(s.limit) || f.count > most {
				break
			}
			if f.part.word {
				count = join(chosen, f.at(byLetters))
			}
		}
		return chosen
	}
	return nil
}

// levels are how strictly a word may fit: in any way, by its letters, exactly.
const (
	byLetters = 1
	levels    = 3
)

func (f *found) at(level int) []*roaring.Bitmap {
	if t := len(f.tiers) - levels + level; level > 0 && f.part.word && t >= 0 {
		return f.tiers[t]
	}
	return f.wide
}

// pairs is what fits two parts, or one alone that is enough on its own.
func (s *search) pairs(all []*found, level int) (chosen []*roaring.Bitmap, count uint64) {
	chosen, seen := make([]*roaring.Bitmap, len(s.slices)), make([]*roaring.Bitmap, len(s.slices))
	for i := range s.slices {
		chosen[i], seen[i] = roaring.New(), roaring.New()
	}
	for _, f := range all {
		docs := f.at(level)
		switch {
		case f.part.alone:
			count = join(chosen, docs)
		case f.part.word && f.count <= rare:
			count = join(chosen, f.at(max(level, byLetters)))
		}
		if !f.part.word || count >= enough {
			continue
		}
		count = 0
		for i := range chosen {
			chosen[i].Or(roaring.And(seen[i], docs[i]))
			seen[i].Or(docs[i])
			count += chosen[i].GetCardinality()
		}
	}
	return chosen, count
}

func join(to, from []*roaring.Bitmap) (count uint64) {
	for i := range to {
		to[i].Or(from[i])
		count += to[i].GetCardinality()
	}
	return count
}

// place is a document with how well it fits.
type place struct {
	slice int
	doc   uint32
	score float64
}

// rank scores the chosen documents, at most so many, and gives the best.
func (s *search) rank(chosen []*roaring.Bitmap, score func(slice int, docs []uint32, chosen *roaring.Bitmap) []float64) []place {
	var places []place
	left := most
	for i := range s.slices {
		docs := chosen[i].ToArray()
		docs = docs[:min(len(docs), left)]
		left -= len(docs)
		scores := score(i, docs, chosen[i])
		floor := math.Inf(-1)
		if len(docs) > s.limit {
			floor = nthLargest(scores, s.limit)
		}
		for j, d := range docs {
			if scores[j] >= floor {
				places = append(places, place{i, d, scores[j]})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.slice, b.slice), cmp.Compare(a.doc, b.doc))
	})
	return places[:min(len(places), s.limit)]
}

// hits names the documents.
func (s *search) hits(places []place) ([]hit, error) {
	hits := make([]hit, 0, len(places))
	for _, p := range places {
		id, err := s.slices[p.slice].segment.DocID(uint64(p.doc))
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit{entityID(id), p.score})
	}
	return hits, nil
}

// scores adds up what the documents of a slice gain by each tier that they fit.
func (s *search) scores(i int, docs []uint32, chosen *roaring.Bitmap, all []*found) []float64 {
	scores := make([]float64, len(docs))
	for _, f := range all {
		weight := s.weight(f)
		for t, tier := range f.part.tiers {
			gain := weight * tier.gain
			each(docs, roaring.And(chosen, f.tiers[t][i]), func(at int) { scores[at] += gain })
		}
	}
	return scores
}

// weight is how much it says that a document fits: the inverse document
// frequency, for a word that of what it is near to.
func (s *search) weight(f *found) float64 {
	count := uint64(0)
	for _, docs := range f.at(byLetters) {
		count += docs.GetCardinality()
	}
	if count == 0 {
		count = f.count
	}
	return math.Log1p(float64(s.total) / float64(count+1))
}

func nthLargest(scores []float64, n int) float64 {
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	return sorted[len(sorted)-n]
}
