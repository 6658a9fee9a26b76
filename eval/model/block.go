package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/mozillazg/go-unidecode"

	"tenure/similarity"
	"tenure/text"
)

// blocks proposes candidates among rows that share a word, a phonetic key or a value. It replaces the
// service's index, since no server runs here.
type blocks struct {
	rows  []record
	lists map[string][]int32
	score []float64
	seen  []int32
}

// longestList is the number of rows from which a key is too common to propose candidates.
const longestList = 1500

func newBlocks(rows []record) *blocks {
	b := &blocks{rows: rows, lists: map[string][]int32{}, score: make([]float64, len(rows))}
	for i, r := range rows {
		for _, k := range keys(r) {
			b.lists[k] = append(b.lists[k], int32(i))
		}
	}
	return b
}

// keys lists the blocking keys of a row without duplicates.
func keys(r record) []string {
	var list []string
	for _, n := range append([]string{r.Name + r.Query}, r.Aliases...) {
		words := similarity.Tokens(n, r.Type)
		whole := ""
		for _, w := range words {
			if t := strings.ToLower(strings.TrimSpace(unidecode.Unidecode(w))); t != "" {
				w = t
			}
			list = append(list, "w"+w, "s"+skeleton(w))
			whole += w
			if len(w) > 5 {
				list = append(list, "p"+w[:4])
			}
		}
		list = append(list, "n"+whole, "i"+initials(words))
	}
	for k, values := range r.Attrs {
		for _, v := range values {
			if k != "gender" && k != "state" && k != "nationality" && k != "program" && v != "" {
				list = append(list, "a"+text.Key(v))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func initials(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w[:1])
	}
	if len(words) == 1 {
		return words[0]
	}
	return b.String()
}

// skeleton returns the first letter and the consonants after it.
func skeleton(w string) string {
	out := []byte{w[0]}
	for i := 1; i < len(w); i++ {
		if c := w[i]; !strings.ContainsRune("aeiouyhw", rune(c)) && c != out[len(out)-1] {
			out = append(out, c)
		}
	}
	return string(out)
}

// candidates returns at most limit rows that share the rarest keys with r, best first, without r itself.
func (b *blocks) candidates(r record, limit int) []int32 {
	b.seen = b.seen[:0]
	for _, k := range keys(r) {
		list := b.lists[k]
		if len(list) > longestList {
			continue
		}
		w := math.Log(float64(len(b.rows)+1) / float64(len(list)+1))
		for _, i := range list {
			if b.score[i] == 0 {
				b.seen = append(b.seen, i)
			}
			b.score[i] += w + 1e-9
		}
	}
	slices.SortFunc(b.seen, func(x, y int32) int {
		return cmp.Or(cmp.Compare(b.score[y], b.score[x]), cmp.Compare(x, y))
	})
	var out []int32
	for _, i := range b.seen {
		if len(out) < limit && (b.rows[i].ID != r.ID || r.ID == "") {
			out = append(out, i)
		}
	}
	for _, i := range b.seen {
		b.score[i] = 0
	}
	return out
}
