package minilm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of the fields of an ONNX file that are read (onnx.proto3), and the types of its tensors.
const (
	modelGraph = 7

	graphNode        = 1
	graphInitializer = 5

	nodeInput = 1
	nodeName  = 3

	tensorDims   = 1
	tensorType   = 2
	tensorFloats = 4
	tensorInts   = 5
	tensorName   = 8
	tensorRaw    = 9

	typeFloat = 1
	typeUint8 = 2
	typeInt8  = 3
)

// tensor is a constant of a graph.
type tensor struct {
	dims   []int
	kind   uint64
	floats []float32
	bytes  []byte // of a tensor of eight bits
}

// graph is what is read of an ONNX file: its constants, and the inputs of its nodes, by name.
type graph struct {
	tensors map[string]tensor
	inputs  map[string][]string
}

var errFile = errors.New("it is not a whole ONNX file")

// maxElements bounds the elements of a tensor.
const maxElements = 1 << 28

// fields calls do with each field of a message: its number and, by its type, a number or bytes.
func fields(b []byte, do func(num protowire.Number, n uint64, raw []byte) error) error {
	for len(b) > 0 {
		num, kind, size := protowire.ConsumeTag(b)
		if size < 0 {
			return errFile
		}
		b = b[size:]
		var n uint64
		var raw []byte
		switch kind {
		case protowire.VarintType:
			n, size = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			raw, size = protowire.ConsumeBytes(b)
		case protowire.Fixed32Type:
			raw, size = b[:min(4, len(b))], 4
		default:
			size = protowire.ConsumeFieldValue(num, kind, b)
		}
		if size < 0 || size > len(b) {
			return errFile
		}
		if err := do(num, n, raw); err != nil {
			return err
		}
		b = b[size:]
	}
	return nil
}

// readGraph reads an ONNX file. Its tensors share the bytes.
func readGraph(file []byte) (*graph, error) {
	g := &graph{tensors: map[string]tensor{}, inputs: map[string][]string{}}
	err := fields(file, func(num protowire.Number, _ uint64, raw []byte) error {
		if num != modelGraph {
			return nil
		}
		return fields(raw, func(num protowire.Number, _ uint64, raw []byte) error {
			switch num {
			case graphNode:
				return g.addNode(raw)
			case graphInitializer:
				return g.addTensor(raw)
			}
			return nil
		})
	})
	return g, err
}

func (g *graph) addNode(b []byte) error {
	name, inputs := "", []string(nil)
	err := fields(b, func(num protowire.Number, _ uint64, raw []byte) error {
		switch num {
		case nodeName:
			name = string(raw)
		case nodeInput:
			inputs = append(inputs, string(raw))
		}
		return nil
	})
	g.inputs[name] = inputs
	return err
}

func (g *graph) addTensor(b []byte) error {
	var t tensor
	var name string
	var ints []byte
	var raw []byte
	err := fields(b, func(num protowire.Number, n uint64, b []byte) error {
		switch num {
		case tensorDims:
			return t.addDims(n, b)
		case tensorType:
			t.kind = n
		case tensorFloats:
			t.floats = append(t.floats, floatsOf(b)...)
		case tensorInts:
			some, err := bytesOf(n, b)
			ints = append(ints, some...)
			return err
		case tensorName:
			name = string(b)
		case tensorRaw:
			raw = b
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch {
	case t.kind == typeFloat && len(t.floats) == 0:
		t.floats = floatsOf(raw)
	case t.kind == typeUint8 || t.kind == typeInt8:
		if t.bytes = raw; len(raw) == 0 {
			t.bytes = ints
		}
	}
	g.tensors[name] = t
	return nil
}

// addDims adds dimensions, which come one by one or packed.
func (t *tensor) addDims(n uint64, packed []byte) error {
	add := func(n uint64) error {
		if n > maxElements || len(t.dims) == 8 {
			return errFile
		}
		t.dims = append(t.dims, int(n))
		return nil
	}
	if packed == nil {
		return add(n)
	}
	for len(packed) > 0 {
		n, size := protowire.ConsumeVarint(packed)
		if size < 0 {
			return errFile
		}
		if err := add(n); err != nil {
			return err
		}
		packed = packed[size:]
	}
	return nil
}

func floatsOf(b []byte) []float32 {
	list := make([]float32, len(b)/4)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return list
}

// bytesOf reads numbers of eight bits, which come one by one or packed.
func bytesOf(n uint64, packed []byte) ([]byte, error) {
	if packed == nil {
		return []byte{byte(n)}, nil
	}
	var list []byte
	for len(packed) > 0 {
		n, size := protowire.ConsumeVarint(packed)
		if size < 0 {
			return nil, errFile
		}
		list = append(list, byte(n))
		packed = packed[size:]
	}
	return list, nil
}

// floats returns a constant of floating-point numbers of a size.
func (g *graph) floats(name string, size int) ([]float32, error) {
	t, ok := g.tensors[name]
	if !ok || t.kind != typeFloat || len(t.floats) != size {
		return nil, fmt.Errorf("there is no %q of %d floating-point numbers", name, size)
	}
	for _, x := range t.floats {
		if x-x != 0 {
			return nil, fmt.Errorf("%q is not finite", name)
		}
	}
	return t.floats, nil
}

// eights returns a constant of numbers of eight bits with its shape.
func (g *graph) eights(name string, kind uint64, shape ...int) ([]byte, error) {
	t, ok := g.tensors[name]
	size := 1
	for _, n := range shape {
		size *= n
	}
	if !ok || t.kind != kind || len(t.bytes) != size || fmt.Sprint(t.dims) != fmt.Sprint(shape) && len(shape) > 0 {
		return nil, fmt.Errorf("there is no %q of eight bits and shape %v", name, shape)
	}
	return t.bytes, nil
}
