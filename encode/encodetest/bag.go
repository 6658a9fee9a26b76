// Package encodetest has an embedder for tests.
package encodetest

import (
	"cmp"
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"tenure/encode"
)

// Bag is an embedder without a model: texts are the more similar the more words they share. Words of one group of
// Meaning are one word. It is safe for concurrent use.
type Bag struct {
	Model   string // its name; "bag" if it is empty
	Size    int    // the dimension of its vectors; 128 if it is 0
	Meaning [][]string

	mu    sync.Mutex
	down  error
	asked []string
}

var _ encode.Embedder = (*Bag)(nil)

// Name implements [encode.Embedder].
func (b *Bag) Name() string { return cmp.Or(b.Model, "bag") }

// Dimension implements [encode.Embedder]: it is not known in advance, as that of an endpoint.
func (b *Bag) Dimension() int { return 0 }

// Fail has the embedder fail with an error from now on; nil ends that.
func (b *Bag) Fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.down = err
}

// Asked returns the texts that were embedded since the last call.
func (b *Bag) Asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.asked
	b.asked = nil
	return list
}

// Embed implements [encode.Embedder].
func (b *Bag) Embed(_ context.Context, texts []string) ([][]float32, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.down != nil {
		return nil, b.down
	}
	b.asked = append(b.asked, texts...)
	list := make([][]float32, len(texts))
	for i, s := range texts {
		list[i] = make([]float32, cmp.Or(b.Size, 128))
		for _, w := range strings.FieldsFunc(strings.ToLower(s), separates) {
			b.add(list[i], w)
		}
		if err := encode.Unit(list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func separates(r rune) bool { return strings.ContainsRune(" /:.,?!", r) }

// add adds the vector of a word, which is random and always the same.
func (b *Bag) add(to []float32, word string) {
	for _, group := range b.Meaning {
		if slices.Contains(group, word) {
			word = group[0]
		}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(word))                  // a hash takes everything
	random := rand.New(rand.NewPCG(h.Sum64(), 1)) //nolint:gosec // it is to be predictable
	for j := range to {
		to[j] += float32(random.NormFloat64())
	}
}
