// Package encode turns texts into vectors, of which the angle between two says how similar the texts are, and ranks
// texts again by how well they answer a query.
package encode

import (
	"context"
	"errors"
	"math"
	"math/bits"
)

// Embedder makes vectors of texts. The vector of a text depends on the text and the model alone.
type Embedder interface {
	// Name identifies the model: vectors of different names are not compared.
	Name() string
	// Dimension is how many components a vector has, 0 while that is not known.
	Dimension() int
	// Embed returns a vector of length one for each text, in their order. A text of which there is none, such as one
	// without a letter, has the zero vector.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Reranker scores texts by how well they answer a query.
type Reranker interface {
	// Name identifies the model.
	Name() string
	// Rerank returns a score for each text, in their order: the higher, the better.
	Rerank(ctx context.Context, query string, texts []string) ([]float64, error)
}

// Unit scales a vector to length one, in place. It returns an error for one that is not finite; the zero vector stays.
func Unit(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errors.New("a component of a vector is not finite")
	}
	if sum == 0 {
		return nil
	}
	by := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * by)
	}
	return nil
}

// most is the largest component of a code.
const most = 127

// Code is a vector with components of eight bits, scaled so that the largest is 127. The scale is not kept, since the
// angle between two vectors does not depend on it.
type Code []int8

// Encode returns the code of a vector. Halves are rounded away from zero.
func Encode(v []float32) Code {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	c := make(Code, len(v))
	if largest == 0 {
		return c
	}
	for i, x := range v {
		c[i] = int8(math.Round(float64(x) * most / largest))
	}
	return c
}

// Norm returns the square of the length.
func (c Code) Norm() int { return c.dot(c) }

func (c Code) dot(o Code) int {
	var sum int32
	o = o[:len(c)]
	for i, x := range c {
		sum += int32(x) * int32(o[i])
	}
	return int(sum)
}

// Cosine returns the cosine of the angle between two codes of one dimension, 0 if one has no direction. It is computed
// from whole numbers, so that it is the same on every machine.
func Cosine(a, b Code) float64 {
	if n := a.Norm() * b.Norm(); n > 0 {
		return float64(a.dot(b)) / math.Sqrt(float64(n))
	}
	return 0
}

// Bytes returns the code as bytes.
func (c Code) Bytes() []byte {
	b := make([]byte, len(c))
	for i, x := range c {
		b[i] = byte(x)
	}
	return b
}

// CodeOf returns the code that bytes stand for.
func CodeOf(b []byte) Code {
	c := make(Code, len(b))
	for i, x := range b {
		c[i] = int8(x)
	}
	return c
}

// Signs are the signs of the components of a code, one bit each.
type Signs []uint64

// Words returns how many words the signs of a dimension take.
func Words(dimension int) int { return (dimension + 63) / 64 }

// Signs returns the signs of a code.
func (c Code) Signs() Signs {
	s := make(Signs, Words(len(c)))
	for i, x := range c {
		if x > 0 {
			s[i/64] |= 1 << (i % 64)
		}
	}
	return s
}

// Distance returns how many signs differ.
func (s Signs) Distance(o Signs) (n int) {
	for len(s) >= 6 && len(o) >= 6 { // six at a time: a search counts those of every belief
		a, b := (*[6]uint64)(s), (*[6]uint64)(o)
		n += bits.OnesCount64(a[0]^b[0]) + bits.OnesCount64(a[1]^b[1]) + bits.OnesCount64(a[2]^b[2]) +
			bits.OnesCount64(a[3]^b[3]) + bits.OnesCount64(a[4]^b[4]) + bits.OnesCount64(a[5]^b[5])
		s, o = s[6:], o[6:]
	}
	for i, x := range s {
		n += bits.OnesCount64(x ^ o[i])
	}
	return n
}
