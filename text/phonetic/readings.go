package phonetic

import (
	"cmp"
	"slices"
)

// Reading is one way to read a word: its consonants by class, without vowels, h, w and y, which scripts leave out or
// insert. Sounds that spellings and scripts take for each other are of one class. Cost is how unlikely the reading is,
// in hundredths of a consonant that has no counterpart.
type Reading struct {
	Consonants Consonants
	Cost       int
}

// Consonants is a sequence of at most [MostConsonants] classes of consonants, each in three bits, the last one lowest.
type Consonants uint64

// MostConsonants bounds the consonants of a reading; further ones are left out.
const MostConsonants = 16

const classBits = 3

// The classes of consonants. Zero is none.
const (
	labial Consonants = 1 + iota
	dental
	Sibilant
	velar
	Liquid
	labialNasal
	Nasal
)

// Classes is the number of classes.
const Classes = 7

var classOf = func() (t [128]Consonants) {
	for class, sounds := range [Classes + 1]string{
		labial: "pbfv", dental: "tdT", Sibilant: "szSZCJ", velar: "kgxq", Liquid: "lr", labialNasal: "m", Nasal: "n",
	} {
		for i := range len(sounds) {
			t[sounds[i]] = Consonants(class)
		}
	}
	return t
}()

// Len returns the number of consonants.
func (c Consonants) Len() (n int) {
	for ; c != 0; c >>= classBits {
		n++
	}
	return n
}

// At returns the class of the i-th consonant from the end.
func (c Consonants) At(i int) Consonants { return c >> (classBits * i) & Classes }

// Without leaves out the i-th consonant from the end.
func (c Consonants) Without(i int) Consonants {
	low := c & (1<<(classBits*i) - 1)
	return c>>(classBits*(i+1))<<(classBits*i) | low
}

// With inserts a consonant before the last i ones.
func (c Consonants) With(i int, class Consonants) Consonants {
	low := c & (1<<(classBits*i) - 1)
	return (c>>(classBits*i)<<classBits|class)<<(classBits*i) | low
}

// heard is a class that a symbol may stand for, 0 for none.
type heard struct {
	class Consonants
	cost  int
}

// heardAs lists, for every symbol, its classes by cost.
var heardAs = func() (t [128][]heard) {
	for symbol := range byte(128) {
		t[symbol] = hearings(symbol)
	}
	return t
}()

func hearings(symbol byte) []heard {
	var list []heard
	add := func(h heard) {
		if i := slices.IndexFunc(list, func(o heard) bool { return o.class == h.class }); i >= 0 {
			list[i].cost = min(list[i].cost, h.cost)
			return
		}
		list = append(list, h)
	}
	for _, r := range readingsOf(symbol) {
		add(heard{classOf[r.sound], r.cost})
	}
	if silent := int(deletion[0][symbol]); silent <= softCost {
		add(heard{0, silent})
	}
	slices.SortStableFunc(list, func(a, b heard) int { return cmp.Compare(a.cost, b.cost) })
	return list
}

// Readings appends the ways to read a word to a list, the likeliest first: at most a number of them, none dearer than
// a cost.
func (c Code) Readings(list []Reading, most, dearest int) []Reading {
	if c.Empty() {
		return list
	}
	from := len(list)
	list = append(list, Reading{})
	apart := true // a vowel stands before the symbol
	for i := range len(c.symbols) {
		options := heardAs[c.symbols[i]]
		for n := len(options); n > 1 && options[n-1].cost > dearest; n-- {
			options = options[:n-1]
		}
		known := len(list)
		for _, h := range options[1:] {
			for _, r := range list[from:known] {
				if r.Cost+h.cost <= dearest {
					list = append(list, r.with(h, apart, c.bare))
				}
			}
		}
		for j := range list[from:known] {
			list[from+j] = list[from+j].with(options[0], apart, c.bare)
		}
		if len(list) > known {
			list = list[:from+len(Likeliest(list[from:], most))]
		}
		apart = options[0].class == 0
	}
	return list[:from+len(Likeliest(list[from:], most))]
}

// with appends a class. Neighbours of one class without a vowel between them are one consonant, unless the script
// leaves vowels unwritten, and t before s is part of it.
func (r Reading) with(h heard, apart, bare bool) Reading {
	r.Cost += h.cost
	if h.class == 0 {
		return r
	}
	if last := r.Consonants & Classes; !apart && last != 0 {
		switch {
		case last == h.class && !bare:
			return r
		case last == dental && h.class == Sibilant:
			r.Consonants >>= classBits
		}
	}
	if r.Consonants>>(classBits*(MostConsonants-1)) == 0 {
		r.Consonants = r.Consonants<<classBits | h.class
	}
	return r
}

// Likeliest sorts readings in place, each once, the likeliest first, and returns at most a number of them.
func Likeliest(list []Reading, most int) []Reading {
	slices.SortFunc(list, func(a, b Reading) int {
		return cmp.Or(cmp.Compare(a.Consonants, b.Consonants), cmp.Compare(a.Cost, b.Cost))
	})
	list = slices.CompactFunc(list, func(a, b Reading) bool { return a.Consonants == b.Consonants })
	slices.SortFunc(list, func(a, b Reading) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Consonants, b.Consonants))
	})
	return list[:min(len(list), most)]
}
