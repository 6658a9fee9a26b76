package phonetic

import (
	"tenure/text"
)

// longest bounds the symbols of a code, and so the cost of a comparison.
const longest = 40

// Code is how a word sounds. The zero value has no sounds and is close to nothing.
type Code struct {
	symbols string
	weight  [2]int // cost of all symbols without counterpart, by whether the other script leaves vowels unwritten
	bare    bool   // the script leaves vowels unwritten
}

// Empty reports whether a code has no sounds.
func (c Code) Empty() bool { return c.symbols == "" }

// Of returns the code of a word in any script, folded.
func Of(word string) Code {
	switch s := text.ScriptOf(word); s {
	case text.Latin:
		return code(latin(text.PlainASCII(plain(word))), false)
	case text.Han:
		return code(han(word), false)
	case text.Hangul:
		return code(hangul(word), false)
	case text.Kana:
		return code(kana(word), false)
	case text.Cyrillic:
		return code(cyrillic(word), false)
	default:
		return other(word)
	}
}

func code(symbols []byte, bare bool) Code {
	c := Code{symbols: string(symbols[:min(len(symbols), longest)]), bare: bare}
	for i := range len(c.symbols) {
		c.weight[0] += int(deletion[0][c.symbols[i]])
		c.weight[1] += int(deletion[1][c.symbols[i]])
	}
	return c
}

// Closeness returns how alike two words sound: 1 for the same sounds, 0 for nothing in common. It is symmetric.
func Closeness(a, b Code) float64 {
	if a.Empty() || b.Empty() {
		return 0
	}
	weight := a.weight[index(b.bare)] + b.weight[index(a.bare)]
	cost := distance(a.symbols, b.symbols, &deletion[index(b.bare)], &deletion[index(a.bare)])
	if weight == 0 {
		return 0
	}
	return max(0, 1-2*float64(cost)/float64(weight))
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// distance is the edit distance of two codes, with the costs of leaving out a symbol of either.
func distance(a, b string, without, withoutB *[128]uint8) int {
	var row [longest + 1]int
	for j := range len(b) {
		row[j+1] = row[j] + int(withoutB[b[j]])
	}
	for i := range len(a) {
		costs, skip := &substitution[a[i]], int(without[a[i]])
		diagonal := row[0]
		row[0] += skip
		for j := range len(b) {
			best := min(diagonal+int(costs[b[j]]), row[j+1]+skip, row[j]+int(withoutB[b[j]]))
			diagonal, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}
