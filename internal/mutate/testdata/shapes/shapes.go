// Package shapes has a mutant in functions of every shape, each of which its tests kill.
package shapes

type pair[T any] struct{ a, b T }

func (pair[T]) size() int { return len("ab") * 2 }

func (p *pair[T]) swap() { p.a, p.b = p.b, p.a }

func first[K comparable, V any](_ K, list ...V) (v V) {
	v = list[0]
	return v
}

func same[T any](v T) T { return v }

func named(_, b int, _ string) (sum int, ok bool) {
	sum = b + 1
	return sum, true
}

func unnamed(int, string) bool { return true }

func apply(f func(int) int, n int) int { return f(n) + n }
