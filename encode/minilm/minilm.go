// Package minilm runs all-MiniLM-L6-v2 with weights of eight bits, a sentence encoder of the BERT family, in Go alone.
//
// Products of matrices are computed from whole numbers: the weights as they are, and activations rounded to 15 bits by
// row. The rest is in floating-point numbers, in a fixed order. So a text has the same vector, bit by bit, with the
// kernel in assembly and without, and on all machines.
package minilm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"

	"tenure/encode"
)

// The shape of the model.
const (
	dimension = 384
	heads     = 12
	perHead   = dimension / heads
	inner     = 1536
	layers    = 6
	positions = 512
)

// The names of the files in the folder of the weights.
const (
	modelFile     = "model.onnx"
	tokenizerFile = "tokenizer.json"
)

// Model is an [encode.Embedder]. It is safe for concurrent use.
type Model struct {
	name           string
	tokenizer      *tokenizer
	words, places  embedding
	segment        []float32
	afterEmbedding normal
	layers         [layers]layer
	fast           bool
	rooms          sync.Pool
}

var _ encode.Embedder = (*Model)(nil)

// embedding has a row of eight bits for each token or position.
type embedding struct {
	rows  []byte
	zero  float32
	scale float32
}

func (e embedding) add(row int, to []float32) {
	for j, q := range e.rows[row*dimension : (row+1)*dimension] {
		to[j] += float32((float32(q) - e.zero) * e.scale)
	}
}

// linear is a matrix, by output, with the scale and the bias of each output.
type linear struct {
	weights      []int8
	scales, bias []float32
}

// normal scales rows to mean 0 and variance 1, and then by weights.
type normal struct{ weight, bias []float32 }

type layer struct {
	query, key, value, output, up, down linear
	afterAttention, afterLayer          normal
}

// Open reads the weights in a folder, as scripts/weights puts them there.
func Open(dir string) (*Model, error) {
	file, err := os.ReadFile(filepath.Join(dir, modelFile))
	if err != nil {
		return nil, fmt.Errorf("the weights of the encoder: %w", err)
	}
	words, err := os.ReadFile(filepath.Join(dir, tokenizerFile))
	if err != nil {
		return nil, fmt.Errorf("the weights of the encoder: %w", err)
	}
	return load(file, words)
}

// version is that of the computation: it is part of the name, since another one may give other vectors.
const version = "1"

func load(file, words []byte) (*Model, error) {
	m := &Model{fast: fast, rooms: sync.Pool{New: func() any { return new(room) }}}
	g, err := readGraph(file)
	if err == nil {
		err = m.fill(g)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", modelFile, err)
	}
	if m.tokenizer, err = readTokenizer(words); err != nil {
		return nil, fmt.Errorf("%s: %w", tokenizerFile, err)
	}
	if rows := len(m.words.rows) / dimension; len(m.tokenizer.vocabulary) > rows {
		return nil, fmt.Errorf("%s has more tokens than the model", tokenizerFile)
	}
	sum := sha256.New()
	_, _ = sum.Write(file) // a hash takes everything
	_, _ = sum.Write(words)
	m.name = "all-MiniLM-L6-v2 " + version + " " + hex.EncodeToString(sum.Sum(nil)[:4])
	return m, nil
}

// fill takes the weights from a file.
func (m *Model) fill(g *graph) error {
	var faults []error
	var err error
	try := func(e error) { faults = append(faults, e) }
	tokens := 0
	if t := g.tensors["embeddings.word_embeddings.weight_quantized"]; len(t.dims) == 2 {
		tokens = t.dims[0]
	}
	m.words, err = g.embedding("embeddings.word_embeddings.weight", tokens)
	try(err)
	m.places, err = g.embedding("embeddings.position_embeddings.weight", positions)
	try(err)
	segments, err := g.embedding("embeddings.token_type_embeddings.weight", 2)
	try(err)
	if err == nil {
		m.segment = make([]float32, dimension)
		segments.add(0, m.segment)
	}
	m.afterEmbedding, err = g.normal("embeddings.LayerNorm")
	try(err)
	for i := range m.layers {
		try(m.layers[i].fill(g, fmt.Sprintf("layer.%d", i)))
	}
	return errors.Join(faults...)
}

