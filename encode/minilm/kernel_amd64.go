package minilm

import "golang.org/x/sys/cpu"

// fast reports whether the machine has the instructions of products8.
var fast = cpu.X86.HasAVX2

// products8 writes the products of two rows of w, of n numbers each, with four rows of x: those of the first, then
// those of the second. n is a multiple of 16.
//
//go:noescape
func products8(w *int8, x *int16, n int, out *int32)
