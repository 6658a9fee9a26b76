package calibrate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tenure/similarity"
)

const (
	// LeastNames is how many names of a class a collection has at the least for its
	// frequencies to count.
	LeastNames = 300
	// leastCount is how often a word is met at the least: a table says what is
	// common, not who is in the data.
	leastCount = 5
	// unseen, in nats, is that of a word in fewer than one name of ten thousand.
	unseen = 9.5
)

// Collection counts the words of names, of one class and one registry.
type Collection struct {
	Names  int
	counts map[string]int
}

// Add counts a name of a type.
func (c *Collection) Add(spelling, typ string) {
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	words := similarity.Tokens(spelling, typ)
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		c.counts[w]++
	}
	c.Names++
}

// table gives of each common word how telling it is, in nats by quarters.
func (c *Collection) table() map[string]float64 {
	table := map[string]float64{}
	for w, n := range c.counts {
		if n >= leastCount && w != "" && !strings.ContainsAny(w, " \n") {
			table[w] = max(math.Round(-4*math.Log(float64(n)/float64(c.Names)))/4, 0.25)
		}
	}
	return table
}

// Frequencies joins collections, and the tables that were made before if there are
// any: of each word the most that any of them says of it. Collections of fewer than
// [LeastNames] say nothing.
func Frequencies(before similarity.FrequencyFile, collections ...*Collection) (similarity.FrequencyFile, error) {
	info, err := before.Table()
	if err != nil {
		return before, err
	}
	for _, c := range collections {
		if c.Names < LeastNames {
			continue
		}
		for w, v := range c.table() {
			if old, ok := info[w]; !ok || v < old {
				info[w] = v
			}
		}
	}
	by := map[string][]string{}
	for w, v := range info {
		if v < unseen {
			k := strconv.FormatFloat(v, 'g', -1, 64)
			by[k] = append(by[k], w)
		}
	}
	f := similarity.FrequencyFile{Unseen: unseen, Words: map[string]string{}}
	for k, words := range by {
		slices.Sort(words)
		f.Words[k] = strings.Join(words, " ")
	}
	return f, nil
}