func (l *layer) fill(g *graph, name string) error {
	var faults []error
	for _, p := range []struct {
		to      *linear
		path    string
		in, out int
	}{
		{&l.query, "attention.self.query", dimension, dimension}, {&l.key, "attention.self.key", dimension, dimension},
		{&l.value, "attention.self.value", dimension, dimension},
		{&l.output, "attention.output.dense", dimension, dimension},
		{&l.up, "intermediate.dense", dimension, inner}, {&l.down, "output.dense", inner, dimension},
	} {
		var err error
		*p.to, err = g.linear("encoder."+name+"."+p.path, p.in, p.out)
		faults = append(faults, err)
	}
	for to, path := range map[*normal]string{&l.afterAttention: "attention.output", &l.afterLayer: "output"} {
		var err error
		*to, err = g.normal("encoder." + name + "." + path + ".LayerNorm")
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func (g *graph) embedding(name string, rows int) (e embedding, err error) {
	if rows == 0 {
		return e, fmt.Errorf("there is no %q", name)
	}
	stored, err := g.eights(name+"_quantized", typeUint8, rows, dimension)
	if err != nil {
		return e, err
	}
	e.rows = bytes.Clone(stored) // so that the file does not stay in memory
	zero, err := g.eights(name+"_zero_point", typeUint8)
	if err != nil {
		return e, err
	}
	scale, err := g.floats(name+"_scale", 1)
	if err != nil {
		return e, err
	}
	e.zero, e.scale = float32(zero[0]), scale[0]
	return e, nil
}

func (g *graph) normal(name string) (n normal, err error) {
	if n.weight, err = g.floats(name+".weight", dimension); err != nil {
		return n, err
	}
	n.bias, err = g.floats(name+".bias", dimension)
	return n, err
}

// largest is the largest weight: with larger ones, products of whole numbers might not fit.
const largest = 64

// linear finds the matrix of a step of the graph, which is stored by input.
func (g *graph) linear(path string, in, out int) (l linear, err error) {
	inputs := g.inputs[nodeOf(path)]
	if len(inputs) < 2 {
		return l, fmt.Errorf("there is no step %q", nodeOf(path))
	}
	name := inputs[1][:max(0, len(inputs[1])-len("_quantized"))]
	stored, err := g.eights(inputs[1], typeInt8, in, out)
	if err != nil {
		return l, err
	}
	if l.scales, err = g.floats(name+"_scale", out); err != nil {
		return l, err
	}
	if l.bias, err = g.floats(path+".bias", out); err != nil {
		return l, err
	}
	zeros, err := g.eights(name+"_zero_point", typeInt8, out)
	if err != nil {
		return l, err
	}
	for _, z := range zeros {
		if z != 0 {
			return l, fmt.Errorf("%q is not symmetric", name)
		}
	}
	l.weights = make([]int8, in*out)
	for i := range in {
		for o := range out {
			w := int8(stored[i*out+o])
			if w > largest || w < -largest {
				return l, fmt.Errorf("%q has more than seven bits", name)
			}
			l.weights[o*in+i] = w
		}
	}
	return l, nil
}

// nodeOf returns the name of the step of the graph that multiplies with a matrix.
func nodeOf(path string) string {
	name := []byte("/" + path + "/MatMul_quant")
	for i, c := range name {
		if next := name[min(i+1, len(name)-1)]; c == '.' && (next < '0' || next > '9') {
			name[i] = '/'
		}
	}
	return string(name)
}

// Name implements [encode.Embedder].
func (m *Model) Name() string { return m.name }

// Dimension implements [encode.Embedder].
func (m *Model) Dimension() int { return dimension }

// frame is how many tokens every text has: where it begins and ends.
const frame = 2

// Embed implements [encode.Embedder]. Of a text, the first 254 tokens count.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	list := make([][]float32, len(texts))
	r := m.rooms.Get().(*room) //nolint:forcetypeassert // the pool holds nothing else
	defer m.rooms.Put(r)
	for i, s := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tokens := m.tokenizer.tokens(s); len(tokens) > frame {
			list[i] = m.vector(tokens, r)
		} else {
			list[i] = make([]float32, dimension)
		}
	}
	return list, nil
}

// room is memory for a pass through the model: rows for each token.
type room struct {
	x, query, key, value, mixed, next, wide []float32
	narrow                                  []int16
	sums                                    []int32
	scales                                  []float32
	weights                                 []float64
}

// fit makes room for n rows, which is a multiple of step.
func (r *room) fit(n int) {
	if n*dimension <= cap(r.x) {
		r.x, r.query, r.key = r.x[:n*dimension], r.query[:n*dimension], r.key[:n*dimension]
		r.value, r.mixed, r.next = r.value[:n*dimension], r.mixed[:n*dimension], r.next[:n*dimension]
		r.wide, r.narrow, r.sums = r.wide[:n*inner], r.narrow[:n*inner], r.sums[:n*inner]
		r.scales, r.weights = r.scales[:n], r.weights[:n]
		return
	}
	for _, list := range []*[]float32{&r.x, &r.query, &r.key, &r.value, &r.mixed, &r.next} {
		*list = make([]float32, n*dimension)
	}
	r.wide, r.narrow, r.sums = make([]float32, n*inner), make([]int16, n*inner), make([]int32, n*inner)
	r.scales, r.weights = make([]float32, n), make([]float64, n)
}

