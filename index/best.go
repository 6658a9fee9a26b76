package index

import (
	"bytes"
	"cmp"
	"container/heap"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"tenure"
)

// ages caches when the beliefs of segments on disk were recorded, as far as they were asked for: 8 bytes a document.
type ages struct {
	mu    sync.Mutex
	known map[uint64][]atomic.Int64 // by segment, then by document; 0 for one that was not asked for
}

// mostAged bounds the segments of which ages are kept: of more, all are forgotten.
const mostAged = 200

func (a *ages) of(segment uint64, docs int) []atomic.Int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	list, ok := a.known[segment]
	if !ok || len(list) < docs {
		if a.known == nil || len(a.known) >= mostAged {
			a.known = map[uint64][]atomic.Int64{}
		}
		list = make([]atomic.Int64, docs)
		a.known[segment] = list
	}
	return list
}

// scored is a document with its score, when its belief was recorded, and its key.
type scored struct {
	score    int
	recorded tenure.Instant
	key      []byte
}

func (s scored) compare(o scored) int {
	return cmp.Or(
		cmp.Compare(o.score, s.score), cmp.Compare(o.recorded, s.recorded), bytes.Compare(o.key, s.key),
	)
}

// bestOf collects the best documents of several sources.
type bestOf struct {
	ages  *ages
	limit int
	until tenure.Instant
	upTo  tenure.Seq // of the state that is asked for

	list []scored // a heap, the worst first
	more bool     // than the limit match
}

// full reports whether as many documents are collected as are asked for: a worse one is not among the best.
func (b *bestOf) full() bool { return len(b.list) >= b.limit }

// scratch holds memory for the scores of the documents of a source.
var scratch = sync.Pool{New: func() any { return new([]int32) }}

// add collects the documents of a source that have some of the words.
func (b *bestOf) add(v *segmentView, words []wordOf) error {
	some := roaring.New()
	room := scratch.Get().(*[]int32)
	defer scratch.Put(room)
	scores := zeros(room, int(v.visible.Maximum())+1)
	gain := func(docs *roaring.Bitmap, by int) {
		some.Or(docs)
		docs.Iterate(func(doc uint32) bool {
			scores[doc] += int32(by)
			return true
		})
	}
	for _, w := range words {
		having, err := v.shared(w.word)
		if err != nil {
			return err
		}
		having = roaring.And(having, v.visible)
		meaning, err := v.union(w.meant)
		if err != nil {
			return err
		}
		meaning.And(v.visible)
		meaning.AndNot(having)
		gain(having, 2*w.weight)
		gain(meaning, w.weight)
	}
	recorded := v.recorded(b.ages)
	for docs := some.ReverseIterator(); docs.HasNext(); { // the later ones are mostly newer
		doc := docs.Next()
		score := int(scores[doc])
		if b.full() && score < b.list[0].score {
			b.more = true
			continue
		}
		at, err := recorded(doc)
		switch {
		case err != nil:
			return err
		case at > b.until:
			continue
		case b.full() && score == b.list[0].score && at < b.list[0].recorded:
			b.more = true
			continue
		}
		key, err := v.age(doc)
		if err != nil {
			return err
		}
		if !replacedBy(key, b.upTo) {
			b.push(scored{score, at, bytes.Clone(key)})
		}
	}
	return nil
}

// push collects a document; of more than the limit, it drops the worst.
func (b *bestOf) push(s scored) {
	if !b.full() {
		heap.Push(b, s)
		return
	}
	b.more = true
	if s.compare(b.list[0]) < 0 {
		b.list[0] = s
		heap.Fix(b, 0)
	}
}

// sorted lists what was collected, best first.
func (b *bestOf) sorted() []scored {
	slices.SortFunc(b.list, scored.compare)
	return b.list
}

// Len, Less, Swap, Push and Pop implement [heap.Interface].
func (b *bestOf) Len() int           { return len(b.list) }
func (b *bestOf) Less(i, j int) bool { return b.list[i].compare(b.list[j]) > 0 }
func (b *bestOf) Swap(i, j int)      { b.list[i], b.list[j] = b.list[j], b.list[i] }
func (b *bestOf) Push(x any)         { b.list = append(b.list, x.(scored)) }
func (b *bestOf) Pop() any {
	last := b.list[len(b.list)-1]
	b.list = b.list[:len(b.list)-1]
	return last
}

// recorded returns a function that says when the belief of a document was recorded.
func (v *segmentView) recorded(known *ages) func(doc uint32) (tenure.Instant, error) {
	read := func(doc uint32) (tenure.Instant, error) {
		key, err := v.age(doc)
		if err != nil {
			return 0, err
		}
		at, _, _ := beliefOf(key)
		return at, nil
	}
	on, disk := v.source.(diskSegment)
	if !disk {
		return read
	}
	list := known.of(on.snapshot.Id(), int(v.visible.Maximum())+1)
	return func(doc uint32) (tenure.Instant, error) {
		if at := list[doc].Load(); at != 0 {
			return tenure.Instant(at), nil
		}
		at, err := read(doc)
		if err == nil {
			list[doc].Store(int64(at))
		}
		return at, err
	}
}
