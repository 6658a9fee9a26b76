package index

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// Parameters of the n-gram search, which runs if no document fits all words.
const (
	// ngramShare is the weight of the n-gram score relative to the word score.
	ngramShare = .65
	// leastAlike is the least share of the n-grams' weight that two names must have in common.
	leastAlike = .1
	// leastNear is the least number of documents sharing n-grams that are scored.
	leastNear = 200
	// mostGrams bounds the postings that are read to find near documents: rare n-grams are read first, and
	// discriminate best.
	mostGrams = 60_000
)

// sizes are the keys of the size classes: the number of n-grams in the longest name of a document, in steps
// of half an octave. The class normalizes scores, since long names share n-grams with any other name.
var sizes = func() (keys [16]string) {
	for i := range keys {
		keys[i] = fmt.Sprint(i)
	}
	return keys
}()

func sizeOf(grams int) int {
	return min(int(math.Round(2*math.Log2(float64(grams)))), len(sizes)-1)
}

// ngrams holds the matches of a name's n-grams.
type ngrams struct {
	search *search
	grams  []gram // rare n-grams first
	whole  float64
	sizes  [len(sizes)][]*roaring.Bitmap // by size class, then by segment
}

type gram struct {
	docs   []*roaring.Bitmap // by segment
	count  uint64
	weight float64
}

func (s *search) ngrams(terms []term) (*ngrams, error) {
	l := &ngrams{search: s}
	for _, t := range terms {
		f, err := s.shared.get(partKey{gram: true, strict: t}, true, func() (*found, error) { return s.having(t) })
		if err != nil {
			return nil, err
		}
		idf := math.Log(float64(s.total+1) / float64(f.count+1))
		l.grams = append(l.grams, gram{f.wide, f.count, idf * idf})
		l.whole += idf * idf
	}
	slices.SortStableFunc(l.grams, func(a, b gram) int { return cmp.Compare(a.count, b.count) })
	for i, key := range sizes {
		for _, v := range s.segments {
			docs, err := v.shared(termOf(sizeClass, key))
			if err != nil {
				return nil, err
			}
			l.sizes[i] = append(l.sizes[i], docs)
		}
	}
	return l, nil
}

// having returns the visible documents that have a term.
func (s *search) having(t term) (*found, error) {
	f := &found{wide: make([]*roaring.Bitmap, len(s.segments))}
	for i, v := range s.segments {
		docs, err := v.union([]term{t})
		if err != nil {
			return nil, err
		}
		docs.And(v.visible)
		f.wide[i] = kept(docs)
		f.count += docs.GetCardinality()
	}
	return f, nil
}

// near returns the documents, about as many as wanted, that share most of the rare n-grams: all that are tied for the
// last place are included, unless they are too many.
func (l *ngrams) near(wanted int) []*roaring.Bitmap {
	var found []place
	tally := tallies.Get().(*tally)
	defer tallies.Put(tally)
	for i, v := range l.search.segments {
		tally.clear(int(v.visible.Maximum()) + 1)
		left := uint64(mostGrams)
		for _, g := range l.grams {
			if g.count > left || g.weight == 0 {
				break
			}
			left -= g.count
			weight := float32(g.weight)
			tally.addAll(g.docs[i], weight)
		}
		for _, d := range tally.best(wanted, float32(leastAlike*l.whole)) {
			found = append(found, place{i, d, float64(tally.sums[d])})
		}
	}
	near := make([]*roaring.Bitmap, len(l.search.segments))
	for i := range near {
		near[i] = roaring.New()
	}
	for _, p := range nearest(found, wanted) {
		near[p.segment].Add(p.doc)
	}
	return near
}

// nearest returns the best of places, about as many as wanted.
func nearest(found []place, wanted int) []place {
	if len(found) <= wanted {
		return found
	}
	sums := make([]float64, len(found))
	for i, p := range found {
		sums[i] = p.score
	}
	last := quickselect(sums, wanted)
	found = slices.DeleteFunc(found, func(p place) bool { return p.score < last })
	if len(found) > enough {
		found = slices.DeleteFunc(found, func(p place) bool { return p.score == last })
	}
	return found
}

// tally sums the weights of documents, by their numbers in a segment.
type tally struct {
	sums []float32
	some []uint32 // documents with a weight

	page, kept []uint32 // scratch memory
	ranked     []float64
}

var tallies = sync.Pool{New: func() any { return &tally{} }}

func (t *tally) clear(docs int) {
	for _, d := range t.some {
		t.sums[d] = 0
	}
	t.some = t.some[:0]
	if more := docs - len(t.sums); more > 0 {
		t.sums = append(t.sums, make([]float32, more)...)
	}
}

// tallyPage is how many documents are read at a time.
const tallyPage = 1024

// addAll adds a weight to documents.
func (t *tally) addAll(docs *roaring.Bitmap, weight float32) {
	if docs.IsEmpty() {
		return
	}
	t.page = slices.Grow(t.page[:0], tallyPage)[:tallyPage]
	rest := docs.ManyIterator()
	for n := rest.NextMany(t.page); n > 0; n = rest.NextMany(t.page) {
		for _, doc := range t.page[:n] {
			if t.sums[doc] == 0 {
				t.some = append(t.some, doc)
			}
			t.sums[doc] += weight
		}
	}
}

// best returns the documents with the highest sums, none below floor, and all that are tied for the last place. They
// are valid until the next call.
func (t *tally) best(wanted int, floor float32) []uint32 {
	t.kept, t.ranked = t.kept[:0], t.ranked[:0]
	for _, d := range t.some {
		if sum := t.sums[d]; sum >= floor {
			t.kept, t.ranked = append(t.kept, d), append(t.ranked, float64(sum))
		}
	}
	if len(t.kept) <= wanted {
		return t.kept
	}
	last := float32(quickselect(t.ranked, wanted))
	t.kept = slices.DeleteFunc(t.kept, func(d uint32) bool { return t.sums[d] < last })
	return t.kept
}

// alike returns the n-gram similarity of the picked documents of a segment to the name, 0 to 1.
func (l *ngrams) alike(i int, p *picked) []float64 {
	alike := zeros(&p.alike, len(p.docs))
	if l.whole == 0 {
		return alike
	}
	for _, g := range l.grams {
		share := g.weight / l.whole
		p.each(g.docs[i], func(at int) { alike[at] += share })
	}
	for size, by := range l.sizes {
		long := math.Sqrt(float64(len(l.grams)) / math.Exp2(float64(size)/2))
		p.each(by[i], func(at int) { alike[at] = min(alike[at]*long, 1) })
	}
	return alike
}
