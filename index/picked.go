package index

import (
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// picked holds the documents of a segment that are scored.
type picked struct {
	docs   []uint32 // sorted
	set    *roaring.Bitmap
	places []uint32 // 1 + the position in docs, by document; 0 for a document that is not picked

	scores, sounds, alike, sorted []float64 // scratch memory, valid until the next pick
}

var picks = sync.Pool{New: func() any { return &picked{} }}

// pick replaces the documents by those of a set, at most limit.
func (p *picked) pick(set *roaring.Bitmap, limit int) {
	for _, d := range p.docs {
		p.places[d] = 0
	}
	count := int(set.GetCardinality())
	p.docs, p.set = slices.Grow(p.docs[:0], count)[:count], set
	set.ToExistingArray(&p.docs)
	p.docs = p.docs[:min(count, limit)]
	if more := int(set.Maximum()) + 1 - len(p.places); more > 0 {
		p.places = append(p.places, make([]uint32, more)...)
	}
	for at, d := range p.docs {
		p.places[d] = uint32(at) + 1
	}
}

// manyMore is the ratio of documents to picked documents from which intersecting them first is faster.
const manyMore = 4

// each calls f with the positions of the picked documents that are in a set, in ascending order.
func (p *picked) each(some *roaring.Bitmap, f func(at int)) {
	if some.GetCardinality() > uint64(manyMore*len(p.docs)) {
		some = roaring.And(p.set, some)
	}
	some.Iterate(func(doc uint32) bool {
		if int(doc) < len(p.places) && p.places[doc] > 0 {
			f(int(p.places[doc]) - 1)
		}
		return true
	})
}

// nthLargest returns the n-th largest score.
func (p *picked) nthLargest(scores []float64, n int) float64 {
	p.sorted = append(p.sorted[:0], scores...)
	return quickselect(p.sorted, n)
}

// zeros returns n zeros in scratch memory.
func zeros[T any](scratch *[]T, n int) []T {
	*scratch = slices.Grow((*scratch)[:0], n)[:n]
	clear(*scratch)
	return *scratch
}
