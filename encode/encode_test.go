package encode_test

import (
	"math"
	"slices"
	"testing"

	"tenure/encode"
)

func TestUnit(t *testing.T) {
	v := []float32{3, 0, -4}
	if err := encode.Unit(v); err != nil || !slices.Equal(v, []float32{.6, 0, -.8}) {
		t.Errorf("it is %v, %v", v, err)
	}
	if zero := make([]float32, 3); encode.Unit(zero) != nil || !slices.Equal(zero, make([]float32, 3)) {
		t.Errorf("the zero vector became %v", zero)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if encode.Unit([]float32{1, float32(x)}) == nil {
			t.Errorf("%v was taken", x)
		}
	}
}

func TestCode(t *testing.T) {
	c := encode.Encode([]float32{63.5, -127, .25, -.5, .75, 0})
	if want := (encode.Code{64, -127, 0, -1, 1, 0}); !slices.Equal(c, want) {
		t.Errorf("it is %v, want %v", c, want)
	}
	if again := encode.CodeOf(c.Bytes()); !slices.Equal(again, c) {
		t.Errorf("as bytes and back it is %v", again)
	}
	if !slices.Equal(encode.Encode([]float32{0, 0}), encode.Code{0, 0}) {
		t.Error("the zero vector has a direction")
	}
}

func TestCosine(t *testing.T) {
	for _, c := range []struct {
		a, b encode.Code
		want float64
	}{
		{encode.Code{127, 0}, encode.Code{127, 0}, 1},
		{encode.Code{127, 0}, encode.Code{-1, 0}, -1},
		{encode.Code{127, 0}, encode.Code{0, 5}, 0},
		{encode.Code{1, 1}, encode.Code{127, 0}, math.Sqrt2 / 2},
		{encode.Code{0, 0}, encode.Code{127, 0}, 0},
	} {
		if got := encode.Cosine(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %f, want %f", c.a, c.b, got, c.want)
		}
	}
}

func TestSigns(t *testing.T) {
	a, b := make(encode.Code, 130), make(encode.Code, 130)
	a[0], a[64], a[129] = 5, 1, 127
	b[0], b[1], b[129] = 1, 2, -3
	if got := a.Signs().Distance(b.Signs()); got != 3 { // 1, 64 and 129
		t.Errorf("%d signs differ", got)
	}
	if n := len(a.Signs()); n != encode.Words(130) || n != 3 {
		t.Errorf("they take %d words", n)
	}
}
