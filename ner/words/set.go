package words

import (
	"math/bits"
	"strings"
)

// Set is a set of words in lower case. It is built once and then only read. The
// zero value is empty.
//
// It is a hash table with linear probing, at most half full. Most look-ups are of
// words that are not there, and end at an empty mark.
type Set struct {
	marks []uint8  // by slot: 0 for an empty one, else a part of the hash
	words []string // by slot
}

// NewSet returns the words of a list separated by spaces.
func NewSet(list string) Set {
	all := strings.Fields(list)
	size := 1 << bits.Len(uint(2*len(all)))
	s := Set{make([]uint8, size), make([]string, size)}
	for _, w := range all {
		if i, mark := s.find(w); s.marks[i] == 0 {
			s.marks[i], s.words[i] = mark, w
		}
	}
	return s
}

// Has reports whether w is in s.
func (s Set) Has(w string) bool {
	if len(s.marks) == 0 {
		return false
	}
	i, _ := s.find(w)
	return s.marks[i] != 0
}

// find returns the slot of w, or the empty slot where it belongs, and its mark.
func (s Set) find(w string) (slot int, mark uint8) {
	h, last := hash(w), len(s.marks)-1
	slot, mark = int(h)&last, uint8(h>>56)|1
	for s.marks[slot] != 0 && (s.marks[slot] != mark || s.words[slot] != w) {
		slot = (slot + 1) & last
	}
	return slot, mark
}

// hash mixes the length of a word with its first and its last eight bytes. Longer
// words that differ only in between share a hash.
func hash(w string) uint64 {
	const seed1, seed2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	var first, last uint64
	switch n := len(w); {
	case n >= 8:
		first, last = load8(w), load8(w[n-8:])
	case n >= 4:
		first, last = load4(w), load4(w[n-4:])
	case n > 0:
		first = uint64(w[0]) | uint64(w[n/2])<<8 | uint64(w[n-1])<<16
	}
	hi, lo := bits.Mul64(first^seed1, last^seed2^uint64(len(w)))
	return hi ^ lo
}

// load8 returns the first eight bytes of s as a number.
func load8(s string) uint64 { return load4(s) | load4(s[4:])<<32 }

// load4 returns the first four bytes of s as a number.
func load4(s string) uint64 {
	_ = s[3]
	return uint64(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}