// vector returns the mean of the last rows of tokens, scaled to length one.
func (m *Model) vector(tokens []int32, r *room) []float32 {
	n := len(tokens)
	r.fit((n + step - 1) / step * step)
	clear(r.x)
	for t, id := range tokens {
		row := r.x[t*dimension : (t+1)*dimension]
		copy(row, m.segment)
		m.words.add(int(id), row)
		m.places.add(t, row)
	}
	m.afterEmbedding.apply(r.x)
	for i := range m.layers {
		m.layers[i].apply(r, n, m.fast)
	}
	v := make([]float32, dimension)
	var length float64
	sums := make([]float64, dimension)
	for j := range sums {
		for t := range n {
			sums[j] += float64(r.x[t*dimension+j])
		}
		length += float64(sums[j] * sums[j])
	}
	length = math.Sqrt(length)
	for j := range v {
		v[j] = float32(sums[j] / length)
	}
	return v
}

// apply passes the rows of n tokens through a layer.
func (l *layer) apply(r *room, n int, fast bool) {
	r.round(r.x, dimension)
	for to, by := range map[*[]float32]*linear{&r.query: &l.query, &r.key: &l.key, &r.value: &l.value} {
		by.apply(r, dimension, *to, fast)
	}
	clear(r.mixed)
	for h := range heads {
		attend(r, n, h*perHead)
	}
	r.round(r.mixed, dimension)
	l.output.apply(r, dimension, r.next, fast)
	add(r.next, r.x)
	l.afterAttention.apply(r.next)
	r.round(r.next, dimension)
	l.up.apply(r, dimension, r.wide, fast)
	for j, x := range r.wide {
		r.wide[j] = gelu(x)
	}
	r.round(r.wide, inner)
	l.down.apply(r, inner, r.x, fast)
	add(r.x, r.next)
	l.afterLayer.apply(r.x)
}

func add(to, from []float32) {
	for j, x := range from {
		to[j] += x
	}
}

// finest is the largest activation as a whole number: 1536 products with weights of up to 64 fit into 32 bits.
const finest = 16383

// round makes whole numbers of rows of n numbers, each with a scale of its own.
func (r *room) round(rows []float32, n int) {
	for t := range len(rows) / n {
		row, to := rows[t*n:(t+1)*n], r.narrow[t*n:(t+1)*n]
		var largest float32
		for _, x := range row {
			largest = max(largest, x, -x)
		}
		if r.scales[t] = float32(largest / finest); largest == 0 {
			clear(to)
			continue
		}
		by := float32(finest / largest)
		for j, x := range row {
			y := float32(x * by)
			if y < 0 {
				to[j] = int16(y - .5)
			} else {
				to[j] = int16(y + .5)
			}
		}
	}
}

// apply multiplies rounded rows of so many numbers with a matrix.
func (l *linear) apply(r *room, in int, to []float32, fast bool) {
	out, rows := len(l.bias), len(r.scales)
	sums := r.sums[:rows*out]
	multiply(l.weights, r.narrow[:rows*in], in, sums, fast)
	for t, scale := range r.scales {
		row, from := to[t*out:(t+1)*out], sums[t*out:(t+1)*out]
		for o, sum := range from {
			row[o] = float32(float32(sum)*float32(scale*l.scales[o])) + l.bias[o]
		}
	}
}

// attend mixes the values of n tokens in one head, each token's by how well its query fits their keys.
func attend(r *room, n, from int) {
	of := func(rows []float32, t int) []float32 { return rows[t*dimension+from:][:perHead:perHead] }
	weights := r.weights[:n]
	root := float32(math.Sqrt(perHead))
	for t := range n {
		q := of(r.query, t)
		best := math.Inf(-1)
		for u := range n {
			fit := float64(dot(q, of(r.key, u)) / root)
			weights[u], best = fit, max(best, fit)
		}
		var sum float64
		for u, fit := range weights {
			weights[u] = exp(fit - best)
			sum += weights[u]
		}
		mixed := of(r.mixed, t)
		for u, w := range weights {
			share := float32(w / sum)
			for j, x := range of(r.value, u) {
				mixed[j] += float32(share * x)
			}
		}
	}
}

// dot returns the product of two rows of a head, in four sums.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for j := 0; j+4 <= len(a) && j+4 <= len(b); j += 4 {
		s0 += float32(a[j] * b[j])
		s1 += float32(a[j+1] * b[j+1])
		s2 += float32(a[j+2] * b[j+2])
		s3 += float32(a[j+3] * b[j+3])
	}
	return (s0 + s1) + (s2 + s3)
}

// tiny keeps the variance of a row from being 0.
const tiny = 1e-12

func (n normal) apply(rows []float32) {
	for ; len(rows) > 0; rows = rows[dimension:] {
		row := rows[:dimension]
		var mean, variance float64
		for _, x := range row {
			mean += float64(x)
		}
		mean /= dimension
		for _, x := range row {
			d := float64(x) - mean
			variance += float64(d * d)
		}
		by := 1 / math.Sqrt(variance/dimension+tiny)
		for j, x := range row {
			row[j] = float32(float32((float64(x)-mean)*by)*n.weight[j]) + n.bias[j]
		}
	}
}
