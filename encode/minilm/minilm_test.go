package minilm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// weights returns the folder with the weights, which are fetched the first time.
var weights = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("../../scripts/weights").Output()
	return strings.TrimSpace(string(out)), err
})

func model(t testing.TB) *Model {
	t.Helper()
	m, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var opened = sync.OnceValues(func() (*Model, error) {
	dir, err := weights()
	if err != nil {
		return nil, err
	}
	return Open(dir)
})

// reference is a text with its tokens by the library that the model was trained with, and the first components of its
// vector in double precision. Those that are not compared are null.
type reference struct {
	Text   string
	Tokens []int32
	Vector []float64
}

func references(t testing.TB) (list []reference) {
	t.Helper()
	raw, err := os.ReadFile("testdata/reference.json")
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTokensAreThoseOfTheReference(t *testing.T) {
	m := model(t)
	for _, r := range references(t) {
		if got := m.tokenizer.tokens(r.Text); r.Tokens != nil && !slices.Equal(got, r.Tokens) {
			t.Errorf("%q: %v, want %v", r.Text, got, r.Tokens)
		}
	}
}

// TestTheNamesOfSpecialTokensAreWords: a text cannot end itself.
func TestTheNamesOfSpecialTokensAreWords(t *testing.T) {
	tokenizer := model(t).tokenizer
	got := tokenizer.tokens("[CLS] a [SEP] b [UNK]")
	inside := got[1 : len(got)-1]
	if slices.Contains(inside, tokenizer.begin) || slices.Contains(inside, tokenizer.end) {
		t.Errorf("special tokens in the middle: %v", got)
	}
}

func TestVectorsAreThoseOfTheReference(t *testing.T) {
	m := model(t)
	for _, r := range references(t) {
		list, err := m.Embed(t.Context(), []string{r.Text})
		if err != nil {
			t.Fatal(err)
		}
		v := list[0]
		if strings.TrimSpace(r.Text) == "" {
			if slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
				t.Errorf("%q has a vector: %v", r.Text, v[:4])
			}
			continue
		}
		var length float64
		for _, x := range v {
			length += float64(x) * float64(x)
		}
		if math.Abs(length-1) > 1e-6 || len(v) != m.Dimension() {
			t.Errorf("%q: length %f of %d components", r.Text, length, len(v))
		}
		for j, want := range r.Vector {
			if got := float64(v[j]); math.Abs(got-want) > 2e-4 {
				t.Errorf("%q: component %d is %f, want %f", r.Text, j, got, want)
			}
		}
	}
}

// TestBothKernelsMakeTheSameVectors bit by bit.
func TestBothKernelsMakeTheSameVectors(t *testing.T) {
	m := model(t)
	slow := &Model{
		name: m.name, tokenizer: m.tokenizer, words: m.words, places: m.places, segment: m.segment,
		afterEmbedding: m.afterEmbedding, layers: m.layers,
	}
	slow.rooms.New = m.rooms.New
	for _, s := range []string{"one", "Which database holds the orders?", strings.Repeat("rain in spain ", 20)} {
		a, err := m.Embed(t.Context(), []string{s})
		if err != nil {
			t.Fatal(err)
		}
		b, err := slow.Embed(t.Context(), []string{s})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a[0], b[0]) {
			t.Errorf("%q has two vectors", s)
		}
	}
}

