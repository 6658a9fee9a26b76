//go:build !amd64

package minilm

const fast = false

func products8(w *int8, x *int16, n int, out *int32) {
	panic("minilm: there is no kernel for this machine")
}
