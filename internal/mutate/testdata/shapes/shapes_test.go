package shapes

import "testing"

func TestShapes(t *testing.T) {
	p := pair[string]{"a", "b"}
	p.swap()
	sum, ok := named(1, 2, "")
	switch {
	case p != pair[string]{"b", "a"}, p.size() != 4, first("k", 7, 8) != 7, same(5) != 5:
		t.Error("generic")
	case sum != 3, !ok, !unnamed(1, ""), apply(func(n int) int { return 2 * n }, 3) != 9:
		t.Error("plain")
	}
}