func TestProductsOfBothKernels(t *testing.T) {
	if !fast {
		t.Log("this machine has one kernel")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{16, 384, 1536} {
		w, x := make([]int8, 4*n), make([]int16, 8*n)
		for i := range w {
			w[i] = int8(random.IntN(2*largest+1) - largest)
		}
		for i := range x {
			x[i] = int16(random.IntN(2*finest+1) - finest)
		}
		for i := range n { // the largest sums there are
			w[i], x[i], x[n+i] = -largest, finest, -finest
		}
		a, b := make([]int32, 4*8), make([]int32, 4*8)
		multiply(w, x, n, a, fast)
		multiply(w, x, n, b, false)
		if !slices.Equal(a, b) || a[0] != int32(-largest*finest*n) {
			t.Errorf("n %d: %v and %v", n, a, b)
		}
	}
}

// TestAVectorDependsOnItsTextAlone: neither on other texts of the call nor on those before.
func TestAVectorDependsOnItsTextAlone(t *testing.T) {
	m := model(t)
	texts := []string{"a short one", strings.Repeat("a much longer text ", 30), "a short one", "another"}
	all, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range texts {
		alone, err := m.Embed(t.Context(), []string{s})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(all[i], alone[0]) {
			t.Errorf("%q has two vectors", s)
		}
	}
}

func TestSimilarTextsAreNear(t *testing.T) {
	list, err := model(t).Embed(t.Context(), []string{
		"Where does she live?", "Ann / home: Lisbon, Portugal", "build server / disk size: 40 GB",
	})
	if err != nil {
		t.Fatal(err)
	}
	cosine := func(a, b []float32) (sum float64) {
		for j := range a {
			sum += float64(a[j]) * float64(b[j])
		}
		return sum
	}
	if near, far := cosine(list[0], list[1]), cosine(list[0], list[2]); near < far+.1 {
		t.Errorf("the home is %.3f from the question, the disk %.3f", near, far)
	}
}

func TestAnEndedContextEndsEmbedding(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := model(t).Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestBrokenWeightsAreRefused: cut short, of another shape, or not there.
func TestBrokenWeightsAreRefused(t *testing.T) {
	dir, err := weights()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(dir, modelFile))
	if err != nil {
		t.Fatal(err)
	}
	words, err := os.ReadFile(filepath.Join(dir, tokenizerFile))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file, words []byte
		want        string
	}{
		"empty":               {nil, words, "there is no"},
		"cut":                 {file[:len(file)/2], words, "not a whole ONNX file"},
		"another-matrix":      {bytes.ReplaceAll(file, []byte("query/MatMul_quant"), []byte("query/MatMul_quanz")), words, "there is no step"},
		"no-json":             {file, words[:100], tokenizerFile},
		"another-tokenizer":   {file, bytes.ReplaceAll(words, []byte(`"WordPiece"`), []byte(`"Unigram"`)), "uncased BERT"},
		"no-frame":            {file, bytes.Replace(words, []byte(`"[CLS]": 101`), []byte(`"[clz]": 101`), 1), "[CLS]"},
		"more-words-than-fit": {file, bytes.Replace(words, []byte(`"[CLS]": 101`), []byte(`"[CLS]": 101, "extra word": 30522`), 1), "more tokens"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := load(c.file, c.words); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// FuzzGraph: what is no ONNX file is refused, without a panic.
func FuzzGraph(f *testing.F) {
	tensor := protowire.AppendTag(nil, tensorName, protowire.BytesType)
	tensor = protowire.AppendString(tensor, "embeddings.word_embeddings.weight_quantized")
	for _, n := range []uint64{3, dimension} {
		tensor = protowire.AppendVarint(protowire.AppendTag(tensor, tensorDims, protowire.VarintType), n)
	}
	tensor = protowire.AppendVarint(protowire.AppendTag(tensor, tensorType, protowire.VarintType), typeUint8)
	tensor = protowire.AppendBytes(protowire.AppendTag(tensor, tensorRaw, protowire.BytesType), make([]byte, 3*dimension))
	tensor = protowire.AppendBytes(protowire.AppendTag(tensor, tensorInts, protowire.BytesType), []byte{1, 2})
	tensor = protowire.AppendFixed32(protowire.AppendTag(tensor, tensorFloats, protowire.Fixed32Type), 1)
	node := protowire.AppendString(protowire.AppendTag(nil, nodeName, protowire.BytesType), nodeOf("encoder.layer.0.output.dense"))
	node = protowire.AppendString(protowire.AppendTag(node, nodeInput, protowire.BytesType), "x")
	node = protowire.AppendString(protowire.AppendTag(node, nodeInput, protowire.BytesType), "y")
	g := protowire.AppendBytes(protowire.AppendTag(nil, graphInitializer, protowire.BytesType), tensor)
	g = protowire.AppendBytes(protowire.AppendTag(g, graphNode, protowire.BytesType), node)
	f.Add(protowire.AppendBytes(protowire.AppendTag(nil, modelGraph, protowire.BytesType), g))
	f.Add([]byte("\x0a\x05"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if _, err := load(file, nil); err == nil {
			t.Error("it was taken")
		}
	})
}

// FuzzTokens: every text has tokens of the vocabulary, framed, and not more than count; its spaces do not matter.
func FuzzTokens(f *testing.F) {
	m := model(f)
	for _, r := range references(f) {
		f.Add(r.Text)
	}
	f.Add("\xff\xfe broken \xc3")
	f.Fuzz(func(t *testing.T, s string) {
		got := m.tokenizer.tokens(s)
		if len(got) < frame || len(got) > maxTokens || got[0] != m.tokenizer.begin || got[len(got)-1] != m.tokenizer.end {
			t.Fatalf("the tokens are %v", got)
		}
		for _, id := range got {
			if id < 0 || int(id) >= len(m.tokenizer.vocabulary) {
				t.Fatalf("there is no token %d", id)
			}
		}
		if again := m.tokenizer.tokens(" " + s); len(s) < maxTextBytes && !slices.Equal(got, again) {
			t.Fatalf("with a space before: %v and %v", got, again)
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	m := model(b)
	for name, s := range map[string]string{
		"claim": "Heron / order_database: PostgreSQL 17, hosted in Frankfurt", "query": "Where are the orders kept?",
		"passage": strings.Repeat("The rain in Spain stays mainly in the plain. ", 30),
	} {
		for kernel, use := range map[string]bool{"fast": fast, "go": false} {
			b.Run(name+"/"+kernel, func(b *testing.B) {
				m.fast = use
				defer func() { m.fast = fast }()
				for b.Loop() {
					if _, err := m.Embed(b.Context(), []string{s}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
